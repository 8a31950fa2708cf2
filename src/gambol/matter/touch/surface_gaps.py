"""Gaps of a mesh to itself: points to triangles, edges to edges, and ropes to ropes, with one pair per lane.

Pairs that may touch within a step are found once, at its start. Pairs that share a point are left out, and pairs of one
piece that are nearer than the thickness at rest, such as neighbours in a cloth whose thickness exceeds the distance of
its threads.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.contact import Touch
from gambol.matter.elements.surface_pair import point_and_triangle, two_edges, two_ropes
from gambol.matter.forces.layout import padded_count, padded_rows
from gambol.matter.mesh import SpringMesh
from gambol.matter.mesh.topology import edges_of, pieces_of
from gambol.matter.touch.boxes import Boxes
from gambol.matter.touch.gaps import Gaps, PointQuery
from gambol.matter.touch.places import Places
from gambol.spatial.vector import ZERO, Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

NORMAL = slice(2, 5)  # rows of a gap
MIN_DEPTH = 1e-300  # m: the depth of a pair that touches without overlapping

KINDS = {"point and triangle": point_and_triangle, "two edges": two_edges, "two ropes": two_ropes}
"""The formulas of pairs; each has four points."""


@lru_cache
def pair_program(kind: str, lanes: int | None) -> Program:
    """Return the program of gaps of pairs of a kind; see GAP_ROWS for the rows, then the weights."""
    formula = KINDS[kind]

    def gap(thickness: Scalar, x: list[Vector], lag: list[Vector], start: list[Vector]) -> Any:
        place = formula(thickness, tuple(x), tuple(lag), tuple(start))
        return (place.gap, place.lagging, place.normal, ZERO), place.weights

    return Program(ProgramSpec(f"mesh {kind}", gap, (0.0, *([ZERO] * 4,) * 3), 0, kind), lanes=lanes)


@dataclass(frozen=True, eq=False)
class SurfacePairs:
    """Pairs that may touch in a step: their points (m, 4) by kind, and all positions at its start (3, N) [m]."""

    corners: dict[str, Indices]
    start: Array


class SurfaceFinder:
    """Finds pairs of a mesh that may touch, and their gaps.

    mesh: the mesh. law: law of contact; its thickness is the least distance of surfaces. lanes: see Program. Points of
    meshes touch triangles. Edges are the edges of triangles; ropes are springs between points that no triangle has.
    """

    def __init__(self, mesh: SpringMesh, law: Touch, lanes: int | None) -> None:
        self.law, self.lanes, self.count = law, lanes, len(mesh.points)
        self.triangles = mesh.triangles
        in_triangle = np.zeros(self.count, bool)
        in_triangle[mesh.triangles.ravel()] = True
        lines = np.sort(mesh.springs.ends, axis=1)
        alone = np.flatnonzero(~in_triangle[lines].any(axis=1))
        sides = edges_of(mesh.triangles) if len(mesh.triangles) else np.zeros((0, 2), np.int64)
        self.edges, self.ropes = np.concatenate([sides, lines[alone]]), len(sides)
        self.springs = np.concatenate([_springs_at(sides, lines, self.count), alone])
        self.points: Indices = np.arange(self.count, dtype=np.int64)[:, None]
        self.left_out = {kind: np.zeros(0, np.int64) for kind in KINDS}
        all_intact = np.ones(len(mesh.triangles), bool), np.ones(len(mesh.springs), bool)
        x, piece = mesh.points.T, pieces_of(mesh.springs.ends, self.count)
        for kind, (keys, corners) in self._near([mesh.points], all_intact).items():
            gaps, _ = self._gaps(kind, corners, (x, x, x))
            same = piece[corners[:, 0]] == piece[corners[:, 3]]
            self.left_out[kind] = np.sort(keys[same & (gaps[0] < 0.0)])

    def pairs(self, positions: list[Array], intact_flags: tuple[Flags, Flags]) -> dict[str, Indices]:
        """Return the points of pairs that may touch, by kind (m, 4).

        positions: at the start and the expected end of a step (n, 3) [m]. intact_flags: True for intact triangles and
        springs.
        """
        near = self._near(positions, intact_flags)
        return {kind: corners[~np.isin(keys, self.left_out[kind])] for kind, (keys, corners) in near.items()}

    def _near(self, positions: list[Array], intact_flags: tuple[Flags, Flags]) -> dict[str, tuple[Indices, Indices]]:
        """Return a key and the points (m, 4) of pairs without common points whose boxes overlap, by kind.

        The boxes are larger by the thickness on all sides, since the end of a step may differ from the expected end.
        """
        whole, intact = intact_flags
        intact_triangles = np.flatnonzero(whole)
        sides = np.flatnonzero(np.append(intact, True)[self.springs])
        margin = float(self.law.thickness)
        groups = self.points, self.triangles[intact_triangles], self.edges[sides]
        points, faces, edges = (Boxes.around(positions, corners, margin) for corners in groups)
        p, t = points.overlapping(faces).T
        a, b = edges.overlapping(edges).T
        a, b, t = sides[a[a < b]], sides[b[a < b]], intact_triangles[t]
        is_rope = a >= self.ropes
        near = {
            "point and triangle": _without_common_points(p * len(self.triangles) + t, self.points[p], self.triangles[t])
        }
        for kind, chosen in (("two edges", ~is_rope), ("two ropes", is_rope)):
            first, second = a[chosen], b[chosen]
            near[kind] = _without_common_points(first * len(self.edges) + second, self.edges[first], self.edges[second])
        return near

    def _gaps(self, kind: str, corners: Indices, points: tuple[Array, Array, Array]) -> tuple[Array, Array]:
        """Return rows of gaps (8, m) and weights (4, m). points: x, lagging and at the start (3, N)."""
        columns = padded_count(len(corners))
        arrays = [padded_rows(np.concatenate([a[:, k] for k in corners.T]), columns) for a in points]
        rows, weights = pair_program(kind, self.lanes)(np.full((1, 1), self.law.thickness), *arrays)
        return rows[:, : len(corners)], weights[:, : len(corners)]

    def gaps(self, query: PointQuery, pairs: SurfacePairs) -> list[Gaps]:
        """Return the gaps of pairs that touch in the contact test.

        In an implicit step a pair also touches where its damper pushes more than its spring pulls. Otherwise a fast
        pair, which its damper stops before it touches, would touch in every second solution of the step.
        """
        closed_gaps = list[Gaps]()
        for kind, corners in pairs.corners.items():
            if not len(corners):
                continue
            rows, weights = self._gaps(kind, corners, (query.x, query.x_lag, pairs.start))
            touches = rows[1] < 0.0
            if query.h > 0.0:
                places = Places(corners.T, weights)
                speed = (rows[NORMAL] * places.of(query.v_lag)).sum(axis=0)
                touches |= self.law.stiffness * rows[1] + self.law.damping * speed < 0.0
                rows[1, touches] = np.minimum(rows[1, touches], -MIN_DEPTH)
            touching = np.flatnonzero(touches)
            if len(touching):
                closed_gaps.append(
                    Gaps(Places(corners[touching].T, weights[:, touching]), rows[:, touching], -1, self.law)
                )
        return closed_gaps


def _without_common_points(keys: Indices, first: Indices, second: Indices) -> tuple[Indices, Indices]:
    """Return the keys (m,) and the points (m, 4) of pairs whose two elements share no point."""
    apart = np.flatnonzero(~(first[:, :, None] == second[:, None, :]).any(axis=(1, 2)))
    return keys[apart], np.concatenate([first[apart], second[apart]], axis=1)


def _springs_at(sides: Indices, lines: Indices, count: int) -> Indices:
    """Return the spring along each side of triangles (m,), or -1 for none. lines: ends of springs, lower first."""
    keys, wanted = lines @ [count, 1], sides @ [count, 1]
    order = np.argsort(keys, kind="stable")
    place = np.searchsorted(keys[order], wanted)
    inside = np.minimum(place, max(len(keys) - 1, 0))
    if not len(keys):
        return np.full(len(sides), -1, np.int64)
    return np.where(keys[order][inside] == wanted, order[inside], -1).astype(np.int64)
