"""A picture of gaits: stances of each leg, and the margin of stability against the duty factor."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.formats import atomic_write
from gambol.gait.mammals import LEGS, QuadrupedGait
from gambol.gait.stability import longitudinal_margin, wave_gait, wave_gait_margin
from gambol.view.scene import look

WIDTH, ROW, MARGIN_HEIGHT = 11.0, 1.25, 3.4
"""Width, height of a row of gaits, and height of the margins [in]."""

COLUMNS = 2
STROKE = 0.5  # as a fraction of the pitch between legs: short enough for the formula of the crawl

DRAWN = ((2, "four legs (crawl)"), (3, "six legs"), (4, "eight legs"))


def write_gait_diagram(
    gaits: Mapping[str, QuadrupedGait], path: str | Path, *, order: Sequence[int] = (1, 0, 3, 2)
) -> Path:
    """Write a picture (.png): the gait diagrams of some gaits above the stability margins of wave gaits.

    In a diagram of two strides, a bar is a stance of a leg. The margins are divided by the pitch between legs, and are
    for a stroke of half the pitch; lines are computed by the formula, dots from the polygons of support. gaits: gaits
    by title. order: order of the legs of mammals.LEGS, from the top. Returns the path. Raises GambolError for no gaits.
    """
    if not gaits:
        raise GambolError("there is no gait to draw")
    rows = -(-len(gaits) // COLUMNS)
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(WIDTH, ROW * rows + MARGIN_HEIGHT), facecolor="white", layout="constrained"
    )
    upper, lower = figure.subfigures(2, 1, height_ratios=[ROW * rows, MARGIN_HEIGHT])
    for panel, (title, gait) in zip(upper.subplots(rows, COLUMNS, squeeze=False).flat, gaits.items(), strict=False):
        _draw_gait(panel, title, gait, order)
    for panel in list(upper.axes)[len(gaits) :]:
        panel.set_axis_off()
    _draw_margins(lower.subplots())
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=130)
    return Path(path)


def _draw_gait(axes: Any, title: str, gait: QuadrupedGait, order: Sequence[int]) -> None:
    for row, leg in enumerate(order):
        starts = [gait.offsets[leg] + k for k in (-1.0, 0.0, 1.0)]
        bars = [(max(x, 0.0), min(x + gait.duty[leg], 2.0)) for x in starts]
        axes.broken_barh([(a, b - a) for a, b in bars if b > a], (-row - 0.4, 0.8), color=look.INK)
    axes.set(xlim=(0.0, 2.0), ylim=(-len(order) + 0.4, 0.6), yticks=[-row for row in range(len(order))])
    axes.set_yticklabels([LEGS[leg] for leg in order], fontsize=7)
    axes.tick_params(labelsize=7)
    axes.set_title(f"{title}, duty factor {np.mean(gait.duty):.2f}", fontsize=9, loc="left", color=look.INK)


def _draw_margins(axes: Any) -> None:
    for ranks, label in DRAWN:
        duties = np.linspace(0.75 if ranks == 2 else 0.5, 0.98, 24)
        (line,) = axes.plot(duties, [wave_gait_margin(ranks, b, 1.0, STROKE) for b in duties], label=label)
        axes.plot(duties, [_margin_by_polygons(ranks, b) for b in duties], ".", color=line.get_color())
    axes.set(xlabel="duty factor", ylabel="longitudinal margin / pitch", xlim=(0.5, 1.0), ylim=(0.0, None))
    axes.set_title("wave gaits, stroke of half the pitch", fontsize=9, loc="left", color=look.INK)
    axes.legend(frameon=False, fontsize=8)


def _margin_by_polygons(ranks: int, duty: float) -> float:
    """Return the margin of a wave gait from its polygons of support; the pitch is 1."""
    left, right = wave_gait(ranks, duty)
    ahead = [0.5 * (ranks - 1) - m for m in range(ranks)]
    feet = [*((x, 0.5) for x in ahead), *((x, -0.5) for x in ahead)]
    return longitudinal_margin((*left, *right), (duty,) * (2 * ranks), feet, STROKE / duty)
