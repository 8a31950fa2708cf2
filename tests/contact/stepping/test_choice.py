"""Room for the nearest contacts, and what goes with them from step to step."""

import numpy as np
import pytest
from figures import random_tree

from gambol.collide.gap import FAR
from gambol.contact.stepping.choice import NOBODY, Candidate, depth_first, empty, entered, followed, lined_up, met
from gambol.contact.stepping.meeting import carried_by
from gambol.figure.anybody import any_tree, as_data
from gambol.spatial import Vector


def candidate(number: float, link: float, gap: object, other: float | None = 0.0) -> Candidate:
    return Candidate(number, link, gap, Vector(number, 0.0, 0.0), Vector(0.0, 0.0, 1.0), 0.5, other=other)


def test_the_smallest_gaps_find_room():
    gaps = np.random.default_rng(0).normal(size=(20, 300))
    places = empty(candidate(0.0, 1.0, 0.0), 6)
    for number, gap in enumerate(gaps):
        places = entered(places, candidate(float(number), 1.0, gap))
    found = np.sort(np.array([one.number for one in places]), axis=0)
    np.testing.assert_array_equal(found, np.sort(np.argsort(gaps, axis=0)[:6], axis=0))
    kept = np.array([one.gap for one in places])
    np.testing.assert_array_equal(np.sort(kept, axis=0), np.sort(gaps, axis=0)[:6])


def test_as_many_as_there_is_room_for_stand_in_line_as_they_enter():
    """Where all that are near find room, contacts in a row have the places that they take one by one."""
    rng = np.random.default_rng(1)
    gaps = np.where(rng.random((12, 300)) < 0.3, rng.normal(size=(12, 300)), FAR)
    blank = empty(candidate(0.0, 1.0, np.zeros(300)), 5)
    places, several = blank, [candidate(float(number), 1.0, gap) for number, gap in enumerate(gaps)]
    for one in several:
        places = entered(places, one)
    line, count = lined_up(several, blank[0], 5)
    np.testing.assert_array_equal(count, (gaps < FAR).sum(axis=0))
    fits = count <= 5
    assert 0 < np.count_nonzero(~fits) < 300
    for one, other in zip(line, places, strict=True):
        np.testing.assert_array_equal(one.number[fits], np.broadcast_to(other.number, 300)[fits])
        np.testing.assert_array_equal(one.gap[fits], other.gap[fits])


def test_room_that_is_left_over_holds_nobody():
    places = entered(empty(candidate(0.0, 1.0, 0.0), 3), candidate(7.0, 1.0, -0.1))
    assert sorted(one.number for one in places) == [NOBODY, NOBODY, 7.0]
    assert sorted(one.gap for one in places) == [-0.1, FAR, FAR]


def test_a_place_carries_what_its_links_carry():
    """The freedoms that a contact chosen in a step moves are those of the same contact made by name."""
    figure = random_tree(5, 8, root="free")
    order, _ = depth_first(figure)
    for link in range(1, 9):
        for other in (0, 4):
            places = [candidate(0.0, float(order[link]), 0.0, float(order[other]))]
            (meeting,) = met(figure, places, places[0])
            carried = {i: sign for i, sign in meeting.carried.items() if sign}
            assert carried == carried_by(figure, link, other)


@pytest.mark.parametrize("seed", range(4))
def test_contacts_of_a_tree_told_as_data_move_what_they_move_in_the_figure(seed: int):
    """Made by name or chosen in a step, with the world or with another link; told links go by their new numbers."""
    figure = random_tree(seed, 6, root="free", kinds=("rotary", "sliding"))
    told = as_data(figure, any_tree(8))
    number = {0: 0} | {link.index: told.figure.link(told.names[link.name]).index for link in figure.links}
    for link in range(1, 7):
        for other in (0, 3):
            expected = {number[i]: sign for i, sign in carried_by(figure, link, other).items()}
            made = carried_by(told.figure, number[link], number[other])
            place = candidate(0.0, float(number[link]), 0.0, float(number[other]))
            (chosen,) = met(told.figure, [place], place)
            for carried in (made, chosen.carried):
                assert {i: sign for i, sign in carried.items() if sign} == expected


def test_depth_first_numbers_follow_what_they_carry():
    figure = random_tree(3, 12)
    order, last = depth_first(figure)
    assert sorted(order.values()) == list(range(13))
    for link in figure.links:
        carried = {order[one.index] for one in figure.carried(link.index)}
        assert carried == set(range(order[link.index], last[link.index] + 1))


def test_impulses_follow_their_contacts():
    before = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert followed([9.0, 3.0, 5.0], [3.0, 9.0], before) == [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]
