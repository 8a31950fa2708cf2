"""An animator's day: a six-legged creature evolves over its maker's dunes, walks three takes, and goes to Blender."""

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

import gambol
from gambol.evolve import Archive, Settings, run
from gambol.evolve.evaluate import film_rollout

OUT = Path("out/animators_day")
POPULATION, GENERATIONS, SECONDS = 16, 4, 3.0  # to look at the way; a creature that walks well takes 256, 100 and 8 s
SPACING = 0.1  # between heights [m]


def dunes() -> np.ndarray:
    """Return heights [m] of dunes 6 cm high across the way, and level ground where the creature starts."""
    x, y = SPACING * np.mgrid[-40:81, -30:31]
    away = np.clip(np.hypot(x, y) - 0.6, 0.0, 1.0)
    return 0.03 * away * (1.0 - np.cos(2.0 * np.pi * (x + 0.3 * y) / 1.5))


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    ground = {"heights": dunes().tolist(), "spacing": SPACING, "name": "dunes"}
    settings = Settings(
        body="hexapod", population=POPULATION, generations=GENERATIONS, seconds=SECONDS, seed=2,
        options={"task": {"ground": ground}},
    )  # fmt: skip
    started = perf_counter()
    archive = OUT / "day.db"
    archive.unlink(missing_ok=True)
    result = run(settings, archive)
    with Archive(archive, create=False) as stored:
        best, first = stored.best(result.run)[0], stored.individuals(result.run, 0)
    print(f"evolved {POPULATION * GENERATIONS} creatures in {perf_counter() - started:.1f} s")
    assert best.outcome.fitness >= max(one.outcome.score for one in first), "the best is at least as good as the first"

    slope = replace(settings, options={"task": {"ground": {"slope": 0.08}}})
    takes = [
        replace(film_rollout(settings, best.genotype, best.seed), name="over the dunes"),
        replace(film_rollout(settings, best.genotype, best.seed, trial=1), name="over the dunes again"),
        replace(film_rollout(slope, best.genotype, best.seed), name="up a slope"),
    ]
    gambol.write_gltf(takes, OUT / "day.glb", ground=True)
    gambol.write_page(takes[0], OUT / "day.html")
    print(f"three takes in {OUT / 'day.glb'} after {perf_counter() - started:.1f} s")
    ends = np.array([take.position[-1, 0, 0] for take in takes])
    assert len(np.unique(ends, axis=0)) == 3, "no two takes are the same"


if __name__ == "__main__":
    main()
