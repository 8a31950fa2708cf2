"""Fitness over generations as a picture, and as a table of the numbers that are drawn."""

from collections.abc import Sequence
from dataclasses import astuple, fields
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.formats.csv_file import write_columns
from gambol.view.lineage.lineage import Generation
from gambol.view.plot import COLORS, ENDINGS, RESOLUTION
from gambol.view.scene import look

SIZE = (7.0, 4.0)
"""Width and height of the picture [in]."""


def write_fitness_plot(generations: Sequence[Generation], path: str | Path, title: str = "") -> Path:
    """Write the fitness of generations: a picture (.png, .svg, .pdf), or a table (.csv).

    The picture shows the best of each generation, the best so far, the median and the quartiles. generations:
    generations in order, from 0; a NaN is a gap in the picture. title: title above the picture. Returns the path.
    Raises GambolError for an unknown suffix, no generations, and a folder that cannot be written to.
    """
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise GambolError(f'a plot cannot be written to "{target}"; its ending must be one of {", ".join(ENDINGS)}')
    if not generations:
        raise GambolError("there is no fitness to draw: the run has no generations yet")
    names = [field.name for field in fields(Generation)]
    lines: dict[str, Any] = dict(zip(names, np.array([astuple(g) for g in generations]).T, strict=True))
    lines["best so far"] = np.fmax.accumulate(lines["best"])
    numbers = np.arange(len(generations))
    if target.suffix.lower() == ".csv":
        return write_columns(target, {"generation": numbers} | lines)
    figure: Any = import_module("matplotlib.figure").Figure(figsize=SIZE, facecolor="white", layout="constrained")
    axes = figure.subplots()
    axes.fill_between(numbers, lines["lower"], lines["upper"], color=COLORS[0], alpha=0.2, lw=0, label="quartiles")
    axes.plot(numbers, lines["median"], color=COLORS[0], linewidth=1.2, label="median")
    axes.plot(numbers, lines["best"], "o", color=COLORS[1], markersize=3, label="best of the generation")
    axes.step(numbers, lines["best so far"], where="post", color=COLORS[1], linewidth=1.2, label="best so far")
    _label(axes, len(generations), title)
    with atomic_write(target) as temporary:
        figure.savefig(temporary, dpi=RESOLUTION, format=target.suffix.lower()[1:])
    return target


def _label(axes: Any, count: int, title: str) -> None:
    """Draw title, labels, grid and legend. count: number of generations."""
    axes.set_title(printable(title), loc="left", fontsize=11, color=look.INK, parse_math=False)
    axes.set_xlabel("generation")
    axes.set_ylabel("fitness")
    axes.set_xlim(-0.5, count - 0.5)
    ticks: Any = import_module("matplotlib.ticker")
    axes.xaxis.set_major_locator(ticks.MaxNLocator(integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    axes.grid(color=look.GRID, linewidth=0.4, alpha=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(fontsize=8, frameon=False, loc="lower right")
