"""A plot for a paper: the best fitness of searches over evaluations, and the final fitness of their runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view.plot import COLORS, STYLES
from gambol.view.scene import look

PICTURES = (".svg", ".pdf", ".png")
"""Suffixes of the pictures that write_search_plot() writes."""

SIZE, RESOLUTION = (7.2, 3.2), 200
"""Width and height [in], for two columns of a paper; resolution of bitmaps [dots per inch]."""

JITTER = 0.12
"""Half width of the region over which the marks of runs are spread, in distances between searches."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SearchCurves:
    """The runs of a search. evaluations (G,): creatures evaluated; best (R, G): best fitness so far of R runs."""

    evaluations: Array
    best: Array


def write_search_plot(
    curves: Mapping[str, SearchCurves], paths: Sequence[str | Path], title: str = ""
) -> tuple[Path, ...]:
    """Write a plot of searches as pictures (.svg, .pdf, .png) and return their paths.

    On the left are medians and quartiles over evaluations, on the right a box of quartiles with a mark for each run.
    curves: curves by name of the search. Runs without a valid creature (-inf) are gaps. Raises GambolError for an
    unknown suffix, nothing to draw, and a folder that cannot be written to.
    """
    targets = tuple(Path(path) for path in paths)
    for target in targets:
        if target.suffix.lower() not in PICTURES:
            raise GambolError(
                f'"{target}" is not a picture of searches; its ending must be one of {", ".join(PICTURES)}'
            )
    if not curves:
        raise GambolError("there is no search to draw: no run is finished")
    figure: Any = import_module("matplotlib.figure").Figure(figsize=SIZE, facecolor="white", layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(2.2, 1.0))
    figure.suptitle(printable(title), x=0.01, ha="left", fontsize=10, color=look.INK, parse_math=False)
    for k, (name, each) in enumerate(curves.items()):
        _draw_curve(left, name, each, k)
        _draw_box(right, each.best[:, -1], k)
    _label(left, right, list(curves))
    for target in targets:
        with atomic_write(target) as temporary:
            # no date, so that equal runs give equal files
            undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(target.suffix.lower(), {})
            figure.savefig(temporary, dpi=RESOLUTION, format=target.suffix.lower()[1:], metadata=undated)
    return targets


def _draw_curve(axes: Any, name: str, curves: SearchCurves, k: int) -> None:
    """Draw the median and the quartiles of a search over evaluations; k: index of the search."""
    finite = np.isfinite(curves.best).all(axis=0)
    best = np.where(finite, curves.best, np.nan)
    lower, median, upper = np.quantile(best, (0.25, 0.5, 0.75), axis=0)
    color, style = COLORS[k % len(COLORS)], STYLES[k // len(COLORS) % len(STYLES)]
    axes.fill_between(curves.evaluations, lower, upper, color=color, alpha=0.18, linewidth=0, step="post")
    axes.step(
        curves.evaluations, median, where="post", color=color, linestyle=style, linewidth=1.4, label=printable(name)
    )


def _draw_box(axes: Any, finals: Array, k: int) -> None:
    """Draw the final fitnesses of a search: a box from quartile to quartile, the median, and a mark for each run."""
    color, values = COLORS[k % len(COLORS)], finals[np.isfinite(finals)]
    if not len(values):
        return
    lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75))
    axes.bar(k, upper - lower, 0.6, bottom=lower, color=color, alpha=0.25, edgecolor=color, linewidth=0.8)
    axes.hlines(median, k - 0.3, k + 0.3, color=color, linewidth=1.6)
    axes.plot(
        k + np.linspace(-JITTER, JITTER, len(values)), values, "o", color=color, markersize=2.6, alpha=0.9, linewidth=0
    )


def _label(left: Any, right: Any, names: Sequence[str]) -> None:
    """Draw labels, grids and the legend."""
    left.set_xlabel("evaluated creatures")
    left.set_ylabel("best fitness so far")
    left.legend(fontsize=8, frameon=False, loc="best")
    right.set_xticks(range(len(names)), [printable(name) for name in names], rotation=20 if len(names) > 3 else 0)
    right.tick_params(axis="x", labelsize=8)
    for axes in (left, right):
        axes.grid(color=look.GRID, linewidth=0.4, alpha=0.6, axis="both" if axes is left else "y")
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
