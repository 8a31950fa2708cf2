"""People on long walks, pushed, on slopes and on steps, as rows of Markdown: `python -m validation.people [NAME ...]`.

A person survives if its hips are still above 0.7 of their height at the start when the run ends.
"""

import math
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gambol.collide import HeightGrid
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.measures import measure_creature
from gambol.creatures.table import CREATURES
from gambol.world import Engine, State, World, run, start

NAMES = ("simbicon", "simbicon-3d", "runner")
WALK, AFTER_PUSH, ON_SLOPE = 60.0, 8.0, 15.0
"""Durations of the walk, of the run after a push, and of the runs on slopes and steps [s]."""

PUSH_START, PUSH_TIME = 4.0, 0.1
"""Begin and duration of a push [s]."""

COUNT = 16
"""Number of worlds side by side, each with a push or a stretch of ground of its own."""

MAX_PUSH = 400.0
"""Maximum random push [N]."""

LEVELS = np.arange(1, COUNT + 1) * 50.0
"""Pushes that are tried one by one [N]."""

MIN_STANDING_HEIGHT = 0.7
"""Share of the height of the hips below which a person has fallen."""


def hip_heights(world: World, state: State) -> NDArray[np.float64]:
    """Return the heights of the hips above the ground, of all worlds of a state [m]."""
    planar = world.figure.root.joint.kind == "planar"
    base = world.figure.root.joint.position[2] if planar else 0.0
    x, y, z = (state.q[:, k] for k in ((1, 1, 2) if planar else (4, 5, 6)))
    ground = world.ground
    surface = ground.surface(ground.numbers(), ground.table(), x, 0.0 * x if planar else y)
    return z + base - np.asarray(surface.height)


def survivors(
    world: World, state: State, seconds: float, numbers: NDArray[np.float64] | None = None
) -> NDArray[np.bool_]:
    """Advance a state, and return which worlds survive. numbers: inputs of the worlds, None: those of the world."""
    engine = Engine(world)
    tall = MIN_STANDING_HEIGHT * hip_heights(world, state)
    inputs = engine.numbers() if numbers is None else numbers
    alive = np.ones(len(tall), bool)
    for k in range(1, math.ceil(seconds / 0.25) + 1):
        engine.advance(state, round(0.25 * k / world.timing.control_step), inputs)
        alive &= (hip_heights(world, state) > tall) & (state.step_state.clock.status == 0.0)
    return alive


def pushed(world: World, forces: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which worlds survive pushes. forces: (3, W), one push for each world [N]."""
    numbers = Engine(world).numbers(push=[*forces, PUSH_START, PUSH_START + PUSH_TIME])
    return survivors(world, start(world, forces.shape[1]), PUSH_START + AFTER_PUSH, numbers)


def random_pushes(world: World, seed: int = 0) -> NDArray[np.bool_]:
    """Return which of 16 random horizontal pushes of up to MAX_PUSH N are survived; in the plane, along x."""
    rng = np.random.default_rng(seed)
    size, angle = rng.uniform(0.0, MAX_PUSH, COUNT), rng.uniform(0.0, 2.0 * math.pi, COUNT)
    if world.figure.root.joint.kind == "planar":
        return pushed(world, np.array([size * np.sign(np.cos(angle)), 0.0 * size, 0.0 * size]))
    return pushed(world, np.array([size * np.cos(angle), size * np.sin(angle), 0.0 * size]))


def largest_push(world: World, direction: tuple[float, float]) -> float:
    """Return the largest of LEVELS up to which all pushes in a direction are survived [N]; 0 if none is."""
    forces: NDArray[np.float64] = np.outer([*direction, 0.0], LEVELS)
    alive = pushed(world, forces)
    return float(LEVELS[alive.argmin() - 1]) if not alive.all() and alive[0] else float(alive.all() * LEVELS[-1])


def largest_slope(entry: CreatureEntry, sign: float) -> float:
    """Return the steepest slope up to which all, in steps of a degree, are survived [degrees]."""
    for degrees in range(1, 13):
        world = entry.world(slope=sign * math.radians(degrees))
        if not survivors(world, start(world), ON_SLOPE).all():
            return degrees - 1.0
    return 12.0


def steps_survived(entry: CreatureEntry, height: float, seed: int = 0) -> int:
    """Return how many of 16 worlds walk over random steps, up and down, of up to a height [m]."""
    length, spacing = 120.0, 0.05
    rng = np.random.default_rng(seed)
    ledges = rng.uniform(-0.5 * height, 0.5 * height, round(length / 0.5))
    profile = np.repeat(ledges, round(0.5 / spacing))
    world = entry.world(ground=HeightGrid(np.repeat(profile[:, None], 200, axis=1), spacing, -5.0, -5.0))
    state = start(world, COUNT)
    planar = world.figure.root.joint.kind == "planar"
    x, z = (1, 2) if planar else (4, 6)
    state.q[:, x] += 1.7 * np.arange(COUNT)
    state.q[:, z] += height
    return int(survivors(world, state, ON_SLOPE).sum())


def rows(name: str) -> Iterator[str]:
    """Yield lines about a person, as they are computed."""
    entry = CREATURES[name]
    world = entry.world()
    measures = measure_creature(run(world, start(world), WALK, rate=200.0), world, entry)[0]
    duty = np.mean(list(measures.duty_factor.values()))
    yield (
        f"| {name} | {'fell' if measures.fell else 'no fall'} in {WALK:g} s | {measures.speed_m_per_s:.2f} | "
        f"{0.5 * measures.stride_m:.2f} | {measures.stride_s:.2f} | {duty:.2f} | {measures.flight:.2f} | "
        f"{measures.cost_of_transport:.3f} | {100.0 * measures.unaccounted_energy_fraction:.2f} % | "
        f"{measures.outside_work_j:g} |"
    )
    sides = (
        ((1.0, 0.0), (-1.0, 0.0)) if world.figure.root.joint.kind == "planar" else ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0))
    )
    levels = " / ".join(f"{largest_push(world, side):g}" for side in sides)
    slopes = f"{largest_slope(entry, -1.0):g} / {largest_slope(entry, 1.0):g}"
    steps = " / ".join(str(steps_survived(entry, height)) for height in (0.02, 0.04))
    yield f"| {name} | {random_pushes(world).sum()} of {COUNT} | {levels} | {slopes} | {steps} |"


def main(names: list[str]) -> None:
    """Print the rows of people; all if no names are given."""
    console = Console(width=200)
    for name in names or NAMES:
        for line in rows(name):
            console.print(line, markup=False, highlight=False)


if __name__ == "__main__":
    main(sys.argv[1:])
