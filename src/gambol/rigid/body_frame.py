"""The frame of a body of a pile: at its centre of mass, along its principal axes of inertia.

The frames of most shapes already are such frames. The axis of a frustum is a principal axis, but its centre of mass is
not in the middle of it. The vertices of a hull are transformed.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.convex.geom import SIZES, Geom, GeomTemplate, geom_of
from gambol.figure.rotation import triple
from gambol.figure.shapes import ContactPoint, Hull, Shape
from gambol.lanes import Scalar
from gambol.spatial import Quaternion, Transform, Vector
from gambol.spatial.rotation import IDENTITY

Array = NDArray[np.float64]

GEOM_ROWS = 4
"""Numbers of a geom in its body: up to three sizes, and the height of the centre of mass in the shape's frame."""

PLACED_GEOM_ROWS = 10
"""Numbers of a geom anywhere in its body: three sizes, and the shape's orientation and position."""


@dataclass(frozen=True)
class BodyFrame:
    """A shape in the frame of its body.

    com: centre of mass in the shape's frame [m]; rotation: from the body's axes to those of the shape (3, 3). moments:
    principal moments of inertia for a mass of 1 kg (3) [m2]. radius: of a ball about the centre of mass that contains
    the shape [m]. template: its geom without sizes; None: no shape. numbers: GEOM_ROWS or PLACED_GEOM_ROWS numbers for
    geom_in_body(). points: contact points with the ground, in the body's frame.
    """

    com: Array
    rotation: Array
    moments: Array
    radius: float
    template: GeomTemplate | None
    numbers: tuple[float, ...]
    points: tuple[ContactPoint, ...]

    @property
    def kind(self) -> str:
        """The kind of its shape; "sphere" without one."""
        return self.template.kind if self.template else "sphere"


@lru_cache(maxsize=4096)
def body_frame(shape: Shape) -> BodyFrame:
    """Return the frame of a body of uniform density with a shape."""
    mass = shape.mass_properties(1.0 / shape.volume)
    com, rotation, inertia = np.array(mass.com), np.eye(3), np.array(mass.inertia)
    if isinstance(shape, Hull):
        axes = np.linalg.eigh(inertia)[1]
        rotation = axes * np.sign(np.linalg.det(axes))
        inertia = rotation.T @ inertia @ rotation
        shape = Hull(tuple(triple(x) for x in (np.array(shape.vertices) - com) @ rotation))
        points = tuple(ContactPoint(vertex, 0.0) for vertex in shape.vertices)
    else:
        points = tuple(ContactPoint(triple(np.array(p.position) - com), p.radius) for p in shape.contact_points())
    radius = max(float(np.linalg.norm(point.position)) + point.radius for point in points)
    geom = geom_of(shape)
    numbers = (*geom.sizes, 0.0, 0.0, 0.0)[: GEOM_ROWS - 1]
    height = 0.0 if isinstance(shape, Hull) else float(com[2])
    return BodyFrame(com, rotation, np.diag(inertia), radius, geom.template, (*numbers, height), points)


def geom_in_body(template: GeomTemplate, numbers: Any, pose: Transform) -> tuple[Geom, Transform]:
    """Return a geom and its pose; numbers: its numbers, see BodyFrame; pose: pose of its body. Traceable."""
    geom = template.geom(tuple(numbers[: SIZES[template.kind]]))
    if len(numbers) == PLACED_GEOM_ROWS:
        return geom, pose @ Transform(Quaternion(*numbers[3:7]).rotation(), Vector(*numbers[7:]))
    if template.kind != "frustum":
        return geom, pose
    height: Scalar = numbers[GEOM_ROWS - 1]
    return geom, pose @ Transform(IDENTITY, Vector(0.0, 0.0, -height))
