"""Selection of the nearest contacts, and their cached values from step to step."""

from typing import Any

import numpy as np
import pytest
from figures import random_tree

from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import (
    NO_CONTACT,
    Candidate,
    contact_signs,
    contacts_at,
    depth_first,
    matched_values,
)
from gambol.contact.stepping.nearest import CandidateRows, select_nearest
from gambol.figure.template import any_tree, pack
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector


def candidate(number: float, link: float, gap: object, other: float | None = 0.0) -> Candidate:
    return Candidate(number, link, gap, Vector(number, 0.0, 0.0), Vector(0.0, 0.0, 1.0), 0.5, other=other)


def selected(gaps: np.ndarray, max_contacts: int) -> tuple[list[Candidate], np.ndarray]:
    """Return the slots after the selection among candidates with these gaps, and the number of near ones."""
    rows = CandidateRows.of([candidate(float(number), 1.0, gap) for number, gap in enumerate(gaps)])
    return select_nearest(rows, max_contacts)


def test_the_smallest_gaps_are_selected():
    gaps = np.random.default_rng(0).normal(size=(20, 300))
    slots, count = selected(gaps, 6)
    np.testing.assert_array_equal(count, 20)
    found = np.sort(np.array([one.number for one in slots]), axis=0)
    np.testing.assert_array_equal(found, np.sort(np.argsort(gaps, axis=0)[:6], axis=0))
    kept = np.array([one.gap for one in slots])
    np.testing.assert_array_equal(np.sort(kept, axis=0), np.sort(gaps, axis=0)[:6])


def test_near_candidates_that_fit_have_consecutive_slots_in_their_order():
    rng = np.random.default_rng(1)
    gaps = np.where(rng.random((12, 300)) < 0.3, rng.normal(size=(12, 300)), FAR)
    slots, count = selected(gaps, 5)
    np.testing.assert_array_equal(count, (gaps < FAR).sum(axis=0))
    fits = count <= 5
    assert 0 < np.count_nonzero(~fits) < 300
    numbers = np.array([one.number for one in slots])
    for world in np.flatnonzero(fits):
        near = np.flatnonzero(gaps[:, world] < FAR)
        np.testing.assert_array_equal(numbers[:, world], [*near, *[NO_CONTACT] * (5 - len(near))])


def test_slots_that_are_left_over_are_empty():
    slots, count = selected(np.array([FAR, -0.1, FAR]), 3)
    assert count == 1.0
    assert [one.number for one in slots] == [1.0, NO_CONTACT, NO_CONTACT]
    assert [one.gap for one in slots] == [-0.1, FAR, FAR]


def test_a_program_selects_what_numbers_select():
    gaps = np.where(np.random.default_rng(2).random((9, 64)) < 0.6, np.random.default_rng(3).normal(size=(9, 64)), FAR)
    spec = ProgramSpec("selected", lambda gaps: (_numbers(gaps),), ([0.0] * 9,))
    np.testing.assert_array_equal(Program(spec)(gaps)[0], np.array(_numbers(gaps)))


def _numbers(gaps: Any) -> list[Any]:
    slots, count = selected(gaps, 4)
    return [count, *(x for one in slots for x in (one.number, one.gap))]


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
