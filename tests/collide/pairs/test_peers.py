"""Gaps against coal's, for thousands of separate pairs of bodies, and against SciPy's and trimesh's nearest points."""

from typing import Any

import coal
import numpy as np
import pytest
import trimesh
from solids import HULL, Bodies, GapArrays, bodies

from gambol.collide.gap import FAR

COUNT = 1000
COALS_OWN = 1e-6  # coal ends its own search at that; of balls, capsules and boxes it knows closed forms


def in_coal(body: Bodies, k: int) -> Any:
    """The k-th body as coal's shape."""
    s = body.sizes[:, k]
    match body.kind:
        case "sphere":
            return coal.Sphere(s[0])
        case "capsule":
            return coal.Capsule(s[0], s[1])
        case "box":
            return coal.Box(*s)
        case "cylinder":
            return coal.Cylinder(s[0], s[1])
        case "ellipsoid":
            return coal.Ellipsoid(*s)
        case "plane":
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    points.extend([np.array(v) for v in HULL.vertices])
    triangles.extend([coal.Triangle(*t) for t in HULL.triangles])
    return coal.Convex(points, triangles)


def distances(first: Bodies, second: Bodies) -> np.ndarray:
    """Return coal's distance of each pair; negative where it finds an overlap."""
    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    request.gjk_tolerance, request.gjk_max_iterations = 1e-10, 500
    answers: list[float] = []
    for k in range(len(first.p)):
        shapes = [in_coal(body, k) for body in (first, second)]
        poses = [coal.Transform3s(body.R[k], body.p[k]) for body in (first, second)]
        answers.append(coal.distance(shapes[0], poses[0], shapes[1], poses[1], request, coal.DistanceResult()))
    return np.array(answers)


def two(a: str, b: str, spread: float = 0.9) -> tuple[Bodies, Bodies]:
    rng = np.random.default_rng(7)
    return bodies(a, COUNT, rng, spread), bodies(b, COUNT, rng, spread)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sphere", "plane"),
        ("capsule", "plane"),
        ("box", "plane"),
        ("cylinder", "plane"),
        ("sphere", "sphere"),
        ("sphere", "capsule"),
        ("sphere", "box"),
        ("capsule", "capsule"),
        ("capsule", "box"),
    ],
)
def test_closed_forms_give_coals_distances_apart_and_overlapping(a: str, b: str):
    first, second = two(a, b)
    theirs = distances(first, second)
    np.testing.assert_allclose(GapArrays.between(first, second).least, theirs, atol=1e-9)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ellipsoid", "plane"),
        ("sphere", "cylinder"),
        ("sphere", "ellipsoid"),
        ("sphere", "hull"),
        ("capsule", "cylinder"),
        ("capsule", "ellipsoid"),
        ("box", "box"),
        ("box", "hull"),
        ("box", "ellipsoid"),
        ("cylinder", "cylinder"),
        ("cylinder", "hull"),
        ("ellipsoid", "ellipsoid"),
        ("hull", "hull"),
    ],
)
def test_of_bodies_apart_coal_finds_the_same_distance(a: str, b: str):
    first, second = two(a, b)
    theirs, f = distances(first, second), GapArrays.between(first, second)
    apart = theirs > COALS_OWN
    assert apart.sum() > COUNT // 4
    assert np.abs(f.least - theirs)[apart].max() < COALS_OWN
    assert f.deepest(f.residual)[apart].max() < 1e-9


def test_the_depth_of_boxes_is_that_of_the_best_of_fifteen_axes():
    first, second = two("box", "box", 0.25)
    axes = [*first.R.transpose(2, 0, 1), *second.R.transpose(2, 0, 1)]
    axes += [np.cross(x, y) for x in axes[:3] for y in axes[3:6]]
    apart = np.full(COUNT, -np.inf)
    for axis in axes:
        n = axis / np.maximum(np.linalg.norm(axis, axis=1), 1e-9)[:, None]
        for way in (n, -n):
            apart = np.maximum(apart, -first.highest(-way) - second.highest(way))
    overlap = apart < -1e-6
    assert overlap.sum() > COUNT // 3
    np.testing.assert_allclose(GapArrays.between(first, second).least[overlap], apart[overlap], atol=1e-9)


@pytest.mark.parametrize(("a", "b"), [("cylinder", "cylinder"), ("box", "ellipsoid"), ("frustum", "hull")])
def test_shallow_overlaps_of_any_kinds_are_as_deep_as_they_were_made(a: str, b: str):
    """Separate bodies are moved together by their gap and a further depth: no separation is longer than that depth."""
    first, second = two(a, b, 1.2)
    f = GapArrays.between(first, second)
    apart = f.least > 1e-3
    for depth in (1e-2, 1e-4, 1e-6):
        nearer = first.moved(-(f.least + depth)[:, None] * f.deepest(f.normal))
        least = GapArrays.between(nearer, second).least[apart]
        assert (least > -depth - 1e-7).mean() > 0.99
        assert (least > -1.5 * depth - 1e-5).all()


def test_no_direction_parts_deep_overlaps_by_much_less_than_was_found():
    """A thousand directions each: the separation found is seldom longer than the best, and then by little."""
    rng = np.random.default_rng(8)
    first, second = two("cylinder", "ellipsoid", 0.3)
    least = GapArrays.between(first, second).least
    best = np.full(COUNT, -np.inf)
    for _ in range(1000):
        n = rng.normal(size=(COUNT, 3))
        n /= np.linalg.norm(n, axis=1)[:, None]
        best = np.maximum(best, -first.highest(-n) - second.highest(n))
    overlap = best < -0.01
    longer = (best - least)[overlap] / -best[overlap]
    assert (longer < 1e-3).mean() > 0.97
    assert longer.max() < 0.3


def test_balls_touch_a_hull_at_the_nearest_point_of_trimesh():
    rng = np.random.default_rng(9)
    ball, hull = bodies("sphere", COUNT, rng, 0.5), bodies("hull", COUNT, rng, 0.1)
    f = GapArrays.between(ball, hull)
    mesh = trimesh.Trimesh(np.array(HULL.vertices), np.array(HULL.triangles), process=False)
    local = np.einsum("nij,ni->nj", hull.R, ball.p - hull.p)
    _, distance, _ = trimesh.proximity.closest_point_naive(mesh, local)
    inside = (np.einsum("fi,nfi->nf", mesh.face_normals, local[:, None] - mesh.triangles[:, 0]) < 0.0).all(axis=1)
    signed = np.where(inside, -distance, distance)
    assert 50 < inside.sum() < COUNT - 50
    np.testing.assert_allclose(f.least, signed - ball.sizes[0], atol=1e-8)
    assert (f.size < FAR).all()
