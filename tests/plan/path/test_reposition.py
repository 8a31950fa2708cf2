"""Linked points that follow a dragged one: distances hold, and the tail of a chain follows a tractrix."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.plan.path import reposition

CHAIN = np.array([[float(k), 0.0, 0.0] for k in range(6)])
LINKS = [(k, k + 1) for k in range(5)]


def test_a_chain_follows_its_head_in_one_pass_with_all_lengths():
    found = reposition(CHAIN, LINKS, {0: (0.0, 0.5, 0.2)})
    assert (found.reached, found.passes) == (True, 1)
    np.testing.assert_allclose(np.linalg.norm(np.diff(found.points, axis=0), axis=1), 1.0, rtol=1e-14)
    moves = np.linalg.norm(found.points - CHAIN, axis=1)
    assert (np.diff(moves) < 0.0).all(), "what is farther moves less"


def test_a_dragged_rod_is_a_tractrix():
    """Its head goes along x; y of its tail is a sech(x / a). Small steps converge to it with their first power."""

    def tail(steps: int) -> float:
        points = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        for x in np.linspace(0.0, 2.0, steps + 1)[1:]:
            points = reposition(points, [(0, 1)], {0: (x, 0.0, 0.0)}).points
        return float(points[1, 1])

    exact = 1.0 / np.cosh(2.0)
    coarse, fine = abs(tail(400) - exact), abs(tail(800) - exact)
    assert fine < 1e-3
    assert coarse / fine == pytest.approx(2.0, rel=0.05)


def test_an_anchored_chain_and_a_ring_have_constant_lengths():
    anchored = reposition(CHAIN, LINKS, {5: (2.0, 2.0, 0.0)}, anchored=[0])
    assert anchored.reached
    np.testing.assert_array_equal(anchored.points[0], CHAIN[0])
    np.testing.assert_array_equal(anchored.points[5], [2.0, 2.0, 0.0])
    angles = np.linspace(0.0, 2.0 * np.pi, 7)[:-1]
    ring = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    found = reposition(ring, [(k, (k + 1) % 6) for k in range(6)], {0: (1.6, 0.3, 0.1)})
    assert found.reached
    np.testing.assert_allclose(np.linalg.norm(found.points - np.roll(found.points, 1, axis=0), axis=1), 1.0, rtol=1e-8)


def test_unreachable_targets_are_errors():
    found = reposition(CHAIN, LINKS, {5: (9.0, 0.0, 0.0)}, anchored=[0])
    assert not found.reached
    assert found.error > 0.1


def test_bad_input_is_an_error():
    for words, arguments in {
        "no point 9": (CHAIN, [(0, 9)], {0: (0, 0, 0)}),
        "itself": (CHAIN, [(1, 1)], {0: (0, 0, 0)}),
        "shape": (CHAIN[0], LINKS, {}),
    }.items():
        with pytest.raises(GambolError, match=words):
            reposition(*arguments)  # type: ignore[arg-type]
    with pytest.raises(GambolError, match="moved and anchored"):
        reposition(CHAIN, LINKS, {0: (0, 0, 0)}, anchored=[0])
