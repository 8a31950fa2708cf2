"""A commanded pattern returns its commands as signals, clipped to the range of actuators."""

import numpy as np

from gambol.control import Senses
from gambol.control.patterns import Commanded, Pattern


def test_it_is_a_pattern() -> None:
    assert isinstance(Commanded(3), Pattern)


def test_signals_are_the_commands_held_within_one() -> None:
    reported = {"command": [-3.0, -0.25, 0.0, 0.5, 7.0]}
    signals, _ = Commanded(5).signals(reported, (), Senses(0.0), 0.0, 0.1)
    assert signals == [-1.0, -0.25, 0.0, 0.5, 1.0]


def test_it_rests_until_the_first_command() -> None:
    assert Commanded(4).numbers() == {"command": [0.0] * 4}


def test_patterns_with_other_senses_are_other_programs() -> None:
    assert Commanded(2).structure() != Commanded(2, ("up",)).structure()
    assert Commanded(2).structure() == Commanded(2).structure()


def test_commands_may_be_arrays() -> None:
    signals, _ = Commanded(1).signals({"command": [np.array([-2.0, 0.3])]}, (), Senses(0.0), 0.0, 0.1)
    assert signals[0].tolist() == [-1.0, 0.3]
