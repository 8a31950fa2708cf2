"""The dog and Raibert's machines walk backward and sideways as commanded; the person turns."""

import math

import numpy as np
import pytest

import gambol
from gambol.creatures.dog.body import Body
from gambol.creatures.dog.figure import LEGS, PAW_RADIUS
from gambol.creatures.steered import steerable_course
from gambol.creatures.table import creature_entry
from gambol.lanes import Scalar, leaves
from gambol.view.live.numbers import number_names
from gambol.view.live.settings import settings
from gambol.world import Film, World

RATE = 50.0  # frames/s


def ran(world: World, seconds: float) -> Film:
    return gambol.run(world, gambol.start(world), seconds, rate=RATE, coordinates=True)


def velocity(film: Film, settled: float) -> np.ndarray:
    """Return the mean velocity of the centre of mass along the world's x and y [m/s]."""
    ways = film.signals["centre"][round(settled * RATE) :, 0, :2]
    return (ways[-1] - ways[0]) / ((len(ways) - 1) / RATE)


@pytest.mark.parametrize(("name", "options"), [("raibert-hopper-3d", {}), ("raibert-quadruped", {"gait": "trot"})])
def test_a_machine_that_is_the_same_from_behind_runs_backward_as_it_runs_forward(name, options):
    """Half a turn about the vertical exchanges the two motions: the machines and their laws have no front.

    Sweeps over contacts end with an error of 1e-10 m in 0.2 s, which the motion of the quadruped enlarges.
    """
    ahead, back = (ran(creature_entry(name).world(speed=speed, **options), 3.0) for speed in (0.8, -0.8))
    trunk = ahead.link_names.index("body")
    np.testing.assert_allclose(
        back.position[:, 0, trunk], ahead.position[:, 0, trunk] * (-1.0, -1.0, 1.0), rtol=0.0, atol=1e-4
    )
    assert ahead.position[-1, 0, trunk, 0] > 1.0


@pytest.mark.parametrize(
    ("name", "speed", "sideways", "options"),
    [
        ("raibert-hopper-3d", 0.0, 1.0, {}),
        ("raibert-quadruped", -0.5, -0.4, {"gait": "pace"}),
        ("raibert-quadruped", 0.5, 0.5, {"gait": "bound"}),
        ("dog", -0.8, 0.0, {"gait": "walk"}),
        ("dog", -1.0, 0.0, {}),
        ("dog", 0.0, 0.29, {}),
        ("dog", 1.0, -0.29, {}),
    ],
)
def test_creatures_walk_backward_and_sideways_as_commanded(name, speed, sideways, options):
    entry = creature_entry(name)
    film = ran(entry.world(speed=speed, sideways=sideways, **options), 12.0)
    got = velocity(film, 6.0)
    assert got == pytest.approx((speed, sideways), abs=0.05)
    w, x, y, z = film.quaternion[-1, 0, 0]
    if name != "raibert-hopper-3d":  # whose yaw is not controlled
        assert math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)) == pytest.approx(0.0, abs=0.1)
    assert film.position[:, 0, film.link_names.index(entry.trunk), 2].min() > entry.fall_height
    assert abs(film.signals["unaccounted"][-1, 0]) < 0.01 * film.signals["motors"][-1, 0]


def paws(q: np.ndarray) -> np.ndarray:
    """Return the distances of the paws to the left of the centre of mass [m]; q: coordinates (F, nq)."""
    columns: list[Scalar] = list(q.T)
    senses = gambol.control.Senses(0.0, q=columns, v=[0.0 * q[:, 0]] * (q.shape[1] - 1), height=q[:, 6])
    return np.stack([paw.y for paw in Body.of(senses).paws], axis=1)


def test_the_dog_does_not_cross_its_legs_at_its_largest_speed_to_a_side():
    film = ran(creature_entry("dog").world(speed=0.0, sideways=0.29), 8.0)
    assert LEGS == ("hind left", "front left", "hind right", "front right")
    y = paws(film.signals["q"][:, 0])
    assert (y[:, :2] - y[:, 2:]).min() > 2.0 * PAW_RADIUS


@pytest.mark.parametrize("turn", [0.5, -0.2])
def test_the_person_turns_as_commanded(turn):
    film = ran(creature_entry("simbicon-3d").world(turn=turn), 12.0)
    ways = np.diff(film.signals["centre"][round(4.0 * RATE) :: round(RATE), 0, :2], axis=0)
    directions = np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))
    assert np.polyfit(np.arange(len(directions)), directions, 1)[0] == pytest.approx(turn, rel=0.05)
    assert np.hypot(*ways.T).mean() == pytest.approx(1.08, rel=0.1)  # as straight on
    assert film.position[:, 0, film.link_names.index("trunk"), 2].min() > 0.9


@pytest.mark.parametrize(("name", "tolerance"), [("dog", 1e-9), ("raibert-hopper-3d", 0.0)])
def test_a_world_that_can_be_steered_moves_as_before_until_it_is_steered(name, tolerance):
    world = creature_entry(name).world()
    steered = steerable_course(world)
    assert steered != world
    films = [ran(each, 2.0) for each in (world, steered)]
    np.testing.assert_allclose(films[1].position, films[0].position, rtol=0.0, atol=tolerance)


@pytest.mark.parametrize("name", ["dog", "raibert-quadruped", "simbicon-3d"])
def test_pages_have_settings_that_steer(name):
    options = {"gait": "bound"} if name == "raibert-quadruped" else {}
    world = steerable_course(creature_entry(name).world(**options))
    values = dict(zip(number_names(world.numbers()), leaves(world.numbers()), strict=True))
    found = {setting["name"]: setting for setting in settings(world, values)}
    assert found["turn"]["high"] == -found["turn"]["low"] > 0.2
    assert len(found["turn"]["sets"]) == (2 if options else 1)
    assert ("speed" in found) == ("sideways" in found) == (name != "simbicon-3d")
