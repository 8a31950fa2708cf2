"""Early rejection of pairs in a step: never wrong about a pair that touches, and effective."""

from typing import Any

import numpy as np
import pytest
from shapes import SHAPES, placed, pose_at, surface_points

from gambol.collide import HeightGrid, Plane
from gambol.collide.broad import ball, near, near_ground, near_plane
from gambol.lanes import Program, ProgramSpec, when, where
from gambol.spatial import Transform, Vector

RNG = np.random.default_rng(11)
NAMES = list(SHAPES)


def clouds(name: str, other: str, spread: float) -> tuple[Any, ...]:
    one, two = pose_at(RNG, spread), pose_at(RNG, spread)
    return (
        one,
        two,
        placed(one, surface_points(SHAPES[name], RNG, 300)),
        placed(two, surface_points(SHAPES[other], RNG, 300)),
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("other", NAMES)
def test_no_pair_within_the_margin_is_missed(name: str, other: str):
    for spread in (0.4, 0.8):
        one, two, a, b = clouds(name, other, spread)
        apart = np.linalg.norm(a[:, None] - b, axis=2).min()
        assert near(SHAPES[name], one, SHAPES[other], two, margin=apart + 1e-9)


def test_most_pairs_that_are_apart_are_rejected():
    rejected = [not near(SHAPES[a], pose_at(RNG), SHAPES[b], pose_at(RNG)) for a in NAMES for b in NAMES]
    assert np.mean(rejected) > 0.6


def test_a_plane_is_near_when_the_lowest_point_is():
    for shape in SHAPES.values():
        pose, n = pose_at(RNG), np.array([0.36, 0.48, 0.8])
        lowest = (placed(pose, surface_points(shape, RNG)) @ n).min()
        assert near_plane(shape, pose, Vector(*n), lowest + 1e-9)
        assert not near_plane(shape, pose, Vector(*n), lowest - 0.02)
        assert near_plane(shape, pose, Vector(*n), lowest - 0.02, margin=0.021)


def test_hills_below_a_ball_are_near_only_within_reach():
    grid = HeightGrid(RNG.uniform(0.0, 0.2, size=(9, 9)), 0.5, -2.0, -2.0)
    for ground, far in ((Plane(0.1), 0.7), (grid, 2.0)):
        for z, expected in ((0.3, True), (far, False)):
            bound = ball(SHAPES["sphere"], Transform(pose_at(RNG).rotation, Vector(0.3, -0.2, z)))
            assert near_ground(ground, ground.numbers(), ground.table(), bound) == expected


def test_a_step_may_ask_before_it_works():
    one, two = SHAPES["box"], SHAPES["capsule"]
    pose = pose_at(RNG, 0.1)

    def costly(x: Any) -> Any:
        return 1.0 + x * x

    def sample(*p: Any) -> tuple[Any, ...]:
        moved = Transform(pose.rotation, Vector(*p))
        return (when(near(one, pose, two, moved), costly, p[0]),)

    inputs = RNG.normal(scale=0.4, size=(3, 40))
    (result,) = Program(ProgramSpec("near", sample, (0.0, 0.0, 0.0)), "float64")(*(row[None] for row in inputs))
    met = near(one, pose, two, Transform(pose.rotation, Vector(*inputs)))
    np.testing.assert_allclose(result[0], where(met, 1.0 + inputs[0] ** 2, 0.0), rtol=1e-15)
    assert 3 < met.sum() < 37
