"""A process of its own that lives through many generations of a small run and tells what memory it held."""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.evolving.runs import SHORT, WARM
from gambol.evolve.archive import Archive
from gambol.evolve.life import breed
from gambol.evolve.run import Progress, begun, crew_named


def resident() -> int:
    """What this process holds in memory now [bytes]."""
    with open("/proc/self/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def main(population: int) -> None:
    """Live, and print what was held after the first generations and in the end."""
    settings, held = replace(SHORT, population=population), dict[int, int]()

    def watch(told: Progress) -> None:
        if told.generation + 1 in (WARM, settings.generations):
            held[told.generation + 1] = resident()

    with (
        tempfile.TemporaryDirectory() as folder,
        Archive(str(Path(folder) / "evolve.db")) as archive,
        crew_named("here") as crew,
    ):
        ending = begun(archive, settings, breed).go(crew, watch)
    found = {"generations": ending.generations, "first": held[WARM], "last": held[settings.generations]}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
