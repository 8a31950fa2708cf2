"""A row of the table of joint kinds: all data and functions of a kind of joint that other packages need."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from gambol.errors import FigureError
from gambol.figure.joint import charts
from gambol.figure.joint.joint import Joint, Placement
from gambol.lanes import Scalar
from gambol.spatial.vector import Vector

Numbers: TypeAlias = Sequence[Scalar]
Chart: TypeAlias = Callable[[Numbers, Numbers], list[Scalar]]
Draw: TypeAlias = Callable[[np.random.Generator, float], float]
"""Returns a random number of a joint, from a random generator and a size, a factor of default lengths."""

SeriesJoint: TypeAlias = tuple[str, Joint, int | None]
"""One of several joints in series: the suffix of its name, the joint, and the index of its spring."""

QUATERNION_UNITS: Final = ("1", "1", "1", "1")
NUMBERS: Final = frozenset({"pitch", "slides", "radius", "parent_radius"})
"""The numbers of Joint that a kind may use, besides its directions."""

FREEDOMS: Final = 6
"""Degrees of freedom of a link that no joint restrains."""


def unbounded(joint: Joint, extents: Sequence[float]) -> float:
    """Return infinity: the travel of a joint whose kind does not define it."""
    return math.inf


@dataclass(frozen=True, slots=True)
class TurningAxes:
    """The effect of turning axes on the velocities of a joint.

    acceleration: returns v_dot (nv) of a link that keeps its velocity, from v (nv). re_expressed: returns velocities
    along the axes at new coordinates, from old coordinates (nq), new coordinates (nq), and velocities along the old
    axes (nv).
    """

    acceleration: Callable[[Numbers], list[Scalar]]
    re_expressed: Callable[[Numbers, Numbers, Numbers], list[Scalar]]


@dataclass(frozen=True, slots=True)
class JointKind:
    """A row of the table of joint kinds.

    q_units, v_units: the unit of each coordinate ("rad", "m" or "1") and velocity ("rad/s" or "m/s"); their lengths are
    nq and nv. There are as many coordinates as velocities, or one more: then the first four are a unit quaternion, and
    the first three velocities its angular velocity in link coordinates. rest: coordinates at which the link's pose is
    `rotation` and `position` of the joint. place: returns the placement at q. rates: returns the rates of the
    coordinates, without those of a quaternion, from q and v; None: they are the velocities. axes: number of directions
    that define the joint: 0, 1 (axis) or 2 (axis and across). travel: returns the largest distance of the link's origin
    from its position at rest [m], from the joint and the largest distance from 0 that limits allow for the coordinate
    of each spring; by default infinity, so that no two parts on both sides of the joint count as always disjoint.
    coaxial: True if the link turns about and slides along the axis only, so that its frame may be moved along the axis
    and turned about it. turning: None if a step may treat the axes of velocities as fixed. check: raises FigureError
    for a joint with invalid numbers; called with the joint and the words that begin the message. numbers: numbers of
    Joint (pitch, slides, radius, parent_radius) that the kind uses, each with a function that draws a random value.
    mirrored: returns the numbers of the mirror image in the plane y = 0, besides the mirrored axis, across, rotation
    and position; None: there is no mirror image. in_series: returns joints of simpler kinds in series, with the same
    motion and coordinates, from the parent outward, the last with the suffix ""; formats without this kind store these;
    None: such formats cannot store the joint. Raises FigureError for a row that lacks a field or contradicts itself.
    """

    q_units: tuple[str, ...]
    v_units: tuple[str, ...]
    rest: tuple[float, ...]
    place: Callable[[Joint, Numbers], Placement]
    rates: Chart | None = None
    axes: int = 0
    travel: Callable[[Joint, Sequence[float]], float] = unbounded
    coaxial: bool = False
    turning: TurningAxes | None = None
    check: Callable[[Joint, str], None] | None = None
    numbers: Mapping[str, Draw] = field(default_factory=dict[str, Draw], hash=False)
    mirrored: Callable[[Joint], Mapping[str, Any]] | None = None
    in_series: Callable[[Joint], tuple[SeriesJoint, ...]] | None = None

    def __post_init__(self) -> None:
        coordinates = f"{self.nq} coordinates ({', '.join(self.q_units)}) and {self.nv} velocities"
        begins_with_quaternion = self.q_units[:4] == QUATERNION_UNITS and self.nq == self.nv + 1
        if self.nq != self.nv and not begins_with_quaternion:
            raise FigureError(
                f"a joint kind has {coordinates}; give as many of both, or one coordinate more and four of unit "
                '"1" first, which are a unit quaternion'
            )
        if unknown := ({*self.q_units} - {"rad", "m", "1"}) | ({*self.v_units} - {"rad/s", "m/s"}):
            raise FigureError(f"a joint kind has the unit {sorted(unknown)[0]!r}; units are rad, m, 1, rad/s and m/s")
        if len(self.rest) != self.nq or self.nv > FREEDOMS:
            raise FigureError(
                f"a joint kind has {coordinates}, and {len(self.rest)} coordinates at rest; give a rest value for each "
                f"coordinate, and at most {FREEDOMS} velocities"
            )
        if self.axes not in (0, 1, 2) or (self.coaxial and self.axes != 1):
            raise FigureError(f"a joint kind has {self.axes} axes; give 0, 1 or 2, and 1 if it is coaxial")
        if unknown := self.numbers.keys() - NUMBERS:
            raise FigureError(
                f'a joint kind uses the number "{min(unknown)}"; a joint has the numbers {", ".join(sorted(NUMBERS))}'
            )

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q_units)

    @property
    def nv(self) -> int:
        """Number of velocities, which is the number of degrees of freedom."""
        return len(self.v_units)

    @property
    def has_quaternion(self) -> bool:
        """True where the coordinates begin with a unit quaternion."""
        return self.nq > self.nv

    @property
    def has_plain_rates(self) -> bool:
        """True where the rates of the coordinates are the velocities."""
        return self.rates is None and not self.has_quaternion

    @property
    def spring_slices(self) -> tuple[slice, ...]:
        """The slice of the coordinates for each spring: 4 numbers for an orientation, else 1."""
        orientation = (slice(0, 4),) if self.has_quaternion else ()
        return (*orientation, *(slice(k, k + 1) for k in range(4 * self.has_quaternion, self.nq)))

    @property
    def is_free(self) -> bool:
        """True if the joint restrains no motion."""
        return self.nv == FREEDOMS

    @property
    def slides(self) -> int:
        """Number of velocities along which the link slides."""
        return self.v_units.count("m/s")

    @property
    def turns_only(self) -> bool:
        """True if the link turns about the axis, and its origin never moves."""
        return self.coaxial and self.travel is no_travel

    @property
    def rotor_has_action(self) -> bool:
        """True if a rotor at the joint has an action, as variational integrators need it.

        That is so if the angle of the rotor is a function of q, or if the joint is spherical.
        """
        return self.rates is None and self.turning is None

    def q_dot(self, q: Numbers, v: Numbers) -> list[Scalar]:
        """Return q_dot (nq), the rates of coordinates, from coordinates q (nq) and velocities v (nv)."""
        rates = self._rates_without_quaternion(q, v)
        return [*charts.quaternion_rates(q[:4], v[:3]), *rates] if self.has_quaternion else rates

    def _rates_without_quaternion(self, q: Numbers, v: Numbers) -> list[Scalar]:
        """Return the rates of the coordinates after the quaternion; of all where there is none."""
        return self.rates(q, v) if self.rates is not None else list(v[3 if self.has_quaternion else 0 :])

    def integrate(self, q: Numbers, x: Numbers) -> list[Scalar]:
        """Return coordinates q (nq) moved by tangent coordinates x (nv): q exp(x / 2) for a quaternion, else q + x."""
        return charts.integrate_pose(q, x) if self.has_quaternion else charts.add(q, x)

    def tangent_rate(self, q: Numbers, x: Numbers, v: Numbers) -> list[Scalar]:
        """Return x_dot (nv), the rate of tangent coordinates x about q.

        q: coordinates (nq) at x = 0. x: tangent coordinates (nv) of the current state. v: current velocities (nv).
        """
        rates = self._rates_without_quaternion(self.integrate(q, x), v)
        return [*charts.rotation_vector_rates(Vector(*x[:3]), Vector(*v[:3])), *rates] if self.has_quaternion else rates

    def difference(self, q: Numbers, other: Numbers) -> list[Scalar]:
        """Return the tangent coordinates x (nv) around q (nq) of other coordinates: integrate(q, x) = other.

        Coordinates besides a quaternion are subtracted.
        """
        return charts.quaternion_difference(q, other) if self.has_quaternion else charts.subtract(q, other)

    def normalised(self, q: Numbers) -> list[Scalar]:
        """Return q with its quaternion, if there is one, normalised."""
        return charts.normalised(q) if self.has_quaternion else list(q)


def no_travel(joint: Joint, extents: Sequence[float]) -> float:
    """Return 0: the travel of a joint that does not move the link's origin."""
    return 0.0
