"""Databases that are damaged or fail: the messages, and that nothing stored is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from full_disk import files_of_at_most
from sqlalchemy import create_engine, inspect, text

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome

SUMMARY = {"best": 1.0, "median": 1.0, "lower": 1.0, "upper": 1.0}


def generation(number: int, size: int = 4) -> list[IndividualRecord]:
    """Individuals of some 20 kB each."""
    genotype = [0.1 + k for k in range(1000)]
    return [
        IndividualRecord(number * size + k, number, k, (), "random", (), genotype, k, Outcome(1.0)) for k in range(size)
    ]


def filled(path: Path | str, generations: int = 3) -> int:
    with Archive(path, gambol="1.2") as archive:
        run = archive.begin({}, 0, {})
        for number in range(generations):
            archive.add(run, generation(number), SUMMARY, 0.1)
    return run


def intact_generations(path: Path | str, run: int) -> int:
    """Return the number of generations in an archive, each read and compared with its digest."""
    with Archive(path) as archive:
        return sum(
            archive.individuals(run, record.generation) == generation(record.generation)
            for record in archive.generations(run)
        )


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, " * 100)
    with pytest.raises(EvolveError, match=r"notes\.txt: it is not an SQLite database; give another file"):
        Archive(path)
    assert path.read_text() == "Dear diary, " * 100


def test_a_database_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "music.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE songs (title TEXT)")
    before = path.read_bytes()
    with pytest.raises(EvolveError, match=r'it is a database of something else \(it has "songs"\)'):
        Archive(path)
    assert path.read_bytes() == before


def test_the_error_of_another_version_names_the_gambol_that_wrote_it(where):
    filled(where)
    engine = create_engine(where if "://" in where else f"sqlite:///{where}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE gambol_archive SET value = '99' WHERE name = 'schema'"))
    engine.dispose()
    with pytest.raises(
        EvolveError, match=r"of version 99, made by gambol 1\.2, and this gambol \(1\.1\) reads version 2"
    ):
        Archive(where, gambol="1.1")


def test_a_missing_table_is_an_error(where):
    run = filled(where)
    engine = create_engine(where if "://" in where else f"sqlite:///{where}")
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE gambol_individual"))
    engine.dispose()
    with (
        Archive(where) as archive,
        pytest.raises(EvolveError, match="its tables are not those of an archive of gambol"),
    ):
        archive.individuals(run, 0)


@pytest.mark.parametrize("fraction", [0.3, 0.5, 0.9])
def test_a_file_with_a_hole_is_damaged(tmp_path, fraction):
    path = tmp_path / "evolve.db"
    run = filled(path)
    data = bytearray(path.read_bytes())
    middle = int(fraction * len(data)) // 4096 * 4096
    data[middle : middle + 4096] = bytes(4096)
    path.write_bytes(data)
    with pytest.raises(EvolveError, match="damaged"):
        intact_generations(path, run)


def test_one_wrong_digit_is_noticed(where):
    run = filled(where)
    engine = create_engine(where if "://" in where else f"sqlite:///{where}")
    with engine.begin() as connection:
        connection.execute(text("UPDATE gambol_individual SET fitness = 1.0000000000000002 WHERE number = 5"))
    engine.dispose()
    with Archive(where) as archive:
        assert archive.individuals(run, 0) == generation(0)
        with pytest.raises(EvolveError, match="generation 1 of run 1 is not what was stored: it is damaged"):
            archive.individuals(run, 1)


def test_a_missing_generation_is_noticed(tmp_path):
    path = tmp_path / "evolve.db"
    run = filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM gambol_generation WHERE generation = 1")
        connection.commit()
    with Archive(path) as archive, pytest.raises(EvolveError, match="generation 1 of run 1 is missing"):
        archive.generations(run)


def test_a_full_disk_ends_the_generation_and_nothing_else(tmp_path):
    """SQLite's own limit on pages gives the same error as a full disk."""
    path = tmp_path / "evolve.db"
    run = filled(path)
    with Archive(path) as archive:
        limited(archive, pages=path.stat().st_size // 4096 + 4)
        with pytest.raises(
            EvolveError, match=r"the disk is full, so nothing of this generation was stored, .* resume the run"
        ):
            archive.add(run, generation(3), SUMMARY, 0.1)
        limited(archive, pages=100_000)
        archive.add(run, generation(3), SUMMARY, 0.1)
    assert intact_generations(path, run) == 4


def limited(archive: Archive, pages: int) -> None:
    with archive._engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")


def test_a_file_that_may_not_grow_is_unchanged(tmp_path):
    """The operating system's limit on files causes an error in the middle of writing, as a broken disk does."""
    path = tmp_path / "evolve.db"
    run = filled(path)
    refused = r"run 1: (reading or writing failed|the disk is full)"
    with files_of_at_most(path.stat().st_size), Archive(path) as archive, pytest.raises(EvolveError, match=refused):
        fill(archive, run, 40)
    kept = intact_generations(path, run)
    assert 3 < kept < 40
    with Archive(path) as archive:
        fill(archive, run, 40, kept)
    assert intact_generations(path, run) == 40


def fill(archive: Archive, run: int, end: int, begin: int = 3) -> None:
    for number in range(begin, end):
        archive.add(run, generation(number), SUMMARY, 0.1)


def test_writing_a_read_only_archive_is_an_error_and_reading_is_not(unprivileged):
    path = unprivileged / "evolve.db"
    run = filled(path)
    path.chmod(0o444)
    with Archive(path) as archive:
        assert archive.individuals(run, 2) == generation(2)
        with pytest.raises(EvolveError, match="it is not writable; ask for write permission"):
            archive.begin({}, 0, {})


def test_an_archive_in_a_folder_that_may_not_be_written_can_be_read(unprivileged):
    path = unprivileged / "evolve.db"
    run = filled(path)
    unprivileged.chmod(0o555)
    with Archive(path) as archive:
        assert [archive.individuals(run, k) for k in range(3)] == [generation(k) for k in range(3)]
        with pytest.raises(EvolveError, match="it is not writable; ask for write permission"):
            archive.begin({}, 0, {})
    unprivileged.chmod(0o755)


def test_a_read_only_folder_is_an_error(unprivileged):
    unprivileged.chmod(0o555)
    with pytest.raises(EvolveError, match="it cannot be opened; see that its folder exists and you may write there"):
        Archive(unprivileged / "evolve.db")
    unprivileged.chmod(0o755)


def test_two_processes_wait_for_each_other_but_not_for_ever(tmp_path, monkeypatch):
    path = tmp_path / "evolve.db"
    run = filled(path)
    monkeypatch.setattr("gambol.evolve.archive.opening.BUSY_TIMEOUT_MS", 50)
    with closing(sqlite3.connect(path)) as other, Archive(path) as archive:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(EvolveError, match="another process keeps it locked; wait until that is done"):
            archive.add(run, generation(3), SUMMARY, 0.1)
        other.rollback()
        archive.add(run, generation(3), SUMMARY, 0.1)
    assert intact_generations(path, run) == 4


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (
            "postgresql+psycopg://breeder@127.0.0.1:1/none",
            "the database cannot be reached, or refuses the connection; see that it runs",
        ),
        ("postgres://", "no such database; take sqlite or postgresql"),
        ("://", "is not the address of a database"),
        ("mysql+mysqldb://host/name", "the package MySQLdb is missing; pip install MySQLdb"),
        ("absent/evolve.db", "the folder absent does not exist; make it first"),
        ("sqlite:///absent/evolve.db", "the folder absent does not exist; make it first"),
        ("sqlite://", '"sqlite://" is not the name of a file, so the archive would be lost'),
        (":memory:", '":memory:" is not the name of a file, so the archive would be lost'),
        ("", '"" is not the name of a file, so the archive would be lost'),
    ],
)
def test_an_address_that_leads_nowhere(where, message):
    with pytest.raises(EvolveError, match=message):
        Archive(where)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(EvolveError, match=r"it is a folder; name a file in it"):
        Archive(tmp_path)


def test_an_archive_to_read_must_be_there(tmp_path):
    with pytest.raises(EvolveError, match="there is no such file"):
        Archive(tmp_path / "evolve.db", create=False)
    assert not (tmp_path / "evolve.db").exists()


def test_an_empty_database_is_no_archive_to_read(where):
    if "://" not in where:
        Path(where).touch()
    with pytest.raises(EvolveError, match="it is empty; begin a run there, as with `gambol evolve --db`"):
        Archive(where, create=False)
    engine = create_engine(where if "://" in where else f"sqlite:///{where}")
    assert inspect(engine).get_table_names() == []
    engine.dispose()
    if "://" not in where:
        assert Path(where).stat().st_size == 0
    assert filled(where) == 1  # it is still free to become one


def test_a_missing_postgres_database_is_an_error(postgres):
    with pytest.raises(EvolveError, match=r"address, name, user and password are right .* does not exist"):
        Archive(postgres.replace("gambol_test", "gambol_toast"))


def test_postgres_refuses_users_without_permission_to_write(postgres):
    run = filled(postgres)
    engine = create_engine(postgres)
    with engine.begin() as connection:
        connection.execute(text("DROP ROLE IF EXISTS guest"))
        connection.execute(text("CREATE ROLE guest LOGIN"))
        for table in ("gambol_archive", "gambol_run", "gambol_generation", "gambol_individual"):
            connection.execute(text(f"GRANT SELECT ON {table} TO guest"))
    engine.dispose()
    with Archive(postgres.replace("breeder", "guest")) as archive:
        assert archive.individuals(run, 2) == generation(2)
        with pytest.raises(EvolveError, match="it is not writable"):
            archive.add(run, generation(3), SUMMARY, 0.1)


def test_a_password_is_never_shown():
    with pytest.raises(EvolveError) as reported:
        Archive("postgresql+psycopg://breeder:secret@127.0.0.1:1/none")
    assert "secret" not in str(reported.value)


def test_a_server_that_comes_back_is_written_again(postgres):
    """Connections that the server has ended are renewed; data stored before is there."""
    run = filled(postgres)
    with Archive(postgres) as archive:
        archive.add(run, generation(3), SUMMARY, 0.1)
        engine = create_engine(postgres)
        with engine.connect() as connection:
            ours = "datname = current_database() AND pid <> pg_backend_pid()"
            connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}"))
        engine.dispose()
        archive.add(run, generation(4), SUMMARY, 0.1)
    assert intact_generations(postgres, run) == 5
