"""Rays at grounds, against the hit of a point on the triangles, and against closed forms."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.collide import HeightGrid, NoGround, Plane
from gambol.collide.continuous import BallMotion, grid_hit
from gambol.collide.gap import FAR
from gambol.collide.rays import Ray, ground_distance
from gambol.errors import WorldError
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector


def distance_to(ground: Any, origin: Any, direction: Any, reach: float = 20.0) -> Any:
    d = np.asarray(direction) / np.linalg.norm(direction)
    return ground_distance(Ray(Vector(*origin), Vector(*d)), ground, ground.numbers(), ground.table(), reach)


def test_a_plane_is_seen_at_height_over_sine():
    assert distance_to(Plane(0.5), (3.0, 1.0, 2.5), (0.0, 0.0, -1.0)) == 2.0
    slanted = (math.cos(0.3), 0.0, -math.sin(0.3))
    assert distance_to(Plane(0.5), (3.0, 1.0, 2.5), slanted) == pytest.approx(2.0 / math.sin(0.3), abs=1e-14)
    assert distance_to(Plane(), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)) == FAR
    assert distance_to(Plane(), (0.0, 0.0, 1.0), (1.0, 0.0, 0.2)) == FAR
    assert distance_to(Plane(), (0.0, 0.0, -1.0), (1.0, 0.0, 0.2)) == 0.0
    assert distance_to(Plane(), (0.0, 0.0, 21.0), (0.0, 0.0, -1.0)) == FAR  # beyond the reach
    assert distance_to(NoGround(), (0.0, 0.0, 21.0), (0.0, 0.0, -1.0)) == FAR


def hills(seed: int) -> HeightGrid:
    rng = np.random.default_rng(seed)
    return HeightGrid(rng.uniform(0.0, 0.6, (9, 7)), 0.5, -2.0, -1.5)


def test_a_grid_is_seen_where_a_point_hits_its_triangles():
    """grid_hit tests every triangle near the path by Newton's method; it stops within 1e-9 of the lengths."""
    rng, ground, reach, hits, misses = np.random.default_rng(1), hills(0), 8.0, 0, 0
    for _ in range(150):
        origin = rng.uniform((-3.0, -2.5, 0.1), (3.0, 2.5, 1.5))
        direction = rng.normal(size=3) * (1.0, 1.0, 0.3)
        d = direction / np.linalg.norm(direction)
        hit = grid_hit(BallMotion(Vector(*origin), Vector(*(d * reach))), ground, ground.numbers(), ground.table())
        distance = distance_to(ground, origin, d, reach)
        assert (distance >= FAR) == (hit.time >= FAR)
        hits, misses = hits + (hit.time < FAR), misses + (hit.time >= FAR)
        if hit.time < FAR:
            assert distance == pytest.approx(reach * hit.time, abs=1e-6)
    assert hits > 40
    assert misses > 20


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 0.0, -1.0)])
def test_rays_along_the_lines_of_a_grid_hit_the_surface(direction: Any):
    """On a surface z = 0.3 x + 0.2 y, which is linear over the whole grid, the distance has a closed form."""
    x, y = np.meshgrid(np.arange(9) * 0.5, np.arange(9) * 0.5, indexing="ij")
    ground = HeightGrid(0.3 * x + 0.2 * y, 0.5)
    d = np.array(direction) / np.linalg.norm(direction)
    origin = np.array([1.0, 2.5, 1.0])
    slope = 0.3 * d[0] + 0.2 * d[1] - d[2]
    expected = (1.0 - 0.8) / slope if slope > 0.0 else FAR
    assert distance_to(ground, origin, d, 4.0) == pytest.approx(expected, abs=1e-12)


def test_compiled_rays_are_those_of_python():
    ground, rng = hills(2), np.random.default_rng(2)

    def function(origin: list[Any], direction: list[Any], numbers: Any, table: Any) -> tuple[Any, ...]:
        return ([ground_distance(Ray(Vector(*origin), Vector(*direction)), ground, numbers, table, 5.0)],)

    origins = rng.uniform((-2.0, -2.0, 0.6), (2.0, 2.0, 1.5), (30, 3))
    directions = rng.normal(size=(30, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    numbers = ground.numbers()
    program = Program(ProgramSpec("ground rays", function, ([0.0] * 3, [0.0] * 3, numbers), tables=1))
    given = np.array(list(numbers.values()))[:, None]
    (compiled,) = program(origins.T.copy(), directions.T.copy(), given, tables=[ground.table()])
    expected = [distance_to(ground, o, d, 5.0) for o, d in zip(origins, directions, strict=True)]
    np.testing.assert_allclose(compiled[0], expected, rtol=0, atol=1e-12)


def test_rays_refuse_an_unknown_ground():
    class Steps(Plane):
        pass

    with pytest.raises(WorldError, match="cannot be cast at a Steps; enter a function in GROUND_RAYS"):
        distance_to(Steps(), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0))
