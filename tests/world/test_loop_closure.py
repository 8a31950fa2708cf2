"""An initial state with open loops is closed before a run, with a warning, and then the ledger balances."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.contact import Stepping, contact_method
from gambol.dynamics import kinematics
from gambol.dynamics.loops import assembled
from gambol.errors import FigureError
from gambol.figure import Closure, Figure, Joint, Link, MassProperties
from gambol.formats import read_figure
from gambol.world import Engine, Timing, World, run, start
from gambol.world.loop_closure import OpenLoopWarning

FOUR_BAR = read_figure(Path("examples/figures/four_bar.toml")).figure
RATE = 240.0
LARGE = Timing(1.0 / RATE, 1.0 / 960.0, "semi-implicit euler")
SMOOTH = Timing(1.0 / RATE, 1e-4, "rkf45", 1e-7)


def world(contact: str, **changes: Any) -> World:
    method = contact_method(contact, iterations=50)
    return World(FOUR_BAR, contact=method, timing=LARGE if contact == "stepping" else SMOOTH, **changes)


@pytest.mark.parametrize("contact", ["penalty", "stepping", "constraint"])
def test_open_start_causes_a_warning_and_the_ledger_balances(contact: str):
    """Once the step closed the loop, and 3.0 J were missing after a tenth of a second."""
    tested_world = world(contact)
    state = start(tested_world, 2)
    shut = assembled(FOUR_BAR, state.q[0].tolist())
    with pytest.warns(OpenLoopWarning, match="lanes 0, 1 started with open loops"):
        film = run(tested_world, state, 0.1, rate=RATE)
    assert np.abs(film.signals["unaccounted"]).max() < 0.002
    first = kinematics(FOUR_BAR, shut, [0.0] * 3)
    np.testing.assert_allclose(film.position[0, 0, 2], [*first.poses[3].position], atol=1e-9)


def test_only_open_lanes_are_moved():
    tested_world = world("penalty")
    state = start(tested_world, 2)
    state.q[:] = assembled(FOUR_BAR, [0.0] * 3)
    state.q[1, 0] += 0.3
    before = state.q[0].copy()
    with pytest.warns(OpenLoopWarning, match="lane 1 started"):
        run(tested_world, state, 1.0 / RATE, rate=RATE)
    new_state = start(tested_world)
    new_state.q[0] = before
    run(tested_world, new_state, 1.0 / RATE, rate=RATE)
    np.testing.assert_array_equal(state.q[0], new_state.q[0])


def test_velocities_that_open_a_loop_cause_a_warning():
    tested_world = world("penalty")
    state = start(tested_world)
    state.q[0] = assembled(FOUR_BAR, [0.0] * 3)
    state.v[0] = (1.0, 0.0, 0.0)
    with pytest.warns(OpenLoopWarning, match=r"0 m or rad|e-1\d m or rad"):
        film = run(tested_world, state, 0.1, rate=RATE)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-6


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_run_that_continues_causes_no_warning(precision: Any):
    tested_world = World(FOUR_BAR, contact=Stepping(iterations=50), timing=LARGE)
    state = start(tested_world, precision=precision)
    state.q[0] = assembled(FOUR_BAR, [0.3, 0.0, 0.0])
    for _ in range(3):
        run(tested_world, state, 0.1, rate=RATE)


def test_the_lengths_of_each_lane_count():
    """A loop that is closed for the lengths of the figure is open for others."""
    tested_world = world("penalty", parameters=("rocker.position.z",))
    state = start(tested_world, 2)
    state.q[:] = assembled(FOUR_BAR, [0.0] * 3)
    numbers = Engine(tested_world).numbers(parameters={"rocker.position.z": np.array([-1.0, -1.1])})
    with pytest.warns(OpenLoopWarning, match=r"lane 1 started .* by up to 0\.09\d* m"):
        film = run(tested_world, state, 0.1, rate=RATE, numbers=numbers)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-5


def test_a_loop_that_cannot_close_is_an_error():
    rod = MassProperties(1.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
    arm = Link("arm", None, Joint("revolute"), (), rod)
    far = Closure("point", "arm", None, (1.0, 0.0, 0.0), other_position=(3.0, 0.0, 0.0))
    tested_world = World(Figure("arm", (arm,), constraints=(far,)), timing=SMOOTH)
    with pytest.raises(FigureError, match=r"the initial state of lane 0: .* cannot close its loops"):
        run(tested_world, start(tested_world), 0.1, rate=RATE)
