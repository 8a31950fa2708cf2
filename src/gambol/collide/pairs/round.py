"""Spheres and capsules: closest points of points and segments, in closed form."""

from dataclasses import dataclass

from gambol.collide.convex.direction import unit_or
from gambol.collide.convex.geom import Geom
from gambol.collide.gap import UP, Gap, select
from gambol.lanes import Scalar, clamp, where
from gambol.spatial import Transform, Vector
from gambol.spatial.vector import tangent_basis

PARALLEL_TOLERANCE = 1e-12  # squared sine of an angle: below it two segments count as parallel

CONCENTRIC_TOLERANCE = 1e-7  # fraction of the sum of two radii: closer centres count as equal


def between_balls(p: Vector, r: Scalar, q: Vector, s: Scalar, fallback: Vector = UP) -> Gap:
    """Return the gap between balls with centres p, q and radii r, s; for concentric balls, fallback is the normal."""
    n, distance = unit_or(p - q, fallback)
    n = select(distance > CONCENTRIC_TOLERANCE * (r + s), n, fallback)
    return Gap(p - n * r, q + n * s, n, distance - (r + s))


@dataclass(frozen=True, slots=True)
class AxisPair:
    """The axes of two capsules; a sphere is a capsule without length.

    u, w: unit vectors along the axes. half_a, half_b: half of their lengths [m]. r: from the centre of the second to
    that of the first [m]. cosine: u . w; c, f: u . r and w . r [m]; cross: u x w.
    """

    u: Vector
    w: Vector
    half_a: Scalar
    half_b: Scalar
    r: Vector
    cosine: Scalar
    c: Scalar
    f: Scalar
    cross: Vector

    @staticmethod
    def of(a: Geom, A: Transform, b: Geom, B: Transform) -> "AxisPair":
        """Return the axes of two capsules in their poses."""
        u, w = A.rotation.columns[2], B.rotation.columns[2]
        r = A.position - B.position
        half_a, half_b = (0.5 * geom.sizes[1] if geom.kind == "capsule" else 0.0 for geom in (a, b))
        return AxisPair(u, w, half_a, half_b, r, u.dot(w), u.dot(r), w.dot(r), u.cross(w))

    @property
    def nearest(self) -> tuple[Scalar, Scalar]:
        """The places s, t on the axes, from their centres, at which they are nearest [m]."""
        sine2 = self.cross.dot(self.cross)
        not_parallel = sine2 > PARALLEL_TOLERANCE
        start = where(not_parallel, (self.cosine * self.f - self.c) / where(not_parallel, sine2, 1.0), self.half_a)
        t = clamp(self.cosine * clamp(start, -self.half_a, self.half_a) + self.f, -self.half_b, self.half_b)
        return clamp(self.cosine * t - self.c, -self.half_a, self.half_a), t


def smallest_gap(a: Geom, A: Transform, b: Geom, B: Transform) -> Scalar:
    """Return the size of the smallest gap of two spheres or capsules [m]."""
    axes = AxisPair.of(a, A, b, B)
    s, t = axes.nearest
    return (axes.r + axes.u * s - axes.w * t).length() - (a.sizes[0] + b.sizes[0])


def sphere_sphere(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gap of two spheres along the line of centres; concentric spheres separate upwards."""
    return [between_balls(A.position, a.sizes[0], B.position, b.sizes[0])]


def sphere_capsule(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gap of a sphere and the nearest ball of a capsule.

    A sphere with its centre on the axis separates normal to the axis.
    """
    radius, length = b.sizes
    u = B.rotation.columns[2]
    t = clamp((A.position - B.position).dot(u), -0.5 * length, 0.5 * length)
    return [between_balls(A.position, a.sizes[0], B.position + u * t, radius, B.rotation.columns[0])]


def capsule_capsule(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the two gaps of two capsules: at their nearest points and, if they lie side by side, at the far end.

    With unit axes u, w and r from the centre of b to the centre of a, the nearest points of the axes are at the s, t
    within the lengths that minimise |r + s u - t w|. [Ericson 2005, section 5.1.9; Lumelsky 1985]
    """
    axes = AxisPair.of(a, A, b, B)
    u, w, half_a, half_b, (s, t) = axes.u, axes.w, axes.half_a, axes.half_b, axes.nearest
    cosine, c, f, cross = axes.cosine, axes.c, axes.f, axes.cross

    def gap_at(s: Scalar, t: Scalar) -> Gap:
        normal = unit_or(cross, tangent_basis(u)[0])[0]  # where the axes meet
        return between_balls(A.position + u * s, a.sizes[0], B.position + w * t, b.sizes[0], normal)

    ends = [clamp(cosine * end - c, -half_a, half_a) for end in (-half_b, half_b)]
    second_s = where(abs(ends[0] - s) > abs(ends[1] - s), ends[0], ends[1])
    second_t = clamp(cosine * second_s + f, -half_b, half_b)
    return [gap_at(s, t), gap_at(second_s, second_t).masked(abs(second_s - s) > 1e-6 * half_a)]
