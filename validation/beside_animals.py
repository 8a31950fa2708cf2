"""The animals of the zoo beside animals of their mass: `python -m validation.beside_animals [NAME ...]` prints a table.

Each walks for 12 s with a variation of strides of 0.04, that of people. [Hausdorff and others 1996]
"""

import sys
from collections.abc import Iterator

import gambol
from gambol.creatures.animals import ANIMALS, TROTTERS
from gambol.creatures.natural import NaturalReport, natural_report
from gambol.world import run, start

SECONDS, RATE = 12.0, 120.0
"""Duration of a walk [s], and frames per second: one for each control step."""

VARIATION, SEED = 0.04, 1

BESIDE = {"hound": "dog", "cat": "dog", "horse": "horse", "greyhound": "dog"}
"""Animals that are like one of which measures are known, and its name."""


def reports(name: str) -> Iterator[NaturalReport]:
    """Yield the reports of an animal: beside animals of its mass, and beside one animal if it is like one."""
    world = gambol.make_world(name, variation=VARIATION, seed=SEED)
    film = run(world, start(world), SECONDS, rate=RATE, contacts=True)
    yield natural_report(film)
    if name in BESIDE:
        yield natural_report(film, beside=BESIDE[name])


def row(name: str, report: NaturalReport) -> str:
    """Return a row of a Markdown table."""
    outside = [each.measure for each in report.rows if each.applies and not each.within]
    beside = f" beside a {report.beside}" if report.beside in BESIDE.values() else ""
    return f"| {name}{beside} | {report.within} of {report.applicable} | {', '.join(outside)} |"


def main(names: list[str]) -> int:
    """Print the rows of the named animals, or of all."""
    for name in names or [*ANIMALS, *TROTTERS]:
        for report in reports(name):
            sys.stdout.write(row(name, report) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
