"""Contacts of a mesh: with a ground, moving shapes of links, targets that hold points, and its own points."""
