"""Contact as complementarity: linear problems and problems with cones, on accelerations and on velocities."""
