"""Points inside polygons and polyhedra, against matplotlib's and scipy's, and against volumes."""

import numpy as np
from matplotlib.path import Path
from scipy.spatial import ConvexHull, Delaunay

from gambol.collide.continuous import in_convex, in_polygon, in_polyhedron, winding_number
from gambol.lanes import Program, ProgramSpec, where
from gambol.spatial import Vector

RNG = np.random.default_rng(12)


def star(points: int = 7) -> np.ndarray:
    """Return a polygon with corners alternately far and near."""
    angle = np.pi * np.arange(2 * points) / points
    radius = np.where(np.arange(2 * points) % 2, 0.35, 1.0)
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def corners(hull: ConvexHull) -> list[tuple[Vector, Vector, Vector]]:
    """Return the triangles of a hull, anticlockwise seen from outside."""
    middle, result = hull.points[hull.vertices].mean(axis=0), []
    for a, b, c in hull.points[hull.simplices]:
        outward = np.cross(b - a, c - a) @ (a - middle) > 0.0
        result.append(tuple(Vector(*p.tolist()) for p in ((a, b, c) if outward else (a, c, b))))
    return result


def test_points_in_a_star_are_those_of_its_path():
    polygon, (x, y) = star(), RNG.uniform(-1.1, 1.1, size=(2, 4000))
    result = in_polygon((x, y), [tuple(p) for p in polygon.tolist()])
    np.testing.assert_array_equal(result, Path(polygon).contains_points(np.stack([x, y], axis=1)))
    assert 500 < result.sum() < 3500


def test_of_two_polygons_with_a_common_edge_one_holds_a_point_on_it():
    left, right = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], [(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0)]
    for y in (0.0, 0.25, 0.5):
        assert in_polygon((1.0, y), left) + in_polygon((1.0, y), right) == 1


def test_points_in_a_convex_polyhedron_are_those_of_its_tetrahedra():
    cloud = RNG.normal(size=(12, 3))
    triangles, points = corners(ConvexHull(cloud)), RNG.normal(size=(3, 3000))
    inside = Delaunay(cloud).find_simplex(points.T) >= 0
    np.testing.assert_array_equal(in_convex(Vector(*points), triangles), inside)
    np.testing.assert_array_equal(in_polyhedron(Vector(*points), triangles), inside)
    assert 200 < inside.sum() < 2800


def test_the_winding_number_of_a_point_inside_is_1():
    triangles, points = corners(ConvexHull(RNG.normal(size=(30, 3)))), RNG.normal(size=(3, 500))
    turns = winding_number(Vector(*points), triangles)
    np.testing.assert_allclose(turns, np.round(turns), atol=1e-12)


def test_the_hollow_of_a_concave_body_is_outside():
    x, y = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    rim = [Vector(float(a), float(b), 0.0) for a, b in zip(x, y, strict=True)]
    tip, dent = Vector(0.0, 0.0, 2.0), Vector(0.0, 0.0, 1.0)  # a tent with a floor pushed up inside
    sides = [(rim[k], rim[(k + 1) % 4]) for k in range(4)]
    tent = [(a, b, tip) for a, b in sides] + [(b, a, dent) for a, b in sides]
    points = RNG.uniform([-1, -1, 0], [1, 1, 2], size=(20000, 3)).T
    outer, inner = (np.abs(points[:2]).max(axis=0) <= 1 - points[2] / height for height in (2.0, 1.0))
    np.testing.assert_array_equal(in_polyhedron(Vector(*points), tent), outer & ~inner)


def test_a_margin_widens_a_convex_body():
    triangles = corners(ConvexHull(np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1).T))
    assert in_convex(Vector(1.0, 0.0, 0.0), triangles)
    assert not in_convex(Vector(1.05, 0.0, 0.0), triangles)
    assert in_convex(Vector(1.05, 0.0, 0.0), triangles, margin=0.1)


def test_lanes_count_as_floats_do():
    polygon, triangles = [tuple(p) for p in star().tolist()], corners(ConvexHull(RNG.normal(size=(8, 3))))

    def sample(x, y, z):
        return (where(in_polygon((x, y), polygon), 1.0, 0.0), winding_number(Vector(x, y, z), triangles))

    points = RNG.normal(scale=0.6, size=(3, 64))
    result = Program(ProgramSpec("inside", sample, (0.0,) * 3), "float64")(*(row[None] for row in points))
    expected = np.array([sample(*p) for p in points.T.tolist()]).T
    np.testing.assert_allclose([row[0] for row in result], expected, atol=1e-12)
