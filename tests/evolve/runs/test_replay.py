"""Archived individuals are evaluated again, with the same outcome."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from toy_runs import run_to_end, sphere, unsound

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.runs import VersionWarning, load_individual, replay


def test_every_rollout_is_replayed_to_the_last_bit(tmp_path, where):
    run_to_end(where, generations=3)
    with Archive(where) as archive:
        for number in range(3 * 24):
            one = load_individual(archive, 1, number)
            assert replay(one, sphere) == (one.individual.outcome, True)
            assert (one.settings.generations, one.individual.number) == (3, number)


def test_a_different_replay_is_a_warning(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=1)
    with Archive(tmp_path / "evolve.db") as archive:
        one = load_individual(archive, 1, 5)
    luckier = replace(one, individual=replace(one.individual, seed=one.individual.seed + 1))
    outcome, same = replay(luckier, sphere)
    assert not same
    assert outcome.terms["loss"] == one.individual.outcome.terms["loss"]
    assert outcome.terms["luck"] != one.individual.outcome.terms["luck"]


def test_a_rollout_with_nan_is_replayed_alike(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=1)
    with Archive(tmp_path / "evolve.db") as archive:
        one = load_individual(archive, 1, 5)
    lost, same = replay(one, unsound)
    assert (lost.marked, same) == ("is not a number", False)
    assert replay(replace(one, individual=replace(one.individual, outcome=lost)), unsound)[1]


def test_a_replay_with_other_versions_is_a_warning(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=1)
    with Archive(tmp_path / "evolve.db") as archive:
        with archive._engine.begin() as connection:
            connection.execute(text("UPDATE gambol_run SET versions = json_set(versions, '$.python', '2.7')"))
        with pytest.warns(
            VersionWarning, match=r"individual 5 of run 1 was evaluated with other versions, .*: python 2\.7 then"
        ):
            load_individual(archive, 1, 5)


def test_versions_of_formats_count(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=1)
    with Archive(tmp_path / "evolve.db") as archive, pytest.warns(VersionWarning, match="genotype none then and 1 now"):
        load_individual(archive, 1, 5, {"genotype": "1"})


def test_an_individual_that_was_not_evaluated_cannot_be_replayed(tmp_path):
    run_to_end(tmp_path / "evolve.db", generations=1)
    with Archive(tmp_path / "evolve.db") as archive:
        with pytest.raises(EvolveError, match="run 1 has no individual 24; it has 0 to 23"):
            load_individual(archive, 1, 24)
        with pytest.raises(EvolveError, match="there is no run 2; there are: 1"):
            load_individual(archive, 2, 0)
