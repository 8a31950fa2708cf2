"""Bounding volumes against clouds of points on the shapes, linear programming and sampled motions."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from shapes import SHAPES, placed, pose_at, poses, rows, surface_points

from gambol.collide.broad import (
    AXES,
    DIAGONALS,
    axis_box,
    ball,
    ball_of_points,
    balls_meet,
    line_in_box,
    oriented_box,
    oriented_boxes_meet,
    slabs,
    slabs_meet,
    support_extent,
)
from gambol.figure import IDENTITY, Box, Frustum, Sphere
from gambol.lanes import Program, ProgramSpec, where
from gambol.spatial import Rotation, Transform, Vector

RNG = np.random.default_rng(3)
ROUNDING_TOLERANCE = 1e-14
STILL = Transform(Rotation(IDENTITY), Vector(0.0, 0.0, 0.0))
COVER_TOLERANCE = 2e-2  # by which 4000 random points of a curved surface may fall short of its extremes
KINDS = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())


@KINDS
def test_a_shape_reaches_as_far_as_its_furthest_point(shape: Any):
    pose = pose_at(RNG)
    points = placed(pose, surface_points(shape, RNG))
    for _ in range(20):
        d = RNG.normal(size=3)
        top = (points @ d).max()
        result = support_extent(shape, pose, Vector(*d))
        assert top - 1e-12 <= result <= top + COVER_TOLERANCE * np.linalg.norm(d)


@KINDS
def test_balls_and_boxes_hold_every_point_tightly(shape: Any):
    pose = pose_at(RNG)
    points = placed(pose, surface_points(shape, RNG))
    bound, box, tight = ball(shape, pose), axis_box(shape, pose), oriented_box(shape, pose)
    away = np.linalg.norm(points - list(bound.centre), axis=1)
    assert bound.radius - COVER_TOLERANCE <= away.max() <= bound.radius + 1e-12
    assert (points >= np.array(list(box.lower)) - 1e-12).all()
    assert (points <= np.array(list(box.upper)) + 1e-12).all()
    np.testing.assert_allclose(list(box.lower), points.min(axis=0), atol=COVER_TOLERANCE)
    np.testing.assert_allclose(list(box.upper), points.max(axis=0), atol=COVER_TOLERANCE)
    own = (points - list(tight.pose.position)) @ rows(tight.pose.rotation)
    assert (np.abs(own) <= np.array(list(tight.half)) + 1e-12).all()
    np.testing.assert_allclose(np.abs(own).max(axis=0), list(tight.half), atol=COVER_TOLERANCE)


@pytest.mark.parametrize("sizes", [(0.5, 0.2, 1.0), (0.2, 0.5, 0.1), (0.7, 0.7, 0.3), (0.0, 0.4, 1.0)])
def test_the_ball_about_a_frustum_is_the_smallest(sizes: tuple[float, float, float]):
    a, b, l = sizes
    smallest = min(max(np.hypot(a, z + l / 2), np.hypot(b, z - l / 2)) for z in np.linspace(-l, l, 20001))
    assert ball(Frustum(*sizes), STILL).radius == pytest.approx(smallest, rel=1e-6)


def smallest_radius(points: np.ndarray) -> float:
    """The radius of the smallest ball about points, as a convex program."""
    start = np.append(points.mean(axis=0), 1e2)
    bounds = {"type": "ineq", "fun": lambda x: x[3] - ((points - x[:3]) ** 2).sum(axis=1)}
    return float(np.sqrt(minimize(lambda x: x[3], start, constraints=[bounds], method="SLSQP").x[3]))


def test_a_ball_of_points_holds_them_and_is_at_most_a_fiftieth_too_wide():
    for _ in range(20):
        points = RNG.normal(size=(40, 3)) * RNG.uniform(0.1, 1.0, 3)
        result = ball_of_points([tuple(p) for p in points.tolist()])
        away = np.linalg.norm(points - list(result.centre), axis=1)
        assert away.max() <= result.radius * (1 + 1e-14)
        assert result.radius <= 1.02 * smallest_radius(points)


def test_balls_overlap_within_their_margin():
    one, other = Sphere(1.0), Sphere(0.5)
    still, moved = STILL, Transform(STILL.rotation, Vector(1.6, 0.0, 0.0))
    a, b = ball(one, still), ball(other, moved)
    assert not balls_meet(a, b)
    assert balls_meet(a, b, 0.11)


def separable(a: np.ndarray, b: np.ndarray) -> bool:
    """Return True if a plane separates two clouds of points, by linear programming."""
    A = np.block([[a, -np.ones((len(a), 1))], [-b, np.ones((len(b), 1))]])
    result = linprog(np.zeros(4), A_ub=A, b_ub=-np.ones(len(A)), bounds=(None, None))
    return result.status == 0


def test_oriented_boxes_overlap_unless_a_plane_separates_them():
    corners = np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, -1).T
    outcomes = []
    for _ in range(150):
        boxes = Box(tuple(RNG.uniform(0.1, 2.0, 3).tolist())), Box(tuple(RNG.uniform(0.1, 2.0, 3).tolist()))
        at = pose_at(RNG, 0.7), pose_at(RNG, 0.7)
        clouds = [placed(pose, corners * box.size) for box, pose in zip(boxes, at, strict=True)]
        result = oriented_boxes_meet(*(oriented_box(box, pose) for box, pose in zip(boxes, at, strict=True)))
        assert result != separable(*clouds)
        outcomes.append(result)
    assert 30 < sum(outcomes) < 120


def test_parallel_boxes_are_separated_by_their_faces():
    a = oriented_box(Box((1.0, 1.0, 1.0)), STILL)
    for gap, overlap in [(-1e-3, True), (1e-3, False)]:
        b = oriented_box(Box((1.0, 1.0, 1.0)), Transform(STILL.rotation, Vector(0.2, 1.0 + gap, 0.0)))
        assert oriented_boxes_meet(a, b) == overlap
    assert oriented_boxes_meet(a, b, margin=2e-3)


def test_an_oriented_box_holds_what_lies_inside():
    box, pose = Box((1.0, 2.0, 3.0)), pose_at(RNG)
    points = RNG.uniform(-2.0, 2.0, size=(500, 3))
    held = oriented_box(box, pose).contains(Vector(*placed(pose, points).T))
    np.testing.assert_array_equal(held, (np.abs(points) <= [0.5, 1.0, 1.5]).all(axis=1))


@KINDS
def test_slabs_of_shapes_that_touch_overlap(shape: Any):
    directions = (*AXES, *DIAGONALS)
    for _ in range(20):
        one, other = pose_at(RNG), pose_at(RNG)
        a, b = (placed(pose, surface_points(shape, RNG, 1)) for pose in (one, other))
        to_point = a[0] - 0.999 * b[0] - 0.001 * np.array(list(other.position))
        other = Transform(other.rotation, other.position + Vector(*to_point))  # a point of one is now in the other
        assert slabs_meet(slabs(shape, one, directions), slabs(shape, other, directions))
    far = Transform(one.rotation, one.position + Vector(9.0, 0.0, 0.0))
    assert not slabs_meet(slabs(shape, one, directions), slabs(shape, far, directions))


def test_boxes_join_grow_and_sweep():
    box = axis_box(Sphere(0.5), STILL)
    swept = box.swept(Vector(2.0, -1.0, 0.0)).grown(0.25)
    assert list(swept.lower) == pytest.approx([-0.75, -1.75, -0.75])
    assert list(swept.upper) == pytest.approx([2.75, 0.75, 0.75])
    assert list(swept.nearest(Vector(9.0, 0.0, -9.0))) == pytest.approx([2.75, 0.0, -0.75])
    assert swept.meets(box)
    assert not box.meets(axis_box(Sphere(0.5), Transform(STILL.rotation, Vector(0.0, 0.0, 1.1))))


def test_a_ray_passes_through_a_box_between_its_samples():
    box, pose = Box((0.6, 1.0, 0.4)), pose_at(RNG, 0.2)
    start, motion = RNG.normal(size=(2, 3, 400))
    through = line_in_box(Vector(*start), Vector(*motion), oriented_box(box, pose))
    t = np.linspace(-3.0, 3.0, 6001)
    back = rows(pose.rotation).T
    own = np.einsum(
        "ij,jnt->int", back, (start - np.array(list(pose.position))[:, None])[:, :, None] + motion[:, :, None] * t
    )
    inside = (np.abs(own) <= np.array([0.3, 0.5, 0.2])[:, None, None]).all(axis=0)
    met = inside.any(axis=1)
    assert met.sum() > 15
    first, last = t[np.argmax(inside, axis=1)], t[5999 - np.argmax(inside[:, ::-1], axis=1) + 1]
    reached = met & (np.abs(first) < 2.9) & (np.abs(last) < 2.9)
    np.testing.assert_allclose(through.enter[reached], first[reached], atol=1.1e-3)
    np.testing.assert_allclose(through.leave[reached], last[reached], atol=1.1e-3)
    assert (through.enter <= through.leave)[met].all()


@pytest.mark.parametrize(("x", "inside"), [(0.0, True), (0.5, True), (0.6, False)])
def test_a_way_without_motion_passes_only_where_it_stands(x: float, inside: bool):
    box = oriented_box(Box((1.0, 1.0, 1.0)), STILL)
    assert line_in_box(Vector(x, 0.0, 0.0), Vector(0.0, 0.0, 0.0), box).overlaps() == inside
    assert line_in_box(Vector(x, -3.0, 0.0), Vector(0.0, 4.0, 0.0), box).overlaps() == inside
    assert not line_in_box(Vector(x, -3.0, 0.0), Vector(0.0, 2.0, 0.0), box).overlaps()


def test_bounds_are_the_same_on_lanes():
    box, other = SHAPES["box"], SHAPES["frustum"]

    def bounds(*x: Any) -> tuple[Any, ...]:
        turn, at = pose.rotation, Vector(*x)
        placed_box = axis_box(other, Transform(turn, at))
        met = oriented_boxes_meet(oriented_box(box, pose), oriented_box(other, Transform(turn, at)))
        return (*placed_box.lower, *placed_box.upper, where(met, 1.0, 0.0))

    pose = pose_at(RNG, 0.1)
    inputs = RNG.normal(scale=0.5, size=(3, 64))
    result = Program(ProgramSpec("bounds", bounds, (0.0, 0.0, 0.0)), "float64")(*(row[None] for row in inputs))
    for k in range(64):
        expected = bounds(*inputs[:, k].tolist())
        np.testing.assert_allclose([float(row[0, k]) for row in result], expected, rtol=0, atol=4 * ROUNDING_TOLERANCE)
    assert 5 < result[6].sum() < 60


def test_many_poses_at_once_equal_each_alone():
    many = poses(RNG, 50)
    box = axis_box(SHAPES["cone"], many)
    for k in range(50):
        turn = rows(many.rotation)[:, :, k]
        alone = axis_box(
            SHAPES["cone"], Transform(type(many.rotation).of(turn.tolist()), Vector(*(c[k] for c in many.position)))
        )
        np.testing.assert_allclose([c[k] for c in box.lower], list(alone.lower), atol=ROUNDING_TOLERANCE)
