"""Breeding a body's controller: lives of many patterns side by side, each on several grounds from several starts."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.collide.hills import random_hills
from gambol.dynamics import STANDARD_GRAVITY
from gambol.evolve.fitness import Track, Weighed
from gambol.evolve.life.herd import Herd
from gambol.evolve.life.home import Lodged
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import BoxSpace, search_named
from gambol.evolve.tasks import Task
from gambol.world import Engine
from validation.bars.body import FRAME, Body
from validation.bars.kept import Kept

WAVES, REACH = 0.4, 15.0  # m: the shortest of the bumps, and how far they reach
LEVEL = -1000.0  # m: bumps that far away are none


@dataclass(frozen=True)
class Life:
    """What a pattern meets in one of its lives.

    friction: of the ground, or density of the medium, as a part of what the file has. spread: how far the start
    is disturbed [rad]. strength: of motors, as a part of theirs. shove: forward push on the root in one half second, as
    a part of the weight; since [s]. hills: how far the ground's bumps are shifted [m]; LEVEL where it has none. bounce:
    restitution of the ground.
    """

    friction: float = 1.0
    spread: float = 0.0
    strength: float = 1.0
    shove: float = 0.0
    since: float = 2.0
    hills: float = LEVEL
    bounce: float = 0.0


LIVES = (
    Life(),
    Life(0.6, 0.1, shove=-0.3, hills=1.0, bounce=0.2),
    Life(1.0, 0.1, 0.8, shove=-0.4, hills=2.0, bounce=0.4),
    Life(1.4, 0.1, shove=0.3, since=2.3, hills=3.0, bounce=0.0),
    Life(0.8, 0.2, 0.9, shove=0.3, since=3.1, hills=4.0, bounce=0.4),
    Life(1.2, 0.2, shove=-0.4, since=2.7, hills=5.0, bounce=0.2),
)
"""Unlike each other, so that what runs in all of them does not hang on how exactly feet land."""

SHOVED = 0.5  # s
MOST = max(life.bounce for life in LIVES)

RUNS = {"half_cheetah": (5, 70), "ant": (8, 45), "swimmer": (1, 100)}
"""Seeds and generations of what is kept."""

POPULATION, SECONDS = 64, 6.0
SETTLING = 1.0  # s at the start that do not count
TASK = Task(
    "run",
    (Weighed("speed", 1.0), Weighed("transport", -0.02, 0.0, 10.0)),
    seconds=SECONDS,
    settling=SETTLING,
    step=FRAME / 4.0,
    frame=FRAME,
    sample=5.0 * FRAME,
)
"""Go fast along x, and spend a little less on it: a speed is the least of those in four windows [m/s]."""


class Stable:
    """The home of a body's patterns: a genotype is a pattern's values and the number of one of its lives."""

    def __init__(self, body: Body, seed: int) -> None:
        self.body = body
        world = body.world(body.resting)
        if body.height is not None:
            ground = random_hills(body.bump, wavelength=WAVES, reach=REACH)
            world = replace(world, ground=ground, touch=replace(world.touch, restitution=MOST))
        self.world = world
        rng = np.random.default_rng(seed)
        self._starts = [body.disturbed(life.spread, rng) if life.spread else body.q for life in LIVES]

    def lodged(self, engine: Engine, genotypes: Sequence[Any]) -> Lodged:
        """Patterns in worlds of their own."""
        count, lives = len(genotypes), [LIVES[life] for _, life in genotypes]
        columns = np.array([values for values, _ in genotypes]).T
        pattern = self.body.pattern(columns)
        numbers = engine.numbers(control={"pattern": pattern.numbers()}, **self._met(lives))
        q = np.array([self._starts[life] for _, life in genotypes])
        if self.body.height is not None:
            q[:, self.body.height] += self.body.bump
        one, rough, feet = np.ones(count), np.full(count, self.body.friction), tuple(range(len(self.body.feet)))
        figure = self.body.specimen.figure
        chains = np.zeros((count, len(figure.links)), np.int64)
        return Lodged(numbers, q, (feet,) * count, chains, one, one, one * figure.mass, rough)

    def _met(self, lives: Sequence[Life]) -> dict[str, Any]:
        """What differs between worlds of some lives."""
        weight = self.body.shoved * self.body.specimen.figure.mass * STANDARD_GRAVITY
        push, since = (np.array([getattr(life, name) for life in lives]) for name in ("shove", "since"))
        strength, rough, bounce = (
            np.array([getattr(life, name) for life in lives]) for name in ("strength", "friction", "bounce")
        )
        weaker = {
            name: servo.numbers() | {"strength": strength * servo.strength}
            for name, servo in self.body.actuators.items()
        }
        met = {"actuators": weaker, "shove": [push * weight, 0.0, 0.0, since, since + SHOVED]}
        if medium := self.world.medium:
            return met | {"medium": medium.numbers() | {"density": medium.density * rough}}
        return met | {
            "touch": replace(self.world.touch, friction=self.body.friction * rough, restitution=bounce),
            "ground": self.world.ground.numbers() | {"x0": np.array([life.hills - REACH for life in lives])},
        }


def outcomes(herd: Herd, patterns: Sequence[Sequence[float]], threads: int) -> list[Outcome]:
    """What patterns come to: each is worth its worst life."""
    lives: list[Any] = [(values, life) for values in patterns for life in range(len(LIVES))]
    track: Track = herd.lived(lives, threads)
    found = TASK.outcomes(track)
    own = (found[k : k + len(LIVES)] for k in range(0, len(found), len(LIVES)))
    return [min(lives, key=lambda one: one.worth) for lives in own]


def bred(body: Body, seed: int, generations: int, threads: int = 2) -> Kept:
    """The best pattern of a run of CMA-ES. threads: that share the work, and change nothing."""
    begun, herd = time.perf_counter(), Herd(Stable(body, seed), TASK)
    search = search_named("cma", BoxSpace(body.genes), seed, POPULATION)
    for _ in range(generations):
        search.tell(outcomes(herd, [proposal.genotype for proposal in search.ask()], threads))
    assert search.best is not None, f"no life of {body.name} was sound"
    values = dict(zip((gene.name for gene in body.genes), search.best.genotype, strict=True))
    minutes = round((time.perf_counter() - begun) / 60.0, 2)
    return Kept(body.name, values, search.best.worth, seed, generations, search.told * len(LIVES), minutes)
