"""Senses of a drive at a control step, against other computations from the state there."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drives import (
    CROUCH,
    CROUCHED,
    FEET,
    JOINTS,
    RECORDER,
    SIZES,
    RecordingPattern,
    hopper,
    hopper_world,
    rail_world,
)
from scipy.spatial.transform import Rotation
from worlds import moved

from gambol.collide import Plane
from gambol.world import Engine, State, start
from gambol.world.step.senses import SENSES

FRAME = 0.02  # s
TIMES = {"stepping": 2e-3, "impulse": 2e-3, "constraint": 5e-4, "penalty": 2.5e-4}


@cache
def treading(contact: str) -> tuple[Engine, list[State]]:
    """Return states of four worlds at every frame while a hopper lands and treads on ground at a height of 0.1 m."""
    world = hopper_world(contact, TIMES[contact], FRAME, RECORDER, feet=FEET, ground=Plane(0.1))
    engine, state = Engine(world), start(world, 4, position=(0.0, 0.0, 0.56), jitter=0.1, seed=1)
    states = [state]
    for _ in range(25):
        states.append(moved(engine, states[-1], FRAME))
    return engine, states


def sensed(states: list[State]) -> list[tuple[State, dict[str, Any]]]:
    """Return states with their senses: a state remembers the control step before it."""
    return [(before, after.step_state.memory.control.inner) for before, after in pairwise(states)]


@pytest.mark.parametrize("contact", sorted(TIMES))
def test_joints_and_the_trunk_are_sensed_as_they_are(contact):
    for state, senses in sensed(treading(contact)[1]):
        figure = state.world.figure
        links = [figure.link(name) for name in JOINTS]
        np.testing.assert_array_equal(senses["angles"], [state.q[:, link.q.start] for link in links])
        np.testing.assert_array_equal(senses["speeds"], [state.v[:, link.v.start] for link in links])
        np.testing.assert_allclose(senses["time"], state.time, atol=1e-12)
        turned = Rotation.from_quat(state.q[:, [1, 2, 3, 0]])
        np.testing.assert_allclose(np.transpose(senses["up"]), turned.inv().apply([0.0, 0.0, 1.0]), atol=1e-14)
        np.testing.assert_allclose(senses["height"], state.q[:, 6] - 0.1, atol=1e-14)


def test_the_whole_state_is_sensed_as_it_is(monkeypatch):
    """All coordinates and velocities of the control step's start, from a controller that asks for nothing else."""
    figure = hopper()
    monkeypatch.setitem(SIZES, "q", figure.nq)
    monkeypatch.setitem(SIZES, "v", figure.nv)
    world = hopper_world("stepping", 2e-3, FRAME, replace(RECORDER, required_senses=("q", "v")))
    engine, before = Engine(world), start(world, 2, position=(0.0, 0.0, 0.6), jitter=0.1, seed=1)
    before.v[:, :6] = (0.5, 1.0, -0.7, 0.1, 0.2, 0.3)
    senses = moved(engine, before, FRAME).step_state.memory.control.inner
    np.testing.assert_array_equal(np.transpose(senses["q"]), before.q)
    np.testing.assert_array_equal(np.transpose(senses["v"]), before.v)


def test_velocity_is_that_of_the_place_in_the_trunks_axes():
    """Differences over 0.1 ms to either side are velocities up to their second derivative times h^2 / 6."""
    world = hopper_world("penalty", 1e-4, 1e-4, RECORDER)
    engine, state = Engine(world), start(world, 1, position=(0.0, 0.0, 1.0), jitter=0.1, seed=1)
    state.v[:, :3] = (0.5, 1.0, -0.7)
    state = moved(engine, state, 0.1)
    early, there, late = state, moved(engine, state, 1e-4), moved(engine, state, 2e-4)
    senses = moved(engine, there, 1e-4).step_state.memory.control.inner["velocity"]
    rate = (late.q[:, 4:7] - early.q[:, 4:7]) / 2e-4
    own = Rotation.from_quat(there.q[:, [1, 2, 3, 0]]).inv().apply(rate)
    np.testing.assert_allclose(np.transpose(senses), own, atol=1e-5)


@pytest.mark.parametrize("contact", sorted(TIMES))
def test_loads_of_feet_are_the_forces_on_them(contact):
    """As in the film: push over weight; feet without load do not touch."""
    engine, states = treading(contact)
    borne = []
    for state, senses in sensed(states):
        loads = np.array(engine.observe(state).normal_forces) / (hopper().mass * 9.81)
        np.testing.assert_allclose(senses["loads"], loads, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(senses["contacts"], loads > 0.0)
        borne.append(np.sum(loads, axis=0))
    assert (borne[0] == 0.0).all()  # in the air
    assert np.max(borne) > 0.5


@pytest.mark.parametrize("contact", sorted(TIMES))
def test_a_standing_foot_bears_the_weight(contact):
    """On a rail over one leg that holds still, under gravity and under half of it."""
    still = RecordingPattern(replace(CROUCH, frequency=0.0), ("contacts", "loads"), 2, 1)
    world = rail_world(contact, TIMES[contact], still)
    engine, state = Engine(world), start(world, 2, angles=CROUCHED)
    state = moved(engine, state, 2.0, engine.numbers(gravity=np.array([9.81, 4.905])))
    senses = state.step_state.memory.control.inner
    np.testing.assert_allclose(senses["loads"], [[1.0, 1.0]], rtol=1e-3)
    np.testing.assert_array_equal(senses["contacts"], [[1.0, 1.0]])


def test_unused_senses_are_not_computed(monkeypatch):
    def never(body: Any) -> Any:
        raise AssertionError("nobody asked")

    patterns = (replace(RECORDER, required_senses=names) for names in ((), ("up",)))
    deaf, upright = (hopper_world("stepping", 2e-3, FRAME, pattern) for pattern in patterns)
    for name in SENSES:
        monkeypatch.setitem(SENSES, name, never)
    state = moved(Engine(deaf), start(deaf, position=(0.0, 0.0, 1.0)), 2 * FRAME)
    assert state.step_state.memory.control.inner.keys() == {"time"}
    with pytest.raises(AssertionError, match="nobody asked"):
        moved(Engine(upright), start(upright), FRAME)
