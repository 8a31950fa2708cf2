"""Swept volumes against clouds of points carried along, and against the capsule of a ball."""

from typing import Any

import numpy as np
import pytest
from shapes import SHAPES, placed, pose_at, surface_points

from gambol.collide.broad import ball, support_extent
from gambol.collide.continuous import BallMotion, swept_ball, swept_box, swept_capsule, swept_extent, swept_support
from gambol.spatial import Vector

RNG = np.random.default_rng(2)
KINDS = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())


@KINDS
def test_bounds_hold_a_body_all_the_way(shape: Any):
    pose, motion = pose_at(RNG), RNG.normal(size=3)
    box, bound = swept_box(shape, pose, Vector(*motion)), swept_ball(ball(shape, pose), Vector(*motion))
    points = placed(pose, surface_points(shape, RNG, 500))
    for t in (0.0, 0.3, 1.0):
        moved = points + t * motion
        assert (moved >= np.array(list(box.lower)) - 1e-12).all()
        assert (moved <= np.array(list(box.upper)) + 1e-12).all()
        assert np.linalg.norm(moved - list(bound.centre), axis=1).max() <= bound.radius + 1e-12


@KINDS
def test_the_furthest_point_of_a_swept_volume_is_at_one_end_of_the_way(shape: Any):
    pose, motion = pose_at(RNG), RNG.normal(size=3)
    for _ in range(20):
        d = RNG.normal(size=3)
        d /= np.linalg.norm(d)
        top = swept_extent(shape, pose, Vector(*motion), Vector(*d))
        assert top == pytest.approx(max(support_extent(shape, pose, Vector(*d)) + t * (motion @ d) for t in (0.0, 1.0)))
        assert np.dot(list(swept_support(shape, pose, Vector(*motion), Vector(*d))), d) == pytest.approx(top, abs=1e-12)


def test_a_ball_sweeps_a_capsule():
    ball = BallMotion(Vector(*RNG.normal(size=3)), Vector(*RNG.normal(size=3)), 0.3)
    capsule, pose = swept_capsule(ball)
    for _ in range(20):
        d = RNG.normal(size=3)
        ends = [np.dot(list(ball.at(t)), d) + 0.3 * np.linalg.norm(d) for t in (0.0, 1.0)]
        assert support_extent(capsule, pose, Vector(*d)) == pytest.approx(max(ends))
