"""Selection of the nearest contacts, and their cached values from step to step."""

import numpy as np
import pytest
from figures import random_tree

from gambol.collide.gap import FAR
from gambol.contact.stepping import contact as contacts
from gambol.contact.stepping.contact import (
    NO_CONTACT,
    Candidate,
    contact_signs,
    contacts_at,
    depth_first,
    empty_slots,
    insert_nearest,
    matched_values,
)
from gambol.figure.template import any_tree, pack
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector


def candidate(number: float, link: float, gap: object, other: float | None = 0.0) -> Candidate:
    return Candidate(number, link, gap, Vector(number, 0.0, 0.0), Vector(0.0, 0.0, 1.0), 0.5, other=other)


def test_the_smallest_gaps_are_selected():
    gaps = np.random.default_rng(0).normal(size=(20, 300))
    slots = empty_slots(candidate(0.0, 1.0, 0.0), 6)
    for number, gap in enumerate(gaps):
        slots = insert_nearest(slots, candidate(float(number), 1.0, gap))
    found = np.sort(np.array([one.number for one in slots]), axis=0)
    np.testing.assert_array_equal(found, np.sort(np.argsort(gaps, axis=0)[:6], axis=0))
    kept = np.array([one.gap for one in slots])
    np.testing.assert_array_equal(np.sort(kept, axis=0), np.sort(gaps, axis=0)[:6])


def test_near_contacts_keep_their_order_while_there_is_room():
    """The slots hold the first near contacts in their order, as a sort of each column would give."""
    rng = np.random.default_rng(1)
    gaps = np.where(rng.random((12, 300)) < 0.3, rng.normal(size=(12, 300)), FAR)
    slots = empty_slots(candidate(0.0, 1.0, np.zeros(300)), 5)
    for number, gap in enumerate(gaps):
        slots = insert_nearest(slots, candidate(float(number), 1.0, gap))
    fits = np.flatnonzero((gaps < FAR).sum(axis=0) <= 5)
    assert 0 < fits.size < 300
    for world in fits:
        near = np.flatnonzero(gaps[:, world] < FAR)
        found = [np.broadcast_to(slot.number, 300)[world] for slot in slots]
        np.testing.assert_array_equal(found, [*near, *[NO_CONTACT] * (5 - near.size)])


def test_slots_that_are_left_over_are_empty():
    slots = insert_nearest(empty_slots(candidate(0.0, 1.0, 0.0), 3), candidate(7.0, 1.0, -0.1))
    assert sorted(one.number for one in slots) == [NO_CONTACT, NO_CONTACT, 7.0]
    assert sorted(one.gap for one in slots) == [-0.1, FAR, FAR]


def test_a_selected_contact_moves_the_freedoms_of_its_links():
    """A contact selected in a step moves the same degrees of freedom as the same contact made by name."""
    figure = random_tree(5, 8, root="free")
    order, _ = depth_first(figure)
    for link in range(1, 9):
        for other in (0, 4):
            slots = [candidate(0.0, float(order[link]), 0.0, float(order[other]))]
            (contact,) = contacts_at(figure, slots, slots[0])
            signs = {i: sign for i, sign in contact.signs.items() if sign}
            assert signs == contact_signs(figure, link, other)


@pytest.mark.parametrize("seed", range(4))
def test_contacts_of_a_packed_tree_move_what_they_move_in_the_figure(seed: int):
    """Made by name or selected in a step, with the world or with another link; packed links have new indices."""
    figure = random_tree(seed, 6, root="free", kinds=("revolute", "prismatic"))
    packed = pack(figure, any_tree(8))
    number = {0: 0} | {link.index: packed.figure.link(packed.names[link.name]).index for link in figure.links}
    for link in range(1, 7):
        for other in (0, 3):
            expected = {number[i]: sign for i, sign in contact_signs(figure, link, other).items()}
            by_name = contact_signs(packed.figure, number[link], number[other])
            place = candidate(0.0, float(number[link]), 0.0, float(number[other]))
            (chosen,) = contacts_at(packed.figure, [place], place)
            for signs in (by_name, chosen.signs):
                assert {i: sign for i, sign in signs.items() if sign} == expected


def test_depth_first_numbers_follow_what_they_carry():
    figure = random_tree(3, 12)
    order, last = depth_first(figure)
    assert sorted(order.values()) == list(range(13))
    for link in figure.links:
        signs = {order[one.index] for one in figure.subtree(link.index)}
        assert signs == set(range(order[link.index], last[link.index] + 1))


def test_impulses_follow_their_contacts():
    before = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert matched_values([9.0, 3.0, 5.0], [3.0, 9.0], before) == [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]


def test_loops_match_the_same_values(monkeypatch):
    """Values that loops over numbers in memory match are those that comparisons one by one match, to the bit."""
    rng, (now, before, worlds) = np.random.default_rng(3), (5, 7, 40)
    numbers, previous = (rng.integers(-1, 9, (count, worlds)).astype(float) for count in (now, before))
    values = rng.normal(size=(3 * before, worlds))
    found = []
    for least in (1, 1000):
        monkeypatch.setattr(contacts, "MIN_ROLLED_MATCHES", least)

        def matched(numbers, previous, values):
            return (matched_values(numbers, previous, [values[3 * k : 3 * k + 3] for k in range(before)]),)

        program = Program(ProgramSpec("matched", matched, tuple([0.0] * n for n in (now, before, 3 * before))))
        found.append(program(numbers, previous, values)[0])
    np.testing.assert_array_equal(*found)
    assert (found[0] == 0.0).any()
    for k in range(worlds):
        for i, number in enumerate(numbers[:, k]):
            places = np.flatnonzero(previous[:, k] == number)
            expected = values[3 * places[-1] : 3 * places[-1] + 3, k] if places.size else np.zeros(3)
            np.testing.assert_array_equal(found[0][3 * i : 3 * i + 3, k], expected)
