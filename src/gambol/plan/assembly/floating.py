"""Constraints with floating parameters: a point on a curve, and the contact of two surfaces; and a separation.

Floating parameters are unknowns in addition to the coordinates, and take part in the descent. [Witkin, Fleischer and
Barr 1987]
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.dynamics import Kinematics
from gambol.dynamics.loops import Row, relative_motion
from gambol.figure import Figure, Part, Triple
from gambol.lanes import Scalar, jacobian, maximum
from gambol.plan.assembly.surfaces import check_surface, signed_distance
from gambol.plan.pose import PointGoal
from gambol.plan.pose.goals import ends
from gambol.plan.pose.numbers import Array, length
from gambol.plan.pose.relations import pose_rows
from gambol.spatial import Curve, Rotation, Vector


@dataclass(frozen=True, eq=False)
class CurveConstraint:
    """A point of a link lies anywhere on a curve: its parameter u is free.

    link: name of the link. curve: curve in the world, or in the link `other`. point: in link coordinates [m]. start:
    first u, 0 to 1.
    """

    link: str
    curve: Curve
    point: Triple = (0.0, 0.0, 0.0)
    other: str | None = None
    start: float = 0.5
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def floating(self) -> tuple[float, ...]:
        """The first value of u."""
        return (self.start,)

    @property
    def title(self) -> str:
        """The name in messages."""
        return f'the curve of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: all options that are compiled in, with the curve."""
        return (CurveConstraint, self.link, self.other, id(self.curve))

    def numbers(self) -> Array:
        """The point."""
        return np.array(self.point, float)

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres."""
        return "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the offset from the curve's point at u; numbers: point, u."""
        goal = PointGoal(self.link, (0.0, 0.0, 0.0), other=self.other)
        return goal.rows(state, [*self.curve(numbers[3]), *numbers[:3]])

    def residual(self, gaps: Array) -> Array:
        """Return the distance [m]."""
        return length(gaps)


@dataclass(frozen=True)
class SurfaceConstraint:
    """The surfaces of two parts touch at a point that floats, with opposite normals.

    link, other: names of links. part, other_part: indices of the parts in the links. start: first position of the
    point, in the axes of `other` [m]. Shapes are keys of SURFACES; at edges and corners normals jump, so descent may
    stop near them.
    """

    link: str
    other: str
    part: int = 0
    other_part: int = 0
    start: Triple = (0.1, 0.1, 0.1)
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def floating(self) -> tuple[float, ...]:
        """The first position of the point."""
        return self.start

    @property
    def title(self) -> str:
        """The name in messages."""
        return f'the contact of "{self.link}" and "{self.other}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (SurfaceConstraint, self.link, self.other, self.part, self.other_part)

    def numbers(self) -> Array:
        """No numbers."""
        return np.empty(0)

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres."""
        return "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of both distances of the point, and of the sum of the normals times the first part's size."""
        parts = _parts(state.figure, self)
        size, point = _size(parts[0]), Vector(*numbers)

        def gaps(R: Rotation, p: Vector) -> list[Scalar]:
            f, n = _distance_and_normal(parts[0], R.transpose @ (point - p))
            g, m = _distance_and_normal(parts[1], point)
            return [f, g, *((R @ n + m) * size)]

        return pose_rows(relative_motion(state, *ends(state, self.link, self.other)), gaps)

    def residual(self, gaps: Array) -> Array:
        """Return the distance of the surfaces from the point [m]; differences of normals are multiplied by the size."""
        return length(gaps)


@dataclass(frozen=True)
class Separation:
    """Two parts do not penetrate each other: the corners of each, with their radii, stay outside the other.

    link, other: names of links. part, other_part: indices of the parts in the links. These are inequalities: outside,
    the energy is 0. Corners come from Part.outline(): exact for spheres and capsules; contacts of two edges are found
    only near corners.
    """

    link: str
    other: str
    part: int = 0
    other_part: int = 0
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """The name in messages."""
        return f'the separation of "{self.link}" and "{self.other}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (Separation, self.link, self.other, self.part, self.other_part)

    def numbers(self) -> Array:
        """No numbers."""
        return np.empty(0)

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres."""
        return "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the depth of each corner in the other part, 0 outside."""
        first, second = _parts(state.figure, self)

        def depths(R: Rotation, p: Vector) -> list[Scalar]:
            of_first = [(second, R @ Vector(*c.position) + p, c.radius) for c in first.outline()]
            of_second = [(first, R.transpose @ (Vector(*c.position) - p), c.radius) for c in second.outline()]
            return [maximum(r - signed_distance(part, x), 0.0) for part, x, r in (*of_first, *of_second)]

        return pose_rows(relative_motion(state, *ends(state, self.link, self.other)), depths)

    def residual(self, gaps: Array) -> Array:
        """The greatest depth [m]."""
        return abs(gaps).max(axis=0)


def _parts(figure: Figure, constraint: SurfaceConstraint | Separation) -> tuple[Part, Part]:
    """Return the two parts; raise GambolError for a kind of shape without a signed distance."""
    first = figure.link(constraint.link).parts[constraint.part]
    second = figure.link(constraint.other).parts[constraint.other_part]
    for part in (first, second):
        check_surface(part, constraint.title)
    return first, second


def _size(part: Part) -> Scalar:
    """Return the largest size of a part's shape [m]."""
    return functools.reduce(maximum, part.shape.sizes)


def _distance_and_normal(part: Part, p: Vector) -> tuple[Scalar, Vector]:
    """Return the signed distance of a point to a part, and the unit normal at the nearest point."""
    (distance,), (gradient,) = jacobian(lambda x: [signed_distance(part, Vector(*x))], [*p])
    n = Vector(*gradient)
    return distance, n * (1.0 / maximum(n.length(), 1e-9))
