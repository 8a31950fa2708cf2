"""What a run costs besides the lives: memory that stays as it is, and little time."""

import random
import tracemalloc
from dataclasses import replace
from time import perf_counter

from toy_runs import breed, settings

from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import begun, crew_named, resumed

LONG = 1000
SECONDS_OF_LIVES = 0.17
"""What 256 lives of a quadruped of eight seconds take on two cores at 12 million steps of 1/480 s a second."""


def quick(given, genotypes, seeds):
    return [Outcome(-sum(map(abs, genotype)), {"x": genotype[0]}, (genotype[1],)) for genotype in genotypes]


def quickly(given):
    return replace(breed(given), evaluate=quick)


def test_memory_is_flat_over_a_thousand_generations(tmp_path):
    """An individual takes a kilobyte or so in Python: ten thousand of them would show."""
    told = {}
    tracemalloc.start()

    def watch(progress):
        if progress.generation in (99, LONG - 1):
            told[progress.generation] = tracemalloc.get_traced_memory()[0]

    try:
        with Archive(tmp_path / "evolve.db") as archive, crew_named("here") as crew:
            begun(archive, settings(generations=LONG, population=10, share=10), quickly).go(crew, watch)
    finally:
        tracemalloc.stop()
    assert told[LONG - 1] - told[99] < 100_000


def test_resuming_a_long_run_holds_one_generation_at_a_time(tmp_path):
    given = settings(generations=100, population=50, share=50)
    with Archive(tmp_path / "evolve.db") as archive, crew_named("here") as crew:
        begun(archive, given, quickly).go(crew)
        tracemalloc.start()
        try:
            run = resumed(archive, 1, quickly)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert run.done == 100
    assert peak < 2_000_000  # of some ten that all individuals would take


def test_storing_a_generation_costs_less_than_three_percent_of_living_it(tmp_path):
    """The quickest of some times: whatever else the machine does is not the archive's."""
    numbers = random.Random(1)
    genotype = {"limbs": [[numbers.random() for _ in range(8)] for _ in range(5)], "values": [numbers.random()] * 48}
    took = []
    with Archive(tmp_path / "evolve.db") as archive:
        run = archive.begin({}, 0, {})
        for generation in range(40):
            outcomes = [Outcome(numbers.random(), {"distance": 0.1, "energy": 0.2}, (0.1, 0.2)) for _ in range(256)]
            individuals = [
                IndividualRecord(256 * generation + k, generation, k, (k, 7), "crossed", (0.3,), genotype, k, outcome)
                for k, outcome in enumerate(outcomes)
            ]
            begin = perf_counter()
            archive.add(run, individuals, {"best": 1.0, "median": 0.5, "spread": 0.1}, 0.1)
            took.append(perf_counter() - begin)
    assert min(took) < 0.03 * SECONDS_OF_LIVES
