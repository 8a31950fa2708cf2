"""Limits of joints: a projection onto them, and the directions in which they block a motion.

A coordinate has a range; an orientation has a largest angle from rest. A step is projected onto the limits. Before the
step, the directions that limits block are given a stiffness far above all others: an active set. [Bertsekas 1982]
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import JOINTS, Figure, JointSpring, PlacedLink, Springs, resolve_springs
from gambol.figure.springs import spring_slices
from gambol.lanes import Scalar, clamp, cos, maximum, sin, sqrt, where
from gambol.spatial.dense import dot
from gambol.spatial.rotation import Quaternion

LimitsLike: TypeAlias = Mapping[str, Springs | tuple[float, float]]
"""Limits by link name: (lower, upper) of a joint with one coordinate, or the joint's springs."""

LIMIT_TOLERANCE = 1e-9
"""Distance from a limit [rad or m] within which a joint counts as being at the limit."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limited coordinate, or a limited orientation.

    link: link of the joint. coordinates: slice of the joint's coordinates.
    """

    link: PlacedLink
    coordinates: slice

    @property
    def is_orientation(self) -> bool:
        """True for an orientation, of four coordinates."""
        return self.coordinates.stop - self.coordinates.start > 1

    @property
    def q(self) -> int:
        """Index of its first coordinate among the figure's."""
        return self.link.q.start + self.coordinates.start


def limits_of(figure: Figure, given: LimitsLike) -> tuple[NDArray[np.float64], tuple[Limit, ...]]:
    """Return bounds (2, limits), lower and upper, and the limits; raise GambolError for invalid limits."""
    springs = {name: _as_springs(figure, name, value) for name, value in given.items()}
    limits, bounds = list[Limit](), list[tuple[float, float]]()
    resolved = resolve_springs(figure, springs)
    for link in figure.links:
        for spring, indices in zip(resolved.get(link.name, ()), spring_slices(link.joint.kind), strict=False):
            limit = Limit(link, indices)
            lower = -math.inf if limit.is_orientation else spring.lower
            if math.isfinite(lower) or math.isfinite(spring.upper):
                limits.append(limit)
                bounds.append((lower, spring.upper))
    return np.array(bounds).reshape(-1, 2).T, tuple(limits)


def _as_springs(figure: Figure, name: str, value: Springs | tuple[float, float]) -> Springs:
    """Return limits of a joint as springs."""
    kind = JOINTS[figure.link(name).joint.kind]
    if isinstance(value, JointSpring) or (value and isinstance(value[0], JointSpring)):
        return value  # pyright: ignore[reportReturnType]  # a tuple of springs, by its first entry
    if len(value) != 2 or kind.nq != 1:
        raise GambolError(
            f'the limits of "{name}" are {value}; give (lower, upper) for a joint with one coordinate, or its springs'
        )
    lower, upper = (float(x) for x in value if not isinstance(x, JointSpring))
    return JointSpring(lower=lower, upper=upper)


def limited(limits: Sequence[Limit], bounds: Sequence[Sequence[Scalar]], q: Sequence[Scalar]) -> list[Scalar]:
    """Return coordinates (nq) projected onto limits; bounds: lower and upper bound of each limit."""
    result = list(q)
    for limit, lower, upper in zip(limits, *bounds, strict=True):
        k = limit.q
        if limit.is_orientation:
            result[k : k + 4] = _within_angle(result[k : k + 4], upper)
        else:
            result[k] = clamp(result[k], lower, upper)
    return result


def _within_angle(q: Sequence[Scalar], largest: Scalar) -> list[Scalar]:
    """Return a unit quaternion, turned back along its rotation vector to at most an angle [rad]."""
    x = Quaternion(*q).logarithm()
    angle = x.length()
    half = 0.5 * largest
    n = x * (sin(half) / maximum(angle, LIMIT_TOLERANCE))
    return [where(angle > largest, new, old) for new, old in zip([cos(half), *n], q, strict=True)]


def blocked_directions(
    limits: Sequence[Limit], bounds: Sequence[Sequence[Scalar]], q: Sequence[Scalar], descent: Sequence[Scalar]
) -> list[dict[int, Scalar]]:
    """Return the direction that each limit blocks, by degree of freedom; 0 elsewhere.

    q (nq): coordinates within the limits. descent (nv): approximate direction of the next step.
    """
    return [
        _blocked_direction(limit, lower, upper, q, descent) for limit, lower, upper in zip(limits, *bounds, strict=True)
    ]


def _blocked_direction(
    limit: Limit, lower: Scalar, upper: Scalar, q: Sequence[Scalar], descent: Sequence[Scalar]
) -> dict[int, Scalar]:
    link, k = limit.link, limit.q
    if limit.is_orientation:
        x = Quaternion(*q[k : k + 4]).logarithm()
        n = x * (1.0 / maximum(sqrt(x.dot(x)), LIMIT_TOLERANCE))
        direction, value = dict(zip(range(link.v.start, link.v.start + 3), n, strict=True)), x.length()
    else:
        direction, value = _rate_row(link, q[link.q], limit.coordinates.start), q[k]
    rate = dot(list(direction.values()), [descent[i] for i in direction])
    blocked = ((rate > 0.0) & (value >= upper - LIMIT_TOLERANCE)) | ((rate < 0.0) & (value <= lower + LIMIT_TOLERANCE))
    return {i: where(blocked, x, 0.0) for i, x in direction.items()}


def _rate_row(link: PlacedLink, q: Sequence[Scalar], coordinate: int) -> dict[int, Scalar]:
    """Return the derivatives of a coordinate's rate by the joint's velocities, by degree of freedom."""
    kind = JOINTS[link.joint.kind]
    if kind.nq == 1:
        return {link.v.start: 1.0}
    units = [[1.0 if i == k else 0.0 for i in range(kind.nv)] for k in range(kind.nv)]
    return {link.v.start + k: kind.q_dot(q, unit)[coordinate] for k, unit in enumerate(units)}


def violation(limits: Sequence[Limit], bounds: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distances of coordinates (n, nq) beyond their limits: (limits, n) [rad or m], negative within them."""
    beyond = list[NDArray[np.float64]]()
    for limit, lower, upper in zip(limits, *bounds, strict=True):
        k = limit.q
        if limit.is_orientation:
            beyond.append(2.0 * np.arctan2(np.linalg.norm(q[:, k + 1 : k + 4], axis=1), abs(q[:, k])) - upper)
        else:
            beyond.append(np.maximum(q[:, k] - upper, lower - q[:, k]))
    return np.array(beyond).reshape(len(limits), len(q))
