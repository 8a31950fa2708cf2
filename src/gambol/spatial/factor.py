"""Constant rotations as a few turns about coordinate axes.

A turn about a coordinate axis changes an inertia at a third of the cost of a general rotation, and a quarter turn for
nothing. So a constant rotation is split into the cheapest turns by Euler's angles, trying every order of axes, and
the axis of a joint is first turned into a coordinate axis.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product as every

from gambol.lanes import Scalar, cos, sin
from gambol.spatial.rotation import IDENTITY, Rotation, constant_turn, exactly, product, snapped
from gambol.spatial.vector import Vector

Turns = tuple[Rotation, ...]

NOISE = 1e-14
"""What rounding leaves of a component that should be 0: an angle of 1.57079632679, typed, is 5e-12 off a right one."""

ORDERS = [(i, j, k) for i, j, k in every(range(3), repeat=3) if i != j != k]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A turn by q about any constant axis, after a constant rotation, in terms of a turn about a coordinate axis.

    R Rot(axis, q) = product(outer) offset Rot(coordinate axis, sign q) product(inner), where offset is a constant turn
    about that same coordinate axis.
    """

    outer: Turns
    axis: int
    sign: float
    inner: Turns
    offset: Rotation = IDENTITY

    def turn(self, q: Scalar) -> Rotation:
        """The offset and the turn by q [rad], as one turn by the sum of the angles."""
        i, j = (self.axis + 1) % 3, (self.axis + 2) % 3
        s, c = self.sign * sin(q), cos(q)
        s0, c0 = self.offset.rows[j][i], self.offset.rows[i][i]
        return Rotation.about_coordinate(self.axis, s * c0 + c * s0, c * c0 - s * s0)

    @property
    def constant(self) -> Turns:
        """All turns before the one by q."""
        return self.outer if self.offset.is_identity() else (*self.outer, self.offset)


def factors(rotation: Rotation) -> Turns:
    """Turns about coordinate axes whose product is the given rotation, the cheapest that Euler's angles offer.

    A rotation with entries that are not plain numbers is returned whole.
    """
    if not rotation.is_constant():
        return (rotation,)
    return min(_all_factors(_snapped(rotation)), key=_cost)


def _snapped(rotation: Rotation) -> Rotation:
    return Rotation.of([[snapped(x) for x in row] for row in rotation.rows])


@lru_cache(maxsize=1024)
def _all_factors(rotation: Rotation) -> tuple[Turns, ...]:
    """Every way to write a constant rotation as turns about coordinate axes that Euler's angles offer."""
    if rotation.is_identity():
        return ((),)
    if rotation.coordinate_axis() is not None:
        return ((rotation,),)
    return tuple(_euler(rotation, order) for order in ORDERS)


def aligned(rotation: Rotation, axis: Sequence[Scalar]) -> Alignment:
    """Split a joint's rotation and its axis (a unit vector in link coordinates) for least cost, if they are constant.

    An axis that is not known while tracing becomes the z axis of a frame of its own.
    """
    if not all(isinstance(x, (int, float)) for x in axis):
        return about_z(rotation, axis)
    unit = (snapped(axis[0]), snapped(axis[1]), snapped(axis[2]))
    if rotation.is_constant():
        return _constant_alignment(rotation, unit)
    k, sign, turns = _alignments(unit)[0]
    return Alignment((rotation, *turns), k, sign, _undone(turns))


def about_z(rotation: Rotation, axis: Sequence[Scalar]) -> Alignment:
    """The same split with the axis as the z axis of a frame of its own, found at once."""
    own = Rotation.facing(Vector.of(axis))
    return Alignment((rotation @ own,), 2, 1.0, (own.transpose,))


def towards(axis: Sequence[float]) -> tuple[int, Rotation]:
    """A coordinate axis, and the rotation by few turns that takes it, or its opposite, to a given unit vector."""
    k, _, turns = _alignments((snapped(axis[0]), snapped(axis[1]), snapped(axis[2])))[0]
    return k, product(turns)


@lru_cache(maxsize=1024)
def _constant_alignment(rotation: Rotation, axis: tuple[float, float, float]) -> Alignment:
    options = [
        _with_offset(option, k, sign, _undone(turns))
        for k, sign, turns in _alignments(axis)
        for option in _all_factors(_snapped(rotation @ product(turns)))
    ]
    return min(options, key=lambda option: _cost(option.outer + option.inner))


def _with_offset(turns: Turns, k: int, sign: float, inner: Turns) -> Alignment:
    """The alignment whose last constant turn, if it is about the joint's own axis, is left to the joint."""
    if turns and turns[-1].coordinate_axis() == k:
        return Alignment(turns[:-1], k, sign, inner, turns[-1])
    return Alignment(turns, k, sign, inner)


@lru_cache(maxsize=1024)
def _alignments(axis: tuple[float, float, float]) -> tuple[tuple[int, float, Turns], ...]:
    """The cheapest turns that take a coordinate axis, or its opposite, to the given axis."""
    options = [
        (k, sign, _first_two(Vector(*axis) * sign, (i, j, k))) for i, j, k in ORDERS if i != k for sign in (1.0, -1.0)
    ]
    least = min(_cost(turns) for _, _, turns in options)
    return tuple(dict.fromkeys(option for option in options if _cost(option[2]) == least))


def _undone(turns: Turns) -> Turns:
    return tuple(turn.transpose for turn in reversed(turns))


def _cost(turns: Turns) -> int:
    """Rough work of applying turns to an inertia: those by right angles only permute and change signs."""
    return sum(1 if any(exactly(abs(turn.rows[i][i]), 0.0) for i in range(3)) else 10 for turn in turns)


def _euler(rotation: Rotation, order: tuple[int, int, int]) -> Turns:
    """Turns about three axes in the given order, from the left, whose product is the rotation."""
    k = order[2]
    turns = _first_two(rotation.columns[k], order)
    rest = product(turns).transpose @ rotation
    column = rest.columns[(k + 1) % 3]
    last = constant_turn(k, math.atan2(column[(k + 2) % 3], column[(k + 1) % 3]))
    return turns if last.is_identity() else (*turns, last)


def _first_two(target: Vector, order: tuple[int, int, int]) -> Turns:
    """Turns about axes i and then j (in the turned frame) that take coordinate axis k to the target."""
    i, j, k = order
    third = 3 - i - j
    handed = 1.0 if (j - i) % 3 == 1 else -1.0
    first = constant_turn(i, _half_plane_angle(-handed * target[j], target[third]))
    image = first.transpose @ target
    p, q = (j + 1) % 3, (j + 2) % 3
    start = 0.0 if k == p else math.pi / 2.0
    second = constant_turn(j, math.atan2(image[q], image[p]) - start)
    return tuple(turn for turn in (first, second) if not turn.is_identity())


def _half_plane_angle(y: Scalar, x: Scalar) -> float:
    """atan2(y, x) modulo half a turn, in (-pi/2, pi/2]; 0 where both vanish."""
    if math.hypot(x, y) < NOISE:  # the target is the axis itself: any angle does
        return 0.0
    return math.atan2(y, x) if x > 0.0 else math.atan2(-y, -x) if x < 0.0 else math.pi / 2.0
