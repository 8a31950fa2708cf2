"""The trees that joints of a pile form: which are refused, and that every number is computed before it is read."""

import numpy as np
import pytest

from gambol.errors import WorldError
from gambol.rigid import PileJoints
from gambol.rigid.trees import Trees

LANES = (1, 4, 8)


def hinges(first: list[int], second: list[int], free: tuple[int, ...] = (2,)) -> PileJoints:
    """Return joints between bodies whose rows `free` are not locked."""
    locked = np.ones((6, len(first)))
    locked[list(free)] = 0.0
    return PileJoints(np.array(first), np.array(second), np.zeros((14, len(first))), locked)


@pytest.mark.parametrize(
    ("joints", "message"),
    [
        (hinges([1, 2], [2, 1]), "the joints of body 1 of the pile form a loop"),
        (hinges([1], [1]), "the joints of body 1 of the pile form a loop"),
        (hinges([1, 1], [0, 2]), "body 1 of the pile is the first of two joints"),
        (hinges([1], [0], (0, 1, 3)), r"joint 0 of the pile has the free motions \[0, 1, 3\], which no kind has"),
    ],
)
def test_joints_that_form_no_trees_are_refused(joints, message):
    with pytest.raises(WorldError, match=message):
        Trees.of(joints, 3, LANES)


@pytest.mark.parametrize("seed", range(4))
def test_children_and_next_siblings_are_in_earlier_levels(seed):
    random = np.random.default_rng(seed)
    second = [int(random.integers(0, body)) for body in range(1, 41)]
    trees = Trees.of(hinges(list(range(1, 41)), second), 41, LANES)
    level = np.searchsorted(trees.order.starts, np.arange(trees.columns), side="right")
    for column in trees.order.column:
        below = [x for x in (trees.child[column], trees.sibling[column]) if x >= 0]
        assert all(level[x] < level[column] for x in below)
    depth = [0]
    for parent in second:  # one free motion for each joint
        depth.append(depth[parent] + 1)
    np.testing.assert_array_equal(trees.path_lengths()[trees.node[1:]], depth[1:])


def test_a_chain_of_many_links_has_a_level_for_each():
    links = 3000
    trees = Trees.of(hinges(list(range(1, links + 1)), list(range(links))), links + 1, LANES)
    assert len(trees.levels) == links
    assert trees.path_lengths().max() == links
