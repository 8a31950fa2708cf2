"""Shapes of a figure's parts, with exact mass properties and the points at which each naturally touches the ground.

Every shape lies in a frame of its own. The plain ones are centred on it and have z for their axis: the origin of box,
sphere, ellipsoid, capsule and cylinder is their centre of mass; the origin of a frustum is the middle of its axis, from
which its centre of mass lies off towards the wider end. A hull lies where its vertices do. A frustum with an end of
radius 0 is a cone. Others can be inside of a pipe and of a height field. What no single shape is like, a link has
several parts for.
"""

from typing import TypeAlias

from gambol.figure.shapes.box import Box
from gambol.figure.shapes.hollow import HeightField, Pipe
from gambol.figure.shapes.hull import Hull
from gambol.figure.shapes.round import Capsule, Ellipsoid, Sphere
from gambol.figure.shapes.touching import ContactPoint
from gambol.figure.shapes.turned import Cylinder, Frustum

Shape: TypeAlias = Box | Sphere | Ellipsoid | Capsule | Cylinder | Frustum | Hull | Pipe | HeightField

SHAPES: dict[str, type[Shape]] = {
    shape.kind: shape for shape in (Box, Sphere, Ellipsoid, Capsule, Cylinder, Frustum, Hull, Pipe, HeightField)
}

__all__ = [
    "SHAPES",
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
]
