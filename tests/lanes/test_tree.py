"""Pytrees are flattened to lists and rebuilt with the same structure."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from gambol.lanes import leaves, tree_map, unflatten


@dataclass(frozen=True)
class Pose:
    place: tuple[Any, ...]
    turn: Any = None


class Pair(NamedTuple):
    first: Any
    second: Any


TREE = {"pose": Pose((1.0, 2.0, 3.0)), "pair": Pair(4.0, [5.0, (6.0,)]), "none": None, "empty": []}


def test_leaves_are_in_the_order_of_fields():
    assert leaves(TREE) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def test_a_tree_is_unflattened_from_its_leaves():
    assert unflatten(TREE, iter(leaves(TREE))) == TREE


def test_mapping_preserves_the_structure():
    doubled = tree_map(lambda x: 2.0 * x, TREE)
    assert doubled["pair"] == Pair(8.0, [10.0, (12.0,)])
    assert doubled["pose"] == Pose((2.0, 4.0, 6.0))
