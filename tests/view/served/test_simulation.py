"""The simulation behind a view steps, goes back and takes other inputs, with the bits of the engine."""

from dataclasses import replace

import numpy as np
import pytest

from gambol import Engine, State, make_world, roach, start
from gambol.errors import GambolError
from gambol.view.live.numbers import number_names
from gambol.view.served.history import MAX_BYTES, History
from gambol.view.served.simulation import Simulation

STEPS = 600  # the feet touch the ground after 360


def native(world, first, steps, **changes):
    """The state some control steps after a first state, by the engine alone."""
    engine, state = Engine(world, lanes=1), State(world, first.rows.copy())
    engine.advance(state, steps, engine.numbers(**changes))
    return state.rows


def advanced(simulation, steps):
    for _ in range(steps):
        simulation.advance()
    return simulation.state.rows.copy()


def test_steps_have_the_bits_of_the_engine_and_the_state_is_that_of_the_caller(world, first):
    expected = native(world, first, STEPS)
    np.testing.assert_array_equal(advanced(Simulation(first), STEPS), expected)
    np.testing.assert_array_equal(first.rows, expected)
    assert np.sum(first.step_state.ledger.impact) > 0.0  # it touched the ground


def test_what_came_before_comes_again_with_the_same_bits(world, first):
    simulation = Simulation(first)
    whole = advanced(simulation, STEPS)
    simulation.seek(0.1)
    assert float(first.time[0]) == pytest.approx(0.1, abs=world.timing.control_step)
    assert float(first.time[0]) <= 0.1
    assert simulation.history.last_step == STEPS  # nothing is forgotten before the next step
    advanced(simulation, 1)
    assert simulation.history.last_step == simulation.control_step
    np.testing.assert_array_equal(advanced(simulation, STEPS - simulation.control_step), whole)
    simulation.restart()
    np.testing.assert_array_equal(advanced(simulation, STEPS), whole)


def test_an_input_that_is_set_is_that_of_the_program(world, first):
    simulation, weak = Simulation(State(world, first.rows.copy())), 1.62
    simulation.set("gravity", weak)
    assert simulation.values["gravity"] == weak
    np.testing.assert_array_equal(advanced(simulation, STEPS), native(world, first, STEPS, gravity=weak))
    simulation.set("gravity", world.gravity)
    assert simulation.changed == {}
    np.testing.assert_array_equal(simulation.programs.own_numbers, Engine(world).numbers())


def test_a_setting_changes_its_numbers_and_its_first_value_gives_them_back():
    """A lamed leg has no stiffness; stiffness scales the others, and damping by its root."""
    world = make_world(roach())
    simulation = Simulation(start(world))
    first = simulation.programs.own_numbers.copy()
    names = list(number_names(world.numbers()))
    simulation.set("leg front left", 0.0)
    simulation.set("stiffness", 4.0)
    ratios = np.divide(simulation.programs.own_numbers, first, out=np.full_like(first, np.nan), where=first != 0.0)
    values = dict(zip(names, ratios[:, 0], strict=True))
    lame = {link for leg in world.controller.legs if leg.name == "front left" for link in leg.links}
    for name, ratio in values.items():
        if name.startswith("springs.") and not np.isnan(ratio):
            link, kind = name.removeprefix("springs.").partition("[")[0], name.rpartition(".")[2]
            wanted = {"alpha": 0.0 if link in lame else 4.0, "stiffness": 0.0 if link in lame else 4.0, "damping": 2.0}
            assert ratio == pytest.approx(wanted.get(kind, 1.0)), name
    simulation.set("leg front left", 1.0)
    simulation.set("stiffness", 1.0)
    np.testing.assert_array_equal(simulation.programs.own_numbers, first)


def test_a_push_gives_its_impulse(world, first):
    """A free figure without gravity gains the speed F t / M."""
    floating = replace(world, gravity=0.0)
    state = State(floating, first.rows.copy())
    simulation, mass = Simulation(state), sum(link.mass_properties.mass for link in world.figure.links)
    simulation.push((2.0, 0.0, 0.0), 0.05)
    advanced(simulation, round(0.1 / world.timing.control_step))
    seen = Engine(floating, lanes=1).observe(state)
    advanced(simulation, 1)
    later = Engine(floating, lanes=1).observe(state)
    speed = (later.centre[0] - seen.centre[0]) / world.timing.control_step
    assert float(speed[0]) == pytest.approx(2.0 * 0.05 / mass, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda one: one.set("gravty", 1.0), '"gravty" is not a number of this world; did you mean "gravity"'),
        (lambda one: one.set("gravity", float("nan")), "gravity cannot be nan"),
        (lambda one: one.seek(float("inf")), "give a time in seconds"),
        (lambda one: one.push((1.0, 0.0, 0.0), 0.0), "give three forces, and a time of"),
        (lambda one: one.replace(np.zeros((3, 1))), "a state of this world has rows of shape"),
        (lambda one: one.replace(np.full_like(one.state.rows, np.nan)), "not finite"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(world, first, call, words):
    simulation = Simulation(State(world, first.rows.copy()))
    with pytest.raises(GambolError, match=words):
        call(simulation)
    np.testing.assert_array_equal(simulation.state.rows, first.rows)
    np.testing.assert_array_equal(simulation.programs.own_numbers, Engine(world).numbers())


def test_other_shapes_are_refused(world):
    with pytest.raises(GambolError, match="a live view has one world; this state has 2"):
        Simulation(start(world, 2))
    with pytest.raises(GambolError, match="the numbers of this world have shape"):
        Simulation(start(world), np.zeros((1, 1)))


def test_a_long_history_keeps_fewer_states_and_not_more_memory():
    rows = np.zeros((MAX_BYTES // 8 // 64, 1))  # room for 64 states
    history = History(0, rows)
    for step in range(1, 1001):
        rows[0] = step
        history.add(step, rows)
        assert len(history._kept) <= 64
    for step in (0, 123, 999):
        kept, state = history.at(step)
        assert kept <= step < kept + 32
        assert state[0, 0] == kept
