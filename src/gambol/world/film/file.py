"""Film files (.npz): arrays, one of which holds the metadata as JSON. Every value is checked when a file is read."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats import Table, atomic_write
from gambol.formats.safe_files import file_size, path_exists, read_arrays
from gambol.world.events.zero_crossing import EventRecord
from gambol.world.film.film import Film, FilmGround, FilmShape

FORMAT = "gambol film 1"  # "format" of the metadata; other formats are not read
SIGNAL = "signal:"  # prefix of a signal's array in the file, so that no name can collide with the film's own arrays
SIZES = {
    "box": 3, "sphere": 1, "ellipsoid": 3, "capsule": 2, "cylinder": 2, "frustum": 3, "hull": 12, "slab": 3,
    "pipe": 3, "height_field": 8,
}  # fmt: skip
"""Number of sizes of a shape of each kind; for the kinds in VARIABLE_SIZES the least number."""
VARIABLE_SIZES: dict[str, Callable[[tuple[float, ...]], bool]] = {
    "hull": lambda size: len(size) % 3 == 0,
    "height_field": lambda size: min(size[2:4]) >= 2.0 and size[2] * size[3] == len(size) - 4,
}
"""Kinds whose number of sizes varies, each with a test of its sizes, which may be negative."""
MIN_LENGTH, MAX_LENGTH = 0.5, 2.0  # of quaternions in files, whose rounding errors are much smaller


def write_film(film: Film, path: str | Path) -> None:
    """Write a film to a file (.npz); see Film.save."""
    arrays: dict[str, NDArray[Any]] = {"time": film.time, "position": film.position, "quaternion": film.quaternion}
    if film.ground.heights is not None:
        arrays["heights"] = film.ground.heights
    arrays |= {SIGNAL + name: signal for name, signal in film.signals.items()}
    arrays["about"] = np.frombuffer(json.dumps(_about(film)).encode(), dtype=np.uint8)
    with atomic_write(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]  # numpy's stub of **kwds


def read_film(path: Path) -> Film:
    """Return the film in a file; see Film.load."""
    if not path_exists(path):
        similar = get_close_matches(path.name, [p.name for p in path.parent.glob("*.npz")], n=1)
        raise GambolError(f"there is no film {path}" + (f'; did you mean "{similar[0]}"?' if similar else ""))
    file_size(path, "film")
    try:
        with path.open("rb") as opened:
            arrays = read_arrays(opened)
        about = _read_about(arrays)
    except (OSError, ValueError) as error:
        raise GambolError(f"{path} is not a film written by Film.save ({error})") from error
    if about["format"] != FORMAT:
        format_of_file = str(about["format"])[:40]
        raise GambolError(f'{path} is written as "{format_of_file}"; this version of gambol reads "{FORMAT}"')
    try:
        return _film(Table(about, str(path)), arrays)
    except GambolError as error:
        raise error if str(path) in str(error) else GambolError(f"{path}: {error}") from error


def _about(film: Film) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": film.name,
        "link_names": film.link_names,
        "leg_names": film.leg_names,
        "shapes": [asdict(shape) for shape in film.shapes],
        "ground": {"x0": film.ground.x0, "y0": film.ground.y0, "spacing": film.ground.spacing},
        "events": [asdict(event) for event in film.events],
    }


def _read_about(arrays: Mapping[str, NDArray[Any]]) -> Mapping[str, Any]:
    """Return the metadata of a film. Raises ValueError for invalid metadata, or if an array is missing."""
    missing = [name for name in ("about", "time", "position", "quaternion") if name not in arrays]
    if "about" in missing or arrays["about"].dtype != np.uint8:
        raise ValueError("it has no description of a film")
    try:
        about: Any = json.loads(arrays["about"].tobytes())
    except RecursionError as error:
        raise ValueError("its lists are nested too deeply") from error
    json.dumps(about, ensure_ascii=False).encode()  # raises ValueError for lone surrogates, which cannot be printed
    if not isinstance(about, dict) or "format" not in about:
        raise ValueError("its description names no format")
    if missing and about["format"] == FORMAT:
        raise ValueError(f'it has no array "{missing[0]}"')
    return cast(dict[str, Any], about)


def _film(about: Table, arrays: Mapping[str, NDArray[Any]]) -> Film:
    """Return the film of metadata and arrays. Raises GambolError for the first invalid value."""
    checked = _Arrays(about.where, arrays)
    ground = about.table("ground")
    heights = checked.numbers("heights") if "heights" in arrays else None
    return Film(
        name=about.text("name"),
        time=checked.numbers("time"),
        position=checked.numbers("position"),
        quaternion=checked.quaternions("quaternion"),
        link_names=_names(about, "link_names"),
        shapes=tuple(_shape(row) for row in about.tables("shapes")),
        leg_names=_names(about, "leg_names"),
        ground=FilmGround(heights, ground.number("x0"), ground.number("y0"), ground.number("spacing")),
        signals={name.removeprefix(SIGNAL): a for name, a in arrays.items() if name.startswith(SIGNAL)},
        events=tuple(_event_record(row) for row in about.tables("events")),
    )


@dataclass(frozen=True)
class _Arrays:
    """Checked access to the arrays of a film's file; where: the file, for errors."""

    where: str
    arrays: Mapping[str, NDArray[Any]]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return an array of finite real numbers."""
        array = self.arrays[name]
        if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
            raise GambolError(f'{self.where}: the array "{name}" has values that are not finite numbers')
        return array

    def quaternions(self, name: str) -> NDArray[np.float64]:
        """Return an array of quaternions, whose lengths are about 1."""
        array = self.numbers(name)
        with np.errstate(over="ignore"):  # infinite lengths are refused below
            length = np.linalg.norm(array, axis=-1) if array.ndim else np.zeros(1)
        if not ((length > MIN_LENGTH) & (length < MAX_LENGTH)).all():
            raise GambolError(f'{self.where}: the array "{name}" has quaternions that are no rotations; give length 1')
        return array


def _names(about: Table, key: str) -> tuple[str, ...]:
    return tuple(names.text(place) for names in (about.entries(key),) for place in names)


def _shape(row: Table) -> FilmShape:
    kind, size = row.text("kind", allowed=SIZES), row.numbers("size")
    if len(size) != SIZES[kind] and not (
        kind in VARIABLE_SIZES and len(size) >= SIZES[kind] and VARIABLE_SIZES[kind](size)
    ):
        raise GambolError(f"{row.location_of('size')} has {len(size)} numbers; a {kind} has {SIZES[kind]}")
    if kind not in VARIABLE_SIZES and min(size) < 0.0:
        raise GambolError(f"{row.location_of('size')} is {size}; no size is negative")
    w, x, y, z = (row.numbers("quaternion") + (0.0,) * 4)[:4]
    if len(row.numbers("quaternion")) != 4 or not MIN_LENGTH < math.hypot(w, x, y, z) < MAX_LENGTH:
        raise GambolError(f"{row.location_of('quaternion')} is no rotation; give w, x, y and z of length 1")
    return FilmShape(row.integer("link"), kind, size, row.triple("position"), (w, x, y, z))


def _event_record(row: Table) -> EventRecord:
    return EventRecord(row.text("name"), row.integer("lane"), row.number("time"), row.numbers("q"), row.numbers("v"))
