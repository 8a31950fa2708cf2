"""Times at which balls meet shapes, against sampled distances, swept capsules in coal, and in borderline cases."""

from typing import Any

import coal
import numpy as np
import pytest
from numpy.typing import NDArray
from shapes import SHAPES, pose_at, rows

from gambol.collide.continuous import BallMotion, Hit, capsule_hit, plane_hit, sphere_hit, time_of_impact, triangle_hit
from gambol.collide.continuous.mesh import hull_table, nearest_on_hull
from gambol.collide.convex import PLANE, geom_of
from gambol.collide.gap import FAR
from gambol.collide.pairs.point import NEAREST
from gambol.errors import FigureError
from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Frustum, Hull, Sphere
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

Array = NDArray[np.float64]
RNG = np.random.default_rng(21)
KINDS = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
TOUCHING_TOLERANCE = 2e-13  # m: the bound on rounding that ends the search is 1e-14 of some 10 m
SAMPLES = np.linspace(0.0, 1.0, 201)


def ball_motions(count: int, radius: float) -> BallMotion:
    start, goal = RNG.normal(size=(2, 3, count)) * [[[1.0]], [[0.5]]]
    return BallMotion(Vector(*start), Vector(*(1.5 * (goal - start))), radius)


def distance(shape: Any, pose: Transform, p: Vector) -> Array:
    """Return the distance of points from the surface of a shape, negative inside."""
    geom, q = geom_of(shape), pose.rotation.transpose @ (p - pose.position)
    if geom.kind == "hull":
        return nearest_on_hull(hull_table(shape), q).distance
    if geom.kind in ("sphere", "capsule"):
        half = 0.5 * geom.sizes[1] if geom.kind == "capsule" else 0.0
        return (q - Vector(0.0, 0.0, np.clip(q.z, -half, half))).length() - geom.sizes[0]
    return NEAREST[geom.kind](geom, q).distance


@KINDS
@pytest.mark.parametrize("radius", [0.0, 0.15])
def test_a_ball_touches_at_its_time_of_impact_and_not_before(shape: Any, radius: float):
    pose, ball = pose_at(RNG, 0.2), ball_motions(700, radius)
    hit = time_of_impact(shape, pose, ball)
    gaps = np.array([distance(shape, pose, ball.at(t)) - radius for t in SAMPLES])
    inside, met = (gaps < -1e-9).any(axis=0), hit.touches
    assert met[inside].all()
    assert 20 < met.sum() < 690
    assert (hit.time[inside] <= SAMPLES[np.argmax(gaps < -1e-9, axis=0)][inside]).all()
    later = met & (hit.time > 0.0)
    at = distance(shape, pose, ball.at(np.where(met, hit.time, 0.0))) - radius
    np.testing.assert_allclose(at[later], 0.0, atol=TOUCHING_TOLERANCE)
    np.testing.assert_array_equal(hit.time[gaps[0] < -1e-9], 0.0)
    assert (hit.normal.dot(ball.motion)[later] < 0.0).all()
    np.testing.assert_allclose(hit.normal.length(), 1.0, rtol=1e-14)
    outside = (SAMPLES[:, None] < hit.time[later]) & True
    assert (gaps[:, later][outside] > -1e-9).all()


@KINDS
def test_the_normal_is_the_way_out(shape: Any):
    pose, ball, tiny = pose_at(RNG, 0.2), ball_motions(1000, 0.1), 1e-6
    hit = time_of_impact(shape, pose, ball)
    met = hit.touches & (hit.time > 0.0)
    at = ball.at(np.where(met, hit.time, 0.0))
    rise = distance(shape, pose, at + hit.normal * tiny) - distance(shape, pose, at)
    np.testing.assert_allclose(rise[met] / tiny, 1.0, atol=1e-4)


def in_coal(shape: Any) -> Any:
    if shape.kind == "box":
        return coal.Box(*shape.size)
    if shape.kind == "sphere":
        return coal.Sphere(shape.radius)
    if shape.kind == "capsule":
        return coal.Capsule(shape.radius, shape.length)
    if shape.kind == "cylinder":
        return coal.Cylinder(shape.radius, shape.length)
    return coal.Ellipsoid(*shape.radii)


def at_in_coal(pose: Transform) -> Any:
    return coal.Transform3s(rows(pose.rotation), np.array(list(pose.position)))


@pytest.mark.parametrize("name", ["box", "sphere", "capsule", "cylinder", "ellipsoid"])
def test_a_ball_hits_what_its_swept_capsule_hits_in_coal(name: str):
    shape, pose, outcomes = SHAPES[name], pose_at(RNG, 0.2), []
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    for _ in range(200):
        start, goal = RNG.normal(size=(2, 3)) * [[1.0], [0.5]]
        motion = goal - start
        hit = time_of_impact(shape, pose, BallMotion(Vector(*start), Vector(*motion), 0.1))
        turn = np.linalg.svd(motion[None])[2].T[:, ::-1]
        turn[:, 0] *= np.linalg.det(turn)
        swept = coal.Transform3s(turn, start + motion / 2)
        result.clear()
        capsule = coal.Capsule(0.1, float(np.linalg.norm(motion)))
        apart = coal.distance(in_coal(shape), at_in_coal(pose), capsule, swept, request, result)
        if abs(apart) > 1e-5:
            assert hit.touches == (apart < 0.0)
            outcomes.append(hit.touches)
    assert 10 < sum(outcomes) < 190


def test_a_ball_falls_on_a_plane():
    ball = BallMotion(Vector(0.3, 0.1, 1.0), Vector(1.0, 0.0, -2.0), 0.2)
    assert plane_hit(ball, Vector(0.0, 0.0, 1.0)) == Hit(0.4, Vector(0.0, 0.0, 1.0))
    assert plane_hit(ball, Vector(0.0, 0.0, 1.0), height=0.9).time == 0.0
    assert plane_hit(ball, Vector(0.0, 0.0, 1.0), height=-1.3).time == FAR
    assert plane_hit(ball, Vector(0.0, 0.0, -1.0), height=-1.3).time == FAR


def test_a_ray_hits_a_triangle_as_in_moller_and_trumbore():
    a, b, c = RNG.normal(size=(3, 3, 3000))
    start, motion = RNG.normal(size=(2, 3, 3000)) * 1.5
    hit = triangle_hit(BallMotion(Vector(*start), Vector(*motion)), (Vector(*a), Vector(*b), Vector(*c)))
    t, u, v = np.linalg.solve(np.stack([-motion, b - a, c - a], axis=1).transpose(2, 0, 1), (start - a).T[..., None])[
        ..., 0
    ].T
    met = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)
    np.testing.assert_array_equal(hit.touches, met)
    np.testing.assert_allclose(hit.time[met], t[met], atol=1e-9)
    assert met.sum() > 40


@pytest.mark.parametrize("far", [1.0, 1e3, 1e6])
def test_a_ball_shot_from_far_hits_where_it_should(far: float):
    ball = BallMotion(Vector(far, 0.3, 0.0), Vector(-2.0 * far, 0.0, 0.0), 0.1)
    found = sphere_hit(ball, Vector(0.0, 0.0, 0.0), 0.4).time
    assert (1.0 - 2.0 * found) * far == pytest.approx(0.4, abs=4e-16 * far)  # at (0.4, 0.3), 0.5 from the centre


@pytest.mark.parametrize("shape", [Sphere(0.5), Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0)], ids=lambda shape: shape.kind)
def test_what_moves_along_or_away_or_stands_does_not_hit(shape: Any):
    touching = Vector(0.75, 0.0, 0.0)
    for motion in (Vector(0.0, 0.0, 0.0), Vector(0.0, 0.2, 0.0), Vector(1.0, 0.0, 0.0)):
        assert time_of_impact(shape, IDENTITY_TRANSFORM, BallMotion(touching, motion, 0.25)).time == FAR
    assert time_of_impact(shape, IDENTITY_TRANSFORM, BallMotion(touching, Vector(-1e-3, 0.0, 0.0), 0.25)).time == 0.0
    inside = time_of_impact(shape, IDENTITY_TRANSFORM, BallMotion(Vector(0.7, 0.0, 0.0), Vector(1.0, 0.0, 0.0), 0.25))
    assert inside.time == 0.0
    assert list(inside.normal) == pytest.approx([1.0, 0.0, 0.0])


@pytest.mark.parametrize("shape", [Sphere(0.5), Box((1.0, 1.0, 1.0)), Cylinder(0.5, 1.0)], ids=lambda shape: shape.kind)
def test_what_grazes_hits_within_a_billionth(shape: Any):
    for offset, met in [(-1e-7, True), (1e-7, False)]:
        ball = BallMotion(Vector(-2.0, 0.75 + offset, 0.0), Vector(4.0, 0.0, 0.0), 0.25)
        assert time_of_impact(shape, IDENTITY_TRANSFORM, ball).touches == met


def test_a_ball_at_the_middle_parts_against_its_motion():
    ball = BallMotion(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 2.0), 0.1)
    hit = sphere_hit(ball, Vector(0.0, 0.0, 0.0), 0.4)
    assert (hit.time, list(hit.normal)) == (0.0, [0.0, 0.0, -1.0])


def resized(shape: Any, scale: float) -> Any:
    """The same shape of another size."""
    if shape.kind == "hull":
        return Hull(tuple(tuple(scale * x for x in vertex) for vertex in shape.vertices))
    sizes = [scale * x for x in shape.sizes]
    return type(shape)(tuple(sizes)) if shape.kind in ("box", "ellipsoid") else type(shape)(*sizes)


@KINDS
@pytest.mark.parametrize("scale", [1e-5, 1e4])
def test_the_time_of_impact_does_not_depend_on_the_scale(shape: Any, scale: float):
    pose, ball = pose_at(RNG, 0.2), ball_motions(300, 0.1)
    there = Transform(pose.rotation, pose.position * scale)
    found = time_of_impact(
        resized(shape, scale), there, BallMotion(ball.start * scale, ball.motion * scale, 0.1 * scale)
    )
    np.testing.assert_allclose(found.time, time_of_impact(shape, pose, ball).time, atol=1e-12)


SLIVERS = [
    Box((1.0, 0.01, 0.01)),
    Box((1.0, 1.0, 0.001)),
    Cylinder(0.001, 1.0),
    Cylinder(1.0, 0.001),
    Capsule(0.001, 1.0),
    Frustum(1e-6, 0.01, 1.0),
    Ellipsoid((1.0, 1.0, 0.001)),
    Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.001))),
]


@pytest.mark.parametrize("shape", SLIVERS, ids=lambda shape: shape.kind)
def test_slivers_are_hit_like_other_shapes(shape: Any):
    ball = ball_motions(400, 0.02)
    hit = time_of_impact(shape, IDENTITY_TRANSFORM, ball)
    gaps = np.array([distance(shape, IDENTITY_TRANSFORM, ball.at(t)) - 0.02 for t in SAMPLES])
    assert hit.touches[(gaps < -1e-9).any(axis=0)].all()
    later = hit.touches & (hit.time > 0.0)
    at = distance(shape, IDENTITY_TRANSFORM, ball.at(np.where(later, hit.time, 0.0))) - 0.02
    np.testing.assert_allclose(at[later], 0.0, atol=TOUCHING_TOLERANCE)
    assert later.sum() > 2


def test_a_geom_without_faces_is_refused():
    for geom in (PLANE, geom_of(SHAPES["hull"])):
        with pytest.raises(FigureError, match=f"Geom of a {geom.kind} has no time of impact"):
            time_of_impact(geom, IDENTITY_TRANSFORM, ball_motions(1, 0.1))


def test_a_capsule_without_length_is_a_ball():
    ball, at = ball_motions(500, 0.1), Vector(0.1, 0.2, -0.1)
    np.testing.assert_array_equal(capsule_hit(ball, at, at, 0.5).time, sphere_hit(ball, at, 0.5).time)


@KINDS
@pytest.mark.parametrize("broken", [np.nan, np.inf])
def test_what_is_not_a_number_hits_nothing(shape: Any, broken: float):
    for start, motion in ((broken, 1.0), (2.0, broken)):
        with np.errstate(invalid="ignore"):
            hit = time_of_impact(
                shape, IDENTITY_TRANSFORM, BallMotion(Vector(start, 0.1, 0.1), Vector(motion, 0.0, 0.0), 0.1)
            )
        assert not hit.touches


@KINDS
def test_lanes_find_what_floats_find(shape: Any):
    pose = pose_at(RNG, 0.2)

    def sample(*x: Any) -> tuple[Any, ...]:
        hit = time_of_impact(shape, pose, BallMotion(Vector(*x[:3]), Vector(*x[3:]), 0.15))
        return (hit.time, *hit.normal)

    ball = ball_motions(64, 0.15)
    inputs = np.array([*ball.start, *ball.motion])
    found = np.array(
        [row[0] for row in Program(ProgramSpec("impact", sample, (0.0,) * 6), "float64")(*(r[None] for r in inputs))]
    )
    expected = np.array([sample(*column) for column in inputs.T.tolist()]).T
    np.testing.assert_array_equal(found[0] <= 1.0, expected[0] <= 1.0)
    np.testing.assert_allclose(found[0], expected[0], atol=1e-11)  # rounding of the gap over the speed
    hit = found[0] <= 1.0
    np.testing.assert_allclose(found[1:, hit], expected[1:, hit], atol=1e-9)
    assert 3 < hit.sum() < 60
