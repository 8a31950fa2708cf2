"""The slots of a sweep: velocities pass from one contact to the next."""

import numpy as np

from gambol.rigid.order import SweepOrder
from gambol.rigid.slots import slots_of

BODIES, CAPACITY = 32, 160


def test_each_side_takes_over_from_the_contact_before_it():
    rng = np.random.default_rng(7)
    first, second = rng.integers(1, 16, 70), np.where(rng.random(70) < 0.3, 0, rng.integers(16, BODIES, 70))
    order, _ = SweepOrder.of(first, second, BODIES, [4])
    slots = slots_of(order.owners, BODIES, CAPACITY, 4)
    store = np.zeros(12 * CAPACITY + 6 * BODIES)
    places = np.arange(12 * CAPACITY).reshape(-1, 12, 4)  # of rows and lanes of each block
    updates = np.bincount(np.concatenate([first, second]), minlength=BODIES)
    for sweep, read in enumerate((slots.starts, slots.sources), 1):
        for column in range(order.columns):  # as a sweep does: 1 is added to the first row at each update of a body
            for side in range(2):
                if order.owners[side, column]:
                    store[places[column // 4, 6 * side, column % 4]] = store[read[side, column]] + 1.0
        assert np.array_equal(store[slots.last[1:]], sweep * updates[1:])


def test_bodies_without_contacts_keep_their_velocity():
    order, _ = SweepOrder.of(np.array([2]), np.array([0]), 4, [2])
    last = slots_of(order.owners, 4, 8, 2).last
    # body 2: the first row of the first contact; others: blocks of 6 rows and 2 lanes, after 8 contacts of 12 numbers
    assert last.tolist() == [96, 97, 0, 109]
