"""The dog in each of its gaits: `python -m validation.creatures.dog` prints the rows of docs/theory/dog.md.

Measures are those of creatures. Then 16 are pushed at the trunk for 0.1 s, at a random moment of the sixth second and
in a random direction, with impulses of 5 to 40 N s; and 6 walk on slopes that they feel, see dog_world().
"""

import math

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gambol.creatures.dog import DOG, dog_world
from gambol.creatures.measures import CreatureMeasures, measure_creature
from gambol.gait import GAITS
from gambol.world import Engine, Film, Push, World, run, start

PUSHES, PUSH_TIME, RATE = 16, 0.1, 200.0
SLOPES = (-15.0, -10.0, -5.0, 5.0, 10.0, 15.0)
SEED = 0


def film_of(worlds: list[World]) -> Film:
    """Return the film of worlds of one structure, each from its own start."""
    state = start(worlds[0], len(worlds))
    for k, world in enumerate(worlds):
        state.rows[:, k] = start(world).rows[:, 0]
    numbers: NDArray[np.float64] = np.hstack([Engine(world).numbers() for world in worlds])
    return run(worlds[0], state, DOG.seconds, rate=RATE, numbers=numbers)


def measures(worlds: list[World]) -> tuple[CreatureMeasures, ...]:
    """Return the measures of each world."""
    return measure_creature(film_of(worlds), worlds[0], DOG)


def pushes() -> list[Push]:
    """Return the random pushes."""
    random = np.random.default_rng(SEED)
    result: list[Push] = []
    for _ in range(PUSHES):
        angle, impulse, begin = random.uniform(0.0, 2.0 * math.pi), random.uniform(5.0, 40.0), random.uniform(5.0, 6.0)
        force = impulse / PUSH_TIME
        result.append(Push((force * math.cos(angle), force * math.sin(angle), 0.0), begin, begin + PUSH_TIME))
    return result


def rows() -> list[str]:
    """Return a row of the table for each gait."""
    lines: list[str] = []
    for gait, m in zip(GAITS, measures([dog_world(gait=gait) for gait in GAITS]), strict=True):
        stood = sum(not each.fell for each in measures([dog_world(gait=gait, push=push) for push in pushes()]))
        climbed = measures([dog_world(gait=gait, slope=math.radians(slope)) for slope in SLOPES])
        held = ", ".join(f"{slope:+.0f}" for slope, each in zip(SLOPES, climbed, strict=True) if not each.fell)
        numbers = (
            f"{m.speed_m_per_s:.2f}",
            f"{m.froude_number:.2f}",
            f"{m.stride_s:.3f}",
            f"{m.stride_m:.2f}",
            f"{np.mean(list(m.duty_factor.values())):.2f}",
            f"{m.flight:.2f}",
            f"{m.cost_of_transport:.2f}",
            f"{100.0 * m.unaccounted_energy_fraction:.2g}",
            f"at {m.fell_at_s:.1f} s" if m.fell else "no",
        )
        lines.append(f"| {gait} | {' | '.join(numbers)} | {stood} | {held} |")
    return lines


if __name__ == "__main__":
    Console(width=200, markup=False).print("\n".join(rows()))
