"""The numbers of a film as named columns, with units in the names."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gambol.world.film.signals import signal_kind

Array = NDArray[np.float64]

NO_AXES: Mapping[str, Sequence[str]] = MappingProxyType({})


def pose_columns(link_names: Sequence[str], position: Array, quaternion: Array) -> dict[str, Array]:
    """Return the poses of links in the world as columns (F,) by name: "LINK.x [m]", "LINK.qw" and so on.

    position (F, L, 3) [m], quaternion (F, L, 4) (w, x, y, z).
    """
    columns: dict[str, Array] = {}
    for k, link in enumerate(link_names):
        columns |= {f"{link}.{axis} [m]": position[:, k, i] for i, axis in enumerate("xyz")}
        columns |= {f"{link}.q{axis}": quaternion[:, k, i] for i, axis in enumerate("wxyz")}
    return columns


def signal_columns(
    name: str, signal: Array, axes: Mapping[str, Sequence[str]] = NO_AXES, signals: Collection[str] = ()
) -> dict[str, Array]:
    """Return a signal of one world as columns (F,) by name: "NAME [unit]", or "NAME.PART [unit]" for several numbers.

    signal (F, ...). axes: names of the parts along axes, see Film.axes. signals: names of all signals of the film.
    Other parts are named x, y and z, or by their index.
    """
    kind = signal_kind(name, signals)
    axis_names = kind.axes if kind else ()
    labels = [(name, "")]
    for k, count in enumerate(signal.shape[1:]):
        parts = [split_label(part) for part in _parts(axis_names[k] if k < len(axis_names) else "", count, axes)]
        labels = [
            (f"{label}.{part}", coordinate_unit or unit) for label, unit in labels for part, coordinate_unit in parts
        ]
    flat = signal.reshape(len(signal), len(labels))
    units = [_unit(kind.unit, coordinate_unit) if kind else "" for _, coordinate_unit in labels]
    return {
        f"{label} [{unit}]" if unit else label: flat[:, i]
        for i, ((label, _), unit) in enumerate(zip(labels, units, strict=True))
    }


def split_label(label: str) -> tuple[str, str]:
    """Return the name and the unit of a label such as "centre.x [m]"; the unit is "" if it is unknown."""
    name, bracket, unit = label.rpartition(" [")
    return (name, unit[:-1]) if bracket and unit.endswith("]") else (label, "")


def _unit(unit: str, coordinate_unit: str) -> str:
    """Return the unit of a number.

    unit: unit of the signal, such as "rad/s or m/s"; coordinate_unit: unit of the coordinate: rad, m or 1.
    """
    angular, separator, linear = unit.partition(" or ")
    return {"rad": angular, "m": linear}.get(coordinate_unit, "") if separator and coordinate_unit else unit


def _parts(axis: str, count: int, axes: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the names of the numbers along an axis of a signal."""
    names = axes.get(axis, ())
    if count == len(names):
        return names
    return ["x", "y", "z"] if axis == "xyz" and count == 3 else [str(i) for i in range(count)]
