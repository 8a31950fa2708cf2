"""Counts of gaits against published numbers, and by two independent routes."""

from itertools import pairwise

import numpy as np
import pytest

from gambol.errors import WorldError
from gambol.gait import (
    GAITS,
    Event,
    creeping_gait_count,
    creeping_sequences,
    event_sequences,
    gait_count,
    is_creeping,
    is_regular,
    is_symmetric,
    sequence_of,
    supports,
)

RIGHT_OF = ((0, 2), (1, 3))


def test_mcghee_counts_5040_gaits_of_a_quadruped_and_39916800_of_a_hexapod():
    assert gait_count(4) == 5040  # McKenna 1990, after McGhee 1968
    assert gait_count(6) == 39_916_800  # 11!; the thesis prints 3,916,800


def test_listing_all_sequences_gives_the_count_and_six_creeping_gaits():
    listed = list(event_sequences(4))
    assert len(set(listed)) == gait_count(4)
    creeping = {sequence for sequence in listed if is_creeping(sequence)}
    assert creeping == set(creeping_sequences(4))
    assert len(creeping) == creeping_gait_count(4) == 6


def test_a_hexapod_has_288_regular_symmetric_gaits():
    """McKenna 1990, section 2.2: counted here from random phases, in cells that are all larger than one in 100,000."""
    random = np.random.default_rng(1)
    found = set()
    for _ in range(40_000):
        left, duty = [0.0, *random.random(2)], random.random()
        found.add(sequence_of([*left, *(x + 0.5 for x in left)], [duty] * 6))
    assert len(found) == 288


def test_the_supports_follow_the_events():
    sequence = sequence_of((0.0, 0.24, 0.5, 0.74), (0.77,) * 4)  # a crawl with a little more time between steps
    assert is_creeping(sequence)
    for before, after, event in zip(supports(sequence), supports(sequence)[1:], sequence[1:], strict=False):
        assert before ^ after == {event.leg}
    assert [event.leg for event in sequence if event.lands] == [0, 1, 2, 3]  # hind, then front, of each side
    assert all(len(a) + len(b) == 7 for a, b in pairwise(supports(sequence)))  # four and three feet in turn


def test_gaits_of_mammals_are_symmetric_up_to_the_pace():
    symmetric = {name for name, gait in GAITS.items() if is_symmetric(gait.offsets, RIGHT_OF)}
    assert symmetric == {"crawl", "walk", "trot", "pace"}
    assert all(is_regular(gait.duty) for gait in GAITS.values())


def test_a_trot_is_singular():
    with pytest.raises(WorldError, match="same time"):
        sequence_of(GAITS["trot"].offsets, GAITS["trot"].duty)


@pytest.mark.parametrize("legs", [0, -1])
def test_no_legs_are_refused(legs: int):
    with pytest.raises(WorldError, match="at least one leg"):
        gait_count(legs)


def test_bad_sequences_are_refused():
    with pytest.raises(WorldError, match="lands once"):
        supports((Event(0, True), Event(0, True)))
    with pytest.raises(WorldError, match="listed for up to"):
        event_sequences(6)
    with pytest.raises(WorldError, match="between 0 and 1"):
        sequence_of([0.0], [1.0])
