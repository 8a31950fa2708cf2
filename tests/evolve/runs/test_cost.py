"""The cost of a run besides the rollouts: constant memory, and little time."""

import gc
import random
import sqlite3
import tracemalloc
from contextlib import closing
from dataclasses import replace
from time import process_time

from toy_runs import settings, toy_setup

from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome
from gambol.evolve.runs import begin_run, make_worker_pool, resume_run

LONG = 1000
OUTCOME = Outcome(1.0, {"distance": 0.1, "energy": 0.2}, (0.1, 0.2))


def quick(given, genotypes, seeds):
    return [Outcome(-sum(map(abs, genotype)), {"x": genotype[0]}, (genotype[1],)) for genotype in genotypes]


def quickly(given):
    return replace(toy_setup(given), evaluate=quick)


def test_memory_is_flat_over_a_thousand_generations(tmp_path):
    """An individual takes a kilobyte or so in Python: ten thousand of them would show."""
    reported = {}
    tracemalloc.start()

    def watch(progress):
        if progress.generation in (99, LONG - 1):
            gc.collect()  # Python keeps the memory of up to 2000 tuples of each length until then
            reported[progress.generation] = tracemalloc.get_traced_memory()[0]

    try:
        with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
            begin_run(archive, settings(generations=LONG, population=10, share=10), quickly).execute(pool, watch)
    finally:
        tracemalloc.stop()
    assert reported[LONG - 1] - reported[99] < 100_000


def test_resuming_a_long_run_holds_one_generation_at_a_time(tmp_path):
    given = settings(generations=100, population=50, share=50)
    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
        begin_run(archive, given, quickly).execute(pool)
        tracemalloc.start()
        try:
            run = resume_run(archive, 1, quickly)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert run.generations_done == 100
    assert peak < 2_000_000  # of some ten that all individuals would take


def test_storing_a_generation_costs_few_times_what_the_database_itself_does(tmp_path):
    """4 ms for 256 individuals, where rollouts take 170 ms and more; here as a ratio, independent of other load.

    SQLite alone takes about a fourth of it; the rest is JSON, the digest and SQLAlchemy. With the standard library's
    JSON it would be more than twelve times.
    """
    numbers = random.Random(1)
    genotype = {"limbs": [[numbers.random() for _ in range(8)] for _ in range(5)], "values": [0.1 / 3.0] * 48}
    ours, bare = [], []
    with Archive(tmp_path / "evolve.db") as archive, closing(sqlite3.connect(tmp_path / "bare.db")) as other:
        run = archive.begin({}, 0, {})
        other.execute("CREATE TABLE individual (number INTEGER PRIMARY KEY, genotype TEXT)")
        for generation in range(20):
            individuals = [
                IndividualRecord(256 * generation + k, generation, k, (k, 7), "crossed", (0.3,), genotype, k, OUTCOME)
                for k in range(256)
            ]
            begin = process_time()
            archive.add(run, individuals, {"best": 1.0, "median": 0.5, "lower": 0.4, "upper": 0.6}, 0.1)
            middle = process_time()
            rows = [(one.number, "x" * 2000) for one in individuals]
            with other:
                other.executemany("INSERT INTO individual VALUES (?, ?)", rows)
            ours.append(middle - begin)
            bare.append(process_time() - middle)
    assert min(ours) < 10.0 * min(bare)
