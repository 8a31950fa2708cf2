"""The order of contacts: colours share no body, and do not depend on the lanes."""

import numpy as np
import pytest

from gambol.lanes import edge_colours
from gambol.rigid.order import SweepOrder

BODIES = 32


def contacts(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.integers(1, BODIES, 80)
    second = rng.integers(0, BODIES, 80)
    kept = first != second
    return first[kept], second[kept]


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_a_block_of_lanes_shares_no_body_but_the_world(lanes):
    first, second = contacts(lanes)
    order, _ = SweepOrder.of(first, second, BODIES, [lanes])
    assert order.columns % lanes == 0
    for block in np.split(order.owners, order.columns // lanes, axis=1):
        bodies = block[block > 0]
        assert len(set(bodies.tolist())) == len(bodies)


def test_the_sequence_does_not_depend_on_the_lanes():
    first, second = contacts(3)
    sequences = [np.argsort(SweepOrder.of(first, second, BODIES, [lanes])[0].column) for lanes in (1, 2, 8)]
    assert all(np.array_equal(sequences[0], other) for other in sequences)


def test_each_contact_has_the_lowest_colour_that_its_bodies_have_left():
    rng = np.random.default_rng(11)
    first, second = rng.integers(1, 40, 400), np.where(rng.random(400) < 0.3, 0, rng.integers(40, 80, 400))
    first[200:] = 1  # so that a body has more contacts than a word of colours
    taken: dict[int, set[int]] = {}
    for a, b, colour in zip(first.tolist(), second.tolist(), edge_colours(first, second, 80).tolist(), strict=True):
        used = taken.setdefault(a, set()) | (taken.setdefault(b, set()) if b else set())
        assert colour == min(set(range(500)) - used)
        taken[a].add(colour)
        if b:
            taken[b].add(colour)


def test_few_lanes_are_chosen_where_one_body_has_all_contacts():
    many = np.arange(1, 65)
    assert SweepOrder.of(many, np.zeros_like(many), 66, [1, 4, 8])[1] == 8  # one colour
    assert SweepOrder.of(many, np.full_like(many, 65), 66, [1, 4, 8])[1] == 1  # 64 colours
