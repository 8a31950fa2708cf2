"""Collision detection: grounds, bounding volumes, and gaps between shapes."""

from gambol.collide.added_shapes import add_shape
from gambol.collide.ground import Ground, Surface
from gambol.collide.height_grid import HeightGrid
from gambol.collide.no_ground import NoGround
from gambol.collide.plane import Plane

__all__ = ["Ground", "HeightGrid", "NoGround", "Plane", "Surface", "add_shape"]
