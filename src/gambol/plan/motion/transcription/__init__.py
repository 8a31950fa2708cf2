"""A plan as a non-linear program: unknowns at nodes, equations, bounds and costs."""
