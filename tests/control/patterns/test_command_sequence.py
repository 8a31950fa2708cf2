"""A sequence of commands: each control step has its own, and the last ones are kept."""

import numpy as np
import pytest

from gambol.control import Senses
from gambol.control.patterns import Commanded, CommandSequence, Pattern
from gambol.errors import WorldError

NUMBERS = {"commands": [[-3.0, 0.1], [0.5, 0.2], [7.0, 0.3]], "first": 4.0}


def signals_at(step: float, dt: float = 0.1) -> list[float]:
    """Return the signals in a control step."""
    signals, memory = CommandSequence(2, 3).signals(NUMBERS, (), Senses(step * dt), step * dt + dt, dt)
    assert memory == ()
    return signals


def test_it_is_a_pattern() -> None:
    assert isinstance(CommandSequence(2, 3), Pattern)


@pytest.mark.parametrize(
    ("step", "expected"), [(4, [-1.0, 0.1]), (5, [0.5, 0.2]), (6, [1.0, 0.3]), (7, [1.0, 0.3]), (1000, [1.0, 0.3])]
)
def test_each_control_step_has_its_commands_and_the_last_ones_are_kept(step: int, expected: list[float]) -> None:
    assert signals_at(step) == expected


def test_control_steps_before_the_first_have_the_first_commands() -> None:
    assert signals_at(0) == signals_at(3) == signals_at(4)


def test_commands_of_far_control_steps_are_chosen_in_single_precision() -> None:
    """The time of step n is n dt, rounded; n dt / dt differs from n by up to 1.5 n 2^-24, which is below 1/2."""
    n, dt = 1_000_000 + np.arange(200), np.float32(0.05)
    time = n.astype(np.float32) * dt
    numbers = {"commands": [[k / 200.0] for k in range(200)], "first": np.float32(1_000_000)}
    (signal,), _ = CommandSequence(1, 200).signals(numbers, (), Senses(time), time + dt, dt)
    np.testing.assert_array_equal(signal, np.arange(200) / 200.0)


def test_worlds_may_be_in_different_control_steps() -> None:
    numbers = {"commands": [[np.array([0.1, 0.2])], [np.array([0.3, 0.4])]], "first": np.array([0.0, 2.0])}
    (signal,), _ = CommandSequence(1, 2).signals(numbers, (), Senses(np.array([0.2, 0.4])), 0.0, 0.2)
    assert signal.tolist() == [0.3, 0.2]


def test_it_rests_until_commands_are_given() -> None:
    assert CommandSequence(2, 3).numbers() == {"commands": [[0.0, 0.0]] * 3, "first": 0.0}


def test_sequences_of_other_sizes_or_senses_are_other_programs() -> None:
    others = [CommandSequence(2, 3), CommandSequence(2, 4), CommandSequence(3, 3), CommandSequence(2, 3, ("up",))]
    assert len({other.structure() for other in (*others, Commanded(2))}) == 5


@pytest.mark.parametrize(("actuators", "length"), [(0, 3), (2, 0)])
def test_an_empty_sequence_is_refused(actuators: int, length: int) -> None:
    with pytest.raises(WorldError, match=f"a sequence of {length} commands for {actuators} actuators is empty"):
        CommandSequence(actuators, length)
