"""Goals of the whole body, as data: balance, and coordinates of joints. See goals.py."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gambol.dynamics import Kinematics
from gambol.dynamics.loops import Row
from gambol.errors import GambolError
from gambol.figure import JOINTS, Figure
from gambol.lanes import Scalar
from gambol.plan.pose.numbers import Array, edges_of, length, real
from gambol.plan.pose.relations import centre_rows, joint_rows, one_sided
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class BalanceGoal:
    """The centre of mass is above a point, or above a convex polygon.

    support: (x, y) of a point, or the corners (k, 2) of a convex polygon in order, in either sense [m]. margin: least
    distance from the polygon's edges [m]. All poses of a call have the same support.
    """

    support: ArrayLike
    margin: float = 0.0
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """Name of the goal in messages."""
        return "the balance"

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the number of corners is compiled in."""
        return (BalanceGoal, np.ndim(self.support) and np.shape(self.support)[:-1])

    def numbers(self) -> Array:
        """A point's coordinates, or for each edge its outward normal and the largest offset along it."""
        support = real(self.support, self.title)
        if support.shape == (2,):
            return support
        if support.ndim != 2 or support.shape[1] != 2 or len(support) < 3:
            raise GambolError(
                f"the support of a balance has shape {support.shape}; give (x, y), or the corners (k, 2) of a polygon"
            )
        return edges_of(support, self.margin, self.title).ravel()

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres."""
        return "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the offset from the point, or of the distance of the centre beyond each edge."""
        if len(numbers) == 2:
            return centre_rows(state, [Vector.axis(0), Vector.axis(1)], list(numbers))
        edges = [numbers[k : k + 3] for k in range(0, len(numbers), 3)]
        rows = centre_rows(state, [Vector(e[0], e[1], 0.0) for e in edges], [e[2] for e in edges])
        return [one_sided(row) for row in rows]

    def residual(self, gaps: Array) -> Array:
        """Return the distance from the point, or from the polygon [m]."""
        return length(gaps)


@dataclass(frozen=True, slots=True)
class JointGoal:
    """A joint has coordinates.

    link: name of the joint's link. target: the coordinate [rad or m], or all nq of the joint, or (n, nq).
    """

    link: str
    target: ArrayLike
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """Name of the goal in messages."""
        return f'the joint of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (JointGoal, self.link)

    def numbers(self) -> Array:
        """The coordinates."""
        return np.atleast_1d(real(self.target, self.title))

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres for a joint that only slides, else radians."""
        return "rad" if "rad/s" in JOINTS[figure.link(self.link).joint.kind].v_units else "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the tangent coordinates from the target."""
        return joint_rows(state, state.figure.link(self.link), numbers)

    def residual(self, gaps: Array) -> Array:
        """Length of the tangent coordinates."""
        return length(gaps)
