"""The formulas of springs, hinges, bends, triangles and contacts over generic scalars; a lane is one of them."""
