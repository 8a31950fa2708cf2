"""Properties of all searches: determined by seed and outcomes, within bounds, for any outcomes."""

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.control.gene import Gene
from gambol.errors import EvolveError
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import SEARCHES, BoxSpace, Search, search_named

SPACE = BoxSpace(tuple(Gene(f"x{k}", -1.0, 2.0, cyclic=k == 3) for k in range(4)))
ALL: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in SEARCHES),
    ("es", {"adaptation": "each"}),
    ("es", {"mixing": "blended", "adaptation": "path"}),
    ("es-plus", {"mixing": "none", "adaptation": "none", "parents": 1}),
    ("elites", {"variation": "line", "cells": [5, 5]}),
    ("elites", {"variation": "cma"}),
    ("islands", {"of": "ga", "every": 2, "each": {"elite": 1}}),
    ("islands", {"of": "cma", "every": 2, "islands": 2}),
    ("islands", {"of": "elites", "every": 1, "each": {"variation": "cma", "start": [[0.1, 0.1, 0.1, 0.1]]}}),
]
SOME = pytest.mark.parametrize(("name", "settings"), ALL, ids=str)


def bowl(x: tuple[float, ...]) -> Outcome:
    return Outcome(3.0 - sum(value * value for value in x), {"bowl": 1.0}, ((x[0] + 1) / 3, (x[1] + 1) / 3))


def made(name: str, settings: dict[str, Any], seed: int = 3) -> Search[tuple[float, ...]]:
    return search_named(name, SPACE, seed, 16, **settings)


def run_search(search: Search[tuple[float, ...]], generations: int) -> list[list[Outcome]]:
    """Return the outcomes of some generations, after giving them to the search."""
    records: list[list[Outcome]] = []
    for _ in range(generations):
        records.append([bowl(proposal.genotype) for proposal in search.ask()])
        search.tell(records[-1])
    return records


@SOME
def test_a_search_follows_from_its_seed(name: str, settings: dict[str, Any]):
    first, second, other = made(name, settings), made(name, settings), made(name, settings, seed=4)
    run_search(first, 6)
    np.random.seed(77)  # noqa: NPY002 - what others do with NumPy's own numbers makes no difference
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    run_search(second, 6)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    run_search(other, 6)
    assert first.ask() == second.ask() == second.ask() != other.ask()
    assert first.population == second.population
    assert first.best == second.best


@SOME
def test_telling_the_same_outcomes_restores_a_search(name: str, settings: dict[str, Any]):
    gone_on = made(name, settings)
    records = run_search(gone_on, 7)
    restored = made(name, settings)
    for outcomes in records:
        restored.tell(outcomes)
    assert restored.ask() == gone_on.ask()
    assert restored.best == gone_on.best
    assert (restored.generation, restored.evaluated) == (7, 7 * 16)


@SOME
def test_proposals_stay_within_bounds_and_name_known_parents(name: str, settings: dict[str, Any]):
    search = made(name, settings)
    for _ in range(8):
        proposals = search.ask()
        assert len(proposals) == 16
        for proposal in proposals:
            assert all(-1.0 <= value <= 2.0 for value in proposal.genotype)
            assert all(0 <= parent < search.evaluated for parent in proposal.parents)
        search.tell([bowl(proposal.genotype) for proposal in proposals])


@SOME
def test_marked_and_senseless_outcomes_are_the_worst(name: str, settings: dict[str, Any]):
    search, behaviour = made(name, settings), (0.5, 0.5)
    bad = [
        Outcome(math.nan, {}, behaviour),
        Outcome(math.inf, {}, behaviour),
        Outcome(1e9, {}, behaviour, "gained energy"),
        Outcome(-math.inf, {}, (math.nan, 0.5)),
    ]
    search.tell([bad[k % 4] for k in range(16)])
    assert search.best is None
    assert search.population == ()
    for _ in range(4):
        proposals = search.ask()
        search.tell([bad[k % 4] if k % 2 else bowl(proposal.genotype) for k, proposal in enumerate(proposals)])
        assert search.best is not None
        assert all(one.outcome.valid for one in search.population)
        assert search.best.score <= 3.0
    search.tell([bad[k % 4] for k in range(16)])
    assert len(search.ask()) == 16


@SOME
def test_the_best_is_the_best_of_all_outcomes(name: str, settings: dict[str, Any]):
    search = made(name, settings)
    records = run_search(search, 5)
    assert search.best is not None
    assert search.best.score == max(outcome.fitness for outcomes in records for outcome in outcomes)
    place = divmod(search.best.number, 16)
    assert records[place[0]][place[1]] == search.best.outcome


@pytest.mark.parametrize("name", sorted(set(SEARCHES) - {"random", "choice"}))
def test_a_search_finds_more_than_chance(name: str):
    # The best of n points in a box of side 3 lies within r of the middle with chance n (pi^2/2) (r/3)^4: for 640
    # points and r = 0.1 that is 0.4 %.
    search = made(name, {"cells": [3, 3]} if name == "elites" else {})
    run_search(search, 40)
    assert search.best is not None
    assert 3.0 - search.best.score < 0.1**2


@pytest.mark.parametrize("name", SEARCHES)
def test_no_population_is_an_error(name: str):
    for population in (0, -3, 2.5):
        with pytest.raises(EvolveError, match=f"is {population}; give a whole number"):
            search_named(name, SPACE, 1, population)  # pyright: ignore[reportArgumentType]


def test_errors_name_what_was_meant():
    with pytest.raises(EvolveError, match='no search "esplus"; did you mean "es-plus"'):
        search_named("esplus", SPACE, 1, 16)
    with pytest.raises(EvolveError, match='"ga" has no setting "elites"; did you mean "elite"'):
        search_named("ga", SPACE, 1, 16, elites=3)
    with pytest.raises(EvolveError, match='"es-plus" has no setting "plus"'):
        search_named("es-plus", SPACE, 1, 16, plus=False)
    with pytest.raises(EvolveError, match="seed of a search is -1"):
        search_named("es", SPACE, -1, 16)
    with pytest.raises(EvolveError, match="16 proposals, not 2"):
        made("random", {}).tell([Outcome(0.0)] * 2)


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("es", {"mixing": "crosed"}, 'did you mean "crossed"'),
        ("es", {"parents": 16}, "fewer parents than children"),
        ("es", {"parents": 3, "mates": 4}, "cannot be mixed"),
        ("es", {"step": math.nan}, "step size is nan"),
        ("es", {"step": 20.0}, "from 1e-06 to 10"),
        ("es", {"adaptation": "path"}, "blend all parents"),
        ("ga", {"crossing": 1.5}, "from 0 to 1"),
        ("ga", {"elite": 16}, "leaves no children"),
        ("ga", {"tournament": 0}, "tournament is 0"),
        ("elites", {"cells": [3]}, "give one of each for every descriptor"),
        ("elites", {"lower": [0, 2]}, "cannot span 2 to 1"),
        ("elites", {"variation": "lines"}, 'did you mean "line"'),
        ("islands", {"islands": 17}, "islands empty"),
        ("islands", {"of": "islands"}, "cannot consist of islands"),
        ("choice", {"step": -1.0}, "finite and at least 0"),
    ],
)
def test_impossible_settings_are_errors(name: str, settings: dict[str, Any], words: str):
    with pytest.raises(EvolveError, match=words):
        made(name, settings)


def test_the_page_of_searches_can_be_followed():
    page = (Path(__file__).parents[3] / "docs" / "theory" / "search.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(compile(block, "search.md", "exec"), names)
    assert names["search"].best.genotype[0] == pytest.approx(0.3, abs=1e-3)
    assert all(f"| `{name}` |" in page for name in SEARCHES)


def test_heavy_packages_wait_until_they_are_used():
    code = "import sys, gambol.evolve.search as s; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"cma", "ribs", "numba", "sklearn", "scipy", "matplotlib"} & set(loaded)
