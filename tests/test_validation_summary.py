"""The list of all validation numbers: every number is one entry, and the parts of the pages form the list."""

import json
import math
from dataclasses import fields
from pathlib import Path

import pytest

from validation.contact.answer import Answer, ContactProblem
from validation.problem import Problem, Row
from validation.summary import PAGES, Entry, at_least, entry_of_answer, entry_of_row, write_entries

KEYS = ["problem", "method", "value", "wanted", "error", "tolerance", "met"]
ROWS = [Row("x [m]", 1.0, 1.5, 1.0), Row("y [m]", 1.0, 3.0, 1.0, "euler")]
ANSWERS = [
    Answer("speed", "stepping", 1e-3, 1.0, 1.25, 0.5),
    Answer("speed", "impulse", 1e-3, 1.0, 1.25, 0.1),
    Answer("speed", "penalty", 1e-3, 1.0, 1.25, 0.1, "it is soft", 0.3),
]
PROBLEM = Problem("Fall", "A stone.", "closed form", lambda: ROWS, method="rk4")
CONTACT = ContactProblem("Slide", "A block.", "closed form", lambda: ANSWERS)


def read(path: Path) -> list[dict[str, object]]:
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_row_becomes_one_entry(tmp_path: Path):
    found = read(write_entries("problems", [entry_of_row(PROBLEM, row) for row in PROBLEM.solve()], tmp_path))
    assert [list(entry) for entry in found] == [KEYS, KEYS]
    assert found[0] == dict(zip(KEYS, ("Fall: x [m]", "rk4", 1.0, 1.5, 0.5, 1.0, True), strict=True))
    assert found[1] == dict(zip(KEYS, ("Fall: y [m]", "euler", 1.0, 3.0, 2.0, 1.0, False), strict=True))


def test_the_tolerance_of_an_answer_is_its_bound_where_it_has_one():
    entries = [entry_of_answer(CONTACT, answer) for answer in CONTACT.solve()]
    assert [entry.tolerance for entry in entries] == [0.5, 0.1, 0.3]
    assert [entry.met for entry in entries] == [True, False, True]
    assert [entry.method for entry in entries] == ["stepping, steps of 0.001 s", "impulse, steps of 0.001 s", "penalty"]
    assert {entry.problem for entry in entries} == {"Slide: speed"}


def test_a_lower_limit_is_satisfied_above_it():
    assert at_least("part", "es", 0.95, 0.9) == Entry("part", "es", 0.95, 0.9, 0.0, 0.0, True)
    missed = at_least("part", "es", 0.75, 1.0)
    assert (missed.error, missed.met) == (0.25, False)


def test_a_page_replaces_only_its_own_part(tmp_path: Path):
    first, second, third = (Entry(f"number {k}", "m", 1.0, 1.0, 0.0, 0.0, True) for k in range(3))
    write_entries("contact", [first], tmp_path)
    write_entries("problems", [second], tmp_path)
    path = write_entries("contact", [third], tmp_path)
    assert path == tmp_path / "validation.json"
    assert [entry["problem"] for entry in read(path)] == ["number 1", "number 2"]
    assert {file.name for file in tmp_path.rglob("*") if file.is_file()} == {
        "validation.json",
        "problems.json",
        "contact.json",
    }


def test_a_non_finite_number_is_null_and_not_satisfied(tmp_path: Path):
    lost = entry_of_row(PROBLEM, Row("x [m]", math.nan, 1.0, 1.0))
    (found,) = read(write_entries("problems", [lost], tmp_path))
    assert (found["value"], found["error"], found["met"]) == (None, None, False)


def test_an_unknown_page_is_an_error_and_nothing_is_written(tmp_path: Path):
    with pytest.raises(ValueError, match='no page "speed"'):
        write_entries("speed", [], tmp_path)
    assert not [*tmp_path.iterdir()]


def test_entries_have_no_other_fields():
    assert [one.name for one in fields(Entry)] == KEYS


def test_every_program_of_make_validation_writes_its_part():
    root = Path(__file__).parents[1]
    (line,) = (line for line in (root / "Makefile").read_text().splitlines() if line.startswith("PAGES"))
    programs = line.partition("=")[2].split()
    assert len(programs) == len(PAGES)
    for program, page in zip(programs, PAGES, strict=True):
        folder = root / program.replace(".", "/")
        source = (folder / "__main__.py" if folder.is_dir() else folder.with_suffix(".py")).read_text()
        assert f'write_entries("{page}"' in source
