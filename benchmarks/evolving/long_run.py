"""A process that runs many generations of a small run and prints its memory."""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.evolving.runs import SHORT, WARM
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import search_setup
from gambol.evolve.runs import Progress, begin_run, make_worker_pool


def resident() -> int:
    """Return the current memory of this process [bytes]."""
    with open("/proc/self/status", encoding="utf-8") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def main(population: int) -> None:
    """Run, and print the memory after the first generations and at the end."""
    settings, memory = replace(SHORT, population=population), dict[int, int]()

    def watch(progress: Progress) -> None:
        if progress.generation + 1 in (WARM, settings.generations):
            memory[progress.generation + 1] = resident()

    with (
        tempfile.TemporaryDirectory() as folder,
        Archive(str(Path(folder) / "evolve.db")) as archive,
        make_worker_pool("here") as pool,
    ):
        ending = begin_run(archive, settings, search_setup).execute(pool, watch)
    found = {"generations": ending.generations, "first": memory[WARM], "last": memory[settings.generations]}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(int(sys.argv[1]))
