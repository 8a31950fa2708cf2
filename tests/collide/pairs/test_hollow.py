"""Gaps of pipes and height fields against points sampled on their surfaces."""

import numpy as np
import pytest

from gambol.collide.broad import axis_box, ball, near
from gambol.collide.broad.support_extent import support_extent
from gambol.collide.gap import FAR
from gambol.collide.pairs import PAIRS, gaps, slots
from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Frustum, HeightField, Hull, Pipe, Sphere
from gambol.figure.shapes.hollow import field_triangles
from gambol.spatial import Quaternion, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

PIPE = Pipe(0.3, 0.4, 0.8)
BALL = 0.05


def pose(random: np.random.Generator, place) -> Transform:
    turn = random.normal(size=4)
    return Transform(Quaternion(*(turn / np.linalg.norm(turn)).tolist()).rotation(), Vector(*map(float, place)))


def surface_of_pipe(n: int) -> np.ndarray:
    """Points (k, 3) on the wall inside and outside, and on both ends."""
    turn = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    walls = [(radius, z) for radius in (0.3, 0.4) for z in np.linspace(-0.4, 0.4, n // 2)]
    ends = [(radius, z) for radius in np.linspace(0.3, 0.4, 20) for z in (-0.4, 0.4)]
    return np.concatenate([np.column_stack([ring * rho, np.full(n, z)]) for rho, z in (*walls, *ends)])


def test_a_ball_is_as_far_from_a_pipe_as_the_nearest_point():
    """In the half plane through the axis and the ball, where the nearest point lies."""
    x, t = np.linspace(0.3, 0.4, 2000), np.linspace(-0.4, 0.4, 8000)
    sides = [np.column_stack([np.full(8000, rho), t]) for rho in (0.3, 0.4)]
    points = np.concatenate([*sides, *(np.column_stack([x, np.full(2000, z)]) for z in (-0.4, 0.4))])
    random = np.random.default_rng(3)
    for _ in range(200):
        at, centre = pose(random, random.normal(size=3)), random.uniform(-0.6, 0.6, 3)
        (gap,) = gaps(Sphere(BALL), Transform(at.rotation, at @ Vector(*centre)), PIPE, at)
        rho = np.hypot(*centre[:2])
        distance = np.linalg.norm(points - (rho, centre[2]), axis=1).min()
        inside = 0.3 < rho < 0.4 and abs(centre[2]) < 0.4
        np.testing.assert_allclose(gap.size + BALL, -distance if inside else distance, atol=6e-5)
        np.testing.assert_allclose((gap.point_a - gap.point_b).dot(gap.normal), gap.size, atol=1e-12)
        np.testing.assert_allclose(gap.normal.length(), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    "shape", [Box((0.2, 0.1, 0.3)), Cylinder(0.05, 0.3), Frustum(0.05, 0.02, 0.3), Capsule(0.05, 0.2)]
)
def test_a_shape_within_a_pipe_touches_with_its_outermost_point(shape):
    """The points of a convex body that are nearest to the wall are corners, or on rims or ends."""
    random = np.random.default_rng(1)
    for _ in range(20):
        at = Transform(pose(random, (0.0, 0.0, 0.0)).rotation, Vector(0.15, 0.0, 0.0))
        result = min(gap.size for gap in gaps(shape, at, PIPE, IDENTITY_TRANSFORM))
        rims = [(point, ball) for point, ball in shape.contact_points()]
        outermost = max(np.hypot((at @ Vector(*p)).x, (at @ Vector(*p)).y) + ball for p, ball in rims)
        assert result <= 0.3 - outermost + 5e-3
        assert result >= 0.3 - outermost - 8e-3


def test_a_pipe_is_solid_from_outside():
    """A box on its outside, and one on its end that is wider than the bore."""
    same = IDENTITY_TRANSFORM
    beside = gaps(Box((0.2, 0.2, 0.2)), Transform(same.rotation, Vector(0.51, 0.0, 0.0)), PIPE, same)
    np.testing.assert_allclose(min(gap.size for gap in beside), 0.01, atol=1e-6)
    above = gaps(Box((0.7, 0.7, 0.2)), Transform(same.rotation, Vector(0.0, 0.0, 0.52)), PIPE, same)
    np.testing.assert_allclose(min(gap.size for gap in above), 0.02, atol=1e-6)


def test_a_ball_is_as_far_from_a_height_field_as_its_triangles():
    """Includes a ball that covers many cells of a hollow: the nearest point is then far from below its centre."""
    place = np.linspace(-0.3, 0.3, 61)
    field = HeightField(tuple(map(tuple, (place[:, None] ** 2 + 0.5 * place**2).tolist())), 0.01, 0.1)
    corners = field_triangles(field.heights, 0.01, 0.1)[: 2 * 60 * 60]
    weights = np.array([(i, j, 6 - i - j) for i in range(7) for j in range(7 - i)]) / 6.0
    points = np.einsum("wk,tkx->twx", weights, corners).reshape(-1, 3)
    random = np.random.default_rng(2)
    for _ in range(20):
        x, y = random.uniform(-0.15, 0.15, 2)
        at, centre = pose(random, random.normal(size=3)), np.array([x, y, x * x + 0.5 * y * y + 0.12])
        (gap,) = gaps(Sphere(0.1), Transform(at.rotation, at @ Vector(*centre)), field, at)
        np.testing.assert_allclose(gap.size + 0.1, np.linalg.norm(points - centre, axis=1).min(), atol=3e-5)


def test_a_height_field_is_touched_only_from_above():
    field, same = HeightField(((0.0, 0.0), (0.0, 0.0)), 1.0, 0.2), IDENTITY_TRANSFORM
    for x, z, touched in ((0.0, 0.1, True), (0.6, 0.1, False), (0.0, -0.1, True), (0.0, -0.3, False)):
        (gap,) = gaps(Sphere(0.2), Transform(same.rotation, Vector(x, 0.0, z)), field, same)
        assert (gap.size < FAR) == touched
    corners = gaps(Box((0.2, 0.2, 0.2)), Transform(same.rotation, Vector(0.0, 0.0, 0.15)), field, same)
    np.testing.assert_allclose([gap.size for gap in corners], 0.05, atol=1e-12)


SHAPES = [
    Sphere(0.1), Capsule(0.1, 0.2), Box((0.1, 0.2, 0.3)), Cylinder(0.1, 0.2), Cylinder(0.1, 0.0),
    Frustum(0.1, 0.2, 0.3), Ellipsoid((0.1, 0.2, 0.3)), Hull(((0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1))), PIPE,
    HeightField(((0.0, 0.1), (0.2, 0.0)), 0.5, 0.1),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("other", SHAPES)
def test_any_two_shapes_have_the_gaps_of_the_table(shape, other):
    random = np.random.default_rng(4)
    result = gaps(shape, pose(random, random.normal(size=3)), other, pose(random, random.normal(size=3)))
    assert len(result) == slots(shape.kind, other.kind)
    for gap in result:
        assert np.isfinite([*gap.point_a, *gap.point_b, *gap.normal, gap.size]).all()


def test_a_ball_beside_a_disc_in_its_plane_is_outside():
    same = IDENTITY_TRANSFORM
    for x, z, size in ((0.3, 0.0, 0.05), (0.0, 0.2, 0.15), (0.1, -0.01, -0.04), (0.23, 0.04, 0.0)):
        (gap,) = gaps(Sphere(0.05), Transform(same.rotation, Vector(x, 0.0, z)), Cylinder(0.2, 0.0), same)
        np.testing.assert_allclose(gap.size, size, atol=1e-12)
        np.testing.assert_allclose(gap.normal.length(), 1.0, atol=1e-12)


def test_every_pair_is_there():
    kinds = {shape.kind for shape in SHAPES}
    assert all((a, b) in PAIRS or (b, a) in PAIRS for a in kinds for b in kinds)


@pytest.mark.parametrize("shape", [PIPE, HeightField(((0.0, 0.4), (0.2, 0.0)), 0.5, 0.1)])
def test_bounds_hold_the_whole_surface(shape):
    random = np.random.default_rng(5)
    local = surface_of_pipe(60) if shape is PIPE else field_triangles(shape.heights, 0.5, 0.1).reshape(-1, 3)
    for _ in range(10):
        at, way = pose(random, random.normal(size=3)), Vector(*random.normal(size=3).tolist())
        points = [at @ Vector(*p) for p in local.tolist()]
        bound, box = ball(shape, at), axis_box(shape, at)
        assert max((p - bound.centre).length() for p in points) <= bound.radius + 1e-12
        assert max(way.dot(p) for p in points) <= support_extent(shape, at, way) + 1e-12
        for p in points:
            assert all(a - 1e-12 <= x <= b + 1e-12 for a, x, b in zip(box.lower, p, box.upper, strict=True))
        assert near(Sphere(1e-3), Transform(at.rotation, points[0]), shape, at)
