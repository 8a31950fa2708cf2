"""Numbers of all validation pages as data: each program writes its part; all parts form out/validation.json."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gambol.formats import atomic_write
from validation.contact.answer import Answer, ContactProblem
from validation.problem import Problem, Row

OUT = Path(__file__).parents[1] / "out"
PAGES = ("problems", "contact", "promises", "bars", "search", "creatures", "evolution")
"""Parts, by the name of the documentation page with the same numbers, in the order of `make validation`."""


@dataclass(frozen=True)
class Entry:
    """A number. value: gambol's; wanted: the reference; error: their distance; tolerance: largest allowed error."""

    problem: str
    method: str
    value: float
    wanted: float
    error: float
    tolerance: float
    met: bool


def entry_of_row(problem: Problem, row: Row) -> Entry:
    """Return the entry of a number of a problem."""
    what = f"{problem.title}: {row.name}"
    return Entry(what, row.method or problem.method, row.ours, row.reference, row.error, row.tolerance, row.holds)


def entry_of_answer(problem: ContactProblem, answer: Answer) -> Entry:
    """Return the entry of a number of a contact problem; its tolerance is the bound of the method, if it has one."""
    what = f"{problem.title}: {answer.name}"
    step = f", steps of {answer.step:g} s" if answer.step and answer.method != "penalty" else ""
    tolerance = answer.bound if answer.limitation else answer.tolerance
    method = f"{answer.method}{step}"
    return Entry(what, method, answer.ours, answer.reference, answer.error, tolerance, answer.holds)


def at_least(problem: str, method: str, value: float, least: float) -> Entry:
    """Return the entry of a number with a lower limit only; its error is the distance below the limit."""
    return Entry(problem, method, value, least, max(0.0, least - value), 0.0, value >= least)


def write_entries(page: str, entries: Iterable[Entry], out: Path = OUT) -> Path:
    """Write the part of a page, then the list of all parts that exist; numbers that are not finite become null.

    page: a name in PAGES. Returns the path of the list.
    """
    if page not in PAGES:
        raise ValueError(f'no page "{page}"; pages are {", ".join(PAGES)}')
    _write(out / "validation" / f"{page}.json", [_plain(entry) for entry in entries])
    parts = [out / "validation" / f"{name}.json" for name in PAGES]
    every = [entry for part in parts if part.exists() for entry in json.loads(part.read_text(encoding="utf-8"))]
    _write(out / "validation.json", every)
    return out / "validation.json"


def _plain(entry: Entry) -> dict[str, object]:
    plain = asdict(entry) | {"met": bool(entry.met)}
    return {k: None if isinstance(x, float) and not math.isfinite(x) else x for k, x in plain.items()}


def _write(path: Path, entries: Sequence[object]) -> None:
    with atomic_write(path) as beside:
        beside.write_text(json.dumps(entries, indent=1, allow_nan=False) + "\n", encoding="utf-8")
