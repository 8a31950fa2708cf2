"""Searches for distance and depth: residuals in easy, touching and degenerate cases."""

import numpy as np
import pytest
from scipy.optimize import minimize
from solids import Bodies, GapArrays, bodies

from gambol.collide.convex import Geom, depth, distance
from gambol.collide.convex.contact import separation
from gambol.collide.pairs import gaps
from gambol.spatial import Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM
from gambol.spatial.rotation import IDENTITY

COUNT = 300


def apart(kind: str, seed: int = 0) -> tuple[Bodies, Bodies]:
    rng = np.random.default_rng(seed)
    first, second = bodies(kind, COUNT, rng), bodies(kind, COUNT, rng)
    return first, second.moved(np.array([2.5, 0.0, 0.0]))


def test_the_bounds_of_a_distance_close_on_each_other():
    for kind in ("box", "cylinder", "frustum", "ellipsoid", "hull"):
        f = GapArrays.between(*apart(kind))
        clear = f.least > 1e-3
        assert f.residual[0, clear].max() < 1e-10


def test_only_a_search_that_is_cut_short_is_flagged(monkeypatch: pytest.MonkeyPatch):
    first, second = apart("ellipsoid")
    sure = GapArrays.between(first, second)
    monkeypatch.setattr(distance, "MAX_STEPS", 6.0)
    rough = GapArrays.of(gaps(first.geom, first.pose, second.geom, second.pose), COUNT)
    clear = sure.least > 1e-3
    error = np.abs(rough.least - sure.least)[clear]
    assert error.max() > 1e-6
    assert (error <= rough.residual[0, clear] + 1e-12).all()
    done = rough.residual[0] < 1e-10
    assert done.any()
    np.testing.assert_allclose(rough.least[done & clear], sure.least[done & clear], atol=1e-10)


def test_a_descent_that_is_cut_short_is_flagged(monkeypatch: pytest.MonkeyPatch):
    rng = np.random.default_rng(3)
    first, second = bodies("ellipsoid", COUNT, rng, 0.1), bodies("ellipsoid", COUNT, rng, 0.1)
    sure = GapArrays.between(first, second)  # before the change, which a program compiled later would have, too
    monkeypatch.setattr(depth, "MAX_FACES", 1.0)
    rough = GapArrays.of(gaps(first.geom, first.pose, second.geom, second.pose), COUNT)
    shorter = sure.least - rough.least > 1e-6
    assert shorter.any()
    assert (rough.residual[0, shorter] > 1e-6).all()


def test_tilted_ellipsoids_are_as_far_apart_as_a_minimiser_finds_them():
    first, second = (body.one(5) for body in apart("ellipsoid", 1))
    ends = [(body.R[0] * body.sizes[:, 0], body.p[0]) for body in (first, second)]

    def between(x: np.ndarray) -> float:
        unit = [y / max(1.0, float(np.linalg.norm(y))) for y in (x[:3], x[3:])]
        (M, p), (N, q) = ends
        return float(np.linalg.norm(M @ unit[0] + p - N @ unit[1] - q))

    best = min(minimize(between, np.random.default_rng(k).normal(size=6), tol=1e-12).fun for k in range(5))
    assert GapArrays.between(first, second).least[0] == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("gap", [1e-2, 1e-5, 1e-8, 1e-11, 0.0, -1e-11, -1e-8, -1e-5, -1e-2])
@pytest.mark.parametrize("kind", ["box", "cylinder", "frustum"])
def test_through_touching_the_size_is_exact_to_the_last_digits(kind: str, gap: float):
    """Two bodies on one axis, the upper one lowered through the top of the lower one."""
    sizes = {"box": (0.5, 0.6, 0.7), "cylinder": (0.4, 0.7), "frustum": (0.4, 0.3, 0.7)}
    geom = Geom(kind, sizes[kind])
    result = gaps(geom, Transform(IDENTITY, Vector(0.05, 0.02, 0.7 + gap)), geom, IDENTITY_TRANSFORM)
    least = min(result, key=lambda g: g.size)
    assert least.size == pytest.approx(gap, abs=1e-10)
    np.testing.assert_allclose(list(least.normal), [0.0, 0.0, 1.0], atol=1e-6)


@pytest.mark.parametrize("step", [1e-2, 1e-4, 1e-6])
def test_through_touching_the_size_of_round_bodies_changes_as_they_move_along_the_normal(step: float):
    first, second = (body.one(3) for body in apart("ellipsoid", 4))
    f = GapArrays.between(first, second)
    n = f.deepest(f.normal)
    for gap in (2.0 * step, 0.5 * step, -0.5 * step, -2.0 * step):
        moved = GapArrays.between(first.moved(-(f.least - gap)[:, None] * n), second)
        assert moved.least[0] == pytest.approx(gap, abs=1e-8)
        np.testing.assert_allclose(moved.deepest(moved.normal), n, atol=1e-3)


def test_what_is_not_a_number_stays_in_its_own_lane_and_ends():
    first, second = apart("box", 2)
    broken = Bodies("box", first.sizes.copy(), first.R, first.p.copy())
    broken.p[3] = np.nan
    broken.sizes[:, 8] = np.nan
    f, g = GapArrays.between(broken, second), GapArrays.between(first, second)
    others = np.setdiff1d(np.arange(COUNT), [3, 8])
    np.testing.assert_array_equal(f.size[:, others], g.size[:, others])
    assert np.isnan(f.size[:, [3, 8]]).any(axis=0).all()


def test_a_deep_overlap_of_a_box_in_a_box_is_found_in_the_frame_of_the_first():
    result = separation(
        Geom("box", (1.0, 1.0, 1.0)), Geom("box", (0.2, 0.2, 0.2)), Transform(IDENTITY, Vector(0.3, 0.0, 0.1))
    )
    assert result.distance == pytest.approx(-0.3, abs=1e-12)
    np.testing.assert_allclose(list(result.normal), [-1.0, 0.0, 0.0], atol=1e-12)
    assert result.overlap == 1.0
