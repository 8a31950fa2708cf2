"""How long it takes, from random genes and with default settings, until a quadruped walks."""

import time
from dataclasses import dataclass, replace

from gambol.evolve.life import breed, lives
from gambol.evolve.run import Settings, crew_named
from gambol.evolve.run.run import seeds_of

GOAL = 2.0  # body lengths per second, in each quarter of its life
MOST = 120.0  # s of wall time
SEEDS = 10


@dataclass(frozen=True)
class Walker:
    """When a run first had a walker: wall and processor time [s], generations; speed [body lengths/s], of its best."""

    wall: float
    processor: float
    generations: int
    speed: float

    @property
    def walks(self) -> bool:
        """Whether it is fast enough, and was found in time."""
        return self.speed >= GOAL and self.wall <= MOST


def walker(settings: Settings, most: float = MOST) -> Walker:
    """Breed until one walks, or a time [s] has passed. Nothing is compiled or read beforehand."""
    begun, worked = time.perf_counter(), time.process_time()
    breeding, best = breed(settings), 0.0
    with crew_named("threads") as crew:
        while best < GOAL and time.perf_counter() - begun < most:
            proposals = breeding.search.ask()
            given = [breeding.plain(one.genotype) for one in proposals]
            seeds = seeds_of(settings.seed, breeding.search.generation, len(given))
            outcomes = crew.outcomes(lives, settings, given, seeds)
            best = max(best, *(one.terms["speed"] for one in outcomes if one.sound), 0.0)
            breeding.search.tell(outcomes)
    wall, processor = time.perf_counter() - begun, time.process_time() - worked
    return Walker(wall, processor, breeding.search.generation, best)


def walkers(seeds: int = SEEDS) -> list[Walker]:
    """A walker for each seed, one run after the other."""
    return [walker(replace(Settings(), seed=seed)) for seed in range(seeds)]
