"""Creatures that are steered: they turn, walk backward and sideways, and follow paths, as measured from their films."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.make_world import make_world
from gambol.creatures.roach import FILE
from gambol.creatures.steered import steerable
from gambol.errors import WorldError
from gambol.gait import GroundPath, Steering
from gambol.world import Engine, run, start

SETTLED = 0.3
"""Time after which the first strides are over [s]."""


def headings(film):
    """Return the heading of the root (F, W) [rad], without jumps."""
    w, x, y, z = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)), axis=0)


def motion(film):
    """Return rate of turn [rad/s], forward and leftward velocity [m/s] of each world (3, W), once settled."""
    late = film.time >= SETTLED
    time, heading, place = film.time[late], headings(film)[late], film.signals["centre"][late]
    velocity = np.gradient(place, time, axis=0)
    forward = velocity[..., 0] * np.cos(heading) + velocity[..., 1] * np.sin(heading)
    left = velocity[..., 1] * np.cos(heading) - velocity[..., 0] * np.sin(heading)
    return np.array([np.polyfit(time, heading, 1)[0], forward.mean(axis=0), left.mean(axis=0)])


def test_a_walk_that_can_be_steered_has_the_bits_of_one_that_cannot():
    """Until a command changes; then it turns."""
    creature = roach()
    plain = world_of(creature)
    free = steerable(plain, creature)
    states = [standing_state(creature, world) for world in (plain, free)]
    engines = [Engine(world, lanes=1) for world in (plain, free)]
    steps = round(0.3 / plain.timing.control_step)
    for engine, state in zip(engines, states, strict=True):
        engine.advance(state, steps)
    np.testing.assert_array_equal(states[0].q, states[1].q)
    np.testing.assert_array_equal(states[0].v, states[1].v)
    assert np.any(states[0].q[0, 7:] != standing_state(creature, plain).q[0, 7:])  # it walks
    numbers = engines[1].numbers()
    numbers[engines[1].number_rows["control"]["modifiers"][0]["commands"]["turn"]["values"][0]] = 1.0
    engines[1].advance(states[1], 2 * steps, numbers)
    engines[0].advance(states[0], 2 * steps)
    w, _, _, z = np.stack([state.q[0, :4] for state in states]).T
    straight, turned = 2.0 * np.arctan2(z, w)
    assert turned - straight > 0.1  # of 0.3 rad


def test_a_world_that_is_steered_or_has_no_gait_stays_as_it_is():
    creature = roach()
    steered = world_of(creature, turn=0.5)
    assert steerable(steered, creature) is steered
    passive = replace(world_of(creature), controller=None)
    assert steerable(passive, creature) is passive


def with_commands(world, **commands):
    """Return the numbers of a world with commands that differ between worlds."""
    control = world.numbers()["control"]
    for name, values in commands.items():
        control["modifiers"][0]["commands"][name]["values"] = [np.array(values, float)]
    return Engine(world).numbers(control=control)


@pytest.mark.parametrize(("name", "least_spot"), [("tuned", 0.3), ("agile", 0.1)])
def test_commands_in_any_mixture_move_the_roach(name, least_spot):
    """Forward; turns; backward; sideways; turn on the spot; backward turning: signs and sizes are those commanded."""
    creature = roach(name)
    world = world_of(creature, turn=1e-9)
    stroke = [1.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, -1.0]
    turn = [0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    sideways = [0.0, 0.0, 0.0, 0.0, 0.02, -0.02, 0.0, 0.0]
    state = standing_state(creature, world, 8)
    film = run(world, state, 1.1, numbers=with_commands(world, stroke=stroke, turn=turn, sideways=sideways))
    rate, forward, left = motion(film)
    expected = forward[0] * np.array(stroke)
    assert forward[0] == pytest.approx(0.108, abs=0.01)  # the published speed of the walk without steering
    np.testing.assert_allclose(forward[:3], expected[:3], rtol=0.1)
    np.testing.assert_allclose(forward[[3, 7]], expected[[3, 7]], rtol=0.5)  # backward: two thirds of the speed
    np.testing.assert_allclose(rate[:3], turn[:3], atol=0.3)
    assert 0.3 < rate[7] < 1.3  # turning backward slips more
    assert least_spot < rate[6] < 1.3
    np.testing.assert_allclose(left[[4, 5]], [0.02, -0.02], atol=0.01)
    assert np.abs(forward[4:7]).max() < 0.01
    assert film.signals["clearance"].min() > 0.0


def test_a_gait_without_steering_has_no_modifiers():
    assert world_of(roach()).gait.modifiers == ()


def test_the_roach_walks_along_a_path():
    path = GroundPath.through([[0.0, 0.0], [0.04, 0.0], [0.08, 0.01], [0.12, 0.0], [0.16, -0.01]])
    world = make_world("roach", path=path)
    film = run(world, start(world), 2.3)
    place, points = film.position[:, 0, 0, :2], path.points()
    distance = np.hypot(*np.moveaxis(place[:, None] - points[None], -1, 0))
    arrived = int(np.argmax(distance.argmin(axis=1) == len(points) - 1))
    assert arrived > 0
    assert distance[:arrived].min(axis=1).max() < 0.012  # 0.4 body lengths
    after = film.time > film.time[arrived] + 0.3  # a cycle and a half: the last steps and stances
    assert np.ptp(place[after], axis=0).max() < 1e-4
    assert np.hypot(*(place[-1] - points[-1])) < 0.012


def test_the_roach_starts_on_its_path_and_looks_along_it():
    points = [[0.1, 0.2], [0.1, 0.3]]
    state = start(make_world("roach", path=points))
    assert state.q[0, :7] == pytest.approx([math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5), 0.1, 0.2, state.q[0, 6]])
    backward = start(make_world("roach", path=points, stroke=-1.0))
    assert math.atan2(backward.q[0, 3], backward.q[0, 0]) == pytest.approx(0.75 * math.pi)


def test_insects_of_other_numbers_of_legs_turn():
    """The roach without its hind legs, and of two pairs: the changes follow from the legs that there are."""
    creature = roach()
    for leg in ("middle left", "middle right"):
        creature = creature.without_leg(leg)
    (steering,) = world_of(creature, turn=1.0).gait.modifiers
    assert isinstance(steering, Steering)
    assert [len(commands) for commands in steering.changes["step"]] == [len(leg.step) for leg in creature.legs]
    left, right = (steering.changes["stance"][i][0].turn for i in (0, 1))
    assert left == pytest.approx(right, rel=1e-6)  # mirror images: joint angles change sign, and so does the side


def test_unknown_yields_in_a_creature_file_are_refused():
    from importlib.resources import files

    from gambol.creatures.creature_file import read_creature
    from gambol.errors import GambolError

    text = files("gambol.creatures").joinpath(FILE).read_text(encoding="utf-8")
    with pytest.raises(GambolError, match='did you mean "turn_yield"'):
        read_creature(text.replace("turn_yield", "turn_yeld"), FILE, "tuned")


def test_impossible_steering_is_refused():
    with pytest.raises(WorldError, match="turn of steering"):
        world_of(roach(), turn=math.inf)
    with pytest.raises(WorldError, match="at least two"):
        world_of(roach(), path=[[0.0, 0.0]])
    with pytest.raises(WorldError, match="turn_yield"):
        world_of(replace(roach(), steering=replace(roach().steering, turn_yield=-1.0)), turn=1.0)
