"""Pytrees are flattened to lists and rebuilt with the same structure."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from gambol.lanes import leaves, leaves_like, tree_map, unflatten


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


def test_leaves_like_a_template_are_in_its_order_or_refused():
    template = {"first": 0.0, "rest": [{"a": 0.0, "b": 0.0}, Pose((0.0,))]}
    other = {"rest": [{"b": 4.0, "a": 3.0}, Pose((5.0,))], "first": 2.0}
    assert leaves_like(template, other) == [2.0, 3.0, 4.0, 5.0]
    assert leaves_like(TREE, TREE) == leaves(TREE)
    for wrong in (
        {"first": 2.0, "rest": [{"a": 3.0, "c": 4.0}, Pose((5.0,))]},  # as many leaves, but another name
        {"first": 2.0, "rest": [{"a": 3.0, "b": 4.0}, Pose(())]},
        {"first": [2.0], "rest": other["rest"]},
        {"first": 2.0, "rest": None},
    ):
        assert leaves_like(template, wrong) is None
