"""The stepping pattern: stance and step of each leg over time, drawn as in [McKenna 1990, figures 12 and 13]."""

from importlib import import_module
from pathlib import Path
from typing import Any

from gambol.errors import printable
from gambol.formats import atomic_write
from gambol.view.scene import look
from gambol.view.scene.legs import legs_by_side, stance_spans, stepping_of
from gambol.world.film import Film
from gambol.world.film.quantities import with_stepping

BAR_HEIGHT = 0.72  # of a row's height


def draw_pattern(axes: Any, film: Film, world: int = 0) -> None:
    """Draw the stepping pattern of a world into matplotlib axes: a row for each leg, stance black and step white.

    axes: the axes; film: the film; world: index of the world. Left legs are above right legs, on each side from front
    to back. Raises GambolError for a film without the signal "stepping".
    """
    steps, order = stepping_of(film, world), legs_by_side(film)
    span = (float(film.time[0]), max(film.duration, 1e-9))
    for row, leg in enumerate(order):
        style: dict[str, Any] = {"edgecolor": look.INK, "linewidth": 0.6}
        axes.broken_barh([span], (row - BAR_HEIGHT / 2, BAR_HEIGHT), facecolor=look.STEP_BAR, **style)
        bars = stance_spans(film.time, steps[:, leg])
        axes.broken_barh(bars, (row - BAR_HEIGHT / 2, BAR_HEIGHT), facecolor=look.STANCE_BAR, linewidth=0.0)
    axes.set_yticks(range(len(order)), [printable(film.limb_names[leg]) for leg in order], parse_math=False)
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.set_xlim(span[0], span[0] + span[1])
    axes.set_xlabel("time [s]")
    axes.tick_params(axis="y", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def write_pattern(film: Film, path: str | Path, *, world: int = 0) -> Path:
    """Write the stepping pattern alone as a picture (.png, .svg or .pdf). Returns the path.

    film: the film; path: path of the file; world: index of the world. Without the signal "stepping" of a gait a foot
    steps while the ground does not push on it. Raises GambolError for a film without feet, or a folder that cannot be
    written to.
    """
    figure: Any = import_module("matplotlib.figure").Figure(figsize=(9.0, 2.4), facecolor="white", layout="constrained")
    axes = figure.add_subplot()
    draw_pattern(axes, with_stepping(film), world)
    title = f"{printable(film.name)}: stance black, step white"
    axes.set_title(title, loc="left", fontsize=10, color=look.INK, parse_math=False)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=150)
    return Path(path)
