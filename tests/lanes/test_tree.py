"""Nests of scalars become flat lists and come back in the same form."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from gambol.lanes import leaves, mapped, rebuilt


@dataclass(frozen=True)
class Pose:
    place: tuple[Any, ...]
    turn: Any = None


class Pair(NamedTuple):
    first: Any
    second: Any


NEST = {"pose": Pose((1.0, 2.0, 3.0)), "pair": Pair(4.0, [5.0, (6.0,)]), "none": None, "empty": []}


def test_leaves_are_in_the_order_of_fields():
    assert leaves(NEST) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_a_nest_is_rebuilt_from_its_leaves():
    assert rebuilt(NEST, iter(leaves(NEST))) == NEST


def test_mapping_keeps_the_form():
    doubled = mapped(lambda x: 2.0 * x, NEST)
    assert doubled["pair"] == Pair(8.0, [10.0, (12.0,)])
    assert doubled["pose"] == Pose((2.0, 4.0, 6.0))
