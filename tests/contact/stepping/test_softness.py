"""Soft contacts: against the closed form of a damped oscillator, and against MuJoCo's own motion."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest

from gambol.contact import Softness, Stepping
from gambol.creatures.make_world import make_world
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.formats import Model
from gambol.world import Timing, World, run, start

LIBRARY: Any = mujoco
RADIUS, SPEED = 0.1, 2.0
T = 0.02
LANDS_AT = 0.05
MUJOCO_STEP = 2e-5
RIGID_SURFACE = Softness(T, 1.0, (1.0, 1.0, 1e-3))


def ball_on_slides() -> Figure:
    """A ball that moves along z and x and does not turn."""
    ball = Part(Sphere(RADIUS), density=500.0, friction=0.6)
    carrier = Link("carrier", None, Joint("prismatic", (0.0, 0.0, 1.0)), (Part(Sphere(0.01), colliding=False),))
    return Figure("ball", (carrier, Link("ball", "carrier", Joint("prismatic", (1.0, 0.0, 0.0)), (ball,))))


def soft_world(step: float, softness: Softness) -> World:
    timing = Timing(2e-3, step, "semi-implicit euler")
    return make_world(Model(ball_on_slides(), ground=True), contact=Stepping(softness=softness), timing=timing)


def landed(step: float, softness: Softness, sideways: float = 0.0, seconds: float = 0.2) -> Any:
    """Return the film of a ball that falls for LANDS_AT, so that it lands at SPEED."""
    world = soft_world(step, softness)
    state = start(world)
    state.q[:, 0] = RADIUS + SPEED * LANDS_AT - 0.5 * 9.81 * LANDS_AT**2
    state.v[:] = [[-SPEED + 9.81 * LANDS_AT, sideways]]
    return run(world, state, seconds, rate=500.0)


def depth_error(step: float) -> float:
    """Return the largest difference from x = v t exp(-t / T), which does not depend on gravity or mass."""
    film = landed(step, RIGID_SURFACE)
    since = film.time - LANDS_AT
    ours, inside = RADIUS - film.position[:, 0, -1, 2], since >= 0.0
    return float(np.abs(ours - SPEED * since * np.exp(-since / T))[inside].max())


def test_a_landing_is_a_critically_damped_oscillation_to_second_order():
    coarse, fine = depth_error(1e-3), depth_error(2.5e-4)
    assert fine < 1e-3 * SPEED * T
    assert fine < coarse / 8.0


def test_the_depth_at_rest_is_that_of_the_impedance():
    """0 = (1 - d) g + d k x with d and k at the depth x."""
    film = landed(1e-3, Softness(T), seconds=1.0)
    depth = RADIUS - film.position[-1, 0, -1, 2]
    d = Softness(T).impedance_at(-depth)
    assert depth == pytest.approx((1.0 - d) * 9.81 / (d * d / (0.95 * T) ** 2), rel=1e-9)


def in_mujoco(sideways: float, times: np.ndarray) -> np.ndarray:
    """Return MuJoCo's positions (x, z) at some times: the same ball, with the default softness."""
    xml = f"""<mujoco><option timestep="{MUJOCO_STEP}" cone="elliptic" integrator="implicitfast"/><worldbody>
      <geom type="plane" size="5 5 1" friction="0.6"/><body>
      <joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/>
      <geom type="sphere" size="{RADIUS}" density="500" friction="0.6"/></body></worldbody></mujoco>"""
    model = LIBRARY.MjModel.from_xml_string(xml)
    data = LIBRARY.MjData(model)
    data.qpos[0] = RADIUS + SPEED * LANDS_AT - 0.5 * 9.81 * LANDS_AT**2
    data.qvel[:] = [-SPEED + 9.81 * LANDS_AT, sideways]
    found: list[list[float]] = []
    for time in times:
        while data.time < time - 1e-6:
            LIBRARY.mj_step(model, data)
        found.append([data.qpos[1], data.qpos[0]])
    return np.array(found)


@pytest.mark.parametrize("sideways", [0.0, 0.05, 0.2])
def test_a_ball_lands_slips_and_sticks_as_in_mujoco(sideways: float):
    """Up to the errors of both: that of the closed form here, and a step of MuJoCo's first-order integrator there."""
    film = landed(1e-3, Softness(), sideways)
    ours, theirs = film.position[:, 0, -1][:, [0, 2]], in_mujoco(sideways, film.time)
    assert np.abs(theirs[:, 1].min() - RADIUS) > 0.01, "it sinks in by more than a centimetre"
    assert np.abs(ours - theirs).max() < depth_error(1e-3) + MUJOCO_STEP * SPEED


def test_impossible_softness_is_refused():
    for given in ({"time_constant": 0.0}, {"damping_ratio": math.nan}, {"impedance": (0.9, 1.1, 0.001)}):
        with pytest.raises(WorldError, match="softness"):
            Softness(**given)
