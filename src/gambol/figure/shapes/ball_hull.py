"""The convex hull of balls: the protocol of shapes of other packages, which all algorithms support."""

import math
from collections.abc import Sequence
from dataclasses import Field
from typing import Any, ClassVar, Protocol, runtime_checkable

from gambol.figure.joint.joint import Triple
from gambol.figure.mass import MassProperties
from gambol.figure.shapes.contact_points import DIRECTIONS, ContactPoint
from gambol.figure.shapes.hull import Hull
from gambol.lanes import Scalar
from gambol.spatial.vector import Vector


@runtime_checkable
class BallHull(Protocol):
    """A shape that is the convex hull of balls, a frozen dataclass of sizes; add_shape() makes its kind known.

    kind: its name in files. sizes: the values of its fields, each one number [m]. volume [m3].
    """

    kind: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def sizes(self) -> tuple[float, ...]:
        """The values of its fields [m]."""
        ...

    @property
    def volume(self) -> float:
        """Volume [m3]."""
        ...

    @staticmethod
    def balls(sizes: Sequence[Scalar]) -> Sequence[tuple[Vector, Scalar]]:
        """Return centre and radius of each ball in the shape's frame [m], 0 for a corner; their number is constant.

        sizes: sizes of the shape, generic scalars, so without branches on values.
        """
        ...

    def mass_properties(self, density: float) -> MassProperties:
        """Return the mass properties of the solid of a density [kg/m3], in the shape's frame."""
        ...

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the balls as contact points."""
        ...

    def mirrored(self) -> Any:
        """Return the mirror image in the plane y = 0 of the shape's frame, a shape of this kind."""
        ...


def corner_hull(points: Sequence[ContactPoint]) -> Hull:
    """Return the hull of contact points; a ball is represented by 26 points."""
    return Hull(tuple(corner for point in points for corner in _corners(point)))


def _corners(point: ContactPoint) -> tuple[Triple, ...]:
    if not point.radius:
        return (point.position,)
    x, y, z = point.position
    scales = [point.radius / math.hypot(*direction) for direction in DIRECTIONS]
    return tuple((x + s * d[0], y + s * d[1], z + s * d[2]) for s, d in zip(scales, DIRECTIONS, strict=True))
