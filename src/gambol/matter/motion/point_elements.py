"""Elements of four points for steps by points: hinges, and pairs of surfaces, or of balls and triangles, that touch.

A lane is an element. It reads its points from the table of all states, and gives the forces on them. These are added
to the points in a fixed order: of all first points, then of all second ones, each in the order of the elements. So the
bits depend neither on lanes nor on candidates that do not touch. Pairs that may touch are found once in a control step:
their boxes, around their places now and those expected at its end, overlap.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.lanes import Program, ProgramSpec, Scalar, maximum
from gambol.matter.elements.ball_triangle import nearest_weights
from gambol.matter.elements.contact import FrictionHold, Touch, contact_force
from gambol.matter.elements.hinge import Hinge, hinge_forces
from gambol.matter.elements.surface_pair import point_and_triangle, two_edges
from gambol.matter.forces.field import ForceField
from gambol.matter.forces.layout import Array, Indices, padded_count, padded_rows, vector_at
from gambol.matter.mesh.topology import edges_of, pieces_of
from gambol.matter.motion.balls import Ball
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO

SPIN = 11.0
"""First row of a ball's angular velocity in the state of a point."""

EXTRA_ROWS = 10
"""Rows that elements give to a point: force [N], torque [N m], energy [J], and losses of dampers, friction and contacts
[W]. Energy and losses of an element are those of its first point."""

CORNERS = 4

HINGES, BALLS = "hinges", "ball and triangle"
SURFACES = {"point and triangle": point_and_triangle, "two edges": two_edges}

TRIANGLES_AT_POINT = 6
"""Number of triangles at a point that a ball may touch at one time: it limits the length of a step, and the friction of
each, so that all together do not reverse the motion."""

MARGIN = 2.0
"""Distance of two boxes up to which their parts may touch, in least distances of the parts: places at the end of a
control step may differ from the expected ones."""

NO_TOUCH = Touch(0.0, 0.0, 0.0, 0.0)

MIN_DISTANCE = 1e-12  # m: a ball's centre on a triangle has no direction to it

Result = tuple[list[Vector], Vector, tuple[Scalar, Scalar, Scalar, Scalar]]


def _hinge(x: list[Vector], v: list[Vector], numbers: Hinge) -> Result:
    found = hinge_forces(numbers, x, v)
    return found.forces, ZERO, (found.energy, found.damping, 0.0, 0.0)


def _touching(law: Touch, gap: Scalar, n: Vector, u: Vector, bound: Scalar) -> tuple[Vector, Any]:
    """Return the force on the first place, and energy and losses; bound: see FrictionHold."""
    found = contact_force(law, gap, n, u, (gap, u), 0.0, FrictionHold(bound, 0.0))
    return found.force, (found.energy, 0.0, found.friction, found.damping)


def _bound(weights: list[Scalar], inverse_bounds: list[Scalar]) -> Scalar:
    """Return the bound of friction at a place by those of its points. [as in contact_forces.py]"""
    total = inverse_bounds[0] * (weights[0] * weights[0])
    for w, b in zip(weights[1:], inverse_bounds[1:], strict=True):
        total = total + b * (w * w)
    return 1.0 / maximum(total, 1e-300)


def _ball(x: list[Vector], v: list[Vector], spin: Vector, inverse_bounds: list[Scalar], law: Touch) -> Result:
    """A ball and a triangle; its force on the triangle acts at the point that is nearest to the ball's centre."""
    a, b, c = nearest_weights(x[0], (x[1], x[2], x[3]))
    arm = x[1] * a + x[2] * b + x[3] * c - x[0]
    distance = maximum(arm.length(), MIN_DISTANCE)
    u = v[0] + spin.cross(arm) - (v[1] * a + v[2] * b + v[3] * c)
    bound = _bound([1.0, a, b, c], inverse_bounds) * (1.0 / TRIANGLES_AT_POINT)
    force, measures = _touching(law, distance - law.thickness, arm * (-1.0 / distance), u, bound)
    return [force, force * -a, force * -b, force * -c], arm.cross(force), measures


def _surface(kind: str, x: list[Vector], v: list[Vector], start: list[Vector], bounds: list[Scalar], law: Touch) -> Any:
    """Two places of surfaces. start: their points at the start of the control step, which show the sides."""
    place = SURFACES[kind](law.thickness, tuple(x), tuple(x), tuple(start))
    u = v[0] * place.weights[0]
    for weight, each in zip(place.weights[1:], v[1:], strict=True):
        u = u + each * weight
    force, measures = _touching(law, place.gap, place.normal, u, _bound(list(place.weights), bounds))
    return [force * weight for weight in place.weights], ZERO, measures


@lru_cache
def element_spec(kind: str) -> ProgramSpec:
    """Return the program of elements of a kind.

    Its inputs: the starts of the rows of the four points in the tables; numbers of the element, which are those of a
    Hinge or an inverse bound of friction for each point [s/kg]; the distance of rows, and the law of contact. Its
    tables: states of all points now, and at the start of the control step. It returns forces, torque and measures.
    """

    def element(corners: list[Scalar], numbers: Any, shared: Any, *tables: Any) -> Any:
        (state, start), (stride, law) = tables, shared
        x = [vector_at(state, corner, stride) for corner in corners]
        v = [vector_at(state, corner + 3.0 * stride, stride) for corner in corners]
        if kind == HINGES:
            return (_hinge(x, v, numbers),)
        if kind == BALLS:
            return (_ball(x, v, vector_at(state, corners[0] + SPIN * stride, stride), numbers, law),)
        begin = [vector_at(start, corner, stride) for corner in corners]
        return (_surface(kind, x, v, begin, numbers, law),)

    numbers: Any = Hinge(0.0, 0.0, 0.0) if kind == HINGES else [0.0] * CORNERS
    structures = ([0.0] * CORNERS, numbers, (0.0, NO_TOUCH))
    return ProgramSpec(f"points of {kind}", element, structures, 2, kind)


@lru_cache
def _program(kind: str, lanes: int | None) -> Program:
    return Program(element_spec(kind), lanes=lanes)


@dataclass(frozen=True, eq=False)
class PointElements:
    """Elements of one kind. kind: HINGES, BALLS or one of SURFACES. first, second: points of each pair's two parts.

    Each element has the points of one row of `first`, then of one of `second`, (m, k) and (n, 4 - k). numbers: of
    hinges, (3, m); they are the rows themselves, without partners. law: law of contact; its thickness is the least
    distance of the two parts [m].
    """

    kind: str
    first: Indices
    second: Indices
    numbers: Array
    law: Touch

    def candidates(self, x: Array, expected: Array) -> Indices:
        """Return the points of pairs that may touch (p, 4), in ascending order; of hinges all.

        x, expected: positions now and at the end of the control step (3, N) [m].
        """
        if self.kind == HINGES:
            return self.first
        (low, high), (lower, upper) = (
            (np.minimum(*(np.min(a[:, rows], axis=2) for a in (x, expected))),
             np.maximum(*(np.max(a[:, rows], axis=2) for a in (x, expected))))
            for rows in (self.first, self.second)
        )  # fmt: skip
        margin = MARGIN * self.law.thickness
        near = (low[:, :, None] - margin <= upper[:, None]) & (lower[:, None] - margin <= high[:, :, None])
        a, b = np.nonzero(near.all(axis=0))
        return np.concatenate([self.first[a], self.second[b]], axis=1)

    def add(self, tables: list[Array], corners: Indices, bounds: Array, extra: Array, lanes: int | None) -> None:
        """Add what elements give to their points to rows (EXTRA_ROWS, N), in place.

        tables: see element_spec(), with rows of N numbers. corners: of candidates (p, 4). bounds: inverse bounds of
        friction of all points (N,) [s/kg].
        """
        if not len(corners):
            return
        count, columns = len(corners), padded_count(len(corners))
        numbers = self.numbers if self.kind == HINGES else bounds[corners.T]
        shared = [float(extra.shape[1]), self.law.stiffness, self.law.damping, self.law.friction, self.law.thickness]
        (out,) = _program(self.kind, lanes)(
            padded_rows(corners.T, columns), padded_rows(numbers, columns), np.array(shared)[:, None], tables=tables
        )
        for k, points in enumerate(corners.T):
            for row in range(3):
                np.add.at(extra[row], points, out[3 * k + row, :count])
        for row, values in enumerate(out[3 * CORNERS :, :count], 3):
            np.add.at(extra[row], corners[:, 0], values)


def point_elements(field: ForceField, balls: tuple[Ball, ...]) -> list[PointElements]:
    """Return the hinges of a mesh, the pairs of its pieces that may touch, and those of its last points, balls."""
    mesh, touch, law = field.mesh, field.surroundings.touch, field.surroundings.self_touch
    found, nobody = list[PointElements](), np.zeros((0, 0), np.int64)
    if len(mesh.hinges.corners):
        h = mesh.hinges
        found.append(PointElements(HINGES, h.corners, nobody, np.array([h.rest, h.stiffness, h.damping]), NO_TOUCH))
    first = len(mesh.points) - len(balls)
    for k, ball in enumerate(balls, first):
        if len(mesh.triangles):
            least = Touch(touch.stiffness, touch.damping, touch.friction, ball.radius + 0.5 * touch.thickness)
            found.append(PointElements(BALLS, np.array([[k]]), mesh.triangles, np.zeros((0, 0)), least))
    return found if law is None else [*found, *_surfaces(field, first, law.law)]


def _surfaces(field: ForceField, count: int, law: Touch) -> list[PointElements]:
    """Return the pairs of different pieces: points and triangles, and edges. count: number of points but balls."""
    mesh, found = field.mesh, list[PointElements]()
    piece = pieces_of(mesh.springs.ends, len(mesh.points))
    in_triangle = np.zeros(len(mesh.points), bool)
    in_triangle[mesh.triangles.ravel()] = True
    lines = np.sort(mesh.springs.ends, axis=1)
    sides = edges_of(mesh.triangles) if len(mesh.triangles) else lines[:0]
    edges = np.concatenate([sides, lines[~in_triangle[lines].any(axis=1)]])
    points: Indices = np.arange(count, dtype=np.int64)[:, None]
    nothing = np.zeros((0, 0))
    for k in np.unique(piece[:count]).tolist():
        own, faces = points[piece[points[:, 0]] == k], mesh.triangles[piece[mesh.triangles[:, 0]] != k]
        if len(faces):
            found.append(PointElements("point and triangle", own, faces, nothing, law))
        first, later = edges[piece[edges[:, 0]] == k], edges[piece[edges[:, 0]] > k]
        if len(first) and len(later):
            found.append(PointElements("two edges", first, later, nothing, law))
    return found
