"""An animator's day: a beetle learns to walk over its maker's dunes, walks three takes, and goes to Blender."""

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

import gambol
from gambol.evolve import Archive, Settings, run
from gambol.evolve.evaluate import film_rollout

OUT = Path("out/animators_day")
POPULATION, GENERATIONS, SECONDS = 24, 2, 4.0  # a short run; gambol evolve natural --body beetle takes 256, 40 and 8 s
SPACING = 0.1  # between heights [m]


def dunes() -> np.ndarray:
    """Return heights [m] of dunes 3 cm high across the way, and level ground where the creature starts."""
    x, y = SPACING * np.mgrid[-40:81, -30:31]
    away = np.clip(np.hypot(x, y) - 0.6, 0.0, 1.0)
    return 0.015 * away * (1.0 - np.cos(2.0 * np.pi * (x + 0.3 * y) / 1.5))


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    ground = {"heights": dunes().tolist(), "spacing": SPACING, "name": "dunes"}
    settings = Settings(
        task="natural", body="beetle", control="stride", population=POPULATION, generations=GENERATIONS,
        seconds=SECONDS, seed=2, options={"task": {"ground": ground}},
    )  # fmt: skip
    started = perf_counter()
    archive = OUT / "day.db"
    archive.unlink(missing_ok=True)
    result = run(settings, archive)
    with Archive(archive, create=False) as stored:
        best = stored.best(result.run)[0]
    print(f"evolved {POPULATION * GENERATIONS} beetles in {perf_counter() - started:.1f} s")

    level = replace(settings, options={})
    takes = [
        replace(film_rollout(settings, best.genotype, best.seed), name="over the dunes"),
        replace(film_rollout(settings, best.genotype, best.seed, trial=1), name="over the dunes again"),
        replace(film_rollout(level, best.genotype, best.seed), name="on level ground"),
    ]
    gambol.write_gltf(takes, OUT / "day.glb", ground=True)
    gambol.write_page(takes[0], OUT / "day.html")
    cycle = gambol.walk_cycle(takes[2], after=1.0, in_place=True)
    gambol.write_gltf(cycle.film, OUT / "cycle.glb")
    print(f"three takes and a walk cycle in {OUT} after {perf_counter() - started:.1f} s")
    print(f"a stride takes {cycle.period:.2f} s, travels {1e2 * cycle.travel[0]:.0f} cm; gap {1e3 * cycle.gap:.1f} mm")

    ends = np.array([take.position[-1, 0, 0] for take in takes])
    assert len(np.unique(ends, axis=0)) == 3, "no two takes are the same"
    assert all(take.position[-1, 0, 0, 0] > 0.3 for take in takes), "it walks ahead in every take"
    assert cycle.gap < 0.01, "a stride begins nearly as it ends"


if __name__ == "__main__":
    main()
