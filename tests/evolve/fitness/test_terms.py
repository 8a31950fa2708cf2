"""Every term of a fitness on motions whose value is known."""

from dataclasses import replace

import numpy as np
import pytest
from trajectories import FRICTION, LENGTH, STAND, WEIGHT, moved, trajectory_of

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError
from gambol.evolve.fitness import TERMS, WeightedTerm, term_values


def value(name, trajectory, **options):
    return float(TERMS[name](trajectory, **options)[0])


def test_a_steady_walk_has_its_speed_and_its_distance():
    still = trajectory_of()
    walk = moved(still, 1.5 * still.time)
    assert value("speed", walk) == pytest.approx(1.5 / LENGTH, rel=1e-12)
    assert value("distance", walk) == pytest.approx(8.0 * 1.5 / LENGTH, rel=1e-12)
    assert value("pace", walk) == pytest.approx(1.5 / LENGTH, rel=1e-12)
    assert value("straightness", walk) == pytest.approx(1.0, rel=1e-12)


def test_falling_after_half_the_rollout_scores_no_speed():
    still = trajectory_of()
    assert value("speed", moved(still, np.minimum(still.time, 4.0))) == 0.0


def test_a_jump_forward_is_a_distance_but_no_speed():
    still = trajectory_of()
    leap = moved(still, np.where(still.time > 3.0, 2.0, 0.0))
    assert value("distance", leap) == pytest.approx(2.0 / LENGTH)
    assert value("speed", leap) == 0.0


def test_a_circle_is_not_straight_and_sway_within_a_second_is():
    still = trajectory_of(seconds=10.0)
    turn = 2.0 * np.pi * still.time / 10.0
    assert value("straightness", moved(still, np.sin(turn), 1.0 - np.cos(turn))) == pytest.approx(0.0, abs=1e-9)
    sways = moved(still, still.time, 0.1 * np.sin(2.0 * np.pi * 2.0 * still.time))
    assert value("straightness", sways) == pytest.approx(1.0, rel=1e-9)


def test_the_height_of_a_ballistic_leap():
    still = trajectory_of(rate=1000.0, seconds=1.0)
    up = np.maximum(3.0 * still.time - 0.5 * 9.81 * still.time**2, 0.0)
    # A parabola sampled every h misses its top by g (h/2)^2 / 2 at most.
    assert value("leap", moved(still, 0.0, z=up)) == pytest.approx(3.0**2 / (2 * 9.81) / LENGTH, abs=9.81e-6 / LENGTH)


def test_flight_is_the_part_of_time_off_the_ground():
    still = trajectory_of(seconds=4.0, rate=100.0)
    air = (still.time >= 1.0) & (still.time < 2.0)
    hop = replace(still, pushes=np.where(air[:, None, None], 0.0, still.pushes))
    assert value("flight", hop) == pytest.approx(100.0 / 401.0)
    assert value("flight", still) == 0.0


def test_a_bounce_is_the_mean_height_gained_in_the_air():
    """A flight of a second in four: a parabola of height h has a mean of 2 h / 3. Pattering gains almost nothing."""
    still = trajectory_of(seconds=4.0, rate=1000.0)
    air = (still.time >= 1.0) & (still.time < 2.0)
    up = np.where(air, 0.5 * 9.81 * (still.time - 1.0) * (2.0 - still.time), 0.0)
    hop = replace(moved(still, 0.0, z=up), pushes=np.where(air[:, None, None], 0.0, still.pushes))
    assert value("bounce", hop) == pytest.approx(0.25 * 2.0 / 3.0 * 9.81 / 8.0 / LENGTH, rel=1e-3)
    assert value("bounce", still) == 0.0
    patter = np.floor(10.0 * still.time) % 2.0 == 1.0
    flat = replace(still, pushes=np.where(patter[:, None, None], 0.0, still.pushes))
    assert value("flight", flat) > 0.4
    assert value("bounce", flat) == pytest.approx(0.0, abs=1e-12)
    aloft = replace(moved(still, 0.0, z=up), pushes=0.0 * still.pushes)
    assert value("bounce", aloft) == 0.0


def leaning(trajectory, share):
    """Return the same rollouts with a fraction of their weight on a part that is no foot."""
    others = trajectory.elsewhere + share * WEIGHT
    return replace(trajectory, elsewhere=others, pushes=trajectory.pushes * (1.0 - share))


def test_the_fraction_of_weight_on_the_belly():
    assert value("dragging", leaning(trajectory_of(), 0.25)) == pytest.approx(0.25)


def test_pushes_that_samples_overrate_are_scaled_by_the_momentum_that_they_gave():
    """Sampled pushes are 1.2 times too large; the motion of the centre of mass, which bobs and then rises, shows it."""
    still = trajectory_of(seconds=8.0, rate=30.0)
    bob = 0.02 * np.sin(2.0 * np.pi * 1.7 * still.time)
    seen = leaning(moved(still, 0.0, z=bob), 0.25)
    loud = replace(seen, pushes=1.2 * seen.pushes, elsewhere=1.2 * seen.elsewhere)
    # The speeds at both ends differ by less than 2 A w; over T that is a part of g by which the mean push is not m g.
    assert value("dragging", loud) == pytest.approx(0.25, rel=2.0 * 0.02 * 2.0 * np.pi * 1.7 / (8.0 * 9.81))
    rising = replace(loud, centre=loud.centre + 0.5 * 0.5 * still.time[:, None, None] ** 2 * np.eye(3)[2])
    gained = value("dragging", rising) - value("dragging", loud)
    assert gained == pytest.approx(0.25 * 0.5 / STANDARD_GRAVITY, rel=1e-6)


def test_a_floating_body_drags_nothing():
    still = trajectory_of()
    assert value("dragging", replace(still, pushes=0.0 * still.pushes)) == 0.0


def test_crawling_is_moving_on_the_belly():
    still = trajectory_of()
    lying = leaning(still, 0.9)
    assert value("crawl", lying) == 0.0
    assert value("crawl", moved(still, still.time)) == 0.0
    assert value("crawl", moved(lying, still.time)) == pytest.approx(1.0 / LENGTH)
    assert value("crawl", leaning(moved(still, still.time), 0.15)) == pytest.approx(0.5 / LENGTH)
    falls, share = moved(still, np.minimum(still.time, 4.0)), np.where(still.time > 4.0, 1.0, 0.0)[:, None]
    fallen = replace(falls, elsewhere=share * WEIGHT, pushes=falls.pushes * (1.0 - share)[..., None])
    assert value("crawl", fallen) == pytest.approx(0.0, abs=1e-9)


def test_landing_on_the_feet_ends_upright_and_falling_does_not():
    still = trajectory_of()
    leap = 0.3 * np.where(abs(still.time - 4.0) < 0.2, 1.0, 0.0)
    assert value("landed", moved(still, 0.0, z=leap)) == 1.0
    crouched = moved(still, 0.0, z=leap - 0.4 * STAND * (still.time > 4.0))
    assert value("landed", crouched) == pytest.approx(0.6)
    tilted = np.where((still.time > 4.0)[:, None, None], [0.8, 0.0, 0.6], still.up)
    assert value("landed", replace(crouched, up=tilted)) == pytest.approx(0.36)
    assert value("landed", replace(crouched, up=-still.up)) == 0.0


def test_lying_flat_half_the_time_is_low_by_half():
    still = trajectory_of(seconds=10.0, rate=100.0)
    sinks = moved(still, 0.0, z=-0.8 * STAND * (still.time > 5.0))
    assert value("low", sinks) == pytest.approx(0.8 * 500.0 / 1001.0)
    assert value("low", moved(still, 0.0, z=0.1)) == 0.0


def test_a_sledge_slips_all_the_way_and_a_wheel_not_at_all():
    still = trajectory_of()
    walk = moved(still, still.time)
    slides = walk.ledger.copy()
    slides[..., 4] = FRICTION * WEIGHT * still.time[:, None]
    assert value("slip", replace(walk, ledger=slides)) == pytest.approx(1.0)
    assert value("slip", walk) == 0.0


def test_the_cost_of_transport_of_a_body_lifted_as_far_as_it_moves():
    still = trajectory_of()
    walk = moved(still, still.time)
    works = walk.ledger.copy()
    works[..., 0] = WEIGHT * still.time[:, None]
    assert value("transport", replace(walk, ledger=works)) == pytest.approx(1.0)


def test_tangle_is_the_part_of_looks_at_limbs_deep_in_each_other():
    still = trajectory_of()
    assert value("tangle", still) == 0.0
    depth = np.tile([[0.0], [0.2], [0.3], [1.5]], (5, 1))
    assert value("tangle", replace(still, limb_overlap=depth)) == 0.5


def test_looking_ahead_and_standing_upright_are_cosines():
    still = trajectory_of()
    tilted = replace(still, forward=still.forward * 0.0 + [0.5, 0.75**0.5, 0.0], up=still.up * 0.0 + [0.8, 0.0, 0.6])
    assert value("ahead", tilted) == pytest.approx(0.5)
    assert value("upright", tilted) == pytest.approx(0.6)


def test_the_mean_height_of_a_body_that_sank_to_half():
    still = trajectory_of()
    assert value("height", moved(still, 0.0, z=-0.5 * STAND)) == pytest.approx(0.5)


def test_a_path_followed_at_a_distance_and_one_walked_back():
    still = trajectory_of(rate=100.0)
    x, y = np.minimum(still.time, 4.0), np.clip(still.time - 4.0, 0.0, 4.0)
    corner = ((4.0 / LENGTH, 0.0), (4.0 / LENGTH, 4.0 / LENGTH))
    assert value("along", moved(still, x, y), points=corner) == pytest.approx(8.0 / LENGTH, rel=1e-9)
    straight = moved(still, 0.5 * still.time, 0.25)
    # It is 0.25 m beside the path from the first sample after the start on: way counts from the start.
    assert value("along", straight, points=((8.0, 0.0),)) == pytest.approx(4.0 / LENGTH, rel=1e-9)


def test_terms_do_not_depend_on_other_rollouts():
    still = trajectory_of(rollouts=3)
    paces = np.array([0.5, 1.0, -0.25])
    centre = still.centre + still.time[:, None, None] * np.stack([paces, 0 * paces, 0 * paces], axis=-1)
    assert TERMS["speed"](replace(still, centre=centre)) == pytest.approx(paces / LENGTH)


def test_terms_of_the_user_that_depend_on_other_rollouts_or_on_chance_are_refused(monkeypatch: pytest.MonkeyPatch):
    still = trajectory_of(rollouts=3)
    height = still.centre * np.array([1.0, 2.0, 3.0])[None, :, None]
    random = np.random.default_rng(2)
    for term in (lambda t: t.root_height.max() - t.root_height[-1], lambda t: random.normal(size=len(t.length))):
        monkeypatch.setitem(TERMS, "mine", term)
        with pytest.raises(EvolveError, match=r'the term "mine" is .* for rollout \d of 3, and .* with half of them'):
            term_values("mine", replace(still, root=height), {})
    monkeypatch.setitem(TERMS, "mine", lambda t: t.root_height.max(axis=0))
    assert term_values("mine", replace(still, root=height), {}).shape == (3,)


def test_the_error_of_an_unknown_term_names_the_nearest():
    with pytest.raises(EvolveError, match='no term "sped"; did you mean "speed"'):
        WeightedTerm("sped", 1.0)
    with pytest.raises(EvolveError, match="weight"):
        WeightedTerm("speed", float("nan"))
