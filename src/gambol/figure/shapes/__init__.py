"""Shapes of a figure's parts, with exact mass properties and their contact points with the ground.

Every shape has its own frame; the axis of a shape is z. The origin is the centre of mass of box, sphere, ellipsoid,
capsule, cylinder and pipe. It is the middle of the axis of a frustum, whose centre of mass is nearer to the wider end.
The vertices of a hull are in its frame. A frustum with an end of radius 0 is a cone. Other bodies can be inside a pipe
and a height field. A body of any other shape is a link with several parts.
"""

from typing import TypeAlias

from gambol.figure.shapes.ball_hull import BallHull, corner_hull
from gambol.figure.shapes.contact_points import ContactPoint
from gambol.figure.shapes.hollow import HeightField, Pipe
from gambol.figure.shapes.hull import Hull
from gambol.figure.shapes.primitives import Box, Capsule, Cylinder, Ellipsoid, Frustum, Sphere

Shape: TypeAlias = Box | Sphere | Ellipsoid | Capsule | Cylinder | Frustum | Hull | Pipe | HeightField | BallHull
"""A shape of a part."""

SHAPES: dict[str, type[Shape]] = {
    shape.kind: shape for shape in (Box, Sphere, Ellipsoid, Capsule, Cylinder, Frustum, Hull, Pipe, HeightField)
}
"""The classes of shapes by kind. For a shape of your own use collide.add_shape(); see docs/extend/shape.md."""

__all__ = [
    "SHAPES",
    "BallHull",
    "Box",
    "Capsule",
    "ContactPoint",
    "Cylinder",
    "Ellipsoid",
    "Frustum",
    "HeightField",
    "Hull",
    "Pipe",
    "Shape",
    "Sphere",
    "corner_hull",
]
