"""Factorisation of constant rotations into a few rotations about coordinate axes.

A rotation about a coordinate axis transforms an inertia at a third of the cost of a general rotation, and a quarter
turn needs no operations. So a constant rotation is split into the cheapest Euler angles, over all orders of axes, and
the axis of a joint is first rotated to a coordinate axis.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product as cartesian_product

from gambol.lanes import Scalar, cos, shared, sin
from gambol.spatial.rotation import IDENTITY, Rotation, constant_rotation, is_constant, product, snapped
from gambol.spatial.vector import Vector

Rotations = tuple[Rotation, ...]

ROUNDING_TOLERANCE = 1e-14
"""Largest rounding of a component that should be 0. Typed angles have larger errors (1.57079632679: 5e-12)."""

ORDERS = [(i, j, k) for i, j, k in cartesian_product(range(3), repeat=3) if i != j != k]


@dataclass(frozen=True, slots=True)
class Alignment:
    """A constant rotation and a rotation by q about any axis, written with a rotation about a coordinate axis.

    R Rot(axis, q) = product(outer) offset Rot(coordinate axis, sign q) product(inner), where offset is a constant
    rotation about that same coordinate axis.
    """

    outer: Rotations
    axis: int
    sign: float
    inner: Rotations
    offset: Rotation = IDENTITY

    def rotation(self, q: Scalar) -> Rotation:
        """Return the product of the offset and the rotation by q [rad]: a rotation by the sum of their angles."""
        i, j = (self.axis + 1) % 3, (self.axis + 2) % 3
        s, c = _sine_and_cosine(q)
        s = self.sign * s
        s0, c0 = self.offset.rows[j][i], self.offset.rows[i][i]
        return Rotation.about_coordinate(self.axis, s * c0 + c * s0, c * c0 - s * s0)

    @property
    def constant(self) -> Rotations:
        """All rotations on the left side of the rotation by q."""
        return self.outer if self.offset.is_identity() else (*self.outer, self.offset)


@shared
def _sine_and_cosine(q: Scalar) -> tuple[Scalar, Scalar]:
    """Return the sine and the cosine of an angle [rad]."""
    return sin(q), cos(q)


def factors(rotation: Rotation) -> Rotations:
    """Return the factors of a rotation with the cheapest Euler angles, as rotations about coordinate axes.

    A rotation with entries that are not plain numbers is returned unchanged, as the only factor.
    """
    if not rotation.is_constant():
        return (rotation,)
    return min(_all_factors(_snapped(rotation)), key=_cost)


def _snapped(rotation: Rotation) -> Rotation:
    return Rotation.of([[snapped(x) for x in row] for row in rotation.rows])


@lru_cache(maxsize=1024)
def _all_factors(rotation: Rotation) -> tuple[Rotations, ...]:
    """Return the Euler angles of a constant rotation for every order of axes, as rotations about coordinate axes."""
    if rotation.is_identity():
        return ((),)
    if rotation.coordinate_axis() is not None:
        return ((rotation,),)
    return tuple(_euler(rotation, order) for order in ORDERS)


def align(rotation: Rotation, axis: Sequence[Scalar]) -> Alignment:
    """Return the cheapest alignment of a joint.

    rotation: rotation of the joint; axis: a unit vector in link coordinates. An axis that is not a constant becomes the
    z axis of an additional frame, as in z_alignment().
    """
    if not all(isinstance(x, (int, float)) for x in axis):
        return z_alignment(rotation, axis)
    unit = (snapped(axis[0]), snapped(axis[1]), snapped(axis[2]))
    if rotation.is_constant():
        return _constant_alignment(rotation, unit)
    k, sign, rotations = _alignments(unit)[0]
    return Alignment((rotation, *rotations), k, sign, _inverse(rotations))


def z_alignment(rotation: Rotation, axis: Sequence[Scalar]) -> Alignment:
    """Return an alignment of a joint by a frame with z along the joint axis: fast to find, but not the cheapest.

    rotation, axis: as for align().
    """
    frame = Rotation.with_z_axis(Vector.of(axis))
    return Alignment((rotation @ frame,), 2, 1.0, (frame.transpose,))


def align_coordinate_axis(axis: Sequence[float]) -> tuple[int, Rotation]:
    """Return the index of a coordinate axis, and a cheap rotation that moves it or its opposite to a unit vector."""
    k, _, rotations = _alignments((snapped(axis[0]), snapped(axis[1]), snapped(axis[2])))[0]
    return k, product(rotations)


@lru_cache(maxsize=1024)
def _constant_alignment(rotation: Rotation, axis: tuple[float, float, float]) -> Alignment:
    options = [
        _with_offset(option, k, sign, _inverse(rotations))
        for k, sign, rotations in _alignments(axis)
        for option in _all_factors(_snapped(rotation @ product(rotations)))
    ]
    return min(options, key=lambda option: _cost(option.outer + option.inner))


def _with_offset(rotations: Rotations, k: int, sign: float, inner: Rotations) -> Alignment:
    """Return an alignment; the last of its constant rotations becomes the offset if it is about coordinate axis k.

    rotations: outer ones; k, sign: the coordinate axis and its sign; inner: inner rotations.
    """
    if rotations and rotations[-1].coordinate_axis() == k:
        return Alignment(rotations[:-1], k, sign, inner, rotations[-1])
    return Alignment(rotations, k, sign, inner)


@lru_cache(maxsize=1024)
def _alignments(axis: tuple[float, float, float]) -> tuple[tuple[int, float, Rotations], ...]:
    """Return the cheapest rotations that move a coordinate axis or its opposite to an axis: (index, sign, factors)."""
    options = [
        (k, sign, _first_two(Vector(*axis) * sign, (i, j, k))) for i, j, k in ORDERS if i != k for sign in (1.0, -1.0)
    ]
    least = min(_cost(rotations) for _, _, rotations in options)
    return tuple(dict.fromkeys(option for option in options if _cost(option[2]) == least))


def _inverse(rotations: Rotations) -> Rotations:
    return tuple(rotation.transpose for rotation in reversed(rotations))


def _cost(rotations: Rotations) -> int:
    """Return the approximate cost of rotating an inertia.

    Rotations by right angles only permute entries and change signs.
    """
    return sum(1 if any(is_constant(abs(rotation.rows[i][i]), 0.0) for i in range(3)) else 10 for rotation in rotations)


def _euler(rotation: Rotation, order: tuple[int, int, int]) -> Rotations:
    """Return the Euler angles of a rotation for an order of axes, from the left, as rotations about these axes."""
    k = order[2]
    rotations = _first_two(rotation.columns[k], order)
    rest = product(rotations).transpose @ rotation
    column = rest.columns[(k + 1) % 3]
    last = constant_rotation(k, math.atan2(column[(k + 2) % 3], column[(k + 1) % 3]))
    return rotations if last.is_identity() else (*rotations, last)


def _first_two(target: Vector, order: tuple[int, int, int]) -> Rotations:
    """Return rotations about axes i and then j (in the rotated frame) that move coordinate axis k to the target."""
    i, j, k = order
    third = 3 - i - j
    handedness = 1.0 if (j - i) % 3 == 1 else -1.0
    first = constant_rotation(i, _half_plane_angle(-handedness * target[j], target[third]))
    image = first.transpose @ target
    p, q = (j + 1) % 3, (j + 2) % 3
    start = 0.0 if k == p else math.pi / 2.0
    second = constant_rotation(j, math.atan2(image[q], image[p]) - start)
    return tuple(rotation for rotation in (first, second) if not rotation.is_identity())


def _half_plane_angle(y: Scalar, x: Scalar) -> float:
    """Return atan2(y, x) modulo pi, in (-pi/2, pi/2]; 0 where both are 0."""
    if math.hypot(x, y) < ROUNDING_TOLERANCE:  # the target is the axis itself: all angles are valid
        return 0.0
    return math.atan2(y, x) if x > 0.0 else math.atan2(-y, -x) if x < 0.0 else math.pi / 2.0
