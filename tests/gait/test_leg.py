"""Legs as data: their neighbours, and invalid motor programs."""

import math

import pytest

from gambol.errors import WorldError
from gambol.gait import Leg, MotorCommand
from gambol.gait.leg import lifting_commands, neighbours


def legs(pairs: int, lost: tuple[str, int] | None = None) -> tuple[Leg, ...]:
    sides = ("left", "right")
    return tuple(
        Leg(f"{side} {rank}", side, rank, ("upper", "foot"), (), ())
        for rank in range(pairs)
        for side in sides
        if (side, rank) != lost
    )


def names(all_legs: tuple[Leg, ...], name: str) -> set[str]:
    one = next(leg for leg in all_legs if leg.name == name)
    return {all_legs[k].name for k in neighbours(all_legs, one)}


@pytest.mark.parametrize("pairs", [2, 3, 4])
def test_neighbours_are_in_front_behind_and_across(pairs: int):
    assert names(legs(pairs), "left 0") == {"left 1", "right 0"}
    assert names(legs(pairs), "right 1") == {"right 0", "left 1"} | ({"right 2"} if pairs > 2 else set())


def test_an_absent_leg_is_no_neighbour():
    assert names(legs(3, lost=("left", 1)), "left 0") == {"right 0"}


def test_a_leg_stands_on_its_last_link_and_moves_each_joint_once():
    command = MotorCommand("upper", 0.2, 0.0, 1.0)
    leg = Leg("left", "left", 0, ("upper", "lower", "foot"), (command, command), (MotorCommand("lower", 0, 0, 1),))
    assert leg.foot == "foot"
    assert leg.joints == ("upper", "lower")


@pytest.mark.parametrize(
    ("target", "begins", "lasts"), [(math.nan, 0, 1), (0, -0.1, 1), (0, 1.5, 1), (0, 0, -1), (0, 0, math.inf)]
)
def test_commands_without_a_place_in_time_are_refused(target: float, begins: float, lasts: float):
    with pytest.raises(WorldError, match="upper"):
        MotorCommand("upper", target, begins, lasts)


def test_a_leg_with_one_joint_cannot_be_lifted_higher():
    command = MotorCommand("upper", 0.2, 0.0, 1.0)
    with pytest.raises(WorldError, match=r'leg "left" has one joint'):
        lifting_commands(Leg("left", "left", 0, ("upper",), (command,), (command,)))
