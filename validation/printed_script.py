"""The printed script of the roach in all its readings: `python -m validation.printed_script` writes the page.

Every reading walks on feet that slide and on feet that stick, with bristles at the feet alone and with bristles at all
points, from three starts that differ by 5 mrad in every joint.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gambol.contact.surface import Grip
from gambol.creatures import Creature, Feet, roach, standing_state, world_of
from gambol.formats import atomic_write
from gambol.view import write_picture
from gambol.world import Engine, Film, State, World, run

ROOT = Path(__file__).parents[1]
PAGE, PICTURES = ROOT / "docs" / "validation" / "printed-script.md", ROOT / "docs" / "pictures"
BEGINS, SECONDS, STRIDE, RATE = 0.1, 1.1, 0.1, 240.0  # [s], [s], [s], [1/s]
SETTLED = 0.5  # time at which the start is over [s]
STARTS, JITTER = 3, 0.005  # [rad]

PRINTED_SPEED: dict[Feet, float] = {"sliding": 5.5, "sticky": 8.0}
"""Speeds of the thesis in the tripod gait [cm/s]: "approximately". [McKenna 1990, section 5.3]"""

FEMORA = {"left and right at 0.05": (), "as printed": ("right-femur-printed",), "both at 0.5": ("middle-femora-low",)}
OTHERS = {"": (), "bare axes": ("bare-axes",), "time as printed": ("time-as-printed",)}
CASES: tuple[tuple[Grip, Feet], ...] = (("feet", "sliding"), ("all", "sliding"), ("feet", "sticky"), ("all", "sticky"))
GRIPS: dict[Grip, str] = {"feet": "bristles at the feet alone", "all": "bristles at all points"}
ROBUST, ROBUST_TITLE = ("middle-femora-low",), "both at 0.5"
SPEED_TOLERANCE = 0.1  # of the printed speed: how near the robust reading comes
MARK, END_MARK = "<!-- tables by validation.printed_script -->", "<!-- end of tables -->"

FILMS: dict[str, tuple[Creature, Feet, Grip]] = {
    "printed-as-it-stands": (roach("thesis", ("right-femur-printed",)), "sliding", "feet"),
    "printed-low-femora-sliding": (roach("thesis", ROBUST), "sliding", "all"),
    "printed-low-femora-sticky": (roach("thesis", ROBUST), "sticky", "all"),
    "tuned-beside-printed": (roach("tuned"), "sliding", "feet"),
}
"""Films whose pictures are on the page, by file name: creature, feet and grip."""

PICTURED = 0.8  # [s]


@dataclass(frozen=True)
class Course:
    """The course of one walk.

    net: distance from the first step to the end over the time; forward: mean over strides of the way along the trunk's
    heading, after the start [cm/s]. start_turn: turn in the first SETTLED - BEGINS seconds [deg]; turn_rate: after it
    [deg/s]. finite: False if the world stopped early.
    """

    net: float
    forward: float
    start_turn: float
    turn_rate: float
    finite: bool


def stacked(creatures: Sequence[Creature], feet: Feet, grip: Grip) -> tuple[World, State, NDArray[np.float64]]:
    """Return a world, and the states and inputs of one lane for each creature and start."""
    worlds = [world_of(c, feet=feet, grip=grip, begins=BEGINS) for c in creatures for _ in range(STARTS)]
    rows = [
        standing_state(c, worlds[STARTS * k + seed], jitter=JITTER * (seed > 0), seed=seed).rows
        for k, c in enumerate(creatures)
        for seed in range(STARTS)
    ]
    return worlds[0], State(worlds[0], np.hstack(rows)), Engine(worlds[0]).numbers_of(worlds)


def headings(film: Film) -> NDArray[np.float64]:
    """Return the heading of the abdomen (frames, worlds), unwrapped [rad]."""
    w, x, y, z = np.moveaxis(film.quaternion[:, :, 0], -1, 0)
    return np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)), axis=0)


def course(film: Film, world: int) -> Course:
    """Return the course of a world of a film."""
    place, heading = film.position[:, world, 0, :2], headings(film)[:, world]

    def at(time: float) -> int:
        return int(np.argmin(np.abs(film.time - time)))

    def forward(begin: float) -> float:
        a, b = at(begin), at(begin + STRIDE)
        middle = float(heading[a : b + 1].mean())
        way = place[b] - place[a]
        return float(100.0 * (way[0] * np.cos(middle) + way[1] * np.sin(middle)) / (film.time[b] - film.time[a]))

    first, settled, last = at(BEGINS), at(SETTLED), len(film.time) - 1
    strides = np.arange(SETTLED, film.time[-1] - STRIDE + 1e-6, STRIDE)
    return Course(
        float(100.0 * np.hypot(*(place[last] - place[first])) / (film.time[last] - film.time[first])),
        float(np.mean([forward(float(x)) for x in strides])),
        float(np.degrees(heading[settled] - heading[first])),
        float(np.degrees(heading[last] - heading[settled]) / (film.time[last] - film.time[settled])),
        bool(np.isfinite(film.position[-1, world]).all()),
    )


def without_lowering(creature: Creature, reading: Sequence[str]) -> Creature:
    """Return a creature with the command that "time-as-printed" omits, but without effect: programs are compiled in.

    The command's target is where the leg is already.
    """
    if "time-as-printed" not in reading:
        return creature
    plain = roach("thesis").leg("back right")
    kept = tuple(replace(c, target=-1.0) if c.begins > 0.0 and c.joint == "leg_br1" else c for c in plain.step)
    legs = tuple(replace(leg, step=kept) if leg.name == plain.name else leg for leg in creature.legs)
    return replace(creature, legs=legs)


def readings() -> dict[str, tuple[str, ...]]:
    """Return all combinations of readings, by title."""
    pairs = product(FEMORA.items(), OTHERS.items())
    return {", ".join(filter(None, (f, o))): (*first, *second) for (f, first), (o, second) in pairs}


def measure_case(grip: Grip, feet: Feet) -> dict[str, list[Course]]:
    """Return the courses of every reading, one for each start."""
    every = readings()
    creatures = [without_lowering(roach("thesis", names), names) for names in every.values()]
    world, state, numbers = stacked(creatures, feet, grip)
    film = run(world, state, SECONDS, rate=RATE, numbers=numbers)
    return {title: [course(film, STARTS * k + s) for s in range(STARTS)] for k, title in enumerate(every)}


def span(values: Sequence[float], digits: int = 1) -> str:
    """Return the range of some values."""
    low, high = (f"{x:.{digits}f}" for x in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def table(courses: dict[str, list[Course]]) -> str:
    """Return a table of courses in Markdown."""
    columns = {"net": ("net [cm/s]", 1), "forward": ("forward [cm/s]", 1)}
    columns |= {"start_turn": ("first 0.4 s [deg]", 0), "turn_rate": ("later [deg/s]", 0)}
    lines = ["| middle femora | " + " | ".join(title for title, _ in columns.values()) + " |"]
    lines.append("| --- |" + " ---: |" * len(columns))
    for title, some in courses.items():
        cells = [span([getattr(one, key) for one in some], digits) for key, (_, digits) in columns.items()]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def with_tables(page: str, tables: str) -> str:
    """Return the page with new tables between its two marks."""
    head, rest = page.split(MARK, 1)
    return head + MARK + "\n\n" + tables + "\n\n" + END_MARK + rest.split(END_MARK, 1)[1]


def write_pictures() -> None:
    """Write a filmstrip and stepping pattern for each row of FILMS."""
    for name, (creature, feet, grip) in FILMS.items():
        world = world_of(creature, feet=feet, grip=grip, begins=BEGINS)
        film = run(world, standing_state(creature, world), PICTURED)
        write_picture(replace(film, name=name.replace("-", " ")), PICTURES / f"{name}.png", whole=True)


def main() -> int:
    """Write tables and pictures of the page; return 1 if the robust reading leaves its bounds."""
    console, parts, missed = Console(), list[str](), 0
    for grip, feet in CASES:
        with console.status(f"{feet} feet, grip {grip}"):
            courses = measure_case(grip, feet)
        parts.append(f"**{feet.capitalize()} feet, {GRIPS[grip]}**\n\n{table(courses)}")
        console.print(parts[-1], markup=False, soft_wrap=True)
        if grip == "all":
            missed += abs(courses[ROBUST_TITLE][0].net / PRINTED_SPEED[feet] - 1.0) > SPEED_TOLERANCE
    with atomic_write(PAGE) as path:
        path.write_text(with_tables(PAGE.read_text(encoding="utf-8"), "\n\n".join(parts)), encoding="utf-8")
    write_pictures()
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
