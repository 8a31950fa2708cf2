"""Several creatures in one world: as alone where they do not meet, conserved momentum where they do, and behaviours."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import gambol
from gambol import Behaviour, Place
from gambol.collide.broad.at_rest import poses_at
from gambol.control import FeedbackController
from gambol.errors import WorldError
from gambol.world.external import InitialState

RATE = 24.0


def tracks(world: gambol.World, film: Any) -> list[Any]:
    """Return the coordinates of each creature's trunk in a film, (frames, 7)."""
    return [film.signals["q"][:, 0, root.q.start : root.q.start + 7] for root in world.figure.roots]


@dataclass(frozen=True)
class AllSenses:
    """A law whose torque is a sum of all senses, so that an exchanged sense changes the motion."""

    required_senses = ("angles", "speeds", "contacts", "loads", "up", "velocity", "height", "q", "v")

    def numbers(self) -> dict[str, Any]:
        return {"gain": 0.3}

    def memory(self) -> float:
        return 0.0

    def commands(self, numbers: Any, memory: Any, senses: Any, dt: Any) -> tuple[list[Any], Any]:
        lists = (getattr(senses, name) for name in self.required_senses if name != "height")
        reading = sum((1.0 + 0.1 * k) * x for values in lists for k, x in enumerate(values)) + senses.height
        x_and_y = 1.4 * senses.q[4] + 1.5 * senses.q[5]  # where it is: the only difference from being alone
        return [numbers["gain"] * (reading - x_and_y) - memory], 0.5 * memory + 0.01 * senses.angles[0]

    def structure(self) -> tuple[Any, ...]:
        return ("all senses",)


def hopper(mass: float) -> gambol.World:
    """A box with one leg that ends in a ball, and a motor at the hip."""
    body = gambol.Part(gambol.Box((0.3, 0.2, 0.1)), density=mass / 0.006)
    shin = gambol.Part(gambol.Capsule(0.02, 0.2), (0.0, 0.0, -0.1), density=900.0)
    hip = gambol.Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.05))
    links = (gambol.Link("trunk", None, gambol.Joint("free"), (body,)), gambol.Link("leg", "trunk", hip, (shin,)))
    world = gambol.make_world(gambol.Figure("hopper", links), contact=gambol.Stepping(8, 8))
    surface = replace(world.surface, parameters=replace(world.surface.parameters, stiffness=1.0, friction=0.6))
    motors = {"leg": gambol.TorqueMotor(lower=-3.0, upper=3.0)}
    control = FeedbackController(AllSenses(), motors, ("leg",))
    q = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.32, 0.1)
    return replace(world, surface=surface, controller=control, pairs=(), initial=InitialState(q))


def test_each_controller_reads_the_senses_of_its_own_creature():
    worlds, places = {"light": hopper(3.0), "heavy": hopper(7.0)}, {"light": Place(), "heavy": Place(40.0, -8.0)}
    both = gambol.together(worlds, places)
    film = gambol.run(both, gambol.start(both), 0.5, rate=RATE, coordinates=True)
    for name, world in worlds.items():
        alone = gambol.run(world, gambol.start(world), 0.5, rate=RATE, coordinates=True)
        root = both.figure.link(f"{name}/trunk")
        q = film.signals["q"][:, 0, root.q.start : root.q.start + 8].copy()
        q[:, 4:6] -= [places[name].x, places[name].y]
        # 40 m away positions are rounded to 7e-15 m; the motion of half a second enlarges it
        np.testing.assert_allclose(q, alone.signals["q"][:, 0], atol=1e-10)
        assert np.ptp(q[:, 7]) > 0.1


def test_creatures_that_do_not_meet_walk_as_alone():
    hound = gambol.make_world("hound")
    both = gambol.together([hound, hound], [Place(0.0, -2.0), Place(0.0, 2.0)])
    film = gambol.run(both, gambol.start(both), 2.0, rate=RATE, coordinates=True)
    alone = gambol.run(hound, gambol.start(hound), 2.0, rate=RATE, coordinates=True).signals["q"][:, 0]
    for y, q in zip((-2.0, 2.0), np.split(film.signals["q"][:, 0], 2, axis=1), strict=True):
        np.testing.assert_allclose(q - np.eye(alone.shape[1])[5] * y, alone, atol=1e-11)  # rounding, enlarged in 2 s


def test_a_place_turns_a_creature_and_its_whole_walk():
    hound = gambol.make_world("hound")
    turned = gambol.together([hound], [Place(1.0, 2.0, 0.5)])
    walk = gambol.run(turned, gambol.start(turned), 1.0, rate=RATE, coordinates=True).signals["q"][:, 0, 4:7]
    alone = gambol.run(hound, gambol.start(hound), 1.0, rate=RATE, coordinates=True).signals["q"][:, 0, 4:7]
    c, s = np.cos(0.5), np.sin(0.5)
    expected = alone @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]).T + [1.0, 2.0, 0.0]
    # sweeps treat the tangents of contacts in world axes: their error, at most 1e-3 m/s, changes with the heading
    np.testing.assert_allclose(walk, expected, atol=1e-3)


def test_two_that_collide_on_ice_exchange_momentum():
    """Without friction the ground pushes up only, so horizontal momentum is that of the two together."""
    hound = gambol.make_world("hound")
    ice = replace(hound.surface, parameters=replace(hound.surface.parameters, friction=0.0))
    v = [0.0] * hound.figure.nv
    v[3] = 1.0
    sliding = replace(hound, surface=ice, initial=InitialState(hound.initial.q, tuple(v)))
    both = gambol.together([sliding, sliding], [Place(-0.65, 0.0), Place(0.65, 0.03, np.pi)])
    assert both.pairs
    film = gambol.run(both, gambol.start(both), 0.5, rate=120.0, coordinates=True)
    momenta = [
        [gambol.momentum(hound.figure, q, v).linear[:2] for q, v in zip(qs, vs, strict=True)]
        for qs, vs in zip(
            np.split(film.signals["q"][:, 0], 2, axis=1), np.split(film.signals["v"][:, 0], 2, axis=1), strict=True
        )
    ]
    first, second = np.array(momenta)
    total = first + second
    mass = hound.figure.mass
    assert abs(first[-1, 0] - first[0, 0]) > 0.3 * mass  # they met: more than 0.3 m/s was exchanged
    # what one gives the other takes: rounding of 15 kg m/s in some 100 operations of each of 180 steps
    np.testing.assert_allclose(total, total[0] * np.ones_like(total), atol=1e-10)


def depth_between(world: gambol.World, q: Any) -> float:
    """Return how deep capsules of different creatures are in each other [m], by points along their axes."""
    poses = poses_at(world.figure, {link.index: q[link.q] for link in world.figure.links})
    points, radii = {}, {}
    for key in {key for pair in world.pairs for key in ((pair.link, pair.part), (pair.other, pair.other_part))}:
        part = world.figure.links[key[0] - 1].parts[key[1]]
        pose = poses[key[0]]
        R, origin = np.array(pose.rotation.rows), np.array([*pose.position])
        along = np.linspace(-0.5, 0.5, 40)[:, None] * (np.array(part.rotation)[:, 2] * part.shape.length)
        points[key], radii[key] = (np.array(part.position) + along) @ R.T + origin, part.shape.radius
    deepest = -np.inf
    for pair in world.pairs:
        one, other = (pair.link, pair.part), (pair.other, pair.other_part)
        apart = np.linalg.norm(points[one][:, None] - points[other], axis=-1).min()
        deepest = max(deepest, radii[one] + radii[other] - apart)
    return float(deepest)


def test_a_chase_ends_with_a_catch_and_not_inside_the_other():
    worlds = {"cat": gambol.make_world("cat"), "beetle": gambol.make_world("beetle")}
    places = {"cat": Place(-1.2, 0.4), "beetle": Place(0.0, 0.0, 0.4)}
    world = gambol.together(worlds, places, behaviours={"cat": "chase", "beetle": "flee"})
    film = gambol.run(world, gambol.start(world), 7.0, rate=RATE, coordinates=True)
    cat, beetle = tracks(world, film)
    distance = np.hypot(*(cat[:, 4:6] - beetle[:, 4:6]).T)
    lengths = [max(w.figure.root.parts[0].shape.size) for w in worlds.values()]
    assert distance[0] > 1.2
    assert distance.min() < 0.5 * sum(lengths)  # noses touch tails
    assert cat[:, 6].min() > 0.2
    # after the catch legs and trunks touch: what one approaches another in a step, at 0.5 m/s, is the most
    assert max(depth_between(world, q) for q in film.signals["q"][96:, 0]) < 0.5 / 360.0


def test_a_creature_in_sight_of_none_follows_its_commands():
    worlds = [gambol.make_world("hound")] * 2
    places, far = [Place(0.0, -20.0), Place(0.0, 20.0)], Behaviour("chase", reach=5.0)
    alone = gambol.together(worlds, places)
    hunting = gambol.together(worlds, places, behaviours={"hound1": far})
    q = [gambol.run(w, gambol.start(w), 1.0, rate=RATE, coordinates=True).signals["q"] for w in (alone, hunting)]
    np.testing.assert_allclose(q[0], q[1], atol=1e-11)


ONE = {"hound": gambol.make_world("hound")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({},), "at least one"),
        (([ONE["hound"]] * 2, [Place(), Place(0.3)]), "set into each other.*trunk.*further apart"),
        (([ONE["hound"]] * 2, [Place()] * 3), "3 places for 2 creatures"),
        (([ONE["hound"]], {"hund": Place()}), 'no creature "hund"'),
        (({**ONE, "roach": gambol.make_world("roach")},), "they have a different (gravity|timing)"),
    ],
)
def test_what_cannot_be_in_one_world_is_refused(arguments: Any, message: str):
    with pytest.raises(WorldError, match=message):
        gambol.together(*arguments)


@pytest.mark.parametrize(
    ("behaviours", "message"),
    [
        ({"hund": "chase"}, 'no creature "hund"'),
        ({"hound1": "chaise"}, 'no behaviour "chaise".*chase'),
        ({"hound1": "flock"}, None),
    ],
)
def test_behaviours_are_checked(behaviours: Any, message: str | None):
    worlds = [ONE["hound"]] * 2
    if message is None:
        assert gambol.together(worlds, behaviours=behaviours).sensors.keys() == {"hound1/others"}
        return
    with pytest.raises(WorldError, match=message):
        gambol.together(worlds, behaviours=behaviours)


def test_one_alone_cannot_act_on_others():
    with pytest.raises(WorldError, match="one creature alone"):
        gambol.together(ONE, behaviours={"hound": "chase"})
    with pytest.raises(WorldError, match="no number"):
        Behaviour("chase", numbers={"leap": 1.0})
