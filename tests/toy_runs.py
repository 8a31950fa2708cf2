"""Runs that breed numbers instead of creatures: what is asked of the loop, without physics."""

import math
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gambol.control.gene import Gene
from gambol.evolve.outcome import Outcome
from gambol.evolve.run import Breeding, Settings
from gambol.evolve.search import BoxSpace, search_named

SPACE = BoxSpace(tuple(Gene(f"x{k}", -1.0, 1.0) for k in range(4)))


def sphere(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    """Fitness falls with the square of the distance from 0.3, and a little luck is drawn from the seed."""
    time.sleep(settings.options.get("pause", 0.0))
    return [alive(genotype, seed) for genotype, seed in zip(genotypes, seeds, strict=True)]


def alive(genotype: Any, seed: int) -> Outcome:
    luck = 1e-3 * np.random.default_rng(seed).random()
    loss = math.fsum((x - 0.3) ** 2 for x in genotype)
    return Outcome(luck - loss, {"loss": loss, "luck": luck}, (genotype[0],), "lazy" if genotype[0] < -0.9 else "")


def unsound(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    """Every third life gives no number, in one way or another."""
    given = (math.nan, math.inf, None)
    return [
        Outcome(given[k % 9 // 3], {"loss": math.nan, "gain": -math.inf}) if k % 3 == 0 else alive(genotype, seed)
        for k, (genotype, seed) in enumerate(zip(genotypes, seeds, strict=True))
    ]


def fewer(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    return sphere(settings, genotypes, seeds)[1:]


def murderous(settings: Settings, genotypes: Sequence[Any], seeds: Sequence[int]) -> list[Outcome]:
    """Some lives kill the process that lives them; each share of them only as often as the options say."""
    folder = Path(settings.options["folder"])
    mark = folder / f"{seeds[0]}"
    deaths = len(mark.read_text()) if mark.exists() else 0
    if seeds[0] % 2 and deaths < settings.options["deaths"]:
        mark.write_text("x" * (deaths + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    with (folder / "lived").open("a") as lived:
        lived.write(f"{seeds[0]}\n")
    return sphere(settings, genotypes, seeds)


def breed(settings: Settings) -> Breeding[Any]:
    """A breeding of numbers, on the sphere."""
    search = search_named(settings.search, SPACE, settings.seed, settings.population)
    return Breeding(search, list, sphere, steps=100.0)


def settings(**changes: Any) -> Settings:
    return Settings(**{"population": 24, "generations": 8, "share": 5, "seconds": 1.0, **changes})
