"""Self-intersection of a creature: how deep its limbs lie in each other.

Worlds let limbs pass through each other, so rollouts are checked for it. A segment is a capsule from its joint to the
ball at its lower end, as thick as the ball. Segments of one limb, and the trunk, do not count. The nearest points of
two segments p + s d and q + t e, s and t in [0, 1]: [Ericson 2005, 5.1.9]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, clamp, logical_not, maximum, minimum, sqrt, where
from gambol.spatial import Vector

NONE = 0.0
"""The limb number of a link that is no segment of a limb."""

PARALLEL = 1e-5
"""Squared sine of the angle between segments below which any nearest points will do: float32 resolves no more."""

TINY = 1e-30
"""The smallest divisor, for segments and balls of no size."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A capsule: the centres of its two ends [m], its radius [m], and the number of its limb."""

    top: Vector
    end: Vector
    radius: Scalar
    limb: Scalar


def limb_overlap(state: Kinematics, limb_of_link: Sequence[Scalar]) -> Scalar:
    """Return the depth of the deepest overlap of limbs, relative to the thinner segment's radius; 0 without overlap.

    state: poses of all links. limb_of_link: for each link the number of its limb, or NONE.
    """
    deepest: Scalar = 0.0
    for first, second in combinations(_segments(state, limb_of_link), 2):
        apart = logical_not(first.limb == second.limb) & (first.limb > NONE) & (second.limb > NONE)
        thinner = minimum(first.radius, second.radius)
        gap = distance((first.top, first.end), (second.top, second.end)) - first.radius - second.radius
        deepest = maximum(where(apart & (thinner > 0.0), -gap / maximum(thinner, TINY), 0.0), deepest)
    return deepest


def _segments(state: Kinematics, limb_of_link: Sequence[Scalar]) -> list[Segment]:
    """Return the segments of a figure's limbs at their poses."""
    segments: list[Segment] = []
    for link, limb in zip(state.figure.links, limb_of_link, strict=True):
        pose = state.poses[link.index]
        for point in link.contact_points()[:1] if link is not state.figure.root else ():
            segments.append(Segment(pose.position, pose @ Vector(*point.position), point.radius, limb))
    return segments


def distance(first: tuple[Vector, Vector], second: tuple[Vector, Vector]) -> Scalar:
    """Return the distance between two line segments, each given by its two ends [m]."""
    (p, p_end), (q, q_end) = first, second
    d, e, r = p_end - p, q_end - q, p - q
    a, b, c, f, g = d.dot(d), d.dot(e), e.dot(e), d.dot(r), e.dot(r)
    cross = a * c - b * b
    s = where(cross > PARALLEL * a * c, clamp((b * g - c * f) / maximum(cross, TINY), 0.0, 1.0), 0.0)
    t = clamp((b * s + g) / maximum(c, TINY), 0.0, 1.0)
    s = clamp((b * t - f) / maximum(a, TINY), 0.0, 1.0)
    apart = r + d * s - e * t
    return sqrt(apart.dot(apart))
