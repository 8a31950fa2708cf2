"""Figures 12 to 14 of the thesis, made anew from our own roach: `python -m validation.stepping_figures`.

Figures 12 and 13: the stepping pattern, the oscillators, and two views of the legs that move under their motor programs
without gravity and ground, in the wave gait and in the tripod gait. Figure 14: the tripod gait of the roach beside that
of real cockroaches, by published phases. [McKenna 1990, section 5.2; Delcomyn 1971]
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from gambol.collide import NoGround
from gambol.creatures import roach
from gambol.creatures.make_world import make_world
from gambol.formats import atomic_write
from gambol.gait import Leg
from gambol.gait.oscillator import PEAK, gait_times, phase
from gambol.view.camera import FollowCamera
from gambol.view.pattern import BAR_HEIGHT, draw_pattern
from gambol.view.scene import look
from gambol.view.stage import Stage
from gambol.world import Film, run, start

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
GAITS = {"wave": (3.0, "Figure 12: the wave gait"), "tripod": (1.0, "Figure 13: the tripod gait")}
CYCLES = 3.0  # drawn
ABOVE_FLOOR = 0.03  # of the trunk, over the drawn floor [m]: nothing touches it
VIEWS = {"from the side": (-90.0, 4.0), "from above": (-90.0, 86.0)}  # azimuth, elevation [deg]
VIEW_WIDTH, VIEW_HEIGHT = 900, 460  # [pixels]

RANKS = 3
COCKROACH_DUTY = 0.5
"""Drawn share of stance in a cycle of a cockroach. Delcomyn's abstract says that it falls with speed, and gives no
number; a share of 0.5 is that of the alternating tripod in which one tripod lands as the other one lifts."""

PHASES_OF_PERIPLANETA = {
    "front left": 0.0,
    "middle left": 0.5,
    "back left": 0.0,
    "front right": 0.5,
    "middle right": 0.0,
    "back right": 0.5,
}
"""Phases of steps: "Phase relationships between adjacent ipsilateral legs were constant at about 0.5 at all walking
speeds above about 5 cm/s. Phase between legs in a single segment (i.e. contralateral pairs) was constant at about 0.5
at all speeds." [Delcomyn 1971, J. Exp. Biol. 54: 443-452, abstract]"""


def free_film(speed: float) -> Film:
    """Return a film of the roach that moves its legs in empty space, without gravity and ground."""
    creature = roach()
    cycle = gait_times(creature.gait.protraction, speed).cycle
    world = make_world(creature, speed=speed, gravity=0.0, ground=NoGround(), reflexes=False, begins=0.0)
    state = start(world, position=(0.0, 0.0, ABOVE_FLOOR), angles=dict(creature.angles))
    return run(world, state, CYCLES * cycle + 0.25 * cycle, rate=1200.0)


def draw_oscillators(axes: Any, legs: Sequence[Leg], speed: float, seconds: float) -> None:
    """Draw a sine for each leg's oscillator, with a dot at each peak, where it triggers the leg to step."""
    times = gait_times(roach().gait.protraction, speed)
    t: NDArray[np.float64] = np.linspace(0.0, seconds, 800)
    for row, leg in enumerate(legs):
        cycles = np.array([phase(x / times.cycle, times, leg, RANKS) for x in t])
        axes.plot(t, row - 0.4 * np.sin(2.0 * np.pi * cycles), color=look.INK, linewidth=0.9)
        first = phase(0.0, times, leg, RANKS)
        peaks = [(k + PEAK - first) * times.cycle for k in range(int(np.floor(first)) - 1, int(CYCLES) + 2)]
        inside = [x for x in peaks if 0.0 <= x <= seconds]
        axes.plot(inside, [row - 0.4] * len(inside), "o", color=look.INK, markerfacecolor=look.STEP_BAR, markersize=5)
    axes.set(ylim=(len(legs) - 0.4, -0.6), xlim=(0.0, seconds), xlabel="time [s]")
    axes.set_yticks(range(len(legs)), [leg.name for leg in legs])
    for spine in axes.spines.values():
        spine.set_visible(False)


def write_gait_sheet(name: str, path: Path) -> Film:
    """Write figure 12 or 13: pattern and oscillators above two views; return its film."""
    speed, title = GAITS[name]
    film, legs = free_film(speed), sorted(roach().legs, key=lambda leg: (leg.side, leg.rank))
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(12.0, 6.6), facecolor="white", layout="constrained"
    )
    figure.suptitle(f"{title}, made anew", x=0.01, ha="left", fontsize=13, fontweight="bold", color=look.INK)
    panels = figure.subplots(2, 2, gridspec_kw={"height_ratios": [1.0, 1.25]})
    draw_pattern(panels[0, 0], film)
    panels[0, 0].set_title("stance black, step white", loc="left", fontsize=10, color=look.INK)
    draw_oscillators(panels[0, 1], legs, speed, film.duration)
    panels[0, 1].set_title("oscillators, with a dot where they trigger a step", loc="left", fontsize=10, color=look.INK)
    frame = int(np.argmin(np.abs(film.time - (film.duration * 0.62))))
    for panel, (view, direction) in zip(panels[1], VIEWS.items(), strict=True):
        with Stage(film, VIEW_WIDTH, VIEW_HEIGHT, 0, FollowCamera(*direction)) as stage:
            stage.pose(frame)
            stage.aim(frame)
            panel.imshow(stage.screenshot())
        panel.set_axis_off()
        panel.set_title(f"{view}, no gravity, t = {film.time[frame]:.3f} s", loc="left", fontsize=10, color=look.INK)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=110, format="png")
    return film


def draw_phases(axes: Any, phases: dict[str, float], duty: float, cycles: float) -> None:
    """Draw the stepping pattern of a gait: a step begins at each leg's phase and lasts 1 - duty of a cycle."""
    for row, (_, offset) in enumerate(phases.items()):
        axes.broken_barh([(0.0, cycles)], (row - BAR_HEIGHT / 2, BAR_HEIGHT), facecolor=look.STANCE_BAR)
        starts = [offset + k for k in range(-1, int(cycles) + 1)]
        spans = [(max(x, 0.0), min(x + 1.0 - duty, cycles)) for x in starts]
        bars = [(a, b - a) for a, b in spans if b > a]
        axes.broken_barh(
            bars, (row - BAR_HEIGHT / 2, BAR_HEIGHT), facecolor=look.STEP_BAR, edgecolor=look.INK, linewidth=0.6
        )
    axes.set(ylim=(len(phases) - 0.4, -0.6), xlim=(0.0, cycles), xlabel="cycles")
    axes.set_yticks(range(len(phases)), list(phases))
    for spine in axes.spines.values():
        spine.set_visible(False)


def step_phases(film: Film, cycle: float) -> dict[str, float]:
    """Return the phase of each leg's first step after a cycle, relative to the front left leg [cycles]."""
    stepping = film.signals["stepping"][:, 0]
    begins: dict[str, float] = {}
    for k, name in enumerate(film.limb_names):
        rises = np.flatnonzero((stepping[1:, k] > 0.5) & (stepping[:-1, k] <= 0.5)) + 1
        begins[name] = float(film.time[rises[film.time[rises] > cycle][0]])
    return {name: ((begins[name] - begins["front left"]) / cycle) % 1.0 for name in PHASES_OF_PERIPLANETA}


def write_comparison(film: Film, path: Path) -> dict[str, float]:
    """Write figure 14: our tripod gait above that of cockroaches; return our phases."""
    ours = step_phases(film, gait_times(roach().gait.protraction, 1.0).cycle)
    figure: Any = import_module("matplotlib.figure").Figure(figsize=(9.0, 5.0), facecolor="white", layout="constrained")
    upper, lower = figure.subplots(2, 1)
    draw_phases(upper, ours, 0.5, CYCLES)
    upper.set_title("the roach in the tripod gait, from its film", loc="left", fontsize=10, color=look.INK)
    draw_phases(lower, PHASES_OF_PERIPLANETA, COCKROACH_DUTY, CYCLES)
    lower.set_title(
        "Periplaneta americana above 5 cm/s, phases of Delcomyn [1971]", loc="left", fontsize=10, color=look.INK
    )
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=110, format="png")
    return ours


def main() -> int:
    """Write the three figures; return 1 if a phase differs from the published one by more than 0.05."""
    films = {name: write_gait_sheet(name, PICTURES / f"stepping-{name}.png") for name in GAITS}
    ours = write_comparison(films["tripod"], PICTURES / "stepping-cockroach.png")
    off = {leg: abs((ours[leg] - x + 0.5) % 1.0 - 0.5) for leg, x in PHASES_OF_PERIPLANETA.items()}
    Console().print({leg: round(x, 4) for leg, x in off.items()})
    return int(max(off.values()) > 0.05)


if __name__ == "__main__":
    raise SystemExit(main())
