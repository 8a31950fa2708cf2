"""Overlaps of facets: the corners of the common area, against clipping by SciPy's half spaces."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull, HalfspaceIntersection

from gambol.collide.convex import Geom, geom_of
from gambol.collide.convex.facet import Facet, facet
from gambol.collide.convex.manifold import line_manifold, manifold
from gambol.collide.gap import FAR
from gambol.figure import Hull
from gambol.spatial import Vector

UP = Vector(0.0, 0.0, 1.0)


def quadrilateral(rng: np.random.Generator, z: float) -> np.ndarray:
    """A convex quadrilateral at a height, about a place near the origin."""
    angles = np.arange(4) * np.pi / 2 + rng.uniform(-0.5, 0.5, 4)
    radius, x, y = rng.uniform(0.6, 1.0), *rng.uniform(-0.4, 0.4, 2)
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles), np.full(4, z)])


def facet_of(points: np.ndarray, thin: float = 0.0) -> Facet:
    p, q, r, s = (Vector(*map(float, x)) for x in points)
    return Facet((p, q, r, s), thin)


def half_planes(points: np.ndarray) -> np.ndarray:
    return ConvexHull(points[:, :2]).equations


def test_the_gaps_of_random_facets_are_the_corners_of_their_common_area():
    rng = np.random.default_rng(0)
    for _ in range(60):
        upper, lower = quadrilateral(rng, 0.1), quadrilateral(rng, 0.0)
        common = HalfspaceIntersection(np.vstack([half_planes(upper), half_planes(lower)]), middle(upper, lower))
        corners = ConvexHull(common.intersections)
        result = [g for g in manifold(UP, facet_of(upper), facet_of(lower)) if g.size < FAR]
        places = np.array([[g.point_a.x, g.point_a.y] for g in result])
        assert ConvexHull(places).volume == pytest.approx(corners.volume, abs=1e-8)
        assert len(result) == len(corners.vertices)
        for g in result:
            assert g.size == pytest.approx(0.1, abs=1e-12)


def middle(upper: np.ndarray, lower: np.ndarray) -> np.ndarray:
    """Return a point inside both, by trial: both contain their own centres and overlap widely."""
    tries = np.random.default_rng(0).uniform(-1.5, 1.5, (20000, 2))
    inside = np.ones(len(tries), bool)
    slack = np.full(len(tries), np.inf)
    for equations in (half_planes(upper), half_planes(lower)):
        for a, b, c in equations:
            value = -(tries @ [a, b] + c)
            inside &= value > 0.0
            slack = np.minimum(slack, value)
    return tries[np.argmax(np.where(inside, slack, -np.inf))]


def test_facets_that_do_not_lie_over_each_other_have_no_gap():
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    assert all(g.size == FAR for g in manifold(UP, facet_of(square + np.array([3.0, 0.0, 0.1])), facet_of(square)))


def test_a_tilted_facet_is_measured_along_the_normal_to_the_reference():
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    tilted = 0.5 * square
    tilted[:, 2] = 0.2 + 0.3 * tilted[:, 0]
    result = [g for g in manifold(UP, facet_of(tilted), facet_of(square)) if g.size < FAR]
    assert len(result) == 4
    for g in result:
        assert g.size == pytest.approx(0.2 + 0.3 * g.point_a.x, abs=1e-12)
        assert g.point_b.z == pytest.approx(0.0, abs=1e-12)


def test_a_line_over_a_facet_is_cut_at_its_sides():
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    ends = np.array([[0.3, 0.2, 0.1], [3.0, 0.2, 0.1], [3.0, 0.2, 0.1], [0.3, 0.2, 0.1]])
    result = line_manifold(UP, facet_of(ends, 1.0), facet_of(square))
    np.testing.assert_allclose(sorted(g.point_a.x for g in result), [0.3, 1.0], atol=1e-9)


@pytest.mark.parametrize("kind", ["box", "cylinder", "frustum", "hull"])
def test_facets_face_the_direction_and_lie_on_the_body(kind: str):
    rng = np.random.default_rng(1)
    prism = Hull(tuple((x, y, z) for x in (-0.3, 0.3) for y in (-0.4, 0.4) for z in (-0.2, 0.2)))
    form = (
        geom_of(prism)
        if kind == "hull"
        else Geom(kind, {"box": (0.6, 0.8, 0.4), "cylinder": (0.3, 0.8), "frustum": (0.3, 0.2, 0.8)}[kind])
    )
    for d in rng.normal(size=(40, 3)):
        d /= np.linalg.norm(d)
        result = facet(form, Vector(*map(float, d)))
        points = np.array([list(p) for p in result.corners])
        best = max(float(d @ p) for p in points)
        if result.thin < 0.5:
            n = np.array(list(result.normal))
            assert abs(n @ d) > 0.5
            assert np.ptp(points @ n) < 1e-12
        assert best > 0.0
