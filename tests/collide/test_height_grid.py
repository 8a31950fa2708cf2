"""Triangulated ground against planes, against barycentric interpolation, and at its seams."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import LinearNDInterpolator
from scipy.spatial import Delaunay

from gambol.collide import HeightGrid, Surface
from gambol.errors import WorldError
from gambol.lanes import Program, ProgramSpec

Array = NDArray[np.float64]
RNG = np.random.default_rng(5)
ROUNDING_TOLERANCE = 1e-13  # of heights and places of order 1


def hills(rows: int = 6, columns: int = 5) -> HeightGrid:
    return HeightGrid(np.random.default_rng(1).normal(size=(rows, columns)), 0.7, x0=-1.0, y0=2.0)


def at(grid: HeightGrid, x: Any, y: Any) -> Surface:
    return grid.surface(grid.numbers(), grid.table(), x, y)


def places(grid: HeightGrid, count: int, beyond: float = 0.0) -> tuple[Array, Array]:
    rows, columns = np.array(grid.heights.shape) - 1
    u, v = RNG.uniform(-beyond, 1.0 + beyond, size=(2, count))
    return grid.x0 + u * rows * grid.spacing, grid.y0 + v * columns * grid.spacing


def barycentric(grid: HeightGrid, x: Array, y: Array) -> Array:
    """Heights by solving for the weights of each triangle's corners, found by trying all triangles."""
    result = np.full(len(x), np.nan)
    rows, columns = grid.heights.shape
    for i in range(rows - 1):
        for j in range(columns - 1):
            for corners in (((i, j), (i + 1, j), (i, j + 1)), ((i + 1, j + 1), (i + 1, j), (i, j + 1))):
                p = np.array([[grid.x0 + a * grid.spacing, grid.y0 + b * grid.spacing, 1.0] for a, b in corners]).T
                weights = np.linalg.solve(p, np.array([x, y, np.ones(len(x))]))
                inside = (weights >= 0.0).all(axis=0)
                result[inside] = (np.array([grid.heights[c] for c in corners]) @ weights)[inside]
    return result


@pytest.mark.parametrize(("a", "b", "c"), [(0.0, 0.0, 0.3), (0.5, -0.2, 1.0), (-3.0, 2.0, 0.0)])
def test_a_grid_of_a_plane_is_that_plane(a: float, b: float, c: float):
    X, Y = np.meshgrid(-1.0 + 0.7 * np.arange(6), 2.0 + 0.7 * np.arange(5), indexing="ij")
    grid = HeightGrid(a * X + b * Y + c, 0.7, x0=-1.0, y0=2.0)
    x, y = places(grid, 200)
    surface = at(grid, x, y)
    np.testing.assert_allclose(surface.height, a * x + b * y + c, atol=100 * ROUNDING_TOLERANCE)
    normal = np.array([-a, -b, 1.0]) / np.sqrt(1 + a * a + b * b)
    for result, expected in zip(surface.normal, normal, strict=True):
        np.testing.assert_allclose(result, expected, atol=100 * ROUNDING_TOLERANCE)
    offset = 0.37  # a point this far below the plane, measured along its normal
    z = surface.height - offset / normal[2]
    np.testing.assert_allclose(surface.depth(z), offset, atol=100 * ROUNDING_TOLERANCE)


def test_heights_agree_with_barycentric_interpolation():
    grid = hills()
    x, y = places(grid, 500)
    np.testing.assert_allclose(at(grid, x, y).height, barycentric(grid, x, y), atol=100 * ROUNDING_TOLERANCE)


def test_one_cell_agrees_with_scipy():
    grid = HeightGrid(np.array([[0.1, -0.4], [0.9, 0.3]]), 1.0)
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0 + 1e-9]])  # nudged, so that one diagonal is best
    triangles = Delaunay(corners)
    assert {frozenset(t) for t in triangles.simplices.tolist()} == {frozenset({0, 1, 2}), frozenset({1, 2, 3})}
    peer = LinearNDInterpolator(triangles, np.array([0.1, 0.9, -0.4, 0.3]))
    x, y = RNG.uniform(0.0, 1.0, size=(2, 200))
    np.testing.assert_allclose(at(grid, x, y).height, peer(x, y), atol=1e-8)


def test_normals_are_unit_and_stand_on_the_slope():
    grid, tiny = hills(), 1e-7
    x, y = places(grid, 300)
    surface = at(grid, x, y)
    n = np.array(list(surface.normal))
    np.testing.assert_allclose(np.linalg.norm(n, axis=0), 1.0, atol=ROUNDING_TOLERANCE)
    for axis, (dx, dy) in enumerate(((tiny, 0.0), (0.0, tiny))):
        rise = (at(grid, x + dx, y + dy).height - at(grid, x - dx, y - dy).height) / (2 * tiny)
        away = np.abs(rise + n[axis] / n[2]) > 1e-6
        assert away.sum() <= 2  # a place within 1e-7 of a crease sees two triangles


def test_the_ground_has_no_cracks():
    grid, tiny = hills(), 1e-10
    steep = grid.steepest()
    k, t = RNG.integers(0, 4, size=100), RNG.uniform(size=100)
    diagonal = grid.x0 + (k + t) * grid.spacing, grid.y0 + (k % 3 + 1.0 - t) * grid.spacing
    border = grid.x0 + (k + 1.0) * grid.spacing, grid.y0 + (k % 3 + t) * grid.spacing
    for x, y in (diagonal, border):
        jump = at(grid, x + tiny, y + tiny).height - at(grid, x - tiny, y - tiny).height
        assert np.abs(jump).max() <= 2.0 * tiny * np.sqrt(2.0) * steep + 100 * ROUNDING_TOLERANCE


def test_grid_points_and_corners_are_exact():
    grid = HeightGrid(np.random.default_rng(1).normal(size=(6, 5)), 0.5, x0=-1.0, y0=2.0)  # places without rounding
    for i in range(6):
        for j in range(5):
            height = at(grid, -1.0 + 0.5 * i, 2.0 + 0.5 * j).height
            np.testing.assert_allclose(height, grid.heights[i, j], atol=ROUNDING_TOLERANCE)


def test_the_ground_is_level_beyond_its_rim():
    grid = hills()
    middle = grid.y0 + 1.3 * grid.spacing
    for x, edge in ((grid.x0 - 3.0, grid.x0), (grid.x0 + 9.0, grid.x0 + 5 * grid.spacing)):
        outside, rim = at(grid, x, middle), at(grid, edge, middle)
        np.testing.assert_allclose(outside.height, rim.height, atol=10 * ROUNDING_TOLERANCE)
        assert outside.normal.x == 0.0
    corner = at(grid, 1e6, -1e6)
    assert corner.height == grid.heights[-1, 0]
    assert [float(c) for c in corner.normal] == [0.0, 0.0, 1.0]


def test_highest_is_never_exceeded_nearby():
    grid, radius = hills(), 0.9
    x, y = places(grid, 300, beyond=0.3)
    angle, far = RNG.uniform(0.0, 2 * np.pi, 300), radius * np.sqrt(RNG.uniform(size=300))
    bound = grid.highest(grid.numbers(), grid.table(), x, y, radius)
    assert (at(grid, x + far * np.cos(angle), y + far * np.sin(angle)).height <= bound).all()


def test_floats_arrays_and_lanes_agree():
    grid = hills()
    x, y = places(grid, 50, beyond=0.2)
    together = at(grid, x, y)
    expected = np.array([together.height, *together.normal])

    def touched(x: Any, y: Any, table: Any) -> tuple[Any, ...]:
        surface = grid.surface({k: float(v) for k, v in grid.numbers().items()}, table, x, y)
        return ([surface.height, *surface.normal],)

    (lanes,) = Program(ProgramSpec("surface", touched, (0.0, 0.0), tables=1))(x[None], y[None], tables=[grid.table()])
    np.testing.assert_allclose(lanes, expected, atol=10 * ROUNDING_TOLERANCE)
    for k in range(50):
        alone = at(grid, float(x[k]), float(y[k]))
        np.testing.assert_allclose([alone.height, *alone.normal], expected[:, k], atol=10 * ROUNDING_TOLERANCE)


def test_the_grid_copies_its_array():
    heights = np.zeros((3, 3))
    grid = HeightGrid(heights, 1.0)
    heights[1, 1] = 5.0
    assert at(grid, 1.0, 1.0).height == 0.0


@pytest.mark.parametrize(
    ("heights", "spacing", "message"),
    [
        (np.zeros(5), 1.0, "shape"),
        (np.zeros((1, 5)), 1.0, "2 x 2"),
        (np.zeros((2, 2, 2)), 1.0, "shape"),
        (np.array([[0.0, 0.0], [np.nan, 0.0]]), 1.0, "row 1, column 0"),
        (np.array([[0.0, np.inf], [0.0, 0.0]]), 1.0, "row 0, column 1"),
        (np.zeros((2, 2)), 0.0, "spacing"),
        (np.zeros((2, 2)), -1.0, "spacing"),
        (np.zeros((2, 2)), np.nan, "spacing"),
    ],
)
def test_bad_grids_are_refused(heights: Array, spacing: float, message: str):
    with pytest.raises(WorldError, match=message):
        HeightGrid(heights, spacing)


def test_a_grid_that_starts_nowhere_is_refused():
    with pytest.raises(WorldError, match="start"):
        HeightGrid(np.zeros((2, 2)), 1.0, x0=np.nan)


@pytest.mark.parametrize(
    ("heights", "spacing", "x0", "message"),
    [
        ([[0.0, 1e308], [0.0, 0.0]], 0.01, 0.0, "a height of 1e\\+308 m"),
        ([[0.0, 1.0], [0.0, 0.0]], 1e-300, 0.0, "a slope of"),
        ([[0.0, 1.0], [0.0, 0.0]], 1e308, 0.0, "a coordinate of"),
        ([[0.0, 1.0], [0.0, 0.0]], 0.01, -1e300, "a coordinate of 1e\\+300 m"),
    ],
)
def test_a_grid_that_no_arithmetic_bears_is_refused(heights, spacing, x0, message):
    with pytest.raises(WorldError, match=f"cannot have {message}.*; give 1e\\+09"):
        HeightGrid(np.array(heights), spacing, x0)
