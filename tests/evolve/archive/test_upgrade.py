"""Archives of an earlier gambol: they open with the same content, and their runs are replayed and resumed."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import create_engine, inspect, text
from toy_runs import rows_of, sphere, toy_setup

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.archive.schema import TABLES
from gambol.evolve.runs import begin_run, load_individual, make_worker_pool, replay, resume_run, settings_of

VERSION_1 = Path(__file__).with_name("version1.sql")
"""An archive in SQLite of three generations of eight by random search, from the last gambol with these tables."""

VERSION_2 = Path(__file__).with_name("version2.sql")
"""An archive in SQLite of three generations of eight, with parents, from a gambol before archives were checked."""

# The version of gambol that made it is not checked here.
pytestmark = pytest.mark.filterwarnings("ignore::gambol.evolve.runs.VersionWarning")


NOT_WRITTEN = "tables of version 1 are to be brought to version 2: it is not writable; ask for write permission"


@pytest.fixture
def old(where: str) -> str:
    """The address of an archive of version 1."""
    fill(where)
    return where


def fill(where: str) -> None:
    """Make an archive of version 1 in an empty database."""
    engine = create_engine(where if "://" in where else f"sqlite:///{where}")
    dump = VERSION_1.read_text()
    if engine.dialect.name == "postgresql":
        dump = dump.replace(" DOUBLE", " DOUBLE PRECISION")
    with engine.begin() as connection:
        for statement in filter(str.strip, dump.split(";\n")):
            connection.exec_driver_sql(statement.replace("%", "%%"))
    engine.dispose()


def columns_of(where: str) -> dict[str, set[str]]:
    engine = create_engine(where if "://" in where else f"sqlite:///{where}")
    found = {name: {one["name"] for one in inspect(engine).get_columns(name)} for name in TABLES.tables}
    engine.dispose()
    return found


def test_an_archive_of_version_1_opens_with_the_tables_of_this_one(old):
    with closing(Archive(old, create=False)) as archive:
        generations = archive.generations(1)
        rollouts = [archive.individuals(1, one.generation) for one in generations]  # each compared with its digest
    assert [one.size for one in generations] == [8, 8, 8]
    for one, individuals in zip(generations, rollouts, strict=True):
        fitness = [each.outcome.fitness for each in individuals if each.outcome.valid]
        expected = np.quantile(fitness, (1.0, 0.5, 0.25, 0.75))
        assert (one.best, one.median, one.lower, one.upper) == pytest.approx(expected, rel=1e-12)
    assert columns_of(old) == {name: set(table.c.keys()) for name, table in TABLES.tables.items()}


def test_a_run_of_version_1_continues_like_a_new_one(old, tmp_path):
    with (
        closing(Archive(old)) as archive,
        closing(Archive(tmp_path / "whole.db")) as whole,
        make_worker_pool("here") as pool,
    ):
        given = replace(settings_of(archive, 1), generations=5)
        resume_run(archive, 1, toy_setup, given).execute(pool)
        begin_run(whole, given, toy_setup).execute(pool)
    assert rows_of(old) == rows_of(tmp_path / "whole.db")


def test_an_individual_of_version_1_replays_to_the_last_bit(old):
    with closing(Archive(old)) as archive:
        assert all(replay(load_individual(archive, 1, number), sphere)[1] for number in range(24))


def test_two_may_open_an_archive_of_version_1(old):
    with closing(Archive(old)) as one, closing(Archive(old)) as other:
        assert one.generations(1) == other.generations(1)


def test_a_death_in_the_middle_leaves_version_1(old, monkeypatch):
    def die(*_):
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("gambol.evolve.archive.upgrade.summary_of", die)
        with pytest.raises(RuntimeError):
            Archive(old)
    assert "spread" in columns_of(old)["gambol_generation"]
    with closing(Archive(old)) as archive:
        assert len(archive.generations(1)) == 3


def test_upgrading_a_read_only_archive_is_an_error(unprivileged):
    path = unprivileged / "evolve.db"
    fill(str(path))
    path.chmod(0o444)
    with pytest.raises(EvolveError, match=NOT_WRITTEN):
        Archive(path)


def test_upgrading_a_read_only_postgres_archive_is_an_error(postgres):
    fill(postgres)
    engine = create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(text(f"ALTER DATABASE {engine.url.database} SET default_transaction_read_only = on"))
    engine.dispose()
    with pytest.raises(EvolveError, match=NOT_WRITTEN):
        Archive(postgres)


def test_an_older_archive_is_read_replayed_and_resumed(tmp_path):
    where = tmp_path / "evolve.db"
    with closing(sqlite3.connect(where)) as connection:
        connection.executescript(VERSION_2.read_text())
    with Archive(where) as archive, Archive(tmp_path / "whole.db") as whole, make_worker_pool("here") as pool:
        rollouts = [one for k in range(3) for one in archive.individuals(1, k)]  # each compared with its digest
        assert any(one.parents for one in rollouts)
        assert archive.parents(1, rollouts).keys() == {number for one in rollouts for number in one.parents}
        assert all(replay(load_individual(archive, 1, one.number), sphere)[1] for one in rollouts)
        given = replace(settings_of(archive, 1), generations=5)
        resume_run(archive, 1, toy_setup, given).execute(pool)
        begin_run(whole, given, toy_setup).execute(pool)
    assert rows_of(where) == rows_of(tmp_path / "whole.db")
