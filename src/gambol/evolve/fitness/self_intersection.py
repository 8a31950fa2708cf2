"""Self-intersection of a creature: the depth at which its limbs overlap.

Limbs have no contacts with each other in the simulation, so rollouts are checked for overlap. A segment of a limb
counts as a capsule from its joint to the ball at its lower end, with the ball's radius. Segments of the same limb, and
the trunk, do not count. The nearest points of two line segments p + s d and q + t e, with s and t in [0, 1], are from
[Ericson 2005, 5.1.9].
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, clamp, logical_not, maximum, minimum, sqrt, where
from gambol.spatial import Vector

NO_LIMB = 0.0
"""The limb number of a link that is not part of a limb."""

MIN_SQUARED_SINE = 1e-5
"""Squared sine of the angle between line segments below which they count as parallel: the resolution of float32."""

MIN_DIVISOR = 1e-30
"""The smallest divisor, for line segments of length 0 and balls of radius 0."""


@dataclass(frozen=True, slots=True)
class LimbCapsule:
    """The capsule of a limb's segment: the centres of its two ends [m], its radius [m], and the number of its limb."""

    top: Vector
    end: Vector
    radius: Scalar
    limb: Scalar


def limb_overlap(state: Kinematics, limb_of_link: Sequence[Scalar]) -> Scalar:
    """Return the largest overlap of two limbs, as a fraction of the thinner capsule's radius; 0 without overlap.

    state: poses of all links. limb_of_link: for each link the number of its limb, or NO_LIMB.
    """
    deepest: Scalar = 0.0
    for first, second in combinations(_limb_capsules(state, limb_of_link), 2):
        different_limbs = logical_not(first.limb == second.limb) & (first.limb > NO_LIMB) & (second.limb > NO_LIMB)
        thinner = minimum(first.radius, second.radius)
        gap = segment_distance((first.top, first.end), (second.top, second.end)) - first.radius - second.radius
        deepest = maximum(where(different_limbs & (thinner > 0.0), -gap / maximum(thinner, MIN_DIVISOR), 0.0), deepest)
    return deepest


def _limb_capsules(state: Kinematics, limb_of_link: Sequence[Scalar]) -> list[LimbCapsule]:
    """Return the capsules of all links with a ball, except the trunk, at the poses of a state."""
    capsules: list[LimbCapsule] = []
    for link, limb in zip(state.figure.links, limb_of_link, strict=True):
        pose = state.poses[link.index]
        for point in link.contact_points()[:1] if link is not state.figure.root else ():
            capsules.append(LimbCapsule(pose.position, pose @ Vector(*point.position), point.radius, limb))
    return capsules


def segment_distance(first: tuple[Vector, Vector], second: tuple[Vector, Vector]) -> Scalar:
    """Return the distance between two line segments [m]; first, second: the two ends of each."""
    (p, p_end), (q, q_end) = first, second
    d, e, r = p_end - p, q_end - q, p - q
    a, b, c, f, g = d.dot(d), d.dot(e), e.dot(e), d.dot(r), e.dot(r)
    cross = a * c - b * b
    s = where(cross > MIN_SQUARED_SINE * a * c, clamp((b * g - c * f) / maximum(cross, MIN_DIVISOR), 0.0, 1.0), 0.0)
    t = clamp((b * s + g) / maximum(c, MIN_DIVISOR), 0.0, 1.0)
    s = clamp((b * t - f) / maximum(a, MIN_DIVISOR), 0.0, 1.0)
    difference = r + d * s - e * t
    return sqrt(difference.dot(difference))
