"""The formulas of springs, hinges, bends, triangles and contacts over generic scalars; each lane computes one."""
