"""Runs: what the archive takes of a generation, what a second worker brings, and memory over a thousand generations."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.evolving.lives import WALK, any_bodies, creatures, steps_lived, whole_lives
from benchmarks.evolving.peer import beside_mujoco
from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.evolve.archive import Archive
from gambol.evolve.life import breed, lives
from gambol.evolve.life.asked import task_of
from gambol.evolve.run import Progress, Settings, begun, crew_named

GENERATIONS = 12  # that an archive is measured over; the first does not count
REPEATS = 5

WARM, LONG = 200, 1000
"""Generations after which memory is measured first, and last."""

SHORT = Settings(population=8, generations=LONG, seconds=0.3, options={"task": {"settling": 0.1}})


def archived(row: Row) -> Result:
    """The part of a generation's time that storing it takes, in SQLite, with all cores at work on lives."""
    told: list[Progress] = []
    settings = Settings(population=row.worlds, generations=GENERATIONS)
    with tempfile.TemporaryDirectory() as folder, Archive(str(Path(folder) / "evolve.db")) as archive:
        run = begun(archive, settings, breed)
        with crew_named("threads", row.threads) as crew:
            run.go(crew, told.append)
        stored = sum(len(archive.individuals(run.id, generation)) for generation in range(GENERATIONS))
    assert stored == row.worlds * GENERATIONS, f"{row.name}: {stored} individuals are stored"
    parts = [one.archive_part for one in told[1:]]
    return Result(0, f"{stored} individuals are there", more={"archive_part": median(parts), "worst_part": max(parts)})


def more_workers(row: Row) -> Result:
    """A generation by one worker, and by several."""
    given, seeds = creatures(WALK, row.worlds, seed=3), [0] * row.worlds
    kind = row.model
    with crew_named(kind, 1) as one, crew_named(kind, row.threads) as several:
        alone, together = ([repr(o) for o in c.outcomes(lives, WALK, given, seeds)] for c in (one, several))
        assert alone == together, f"{row.name}: outcomes depend on the number of workers"
        times = race(*(lambda c=c: c.outcomes(lives, WALK, given, seeds) for c in (several, one)), repeats=REPEATS)
    result = Result(0, "the same outcomes for any number of workers", task_of(WALK).step)
    (seconds, result.spread), steps = typical(times[0]), steps_lived(WALK, row.worlds)
    result.ns_per_step = seconds / steps * 1e9
    result.peer, result.peer_ns_per_step = "one worker", typical(times[1])[0] / steps * 1e9
    result.ratio = ratio(*times)
    return result


def long_run(row: Row) -> Result:
    """What a process holds after a thousand generations, over what it held after the first two hundred."""
    command = [sys.executable, "-m", "benchmarks.evolving.long", str(row.worlds)]
    held = json.loads(subprocess.check_output(command, env=dict(os.environ)))
    assert held["generations"] == LONG, f"{row.name}: {held['generations']} generations were lived"
    more = {"memory_over_earlier": held["last"] / held["first"], "bytes": held["last"]}
    return Result(0, f"{LONG} generations of {row.worlds} were lived", more=more)


EVOLVING: dict[str, Callable[[Row], Result]] = {
    "lives": whole_lives,
    "lives of any body": any_bodies,
    "lives on all cores": beside_mujoco,
    "archive": archived,
    "workers": more_workers,
    "long run": long_run,
}
