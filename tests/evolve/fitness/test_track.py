"""Tracks: of one life and of many, whose numbers have the same bits wherever its lane lies."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tracks import track_of

from gambol.evolve.fitness import TERMS, Track, gained, joined
from gambol.evolve.fitness.track import ENTRIES

LIVES = 19
OPTIONS: dict[str, Any] = {"along": {"points": ((1.0, 0.0), (2.0, 1.0))}}


SAMPLED = ("root", "centre", "forward", "up", "tangled", "pushes", "elsewhere", "energy", "ledger")


def part(track: Track, lanes: list[int]) -> Track:
    """Some lives of a track by themselves."""
    bodies = {name: getattr(track, name)[lanes] for name in ("frozen", "length", "stand", "mass", "friction")}
    return replace(track, **{name: side_by_side(getattr(track, name)[:, lanes]) for name in SAMPLED}, **bodies)


def side_by_side(x: Any) -> Any:
    """The same numbers (T, W, ...), the times of a life beside each other in memory."""
    return np.ascontiguousarray(x.T).T


@pytest.fixture(scope="module")
def wandering() -> Track:
    """Lives about which everything is drawn, with more digits than sums of them keep."""
    rng, still = np.random.default_rng(5), track_of(7.0, lives=LIVES)
    drawn = {name: side_by_side(rng.normal(size=getattr(still, name).shape)) for name in SAMPLED}
    return replace(still, **drawn, mass=rng.uniform(1.0, 2.0, LIVES))


@pytest.mark.parametrize("name", [*TERMS, "gained"])
def test_a_term_has_the_same_bits_alone_among_others_and_joined(name: str, wandering: Track):
    def value(track: Track) -> Any:
        return gained(track) if name == "gained" else TERMS[name](track, **OPTIONS.get(name, {}))

    whole = value(wandering)
    for k in (0, 7, 18):
        assert value(part(wandering, [k]))[0] == whole[k]
    parts = [part(wandering, list(range(first, last))) for first, last in ((0, 5), (5, 6), (6, LIVES))]
    np.testing.assert_array_equal(value(joined(parts)), whole)


def test_joined_lives_have_room_for_all_feet():
    two, four = track_of(1.0, lives=2), track_of(1.0, lives=1)
    two = replace(two, pushes=two.pushes[..., :2] * 2.0)
    both = joined([four, two])
    np.testing.assert_allclose(both.pushes.sum(axis=2), four.pushes.sum(axis=2)[0, 0])
    assert (both.pushes[:, 1:, 2:] == 0.0).all()


def test_a_ledger_that_explains_all_leaves_nothing(wandering: Track):
    """Motors and pushes bring in, losses take out, and what moves bodies apart is nobody's."""
    books = np.cumsum(np.abs(wandering.ledger), axis=0)
    brought = {name: books[..., k] for k, name in enumerate(ENTRIES)}
    energy = 7.0 + brought["motors"] + brought["outside"]
    energy = energy - brought["damping"] - brought["impact"] - brought["sliding"]
    explained = replace(wandering, ledger=books, energy=energy)
    np.testing.assert_allclose(explained.unaccounted, 0.0, atol=1e-10)
