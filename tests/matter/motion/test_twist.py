"""Twist of rods: its angle and gradient, the turn at which a straight rod buckles, energy, and states in files."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from meshes import WEIGHTLESS, level_rope, stepper

from gambol.errors import WorldError
from gambol.matter.forces.twisted_rods import TwistedRods
from gambol.matter.mesh import Twist, joined, with_twist
from gambol.matter.motion import ImplicitOptions, SubstepOptions, load_state

EI, GJ, LENGTH = 0.02, 0.015, 1.0

BUCKLING = 8.9868
"""Moment M times length L over E I at which a straight rod buckles between clamped ends without tension.

d4w/ds4 = i M/(E I) d3w/ds3 for the deflection w in the complex plane [Greenhill 1883], with w = dw/ds = 0 at both ends,
has solutions for tan(y) = y, y = M L/(2 E I) = 4.4934.
"""


def rod(points=33, turn=0.0):
    """A weightless rod along x, held at both ends, whose last end is turned."""
    line = level_rope(points, LENGTH, stretch=200.0, bend=EI, density=0.1)
    return with_twist(line, stiffness=GJ, turn=turn)


def bowed(mesh, size):
    """Its points, moved into half a turn of a helix of some radius."""
    s = mesh.points[:, 0] / LENGTH
    bow = size * np.sin(np.pi * s) ** 2
    return mesh.points + np.stack([0.0 * s, bow * np.cos(np.pi * s), bow * np.sin(np.pi * s)], axis=1)


def polyline(directions, turn=0.0):
    """A rod along a polyline of unit segments, and its angle of twist if it was straight at rest."""
    points = np.concatenate([[[0.0, 0.0, 0.0]], np.cumsum(np.array(directions, float), axis=0)])
    mesh = with_twist(level_rope(len(points), len(points) - 1.0, stretch=1.0), stiffness=1.0, turn=turn)
    (twisted,) = TwistedRods.of(mesh)
    return twisted.angle(points.T, turn)


def test_a_rod_in_a_plane_has_the_twist_of_its_turn():
    assert polyline([(1, 0, 0)] * 3, 7.0) == pytest.approx(7.0, abs=1e-12)
    assert polyline([(1, 0, 0), (0, 1, 0), (0, 1, 0), (1, 0, 0)], -4.0) == pytest.approx(-4.0, abs=1e-12)


def test_a_loop_of_directions_twists_a_rod_by_the_solid_angle_that_they_enclose():
    # x, y and z on the unit sphere enclose an eighth of it: 4 pi/8
    assert polyline([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]) == pytest.approx(-np.pi / 2.0, abs=1e-12)
    assert polyline([(1, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]) == pytest.approx(np.pi / 2.0, abs=1e-12)


def test_the_gradient_of_the_twist_is_that_of_differences():
    mesh, rng, step = rod(9, 1.0), np.random.default_rng(0), 1e-6
    (twisted,) = TwistedRods.of(mesh)
    x = mesh.points.T.copy()
    x[:, 2:-2] += 0.05 * rng.standard_normal((3, 5))
    gradient = twisted.gradient(x)
    for c, k in np.ndindex(3, 5):
        ends = []
        for side in (step, -step):
            moved = x.copy()
            moved[c, 2 + k] += side
            ends.append(twisted.angle(moved, 1.0))
        assert gradient[c, 2 + k] == pytest.approx((ends[0] - ends[1]) / (2.0 * step), abs=1e-8)


@pytest.mark.parametrize(("share", "buckles"), [(0.93, False), (1.07, True)])
def test_a_straight_rod_buckles_at_the_moment_of_greenhills_equation(share, buckles):
    # both twist and bending act between the middles of the end segments, so the length is not in the turn that buckles
    mesh, size = rod(25, share * BUCKLING * EI / GJ), 1e-4
    s = stepper(mesh, "velocity verlet", 7e-4, surroundings=WEIGHTLESS)
    state = s.advance(s.start(bowed(mesh, size)), 2200)
    off = np.abs(state.position[:, 1:]).max()
    assert (off > 50.0 * size) if buckles else (off < 5.0 * size)


def test_a_twisted_rod_with_slack_keeps_its_energy_and_trades_twist_for_bending():
    mesh = rod(33, 1.5 * BUCKLING * EI / GJ)
    s = stepper(mesh, "velocity verlet", 5e-4, surroundings=WEIGHTLESS)
    start = s.start(bowed(mesh, 0.15) * [0.9, 1.0, 1.0])
    state = s.advance(start, 200)
    before, after = s.energies(start), s.energies(state)
    assert before["twist"] == pytest.approx(0.5 * GJ * start.twist[0] ** 2 / (LENGTH * 31 / 32), rel=1e-12)
    assert after["twist"] < before["twist"]
    assert after["bends"] > 1.5 * before["bends"]
    exchanged = sum(abs(after[kind] - before[kind]) for kind in before)
    assert sum(after.values()) == pytest.approx(sum(before.values()), abs=0.01 * exchanged)


@pytest.mark.parametrize(
    ("method", "h", "options"),
    [
        ("implicit euler", (2e-3, 5e-4), None),
        ("newton", (2e-3, 5e-4), ImplicitOptions(100, 1e-6, 1e-4)),
        ("position based", (2e-3, 5e-4), SubstepOptions(4)),
    ],
)
def test_other_methods_tend_to_the_same_motion(method, h, options):
    mesh = rod(17, 2.0 * BUCKLING * EI / GJ)
    exact = stepper(mesh, "rk4", 1e-4, surroundings=WEIGHTLESS)
    start, seconds = exact.start(bowed(mesh, 0.02)), 0.05
    expected = exact.advance(start, round(seconds / 1e-4)).position
    far = []
    for step in h:
        s = stepper(mesh, method, step, options, surroundings=WEIGHTLESS)
        far.append(np.linalg.norm(s.advance(start, round(seconds / step)).position - expected))
    way = np.linalg.norm(expected - start.position)
    assert far[1] < 0.5 * far[0]
    assert far[1] < 0.2 * way


def test_bits_and_full_turns_are_those_of_a_stored_state(tmp_path):
    mesh = rod(17, 20.0)
    found = []
    for lanes, threads in ((1, 1), (None, 2)):
        s = stepper(mesh, "velocity verlet", 2e-4, surroundings=WEIGHTLESS, lanes=lanes, threads=threads)
        middle = s.advance(s.start(bowed(mesh, 0.01)), 50)
        middle.save(tmp_path / "state.npz")
        read = load_state(tmp_path / "state.npz", mesh)
        assert read.twist[0] > 4.0 * np.pi
        found += [s.advance(middle, 50), s.advance(read, 50)]
    for other in found[1:]:
        assert np.array_equal(found[0].position, other.position)
        assert np.array_equal(found[0].twist, other.twist)
        assert astuple(found[0].ledger) == astuple(other.ledger)


def test_joined_rods_keep_their_twist():
    first, second = rod(9, 1.0), rod(9, 2.0)
    second = replace(second, points=second.points + np.array([0.0, 1.0, 0.0]))
    both = joined([first, second])
    assert [twist.turn for twist in both.twists] == [1.0, 2.0]
    assert np.array_equal(both.twists[1].points, np.arange(9, 18))
    state = stepper(both, "implicit euler", 0.01).start()
    assert state.twist.tolist() == pytest.approx([1.0, 2.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: with_twist(level_rope(3, 1.0, stretch=1.0), stiffness=1.0), "4 points or more"),
        (lambda: with_twist(level_rope(5, 1.0, stretch=1.0), stiffness=0.0), "is impossible"),
        (lambda: with_twist(level_rope(5, 1.0, stretch=1.0), stiffness=1.0, turn=np.nan), "is impossible"),
        (lambda: replace(rod(), pins=np.array([0, 1])), "first two and last two"),
        (lambda: replace(rod(9), twists=(Twist(np.arange(6, 12), 1.0),)), "points are 0 to 8"),
        (lambda: stepper(with_twist(level_rope(5, 1.0, stretch=1.0), stiffness=1.0), "projective", 0.01), "no twist"),
    ],
)
def test_impossible_twist_is_an_error_before_work(make, words):
    with pytest.raises(WorldError, match=words):
        make()
