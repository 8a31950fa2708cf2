"""A film as a dataset of xarray: arrays with named axes, units and meanings."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.world.film.columns import split_label
from gambol.world.film.signals import SignalKind, signal_kind

Axes = Mapping[str, Sequence[str]]

DIMENSIONS = {"contacts": "contact", "coordinates": "coordinate", "feet": "foot", "freedoms": "freedom", "legs": "leg"}
"""Names of dimensions for axes of signals. They are singular, since a variable may be named like the axis: "feet"."""

POSES = {
    "position": SignalKind(("link", "xyz"), "m", "world", "place of each link"),
    "quaternion": SignalKind(("link", "wxyz"), "", "world", "rotation of each link, (w, x, y, z)"),
}


def film_dataset(
    time: NDArray[Any], poses: Mapping[str, NDArray[Any]], signals: Mapping[str, NDArray[Any]], axes: Axes
) -> Any:
    """Return an xarray.Dataset; see Film.to_xarray().

    time (F,) [s]. poses: the arrays of POSES. signals: (F, W, ...) by name. axes: names of the parts along axes.
    """
    try:
        xarray: Any = import_module("xarray")
    except ImportError as error:
        raise GambolError("to_xarray() needs xarray; install it by: pip install 'gambol[tables]'") from error
    sizes, variables = dict[str, int](), dict[str, Any]()
    for name, array in {**poses, **signals}.items():
        kind = POSES.get(name) or signal_kind(name, signals)
        dims = _dims(name, array.shape[2:], kind, sizes)
        about = {"units": kind.unit, "frame": kind.frame, "long_name": kind.meaning} if kind else {}
        variables[name] = (("time", "world", *dims), array, {key: text for key, text in about.items() if text})
    names = {_dimension(axis): [split_label(part)[0] for part in parts] for axis, parts in axes.items()}
    coords = {axis: parts for axis, parts in names.items() if sizes.get(axis) == len(parts)}
    return xarray.Dataset(variables, {"time": ("time", time, {"units": "s"}), **coords})


def _dimension(axis: str) -> str:
    return DIMENSIONS.get(axis, axis)


def _dims(name: str, shape: Sequence[int], kind: SignalKind | None, sizes: dict[str, int]) -> list[str]:
    """Return the names of a signal's axes; an axis that has another size in an earlier signal gets another name."""
    dims: list[str] = []
    for k, count in enumerate(shape):
        axis = _dimension(kind.axes[k]) if kind and k < len(kind.axes) else f"{name} {k}"
        dims.append(axis if sizes.setdefault(axis, count) == count else f"{name} {axis}")
        sizes.setdefault(dims[-1], count)
    return dims
