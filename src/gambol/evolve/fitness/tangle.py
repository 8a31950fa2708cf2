"""Limbs that pass through each other: worlds let them, so lives are looked at for it.

A segment is a capsule from its joint to the ball at its lower end, as thick as the ball. Segments of one chain, and the
trunk, do not count. The nearest points of two segments p + s d and q + t e, s and t in [0, 1]: [Ericson 2005, 5.1.9]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gambol.dynamics import Kinematics
from gambol.lanes import Scalar, clamp, maximum, minimum, negated, sqrt, where
from gambol.spatial import Vector

NONE = 0.0
"""The chain of what is no segment of a limb."""

PARALLEL = 1e-5
"""Squared sine of the angle between segments below which any nearest points will do: float32 knows no better."""

TINY = 1e-30
"""What is divided by at least, for segments and balls that have no size."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A capsule: the middles of its two ends [m], its radius [m], and the number of the chain that it is of."""

    top: Vector
    end: Vector
    radius: Scalar
    chain: Scalar


def tangled(state: Kinematics, chains: Sequence[Scalar]) -> Scalar:
    """How deep limbs lie in each other, of the radius of the thinner segment; 0 where none does.

    chains: for each link NONE, or the number of its chain.
    """
    deepest: Scalar = 0.0
    for one, other in combinations(_segments(state, chains), 2):
        apart = negated(one.chain == other.chain) & (one.chain > NONE) & (other.chain > NONE)
        thin = minimum(one.radius, other.radius)
        gap = distance((one.top, one.end), (other.top, other.end)) - one.radius - other.radius
        deepest = maximum(where(apart & (thin > 0.0), -gap / maximum(thin, TINY), 0.0), deepest)
    return deepest


def _segments(state: Kinematics, chains: Sequence[Scalar]) -> list[Segment]:
    """The segments of a figure's limbs, where they are."""
    found: list[Segment] = []
    for link, chain in zip(state.figure.links, chains, strict=True):
        pose = state.poses[link.index]
        for point in link.contact_points()[:1] if link is not state.figure.root else ():
            found.append(Segment(pose.position, pose @ Vector(*point.position), point.radius, chain))
    return found


def distance(one: tuple[Vector, Vector], other: tuple[Vector, Vector]) -> Scalar:
    """How far two line segments are apart, by their ends [m]."""
    (p, p_end), (q, q_end) = one, other
    d, e, r = p_end - p, q_end - q, p - q
    a, b, c, f, g = d.dot(d), d.dot(e), e.dot(e), d.dot(r), e.dot(r)
    cross = a * c - b * b
    s = where(cross > PARALLEL * a * c, clamp((b * g - c * f) / maximum(cross, TINY), 0.0, 1.0), 0.0)
    t = clamp((b * s + g) / maximum(c, TINY), 0.0, 1.0)
    s = clamp((b * t - f) / maximum(a, TINY), 0.0, 1.0)
    apart = r + d * s - e * t
    return sqrt(apart.dot(apart))
