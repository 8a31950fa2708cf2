"""Each search algorithm: which individuals it selects, remembers, crosses and lets migrate."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator, default_rng
from numpy.typing import ArrayLike

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import BoxSpace, Search, search_named

SPACE = BoxSpace(tuple(Gene(f"x{k}", 0.0, 1.0) for k in range(3)))


def bowl(x: Sequence[float]) -> Outcome:
    return Outcome(-sum((value - 0.3) ** 2 for value in x), {}, (x[0], x[1]))


def tell(search: Search[Any]) -> list[float]:
    outcomes = [bowl(proposal.genotype) for proposal in search.ask()]
    search.tell(outcomes)
    return [outcome.fitness for outcome in outcomes]


def test_comma_forgets_its_parents_and_plus_does_not():
    comma, plus = (search_named(name, SPACE, 5, 12, parents=3) for name in ("es", "es-plus"))
    for search in (comma, plus):
        best: list[float] = []
        for _ in range(8):
            elders = [one.score for one in search.population]
            children = tell(search)
            pool = [*elders, *children] if search is plus else children
            best = sorted(pool, reverse=True)[:3]
            assert [one.score for one in search.population] == best


def test_step_sizes_are_inherited_and_mutate_by_the_standard_rate():
    # The logarithm of a child's step is normal about its parent's, with deviation 1 / sqrt(2 n).
    search = search_named("es", SPACE, 1, 2000, parents=1, mixing="none", step=0.5, longest=1e9)
    search.tell([Outcome(float(k == 0)) for k in range(2000)])
    logs = np.log([proposal.strategy[0] / 0.5 for proposal in search.ask()])
    deviation = 1.0 / np.sqrt(6.0)
    assert abs(logs.mean()) < 4.0 * deviation / np.sqrt(2000)
    assert logs.std() == pytest.approx(deviation, rel=4.0 / np.sqrt(4000))


def test_each_gene_may_have_its_step_size():
    search = search_named("es", SPACE, 1, 12, adaptation="each")
    tell(search)
    assert all(len(proposal.strategy) == 3 for proposal in search.ask())
    assert len({step for proposal in search.ask() for step in proposal.strategy}) == 36


def test_blended_children_stand_around_the_middle_of_all_parents():
    search = search_named("es", SPACE, 2, 4000, parents=3, mixing="blended", adaptation="none", step=0.1)
    chosen = (7, 11, 13)
    search.tell([Outcome(1.0, marked="" if k in chosen else "not chosen") for k in range(4000)])
    middle = np.mean([one.genotype for one in search.population], axis=0)
    children = np.array([proposal.genotype for proposal in search.ask()])
    assert {proposal.parents for proposal in search.ask()} == {chosen}
    np.testing.assert_allclose(children.mean(axis=0), middle, atol=4.0 * 0.01 / np.sqrt(4000))


def test_the_path_of_a_random_walk_leaves_the_step_size_alone():
    # Where nothing is better than anything else the path s is an autoregression of normal deviates, and its length has
    # correlation (1 - c)^2 from one generation to the next; log sigma adds up c/d (|s| / E|N| - 1).
    generations, runs, n, mu = 40, 20, 3, 2
    walked: list[float] = []
    for seed in range(runs):
        settings = {"parents": mu, "mixing": "blended", "adaptation": "path", "step": 1e-3}
        search = search_named("es", SPACE, seed, 8, **settings)
        for _ in range(generations):
            search.tell([Outcome(0.0)] * 8)
        walked.append(np.log(search.ask()[0].strategy[0] / 1e-3))
    c = (mu + 2.0) / (n + mu + 5.0)
    r, mean = (1.0 - c) ** 2, np.sqrt(8.0 / np.pi)  # E|N| in three dimensions; E|N|^2 is 3
    deviation = c / (1.0 + c) * np.sqrt(3.0 / mean**2 - 1.0) * np.sqrt((1.0 + r) / (1.0 - r) * generations)
    begin = c / (1.0 + c) / (1.0 - r)  # the path begins at 0: at most 1 is missing, and r of it a generation later
    assert abs(np.mean(walked)) < 4.0 * deviation / np.sqrt(runs) + begin


def test_an_elite_stays_until_a_better_one_is_found():
    search = search_named("ga", SPACE, 4, 12, elite=2)
    best = [0.0, 0.0]
    for k in range(10):
        children = tell(search)
        best = sorted(children if k == 0 else [*best, *children], reverse=True)[:2]
        assert [one.score for one in search.population[:2]] == best


def test_tournaments_prefer_the_better():
    # The best of n wins a contest of three with chance 1 - (1 - 1/n)^3.
    search = search_named("ga", SPACE, 6, 3000, crossing=0.0, elite=0, tournament=3)
    search.tell([Outcome(float(k), marked="" if k < 10 else "weak") for k in range(3000)])
    share = np.mean([proposal.parents == (9,) for proposal in search.ask()])
    expected = 1.0 - 0.9**3
    assert abs(share - expected) < 4.0 * np.sqrt(expected * (1.0 - expected) / 3000)


def test_only_the_picked_have_children_and_stay_in_sight():
    search = search_named("choice", SPACE, 5, 9)
    shown = search.ask()
    search.tell([Outcome(1.0 if k in (2, 6) else 0.0) for k in range(9)])
    again = search.ask()
    assert [one.genotype for one in again[:2]] == [shown[2].genotype, shown[6].genotype]
    assert [one.origin for one in again[:2]] == ["kept", "kept"]
    assert {parent for one in again for parent in one.parents} == {2, 6}
    search.tell([Outcome(0.0)] * 9)  # nothing picked: the same parents try again
    assert {parent for one in search.ask() for parent in one.parents} == {2, 6}
    assert search.ask() != again


@pytest.mark.parametrize("name", ["es", "ga", "elites", "choice"])
def test_searches_begin_at_the_given_genotypes(name: str):
    start = ([0.1, 0.2, 0.3], [0.4, 0.5, 0.6])
    first = search_named(name, SPACE, 1, 10, start=list(start), step=0.01).ask()
    assert [one.genotype for one in first[:2]] == [(0.1, 0.2, 0.3), (0.4, 0.5, 0.6)]
    near = np.array([one.genotype for one in first[2:]]) - np.array([start[k % 2] for k in range(8)])
    assert 0.0 < np.abs(near).max() < 5 * 0.001  # a deviation of 0.01 times a sigma of 0.1


def test_every_cell_holds_its_best():
    rng = default_rng(1)
    search = search_named("elites", SPACE, 1, 200, cells=[4, 3])
    best: dict[tuple[int, int], float] = {}
    for _ in range(3):
        outcomes = [Outcome(float(rng.normal()), {}, tuple(rng.uniform(0.001, 0.999, 2).tolist())) for _ in range(200)]
        search.tell(outcomes)
        for outcome in outcomes:
            cell = (int(outcome.behaviour[0] * 4), int(outcome.behaviour[1] * 3))
            best[cell] = max(best.get(cell, -np.inf), outcome.fitness)
    assert [one.score for one in search.population] == sorted(best.values(), reverse=True)
    with pytest.raises(EvolveError, match="grid over 2 descriptors got a behaviour of 3"):
        search.tell([Outcome(0.0, {}, (0.1, 0.2, 0.3))] * 200)


def test_the_best_of_an_island_migrates_to_the_next():
    settings = {"of": "es", "islands": 2, "every": 3, "each": {"parents": 2}}
    search = search_named("islands", SPACE, 1, 12, **settings)

    def origins() -> list[set[int]]:
        """Return the islands on which the parents of each island's generation were born."""
        return [{n % 12 // 6 for one in half for n in one.parents} for half in (search.ask()[:6], search.ask()[6:])]

    for _ in range(2):
        search.tell([Outcome(float(k < 6) + k / 100.0) for k in range(12)])
        assert origins() == [{0}, {1}]
    search.tell([Outcome(float(k < 6) + k / 100.0) for k in range(12)])
    assert origins() == [{0}, {0, 1}]  # what came from the second island to the first is too weak to stay


class Words:
    """A space whose genotypes differ in length: rows of bits, of one kind if they have equal length."""

    genes: tuple[Gene, ...] = ()
    size = 0

    def random(self, rng: Generator) -> str:
        return "".join(rng.choice(["0", "1"], size=int(rng.integers(1, 12))))

    def mutated(self, genotype: str, steps: ArrayLike, rng: Generator) -> str:
        assert isinstance(steps, float)
        end = int(rng.integers(len(genotype) + 1))
        return (genotype[:end] + "1")[:12] if rng.random() < steps else genotype

    def crossed(self, a: str, b: str, rng: Generator) -> str:
        return (a[: len(a) // 2] + b[len(b) // 2 :]) or a

    def blended(self, parents: Sequence[str]) -> str:
        assert len({len(parent) for parent in parents}) == 1
        return "".join(
            "1" if sum(int(bit) for bit in bits) * 2 > len(bits) else "0" for bits in zip(*parents, strict=True)
        )

    def vector(self, genotype: str) -> Any:
        raise EvolveError("words differ in length")

    def of_vector(self, x: ArrayLike) -> str:
        raise EvolveError("words differ in length")

    def same_structure(self, a: str, b: str) -> bool:
        return len(a) == len(b)


@pytest.mark.parametrize(
    ("name", "settings"),
    [("es", {}), ("es", {"mixing": "blended"}), ("es-plus", {}), ("ga", {}), ("elites", {"cells": [12], "lower": [0.5],
     "upper": [12.5]}), ("islands", {}), ("choice", {})],
)  # fmt: skip
def test_genotypes_may_differ_in_size(name: str, settings: dict[str, Any]):
    search = search_named(name, Words(), 1, 20, **settings)
    for _ in range(15):
        search.tell([Outcome(float(p.genotype.count("1")), {}, (float(len(p.genotype)),)) for p in search.ask()])
    assert search.best is not None
    assert search.best.score >= 9.0


@pytest.mark.parametrize(
    ("name", "settings", "cure"),
    [
        ("cma", {}, '"es", "ga" or "elites"'),
        ("es", {"adaptation": "each"}, 'use "one"'),
        ("elites", {"variation": "line"}, 'use "bred"'),
    ],
)
def test_the_error_of_vector_searches_names_other_searches(name: str, settings: dict[str, Any], cure: str):
    with pytest.raises(EvolveError, match=cure):
        search_named(name, Words(), 1, 20, **settings)
