"""A capsule and a box: the point of the capsule's axis that is nearest to the box, found exactly.

On the axis c + s u the squared distance to the box has the slope 2 g(s), g = sum u_i (x_i - clamp(x_i, -h_i, h_i)). g
is non-decreasing, and linear between the at most six points where the axis crosses the plane of a face. The sign of g
at each of these points narrows the bracket of its root; in the last bracket g is linear.

Where the axis passes through the box, the shortest way out is along one of six directions: the normal of a face, or the
common normal of the axis and an edge. [Gottschalk 1996, for a box with two edges of zero length]
"""

from gambol.collide.convex.direction import ratio
from gambol.collide.convex.geom import Geom
from gambol.collide.gap import FAR, Gap, select
from gambol.collide.pairs.point import ball_on_solid
from gambol.lanes import Scalar, clamp, logical_not, maximum, minimum, sqrt, subprogram, when, where
from gambol.spatial import Transform, Vector
from gambol.spatial.vector import ZERO

PARALLEL_TOLERANCE = 1e-9
"""An axis is parallel to a face if the sine of their angle is below this, to an edge if the squared sine is."""


def capsule_box(a: Geom, A: Transform, b: Geom, B: Transform) -> list[Gap]:
    """Return the gaps of a capsule a and a box b: at their nearest points, and at a second point of the axis.

    a, A: the capsule and its pose. b, B: the box and its pose. The second point is the furthest point of the axis from
    the first that lies over the same face. Its gap is unused where the axis passes through the box.
    """
    radius, length = a.sizes
    half = 0.5 * length
    h = Vector.of([0.5 * size for size in b.sizes])
    to_box = B.rotation.transpose
    c, u = to_box @ (A.position - B.position), to_box @ A.rotation.columns[2]
    crossings = [_crossings(x, d, e) for x, d, e in zip(c, u, h, strict=True)]
    s = _nearest_parameter(c, u, h, crossings, half)

    def gap_at(s: Scalar) -> Gap:
        return ball_on_solid(A.position + A.rotation.columns[2] * s, radius, b, B)

    first, passes = gap_at(s), _passes_through(c, u, h, crossings, half)
    far_end = _other_end(s, to_box @ first.normal, crossings, half)
    second = gap_at(far_end).masked((abs(far_end - s) > 1e-6 * half) & logical_not(passes))
    return [when(passes, _shortest_exit, (c, u * half, h), radius, B, otherwise=first), second]


def _passes_through(c: Vector, u: Vector, h: Vector, crossings: list[tuple[Scalar, Scalar]], half: Scalar) -> Scalar:
    """Return True where the axis passes through the box."""
    low, high, parallel_inside = -half, half, True
    for x, d, e, (enters, leaves) in zip(c, u, h, crossings, strict=True):
        low, high = maximum(low, enters), minimum(high, leaves)
        parallel_inside = parallel_inside & ((abs(d) > PARALLEL_TOLERANCE) | (abs(x) < e))
    return parallel_inside & (low < high)


def _crossings(x: Scalar, d: Scalar, e: Scalar) -> tuple[Scalar, Scalar]:
    """Return the s at which a line x + s d enters and leaves the slab from -e to e; -FAR and FAR if it is parallel."""
    crosses = abs(d) > PARALLEL_TOLERANCE
    inverse = 1.0 / where(crosses, d, 1.0)
    first, second = where(crosses, (-e - x) * inverse, -FAR), where(crosses, (e - x) * inverse, FAR)
    return minimum(first, second), maximum(first, second)


def _nearest_parameter(c: Vector, u: Vector, h: Vector, crossings: list[tuple[Scalar, Scalar]], half: Scalar) -> Scalar:
    """Return the root of g, or the lower end of a range of roots."""

    def g(s: Scalar) -> Scalar:
        total: Scalar = 0.0
        for x, d, e in zip(c, u, h, strict=True):
            position = x + s * d
            total = total + d * (position - clamp(position, -e, e))
        return total

    low, high = -half, half
    for crossing in (s for pair in crossings for s in pair):
        s = clamp(crossing, low, high)
        root_above = g(s) < 0.0
        low, high = where(root_above, s, low), where(root_above, high, s)
    at_low, at_high = g(low), g(high)
    return clamp(low - ratio(at_low * (high - low), at_high - at_low), low, high)


def _other_end(s: Scalar, n: Vector, crossings: list[tuple[Scalar, Scalar]], half: Scalar) -> Scalar:
    """Return the end, further from s, of the part of the axis over the face with the normal nearest to n."""
    low, high = -half, half
    for k, (enters, leaves) in enumerate(crossings):
        i, j = (k + 1) % 3, (k + 2) % 3
        facing = (abs(n[k]) >= abs(n[i])) & (abs(n[k]) >= abs(n[j]))
        low, high = where(facing, low, maximum(low, enters)), where(facing, high, minimum(high, leaves))
    low, high = clamp(low, -half, half), clamp(high, -half, half)
    end = where(abs(low - s) > abs(high - s), low, high)
    return where(low < high, end, s)


@subprogram
def _shortest_exit(segment: tuple[Vector, Vector, Vector], radius: Scalar, B: Transform) -> Gap:
    """Return the gap of a capsule whose axis passes through the box, along the direction of least depth.

    segment: centre of the axis, half of its vector, and half the edges of the box, in the box's axes [m]. radius:
    radius of the capsule [m]. B: the box's pose.
    """
    c, e, h = segment
    candidates = [_across_face(c, e, h, k) for k in range(3)] + [_across_edge(c, e, h, k) for k in range(3)]
    best = candidates[0]
    for candidate in candidates[1:]:
        best = select(candidate[0] > best[0], candidate, best)
    distance, n, point = best
    n_W, p_W = B.rotation @ n, B @ point
    return Gap(p_W - n_W * radius, p_W - n_W * distance, n_W, distance - radius)


def _across_face(c: Vector, e: Vector, h: Vector, k: int) -> tuple[Scalar, Vector, Vector]:
    """Return the deepest point's signed distance from the nearer face normal to axis k, the normal, and the point."""
    n = Vector.axis(k, where(c[k] >= 0.0, 1.0, -1.0))
    return abs(c[k]) - h[k] - abs(e[k]), n, c + e * where(e.dot(n) > 0.0, -1.0, 1.0)


def _across_edge(c: Vector, e: Vector, h: Vector, k: int) -> tuple[Scalar, Vector, Vector]:
    """Return the signed distance along the common normal of the segment and axis k, that normal, and the point."""
    i, j = (k + 1) % 3, (k + 2) % 3
    squared = e[i] * e[i] + e[j] * e[j]
    skew = squared > PARALLEL_TOLERANCE * e.dot(e)
    inverse = 1.0 / sqrt(where(skew, squared, 1.0))
    n = ZERO.with_component(i, e[j] * inverse).with_component(j, -e[i] * inverse)
    n = n * where(n.dot(c) >= 0.0, 1.0, -1.0)
    distance = n.dot(c) - h[i] * abs(n[i]) - h[j] * abs(n[j])
    corner_i, corner_j = where(n[i] >= 0.0, h[i], -h[i]), where(n[j] >= 0.0, h[j], -h[j])
    along = ((corner_i - c[i]) * e[i] + (corner_j - c[j]) * e[j]) * inverse * inverse
    return where(skew, distance, -FAR), n, c + e * clamp(along, -1.0, 1.0)
