"""Plots of quantities over time, with units: as pictures, and as tables of the numbers that are drawn."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, printable
from gambol.formats import atomic_write
from gambol.formats.csv_file import write_columns
from gambol.view.pattern import draw_pattern
from gambol.view.scene import look
from gambol.world.film import Film
from gambol.world.film.columns import split_label
from gambol.world.film.quantities import STEPPING, Quantity, check_names, quantities_of, with_stepping

Array = NDArray[np.float64]

ENDINGS = (".png", ".svg", ".pdf", ".csv")
"""Suffixes of the files that write_plot() writes."""

WIDTH, PANEL_HEIGHT, TITLE_HEIGHT, RESOLUTION = 9.0, 2.1, 0.5, 150
"""Width, height of a panel, and height of the title [in]; resolution of pictures [dots per inch]."""

MAX_NAMES = 12
"""Maximum number of lines with a name in the legend of a panel; with more lines the legend would be taller than the
panel."""

MAX_PANELS = 60
"""Maximum number of panels of a plot: a picture may have about 65,000 dots in height."""

COLORS = ("#2f6f9f", "#c8452f", "#4f8a4b", "#8a4a1c", "#7a5aa0", "#b58a00", "#3a3a3a", "#d07aa0")
STYLES = ("-", "--", ":", "-.")
"""Colours of the lines of a panel; after the last colour the colours begin again, with the next line style."""


def write_plot(film: Film, path: str | Path, names: Sequence[str]) -> Path:
    """Write a plot of signals over time: a picture (.png, .svg, .pdf), or the numbers of the first world (.csv).

    names: as for quantities_of(); each has a separate panel. In pictures, the lines of further worlds are thin. The
    signal "stepping" is drawn as the stepping pattern. Returns the path. Raises GambolError for an unknown suffix, a
    name that the film lacks, and a film without frames.
    """
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise GambolError(f'a plot cannot be written to "{target}"; its ending must be one of {", ".join(ENDINGS)}')
    panels = quantities_of(film, names)
    if not panels:
        check_names(names)
    if target.suffix.lower() == ".csv":
        columns = {"time [s]": film.time}
        for panel in panels:
            columns |= {_with_unit(name, panel.unit): values[:, 0] for name, values in panel.lines.items()}
        return write_columns(target, columns)
    return _write_picture(film.time, panels, target, film=with_stepping(film))


def write_graph(
    time: NDArray[np.float64], columns: Mapping[str, NDArray[np.float64]], path: str | Path, software: str = "gambol"
) -> Path:
    """Write a picture (.png) of quantities over time, a panel for each unit. Returns the path.

    time (F,) [s]. columns: arrays (F,) by name and unit, such as "hip.q [rad]". software: text in the metadata of the
    file. Raises GambolError if there is nothing to draw, and for a folder that cannot be written to.
    """
    if not columns or not len(time):
        raise GambolError("there is nothing to draw; give a time and one quantity or more")
    panels: dict[str, dict[str, Array]] = {}
    for label, values in columns.items():
        name, unit = split_label(label)
        panels.setdefault(unit, {})[name] = values[:, None]
    quantities = [Quantity(", ".join(lines), unit, lines) for unit, lines in panels.items()]
    return _write_picture(time, quantities, Path(path), software=software)


def _write_picture(
    time: Array, panels: Sequence[Quantity], path: Path, *, film: Film | None = None, software: str = "gambol"
) -> Path:
    """Write panels below each other. film: film with the title and the stepping pattern, or None."""
    if len(panels) > MAX_PANELS:
        raise GambolError(f"a plot has {MAX_PANELS} panels at most, and not {len(panels)}; write them as .csv")
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(WIDTH, TITLE_HEIGHT + PANEL_HEIGHT * len(panels)), facecolor="white", layout="constrained"
    )
    if film is not None:
        title: dict[str, Any] = {"fontsize": 12, "fontweight": "bold", "color": look.INK, "parse_math": False}
        figure.suptitle(printable(film.name), x=0.01, ha="left", **title)
    rows = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for axes, panel in zip(rows, panels, strict=True):
        if panel.name == STEPPING and film is not None and film.limb_names:
            draw_pattern(axes, film)
            axes.set_title("stepping: stance black, step white", loc="left", fontsize=10, color=look.INK)
        else:
            _draw(axes, time, panel)
    for axes in rows[:-1]:
        axes.set_xlabel("")
    metadata = {"Software": software} if path.suffix.lower() == ".png" else {}
    with atomic_write(path) as temporary:
        figure.savefig(temporary, dpi=RESOLUTION, format=path.suffix.lower()[1:], metadata=metadata)
    return path


def _draw(axes: Any, time: Array, panel: Quantity) -> None:
    """Draw the lines of a quantity; the legend stands beside them."""
    marker = {"marker": "o", "markersize": 3} if len(time) == 1 else {}
    for k, (name, values) in enumerate(panel.lines.items()):
        part = name.removeprefix(f"{panel.name}.").replace("_", " ").strip() or name
        line = {"color": COLORS[k % len(COLORS)], "linestyle": STYLES[k // len(COLORS) % len(STYLES)], **marker}
        for world in range(values.shape[1]):
            width: dict[str, Any] = {"linewidth": 0.6, "alpha": 0.6} if world else {"linewidth": 1.4}
            label = "_" if world else printable(part)
            axes.plot(time, values[:, world], label=label, zorder=3 - bool(world), **line, **width)
    title = _with_unit(printable(panel.name), panel.unit)
    axes.set_title(title, loc="left", fontsize=10, color=look.INK, parse_math=False)
    axes.set_xlabel("time [s]")
    axes.set_xlim(time[0], time[-1] if time[-1] > time[0] else time[0] + 1.0)
    axes.grid(color=look.GRID, linewidth=0.4, alpha=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if 1 < len(panel.lines) <= MAX_NAMES:
        legend = axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        for text in legend.get_texts():
            text.set_parse_math(False)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name
