"""Balls over a grid of heights, against every triangle one by one and the surface itself."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.collide import HeightGrid
from gambol.collide.continuous import BallMotion, first_hit, grid_hit, plane_hit, triangle_hit
from gambol.collide.gap import FAR
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector

Array = NDArray[np.float64]
RNG = np.random.default_rng(8)
GRID = HeightGrid(RNG.uniform(0.0, 0.8, size=(6, 7)), 0.5, -1.0, -2.0)


def over(grid: HeightGrid, ball: BallMotion) -> Any:
    return grid_hit(ball, grid, grid.numbers(), grid.table())


def ball_motions(count: int, radius: float) -> BallMotion:
    start = RNG.normal(size=(3, count)) * [[0.6], [0.6], [0.4]] + [[0.0], [-0.5], [1.4]]
    motion = RNG.normal(scale=0.6, size=(3, count)) - [[0.0], [0.0], [0.7]]
    return BallMotion(Vector(*start), Vector(*motion), radius)


def height(x: float, y: float) -> float:
    return float(GRID.surface(GRID.numbers(), GRID.table(), x, y).height)


def in_turn(ball: BallMotion, beyond: int) -> Array:
    """Return the first hit of any triangle, including those beyond the rim."""
    hits = []
    for i in range(-beyond, 6 + beyond):
        for j in range(-beyond, 7 + beyond):
            at = [(-1.0 + 0.5 * (i + a), -2.0 + 0.5 * (j + b)) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1))]
            p, q, r, s = (Vector(x, y, height(x, y)) for x, y in at)
            hits += [triangle_hit(ball, (p, q, r)), triangle_hit(ball, (s, r, q))]
    return first_hit(*hits).time


@pytest.mark.parametrize("radius", [0.0, 0.12, 0.6])
def test_the_walk_finds_what_trying_every_triangle_finds(radius: float):
    ball = ball_motions(100, radius)
    below = GRID.surface(GRID.numbers(), GRID.table(), ball.start.x, ball.start.y).height > ball.start.z
    expected = np.where(below, 0.0, in_turn(ball, 8))
    hit = over(GRID, ball)
    np.testing.assert_allclose(hit.time, expected, atol=1e-12)
    assert 20 < hit.touches.sum() < 95
    assert (hit.normal.z >= 0.0).all()


def test_a_point_hits_where_it_passes_below_the_surface():
    ball = ball_motions(300, 0.0)
    hit, times = over(GRID, ball), np.linspace(0.0, 1.0, 1001)
    depth = np.array([GRID.surface(GRID.numbers(), GRID.table(), p.x, p.y).depth(p.z) for p in map(ball.at, times)])
    under = (depth > 1e-9).any(axis=0)
    assert hit.touches[under].all()
    assert (hit.time[under] <= times[np.argmax(depth > 1e-9, axis=0)][under]).all()
    met = hit.touches & (hit.time > 0.0)
    at = Vector(*(c[met] for c in ball.at(hit.time)))
    np.testing.assert_allclose(GRID.surface(GRID.numbers(), GRID.table(), at.x, at.y).depth(at.z), 0.0, atol=1e-9)


def test_a_level_grid_is_a_plane():
    level, ball = HeightGrid(np.full((3, 4), 0.3), 0.7), ball_motions(200, 0.15)
    expected = plane_hit(ball, Vector(0.0, 0.0, 1.0), 0.3)
    np.testing.assert_allclose(over(level, ball).time, expected.time, atol=1e-12)
    np.testing.assert_allclose(over(level, ball).normal.z[expected.touches], 1.0, rtol=1e-12)
    assert (expected.time == 0.0).any()


def test_a_ball_that_falls_along_the_seams_of_cells_is_caught():
    for x in (-1.0, -0.5, 0.0):
        for y in (-2.0, -1.5, -0.25):
            hit = over(GRID, BallMotion(Vector(x, y, 2.0), Vector(0.0, 0.0, -2.0)))
            assert 2.0 - 2.0 * hit.time == pytest.approx(height(x, y), abs=1e-9)


@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_a_way_that_is_not_finite_hits_nothing(broken: float):
    with np.errstate(invalid="ignore"):
        assert over(GRID, BallMotion(Vector(0.0, 0.0, 2.0), Vector(broken, 0.0, -1.0), 0.1)).time == FAR


def test_lanes_walk_as_floats_do():
    numbers, table = GRID.numbers(), GRID.table()

    def sample(*x: Any) -> tuple[Any, ...]:
        hit = grid_hit(BallMotion(Vector(*x[:3]), Vector(*x[3:]), 0.1), GRID, numbers, table)
        return (hit.time, hit.normal.z)

    ball = ball_motions(32, 0.1)
    inputs = np.array([*ball.start, *ball.motion])
    result = Program(ProgramSpec("hills", sample, (0.0,) * 6), "float64")(*(row[None] for row in inputs))
    expected = over(GRID, ball)
    np.testing.assert_allclose(result[0][0], expected.time, atol=1e-11)
    np.testing.assert_allclose(result[1][0][expected.touches], expected.normal.z[expected.touches], atol=1e-9)
