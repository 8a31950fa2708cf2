"""Polyhedra whose vertices move in straight lines: times of vertex-face and edge-edge contacts. [Parent ch. 4]

Disjoint polyhedra first touch with a vertex and a face, or with two edges. The four points of such a pair lie in one
plane when their volume vanishes. This volume is a cubic in time [Provot 1997]:

    (p1 - p0)(t) . ((p2 - p0)(t) x (p3 - p0)(t)) = 0

The contact is at the first of its up to three roots at which the vertex is within the face, or the edges cross.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.collide.continuous.hit import NO_HIT, Hit, first_hit
from gambol.collide.continuous.mesh import nearest_on_triangle
from gambol.collide.continuous.roots import unit_roots
from gambol.collide.convex.direction import ratio, unit_or
from gambol.collide.gap import FAR, UP
from gambol.lanes import Scalar, clamp, where, working_precision
from gambol.spatial import Vector

TOUCH_TOLERANCE = {"float64": 1e-7, "float32": 1e-3}  # fraction of the lengths: double roots lose half of the digits


@dataclass(frozen=True, slots=True)
class MovingVertex:
    """A vertex: its position at time 0 and its motion until time 1 [m], in world axes."""

    start: Vector
    motion: Vector

    def at(self, time: Scalar) -> Vector:
        """Return its position at a time."""
        return self.start + self.motion * time

    def relative_to(self, other: "MovingVertex") -> "MovingVertex":
        """Return its motion relative to another vertex."""
        return MovingVertex(self.start - other.start, self.motion - other.motion)


MovingFace = tuple[MovingVertex, MovingVertex, MovingVertex]
MovingEdge = tuple[MovingVertex, MovingVertex]


def vertex_face(vertex: MovingVertex, face: MovingFace) -> Hit:
    """Return the hit of a vertex on a face, with the normal on the side of the face where the vertex started.

    A vertex that lies in the face at the start hits at time 0. A vertex that stays in the plane of the face hits only
    its edges.
    """

    def distance_at(time: Scalar) -> tuple[Scalar, Vector]:
        p, triangle = vertex.at(time), (face[0].at(time), face[1].at(time), face[2].at(time))
        normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0])
        return (p - nearest_on_triangle(p, triangle)[0]).length(), normal

    return _first_touch(
        _coplanar(vertex, face), distance_at, lambda n: (vertex.start - face[0].start).dot(n), _size(vertex, *face)
    )


def edge_edge(edge: MovingEdge, other: MovingEdge) -> Hit:
    """Return the hit of two edges; its normal is normal to both, from the other to the first at the start.

    Edges that stay in one plane hit each other with their ends, which this function does not find.
    """

    def distance_at(time: Scalar) -> tuple[Scalar, Vector]:
        (a, b), (c, d) = ((vertex.at(time) for vertex in ends) for ends in (edge, other))
        return _segment_distance(a, b - a, c, d - c), (b - a).cross(d - c)

    times = _coplanar(edge[1], (edge[0], *other))
    return _first_touch(times, distance_at, lambda n: (edge[0].start - other[0].start).dot(n), _size(*edge, *other))


def edge_face(edge: MovingEdge, face: MovingFace) -> Hit:
    """Return the hit of an edge on a face.

    The edge hits with one of its ends or on an edge of the face, or at time 0 if it pierces the face at the start.
    """
    a, b, c = face
    hits = [vertex_face(end, face) for end in edge]
    hits += [edge_edge(edge, side) for side in ((a, b), (b, c), (c, a))]
    pierced = pierces((edge[0].start, edge[1].start), (a.start, b.start, c.start))
    normal, _ = unit_or((b.start - a.start).cross(c.start - a.start), UP)
    return first_hit(Hit(where(pierced, 0.0, FAR), normal), *hits)


def pierces(edge: tuple[Vector, Vector], triangle: tuple[Vector, Vector, Vector]) -> Scalar:
    """Return True where an edge passes through a triangle. [Parent ch. 4]"""
    p, q = edge
    a, b, c = triangle
    n = (b - a).cross(c - a)
    d = q - p
    volumes = [d.dot((u - p).cross(v - p)) for u, v in ((a, b), (b, c), (c, a))]
    same_sign = ((volumes[0] >= 0.0) & (volumes[1] >= 0.0) & (volumes[2] >= 0.0)) | (
        (volumes[0] <= 0.0) & (volumes[1] <= 0.0) & (volumes[2] <= 0.0)
    )
    return ((p - a).dot(n) * (q - a).dot(n) < 0.0) & same_sign


def _coplanar(first: MovingVertex, others: MovingFace) -> list[Scalar]:
    """Return the times in [0, 1] at which four vertices lie in one plane; missing ones are FAR."""
    r, s, t = (vertex.relative_to(others[0]) for vertex in (first, others[1], others[2]))
    cross = (
        s.start.cross(t.start),
        s.start.cross(t.motion) + s.motion.cross(t.start),
        s.motion.cross(t.motion),
    )
    return unit_roots(
        [
            r.start.dot(cross[0]),
            r.start.dot(cross[1], r.motion.dot(cross[0])),
            r.start.dot(cross[2], r.motion.dot(cross[1])),
            r.motion.dot(cross[2]),
        ]
    )


def _first_touch(
    times: Sequence[Scalar],
    distance_at: Callable[[Scalar], tuple[Scalar, Vector]],
    side: Callable[[Vector], Scalar],
    size: Scalar,
) -> Hit:
    """Return the hit at the first time at which the distance vanishes.

    times: candidates. distance_at: distance [m] and normal at a time. side: not negative for a normal that points to
    where the first body started. size: scale of the tolerance [m].
    """
    hit = NO_HIT
    for time in times:
        exists = time <= 1.0
        distance, n = distance_at(where(exists, time, 0.0))
        n, _ = unit_or(n * where(side(n) >= 0.0, 1.0, -1.0), UP)
        touches = exists & (distance <= TOUCH_TOLERANCE[working_precision()] * size)
        hit = first_hit(hit, Hit(where(touches, time, FAR), n))
    return hit


def _segment_distance(a: Vector, u: Vector, c: Vector, w: Vector) -> Scalar:
    """Return the distance of the segments from a to a + u and from c to c + w [m]. [Ericson 2005, section 5.1.9]"""
    r = a - c
    uu, ww, uw, ur, wr = u.dot(u), w.dot(w), u.dot(w), u.dot(r), w.dot(r)
    s = clamp(ratio(uw * wr - ur * ww, uu * ww - uw * uw), 0.0, 1.0)
    t = clamp(ratio(uw * s + wr, ww), 0.0, 1.0)
    s = clamp(ratio(uw * t - ur, uu), 0.0, 1.0)
    return (r + u * s - w * t).length()


def _size(*vertices: MovingVertex) -> Scalar:
    """Return a scale of the distances and motions of vertices relative to the first one [m]."""
    total: Scalar = 0.0
    for vertex in vertices[1:]:
        relative = vertex.relative_to(vertices[0])
        total = total + relative.start.length() + relative.motion.length()
    return total
