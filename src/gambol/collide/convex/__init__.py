"""Convex geoms of any kind: support points, distance, and penetration depth."""

from gambol.collide.convex.contact import convex_convex, convex_slots
from gambol.collide.convex.geom import PLANE, SIZES, Geom, GeomTemplate, HullTemplate, field_box, geom_of

__all__ = [
    "PLANE",
    "SIZES",
    "Geom",
    "GeomTemplate",
    "HullTemplate",
    "convex_convex",
    "convex_slots",
    "field_box",
    "geom_of",
]
