"""The state machine of poses: its phases end after a time or at an event, and exchange the legs."""

import numpy as np
import pytest

from gambol.control import Phase, StateMachine
from gambol.errors import WorldError

DT = 0.125  # s, exact in binary, so that times add up exactly
TIMED = Phase({"hip": 1.0}, after=0.5)
TOUCH = Phase({"hip": 2.0}, event="touch", swaps=True)
MACHINE = StateMachine((TIMED, TOUCH))


def test_a_timed_phase_lasts_its_time_and_one_with_an_event_waits_for_it():
    numbers, memory = MACHINE.numbers(), MACHINE.memory()
    seen = []
    for k in range(12):
        seen.append((memory.index, memory.side))
        memory = MACHINE.advanced(numbers, memory, {"touch": k == 6}, DT)
    assert seen == [(0.0, 1.0)] * 4 + [(1.0, 1.0)] * 3 + [(0.0, -1.0)] * 4 + [(1.0, -1.0)]


def test_events_of_other_phases_do_not_end_a_phase():
    memory = MACHINE.memory()
    for _ in range(3):
        memory = MACHINE.advanced(MACHINE.numbers(), memory, {"touch": True}, DT)
    assert memory.index == 0.0
    assert memory.elapsed == 3 * DT


def test_an_event_ends_its_phase_only_after_its_shortest_duration():
    machine = StateMachine((Phase({}, after=0.25, event="touch"), Phase({}, after=9.0)))
    memory, indices = machine.memory(), []
    for _ in range(3):
        memory = machine.advanced(machine.numbers(), memory, {"touch": True}, DT)
        indices.append(memory.index)
    assert indices == [0.0, 1.0, 1.0]


def test_worlds_of_an_array_are_in_phases_of_their_own():
    numbers = MACHINE.numbers() | {"after": [np.array([0.125, 0.5]), 0.0]}
    memory = MACHINE.advanced(numbers, MACHINE.memory(), {"touch": np.array([False, False])}, DT)
    np.testing.assert_array_equal(memory.index, [1.0, 0.0])
    np.testing.assert_array_equal(MACHINE.value(numbers, memory, "hip"), [2.0, 1.0])
    memory = MACHINE.advanced(numbers, memory, {"touch": np.array([True, True])}, DT)
    np.testing.assert_array_equal(memory.index, [0.0, 0.0])
    np.testing.assert_array_equal(memory.side, [-1.0, 1.0])
    np.testing.assert_array_equal(memory.elapsed, [0.0, 2 * DT])


@pytest.mark.parametrize(
    ("phases", "first", "message"),
    [
        ((), 0, "at least one phase"),
        ((TIMED, Phase({"knee": 1.0})), 0, "phase 1 has the values"),
        ((Phase({}, after=-1.0),), 0, "phase 0 lasts -1.0 s"),
        ((TIMED,), 1, "cannot begin in phase 1"),
    ],
)
def test_impossible_machines_are_refused(phases: tuple[Phase, ...], first: int, message: str):
    with pytest.raises(WorldError, match=message):
        StateMachine(phases, first)


def test_unknown_values_and_missing_events_are_named():
    with pytest.raises(WorldError, match='no phase has a value "hop"; did you mean "hip"'):
        MACHINE.value(MACHINE.numbers(), MACHINE.memory(), "hop")
    with pytest.raises(WorldError, match='phase 1 waits for "touch"'):
        MACHINE.advanced(MACHINE.numbers(), MACHINE.memory(), {"touchdown": True}, DT)
