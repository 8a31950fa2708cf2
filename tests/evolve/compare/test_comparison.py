"""Comparisons of searches: equal evaluations, statistics against their definitions, and continuation."""

import json
from itertools import product

import numpy as np
import pytest
from toy_runs import settings, toy_setup

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.compare import (
    TABLES,
    SearchRun,
    compare,
    pair_tests,
    plan_of,
    search_runs,
    summaries,
    write_table,
)
from gambol.evolve.compare.statistics import holm
from gambol.evolve.runs import make_worker_pool
from gambol.view.search_plot import PICTURES, SearchCurves, write_search_plot

SEARCHES = ("es", "random", "ga")


def plan(seeds=3):
    return plan_of([settings(search=name, seed=5) for name in SEARCHES], seeds)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    with Archive(tmp_path_factory.mktemp("compared") / "a.db") as archive, make_worker_pool("here") as pool:
        result = compare(archive, plan(), pool, make_setup=toy_setup)
        assert not result.interrupted
        return search_runs(archive, result.runs)


def finals(search, values):
    return [SearchRun(search, k, k, np.array([8]), np.array([x]), 1.0) for k, x in enumerate(values)]


def test_every_search_evaluates_equally_many_with_equal_seeds(runs):
    assert [(run.search, run.seed) for run in runs] == [(name, seed) for seed in (5, 6, 7) for name in SEARCHES]
    assert {tuple(run.evaluations) for run in runs} == {tuple(range(24, 24 * 9, 24))}
    assert all((np.diff(run.best) >= 0.0).all() for run in runs)


def test_an_interrupted_comparison_continues_to_the_same_result(tmp_path, runs):
    """Ctrl-C in the fourth run; another call evaluates only what is missing, and more seeds add runs."""

    def interrupt(index, count, settings, progress):
        if index == 3 and progress.generation == 2:
            raise KeyboardInterrupt

    with Archive(tmp_path / "a.db") as archive, make_worker_pool("here") as pool:
        first = compare(archive, plan(), pool, interrupt, make_setup=toy_setup)
        assert first.interrupted
        assert len(first.runs) == 3
        generations = []
        again = compare(archive, plan(), pool, lambda *words: generations.append(words), make_setup=toy_setup)
        assert len(generations) == 9 * 8 - 3 * 8 - 3
        for run, expected in zip(search_runs(archive, again.runs), runs, strict=True):
            assert np.array_equal(run.best, expected.best)
        more = compare(archive, plan(4), pool, make_setup=toy_setup)
        assert more.runs[:9] == again.runs
        assert len(archive.runs()) == 12


def test_ranks_are_counts_of_pairs():
    """U counts the pairs in which the first is better, ties half; equal samples give p = 1."""
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 9, 7).astype(float), rng.integers(3, 12, 6).astype(float)
    expected = sum((a > b) + 0.5 * (a == b) for a, b in product(x, y))
    (test,) = pair_tests([*finals("a", x), *finals("b", y)])
    assert test.u == expected
    assert test.superiority == pytest.approx(expected / 42)
    (same,) = pair_tests([*finals("a", x), *finals("b", x)])
    assert same.p == pytest.approx(1.0)
    # without ties: of the 20 orders of 3 and 3, two are as extreme as complete separation
    (apart,) = pair_tests([*finals("a", [4.0, 5.0, 6.0]), *finals("b", [1.0, 2.0, 3.0])])
    assert apart.p == pytest.approx(2 / 20)


def test_holms_correction_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


def test_quartiles_are_those_of_order_statistics():
    (row,) = summaries(finals("a", [4.0, 1.0, 3.0, 2.0, 5.0]))
    assert (row.worst, row.lower, row.median, row.upper, row.best) == (1.0, 2.0, 3.0, 4.0, 5.0)
    (none,) = summaries(finals("a", [-np.inf, -np.inf, 1.0]))
    assert none.median == -np.inf
    assert none.best == 1.0


def test_tables_and_pictures_are_written_and_repeat_themselves(tmp_path, runs):
    for ending in TABLES:
        assert write_table(runs, settings(), tmp_path / f"t{ending}").read_text()
    rows = (tmp_path / "t.csv").read_text().splitlines()
    assert rows[0] == "search,seed,run,evaluations,best,seconds"
    assert [float(row.split(",")[4]) for row in rows[1:]] == [run.final for run in runs]
    content = json.loads((tmp_path / "t.json").read_text())
    assert [each["search"] for each in content["searches"]] == list(SEARCHES)
    assert len(content["pairs"]) == 3
    assert "random & 3 &" in (tmp_path / "t.tex").read_text()
    curves = {
        name: SearchCurves(runs[0].evaluations.astype(float), np.array([r.best for r in runs if r.search == name]))
        for name in SEARCHES
    }
    paths = write_search_plot(curves, [tmp_path / f"p{ending}" for ending in PICTURES], "toy")
    again = write_search_plot(curves, [tmp_path / f"q{ending}" for ending in PICTURES], "toy")
    for one, other in zip(paths[1:], again[1:], strict=True):  # identifiers in SVG are random
        assert one.read_bytes() == other.read_bytes()
    assert all(path.stat().st_size > 1000 for path in paths)


@pytest.mark.parametrize(
    ("names", "seeds", "words"),
    [(["es"], 2, "two searches"), (["es", "es"], 2, "named twice"), (["es", "ga"], 0, "1 to 10000 seeds")],
)
def test_impossible_plans_are_refused(names, seeds, words):
    with pytest.raises(EvolveError, match=words):
        plan_of([settings(search=name) for name in names], seeds)


def test_settings_must_be_equal():
    with pytest.raises(EvolveError, match='the settings for "ga" and "es" differ'):
        plan_of([settings(search="es"), settings(search="ga", population=30)], 2)
