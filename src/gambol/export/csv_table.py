"""CSV: a table with a row for each frame, and a column for each number, whose unit stands in its name."""

import csv
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats import atomic_write
from gambol.world.film import Film

Array = NDArray[np.float64]

UNITS = {
    "centre": "m", "momentum": "kg m/s", "kinetic": "J", "potential": "J", "elastic": "J", "motors": "J",
    "damping": "J", "friction": "J", "impact": "J", "outside": "J", "unaccounted": "J", "wall": "s",
    "positive_power": "W", "contact_forces": "N", "contact_points": "m", "torques": "N m",
}  # fmt: skip
"""Units of signals, by name; the others are numbers or have units of their own."""


def columns_of(film: Film, *, rate: float | None = None) -> dict[str, Array]:
    """Return the numbers of the first world of a film as columns (F,) by name: time, poses of links, and all signals.

    Names end with the unit in brackets. rate: frames per second; None: all frames as they are.
    """
    if not len(film.time):
        raise GambolError(f'film "{film.name}" has no frames to export')
    sampled = film if rate is None else film.at_rate(rate)
    columns: dict[str, Array] = {"time [s]": sampled.time}
    for k, link in enumerate(film.link_names):
        columns |= {f"{link}.{axis} [m]": sampled.position[:, 0, k, i] for i, axis in enumerate("xyz")}
        columns |= {f"{link}.q{axis}": sampled.quaternion[:, 0, k, i] for i, axis in enumerate("wxyz")}
    for name, signal in sampled.signals.items():
        flat = signal[:, 0].reshape(len(signal), -1)
        unit = f" [{UNITS[name]}]" if name in UNITS else ""
        labels = [name] if signal[0, 0].ndim == 0 else [f"{name}.{label}" for label in _labels(film, name, signal)]
        columns |= {label + unit: flat[:, i] for i, label in enumerate(labels)}
    return columns


def write_csv(film: Film, path: str | Path, *, rate: float | None = None) -> Path:
    """Write the numbers of a film as .csv, see columns_of(). Returns the path."""
    columns = columns_of(film, rate=rate)
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(map(repr, column.astype(float).tolist()) for column in columns.values()), strict=True))
    return Path(path)


def _labels(film: Film, name: str, signal: Array) -> list[str]:
    """Return the names of the numbers of a signal: of limbs or axes where their number says so, else indices."""
    shape = signal.shape[2:]
    names = [[str(i) for i in range(n)] for n in shape]
    if shape[0] == len(film.limb_names) and name.startswith("step"):
        names[0] = [limb.replace(" ", "_") for limb in film.limb_names]
    if shape[-1] == 3:
        names[-1] = ["x", "y", "z"]
    labels = [""]
    for part in names:
        labels = [f"{left}.{right}" if left else right for left in labels for right in part]
    return labels
