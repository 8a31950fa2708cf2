"""Every pair of shapes: properties of gaps, and agreement of planes, balls and hulls."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn
from solids import HULL, Bodies, GapArrays, bodies

from gambol.collide.convex import PLANE, Geom
from gambol.collide.gap import FAR
from gambol.collide.pairs import PAIRS, gaps, slots, smallest_gap
from gambol.errors import FigureError
from gambol.figure import Box, Ellipsoid, Sphere
from gambol.lanes import leaves, tree_map
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

COUNT = 400
ROUNDING_TOLERANCE = 1e-12  # of sizes and places of order 1
CLOSED = ("sphere", "capsule", "plane")
HOLLOW = {"pipe", "height_field"}  # see test_hollow.py: these tests are about convex bodies
PARTNERS = [kinds for kinds in PAIRS if not HOLLOW & set(kinds)]


def near(a: str, b: str, seed: int = 0, spread: float = 0.6) -> tuple[Bodies, Bodies, GapArrays]:
    rng = np.random.default_rng(seed)
    first, second = bodies(a, COUNT, rng, spread), bodies(b, COUNT, rng, spread)
    return first, second, GapArrays.between(first, second)


def tolerance(a: str, b: str) -> float:
    """Return the accuracy of a pair: closed forms to rounding, searches to 1e-11 of a size or a smooth tip's square."""
    return ROUNDING_TOLERANCE if {a, b} <= set(CLOSED) or "plane" in (a, b) or {a, b} == {"sphere", "box"} else 1e-8


@pytest.mark.parametrize(("a", "b"), PARTNERS)
def test_every_pair_has_its_slots_and_each_gap_measures_its_points(a: str, b: str):
    _, _, f = near(a, b)
    assert len(f.size) == slots(a, b) == slots(b, a)
    used = f.size < FAR
    np.testing.assert_allclose(np.linalg.norm(f.normal, axis=2), 1.0, atol=ROUNDING_TOLERANCE)
    between = np.einsum("kni,kni->kn", f.point_a - f.point_b, f.normal)
    np.testing.assert_allclose(between[used], f.size[used], atol=tolerance(a, b))
    assert used.any(axis=0).all()


@pytest.mark.parametrize(("a", "b"), PARTNERS)
def test_no_body_reaches_beyond_the_support_planes_of_the_smallest_gap(a: str, b: str):
    """Along the normal the bodies are separated by the gap: this is a lower bound of the distance."""
    first, second, f = near(a, b)
    n = f.deepest(f.normal)
    apart = -first.highest(-n) - second.highest(n)
    off = apart - f.least
    assert np.abs(off).max() < tolerance(a, b) + f.residual.max()


@pytest.mark.parametrize(("a", "b"), [(a, b) for a, b in PARTNERS if b != "plane"])
def test_plates_needles_and_bodies_in_line_with_each_other_are_no_less_accurate(a: str, b: str):
    """Sizes over three orders, a quarter of the bodies with parallel axes and half of these on a lattice."""
    rng, count = np.random.default_rng(11), 4000
    first, second = bodies(a, count, rng, 0.6), bodies(b, count, rng, 0.6)
    for body in (first, second):
        body.sizes[:] *= 10.0 ** rng.uniform(-2.0, 0.5, body.sizes.shape)
        body.R[: count // 4] = np.eye(3)
        body.p[: count // 8] = np.round(4.0 * body.p[: count // 8]) / 4.0
    f = GapArrays.between(first, second)
    n = f.deepest(f.normal)
    off = f.least + first.highest(-n) + second.highest(n)
    assert np.isfinite(f.point_a).all()
    assert np.isfinite(f.point_b).all()
    assert np.abs(off).max() < 1e-8
    assert (f.deepest(f.residual) > 1e-6).mean() < 3e-3


@pytest.mark.parametrize(("a", "b"), PARTNERS)
def test_moving_by_the_gap_makes_bodies_just_touch(a: str, b: str):
    first, second, f = near(a, b, seed=1)
    sure = f.deepest(f.residual) < 1e-6
    shift = -f.least[:, None] * f.deepest(f.normal)
    repeated = GapArrays.between(first.moved(shift), second).least
    assert np.abs(repeated[sure]).max() < 100 * tolerance(a, b)
    assert sure.mean() > 0.9


@pytest.mark.parametrize(("a", "b"), [("capsule", "box"), ("frustum", "plane"), ("box", "hull")])
def test_exchanging_the_bodies_turns_the_gap_round(a: str, b: str):
    first, second, f = near(a, b)
    g = GapArrays.between(second, first)
    np.testing.assert_array_equal(f.size, g.size)
    np.testing.assert_array_equal(f.normal, -g.normal)
    np.testing.assert_array_equal(f.point_a, g.point_b)


@pytest.mark.parametrize(("a", "b"), PARTNERS)
def test_moving_both_bodies_moves_the_gap_along(a: str, b: str):
    first, second, f = near(a, b)
    turn, shift = Turn.from_rotvec([0.3, -1.1, 0.7]).as_matrix(), np.array([3.0, -2.0, 1.0])

    def carried(x: Bodies) -> Bodies:
        return Bodies(x.kind, x.sizes, turn @ x.R, x.p @ turn.T + shift)

    g = GapArrays.between(carried(first), carried(second))
    sure = f.deepest(f.residual) < 1e-6
    assert np.abs(g.least - f.least)[sure].max() < tolerance(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [("box", "plane"), ("sphere", "ellipsoid"), ("capsule", "capsule"), ("capsule", "box"), ("box", "frustum")],
)
def test_one_pair_of_floats_and_many_in_arrays_give_the_same_bits(a: str, b: str):
    rng = np.random.default_rng(3)
    first, second = bodies(a, 4, rng, 0.4), bodies(b, 4, rng, 0.4)
    many = GapArrays.of(gaps(first.geom, first.pose, second.geom, second.pose), 4)
    for k in range(4):
        one, other = first.one(k), second.one(k)
        found_alone = gaps(*floats(one), *floats(other))
        assert all(isinstance(x, (int, float, np.floating)) for x in leaves(found_alone))
        alone = GapArrays.of(found_alone, 1)
        np.testing.assert_array_equal(alone.size[:, 0], many.size[:, k])
        used = alone.size[:, 0] < FAR
        np.testing.assert_array_equal(alone.point_a[used, 0], many.point_a[used, k])


def floats(body: Bodies) -> tuple[Geom, object]:
    geom = body.geom if body.kind == "hull" else Geom(body.kind, tuple(float(s[0]) for s in body.sizes))
    return geom, tree_map(lambda x: float(x[0]), body.pose)


def test_shapes_of_figures_are_taken_as_they_are():
    up = IDENTITY_TRANSFORM
    assert gaps(Sphere(0.5), up, PLANE, up)[0].size == -0.5
    assert gaps(Box((1.0, 1.0, 0.4)), up, PLANE, up)[0].size == pytest.approx(-0.2)
    assert gaps(Ellipsoid((1.0, 2.0, 0.3)), up, PLANE, up)[0].size == pytest.approx(-0.3)
    assert min(g.size for g in gaps(HULL, up, PLANE, up)) == pytest.approx(-0.3)


def test_pairs_without_method_and_wrong_geoms_are_named():
    with pytest.raises(FigureError, match="plane and a plane cannot collide"):
        gaps(PLANE, IDENTITY_TRANSFORM, PLANE, IDENTITY_TRANSFORM)
    with pytest.raises(FigureError, match='did you mean "capsule"'):
        Geom("capsul", (1.0, 1.0))
    with pytest.raises(FigureError, match="a box has 3 sizes, not 1"):
        Geom("box", (1.0,))
    with pytest.raises(FigureError, match="a hull cannot have 0 vertices"):
        Geom("hull")
    assert all(pair.slots >= 1 for pair in PAIRS.values())


@pytest.mark.parametrize(("a", "b"), [("capsule", "box"), ("box", "cylinder"), ("ellipsoid", "ellipsoid")])
def test_gaps_are_the_same_to_the_last_bit_in_every_lane(a: str, b: str):
    rng = np.random.default_rng(5)
    first, second = bodies(a, 37, rng, 0.5), bodies(b, 37, rng, 0.5)
    together = GapArrays.between(first, second)
    alone = GapArrays.between(first, second, lanes=1)
    for x, y in ((together.point_a, alone.point_a), (together.normal, alone.normal), (together.size, alone.size)):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize(
    ("a", "b"), [("box", "plane"), ("sphere", "ellipsoid"), ("capsule", "box"), ("box", "box"), ("cylinder", "hull")]
)
def test_in_single_precision_gaps_agree_to_its_rounding(a: str, b: str):
    """For separate bodies, whose answer is unique. Sizes and places up to 3 m: 1e-6 m is some units of the last place;
    the error at round tips and slivers of a simplex is a hundred times that.
    """
    rng = np.random.default_rng(6)
    first, second = bodies(a, COUNT, rng, 1.0), bodies(b, COUNT, rng, 1.0)
    exact, rough = GapArrays.between(first, second).least, GapArrays.between(first, second, "float32")
    apart = exact > 0.0
    assert np.abs(rough.least - exact)[apart].max() < 3e-4
    assert np.median(np.abs(rough.least - exact)[apart]) < 1e-6


@pytest.mark.parametrize(("a", "b"), [("sphere", "sphere"), ("sphere", "capsule"), ("capsule", "capsule")])
def test_the_smallest_gap_of_round_shapes_is_that_of_their_gaps(a: str, b: str):
    rng = np.random.default_rng(3)
    for _ in range(200):
        geoms = [Geom(kind, tuple(rng.uniform(0.1, 1.0, 2 if kind == "capsule" else 1).tolist())) for kind in (a, b)]
        turns = [Turn.random(random_state=rng).as_matrix().tolist() for _ in geoms]
        poses = [Transform(Rotation.of(turn), Vector(*rng.normal(size=3).tolist())) for turn in turns]
        pair = geoms[0], poses[0], geoms[1], poses[1]
        least = min(gap.size for gap in gaps(*pair))
        assert smallest_gap(*pair) == pytest.approx(least, abs=ROUNDING_TOLERANCE)
