"""Collision detection: grounds, bounding volumes, and gaps between shapes."""

from gambol.collide.added_shapes import add_shape
from gambol.collide.ground import Ground, NoGround, Plane, Surface
from gambol.collide.height_grid import HeightGrid

__all__ = ["Ground", "HeightGrid", "NoGround", "Plane", "Surface", "add_shape"]
