"""Ground forces of the roach beside those of cockroaches: `python -m validation.roach_forces` draws and prints them.

It draws docs/validation/roach-forces.svg, and prints the table of docs/validation/roach.md.
"""

from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.gait_metrics import Walk, measure, strides
from gambol.creatures.ground_forces import PAIR_NAMES, GroundForces, leg_forces, measure_ground_forces
from gambol.formats import atomic_write
from gambol.gait import Leg
from gambol.world import Film, World, run

Array = NDArray[np.float64]
PICTURE = Path(__file__).parents[1] / "docs" / "validation" / "roach-forces.svg"
SECONDS = 1.1
SAMPLES = 120
"""Samples of a stride: the frames of one."""

SETS = {"tuned": "0.6", "cockroach": "tab:blue"}
"""The sets of parameters, with the colours of their lines."""

LIMITS = {"fore-aft": (-0.3, 0.3), "medial": (-0.45, 0.55), "vertical": (-0.02, 0.85)}
"""Forces over the weight, by direction, with the limits of their panels."""

SIGNS = {
    ("fore-aft", "front"): ((0.0, 1.0, -1.0),),
    ("fore-aft", "middle"): ((0.0, 0.5, -1.0), (0.5, 1.0, 1.0)),
    ("fore-aft", "back"): ((0.0, 1.0, 1.0),),
    **{("medial", pair): ((0.0, 1.0, 1.0),) for pair in PAIR_NAMES},
}
"""Signs in cockroaches: from, to as parts of the stance, sign.

[Full, Blickhan and Ting 1991; Chen et al. 2006, figure 1B]
"""


def walk(parameters: str) -> tuple[Film, World]:
    """Return the film of a tripod walk on sliding feet, with contacts, and its world."""
    creature = roach(parameters)
    world = world_of(creature)
    return run(world, standing_state(creature, world), SECONDS, contacts=True), world


def profile(film: Film, world: World, rank: int) -> Array:
    """Return the mean forces on the legs of a pair in a stride (3, SAMPLES): forward, medial and up, over the weight.

    Both legs begin at the middle of their flight, half a stride from the middle of their vertical impulse.
    """
    gait = world.gait
    assert gait is not None
    edges = strides(film, world, settled=0.2).edges
    weight = 9.81 * world.figure.mass
    forces = leg_forces(film, gait.legs) / weight
    return np.mean([_centred(forces[k], leg, edges) for k, leg in enumerate(gait.legs) if leg.rank == rank], axis=0)


def _centred(force: Array, leg: Leg, edges: NDArray[np.intp]) -> Array:
    """Return the mean of one leg's forces (F, 3) over strides, as profile() does."""
    own = force * np.array([1.0, -1.0 if leg.side == "left" else 1.0, 1.0])
    grid = np.arange(SAMPLES) / SAMPLES
    spans = [(int(a), int(b)) for a, b in pairwise(edges)]
    by_stride = [
        [np.interp(a + grid * (b - a), np.arange(len(own)), own[:, axis]) for axis in range(3)] for a, b in spans
    ]
    mean = np.mean(by_stride, axis=0)
    middle = np.angle(np.sum(np.maximum(mean[2], 0.0) * np.exp(2j * np.pi * grid))) / (2.0 * np.pi)
    return np.roll(mean, SAMPLES // 2 - round(middle * SAMPLES), axis=1)


def draw(walks: dict[str, tuple[Film, World]], path: Path) -> None:
    """Draw the forces of each pair of legs, and shade the signs that they have in cockroaches."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gambol"
    figure, panels = plt.subplots(3, 3, figsize=(9.0, 6.5), sharex=True, sharey="row", layout="constrained")
    phase = np.arange(SAMPLES) / SAMPLES
    stance = (0.2, 0.8)
    for column, pair in enumerate(PAIR_NAMES):
        profiles = {name: profile(film, world, column) for name, (film, world) in walks.items()}
        for row, axis in enumerate(LIMITS):
            panel = panels[row, column]
            for name, forces in profiles.items():
                panel.plot(phase, forces[row], color=SETS[name], label=name)
            panel.axhline(0.0, color="black", linewidth=0.5)
            low, high = LIMITS[axis]
            for start, end, sign in SIGNS.get((axis, pair), ()):
                a, b = (stance[0] + x * (stance[1] - stance[0]) for x in (start, end))
                panel.fill_between([a, b], 0.0, high if sign > 0.0 else low, color="tab:green", alpha=0.12, linewidth=0)
            panel.set_ylim(low, high)
            if row == 0:
                panel.set_title(f"{pair} legs")
            if column == 0:
                panel.set_ylabel(f"{axis} / weight")
    panels[0, 0].legend(loc="upper left", frameon=False)
    figure.supxlabel("stride, from the middle of the leg's flight")
    with atomic_write(path) as temporary:
        figure.savefig(temporary, format="svg", metadata={"Date": None})
    plt.close(figure)


def rows(forces: GroundForces, steps: Walk) -> list[str]:
    """Return the column of a set in the table."""
    pairs = forces.pairs.values()
    return [
        f"{steps.speed_cm_per_s:.1f} cm/s",
        f"{forces.lateral_over_vertical:.2f}; {forces.lateral_over_vertical_rms:.2f}",
        ", ".join(f"{pair.fore_aft:+.3f}" for pair in pairs),
        f"{forces.pairs['middle'].early_fore_aft:+.3f}, then {forces.pairs['middle'].late_fore_aft:+.3f}",
        ", ".join(f"{pair.medial:+.3f}" for pair in pairs),
        ", ".join(f"{pair.most_vertical:.2f}" for pair in pairs),
        f"{forces.external_work_j_per_kg_m:.2f} J",
        f"{forces.motor_cost:.2f}",
        f"{100.0 * forces.damping_fraction:.0f} %, {100.0 * forces.sliding_fraction:.0f} %",
        f"{100.0 * forces.elastic_fraction:.0f} %",
        f"{steps.sway_mm:.2f} mm, {steps.sway_per_stride:.0f}",
        f"{steps.heading_drift_deg_per_s:.1f} degrees/s",
        f"{100.0 * steps.unaccounted_energy_fraction:.2f} %",
    ]


TITLES = (
    "speed",
    "lateral over vertical fluctuation, peak to peak; standard deviations",
    "mean fore-aft force in the stance: front, middle, hind legs [weight]",
    "the same of the middle legs, first and second half of the stance",
    "mean medial force in the stance, positive toward the midline [weight]",
    "largest vertical force [weight]",
    "work on the centre of mass per kg and m",
    "work of the motors over weight times distance",
    "of it taken by dampers, by sliding",
    "taken up and given back by springs, over the work of the motors",
    "sway, and its number in a stride",
    "drift of the heading",
    "unaccounted energy over the work of the motors",
)


def main() -> None:
    """Draw the picture and print the table."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    walks = {name: walk(name) for name in track(SETS, "walking", console=Console(stderr=True))}
    columns = {
        name: rows(measure_ground_forces(film, world)[0], measure(film, world)[0])
        for name, (film, world) in walks.items()
    }
    for number, title in enumerate(TITLES):
        console.print(f"| {title} | " + " | ".join(column[number] for column in columns.values()) + " |")
    draw(walks, PICTURE)
    console.print(f"wrote {PICTURE.name}")


if __name__ == "__main__":
    main()
