"""Rays: the distance along a half line to the surface of a shape, and to the ground."""

from gambol.collide.rays.ground import GROUND_RAYS, check_ground_rays, ground_distance
from gambol.collide.rays.interval import Interval, Ray
from gambol.collide.rays.solid import SOLID_RAYS, check_shape_rays, shape_distance

__all__ = [
    "GROUND_RAYS",
    "SOLID_RAYS",
    "Interval",
    "Ray",
    "check_ground_rays",
    "check_shape_rays",
    "ground_distance",
    "shape_distance",
]
