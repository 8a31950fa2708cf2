"""Measures, against films drawn with known values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.creatures import roach, world_of
from gambol.creatures.gait_metrics import body_length, headings, hind_leg, measure, strides, sway
from gambol.errors import GambolError
from gambol.gait.stances import mean_phase
from gambol.world import Film
from gambol.world.run import INTERRUPTED

CREATURE = roach("thesis")
LEGS = CREATURE.legs
STEP = 0.05  # s
RATE = 1200.0

# T/tp, duty factor, phase of the middle leg, mean feet on the ground; the front leg's phase is twice the middle leg's.
# [Wilson 1966, as in McKenna 1990, section 2.2]
WILSON = [
    (2.0, 0.5, 0.5, 3.0),
    (2.5, 0.6, 0.4, 3.6),
    (3.0, 2 / 3, 1 / 3, 4.0),
    (4.0, 0.75, 0.25, 4.5),
    (6.0, 5 / 6, 1 / 6, 5.0),
]


def drawn(
    cycle=0.1,
    seconds=1.5,
    speed=0.08,
    heading=0.0,
    drift=0.0,
    sway_size=0.0,
    swings=1,
    early=0.0,
    phases=None,
    worlds=1,
):
    """Return a film of roaches with given walks: phases by leg, or those of Wilson's rules."""
    t = np.arange(round(seconds * RATE) + 1) / RATE
    given = [wilson(leg, cycle) for leg in LEGS] if phases is None else phases
    since = (t[:, None] - 0.03) / cycle - np.array(given) + early
    stepping = ((since % 1.0) * cycle < STEP - 1e-9) & (t[:, None] >= 0.03)
    side = sway_size * np.sin(2 * np.pi * swings * t / cycle + 0.4)
    c, s = math.cos(heading), math.sin(heading)
    centre = np.stack([speed * t * c - side * s, speed * t * s + side * c, np.full_like(t, 0.01)], -1)
    yaw = heading + drift * t
    turn = np.stack([np.cos(yaw / 2), 0 * t, 0 * t, np.sin(yaw / 2)], -1)
    figure = CREATURE.figure
    L = len(figure.links)
    zero = np.zeros((len(t), worlds))

    def all_worlds(a):
        return np.repeat(a[:, None].astype(float), worlds, axis=1)

    signals = {
        "stepping": all_worlds(stepping),
        "centre": all_worlds(centre),
        "clearance": all_worlds(0.004 + 0.001 * np.cos(20 * t) - 0.1 * (t < 0.1)),
        "status": zero.copy(),
        "motors": all_worlds(2.0 * t),
        "unaccounted": all_worlds(-0.01 * t),
        "taken": all_worlds(1000.0 * t),
        "rejected": all_worlds(100.0 * t),
        "wall": all_worlds(0.5 * t),
    } | dict.fromkeys(("outside", "damping", "impact", "sliding"), zero)
    return Film(
        name="roach",
        time=t,
        position=np.zeros((len(t), worlds, L, 3)),
        quaternion=np.repeat(all_worlds(turn)[:, :, None], L, axis=2),
        link_names=tuple(link.name for link in figure.links),
        shapes=(),
        limb_names=tuple(leg.name for leg in LEGS),
        signals=signals,
    )


def wilson(leg, cycle):
    return ((2 - leg.rank) * STEP / cycle + (0.5 if leg.side == "right" else 0.0)) % 1.0


def apart(a, b):
    """Return the distance of two phases on the circle."""
    return abs((a - b + 0.5) % 1.0 - 0.5)


@pytest.mark.parametrize(("ratio", "duty", "middle", "feet"), WILSON)
def test_wilsons_table_is_read_off_its_gaits(ratio, duty, middle, feet):
    (walk,) = measure(drawn(cycle=ratio * STEP, seconds=2.5), world_of(CREATURE, speed=ratio / 2))
    frame = (1 + 1e-9) / (RATE * ratio * STEP)  # in strides
    assert walk.stride_s == pytest.approx(ratio * STEP, abs=1 / RATE)
    assert walk.mean_feet == pytest.approx(feet, abs=6 * frame)
    for leg in LEGS:
        assert walk.duty_factor[leg.name] == pytest.approx(duty, abs=frame)
        expected = (2 - leg.rank) * middle + (0.5 if leg.side == "right" else 0.0)
        assert apart(walk.phase[leg.name], expected) <= frame
    assert walk.phase["back left"] == 0.0


def test_speed_is_along_the_initial_heading():
    world = world_of(CREATURE)
    (ahead,) = measure(drawn(speed=0.08, heading=0.7), world)
    assert ahead.speed_cm_per_s == pytest.approx(8.0, rel=1e-9)
    assert ahead.body_lengths_per_s == pytest.approx(0.08 / body_length(world), rel=1e-9)
    (back,) = measure(drawn(speed=-0.02, heading=-2.0), world)
    assert back.speed_cm_per_s == pytest.approx(-2.0, rel=1e-9)


def test_sway_does_not_count_as_speed_or_drift():
    (walk,) = measure(drawn(heading=0.3, sway_size=0.0006), world_of(CREATURE))
    assert walk.speed_cm_per_s == pytest.approx(8.0, rel=1e-6)
    assert walk.sway_mm == pytest.approx(1.2, rel=2e-3)  # the extremes lie up to half a frame beside the frames
    assert walk.sway_per_stride == 1.0


@pytest.mark.parametrize("swings", [1, 2, 3])
def test_swings_are_counted_per_stride(swings):
    (walk,) = measure(drawn(sway_size=0.0006, swings=swings), world_of(CREATURE))
    assert walk.sway_per_stride == swings


def test_a_straight_line_does_not_sway():
    time = np.arange(241) / RATE
    centre = np.stack([0.1 * time, 0.05 * time, 0 * time], -1)
    size, _ = sway(time, centre, np.array([0, 120, 240]))
    assert size < 1e-15
    assert all(map(math.isnan, sway(time, centre, np.array([0]))))


@pytest.mark.parametrize("drift", [0.2, -3.0])
def test_drift_counts_to_the_left(drift):
    (walk,) = measure(drawn(drift=drift, heading=3.0), world_of(CREATURE))  # across the jump of the angle at pi
    assert walk.heading_drift_deg_per_s == pytest.approx(math.degrees(drift), rel=1e-9)


@given(st.lists(st.floats(-0.2, 0.2), min_size=1, max_size=9), st.floats(0.0, 1.0))
def test_a_mean_phase_turns_with_its_phases(spread, turn):
    offsets = np.array(spread)
    assert apart(mean_phase((offsets + turn) % 1.0), mean_phase(offsets % 1.0) + turn) < 1e-9
    assert 0.0 <= mean_phase(offsets % 1.0) < 1.0


def test_a_mean_phase_does_not_break_at_the_end_of_the_circle():
    assert mean_phase(np.array([0.98, 0.02])) == 0.0
    assert mean_phase(np.array([0.97, 0.99, 0.02])) == pytest.approx(0.9933, abs=1e-3)
    assert math.isnan(mean_phase(np.empty(0)))


def test_a_leg_that_lifts_a_little_early_has_a_phase_near_one():
    phases = [wilson(leg, 0.1) for leg in LEGS]
    phases[0] = -0.02  # front left, with the hind leg by the rule
    (walk,) = measure(drawn(phases=phases), world_of(CREATURE))
    assert walk.phase["front left"] == pytest.approx(0.98, abs=0.01)


def test_the_left_hind_leg_is_the_reference():
    assert LEGS[hind_leg(LEGS)].name == "back left"
    maimed = CREATURE.without_leg("back left")
    assert maimed.legs[hind_leg(maimed.legs)].name == "middle left"


def test_strides_begin_once_the_gait_is_steady():
    world = world_of(CREATURE)
    film = drawn()
    all_of_them, late = strides(film, world), strides(film, world, settled=0.5)
    assert np.allclose(film.time[all_of_them.edges], 0.03 + 0.1 * np.arange(15), atol=1 / RATE)
    assert film.time[late.edges[0]] >= 0.5
    assert (all_of_them.count, late.count) == (14, 9)
    (walk,) = measure(film, world, settled=0.5)
    assert walk.strides == 9


def test_clearance_counts_from_where_the_walk_begins():
    (walk,) = measure(drawn(), world_of(CREATURE, begins=0.1))
    assert walk.belly_clearance_mm == pytest.approx(3.0, abs=1e-3)


def test_costs_are_those_of_the_whole_film():
    (walk,) = measure(drawn(seconds=1.5), world_of(CREATURE))
    assert walk.motor_work_j == pytest.approx(3.0)
    assert walk.unaccounted_energy_fraction == pytest.approx(0.005)
    assert (walk.steps_taken, walk.steps_rejected) == (1500, 150)
    assert walk.realtime_factor == pytest.approx(2.0)


def test_a_world_that_stopped_is_measured_up_to_then():
    film = drawn(worlds=2)
    stop = np.searchsorted(film.time, 0.9)
    film.signals["status"][stop:, 1] = 1.0
    film.signals["centre"][stop:, 1] = 55.0
    full, part = measure(film, world_of(CREATURE))
    assert (full.strides, part.strides) == (12, 6)
    assert part.speed_cm_per_s == pytest.approx(8.0)
    assert part.steps_taken == 900


def test_an_interrupted_film_is_measured_to_its_end():
    film = drawn()
    film.signals["status"][-1] = INTERRUPTED
    (walk,) = measure(film, world_of(CREATURE))
    assert walk.strides == 12


def test_without_a_whole_stride_there_are_no_metrics():
    (walk,) = measure(drawn(seconds=0.25), world_of(CREATURE))
    assert walk.strides == 0
    for value in (walk.speed_cm_per_s, walk.stride_s, walk.sway_mm, walk.heading_drift_deg_per_s, *walk.phase.values()):
        assert math.isnan(value)
    assert math.isfinite(walk.belly_clearance_mm)


def test_a_film_of_no_walk_is_refused():
    film = drawn()
    del film.signals["stepping"]
    with pytest.raises(GambolError, match="shows no walk"):
        measure(film, world_of(CREATURE))
    with pytest.raises(GambolError, match="not those of this world"):
        measure(drawn(), world_of(CREATURE.without_leg("middle left")))


def test_the_trunk_is_as_long_as_its_boxes():
    tilt = math.radians(10)  # of the head, whose upper front corner is the foremost point; see roach.toml
    corner = math.cos(tilt) * (0.0013525 + 0.00265 / 2) + math.sin(tilt) * (0.00635 / 2 - 0.00141)
    assert body_length(world_of(CREATURE)) == pytest.approx(0.0163 / 2 + 0.00815 + 0.01058 + corner, rel=1e-12)


@given(st.floats(-3.0, 3.0), st.floats(-1.2, 1.2))
def test_heading_does_not_depend_on_pitch(yaw, pitch):
    c, s, C, S = math.cos(yaw / 2), math.sin(yaw / 2), math.cos(pitch / 2), math.sin(pitch / 2)
    assert headings(np.array([[c * C, -s * S, c * S, s * C]]))[0] == pytest.approx(yaw, abs=1e-9)
