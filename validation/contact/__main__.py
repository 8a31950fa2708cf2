"""Solve every contact problem and write the documentation page: `python -m validation.contact`."""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from gambol.formats import atomic_write
from validation.contact.answer import Answer, ContactProblem
from validation.contact.problems import PROBLEMS
from validation.summary import Entry, entry_of_answer, write_entries

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "contact.md"
HEAD = """# Contact with known answers

Made by `make validation`. Every contact method that can solve a problem does so, with the stated step. The method
`penalty` chooses its own steps. *Tolerance* is the largest error that an engine with this method should have. Some
methods have larger errors by their nature. The last column then gives the reason, and the tests hold the error to a
larger bound. The tests run every problem too.
"""


def row(answer: Answer) -> str:
    """Return the table row of an answer."""
    exact = answer.error <= answer.tolerance
    word = "" if exact else answer.limitation or "**missed**"
    step = "adaptive" if answer.method == "penalty" else f"{answer.step:g} s" if answer.step else "one impact"
    numbers = f"{answer.ours:.9g} | {answer.reference:.9g} | {answer.error:.1e} | {answer.tolerance:.0e}"
    return f"| {answer.name} | {answer.method} | {step} | {numbers} | {word} |"


def section(problem: ContactProblem, answers: list[Answer]) -> str:
    """Return the Markdown section of a problem."""
    lines = [f"## {problem.title}", "", f"{problem.setup} Reference: {problem.reference}.", ""]
    lines += ["| | method | step | gambol | reference | error | tolerance | reason |", "| --- " * 8 + "|"]
    return "\n".join([*lines, *map(row, answers)]) + "\n"


def main() -> int:
    """Write the page and print a summary; return 1 if any tolerance is missed."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    console, table = Console(), Table("problem", "numbers", "missed", "s")
    sections, entries, missed = [HEAD], list[Entry](), 0
    for problem in PROBLEMS:
        begun = time.perf_counter()
        with console.status(problem.title):
            answers = problem.solve()
        bad = sum(not answer.holds for answer in answers)
        missed += bad
        table.add_row(problem.title, str(len(answers)), str(bad), f"{time.perf_counter() - begun:.1f}")
        sections.append(section(problem, answers))
        entries += [entry_of_answer(problem, answer) for answer in answers]
    console.print(table)
    with atomic_write(PAGE) as path:
        path.write_text("\n".join(sections))
    write_entries("contact", entries)
    console.print(f"{PAGE}: {len(PROBLEMS)} problems, {missed} numbers missed")
    return int(missed > 0)


sys.exit(main())
