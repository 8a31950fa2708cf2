"""Polyhedra whose vertices move in straight lines: times of vertex-face and edge-edge contacts. [Parent ch. 4]

Disjoint polyhedra first touch in one of these two ways. A vertex and a face, or two edges, are coplanar when the volume
of their four points vanishes, a cubic in time [Provot 1997]:

    (p1 - p0)(t) . ((p2 - p0)(t) x (p3 - p0)(t)) = 0

Of its up to three roots, the first one counts at which the vertex is within the face, or the edges cross.
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

TOUCH = {"float64": 1e-7, "float32": 1e-3}  # of the lengths involved: double roots lose half of the digits


@dataclass(frozen=True, slots=True)
class MovingVertex:
    """A vertex: its start and its motion until time 1 [m], in world axes."""

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
    """Return when a vertex meets a face; the normal is the face's, on the side that the vertex came from.

    A vertex that lies in the face at the start hits at time 0. One that always stays in the plane of the face meets its
    edges only.
    """

    def distance_at(time: Scalar) -> tuple[Scalar, Vector]:
        p, triangle = vertex.at(time), (face[0].at(time), face[1].at(time), face[2].at(time))
        normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0])
        return (p - nearest_on_triangle(p, triangle)[0]).length(), normal

    return _first(
        _coplanar(vertex, face), distance_at, lambda n: (vertex.start - face[0].start).dot(n), _size(vertex, *face)
    )


def edge_edge(edge: MovingEdge, other: MovingEdge) -> Hit:
    """Return when two edges meet; the normal is normal to both, from the other to the first at the start.

    Edges that stay in one plane meet by their ends, which this does not find.
    """

    def distance_at(time: Scalar) -> tuple[Scalar, Vector]:
        (a, b), (c, d) = ((mover.at(time) for mover in ends) for ends in (edge, other))
        return _between_segments(a, b - a, c, d - c), (b - a).cross(d - c)

    times = _coplanar(edge[1], (edge[0], *other))
    return _first(times, distance_at, lambda n: (edge[0].start - other[0].start).dot(n), _size(*edge, *other))


def edge_face(edge: MovingEdge, face: MovingFace) -> Hit:
    """Return when an edge meets a face: by one of its ends, by crossing one of the face's edges, or at the start."""
    a, b, c = face
    hits = [vertex_face(end, face) for end in edge]
    hits += [edge_edge(edge, side) for side in ((a, b), (b, c), (c, a))]
    pierced = pierces((edge[0].start, edge[1].start), (a.start, b.start, c.start))
    normal, _ = unit_or((b.start - a.start).cross(c.start - a.start), UP)
    return first_hit(Hit(where(pierced, 0.0, FAR), normal), *hits)


def pierces(edge: tuple[Vector, Vector], triangle: tuple[Vector, Vector, Vector]) -> Scalar:
    """Return True where an edge runs through a triangle: from side to side, inside all its edges. [Parent ch. 4]"""
    p, q = edge
    a, b, c = triangle
    n = (b - a).cross(c - a)
    d = q - p
    turns = [d.dot((u - p).cross(v - p)) for u, v in ((a, b), (b, c), (c, a))]
    alike = ((turns[0] >= 0.0) & (turns[1] >= 0.0) & (turns[2] >= 0.0)) | (
        (turns[0] <= 0.0) & (turns[1] <= 0.0) & (turns[2] <= 0.0)
    )
    return ((p - a).dot(n) * (q - a).dot(n) < 0.0) & alike


def _coplanar(first: MovingVertex, others: MovingFace) -> list[Scalar]:
    """Return the times in [0, 1] at which four vertices lie in one plane, FAR for missing ones."""
    r, s, t = (mover.relative_to(others[0]) for mover in (first, others[1], others[2]))
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


def _first(
    times: Sequence[Scalar],
    distance_at: Callable[[Scalar], tuple[Scalar, Vector]],
    side: Callable[[Vector], Scalar],
    size: Scalar,
) -> Hit:
    """Return the first time at which the distance vanishes, with the normal turned to where the first came from."""
    found = NO_HIT
    for time in times:
        there = time <= 1.0
        distance, n = distance_at(where(there, time, 0.0))
        n, _ = unit_or(n * where(side(n) >= 0.0, 1.0, -1.0), UP)
        touches = there & (distance <= TOUCH[working_precision()] * size)
        found = first_hit(found, Hit(where(touches, time, FAR), n))
    return found


def _between_segments(a: Vector, u: Vector, c: Vector, w: Vector) -> Scalar:
    """Return the distance of two segments from a and c along u and w. [Ericson 2005, section 5.1.9]"""
    r = a - c
    uu, ww, uw, ur, wr = u.dot(u), w.dot(w), u.dot(w), u.dot(r), w.dot(r)
    s = clamp(ratio(uw * wr - ur * ww, uu * ww - uw * uw), 0.0, 1.0)
    t = clamp(ratio(uw * s + wr, ww), 0.0, 1.0)
    s = clamp(ratio(uw * t - ur, uu), 0.0, 1.0)
    return (r + u * s - w * t).length()


def _size(*vertices: MovingVertex) -> Scalar:
    """Return a measure of the lengths that vertices and their motions span [m]."""
    total: Scalar = 0.0
    for vertex in vertices[1:]:
        seen = vertex.relative_to(vertices[0])
        total = total + seen.start.length() + seen.motion.length()
    return total
