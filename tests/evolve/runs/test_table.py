"""The creatures of a run as a table: every individual of the archive, its outcome and its genes."""

import numpy as np
import pytest

import gambol
from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import gene_reader
from gambol.evolve.runs import RunResult, Settings
from gambol.evolve.runs.table import individuals_table

pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def evolved(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("table") / "evolve.db"
    settings = Settings(population=4, generations=2, seconds=1.5, trials=1, seed=5)
    return path, settings, gambol.evolve.run(settings, path, executor="here")


def test_a_row_has_what_the_archive_has(evolved):
    path, settings, result = evolved
    table = result.to_pandas()
    assert len(table) == 8
    with Archive(path, create=False) as archive:
        individuals = [one for g in range(2) for one in archive.individuals(result.run, g)]
    assert table.index.tolist() == [one.number for one in individuals]
    assert table["parents"].tolist() == [one.parents for one in individuals]
    assert table["generation"].tolist() == [0] * 4 + [1] * 4
    np.testing.assert_array_equal(table["fitness"], [one.outcome.fitness for one in individuals])
    for name in individuals[0].outcome.terms:
        np.testing.assert_array_equal(table[f"term {name}"], [one.outcome.terms[name] for one in individuals])
    read = gene_reader(settings)
    genes, values = read(individuals[3].genotype)
    columns = [f"gene {g.name} [{g.unit}]" if g.unit else f"gene {g.name}" for g in genes]
    assert [name for name in table.columns if name.startswith("gene ")] == columns
    assert tuple(table.loc[3, columns]) == values


def test_a_stored_run_gives_the_same_table(evolved):
    path, _, result = evolved
    assert gambol.evolve.to_pandas(path, result.run).equals(result.to_pandas())


def test_unknown_runs_and_archives_are_refused(evolved):
    path, _, _ = evolved
    with pytest.raises(EvolveError, match="there is no run 7; there are: 1"):
        gambol.evolve.to_pandas(path, 7)
    with pytest.raises(EvolveError, match="no such file"):
        gambol.evolve.to_pandas(path.with_name("other.db"), 1)
    with pytest.raises(EvolveError, match=r"use gambol.evolve.to_pandas"):
        RunResult(1, 2, interrupted=False).to_pandas()


def test_bodies_of_other_structures_have_empty_cells(evolved):
    path, _, result = evolved
    counts = iter(range(8))
    with Archive(path, create=False) as archive:
        table = individuals_table(archive, result.run, lambda _: {f"limb{next(counts) % 2} [m]": 0.5})
    np.testing.assert_array_equal(table["gene limb0 [m]"], [0.5, np.nan] * 4)
    np.testing.assert_array_equal(table["gene limb1 [m]"], [np.nan, 0.5] * 4)
