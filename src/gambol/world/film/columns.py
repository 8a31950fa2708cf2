"""The numbers of a film as named columns, with units in the names."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.world.film.signals import signal_kind

Array = NDArray[np.float64]


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
    name: str, signal: Array, limb_names: Sequence[str] = (), signals: Collection[str] = ()
) -> dict[str, Array]:
    """Return a signal of one world as columns (F,) by name: "NAME [unit]", or "NAME.PART [unit]" of several numbers.

    signal (F, ...). limb_names: of the film, which name the parts of signals of legs. signals: names of all signals of
    the film. Other parts are named x, y and z, or by their index.
    """
    kind = signal_kind(name, signals)
    unit = f" [{kind.unit}]" if kind and kind.unit else ""
    flat = signal.reshape(len(signal), int(np.prod(signal.shape[1:])))
    axes = kind.axes if kind else ()
    labels = [name]
    for k, count in enumerate(signal.shape[1:]):
        axis = axes[k] if k < len(axes) else ""
        labels = [f"{label}.{part}" for label in labels for part in _parts(axis, count, limb_names)]
    return {f"{label}{unit}": flat[:, i] for i, label in enumerate(labels)}


def _parts(axis: str, count: int, limb_names: Sequence[str]) -> list[str]:
    """Return the names of the numbers along an axis of a signal."""
    if axis == "legs" and count == len(limb_names):
        return [limb.replace(" ", "_") for limb in limb_names]
    if axis == "xyz" and count == 3:
        return ["x", "y", "z"]
    return [str(i) for i in range(count)]
