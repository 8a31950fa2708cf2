"""The printed script in its readings: which of them walk, how fast, and in which direction."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gambol.contact.surface import Grip
from gambol.creatures import Feet, roach, roach_readings
from gambol.gait.oscillator import gait_times, phase
from gambol.world import Film, run
from validation.printed_script import BEGINS, PRINTED_SPEED, ROBUST, SECONDS, Course, course, readings, stacked
from validation.stepping_figures import PHASES_OF_PERIPLANETA

SPEED_TOLERANCE = 0.1
"""Bound of the issue: within a tenth of the printed speeds, which are given as "approximately"."""


def walked(names: tuple[str, ...], feet: Feet, grip: Grip) -> Course:
    """Return the course of the undisturbed start of a reading."""
    world, state, numbers = stacked([roach("thesis", names)], feet, grip)
    state, numbers = type(state)(world, state.rows[:, :1].copy()), numbers[:, :1].copy()
    return course(run(world, state, SECONDS, rate=240.0, numbers=numbers), 0)


@pytest.mark.parametrize("feet", PRINTED_SPEED)
def test_one_reading_walks_at_both_printed_speeds(feet: Feet):
    one = walked(ROBUST, feet, "all")
    assert one.net == pytest.approx(PRINTED_SPEED[feet], rel=SPEED_TOLERANCE)
    assert abs(one.start_turn) < 10.0


@pytest.mark.parametrize("feet", PRINTED_SPEED)
def test_with_stance_programs_from_the_start_it_walks_straight_at_both_printed_speeds(feet: Feet):
    one = walked(("stance-from-the-start",), feet, "all")
    speed = one.net if feet == "sliding" else one.forward  # net, sticky feet miss the bound by the turn of the start
    assert speed == pytest.approx(PRINTED_SPEED[feet], rel=SPEED_TOLERANCE)
    assert abs(one.turn_rate) < 20.0
    assert abs(one.start_turn) < 20.0


def test_the_right_femur_as_printed_turns_the_roach_round():
    """The left middle foot, which must bear the first stride, does not reach the ground."""
    assert abs(walked(("right-femur-printed",), "sliding", "feet").start_turn) > 90.0


def test_bristles_at_the_feet_alone_make_it_slower():
    """Shins and trunk bear a part of the weight, and skid: the walk is slower by more than the bound of a tenth."""
    assert walked(ROBUST, "sliding", "feet").net < (1.0 - SPEED_TOLERANCE) * PRINTED_SPEED["sliding"]


def circling(radius: float, rate: float, seconds: float = 1.1) -> Film:
    """Return a film of one link that walks a circle [m, rad/s], its axis along its way."""
    time = np.arange(0.0, seconds + 1e-9, 1.0 / 240.0)
    angle = rate * np.maximum(time - BEGINS, 0.0)
    place: Any = np.stack([radius * np.sin(angle), radius * (1.0 - np.cos(angle)), 0.0 * angle], axis=-1)
    turn: Any = np.stack([np.cos(angle / 2.0), 0.0 * angle, 0.0 * angle, np.sin(angle / 2.0)], axis=-1)
    return Film("circle", time, place[:, None, None], turn[:, None, None], ("trunk",), ())


def test_the_course_of_a_circle():
    """On a circle of 5 cm at 1 rad/s: 5 cm/s along the heading, less sin x / x for a stride."""
    one = course(circling(0.05, 1.0), 0)
    assert one.forward == pytest.approx(5.0 * np.sin(0.05) / 0.05, rel=1e-3)
    assert one.turn_rate == pytest.approx(np.degrees(1.0), rel=1e-3)
    assert one.start_turn == pytest.approx(np.degrees(0.4), rel=1e-2)
    assert one.net == pytest.approx(100.0 * 2.0 * 0.05 * np.sin(0.5), rel=1e-3)


def test_a_circle_the_other_way_round_turns_the_other_way():
    one, other = (course(circling(r, 1.0 if r > 0.0 else -1.0), 0) for r in (0.05, -0.05))
    assert one.turn_rate == pytest.approx(-other.turn_rate)
    assert one == replace(other, start_turn=-other.start_turn, turn_rate=-other.turn_rate)


def test_every_combination_names_readings_that_exist():
    for names in readings().values():
        assert set(names) <= set(roach_readings())


def test_the_tripod_gait_has_the_phases_of_cockroaches():
    """The oscillators' phases in the tripod gait are those that Delcomyn [1971] measured, 0.5 between neighbours."""
    times, legs = gait_times(0.05, 1.0), {leg.name: leg for leg in roach().legs}
    first = phase(0.0, times, legs["front left"], 3)
    for name, published in PHASES_OF_PERIPLANETA.items():
        lag = (first - phase(0.0, times, legs[name], 3)) % 1.0
        assert abs((lag - published + 0.5) % 1.0 - 0.5) < 0.05, name


CALLS_PER_SECOND = 100 * 1200
"""Of the thesis' dynamics: "approximately 100 times" in 1/1200 s, six in each step of Fehlberg's method. [5.3]"""


def test_the_steps_of_the_thesis_are_stable_for_constants_per_kilogram_only():
    """A tarsus on the ground: its damper has the rate b / I, and the ground's spring the frequency sqrt(k / m_tip).

    Fehlberg's fifth-order solution is stable for rates up to 3.7 per step on the negative real axis at most.
    """
    creature = roach("thesis")
    step = 6.0 / CALLS_PER_SECOND
    for leg in creature.legs:
        part = creature.figure.link(leg.foot).parts[0]
        _, length, _ = part.shape.size  # type: ignore[union-attr]
        mass = float(creature.figure.link(leg.foot).mass_properties.mass)
        inertia, tip_mass = mass * length**2 / 3.0, mass / 3.0
        spring, alpha, beta = creature.springs[leg.foot], creature.ground.alpha, creature.ground.beta
        load = creature.figure.mass * 9.81 / 6.0
        for ground_scale, spring_scale, stable in ((creature.figure.mass, mass, True), (1.0, 1.0, False)):
            rate = spring.damping * spring_scale / inertia
            frequency = np.sqrt(beta * (load + ground_scale * alpha) / tip_mass)
            assert (rate * step < 3.7) == stable
            assert (frequency * step < 3.7) == stable
