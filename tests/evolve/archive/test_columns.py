"""Columns of an archive are checked as they are read: each error names archive, run and creature."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from invoked import TINY, invoke
from sqlalchemy import text
from toy_runs import run_to_end

from gambol.errors import EvolveError
from gambol.evolve.archive import Archive
from gambol.evolve.archive.records import digest_of
from gambol.evolve.archive.schema import GENERATION, INDIVIDUAL
from gambol.evolve.runs import settings_of
from gambol.view.choice import ChoiceServer

NUMBER, OF = 30, r"run 1: individual 30"


@pytest.fixture(scope="module")
def stored_run(tmp_path_factory, _programs_of_the_run):
    """The archive of a run of numbers: two generations of 24, the second with parents. Not to be changed."""
    path = tmp_path_factory.mktemp("lived") / "evolve.db"
    run_to_end(path, search="ga", generations=2)
    return path


@pytest.fixture
def archive(stored_run, tmp_path):
    """A copy of it."""
    path = tmp_path / "evolve.db"
    path.write_bytes(stored_run.read_bytes())
    return path


def change(path: Path, statement: str) -> None:
    """Change an archive, and the digests of all its generations as if nothing had been changed."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda stored: stored.decode(errors="replace")
        for generation in connection.execute("SELECT * FROM gambol_generation").fetchall():
            if not all(
                isinstance(generation[name], int) and abs(generation[name]) < 2**60 for name in ("first", "size")
            ):
                continue
            ends = generation["first"], generation["first"] + generation["size"] - 1
            columns = ", ".join(column.name for column in INDIVIDUAL.c)
            among = f"SELECT {columns} FROM gambol_individual WHERE number BETWEEN ? AND ? ORDER BY number"
            digest = digest_of(map(dict, connection.execute(among, ends).fetchall()))
            where = "WHERE generation = ?"
            connection.execute(f"UPDATE gambol_generation SET digest = ? {where}", (digest, generation["generation"]))
        connection.commit()


def read(path: Path) -> None:
    """Read everything in an archive of one run, by every way to read it."""
    with Archive(path, create=False) as archive:
        settings_of(archive, archive.runs()[0].id)
        for generation in archive.generations(1):
            archive.individuals(1, generation.generation)
        archive.parents(1, [archive.individual(1, NUMBER)])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("settings", "'[]'", r"run 1: settings is \[\] where a mapping of names should be"),
        ("settings", "'7'", "run 1: settings is 7 where a mapping"),
        ("settings", "'null'", "run 1: settings is None where a mapping"),
        ("settings", "'{'", "run 1: settings is damaged"),
        ("settings", "X'00ff'", "run 1: settings is b.* where a text should be"),
        ("settings", """'{"population": "many"}'""", "run 1: population is 'many'; give a whole number"),
        ("settings", """'{"population": null}'""", "run 1: population is None; give a whole number"),
        ("settings", """'{"options": []}'""", r"run 1: options is \[\]; give a mapping"),
        ("settings", """'{"seconds": "long"}'""", "run 1: seconds is 'long'; give the duration"),
        ("settings", """'{"format": []}'""", r"run 1: format \[\], but this gambol reads"),
        ("versions", "'[]'", r"run 1: versions is \[\] where a mapping"),
        ("versions", """'{"gambol": null}'""", r"run 1: versions\.gambol is None where a text should be"),
        ("made", "X'ff'", "run 1: made is b.* where a text should be"),
    ],
)
def test_a_missing_run_is_an_error(archive, column, value, message):
    change(archive, f"UPDATE gambol_run SET {column} = {value}")
    with pytest.raises(EvolveError, match=rf"evolve\.db[:,] ({message})"):
        read(archive)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("first", "'x'", "generation 1: first is 'x' where a whole number should be"),
        ("first", "-1", "generation 1: first is -1 where a whole number from 0"),
        ("first", "23", "generation 1 of run 1 begins with individual 23 instead of 24"),
        ("first", "9223372036854775807", "generation 1: first is 9223372036854775807 where"),
        ("size", "0", "generation 1: size is 0 where a whole number from 1"),
        ("size", "-3", "generation 1: size is -3 where"),
        ("size", "2.5", "generation 1: size is 2.5 where a whole number should be"),
        ("size", "25", "generation 1 of run 1 should have the individuals 24 to 48, in this order, but has others"),
        ("size", "4611686018427387904", "generation 1: size is 4611686018427387904 where"),
        ("best", "'high'", "generation 1: best is 'high' where a number should be"),
        ("median", "9e999", "generation 1: median is inf where a finite number"),
        ("lower", "X'00'", "generation 1: lower is b.* where a number should be"),
        ("seconds", "-1", "generation 1: its duration of -1.0 s is impossible"),
        ("seconds", "'soon'", "generation 1: seconds is 'soon' where a number should be"),
        ("made", "X'ff'", "generation 1: made is b.* where a text should be"),
        ("generation", "2", "generation 1 of run 1 is missing"),
        ("generation", "-1", "the number of a generation is -1 where"),
    ],
)
def test_a_missing_generation_is_an_error(archive, column, value, message):
    change(archive, f"UPDATE gambol_generation SET {column} = {value} WHERE generation = 1")
    with pytest.raises(EvolveError, match=rf"evolve\.db: .*({message})"):
        read(archive)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("fitness", "'high'", f"{OF}: fitness is 'high' where a number should be"),
        ("fitness", "9e999", f"{OF}: fitness is inf where a finite number"),
        ("fitness", "X'00'", f"{OF}: fitness is b.* where a number should be"),
        ("parents", "'{}'", rf"{OF}: parents is \{{\}} where a list should be"),
        ("parents", "'[null]'", rf"{OF}: parents\[0\] is None where a whole number should be"),
        ("parents", "'[true]'", rf"{OF}: parents\[0\] is True where a whole number should be"),
        ("parents", "'[1.5]'", rf"{OF}: parents\[0\] is 1.5 where a whole number should be"),
        ("parents", "'[-1]'", rf"{OF}: parents\[0\] is -1 where 0 or more should be"),
        ("parents", "'[18446744073709551615]'", rf"{OF}: parents\[0\] is 18446744073709551615 where"),
        ("parents", "'[30]'", f"{OF}: its parent 30 is not older"),
        ("parents", "'[47]'", f"{OF}: its parent 47 is not older"),
        ("parents", "'[25]'", "individual 30 of generation 1 has a parent of generation 1, 25"),
        ("parents", "'['", f"{OF}: parents is damaged"),
        ("origin", "X'ff'", f"{OF}: origin is b.* where a text should be"),
        ("strategy", "'{}'", rf"{OF}: strategy is \{{\}} where a list should be"),
        ("strategy", "'[\"x\"]'", rf"{OF}: strategy\[0\] is 'x' where a number should be"),
        ("genotype", "'[1,'", f"{OF}: genotype is damaged"),
        ("genotype", "X'00'", f"{OF}: genotype is b.* where a text should be"),
        ("seed", "'x'", f"{OF}: seed is 'x' where a whole number should be"),
        ("seed", "-1", f"{OF}: seed is -1 where 0 or more should be"),
        ("terms", "'[]'", rf"{OF}: terms is \[\] where a mapping of names should be"),
        ("terms", """'{"loss": "much"}'""", rf"{OF}: terms\.loss is 'much' where a number should be"),
        ("behaviour", "'7'", f"{OF}: behaviour is 7 where a list should be"),
        ("behaviour", "'[[]]'", rf"{OF}: behaviour\[0\] is \[\] where a number should be"),
        ("marked", "X'ff'", f"{OF}: marked is b.* where a text should be"),
        ("generation", "0", "generation 1 of run 1 should have the individuals 24 to 47, in this order"),
        ("place", "9", "generation 1 of run 1 should have the individuals 24 to 47, in this order"),
        ("place", "'x'", f"{OF}: place is 'x' where a whole number should be"),
        ("number", "99", "generation 1 of run 1 should have the individuals 24 to 47, in this order"),
        ("marked", "CAST(X'ff' AS TEXT)", "it is damaged; restore a copy"),
    ],
)
def test_a_missing_individual_is_an_error(archive, column, value, message):
    change(archive, f"UPDATE gambol_individual SET {column} = {value} WHERE number = {NUMBER}")
    with pytest.raises(EvolveError, match=rf"evolve\.db: .*({message})"):
        read(archive)


def test_a_missing_parent_is_an_error(archive):
    change(archive, "UPDATE gambol_individual SET parents = '[3]' WHERE number = 30")
    change(archive, "DELETE FROM gambol_individual WHERE number = 3")
    with Archive(archive) as opened, pytest.raises(EvolveError, match="run 1 has no individual 3"):
        opened.parents(1, [opened.individual(1, 30)])


@pytest.mark.parametrize("number", [-1, 2**63, 2**70])
def test_a_number_too_large_for_the_database_is_an_error(archive, number):
    with Archive(archive) as opened, pytest.raises(EvolveError, match=f"no individual {number}; it has 0 to 47"):
        opened.individual(1, number)


def test_a_fitness_that_is_no_number_ranks_nowhere(postgres):
    """PostgreSQL keeps NaN, and sorts it before all numbers."""
    run_to_end(postgres, generations=1)
    with Archive(postgres) as opened:
        with opened._engine.begin() as connection:
            connection.execute(text("UPDATE gambol_individual SET fitness = 'NaN' WHERE number = 3 AND marked = ''"))
        with pytest.raises(EvolveError, match="run 1: individual 3: fitness is nan where a finite number"):
            opened.best(1)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE gambol_individual SET fitness = 'x' WHERE number = 3", "a fitness of generation 0 of run 1 is 'x'"),
        ("UPDATE gambol_generation SET size = 'x'", "generation 0 of run 1: size is 'x' where a whole number"),
    ],
)
def test_an_older_archive_is_looked_at_before_it_is_brought_up_to_date(archive, statement, message):
    change(archive, statement)
    with closing(sqlite3.connect(archive)) as connection:
        for line in ("ADD COLUMN spread DOUBLE PRECISION", "DROP COLUMN lower", "DROP COLUMN upper"):
            connection.execute(f"ALTER TABLE {GENERATION.name} {line}")
        connection.execute("UPDATE gambol_archive SET value = '1' WHERE name = 'schema'")
        connection.commit()
    with pytest.raises(EvolveError, match=rf"evolve\.db, whose tables of version 1 .*: .*{message}"):
        Archive(archive)


@pytest.fixture(scope="module")
def bred(tmp_path_factory, _programs_of_the_run):
    """The archive of a run of creatures. Not to be changed."""
    folder = tmp_path_factory.mktemp("bred")
    result = invoke("evolve", *TINY, "--seed", "3", "--search", "ga", "--out", folder)
    assert result.exit_code == 0, result.output
    return folder / "evolve.db"


COMMANDS = {
    "lineage": ["lineage", "--films", "0", "--out", "lineage.html"],
    "replay": ["replay", "1", "best"],
    "breed": ["breed", "1"],
    "evolve": ["evolve", "--resume", "--generations", "4", "--executor", "here"],
}
ALL = tuple(COMMANDS)
SETTINGS = "UPDATE gambol_run SET settings = json_set(settings, "
OPTIONS = f"{SETTINGS}'$.options', json("
EVERYBODY = "UPDATE gambol_individual SET genotype = "
WRONG = [
    ("UPDATE gambol_run SET settings = '[]'", ALL),
    (f"""{OPTIONS}'{{"task": []}}'))""", ALL),
    (f"""{OPTIONS}'{{"task": {{"friction": "ice"}}}}'))""", ALL),
    (f"""{OPTIONS}'{{"task": {{"terms": [7]}}}}'))""", ALL),
    (f"""{OPTIONS}'{{"task": {{"weather": "ice"}}}}'))""", ALL),
    (f"""{OPTIONS}'{{"search": 7}}'))""", ("lineage", "replay", "evolve")),
    (f"""{OPTIONS}'{{"search": {{"rate": "x", "keep": []}}}}'))""", ("evolve",)),
    (f"""{OPTIONS}'{{"control": [1]}}'))""", ALL),
    (f"""{OPTIONS}'{{"control": {{"size": "x"}}}}'))""", ("lineage", "breed", "evolve")),
    (f"""{OPTIONS}'{{"plan": "x"}}'))""", ALL),
    (f"""{OPTIONS}'{{"links": "x"}}'))""", ALL),
    (f"{SETTINGS}'$.body', 'cow')", ("lineage", "breed", "evolve")),
    (f"{SETTINGS}'$.task', 'fly')", ALL),
    (f"{SETTINGS}'$.control', 'will')", ("lineage", "breed", "evolve")),
    (f"{EVERYBODY}'[]'", ALL),
    (f"{EVERYBODY}'7'", ALL),
    (f"{EVERYBODY}'null'", ALL),
    (f"{EVERYBODY}'{{}}'", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.trunk', 7)", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.limbs', json('{{}}'))", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.limbs[0].segments', 7)", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.control.values', json('[1.0]'))", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.control.values[0]', 'fast')", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.control.values[0]', json('null'))", ALL),
    (f"{EVERYBODY}json_set(genotype, '$.control.shifts', 'x')", ALL),
    ("UPDATE gambol_individual SET parents = '[999]'", ALL),
    ("UPDATE gambol_individual SET fitness = 'x'", ALL),
]
"""Changes of an archive, and the commands that read it."""


@pytest.mark.parametrize(("statement", "name"), [(statement, name) for statement, names in WRONG for name in names])
def test_errors_of_commands_are_single_lines(bred, tmp_path, monkeypatch, statement, name):
    path = tmp_path / "evolve.db"
    path.write_bytes(bred.read_bytes())
    change(path, statement)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ChoiceServer, "chosen", lambda *_: pytest.fail("a person is asked"))
    result = invoke(*COMMANDS[name], "--db", path)
    assert isinstance(result.exception, SystemExit), result.output
    assert result.exit_code == 2, result.output
    (line,) = (line for line in result.output.splitlines() if not line.startswith("Warning: "))
    assert line.startswith("Error: ")
