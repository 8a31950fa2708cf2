"""Memory of strides: `python -m validation.stride_memory [NAME ...]` prints a table of all animals of the zoo.

Each walks for 320 strides with a variation of stride times of 0.04, that of people. The exponent of the detrended
fluctuations of its stride times is 0.83 in people, and 0.5 for times without memory, such as the same in random order.
[Hausdorff and others 1996; Goldberger and others 2000]
"""

import sys

import numpy as np

import gambol
from gambol.creatures.animals import ANIMALS, TROTTERS
from gambol.creatures.natural import steady_gait
from gambol.evolve.zoo import zoo_creature
from gambol.gait.animals import fluctuation_exponent
from gambol.world import run, start

STRIDES, SETTLING = 320, 0.25
"""Number of measured strides, and the fraction of a film that is not measured."""

RATE = 120.0
"""Frames per second: one for each control step."""

VARIATION, SEED = 0.04, 1
SHUFFLES = 20


def row(name: str) -> str:
    """Return the row of an animal: number of strides, variation, exponent, and that of its strides in random order."""
    world = gambol.make_world(name, variation=VARIATION, seed=SEED)
    seconds = STRIDES / zoo_creature(name).genotype.control.values[0] / (1.0 - SETTLING)
    gait = steady_gait(run(world, start(world), seconds, rate=RATE))
    times = np.diff(gait.time[gait.edges])
    rng = np.random.default_rng(SEED)
    shuffled = np.mean([fluctuation_exponent(rng.permutation(times)) for _ in range(SHUFFLES)])
    cells = (
        f"{len(times)} | {times.std(ddof=1) / times.mean():.3f} | {fluctuation_exponent(times):.2f} | {shuffled:.2f}"
    )
    return f"| {name} | {cells} |"


def main(names: list[str]) -> int:
    """Print the table."""
    lines = [
        "| animal | strides | variation | exponent | exponent in random order |",
        "| --- | --- | --- | --- | --- |",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    for name in names or [*ANIMALS, *TROTTERS]:
        sys.stdout.write(row(name) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
