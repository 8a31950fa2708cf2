"""Ten seeds of each animal: `python -m validation.seeds [--folder DIR] [--seeds N] [BODY ...]` writes the page.

Runs are kept in a file for each body, one after the other: seed 1 of all bodies first, then seed 2. Ctrl-C keeps the
runs that are done, and a second start goes on; runs of other settings than the present defaults are repeated. With a
folder, files are kept there, and the page is not written. `--page` only writes the page. `--measure` measures the
creatures of kept runs anew, after a change of the measures.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gambol.evolve.genotype.plans import ANIMALS
from gambol.evolve.runs import Settings
from gambol.formats import atomic_write
from validation.seeds.evolving import default_settings, evolved, genotype_of, measures
from validation.seeds.page import PAGE, page

STORED = Path(__file__).parent

SEEDS = 10


def runs_of(folder: Path, body: str) -> dict[str, Any]:
    """Return the kept runs of a body by seed, as plain data."""
    path = folder / f"{body}.json"
    return json.loads(path.read_text()) if path.exists() else {}


def missing(folder: Path, bodies: tuple[str, ...], seeds: int) -> Iterator[tuple[str, int]]:
    """Yield body and seed of each run that is not kept, in the order of seeds."""
    for seed in range(1, seeds + 1):
        for body in bodies:
            kept = runs_of(folder, body).get(str(seed))
            if kept is None or kept["settings"] != json.loads(json.dumps(default_settings(body, seed).plain())):
                yield body, seed


def keep(folder: Path, body: str, seed: int, run: dict[str, Any]) -> None:
    """Add a run to the file of its body."""
    runs = runs_of(folder, body) | {str(seed): run}
    with atomic_write(folder / f"{body}.json") as path:
        path.write_text(json.dumps(dict(sorted(runs.items(), key=lambda item: int(item[0]))), indent=1) + "\n")


def measure_again(folder: Path, body: str) -> None:
    """Measure the creatures of a body's kept runs anew, and keep their measures."""
    for seed, run in runs_of(folder, body).items():
        settings = Settings.of_plain(run["settings"])
        keep(folder, body, int(seed), run | measures(settings, genotype_of(settings, run["control"])))


def main(arguments: list[str]) -> int:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m validation.seeds")
    parser.add_argument("--folder", type=Path, default=STORED)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("bodies", nargs="*", choices=[*ANIMALS, []], metavar="BODY")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    bodies = tuple(options.bodies) or ANIMALS
    todo = () if options.page or options.measure else missing(options.folder, bodies, options.seeds)
    try:
        for body in bodies if options.measure else ():
            measure_again(options.folder, body)
        for body, seed in todo:
            run = asdict(evolved(default_settings(body, seed)))
            keep(options.folder, body, seed, run)
            text = f"{body} {seed}: {run['seconds']:.0f} s, fitness {run['fitness']:.2f}, {run['speed']:.2f} lengths/s"
            sys.stdout.write(f"{text}, {run['within']} of {run['applicable']}, fell {run['fallen']}\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.stdout.write("interrupted; the runs that are done are kept, and a second start goes on\n")
        return 130
    if options.folder == STORED:
        with atomic_write(PAGE) as path:
            path.write_text(page({body: runs_of(STORED, body) for body in ANIMALS}, SEEDS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
