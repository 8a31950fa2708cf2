"""Every creature by name: walks, pushes and slopes. `python -m validation.creatures [NAME ...]` writes the page.

Each walks for its default time; then 16 worlds at once are pushed, and 16 others stand on slopes. A push acts on the
root for 0.1 s, at a random moment of the third quarter of the walk and in a random direction, forward or backward for a
planar creature; its impulse is up to PUSH of weight times sqrt(height / g). A slope is made by turning gravity, up to
SLOPE uphill and downhill: controllers and their sensors refer to the surface, as in the creature's own axes.
"""

import json
import math
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gambol.creatures.entry import CreatureEntry
from gambol.creatures.measures import CreatureMeasures, measure_creature
from gambol.creatures.table import CREATURES
from gambol.formats import atomic_write
from gambol.spatial import Vector
from gambol.view.opengl import can_render
from gambol.world import Engine, World, run, start
from validation.creatures.picture import write_frame, write_sheet
from validation.creatures.published import published_section
from validation.summary import Entry, at_least, write_entries

FOLDER = Path(__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "validation" / "creatures.md"
FRAMES = Path(__file__).parents[2] / "out" / "validation" / "creatures"
PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "creatures.png"
WORLDS, PUSH, PUSH_TIME, SLOPE = 16, 0.25, 0.1, math.radians(8.0)
RATE = 200.0

HEAD = f"""# Creatures by name

Made by `python -m validation.creatures`. Each creature walks alone on level ground for its default time. Only gravity,
ground and medium act on it: the work of other external forces is 0. Then {WORLDS} copies are pushed once, for
{PUSH_TIME} s, with impulses up to {PUSH} m sqrt(g h) in random directions, and {WORLDS} copies walk on slopes of up to
{math.degrees(SLOPE):.0f} degrees downhill and uphill. For a slope, gravity is rotated instead of the ground, so angles
are measured relative to the surface. The columns count the copies that have not fallen at the end. The cost of
transport is the positive work of motors or muscles, divided by weight times distance. A passive creature starts in its
gait for one slope. It is not made for other slopes; they are listed only for completeness.

![A frame of each creature's walk](../pictures/creatures.png)

"""

COLUMNS = (
    "creature", "speed, m/s", "Froude", "stride, s", "stride, m", "duty factor", "cost of transport", "unaccounted, %",
    "fell", "pushes", "slopes",
)  # fmt: skip
TABLE = f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}\n"


def rate_of(world: World) -> float:
    """Return a rate of frames near RATE that the world's control steps allow."""
    step = world.timing.control_step
    return 1.0 / (max(1, round(1.0 / (RATE * step))) * step)


def walk(entry: CreatureEntry) -> CreatureMeasures:
    """Return the measures of a creature's walk of its default time, and write a frame of it."""
    world = entry.world()
    film = run(world, start(world), entry.seconds, rate=rate_of(world))
    if can_render():
        write_frame(film, FRAMES / f"{entry.name}.png")
    return measure_creature(film, world, entry)[0]


def fallen(entry: CreatureEntry, world: World, seconds: float, **changes: Any) -> list[bool]:
    """Return for 16 worlds whether they fell. changes: inputs of the worlds by name, one column for each world."""
    engine = Engine(world)
    numbers = engine.numbers(**changes)
    film = run(world, start(world, WORLDS), seconds, rate=rate_of(world), numbers=numbers)
    return [one.fell for one in measure_creature(film, world, entry)]


def pushes(entry: CreatureEntry, world: World, seed: int = 1) -> NDArray[np.float64]:
    """Return 16 random pushes (5, 16): force [N], start and end [s]."""
    rng = np.random.default_rng(seed)
    mass = sum(link.mass_properties.mass for link in world.figure.links)
    size = PUSH * mass * math.sqrt(9.81 * entry.height) / PUSH_TIME * rng.uniform(0.0, 1.0, WORLDS)
    planar = world.figure.links[0].joint.kind == "planar" or world.figure.links[0].v.stop < 6
    angle = rng.choice([0.0, math.pi], WORLDS) if planar else rng.uniform(0.0, 2.0 * math.pi, WORLDS)
    begin = entry.seconds * rng.uniform(0.5, 0.75, WORLDS)
    return np.array([size * np.cos(angle), size * np.sin(angle), np.zeros(WORLDS), begin, begin + PUSH_TIME])


def slopes() -> NDArray[np.float64]:
    """Return the slopes of 16 worlds, uphill positive [rad]."""
    return np.linspace(-SLOPE, SLOPE, WORLDS)


def measured(entry: CreatureEntry) -> dict[str, Any]:
    """Return all numbers of a creature, as JSON."""
    one, world = walk(entry), entry.world()
    pushed = fallen(entry, world, entry.seconds, push=list(pushes(entry, world)))
    angles = slopes()
    gravity = 9.81 * np.array([-np.sin(angles), np.zeros(WORLDS), -np.cos(angles)])
    tilted = replace(world, gravity=(gravity[0, 0], 0.0, gravity[2, 0]))
    sloped = fallen(entry, tilted, entry.seconds, gravity=Vector(*gravity))
    stood = [round(math.degrees(a), 1) for a, fell in zip(angles, sloped, strict=True) if not fell]
    return asdict(one) | {"pushes_survived": WORLDS - sum(pushed), "slopes_survived": stood}


def row(name: str, numbers: dict[str, Any]) -> str:
    """Return the row of a creature in the table."""

    def shown(key: str, decimals: int, factor: float = 1.0) -> str:
        value = numbers[key]
        return f"{factor * value:.{decimals}f}" if value is not None and math.isfinite(value) else "-"

    duty = sorted({f"{x:.2f}" for x in numbers["duty_factor"].values() if x is not None and math.isfinite(x)})
    stood = numbers["slopes_survived"]
    slope = f"{len(stood)} of {WORLDS}" + (f": {min(stood)} to {max(stood)}" if stood else "")
    return (
        f"| `{name}` | {shown('speed_m_per_s', 2)} | {shown('froude_number', 2)} | {shown('stride_s', 2)} | "
        f"{shown('stride_m', 2)} | {' to '.join([duty[0], duty[-1]] if len(duty) > 1 else duty)} | "
        f"{shown('cost_of_transport', 2)} | {shown('unaccounted_energy_fraction', 2, 100.0)} | "
        f"{'yes' if numbers['fell'] else 'no'} | {numbers['pushes_survived']} of {WORLDS} | {slope} |"
    )


def entries_of(name: str, numbers: dict[str, Any]) -> list[Entry]:
    """Return what a creature must meet: it does not fall by itself, and nothing from outside drives it."""
    outside = abs(numbers["outside_work_j"])
    return [
        at_least(f"{name}: walks {numbers['duration_s']:g} s without falling", "", float(not numbers["fell"]), 1.0),
        Entry(f"{name}: work from outside [J]", "", outside, 0.0, outside, 0.0, outside == 0.0),
    ]


def main(names: list[str]) -> int:
    """Measure creatures, all if no names are given, and write the page; return 1 if one falls by itself."""
    console = Console()
    for name in names or list(CREATURES):
        with console.status(name):
            numbers = measured(CREATURES[name])
        clean = {k: None if isinstance(x, float) and not math.isfinite(x) else x for k, x in numbers.items()}
        FOLDER.mkdir(exist_ok=True)
        with atomic_write(FOLDER / f"{name}.json") as path:
            path.write_text(json.dumps(clean, indent=1) + "\n")
        console.print(row(name, clean), soft_wrap=True)
    stored = {name: FOLDER / f"{name}.json" for name in CREATURES}
    rows = {name: json.loads(path.read_text()) for name, path in stored.items() if path.exists()}
    with atomic_write(PAGE) as path:
        table = TABLE + "\n".join(row(name, numbers) for name, numbers in rows.items()) + "\n"
        path.write_text(HEAD + table + published_section(rows))
    frames = [(name, path) for name in rows if (path := FRAMES / f"{name}.png").exists()]
    if len(frames) == len(rows):  # a run of some creatures only leaves the picture of all as it is
        write_sheet(frames, PICTURE)
    write_entries("creatures", [entry for name, numbers in rows.items() for entry in entries_of(name, numbers)])
    return int(any(numbers["fell"] for numbers in rows.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
