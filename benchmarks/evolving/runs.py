"""Runs: the cost of the archive, the speed-up by more workers, and memory over a thousand generations."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.evolving.peer import beside_mujoco
from benchmarks.evolving.rollouts import WALK, random_genotypes, random_topologies, step_count, whole_rollouts
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import evaluate_genotypes, search_setup
from gambol.evolve.evaluate.options import task_of
from gambol.evolve.runs import Progress, Settings, begin_run, make_worker_pool

GENERATIONS = 12  # over which the archive is measured; the first does not count
REPEATS = 5

WARM, LONG = 200, 1000
"""Generations after which memory is measured first, and last."""

SHORT = Settings(population=8, generations=LONG, seconds=0.3, options={"task": {"settling": 0.1}})


def archived(row: Row) -> Result:
    """Measure the share of a generation's time for storing it in SQLite, with rollouts on all cores."""
    progress: list[Progress] = []
    settings = Settings(population=row.worlds, generations=GENERATIONS)
    with tempfile.TemporaryDirectory() as folder, Archive(str(Path(folder) / "evolve.db")) as archive:
        run = begin_run(archive, settings, search_setup)
        with make_worker_pool("threads", row.threads) as pool:
            run.execute(pool, progress.append)
        stored = sum(len(archive.individuals(run.id, generation)) for generation in range(GENERATIONS))
    assert stored == row.worlds * GENERATIONS, f"{row.name}: {stored} individuals are stored"
    parts = [one.archive_part for one in progress[1:]]
    return Result(0, f"{stored} individuals are stored", more={"archive_part": median(parts), "worst_part": max(parts)})


def more_workers(row: Row) -> Result:
    """Measure a generation with one worker, and with several."""
    given, seeds = random_genotypes(WALK, row.worlds, seed=3), [0] * row.worlds
    kind = row.model
    with make_worker_pool(kind, 1) as one, make_worker_pool(kind, row.threads) as several:
        alone, together = (
            [repr(o) for o in c.outcomes(evaluate_genotypes, WALK, given, seeds)] for c in (one, several)
        )
        assert alone == together, f"{row.name}: outcomes depend on the number of workers"
        times = time_interleaved(
            *(lambda c=c: c.outcomes(evaluate_genotypes, WALK, given, seeds) for c in (several, one)), repeats=REPEATS
        )
    result = Result(0, "the same outcomes for any number of workers", task_of(WALK).step)
    (seconds, result.spread), steps = median_and_spread(times[0]), step_count(WALK, row.worlds)
    result.ns_per_step = seconds / steps * 1e9
    result.peer, result.peer_ns_per_step = "one worker", median_and_spread(times[1])[0] / steps * 1e9
    result.ratio = ratio(*times)
    return result


def long_run(row: Row) -> Result:
    """Measure the memory of a process after 1000 generations, relative to that after 200."""
    command = [sys.executable, "-m", "benchmarks.evolving.long_run", str(row.worlds)]
    held = json.loads(subprocess.check_output(command, env=dict(os.environ)))
    assert held["generations"] == LONG, f"{row.name}: {held['generations']} generations were run"
    more = {"memory_over_earlier": held["last"] / held["first"], "bytes": held["last"]}
    return Result(0, f"{LONG} generations of {row.worlds} were run", more=more)


EVOLVING: dict[str, Callable[[Row], Result]] = {
    "lives": whole_rollouts,
    "lives of any body": random_topologies,
    "lives on all cores": beside_mujoco,
    "archive": archived,
    "workers": more_workers,
    "long run": long_run,
}
