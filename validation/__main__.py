"""Solve every problem and write the documentation page: `python -m validation`."""

import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gambol.formats import atomic_write
from validation.problem import Problem, Row
from validation.problems import PROBLEMS
from validation.summary import Entry, entry_of_row, write_entries

PAGE = Path(__file__).parents[1] / "docs" / "validation" / "problems.md"
HEAD = """# Problems with known answers

Made by `make validation`. Each table compares gambol's answers with a reference. *Tolerance* is the largest error that
an engine with the stated method should have. The tests run every problem too.
"""


def section(problem: Problem, rows: list[Row]) -> str:
    """Return the Markdown section of a problem."""
    lines = [f"## {problem.title}", "", f"{problem.setup} Reference: {problem.reference}.", ""]
    lines += ["| | gambol | reference | error | tolerance |", "| --- | --- | --- | --- | --- |"]
    for r in rows:
        mark = "" if r.holds else " (**missed**)"
        lines.append(f"| {r.name} | {r.ours:.12g} | {r.reference:.12g} | {r.error:.1e}{mark} | {r.tolerance:.0e} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page and print a summary; return 1 if any tolerance is missed."""
    console, table = Console(), Table("problem", "numbers", "largest error / tolerance", "s")
    sections, entries, missed = [HEAD], list[Entry](), 0
    for problem in PROBLEMS:
        begun = time.perf_counter()
        with console.status(problem.title):
            rows = problem.solve()
        missed += sum(not row.holds for row in rows)
        worst = max(row.error / row.tolerance for row in rows)
        table.add_row(problem.title, str(len(rows)), f"{worst:.1e}", f"{time.perf_counter() - begun:.1f}")
        sections.append(section(problem, rows))
        entries += [entry_of_row(problem, row) for row in rows]
    console.print(table)
    with atomic_write(PAGE) as path:
        path.write_text("\n".join(sections))
    write_entries("problems", entries)
    console.print(f"{PAGE}: {len(PROBLEMS)} problems, {missed} numbers missed")
    return int(missed > 0)


sys.exit(main())
