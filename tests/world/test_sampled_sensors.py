"""Noise, delay, rate and cutoff of sensors in worlds, against what they would read without."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.actuation import TorqueMotor
from gambol.collide import NoGround
from gambol.control import FeedbackController, Senses
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.lanes import Scalar
from gambol.sensing import FramePosition, JointPosition, JointVelocity, Sensor
from gambol.sensing.noise import normal_numbers
from gambol.world import Engine, InitialState, Timing, World, load_state, run, save_state, sensors, start

CART = Figure("cart", (Link("cart", None, Joint("prismatic", axis=(1.0, 0.0, 0.0)), (Part(Box((0.2, 0.1, 0.1))),)),))
STEP, SPEED = 0.001, 2.0


@dataclass(frozen=True)
class Remembering:
    """A law without force, whose memory is what it read."""

    required_senses: tuple[str, ...] = ("x",)

    def numbers(self) -> dict[str, Any]:
        return {}

    def memory(self) -> Any:
        return [0.0, 0.0, 0.0]

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        return [0.0], list(senses.sensors["x"])

    def structure(self) -> tuple[Any, ...]:
        return self.required_senses


def coasting(sensors: Mapping[str, Sensor], **options: Any) -> World:
    """Return a cart that coasts at a constant speed from x = 0."""
    initial = InitialState((0.0,), (SPEED,))
    timing = Timing(STEP, STEP, "rk4")
    return World(CART, ground=NoGround(), gravity=0.0, timing=timing, initial=initial, sensors=sensors, **options)


def test_a_delayed_sensor_reads_the_past_and_a_slow_one_holds():
    """At constant speed, where a line between samples is exact."""
    world = coasting(
        {
            "late": JointPosition("cart", delay=0.0105),
            "slow": JointPosition("cart", rate=100.0),
            "both": JointPosition("cart", rate=100.0, delay=0.004),
            "clipped": JointPosition("cart", cutoff=0.05),
            "now": JointPosition("cart"),
        }
    )
    film = run(world, start(world), 0.1)
    t, k = film.time, np.arange(len(film.time))
    read = {name: film.signals[f"sensor {name}"][:, 0, 0] for name in world.sensors}
    np.testing.assert_allclose(read["now"], SPEED * t, atol=1e-12)
    np.testing.assert_allclose(read["late"], SPEED * np.maximum(t - 0.0105, 0.0), atol=1e-12)
    np.testing.assert_allclose(read["slow"], SPEED * STEP * (k - k % 10), atol=1e-12)
    earlier = np.maximum(k - 4, 0)
    np.testing.assert_allclose(read["both"], SPEED * STEP * (earlier - earlier % 10), atol=1e-12)
    np.testing.assert_allclose(read["clipped"], np.minimum(SPEED * t, 0.05), atol=1e-12)


def noisy(seed: int = 3, **options: Any) -> World:
    law = FeedbackController(Remembering(), {"cart": TorqueMotor(-1.0, 1.0)})
    sensor = FramePosition("cart", noise=(0.1, 0.2, 0.0), seed=seed, **options)
    return coasting({"x": sensor}, controller=law)


def test_noise_is_that_of_seed_world_and_control_step():
    world = noisy()
    film = run(world, start(world, 5), 0.05)
    read = film.signals["sensor x"]
    noise = read - np.array([SPEED * film.time, 0.0 * film.time, 0.0 * film.time]).T[:, None, :]
    steps = range(len(film.time))
    draws = np.array([normal_numbers(3, "x", 3.0, np.arange(5.0), float(k)) for k in steps]).swapaxes(1, 2)
    np.testing.assert_allclose(noise, draws * [0.1, 0.2, 0.0], atol=1e-12)
    again = run(world, start(world, 5), 0.05)
    np.testing.assert_array_equal(again.signals["sensor x"], read)
    other = noisy(seed=4)
    assert np.abs(run(other, start(other, 5), 0.05).signals["sensor x"] - read)[..., :2].min() > 0.0


def test_a_film_shows_what_the_controller_read():
    """In the control step before the last frame, whose memory is still there, with a delay and a rate as well."""
    world = noisy(delay=0.0025, rate=500.0)
    state = start(world, 3)
    film = run(world, state, 0.02)
    memory = np.array(state.step_state.memory.control.inner).T
    np.testing.assert_array_equal(film.signals["sensor x"][-2], memory)


def test_the_sensors_of_a_state_read_what_its_film_shows():
    world = noisy(delay=0.0025, rate=500.0)
    state = start(world, 3)
    film = run(world, state, 0.02)
    read = sensors(world, state)
    assert list(read) == ["x"]
    np.testing.assert_array_equal(read["x"], film.signals["sensor x"][-1])
    assert sensors(coasting({}), start(coasting({}))) == {}


def test_a_run_continues_from_a_file_with_the_same_noise(tmp_path: Path):
    world = noisy(delay=0.003)
    whole = run(world, start(world, 2), 0.02).signals["sensor x"]
    state = start(world, 2)
    run(world, state, 0.01)
    rest = run(world, load_state(save_state(state, tmp_path / "half.npz"), world), 0.01).signals["sensor x"]
    np.testing.assert_array_equal(rest, whole[len(whole) - len(rest) :])


def test_worlds_may_have_noise_and_delays_of_their_own():
    world = coasting({"x": JointPosition("cart", delay=0.01, noise=1.0)})
    sensor = world.numbers()["sensors"]["x"] | {"noise": [0.0], "delay": np.array([0.0, 0.004, 0.01])}
    film = run(world, start(world, 3), 0.05, numbers=Engine(world).numbers(sensors={"x": sensor}))
    expected = SPEED * np.maximum(film.time[:, None] - [0.0, 0.004, 0.01], 0.0)
    np.testing.assert_allclose(film.signals["sensor x"][:, :, 0], expected, atol=1e-12)


def test_noise_in_single_precision_is_the_same_noise():
    """Words are exact; a rounding e of u near 1 changes sqrt(-2 log u) by up to sqrt(2 e), more than all others."""
    worlds, seed = np.arange(20000.0), 4093.0**2 - 1.0
    double = np.array(normal_numbers(3, "imu", seed, worlds, 123456.0))
    single = np.array(normal_numbers(3, "imu", np.float32(seed), worlds.astype(np.float32), np.float32(123456.0)))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, double, atol=2.0 * np.finfo(np.float32).eps ** 0.5)


def test_noise_is_normal_and_independent():
    """Moments and correlations of a million numbers within 4 standard errors, of some 130 of them (1 in 120)."""
    worlds, steps, count = 2000, 125, 4
    rows = [normal_numbers(count, "imu", 7.0, np.arange(float(worlds)), float(k)) for k in range(steps)]
    x = np.array(rows)
    n = x.size
    scores = [
        x.mean() * math.sqrt(n),
        (np.square(x).mean() - 1.0) * math.sqrt(n / 2.0),
        (x**3).mean() * math.sqrt(n / 15.0),
        ((x**4).mean() - 3.0) * math.sqrt(n / 96.0),
    ]
    scores += [(x[:, i] * x[:, j]).mean() * math.sqrt(n / count) for i in range(count) for j in range(i)]
    for z in (x, (x**2 - 1.0) / math.sqrt(2.0)):
        for axis in (0, 2):
            for lag in range(1, 31):
                size = x.shape[axis]
                product = np.take(z, range(size - lag), axis) * np.take(z, range(lag, size), axis)
                scores.append(product.mean() * math.sqrt(product.size))
    assert np.abs(scores).max() < 4.0
    assert 0.8 < np.sqrt(np.mean(np.square(scores))) < 1.2  # of 130 scores, three standard errors


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"noise": -1.0}, 'the sensor "x" has the noise -1.0; give 0 or more, or 1 such numbers'),
        ({"noise": (0.1, 0.1)}, "or 1 such numbers"),
        ({"seed": -1}, "has the seed -1; give a whole number from 0 to"),
        ({"delay": -0.1}, 'the sensor "x": a signal cannot be delayed by -0.1 s'),
        ({"delay": 100.0}, 'the sensor "x": a delay of 100.0 s in control steps of 0.001 s'),
        ({"rate": 300.0}, "cannot measure 300 times per second: .* 333.333 is possible"),
        ({"rate": 0.0}, "cannot measure 0 times per second"),
        ({"cutoff": 0.0}, "has a cutoff of 0.0; give more than 0"),
    ],
)
def test_impossible_sampling_is_refused(options: dict[str, Any], text: str):
    with pytest.raises(WorldError, match=text):
        coasting({"x": JointVelocity("cart", **options)})
