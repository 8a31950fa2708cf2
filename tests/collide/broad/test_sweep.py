"""Sweep and prune against testing every pair, and its order of pairs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.collide.broad import Sweep
from gambol.errors import WorldError

Array = NDArray[np.float64]


def every_pair(lower: Array, upper: Array) -> list[tuple[int, int]]:
    meeting = (lower[:, None] <= upper).all(axis=2) & (lower <= upper[:, None]).all(axis=2)
    return [(i, j) for i, j in np.argwhere(meeting).tolist() if i < j]


def boxes(count: int, seed: int = 0) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(count, 3)) * [1.0, 3.0, 0.5]
    half = random.uniform(0.05, 0.4, size=(count, 3))
    return centres - half, centres + half


def as_list(pairs: NDArray[np.int64]) -> list[tuple[int, int]]:
    return [(i, j) for i, j in pairs.tolist()]


@pytest.mark.parametrize("count", [0, 1, 2, 50, 300])
def test_it_finds_the_pairs_that_trying_all_finds(count: int):
    lower, upper = boxes(count)
    result = as_list(Sweep().pairs(lower, upper))
    assert result == every_pair(lower, upper)
    assert count < 50 or len(result) > 10


def test_a_sweep_that_has_run_before_finds_what_a_new_one_does():
    lower, upper = boxes(120)
    velocity, sweep = np.random.default_rng(1).normal(size=(120, 3)), Sweep()
    for k in range(40):
        moved = 0.02 * k * velocity
        result = as_list(sweep.pairs(lower + moved, upper + moved))
        assert (
            result == as_list(Sweep().pairs(lower + moved, upper + moved)) == every_pair(lower + moved, upper + moved)
        )


def test_another_numbering_gives_the_same_pairs():
    lower, upper = boxes(80)
    order = np.random.default_rng(2).permutation(80)
    result = as_list(Sweep().pairs(lower[order], upper[order]))
    renamed = sorted((min(a, b), max(a, b)) for a, b in order[np.array(result)].tolist())
    assert renamed == every_pair(lower, upper)


def test_boxes_that_touch_or_coincide_are_pairs():
    lower = np.array([[0.0, 0, 0], [1.0, 0, 0], [1.0, 0, 0], [2.1, 0, 0]])
    assert as_list(Sweep().pairs(lower, lower + 1.0)) == [(0, 1), (0, 2), (1, 2)]
    assert as_list(Sweep().pairs(lower, lower)) == [(1, 2)]


def test_an_infinite_plane_overlaps_everything_that_reaches_it():
    lower, upper = boxes(40)
    lower, upper = np.vstack([lower, [[-np.inf] * 3]]), np.vstack([upper, [[np.inf, np.inf, 0.0]]])
    result = as_list(Sweep().pairs(lower, upper))
    assert result == every_pair(lower, upper)
    assert {i for i, j in result if j == 40} == set(np.flatnonzero(lower[:40, 2] <= 0.0).tolist())


def test_a_nan_box_overlaps_nothing():
    lower, upper = boxes(60)
    for k, broken in enumerate([np.nan, np.nan, np.inf]):
        (upper if k == 1 else lower)[10 + k, 1] = broken
    result = as_list(Sweep().pairs(lower, upper))
    assert result == every_pair(lower, upper)
    assert not {10, 11, 12} & {body for pair in result for body in pair}


def test_corners_of_other_shapes_are_refused():
    with pytest.raises(WorldError, match=r"shape \(n, 3\) each, not \(4, 2\)"):
        Sweep().pairs(np.zeros((4, 2)), np.zeros((4, 2)))
