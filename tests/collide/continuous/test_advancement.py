"""Conservative advancement against closed forms, against Newton's method, and against coal on sampled poses."""

from typing import Any

import coal
import numpy as np
import pytest
from shapes import SHAPES, pose_at, rows

from gambol.collide.continuous import (
    BallMotion,
    ConstantVelocity,
    bounding_radius,
    conservative_advancement,
    time_of_impact,
)
from gambol.collide.gap import FAR, UP, Gap
from gambol.collide.pairs import gaps
from gambol.figure import Box, Sphere
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM
from gambol.spatial.vector import ZERO

RNG = np.random.default_rng(6)
TOLERANCE = 1e-6


def ball_and(shape: Any, radius: float) -> Any:
    return lambda A, B: gaps(Sphere(radius), A, shape, B)[0]


def in_coal(one: Any, other: Any) -> Any:
    """The gap between two shapes as coal measures it."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()

    def between(A: Transform, B: Transform) -> Gap:
        result.clear()
        poses = [coal.Transform3s(rows(pose.rotation), np.array(list(pose.position))) for pose in (A, B)]
        size = coal.distance(one, poses[0], other, poses[1], request, result)
        n = np.array(result.normal)
        return Gap(ZERO, ZERO, Vector(*(-n)), size)

    return between


@pytest.mark.parametrize("name", ["box", "cylinder", "frustum", "ellipsoid", "capsule"])
def test_without_turning_it_finds_what_newton_finds(name: str):
    shape, still, met = SHAPES[name], ConstantVelocity(pose_at(RNG, 0.2), ZERO, ZERO), 0
    for _ in range(60):
        start, goal = RNG.normal(size=(2, 3)) * [[1.0], [0.3]]
        motion = Vector(*(1.5 * (goal - start)))
        exact = time_of_impact(shape, still.pose, BallMotion(Vector(*start), motion, 0.1))
        moving = ConstantVelocity(Transform(pose_at(RNG).rotation, Vector(*start)), motion, ZERO)
        found = conservative_advancement(moving, still, (0.1, bounding_radius(shape)), ball_and(shape, 0.1), TOLERANCE)
        assert not found.not_converged
        if exact.touches and exact.time > 0.0:
            speed = -exact.normal.dot(motion)
            assert exact.time - 3.0 * TOLERANCE / speed - 1e-9 <= found.hit.time <= exact.time + 1e-12
            met += 1
        elif exact.time == FAR:
            assert found.hit.time == FAR
            assert found.gap > TOLERANCE
    assert met > 10


def test_a_turning_bar_strikes_a_ball_at_the_angle_of_the_drawing():
    bar, ball = Box((2.0, 0.2, 0.2)), Sphere(0.1)
    turning = ConstantVelocity(IDENTITY_TRANSFORM, ZERO, Vector(0.0, 0.0, 1.5))
    still = ConstantVelocity(Transform(IDENTITY_TRANSFORM.rotation, Vector(0.0, 0.8, 0.0)), ZERO, ZERO)
    found = conservative_advancement(
        turning, still, (bounding_radius(bar), 0.1), lambda A, B: gaps(ball, B, bar, A)[0].flipped, 1e-9
    )
    angle = np.pi / 2 - np.arcsin(0.2 / 0.8)  # the ball's centre is then 0.1 + 0.1 from the middle line of the bar
    assert found.hit.time == pytest.approx(angle / 1.5, abs=1e-8)
    assert found.hit.normal.dot(Vector(-np.sin(angle), np.cos(angle), 0.0)) == pytest.approx(-1.0, abs=1e-6)


def test_tumbling_boxes_do_not_overlap_before_their_time_of_impact():
    one, other = Box((0.6, 0.4, 0.3)), Box((0.5, 0.9, 0.2))
    between = in_coal(coal.Box(*one.size), coal.Box(*other.size))
    hits = 0
    for _ in range(25):
        at, other_at = pose_at(RNG), pose_at(RNG, 0.2)
        translation = (other_at.position - at.position) * 1.5
        a, b = (
            ConstantVelocity(at, translation, Vector(*RNG.normal(size=3))),
            ConstantVelocity(other_at, ZERO, Vector(*RNG.normal(size=3))),
        )
        if between(a.at(0.0), b.at(0.0)).size < 1e-3:
            continue
        found = conservative_advancement(a, b, (bounding_radius(one), bounding_radius(other)), between, 1e-5)
        assert not found.not_converged
        sizes = [between(a.at(t), b.at(t)).size for t in np.linspace(0.0, min(found.hit.time, 1.0), 60)]
        assert min(sizes[:-1]) > 0.0
        if found.hit.touches:
            assert sizes[-1] == pytest.approx(0.0, abs=1e-5)
            hits += 1
    assert hits > 3


def test_what_lies_in_another_hits_at_once():
    motion = ConstantVelocity(pose_at(RNG), ZERO, ZERO)
    assert conservative_advancement(motion, motion, (0.1, 0.1), ball_and(Sphere(0.1), 0.1)).hit.time == 0.0


def test_a_search_without_steps_left_returns_the_time_that_is_free():
    a = ConstantVelocity(pose_at(RNG), Vector(0.0, 0.0, -1.0), ZERO)
    found = conservative_advancement(
        a, ConstantVelocity(a.pose, ZERO, ZERO), (0.1, 0.1), lambda A, B: Gap(ZERO, ZERO, UP, 1e-3)
    )
    assert found.not_converged
    assert found.clear_until == pytest.approx(0.1)  # a hundred steps of a thousandth
    assert found.gap == 1e-3
    broken = conservative_advancement(a, a, (0.1, 0.1), lambda A, B: Gap(ZERO, ZERO, UP, float("nan")))
    assert broken.not_converged
    assert not broken.hit.touches


def test_lanes_advance_as_floats_do():
    shape, pose = SHAPES["box"], pose_at(RNG, 0.1)

    def sample(*x: Any) -> tuple[Any, ...]:
        a = ConstantVelocity(Transform(pose.rotation, Vector(*x[:3])), Vector(*x[:3]) * -1.2, Vector(*x[3:]))
        b = ConstantVelocity(pose, ZERO, Vector(*x[3:]) * 0.5)
        found = conservative_advancement(a, b, (0.2, bounding_radius(shape)), ball_and(shape, 0.2))
        return (found.hit.time, found.clear_until)

    inputs = RNG.normal(size=(6, 32))
    rows_of = Program(ProgramSpec("advance", sample, (0.0,) * 6), "float64")(*(row[None] for row in inputs))
    expected = np.array([sample(*column) for column in inputs.T.tolist()]).T
    np.testing.assert_allclose(np.array([row[0] for row in rows_of]), expected, atol=1e-9)
    assert (expected[0] <= 1.0).any()
