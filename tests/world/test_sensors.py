"""Sensors of a world: in its films by name, in its controller, and in lanes that differ."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from worlds import touch

from gambol.actuation import TorqueMotor
from gambol.collide import HeightGrid, NoGround
from gambol.collide.rays import Ray, ground_distance
from gambol.contact import SurfaceProperties
from gambol.control import FeedbackController, Senses
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.figure.forest import make_forest
from gambol.lanes import Scalar
from gambol.sensing import SENSORS, Light, LightSensor, Rangefinder, Sensor, SensorInput, add_sensor
from gambol.spatial import Vector
from gambol.spatial.conversions import matrix_from_quaternion
from gambol.world import Engine, InitialState, Timing, World, run, start

CART = Figure("cart", (Link("cart", None, Joint("prismatic", axis=(1.0, 0.0, 0.0)), (Part(Box((0.2, 0.1, 0.1))),)),))
WALL = Figure(
    "wall",
    (Link("wall", None, Joint("fixed", position=(2.0, 0.0, 0.0)), (Part(Box((0.1, 1.0, 1.0)), inertial=False),)),),
)
ROOM = make_forest("room", {"cart": CART, "wall": WALL})
TIMING = Timing(0.001, 0.001, "rk4")
SENSES = {"eye": LightSensor("cart", (0.1, 0.0, 0.0)), "ray": Rangefinder("cart", (0.1, 0.0, 0.0), reach=3.0)}


@dataclass(frozen=True)
class KeepDistance:
    """A force proportional to the distance of a wall beyond 1 m, and to the speed of its change."""

    required_senses: tuple[str, ...] = ("ray", "v")

    def numbers(self) -> dict[str, Any]:
        return {"stiffness": 20.0, "damping": 18.0}

    def memory(self) -> Any:
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        (distance,) = senses.sensors["ray"]
        return [numbers["stiffness"] * (distance - 1.0) - numbers["damping"] * senses.v[0]], memory

    def structure(self) -> tuple[Any, ...]:
        return self.required_senses


def room(law: Any = None, **changes: Any) -> World:
    controller = FeedbackController(law or KeepDistance(), {"cart": TorqueMotor(-100.0, 100.0)})
    options = {"sensors": SENSES, "lights": (Light((2.5, 0.3, 0.0), 4.0),), "controller": controller} | changes
    return World(ROOM, ground=NoGround(), gravity=0.0, timing=TIMING, **options)


def test_a_cart_stops_a_metre_from_the_wall_that_it_measures():
    """Mass 2 kg, stiffness 20 N/m, damping 18 N s/m: after 10 s, e^-12 of the way is left."""
    world = room()
    film = run(world, start(world), 10.0, rate=100.0)
    x = film.position[:, 0, film.link_names.index("cart"), 0]
    np.testing.assert_allclose(film.signals["sensor ray"][:, 0, 0], 2.0 - 0.05 - 0.1 - x, rtol=0, atol=1e-12)
    assert x[-1] == pytest.approx(0.85, abs=1e-4)
    d = np.hypot(2.5 - 0.1 - x, 0.3)
    expected = 4.0 * (2.4 - x) / d**3
    np.testing.assert_allclose(film.signals["sensor eye"][:, 0, 0], expected, rtol=1e-12)


def test_worlds_may_have_lights_of_their_own():
    world = room()
    engine, state = Engine(world), start(world, 3)
    numbers = engine.numbers(lights=[Light((2.5, 0.3, 0.0)).numbers() | {"intensity": np.array([1.0, 2.0, 4.0])}])
    film = run(world, state, 0.05, numbers=numbers)
    eye = film.signals["sensor eye"][:, :, 0]
    np.testing.assert_allclose(eye[:, 1:] / eye[:, :1], [[2.0, 4.0]] * len(eye), rtol=1e-12)


def test_a_spinning_ball_measures_the_hills_below_it():
    rng = np.random.default_rng(0)
    ground = HeightGrid(rng.uniform(-0.5, 0.0, (12, 12)), 0.3, -1.5, -1.5)
    ball = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.05)),)),))
    finder = Rangefinder("ball", (0.05, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, -1.0), (0.0, 0.0, -2.0)), 2.5)
    initial = InitialState((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5), (2.0, 3.0, 1.0, 0.4, 0.1, 1.0))
    world = World(ball, ground=ground, timing=TIMING, sensors={"fan": finder}, initial=initial)
    film = run(world, start(world), 0.4)
    seen = film.signals["sensor fan"][:, 0]
    assert (seen < 2.5).any()
    assert (seen == 2.5).any()
    numbers, table = ground.numbers(), ground.table()
    for frame in range(0, len(film.time), 4):
        R = matrix_from_quaternion(film.quaternion[frame, 0, 0])
        origin = film.position[frame, 0, 0] + R @ [0.05, 0.0, 0.0]
        for k, direction in enumerate(finder.directions):
            d = R @ np.array(direction) / np.linalg.norm(direction)
            expected = min(2.5, ground_distance(Ray(Vector(*origin), Vector(*d)), ground, numbers, table, 2.5))
            assert seen[frame, k] == pytest.approx(expected, abs=1e-9)


@dataclass(frozen=True)
class Speedometer(Sensor):
    """The speed of a link's origin, and the ground's normal force on it."""

    kind: ClassVar[str] = "speedometer"
    needs: ClassVar[tuple[str, ...]] = ("velocities", "contacts")
    link: str

    @property
    def readings(self) -> tuple[str, ...]:
        return ("speed", "force")

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        index = at.figure.link(self.link).index
        return [at.state.velocities[index].v.length(), at.normal_forces.get(index, 0.0)]


@pytest.mark.parametrize("contact", ["stepping", "penalty"])
def test_an_added_sensor_measures_speed_and_force(contact: str):
    """A ball that slides on level ground bears its weight on average: its height changes by less than 1 mm/s."""
    method, bounce = ("semi-implicit euler", 0.0) if contact == "stepping" else ("rk4", 1.0)
    try:
        add_sensor(Speedometer)
        ball = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(0.05)),)),))
        initial = InitialState((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05), (0.0, 0.0, 0.0, 0.7, 0.0, 0.0))
        world = World(
            ball,
            contact=contact,
            surface=SurfaceProperties(touch(damping=100.0, friction=0.0, restitution=bounce)),
            sensors={"speed": Speedometer("ball")},
            initial=initial,
            timing=Timing(1e-3, 1e-3, method),
        )
        film = run(world, start(world), 0.5)
        x = film.position[:, 0, 0]
        speed, force = film.signals["sensor speed"][:, 0].T
        np.testing.assert_allclose(speed[1:-1], np.linalg.norm(x[2:] - x[:-2], axis=1) / 2e-3, atol=0.02)
        assert force[len(force) // 2 :].mean() == pytest.approx(ball.mass * 9.81, rel=0.02)
    finally:
        SENSORS.pop("speedometer", None)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"sensors": {"rey": SENSES["ray"]}}, 'unknown sense "ray"; did you mean "rey"?'),
        ({"sensors": SENSES | {"angles": SENSES["eye"]}}, 'cannot be called "angles", which is a sense'),
        ({"sensors": SENSES | {"nose": Speedometer("cart")}}, 'the sensor "nose" is of no known kind'),
    ],
)
def test_worlds_refuse_sensors_that_do_not_fit(changes: Any, text: str):
    with pytest.raises(WorldError, match=text):
        room(**changes)


def test_anything_but_a_sensor_is_not_added():
    class Half(Sensor):
        kind = "half"

    for kind, text in ((int, "must be a class derived from"), (Half, "lacks read, readings")):
        with pytest.raises(WorldError, match=text):
            add_sensor(kind)

    @dataclass(frozen=True)
    class Second(Speedometer):
        kind: ClassVar[str] = "light"

    with pytest.raises(WorldError, match='a sensor of kind "light" already'):
        add_sensor(Second)


def test_a_wall_is_seen_at_a_slant():
    """A ray at an angle a meets a wall at a distance of x / cos(a)."""
    angles = (0.0, 0.2, 0.4)
    finder = Rangefinder("cart", directions=tuple((math.cos(a), math.sin(a), 0.0) for a in angles), reach=3.0)
    film = run(world := room(sensors=SENSES | {"fan": finder}), start(world), 0.02)
    x = film.position[0, 0, film.link_names.index("cart"), 0]
    distances = [(1.95 - x) / math.cos(a) if abs((1.95 - x) * math.tan(a)) < 0.5 else 3.0 for a in angles]
    np.testing.assert_allclose(film.signals["sensor fan"][0, 0], distances, rtol=1e-12)
