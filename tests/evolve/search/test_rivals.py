"""Two populations that compete: opponents are champions of the last generation, and both sides learn."""

import numpy as np
import pytest

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import Search
from gambol.evolve.search.rivals import Rival, Rivals
from gambol.evolve.search.space import BoxSpace

SPACE = BoxSpace((Gene("x", -1.0, 1.0),))
Numbers = tuple[float, ...]


def search_of(population: int = 20, seed: int = 3) -> Search[Rival[Numbers]]:
    return Search(Rivals((SPACE, SPACE), ((0.25,), (-0.25,)), population), seed)


def outcome_of(rival: Rival[Numbers]) -> Outcome:
    """Return the outcome of pursuit on a line: side 0 wants to be where the other is, side 1 half a unit above."""
    distance = abs(rival.own[0] - (rival.opponent[0] if rival.side == 0 else min(rival.opponent[0] + 0.5, 1.0)))
    return Outcome(-distance)


def test_each_meets_the_champion_of_the_last_generation_of_the_other_side():
    search, champions = search_of(), [(0.25,), (-0.25,)]
    for _ in range(4):
        proposals = search.ask()
        assert [p.genotype.side for p in proposals] == [0] * 10 + [1] * 10
        assert all(p.genotype.opponent == champions[1 - p.genotype.side] for p in proposals)
        outcomes = [outcome_of(p.genotype) for p in proposals]
        search.tell(outcomes)
        for side in (0, 1):
            scores = [o.score if p.genotype.side == side else -np.inf for p, o in zip(proposals, outcomes, strict=True)]
            champions[side] = proposals[int(np.argmax(scores))].genotype.own


def test_parents_are_of_the_same_side():
    search, sides = search_of(), list[int]()
    for _ in range(3):
        proposals = search.ask()
        for proposal in proposals:
            assert all(sides[parent] == proposal.genotype.side for parent in proposal.parents)
        sides += [p.genotype.side for p in proposals]
        search.tell([outcome_of(p.genotype) for p in proposals])


def test_an_arms_race_goes_as_far_as_it_can():
    """One side flees upward by half a unit from where the other stood, so both end at the upper bound."""
    search = search_of(40)
    for _ in range(40):
        search.tell([outcome_of(p.genotype) for p in search.ask()])
    last = search.ask()
    assert last[0].genotype.opponent[0] > 0.95
    assert last[-1].genotype.opponent[0] > 0.95


def test_a_search_that_keeps_old_fitness_and_one_creature_are_refused():
    with pytest.raises(EvolveError, match='"es-plus" keeps parents whose opponents are gone'):
        Rivals((SPACE, SPACE), ((0.0,), (0.0,)), 20, "es-plus")
    with pytest.raises(EvolveError, match="population of both is 1"):
        Rivals((SPACE, SPACE), ((0.0,), (0.0,)), 1)
