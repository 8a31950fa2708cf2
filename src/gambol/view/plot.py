"""Plots of the signals of a film over time, with units: as pictures, and as tables of the numbers that are drawn."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean, printable
from gambol.formats import atomic_write
from gambol.view.pattern import draw_pattern
from gambol.view.scene import look
from gambol.world.film import SIGNALS, Film, signal_kind

Array = NDArray[np.float64]

ENDINGS = (".png", ".svg", ".pdf", ".csv")
"""Endings of the files that write_plot() writes."""

WIDTH, PANEL_HEIGHT, TITLE_HEIGHT = 9.0, 2.1, 0.5
"""Width, height of a panel and height of the title [in]."""

MOST_NAMES = 12
"""Most lines with a name in the legend of a panel; it would be taller than the panel with more."""

STEPPING = "stepping"


@dataclass(frozen=True, slots=True)
class Derived:
    """A quantity that is computed from signals: its unit, the signals that it needs, and its function of one world."""

    unit: str
    needs: tuple[str, ...]
    values: Callable[[Array, Mapping[str, Array]], Array]


def _speed(time: Array, signals: Mapping[str, Array]) -> Array:
    """Return the speed of the centre of mass (F,) [m/s], by differences between frames."""
    if len(time) < 2:
        return np.full(len(time), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):  # two frames at one time have no speed
        return np.asarray(np.linalg.norm(np.gradient(signals["centre"], time, axis=0), axis=1))


def _energy(time: Array, signals: Mapping[str, Array]) -> Array:
    """Return the sum of the energies of motion, gravity and springs (F,) [J]."""
    return signals["kinetic"] + signals["potential"] + signals.get("stored", np.zeros(len(time)))


DERIVED: Mapping[str, Derived] = {
    "speed": Derived("m/s", ("centre",), _speed),
    "energy": Derived("J", ("kinetic", "potential"), _energy),
}
"""Quantities by name: speed of the centre of mass; kinetic, potential and stored energy together."""


@dataclass(frozen=True, slots=True)
class Panel:
    """What is drawn under one name: its unit, and its lines by name, each (F, W)."""

    name: str
    unit: str
    lines: Mapping[str, Array]


def check_plot_names(names: Sequence[str]) -> None:
    """Raise GambolError for names that no film has, before there is a film. names: as of write_plot().

    Names with a dot may be those of links, which only the film knows; write_plot() checks them.
    """
    if not names:
        raise GambolError(f"there is nothing to plot; give names such as {', '.join((*DERIVED, 'centre.z'))}")
    for name in names:
        head = name.partition(".")[0]
        if not name.strip() or (name not in DERIVED and signal_kind(head) is None and ("." not in name or not head)):
            known = did_you_mean(name, (*DERIVED, *SIGNALS))
            raise GambolError(f'there is no signal "{name[:80]}"; {known} (a coordinate of a link is LINK.x, .y or .z)')


def plot_panels(film: Film, names: Sequence[str]) -> list[Panel]:
    """Return what is drawn for each name, in all worlds.

    names: of signals ("centre"), of parts of them ("centre.z"), of quantities of DERIVED ("speed"), of links ("head",
    whose position is drawn) and their coordinates ("head.z"). Raises GambolError for a name that the film lacks.
    """
    tables = [film.of_worlds([w]).columns() for w in range(film.worlds)]
    if not tables:
        raise GambolError(f'film "{film.name}" has no worlds to plot')
    return [_panel(film, name, tables) for name in names]


def _panel(film: Film, name: str, tables: Sequence[Mapping[str, Array]]) -> Panel:
    derived = DERIVED.get(name)
    if derived is not None and name not in film.signals and all(need in film.signals for need in derived.needs):
        worlds = [{key: signal[:, w] for key, signal in film.signals.items()} for w in range(film.worlds)]
        values = [derived.values(film.time, signals) for signals in worlds]
        return Panel(name, derived.unit, {name: np.stack(values, axis=1)})
    labels = {column: _split(column) for column in tables[0]}
    found = [column for column, (label, _) in labels.items() if label == name or label.startswith(f"{name}.")]
    if not found or name == "time":
        links = [f"{link}.{axis}" for link in film.link_names for axis in "xyz"]
        have = [one for one, d in DERIVED.items() if all(need in film.signals for need in d.needs)]
        known = (*have, *film.signals, *links)
        raise GambolError(f'the film "{film.name}" has no signal "{name[:80]}"; {did_you_mean(name, known)}')
    unit = labels[found[0]][1]  # a link's position, and not its quaternion
    lines = {labels[c][0]: np.stack([table[c] for table in tables], axis=1) for c in found if labels[c][1] == unit}
    return Panel(name, unit, lines)


def _split(column: str) -> tuple[str, str]:
    """Return the name of a column and its unit."""
    label, bracket, unit = column.rpartition(" [")
    return (label, unit[:-1]) if bracket and unit.endswith("]") else (column, "")


def write_plot(film: Film, path: str | Path, names: Sequence[str]) -> Path:
    """Write a plot of signals over time: a picture (.png, .svg, .pdf), or the numbers of the first world (.csv).

    names: as of plot_panels(); each has a panel of its own. In pictures, the lines of further worlds are thin. The
    signal "stepping" is drawn as the stepping pattern. Returns the path. Raises GambolError for an unknown ending, a
    name that the film lacks, and a film without frames.
    """
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise GambolError(f'a plot cannot be written to "{target}"; its ending must be one of {", ".join(ENDINGS)}')
    panels = plot_panels(film, names)
    if not panels:
        check_plot_names(names)
    if target.suffix.lower() == ".csv":
        return _write_numbers(film, target, panels)
    figure: Any = import_module("matplotlib.figure").Figure(
        figsize=(WIDTH, TITLE_HEIGHT + PANEL_HEIGHT * len(panels)), facecolor="white", layout="constrained"
    )
    title: dict[str, Any] = {"fontsize": 12, "fontweight": "bold", "color": look.INK, "parse_math": False}
    figure.suptitle(printable(film.name), x=0.01, ha="left", **title)
    rows = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
    for axes, panel in zip(rows, panels, strict=True):
        if panel.name == STEPPING and film.limb_names:
            draw_pattern(axes, film)
            axes.set_title("stepping: stance black, step white", loc="left", fontsize=10, color=look.INK)
        else:
            _draw(axes, film.time, panel)
    for axes in rows[:-1]:
        axes.set_xlabel("")
    with atomic_write(target) as temporary:
        figure.savefig(temporary, dpi=150, format=target.suffix.lower()[1:])
    return target


def _draw(axes: Any, time: Array, panel: Panel) -> None:
    unit = f" [{panel.unit}]" if panel.unit else ""
    for k, (name, values) in enumerate(panel.lines.items()):
        part = name.removeprefix(f"{panel.name}.").replace("_", " ").strip() or name
        for world in range(values.shape[1]):
            style: dict[str, Any] = {"linewidth": 0.6, "alpha": 0.6} if world else {"linewidth": 1.4}
            label = "_" if world else printable(part)
            axes.plot(time, values[:, world], color=f"C{k % 10}", label=label, zorder=3 - bool(world), **style)
    axes.set_title(f"{printable(panel.name)}{unit}", loc="left", fontsize=10, color=look.INK, parse_math=False)
    axes.set_xlabel("time [s]")
    axes.set_xlim(time[0], time[-1] if time[-1] > time[0] else time[0] + 1.0)
    axes.grid(color=look.GRID, linewidth=0.4, alpha=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if 1 < len(panel.lines) <= MOST_NAMES:
        legend = axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        for text in legend.get_texts():
            text.set_parse_math(False)


def _write_numbers(film: Film, target: Path, panels: Sequence[Panel]) -> Path:
    """Write time and all lines of the first world as a table, with units in the names of its columns."""
    columns = {"time [s]": film.time}
    for panel in panels:
        unit = f" [{panel.unit}]" if panel.unit else ""
        columns |= {f"{name}{unit}": values[:, 0] for name, values in panel.lines.items()}
    with atomic_write(target) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(map(repr, column.astype(float).tolist()) for column in columns.values()), strict=True))
    return target
