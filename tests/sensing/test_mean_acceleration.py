"""An accelerometer that integrates: impacts between two control steps count, and mean values have their closed form."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.collide import NoGround
from gambol.creatures.make_world import make_world
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.sensing import Accelerometer, MeanAcceleration
from gambol.world import State, Timing, World, load_state, run, save_state, sensors, start

G, RADIUS, HEIGHT, H = 9.81, 0.1, 0.3, 0.01
TIMING = Timing(H, H / 10.0, "semi-implicit euler")


def ball(**sensed: Any) -> World:
    """A world with a ball that falls from a height onto the ground."""
    figure = Figure("ball", (Link("ball", None, Joint("free"), (Part(Sphere(RADIUS), density=500.0),)),))
    return make_world(figure, contact="stepping", timing=TIMING, sensors=sensed)


def held_up(world: World) -> State:
    """Return its state at rest, high above the ground."""
    return start(world, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, RADIUS + HEIGHT))


@pytest.fixture(scope="module")
def fallen() -> tuple[World, Any]:
    """The world of a ball, and a film of a second, in which it comes to rest."""
    mean, slow = MeanAcceleration("ball"), MeanAcceleration("ball", rate=20.0)
    world = ball(mean=mean, slow=slow, present=Accelerometer("ball"))
    return world, run(world, held_up(world), 1.0, rate=1.0 / H)


def test_its_sum_is_the_change_of_momentum_with_the_impact(fallen):
    """A ball that starts at rest and ends at rest was carried by its weight on average: sum of a h = g t."""
    film = fallen[1]
    assert abs(film.signals["sensor mean"][-1, 0, 2] - G) < 1e-9, "it lies"
    readings = film.signals["sensor mean"][1:, 0]
    np.testing.assert_allclose(readings.sum(axis=0) * H, [0.0, 0.0, G * film.time[-1]], atol=1e-12)
    fall = np.sqrt(2.0 * HEIGHT / G)
    impact = readings[int(fall / H), 2]
    assert impact == pytest.approx(G * fall / H, rel=0.05), "the impact is in the reading of its control step"
    present = film.signals["sensor present"][1:, 0, 2].sum() * H
    assert present < G * film.time[-1] - 0.9 * G * fall, "an accelerometer of the present moment does not feel it"


def test_a_slow_one_takes_the_mean_since_its_last_measurement(fallen):
    film = fallen[1]
    every = film.signals["sensor mean"][1:, 0]
    slow = film.signals["sensor slow"][:, 0]
    np.testing.assert_allclose(slow[5::5], every.reshape(-1, 5, 3).mean(axis=1), atol=1e-9)
    np.testing.assert_array_equal(slow[5:10], np.repeat(slow[5:6], 5, axis=0))


def test_on_a_turning_body_it_has_the_chord_of_the_circle():
    """v turns by w h between measurements: the mean is a chord, seen from the present axes of the body."""
    w, r = 3.0, 0.2
    figure = Figure("top", (Link("top", None, Joint("free"), (Part(Box((0.2, 0.2, 0.1)), density=500.0),)),))
    sensor = MeanAcceleration("top", position=(r, 0.0, 0.0))
    timing = Timing(H, H, "rk4")
    world = make_world(figure, ground=NoGround(), gravity=0.0, timing=timing, sensors={"a": sensor})
    film = run(world, start(world, v=(0.0, 0.0, w, 0.0, 0.0, 0.0)), 0.2, rate=1.0 / H)
    before, now = np.array([w * r * np.sin(w * H), w * r * np.cos(w * H), 0.0]), np.array([0.0, w * r, 0.0])
    expected = np.tile((now - before) / H, (len(film.time) - 1, 1))
    np.testing.assert_allclose(film.signals["sensor a"][1:, 0], expected, atol=1e-8)
    np.testing.assert_array_equal(film.signals["sensor a"][0, 0], 0.0)


def test_a_restored_state_remembers_the_last_velocity(fallen, tmp_path: Path):
    world, state = fallen[0], held_up(fallen[0])
    run(world, state, 0.2, rate=1.0 / H)
    save_state(state, tmp_path / "state.npz")
    restored = load_state(tmp_path / "state.npz", world)
    assert sensors(world, restored)["mean"].tobytes() == sensors(world, state)["mean"].tobytes()
    for each in (state, restored):
        run(world, each, 0.1, rate=1.0 / H)
    assert sensors(world, restored)["slow"].tobytes() == sensors(world, state)["slow"].tobytes()
