"""What a mesh touches: a ground, shapes of links that move, targets that hold points, and its own points."""
