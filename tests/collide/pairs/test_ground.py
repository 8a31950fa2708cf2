"""Shapes over grounds: planes exactly, and balls over triangles against trimesh."""

import math
from typing import Any

import numpy as np
import pytest
import trimesh
from solids import SOLIDS, bodies, geom

from gambol.collide import HeightGrid, Plane
from gambol.collide.convex import PLANE, Geom
from gambol.collide.pairs import gaps, ground_gaps, slots
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM
from gambol.spatial.rotation import IDENTITY

SPACING = 0.5
RNG = np.random.default_rng(2)


def hills(height: float = 0.3) -> HeightGrid:
    return HeightGrid(height * np.random.default_rng(1).normal(size=(9, 8)), SPACING, x0=-2.0, y0=-1.75)


def mesh_of(grid: HeightGrid) -> trimesh.Trimesh:
    rows, columns = grid.heights.shape
    x, y = np.meshgrid(grid.x0 + SPACING * np.arange(rows), grid.y0 + SPACING * np.arange(columns), indexing="ij")
    faces: list[tuple[int, int, int]] = []
    for i in range(rows - 1):
        for j in range(columns - 1):
            a, b, c, d = i * columns + j, (i + 1) * columns + j, i * columns + j + 1, (i + 1) * columns + j + 1
            faces += [(a, b, c), (d, c, b)]
    return trimesh.Trimesh(np.column_stack([x.ravel(), y.ravel(), grid.heights.ravel()]), faces, process=False)


def over(shape: Any, pose: Transform, ground: Any) -> Any:
    return ground_gaps(shape, pose, ground, ground.numbers(), ground.table())


def test_the_distance_of_a_ball_from_hills_is_that_of_trimesh():
    grid, radius, count = hills(), 0.2, 600
    p = np.column_stack([RNG.uniform(-1.4, 1.4, (count, 2)), RNG.uniform(-0.6, 0.9, count)])
    pose = Transform(IDENTITY, Vector(*p.T))
    (gap,) = over(Geom("sphere", (radius,)), pose, grid)
    _, distance, _ = trimesh.proximity.closest_point_naive(mesh_of(grid), p)
    surface = grid.surface(grid.numbers(), grid.table(), p[:, 0], p[:, 1])
    signed = np.where(p[:, 2] >= surface.height, distance, -distance)
    close = distance < SPACING
    assert close.sum() > count // 2
    np.testing.assert_allclose(gap.size[close], signed[close] - radius, atol=1e-12)
    there = np.array(list(gap.point_b)).T
    np.testing.assert_allclose(np.linalg.norm(there - p, axis=1)[close], distance[close], atol=1e-12)
    assert (gap.size[~close & (signed > 0)] >= SPACING - radius - 1e-12).all()
    np.testing.assert_allclose(np.linalg.norm(np.array(list(gap.normal)), axis=0), 1.0, atol=1e-12)


def test_a_ball_in_a_gully_touches_one_side_and_on_a_ridge_the_edge():
    heights = np.abs(np.arange(-4, 5))[:, None] * np.ones((1, 6)) * 0.5
    valley, ridge = HeightGrid(heights, 0.5, x0=-2.0), HeightGrid(-heights, 0.5, x0=-2.0)
    ball = Geom("sphere", (0.2,))
    (gap,) = over(ball, Transform(IDENTITY, Vector(0.0, 1.1, 0.3)), valley)
    assert gap.size == pytest.approx(0.3 / math.sqrt(2.0) - 0.2, abs=1e-12)
    (gap,) = over(ball, Transform(IDENTITY, Vector(0.0, 1.1, 0.3)), ridge)
    assert gap.size == pytest.approx(0.1, abs=1e-12)
    np.testing.assert_allclose(list(gap.point_b), [0.0, 1.1, 0.0], atol=1e-12)


@pytest.mark.parametrize("kind", SOLIDS)
def test_over_a_level_plane_every_shape_has_the_gaps_of_a_half_space(kind: str):
    many = bodies(kind, 50, RNG)
    raised = Transform(IDENTITY, Vector(0.0, 0.0, 0.3))
    found, expected = over(many.geom, many.pose, Plane(0.3)), gaps(many.geom, many.pose, PLANE, raised)
    assert len(found) == slots(kind, "plane")
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.size, b.size, atol=1e-12)


@pytest.mark.parametrize("kind", SOLIDS)
def test_over_a_grid_that_is_a_tilted_plane_every_shape_has_the_gaps_of_that_plane(kind: str):
    """Balls test nine cells, so the shapes are kept near the plane; the middle is over the grid."""
    a, b = 0.3, -0.2
    x, y = np.meshgrid(np.arange(-10.0, 11.0), np.arange(-10.0, 11.0), indexing="ij")
    grid = HeightGrid(a * x + b * y, 1.0, x0=-10.0, y0=-10.0)
    n = np.array([-a, -b, 1.0]) / math.sqrt(1 + a * a + b * b)
    u = np.array([n[2], 0.0, -n[0]]) / math.hypot(n[0], n[2])
    rows = np.column_stack([u, np.cross(n, u), n])
    plane = Transform(Rotation(tuple(map(tuple, rows.tolist()))), Vector(0.0, 0.0, 0.0))
    many = bodies(kind, 60, RNG, 0.4)
    if kind in ("sphere", "capsule"):
        many.sizes[:] = 0.3
    found, expected = over(many.geom, many.pose, grid), gaps(many.geom, many.pose, PLANE, plane)
    for g, e in zip(found, expected, strict=True):
        near = e.size < 0.5
        np.testing.assert_allclose(g.size[near], e.size[near], atol=1e-12)


def test_a_compiled_ground_gives_the_gaps_of_floats():
    grid = hills()
    numbers = grid.numbers()

    def found(pose: Transform, inputs: dict[str, Any], table: Any) -> tuple[Any]:
        return ([ground_gaps(geom(k, (0.2, 0.3, 0.4)[:n]), pose, grid, inputs, table) for k, n in KINDS.items()],)

    program = Program(ProgramSpec("gaps over hills", found, (IDENTITY_TRANSFORM, numbers), tables=1))
    pose = np.concatenate([np.eye(3).ravel(), [0.3, -0.4, 0.25]])
    out = program(pose, np.array(list(numbers.values())), tables=(grid.table(),))[0].reshape(-1, 11)
    exact = [
        g.size
        for k, n in KINDS.items()
        for g in over(geom(k, (0.2, 0.3, 0.4)[:n]), Transform(IDENTITY, Vector(0.3, -0.4, 0.25)), grid)
    ]
    np.testing.assert_allclose(out[:, 9], exact, atol=1e-13)


KINDS = {"sphere": 1, "capsule": 2, "box": 3, "cylinder": 2, "ellipsoid": 3, "hull": 0}
