"""Hulls: corners, merged faces and integrals against closed forms and scipy."""

import itertools
import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from gambol.errors import FigureError
from gambol.figure import Box, Hull, Part, mirrored_part, rotation_about
from gambol.figure.shapes.hull import hull_from_sizes

CUBE = tuple(itertools.product((-1.0, 1.0), repeat=3))
GOLDEN = (1 + math.sqrt(5)) / 2
DODECAHEDRON = (
    *CUBE,
    *(
        tuple(np.roll((0.0, a / GOLDEN, b * GOLDEN), k).tolist())
        for k in range(3)
        for a, b in itertools.product((-1.0, 1.0), repeat=2)
    ),
)


def cloud(seed: int, count: int = 60) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.normal(size=(count, 3)) * random.uniform(0.05, 2.0, size=3) + random.normal(size=3)


def hull(points) -> Hull:
    return Hull(tuple(map(tuple, np.asarray(points, float).tolist())))


@pytest.mark.parametrize(
    ("points", "counts"),
    [
        (CUBE, (8, 12, 6)),
        (DODECAHEDRON, (20, 30, 12)),
        ((*CUBE, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.5, 1.0, 0.2)), (8, 12, 6)),
        (((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), (4, 6, 4)),
    ],
)
def test_faces_are_whole_and_points_within_them_or_their_sides_are_left_out(points, counts):
    body = hull(points)
    assert (len(body.vertices), len(body.edges), len(body.faces)) == counts


@pytest.mark.parametrize("seed", range(20))
def test_surfaces_are_closed_and_convex(seed):
    body = hull(cloud(seed))
    places = np.array(body.vertices)
    assert len(body.vertices) - len(body.edges) + len(body.faces) == 2
    sides = [s for face in body.faces for s in zip(face, (*face[1:], face[0]), strict=True)]
    assert len(set(sides)) == len(sides)
    assert {(b, a) for a, b in sides} == set(sides)
    for a, b, c in (places[list(face[:3])] for face in body.faces):
        assert ((places - a) @ np.cross(b - a, c - a)).max() <= 1e-12
    assert all(face[0] == min(face) for face in body.faces)
    assert list(body.vertices) == sorted(body.vertices)
    assert body.volume == pytest.approx(ConvexHull(cloud(seed)).volume, rel=1e-12)


def test_hulls_are_equal_where_their_corners_are_in_any_order():
    points = cloud(1)
    again = hull(np.random.default_rng(0).permutation(points))
    assert again == hull(points)
    assert again.faces == hull(points).faces
    assert hash(again) == hash(hull(points))
    assert hull_from_sizes(again.sizes) == again
    assert Hull(again.vertices).faces == again.faces


def test_a_cube_of_corners_weighs_what_a_box_does():
    found = hull(np.array(CUBE) * (0.1, 0.2, 0.3)).mass_properties(700.0)
    expected = Box((0.2, 0.4, 0.6)).mass_properties(700.0)
    assert found.mass == pytest.approx(expected.mass, rel=1e-14)
    np.testing.assert_allclose(found.com, 0.0, atol=1e-15)
    np.testing.assert_allclose(found.inertia, expected.inertia, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_hulls_weigh_what_their_tetrahedra_do(seed):
    """Each tetrahedron by quadrature: four points are exact to degree 2 [Hammer and Stroud 1956]."""
    body, apex = hull(cloud(seed)), np.array([0.3, -0.2, 0.1])
    a, b = (5 - math.sqrt(5)) / 20, (5 + 3 * math.sqrt(5)) / 20
    places, volumes = [], []
    for triangle in body.triangles:
        corners = np.array([apex, *(body.vertices[k] for k in triangle)])
        volumes += [np.linalg.det(corners[1:] - apex) / 6 / 4] * 4
        places += list(((b - a) * np.eye(4) + a) @ corners)
    x, m = np.array(places), 900.0 * np.array(volumes)
    com = m @ x / m.sum()
    second = np.einsum("n,ni,nj->ij", m, x - com, x - com)
    found = body.mass_properties(900.0)
    np.testing.assert_allclose([found.mass, *found.com], [m.sum(), *com], rtol=1e-11)
    np.testing.assert_allclose(found.inertia, np.trace(second) * np.eye(3) - second, rtol=1e-9, atol=1e-11 * found.mass)


def test_slivers_are_hulls():
    thin = hull(cloud(3) * (1.0, 1.0, 1e-4))
    assert thin.volume == pytest.approx(ConvexHull(cloud(3) * (1.0, 1.0, 1e-4)).volume, rel=1e-6)
    assert hull(np.array(CUBE) * (1.0, 1.0, 0.01)).volume == pytest.approx(0.08)


def test_corners_as_a_file_of_single_precision_has_them_make_whole_faces():
    turned = np.array(CUBE) @ np.array(rotation_about("x", 0.3)) @ np.array(rotation_about("z", 1.1)) + 5.0
    assert len(hull(turned.astype(np.float32)).faces) == 6


@pytest.mark.parametrize("kind", ["edges rounded by hairs", "drum of a thousand sides"])
def test_what_is_rounded_finely_is_closed_in_single_precision_too(kind: str):
    """Merged faces with a tolerance of a millionth would not be closed: they go round the edges."""
    ball = np.random.default_rng(4).normal(size=(3000, 3))
    ball /= np.linalg.norm(ball, axis=1, keepdims=True)
    if kind == "edges rounded by hairs":
        points = 2e-4 * ball + np.sign(ball[::-1]) * (0.3, 0.2, 0.05)
    else:
        points = np.column_stack([np.cos(50 * ball[:, 0]), np.sin(50 * ball[:, 0]), ball[:, 2]])
    body = hull(points.astype(np.float32))
    assert len(body.vertices) - len(body.edges) + len(body.faces) == 2
    assert body.volume == pytest.approx(ConvexHull(points).volume, rel=1e-5)


def test_contact_points_are_corners_of_which_many_are_thinned_out():
    assert [p.position for p in hull(CUBE).contact_points()] == sorted(CUBE)
    random = np.random.default_rng(0).normal(size=(500, 3))
    ball = hull(random / np.linalg.norm(random, axis=1, keepdims=True))
    points = ball.contact_points()
    assert 20 <= len(points) <= 26
    assert {p.position for p in points} <= set(ball.vertices)


def test_the_mirror_image_of_a_hull_has_its_corners_on_the_other_side():
    part = Part(hull(cloud(2)), (0.1, 0.2, 0.3), rotation_about("x", 0.4))
    other = mirrored_part(part)
    assert mirrored_part(other) == part
    m, n = part.mass_properties(), other.mass_properties()
    np.testing.assert_allclose(np.array(m.com) * (1, -1, 1), n.com, rtol=1e-10)


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ((), "made of 0 different points"),
        ((CUBE[0],) * 9, "made of 1 different points"),
        ([(x, y, 0.0) for x, y, _ in CUBE[::2]] * 2 + [(0.3, 0.1, 0.0)], "lie in a plane|different points"),
        ([(x, x, x) for x in range(6)], "lie in a plane"),
        ((*CUBE, (math.nan, 0.0, 0.0)), "not finite"),
        ((*CUBE, (math.inf, 0.0, 0.0)), "not finite"),
        (((0.0, 0.0), (1.0, 0.0)), "not made of three numbers"),
        ([(x, y, 1e-8 * z) for x, y, z in CUBE], "lie in a plane"),
    ],
)
def test_points_without_a_hull_are_refused_by_name(points, why):
    with pytest.raises(FigureError, match=why):
        Hull(tuple(points))
