"""The dog and Raibert's machines turn at the commanded rate, keep their speed, and follow a path."""

import numpy as np
import pytest

import gambol

RATE = 50.0  # frames/s


def turned(name: str, seconds: float, settled: float, **options):
    """Return the rate of turn of the velocity [rad/s] and the mean speed [m/s], of positions one second apart."""
    world = gambol.creature_entry(name).world(**options)
    film = gambol.run(world, gambol.start(world), seconds, rate=RATE)
    ways = np.diff(film.signals["centre"][int(settled * RATE) :: int(RATE), 0, :2], axis=0)
    headings = np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))
    return np.polyfit(np.arange(len(headings)), headings, 1)[0], np.hypot(*ways.T).mean()


@pytest.mark.parametrize(
    ("name", "speed", "turn", "options"),
    [
        ("dog", 2.0, 0.5, {}),
        ("dog", 1.0, -0.3, {"gait": "walk"}),
        ("raibert-hopper-3d", 1.5, 0.4, {"speed": 1.5}),
        ("raibert-quadruped", 1.0, -0.4, {"speed": 1.0, "gait": "bound"}),
        ("raibert-quadruped", 1.0, 0.5, {"speed": 1.0, "gait": "trot"}),
        ("raibert-quadruped", 1.0, -0.25, {"speed": 1.0, "gait": "pace"}),
    ],
)
def test_creatures_turn_as_commanded(name, speed, turn, options):
    dog = name == "dog"
    rate, reached = turned(name, 9.0 if dog else 20.0, 4.0 if dog else 10.0, turn=turn, **options)
    assert rate == pytest.approx(turn, rel=0.1)
    assert reached == pytest.approx(speed, rel=0.1)


@pytest.mark.parametrize(("name", "options", "bound"), [("dog", {}, 0.3), ("raibert-hopper-3d", {"speed": 1.0}, 0.8)])
def test_creatures_follow_a_path(name, options, bound):
    """A bend and a bend back; the bound is a trunk's length of the dog, and a hop of the hopper."""
    path = np.array([[0.0, 1.0], [5.0, 1.0], [10.0, 3.0], [15.0, 3.0], [25.0, 0.0]])
    world = gambol.creature_entry(name).world(path=path, **options)
    film = gambol.run(world, gambol.start(world), 10.0 if name == "dog" else 22.0, rate=RATE)
    centre = film.signals["centre"][:, 0, :2]
    curve = gambol.gait.GroundPath.through(path, samples=400).points()
    apart = np.linalg.norm(centre[::5, None] - curve, axis=-1).min(axis=1)
    assert apart.max() < bound
    assert centre[-1, 0] > 15.0


@pytest.mark.parametrize(
    ("name", "options", "seconds", "bound"),
    [
        ("dog", {}, 9.0, 0.3),
        ("dog", {"speed": -0.8}, 14.0, 0.3),
        ("raibert-hopper-3d", {"speed": 1.0}, 16.0, 0.8),
        ("raibert-quadruped", {"speed": 1.0, "gait": "trot"}, 16.0, 0.5),
        ("cat", {}, 20.0, 0.3),
    ],
)
def test_creatures_stop_at_the_end_of_their_path(name, options, seconds, bound):
    """In the last second they stay in one place; the bounds are as for following a path: half the length, or a hop."""
    path = np.array([[0.0, 0.0], [2.0, 0.0], [5.0, 1.0], [8.0, 1.0]])
    world = gambol.make_world(name, path=path, **options)
    film = gambol.run(world, gambol.start(world), seconds, rate=60.0 if name == "cat" else RATE)
    last = film.signals["centre"][film.time > seconds - 1.0, 0, :2]
    assert np.hypot(*(last[-1] - path[-1])) < bound
    assert np.ptp(last, axis=0).max() < 0.5 * bound


def test_planar_machines_have_no_course():
    with pytest.raises(gambol.GambolError, match='"raibert-biped" has no turn'):
        gambol.creature_entry("raibert-biped").world(turn=0.1)
