"""A picture of quantities over time: a panel for each unit."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.view.scene import look

WIDTH, PANEL_HEIGHT = 9.0, 2.6
"""Width of the picture, and height of a panel [in]."""

UNIT = re.compile(r"(.*) \[([^][]*)\]")
COLORS = ("#2f6f9f", "#c8452f", "#4f8a4b", "#8a4a1c", "#7a5aa0", "#b58a00", "#3a3a3a", "#d07aa0")
STYLES = ("-", "--", ":", "-.")
"""Colours of the lines of a panel; after the last one they begin again, with the next style."""


def write_graph(
    time: NDArray[np.float64], columns: Mapping[str, NDArray[np.float64]], path: str | Path, software: str = "gambol"
) -> Path:
    """Write a picture (.png) of quantities over time. Returns the path.

    time (F,) [s]. columns: arrays (F,) by name and unit, such as "hip.q [rad]"; those of one unit share a panel.
    software: text in the metadata of the file. Raises GambolError for nothing to draw, and a folder that cannot be
    written to.
    """
    if not columns or not len(time):
        raise GambolError("there is nothing to draw; give a time and one quantity or more")
    panels: dict[str, list[tuple[str, NDArray[np.float64]]]] = {}
    for label, values in columns.items():
        match = UNIT.fullmatch(label)
        name, unit = match.groups() if match else (label, "")
        panels.setdefault(unit, []).append((name, values))
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(WIDTH, PANEL_HEIGHT * len(panels) + 0.4), facecolor="white", layout="constrained"
    )
    subplots = figure.subplots(len(panels), 1, squeeze=False, sharex=True)[:, 0]
    for axes, (unit, lines) in zip(subplots, panels.items(), strict=True):
        _draw_panel(axes, time, unit, lines)
    figure.axes[-1].set_xlabel("time [s]", fontsize=9, color=look.INK)
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=130, metadata={"Software": software})
    return Path(path)


def _draw_panel(axes: Any, time: NDArray[np.float64], unit: str, lines: list[tuple[str, NDArray[np.float64]]]) -> None:
    """Draw the quantities of one unit; the legend stands beside them."""
    for k, (name, values) in enumerate(lines):
        style = {"color": COLORS[k % len(COLORS)], "linestyle": STYLES[k // len(COLORS) % len(STYLES)]}
        marker = {"marker": "o", "markersize": 3} if len(time) == 1 else {}
        axes.plot(time, values, linewidth=1.3, label=printable(name).replace("$", r"\$"), **style, **marker)
    axes.set_ylabel(f"[{unit}]" if unit else "", fontsize=9, color=look.INK)
    axes.tick_params(labelsize=8)
    axes.grid(color=look.GRID, linewidth=0.5)
    axes.margins(x=0.0 if len(time) > 1 else None)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8, frameon=False)
