"""Beer's insect: gaits by command, entrainment, lesions, light and obstacles."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.creatures.beer import LEGS, NEURONS, Network, Steering, insect_figure, insect_world
from gambol.creatures.beer.entry import BEER, insect_law
from gambol.creatures.beer.network import ADJACENT, LEG_NEURONS, AngleRange, sensor_currents
from gambol.creatures.beer.neurons import Bursts
from gambol.errors import WorldError
from gambol.figure import Cylinder, Figure, Joint, Link, Part
from gambol.figure.forest import make_forest
from gambol.sensing import Light, LightSensor, Rangefinder
from gambol.world import Engine, Film, World, run, start

Array = NDArray[Any]
SIDES = ("left", "right")
LAGS = {"wave": (0.1, 0.3), "tetrapod": (0.28, 0.42), "tripod": (0.45, 0.55)}
DUTIES = {"wave": (0.7, 0.9), "tetrapod": (0.58, 0.75), "tripod": (0.5, 0.62)}
SPEEDS = {"wave": 0.05, "tetrapod": 0.1, "tripod": 0.15}
"""Least and most lag of a leg behind the next one, and duty factor; least speed [m/s]."""


def phases(lifted: Array, dt: float) -> dict[str, float]:
    """The phase of each leg's lift-off after that of the hind left leg, in the second half of the frames [cycles].

    lifted: (frames, legs).
    """
    late = lifted[len(lifted) // 2 :].astype(int)
    times = {leg: dt * np.flatnonzero(np.diff(late[:, k]) == 1) for k, leg in enumerate(LEGS)}
    reference = times["hind left"]
    period = float(np.median(np.diff(reference)))
    found: dict[str, float] = {}
    for leg, t in times.items():
        turns = np.exp(2j * math.pi * (t - reference[0]) / period)
        assert abs(turns.mean()) > 0.7, leg  # a steady gait
        found[leg] = float(np.angle(turns.mean()) / (2.0 * math.pi)) % 1.0
    return found


def lag(found: dict[str, float], leg: str, behind: str) -> float:
    return (found[leg] - found[behind]) % 1.0


def lifted(film: Film) -> Array:
    return film.signals["feet"][:, 0, :, 2] > 0.006


def film_of(world: World, seconds: float) -> Film:
    return run(world, start(world), seconds, rate=100.0)


@pytest.mark.parametrize(("gait", "least", "most"), [(gait, *LAGS[gait]) for gait in LAGS])
def test_waves_from_back_to_front_become_a_tripod_as_the_command_grows(gait: str, least: float, most: float):
    """Each leg follows the one behind it by a lag, which is half a cycle in the tripod; the sides alternate."""
    film = film_of(BEER.world(gait=gait), 16.0)
    found = phases(lifted(film), 0.01)
    for side in SIDES:
        assert least < lag(found, f"middle {side}", f"hind {side}") < most
        assert least < lag(found, f"front {side}", f"middle {side}") < most
    for rank in ("front", "middle", "hind"):
        assert 0.35 < lag(found, f"{rank} right", f"{rank} left") < 0.65
    duty = 1.0 - lifted(film)[len(film.time) // 2 :].mean()
    assert DUTIES[gait][0] < duty < DUTIES[gait][1]
    speed = (film.position[-1, 0, 0, 0] - film.position[0, 0, 0, 0]) / 16.0
    assert SPEEDS[gait] < speed < 1.7 * 0.115


def drawing(ranges: list[AngleRange], command: float, worlds: int) -> Array:
    """Lifted legs of Beer's drawing, from random starts: a stance leg moves as the mean of all, without mass."""
    network, rng, dt = Network(), np.random.default_rng(0), 0.01
    numbers, memory = network.numbers(), network.memory()
    memory = replace(
        memory,
        potentials={name: np.full(worlds, V) for name, V in memory.potentials.items()},
        bursts={leg: Bursts(np.zeros(worlds), rng.uniform(0.0, 1.0, worlds), np.zeros(worlds)) for leg in LEGS},
    )
    angles, frames = rng.uniform(-0.25, 0.25, (6, worlds)), []
    for _ in range(3000):
        fires, memory = network.step(numbers, memory, sensor_currents(ranges, list(angles), command), dt)
        down, back, forward = (np.array([fires[f"{leg} {n}"] for leg in LEGS]) for n in ("FT", "BS", "FS"))
        down = down > 0.5
        body = 1.7 * (back * down).sum(0) / np.maximum(down.sum(0), 1)
        swung = np.clip(angles + (2.4 * forward - 1.7 * back) * dt, -0.7, 0.5)
        angles = np.where(down, angles - body * dt, swung)
        frames.append(~down)
    return np.array(frames)


def test_slower_hind_legs_entrain_the_others_to_a_wave():
    """Of 12 random starts nearly all end in waves on both sides; with hind legs like the others, far fewer do."""

    def waves(hind: float) -> int:
        ranges = [AngleRange(-0.3 * (hind if leg.startswith("hind") else 1.0), 0.3) for leg in LEGS]
        lifts, count = drawing(ranges, 0.45, 12), 0
        for world in range(12):
            found = phases(lifts[:, :, world], 0.01)
            pairs = [(f"{a} {s}", f"{b} {s}") for s in SIDES for a, b in (("middle", "hind"), ("front", "middle"))]
            lags = [lag(found, leg, behind) for leg, behind in pairs]
            count += all(0.08 < x < 0.45 for x in lags)
        return count

    assert waves(1.3) >= 10
    assert waves(1.0) < 10


def test_the_network_has_37_neurons_and_seven_pairs_of_adjacent_legs():
    assert len(NEURONS) == 1 + 6 * len(LEG_NEURONS) == 37
    assert len(ADJACENT) == 7
    assert all(sum(leg in pair for pair in ADJACENT) == (3 if "middle" in leg else 2) for leg in LEGS)


@pytest.mark.filterwarnings("ignore::gambol.world.events.ledger.LedgerWarning")  # one that stands only lands
def test_it_walks_without_any_one_of_its_angle_sensors_and_pacemakers():
    """As Chiel and Beer found: no sensor is needed, and a leg without pacemaker stays down. All 37 at once."""
    world = insect_world(law=insect_law(0.35))
    state, engine = start(world, len(NEURONS) + 1), Engine(world)
    control = world.numbers()["control"]
    intact = {name: np.ones(len(NEURONS) + 1) for name in NEURONS}
    for k, name in enumerate(NEURONS, start=1):
        intact[name][k] = 0.0
    law = control["law"]
    law = law | {"network": law["network"] | {"intact": intact}}
    film = run(world, state, 8.0, rate=50.0, numbers=engine.numbers(control=control | {"law": law}))
    trunk = film.position[:, :, 0]
    way = np.linalg.norm(np.diff(trunk[::25, :, :2], axis=0), axis=-1).sum(0)
    walks = dict(zip(("", *NEURONS), (trunk[:, :, 2].min(0) > 0.05) & (way > 0.5 * way[0]), strict=True))
    assert not walks["C"]
    assert all(walks[f"{leg} {sensor}"] for leg in LEGS for sensor in ("BAS", "FAS", "P", "BS"))
    assert sum(walks[name] for name in NEURONS) >= 28
    feet = film.signals["feet"][:, 1 + NEURONS.index("middle left P"), LEGS.index("middle left"), 2]
    assert (feet < 0.006).mean() > 0.97


EYES = {
    "left eye": LightSensor("trunk", (0.2, 0.03, 0.02), (1.0, 1.0, 0.0)),
    "right eye": LightSensor("trunk", (0.2, -0.03, 0.02), (1.0, -1.0, 0.0)),
}


def test_it_walks_to_a_light():
    steering = Steering(lights=("left eye", "right eye"))
    lamp = Light((1.2, 0.9, 0.1), 2.0)
    world = insect_world(law=insect_law(1.0, steering=steering), sensors=EYES, lights=(lamp,))
    film = film_of(world, 11.0)
    distance = np.hypot(*(film.position[:, 0, 0, :2] - [1.2, 0.9]).T)
    assert distance[0] > 1.4
    assert distance.min() < 0.15
    assert film.signals["sensor left eye"].shape == (len(film.time), 1, 1)


def test_it_turns_away_from_a_pillar_before_it_touches_it():
    pillar = Part(Cylinder(0.12, 0.3), inertial=False)
    pillar_figure = Figure("pillar", (Link("pillar", None, Joint("fixed", position=(0.8, 0.04, 0.1)), (pillar,)),))
    room = make_forest("room", {"insect": insect_figure(), "pillar": pillar_figure})
    fan = [tuple((math.cos(a), sign * math.sin(a), 0.0) for a in (0.05, 0.35, 0.7)) for sign in (1.0, -1.0)]
    whiskers = {
        f"{side} whisker": Rangefinder("trunk", (0.2, 0.0, 0.02), rays, 0.5)
        for side, rays in zip(SIDES, fan, strict=True)
    }
    steering = Steering(whiskers=("left whisker", "right whisker"), from_obstacles=2.0)
    world = insect_world(law=insect_law(1.0, steering=steering, reach=0.5), figure=room, sensors=whiskers)
    film = film_of(world, 8.0)
    trunk = film.position[:, 0, film.link_names.index("trunk"), :2]
    clear = np.hypot(*(trunk - [0.8, 0.04]).T).min()
    assert clear > 0.12 + 0.045  # the pillar and half the trunk's width
    assert trunk[-1, 0] > 0.8  # it passed


def test_impossible_insects_are_refused():
    for make, text in (
        (lambda: Network(lesions=("front left Q",)), 'no neuron "front left Q"; did you mean'),
        (lambda: insect_law(1.5), "fires between 0 and 1, not 1.5"),
        (lambda: BEER.world(gait="trypod"), 'no gait "trypod"; did you mean "tripod"'),
        (lambda: BEER.world(speed=1.0), "walks at 0 to 0.196 m/s, not at 1.0 m/s"),
        (lambda: Steering(lights=("eye",)), "a left and a right sensor"),
    ):
        with pytest.raises(WorldError, match=text):
            make()
