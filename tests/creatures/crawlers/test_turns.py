"""Snakes on courses: rates of turn, paths, and which crawlers and gaits cannot turn, and why."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol import creature_entry, make_world, run, start
from gambol.control import Senses
from gambol.creatures.crawlers import snake_world
from gambol.creatures.crawlers.snake import BODY
from gambol.creatures.crawlers.steered_waves import SteeredWaves
from gambol.creatures.crawlers.waves import Wave, WaveLaw
from gambol.creatures.steered import steerable_course
from gambol.errors import WorldError
from gambol.gait.course import Course

RATE = 20.0


@pytest.mark.parametrize(("gait", "turn"), [("lateral-undulation", 0.5), ("lateral-undulation", -0.2), ("swim", 0.4)])
def test_snakes_turn_as_commanded(gait, turn):
    world = make_world("snake", gait=gait, turn=turn)
    film = run(world, start(world), 20.0, rate=RATE)
    period = world.controller.law.waves.period
    frames = round(5.0 * period * RATE)  # whole periods
    ways = np.diff(film.signals["centre"][round(4.0 * RATE) :: frames, 0, :2], axis=0)
    directions = np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]), period=2.0 * math.pi)
    assert np.polyfit(np.arange(len(directions)), directions, 1)[0] == pytest.approx(turn * frames / RATE, rel=0.05)


def test_a_snake_follows_a_path_and_stops_at_its_end():
    """Its body is bent by a tenth of its length to both sides; its middle is within a quarter of it of the path."""
    path = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.6], [3.0, 1.6]])
    world = make_world("snake", path=path)
    film = run(world, start(world), 24.0, rate=RATE)
    centre = film.signals["centre"][:, 0, :2]
    curve = world.controller.law.course.following.path.points()
    assert np.linalg.norm(centre[:, None] - curve, axis=-1).min(axis=1).max() < 0.25
    assert np.hypot(*(centre[-1] - path[-1])) < 0.25
    assert np.ptp(centre[film.time > 22.0], axis=0).max() < 1e-3


def test_a_snake_that_can_be_steered_moves_as_before_until_it_is_steered():
    world = snake_world(body=replace(BODY, segments=6))
    steered = steerable_course(world)
    assert steered.controller.law.course.steerable
    films = [run(each, start(each), 2.0, rate=RATE) for each in (world, steered)]
    np.testing.assert_allclose(films[1].position, films[0].position, rtol=0.0, atol=1e-9)


def test_the_heading_of_a_bent_body_is_the_mean_of_those_of_its_segments():
    """Of a chain of three segments with the root in the middle: the front one at 0.3 rad, the rear one at -0.1 rad."""
    law = SteeredWaves(WaveLaw((Wave("yaw", 0.0, 1.0),), 2, 1.0), 1, bend=0.2, top_bend=1.0, cycles=1.0)
    law = law.with_course(Course(turn=1e-9))
    root = (math.cos(0.05), 0.0, 0.0, math.sin(0.05), 0.0, 0.0, 0.0)  # at 0.1 rad
    senses = Senses(1.0, q=root, angles=(0.2, 0.2))
    commands, _ = law.commands(law.numbers(), (10.0, law.course.memory()), senses, 1e-3)
    assert commands == pytest.approx([-0.2 * 0.1] * 2, abs=1e-6)  # 0.3, 0.1 and -0.1: a mean of 0.1


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("worm", {"turn": 0.1}, "because its joints only stretch"),
        ("inchworm", {"path": [[0, 0], [1, 0]]}, "because its joints bend only up and down"),
        ("snake", {"gait": "concertina", "turn": 0.1}, "gaits in which it turns are lateral-undulation, swim"),
        ("snake", {"turn": 1.0}, "give -0.52 to 0.52"),
        ("bird", {"turn": 0.1}, "because its legs have no joint about the vertical"),
        ("dinosaur", {"path": [[0, 0], [1, 0]]}, "because its legs have no joint about the vertical"),
        ("simbicon", {"turn": 0.1}, "because it moves in a vertical plane"),
    ],
)
def test_what_does_not_turn_is_refused_with_the_reason(name, options, message):
    with pytest.raises(WorldError, match=message):
        creature_entry(name).world(**options)
