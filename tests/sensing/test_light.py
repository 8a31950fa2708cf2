"""Light sensors against the inverse square law, the cosine law, and an integral over a sphere."""

import math
from typing import Any

import numpy as np
import pytest

from gambol.collide import NoGround, Plane
from gambol.dynamics import kinematics
from gambol.errors import FigureError, WorldError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.figure.forest import make_forest
from gambol.sensing import Light, LightSensor, SensorInput, illuminance
from gambol.spatial import Vector

BALL = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.1), density=1e3),)),))
WALL = Figure(
    "wall",
    (Link("wall", None, Joint("fixed", position=(1.0, 0.0, 0.0)), (Part(Box((0.2, 2.0, 2.0)), inertial=False),)),),
)


def reading(sensor: LightSensor, lights: Any, figure: Figure = BALL, q: Any = None, ground: Any = None) -> float:
    state = kinematics(figure, q or [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0] * figure.nv)
    ground = ground or NoGround()
    at = SensorInput(state, ground, ground.numbers(), ground.table(), [x.numbers() for x in lights], {}, 0.0)
    sensor.check("eye", figure, ground)
    (value,) = sensor.read(sensor.numbers(), at)
    return value


def test_light_falls_with_the_square_of_the_distance_and_the_cosine():
    for d in (0.5, 1.0, 3.0):
        for angle in (0.0, 0.4, 1.2):
            light = Light((d * math.cos(angle), d * math.sin(angle), 0.0), 5.0)
            assert reading(LightSensor("ball"), [light]) == pytest.approx(5.0 * math.cos(angle) / d**2, rel=1e-12)
    assert reading(LightSensor("ball"), [Light((-1.0, 0.1, 0.0), 5.0)]) == 0.0  # behind it


def test_all_the_light_of_a_lamp_arrives_on_a_sphere_around_it():
    """The integral of the illuminance over a sphere, off centre, is 4 pi I: Gauss' law. [quadrature of 60 x 120]"""
    z, weights = np.polynomial.legendre.leggauss(60)
    azimuth = np.arange(120) * 2.0 * math.pi / 120
    r = np.sqrt(1.0 - z**2)
    n = Vector(
        *(np.outer(x, y).ravel() for x, y in ((r, np.cos(azimuth)), (r, np.sin(azimuth)), (z, 1.0 + 0 * azimuth)))
    )
    light = Light((0.3, -0.2, 0.1), 2.0).numbers()
    inward = illuminance(n * 1.5, -n, light)
    area = 1.5**2 * np.repeat(weights, 120) * 2.0 * math.pi / 120
    assert float(inward @ area) == pytest.approx(4.0 * math.pi * 2.0, rel=1e-12)


def test_sensors_turn_and_move_with_their_links():
    half = math.sqrt(0.5)
    turned = [half, 0.0, 0.0, half, 1.0, 2.0, 3.0]  # by a right angle about z: x of the ball is y of the world
    sensor = LightSensor("ball", position=(0.1, 0.0, 0.0), normal=(3.0, 0.0, 0.0))
    assert reading(sensor, [Light((1.0, 2.6, 3.0), 1.0)], q=turned) == pytest.approx(1.0 / 0.5**2, rel=1e-12)


def test_lights_add_and_are_no_brighter_than_at_their_surface():
    lights = [Light((1.0, 0.0, 0.0), 2.0), Light((2.0, 0.0, 0.0), 4.0), Light((0.001, 0.0, 0.0), 1.0, radius=0.1)]
    assert reading(LightSensor("ball"), lights) == pytest.approx(2.0 + 1.0 + 100.0)
    assert reading(LightSensor("ball"), []) == 0.0


def test_walls_and_ground_hide_lights_from_sensors_with_shadows():
    world = make_forest("room", {"ball": BALL, "wall": WALL})
    light, seeing, blind = Light((2.0, 0.0, 0.0)), LightSensor("ball"), LightSensor("ball", shadows=True)
    assert reading(seeing, [light], world) == pytest.approx(0.25)
    assert reading(blind, [light], world) == 0.0
    assert reading(blind, [Light((0.5, 0.0, 0.0))], world) == pytest.approx(4.0)  # in front of the wall
    assert reading(LightSensor("ball", shadows=True, sees=()), [light], world) == pytest.approx(0.25)
    down = LightSensor("ball", normal=(0.0, 0.0, -1.0), shadows=True)
    assert reading(down, [Light((0.0, 0.0, -2.0))], ground=Plane(-1.0)) == 0.0
    assert reading(down, [Light((0.0, 0.0, -2.0))], ground=Plane(-3.0)) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Light((math.nan, 0.0, 0.0)), "cannot be at"),
        (lambda: Light((0.0, 0.0, 0.0), -1.0), "intensity of 0 or more, not -1.0"),
        (lambda: Light((0.0, 0.0, 0.0), 1.0, 0.0), "radius of more than 0 m, not 0.0 m"),
        (lambda: LightSensor("ball", normal=(0.0, 0.0, 0.0)), "cannot look along"),
        (lambda: LightSensor("ball", scale=0.0), "scale of a light sensor is 0.0"),
    ],
)
def test_impossible_lights_are_refused(make: Any, text: str):
    with pytest.raises(WorldError, match=text):
        make()


def test_unknown_links_are_refused():
    with pytest.raises(FigureError, match='"bal"'):
        LightSensor("bal").check("eye", BALL, NoGround())
    with pytest.raises(FigureError, match='"wal"'):
        LightSensor("ball", shadows=True, sees=("wal",)).check("eye", make_forest("r", [BALL, WALL]), NoGround())
