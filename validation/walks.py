"""The roach under every contact method: `python -m validation.walks` writes the documentation page."""

import math
import time
from pathlib import Path

from rich.console import Console

from gambol.cli.report import ROWS
from gambol.contact import CONTACT_METHODS
from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.gait_metrics import Walk, measure
from gambol.formats import atomic_write
from gambol.world import run

PAGE = Path(__file__).parents[1] / "docs" / "validation" / "walks.md"
SECONDS = 1.1  # ten strides after settling
SPEED_TOLERANCE = 0.15  # largest relative difference between the speeds of stepping and penalty
HEAD = f"""# One walk, every contact method

Made by `python -m validation.walks`. The tuned roach walks {SECONDS} s in the tripod gait on level ground, in float64,
one world at a time, for each [contact method](../theory/contact.md). Wall times are of the machine that made this page.
"""


def walk(contact: str) -> tuple[Walk, float, float]:
    """Return the measures of a walk, its mean step [s], and the computing time [s]."""
    creature = roach()
    world = world_of(creature, contact=contact)
    state = standing_state(creature, world)
    begun = time.perf_counter()
    film = run(world, state, SECONDS)
    wall = time.perf_counter() - begun
    return measure(film, world)[0], SECONDS / float(film.signals["taken"][-1, 0]), wall


def page(walks: dict[str, tuple[Walk, float, float]]) -> str:
    """Return the page in Markdown."""
    lines = [HEAD, "| | " + " | ".join(walks) + " |", "| --- |" + " ---: |" * len(walks)]
    lines.append("| mean step | " + " | ".join(f"{step * 1e3:.3f} ms" for _, step, _ in walks.values()) + " |")
    for title, key, unit, scale, decimals in ROWS:
        values = [getattr(one, key) * scale for one, _, _ in walks.values()]
        shown = [f"{x:.{decimals}f} {unit}".strip() if math.isfinite(x) else "-" for x in values]
        lines.append(f"| {title or 'the same'} | " + " | ".join(shown) + " |")
    for leg in next(iter(walks.values()))[0].phase:
        cells = (f"{one.duty_factor[leg]:.3f}, {one.phase[leg]:.3f}" for one, _, _ in walks.values())
        lines.append(f"| {leg}: duty, phase | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page; return 1 if a speed differs too much from penalty's."""
    console, walks = Console(), dict[str, tuple[Walk, float, float]]()
    for contact in CONTACT_METHODS:
        with console.status(contact):
            walks[contact] = walk(contact)
        one, step, wall = walks[contact]
        console.print(f"{contact}: {one.speed_cm_per_s:.2f} cm/s, steps of {step * 1e3:.3f} ms, {wall:.1f} s")
    with atomic_write(PAGE) as path:
        path.write_text(page(walks))
    speed = walks["penalty"][0].speed_cm_per_s
    return int(any(abs(one.speed_cm_per_s / speed - 1.0) > SPEED_TOLERANCE for one, _, _ in walks.values()))


if __name__ == "__main__":
    raise SystemExit(main())
