"""The time until a quadruped walks, from random genes and with default settings."""

import time
from dataclasses import dataclass, replace

from gambol.evolve.evaluate import evaluate_genotypes, search_setup
from gambol.evolve.runs import Settings, make_worker_pool
from gambol.evolve.runs.run import seeds_of

GOAL = 2.0  # body lengths per second, in each quarter of a rollout
MAX_WALL_TIME = 120.0  # s of wall time
SEEDS = 10


@dataclass(frozen=True)
class FirstWalker:
    """The first walker of a run: wall and processor time [s], generations, and its speed [body lengths/s]."""

    wall: float
    processor: float
    generations: int
    speed: float

    @property
    def walks(self) -> bool:
        """True if it is fast enough and was found in time."""
        return self.speed >= GOAL and self.wall <= MAX_WALL_TIME


def walker(settings: Settings, time_limit: float = MAX_WALL_TIME) -> FirstWalker:
    """Evolve until a creature walks, or a time [s] has passed. Compilation is included."""
    begun, worked = time.perf_counter(), time.process_time()
    setup, best = search_setup(settings), 0.0
    with make_worker_pool("threads") as pool:
        while best < GOAL and time.perf_counter() - begun < time_limit:
            proposals = setup.search.ask()
            genotypes = [setup.to_plain(one.genotype) for one in proposals]
            seeds = seeds_of(settings.seed, setup.search.generation, len(genotypes))
            outcomes = pool.outcomes(evaluate_genotypes, settings, genotypes, seeds)
            best = max(best, *(one.terms["speed"] for one in outcomes if one.valid), 0.0)
            setup.search.tell(outcomes)
    wall, processor = time.perf_counter() - begun, time.process_time() - worked
    return FirstWalker(wall, processor, setup.search.generation, best)


def walkers(seeds: int = SEEDS) -> list[FirstWalker]:
    """Return the first walker for each seed, one run after the other."""
    return [walker(replace(Settings(), seed=seed)) for seed in range(seeds)]
