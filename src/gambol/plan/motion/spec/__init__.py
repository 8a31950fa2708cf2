"""The description of a desired motion: phases, goals, costs and mesh."""
