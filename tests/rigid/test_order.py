"""The order of contacts: colours share no body, velocities pass from one contact to the next, sums are complete."""

import numpy as np
import pytest

from gambol.rigid.order import SweepOrder

BODIES = 30


def contacts(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.integers(1, BODIES, 80)
    second = rng.integers(0, BODIES, 80)
    kept = first != second
    return first[kept], second[kept]


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_a_block_of_lanes_shares_no_body_but_the_world(lanes):
    first, second = contacts(lanes)
    order = SweepOrder.of(first, second, BODIES, lanes)
    assert order.columns % lanes == 0
    for block in np.split(order.owners, order.columns // lanes, axis=1):
        bodies = block[block > 0]
        assert len(set(bodies.tolist())) == len(bodies)


def test_the_sequence_does_not_depend_on_the_lanes():
    first, second = contacts(3)
    sequences = [np.argsort(SweepOrder.of(first, second, BODIES, lanes).column) for lanes in (1, 2, 8)]
    assert all(np.array_equal(sequences[0], other) for other in sequences)


def test_each_side_takes_over_from_the_contact_before_it():
    first, second = contacts(7)
    order = SweepOrder.of(first, second, BODIES, 4)
    store = np.zeros((12, order.columns))
    for column in range(order.columns):  # as a sweep does: 1 is added to the first row at each update of a body
        for side in range(2):
            start = int(order.sources[side, column])
            if order.owners[side, column]:
                store[6 * side, column] = store.reshape(-1)[start] + 1.0
    left = order.from_store(store, np.zeros((6, BODIES)))
    updates = np.bincount(np.concatenate([first, second]), minlength=BODIES)
    assert np.array_equal(left[0, 1:], updates[1:])


def test_changes_are_summed_for_each_body():
    first, second = np.array([1, 1, 2]), np.array([2, 0, 0])
    changes = np.arange(36.0).reshape(12, 3)
    order = SweepOrder.of(first, second, 3, 2)
    summed = order.body_sums(order.to_columns(changes), 3)
    assert np.array_equal(summed[:, 1], changes[:6, 0] + changes[:6, 1])
    assert np.array_equal(summed[:, 2], changes[6:, 0] + changes[:6, 2])
