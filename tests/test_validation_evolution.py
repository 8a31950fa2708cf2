"""The page on evolution: contests are fair, small mutations have small effects, and verdicts follow from spreads."""

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import to_json
from gambol.evolve.runs import Settings
from validation.evolution.contest import Effort, Spread, contest, within_spread
from validation.evolution.evolvability import STEPS, mutation_changes, parents
from validation.evolution.page import verdict, walkers_section
from validation.evolution.walkers import GOAL, MAX_WALL_TIME, FirstWalker, walker

SMALL = Effort(seeds=2, population=6, generations=2, seconds=1.2)


@pytest.fixture(scope="module")
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def test_equal_variants_have_equal_results(executor: Executor):
    one, other = contest(executor, SMALL, [{"search": "es"}, {"search": "es"}])
    assert one == other
    assert len({finish.fitness for finish in one}) == SMALL.seeds


def test_variants_of_a_contest_have_the_same_seeds_and_rollouts():
    variants = [SMALL.settings(search=search) for search in ("es", "random")]
    for a, b in zip(*variants, strict=True):
        assert replace(a, search=b.search) == b


def test_small_mutations_change_less_than_large_ones():
    settings = Settings(seconds=1.2)
    random = search_space(settings).random(np.random.default_rng(0))
    genotypes = dict(parents(settings, to_json(random)))
    assert genotypes["walking"] == genotypes["random"]
    medians = [spread.quantile(0.5) for spread in mutation_changes(settings, "random", random, mutants=8).spreads]
    assert len(medians) == len(STEPS)
    assert 0.0 < 5.0 * np.mean(medians[:2]) < np.mean(medians[-3:])


def test_names_within_the_spread_of_the_best():
    spreads = {"a": Spread((1.0, 2.0, 3.0)), "b": Spread((0.0, 1.0, 2.0)), "c": Spread((0.0, 0.1, 0.2))}
    assert within_spread(spreads) == ("a", ["b"])
    assert verdict(spreads) == "best a; b within the spread (quartiles overlap)"
    assert "no quartiles overlap" in verdict({"a": spreads["a"], "c": spreads["c"]})


def test_the_search_for_a_walker_stops_at_the_time_limit():
    found = walker(Settings(population=4, seconds=1.2), time_limit=0.0)
    assert found.generations == 0
    assert not found.walks


def test_walkers_are_counted_by_speed_and_time():
    found = [
        FirstWalker(10.0, 15.0, 4, GOAL),
        FirstWalker(MAX_WALL_TIME + 1.0, 200.0, 50, GOAL),
        FirstWalker(MAX_WALL_TIME, 200.0, 50, 1.0),
    ]
    assert [one.walks for one in found] == [True, False, False]
    assert "**1 of 3 runs find a walker in time**" in walkers_section(found)
