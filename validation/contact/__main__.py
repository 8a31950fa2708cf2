"""Solve every contact problem and write the documentation page: `python -m validation.contact`."""

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

Made by `make validation`. Each problem is solved by every contact method that can do it, at the step
stated; penalty chooses its own steps. *Wanted* is what an engine that claims the method should reach. Where a method is
farther off by its nature, the last column says why, and the tests hold it to what its nature allows. Every problem runs
in the tests too.
"""


def row(answer: Answer) -> str:
    """Return the table row of an answer."""
    exact = answer.error <= answer.wanted
    word = "" if exact else answer.limitation or "**missed**"
    step = "own" if answer.method == "penalty" else f"{answer.step:g} s" if answer.step else "an instant"
    numbers = f"{answer.ours:.9g} | {answer.reference:.9g} | {answer.error:.1e} | {answer.wanted:.0e}"
    return f"| {answer.what} | {answer.method} | {step} | {numbers} | {word} |"


def section(problem: ContactProblem, answers: list[Answer]) -> str:
    """Return the Markdown section of a problem."""
    lines = [f"## {problem.title}", "", f"{problem.setup} Reference: {problem.reference}.", ""]
    lines += ["| | method | step | gambol | reference | error | wanted | |", "| --- " * 8 + "|"]
    return "\n".join([*lines, *map(row, answers)]) + "\n"


def main() -> int:
    """Write the page and print a summary; return 1 if any tolerance is missed."""
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
