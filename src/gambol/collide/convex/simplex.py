"""The feature of a simplex (corner, edge or triangle) that is nearest to the origin and contains the newest point.

Distances to a triangle are measured along its normal, and weights come from areas, so that slivers lose no more digits
than necessary. [Montanari et al. 2017]
"""

from dataclasses import dataclass
from itertools import combinations

from gambol.collide.convex.direction import MIN_LENGTH
from gambol.collide.gap import FAR, select
from gambol.lanes import Scalar, clamp, where, working_precision
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class Corner:
    """A point w = a - b of the difference of two bodies, and the point a of the first body [m]."""

    w: Vector
    a: Vector


MIN_THICKNESS = {"float64": 1e-12, "float32": 1e-5}
"""Thickness of a triangle divided by its distance from the origin below which its normal is rounding and edges are
used."""

Triple = tuple[Corner, Corner, Corner]
Weights = tuple[Scalar, Scalar, Scalar]


@dataclass(frozen=True, slots=True)
class Feature:
    """Up to three corners with weights that sum to 1 (0: unused), their weighted mean v, and v . v."""

    corners: Triple
    weights: Weights
    v: Vector
    squared: Scalar


def nearest_feature(new: Corner, old: Triple) -> tuple[Feature, Scalar]:
    """Return the feature of four corners that is nearest to the origin, and True if they contain the origin.

    new: the newest corner; old: the others. If v is the previous nearest point, the newest is the
    support point along -v, so the nearest feature contains it.
    """
    best = _edge(new, old[0])
    for other in old[1:]:
        best = _nearer(_edge(new, other), best)
    contains_origin: Scalar = True
    for (i, p), (j, q) in combinations(enumerate(old), 2):
        normal = (p.w - new.w).cross(q.w - new.w)
        best = _nearer(_triangle(new, p, q, normal), best)
        contains_origin = contains_origin & _same_side(normal, new.w, old[3 - i - j].w)
    p, q, r = (corner.w for corner in old)
    return best, contains_origin & _same_side((q - p).cross(r - p), p, new.w)


def _nearer(a: Feature, b: Feature) -> Feature:
    return select(a.squared < b.squared, a, b)


def _edge(new: Corner, old: Corner) -> Feature:
    e = old.w - new.w
    squared = e.dot(e)
    real = squared > MIN_LENGTH * MIN_LENGTH
    t = where(real, clamp(-new.w.dot(e) / where(real, squared, 1.0), 0.0, 1.0), 0.0)
    v = new.w + e * t
    return Feature((new, old, new), (1.0 - t, t, 0.0), v, v.dot(v))


def _triangle(new: Corner, p: Corner, q: Corner, n: Vector) -> Feature:
    """Return a triangle with normal n as a feature, at a very large distance if the origin does not project into it."""
    e, f = p.w - new.w, q.w - new.w
    nn = n.dot(n)
    min_thickness = MIN_THICKNESS[working_precision()]
    real = (
        nn
        > min_thickness * min_thickness * new.w.dot(new.w) * (e.dot(e) + f.dot(f))
        + MIN_LENGTH * MIN_LENGTH * MIN_LENGTH
    )
    inverse = 1.0 / where(real, nn, 1.0)
    s, t = f.cross(new.w).dot(n) * inverse, new.w.cross(e).dot(n) * inverse
    v = n * (n.dot(new.w) * inverse)
    projects_inside = real & (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    return Feature((new, p, q), (1.0 - s - t, s, t), v, where(projects_inside, v.dot(v), FAR * FAR))


def _same_side(n: Vector, p: Vector, other: Vector) -> Scalar:
    """Return True where the origin is strictly on the same side of a plane (point p, normal n) as another point."""
    return -p.dot(n) * (other - p).dot(n) > 0.0
