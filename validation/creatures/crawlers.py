"""Measures of snake, worm and inchworm: `python -m validation.creatures.crawlers` prints the rows of the page.

Each crawls twelve seconds on level ground, up slopes of 5, 10, 15, 20 and 25 degrees, and on level ground with 16
random pushes of up to half its weight for a fifth of a second. It has survived a push if it goes on at four fifths of
its speed or more. Speeds are those of the mean of all segments, after four seconds.
"""

import math
import sys
from collections.abc import Iterator

import numpy as np

from gambol.creatures.entry import CreatureEntry
from gambol.creatures.table import CREATURES
from gambol.world import Film, Push, World, run, start

SECONDS, SETTLING = 12.0, 4.0
SLOPES = (5.0, 10.0, 15.0, 20.0, 25.0)
PUSHES, PUSH_START, PUSH_SECONDS, PUSH_SHARE = 16, 4.0, 0.2, 0.5
SURVIVED = 0.8
"""Share of the speed without a push at which a crawler has survived one."""


def crawl(world: World) -> tuple[Film, np.ndarray]:
    """Return the film of a crawl, and the mean velocity after settling (3,) [m/s]."""
    film = run(world, start(world), SECONDS, rate=20)
    segments = [k for k, name in enumerate(film.link_names) if name.startswith("segment")]
    at = film.position[:, 0, segments].mean(axis=1)
    first = int(np.searchsorted(film.time, SETTLING))
    return film, (at[-1] - at[first]) / (film.time[-1] - film.time[first])


def pushes(world: World, seed: int = 0) -> Iterator[Push]:
    """Yield random horizontal pushes."""
    rng, weight = np.random.default_rng(seed), 9.81 * world.figure.mass
    for angle, share in zip(rng.uniform(0.0, 2.0 * math.pi, PUSHES), rng.uniform(0.0, PUSH_SHARE, PUSHES), strict=True):
        force = (float(share * weight * math.cos(angle)), float(share * weight * math.sin(angle)), 0.0)
        yield Push(force, PUSH_START, PUSH_START + PUSH_SECONDS)


def row(entry: CreatureEntry, gait: str | None) -> str:
    """Return the row of a creature and a gait: speed, direction, cost of transport, energy, slopes, pushes."""
    world = entry.world(gait=gait)
    film, v = crawl(world)
    speed, work = float(np.linalg.norm(v)), float(film.signals["motors"][-1, 0])
    unaccounted = abs(float(film.signals["unaccounted"][-1, 0])) / work
    cost = work / (world.figure.mass * 9.81 * speed * SECONDS)
    wall = SECONDS / float(film.signals["wall"][-1, 0])
    cells = [f"{entry.name} {gait or ''}".strip(), f"{speed * 1e3:.1f}", f"{math.degrees(math.atan2(v[1], v[0])):.0f}"]
    cells += [f"{cost:.2f}", f"{unaccounted:.1e}", f"{wall:.0f}"]
    if gait == "swim":
        return " | ".join([*cells, "-", "-"])
    climbs = [f"{crawl(entry.world(gait=gait, slope=math.radians(s)))[1][0] * 1e3:.1f}" for s in SLOPES]
    ends = [np.linalg.norm(crawl(entry.world(gait=gait, push=push))[1]) for push in pushes(world)]
    kept = sum(1 for end in ends if end >= SURVIVED * speed)
    return " | ".join([*cells, ", ".join(climbs), f"{kept} of {PUSHES}"])


def main() -> None:
    """Write a row for each crawler and gait."""
    head = "crawler | speed mm/s | direction deg | cost of transport | unaccounted | times real time"
    sys.stdout.write(f"{head} | mm/s up {', '.join(f'{s:.0f}' for s in SLOPES)} degrees | pushes\n")
    for name in ("snake", "worm", "inchworm"):
        for gait in CREATURES[name].gaits or (None,):
            sys.stdout.write(row(CREATURES[name], gait) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
