"""Film files (.npz) of arrays; one array contains the metadata as JSON. Reading a file checks every value."""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gambol.collide.convex import SIZES
from gambol.collide.convex.ball_hull import BALL_HULLS
from gambol.errors import GambolError
from gambol.figure.color import check_color
from gambol.formats import Table, atomic_write
from gambol.formats.finish import finish_row, read_finish
from gambol.formats.safe_files import file_size, path_exists, read_arrays
from gambol.world.events.zero_crossing import EventRecord
from gambol.world.film import large
from gambol.world.film.matter import FilmMatter
from gambol.world.film.matter_file import matter_arrays, matter_metadata, read_matter
from gambol.world.film.shapes import FilmGround, FilmShape
from gambol.world.film.visual_file import read_visuals, visual_arrays, visual_metadata

F = TypeVar("F")

FORMAT = "gambol film 1"  # the entry "format" of the metadata; other formats are refused
SIGNAL_PREFIX = "signal:"  # before the name of a signal in the file, so that it differs from the names of other arrays
SIZE_COUNTS = {
    "box": 3, "sphere": 1, "ellipsoid": 3, "capsule": 2, "cylinder": 2, "frustum": 3, "hull": 12, "slab": 3,
    "pipe": 3, "height_field": 8, "mesh": 0,
}  # fmt: skip
"""Number of sizes of each kind of shape; for kinds in VARIABLE_SIZES the minimum."""
VARIABLE_SIZES: dict[str, Callable[[tuple[float, ...]], bool]] = {
    "hull": lambda size: len(size) % 3 == 0,
    "height_field": lambda size: min(size[2:4]) >= 2.0 and size[2] * size[3] == len(size) - 4,
}
"""Kinds with a variable number of sizes, and the test that their sizes must pass; these sizes may be negative."""
MIN_NORM, MAX_NORM = 0.5, 2.0  # limits of the norm of quaternions in files; rounding errors are much smaller


def write_film(path: str | Path, *, ground: FilmGround, signals: Mapping[str, NDArray[Any]], **film: Any) -> None:
    """Write a film to a file (.npz); see Film.save; other arguments: its ground, signals and fields."""
    arrays: dict[str, NDArray[Any]] = {name: film[name] for name in ("time", "position", "quaternion")}
    if ground.heights is not None:
        arrays["heights"] = ground.heights
    arrays |= {SIGNAL_PREFIX + name: signal for name, signal in signals.items()}
    arrays |= matter_arrays(film["matter"]) | visual_arrays(film["visuals"])
    arrays["about"] = np.frombuffer(json.dumps(_metadata(ground, film)).encode(), dtype=np.uint8)
    with atomic_write(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]  # numpy's stub of **kwds


def read_film(path: Path, make: Callable[..., F]) -> F:
    """Return the film in a file; see Film.load. make: returns a film from its fields, which are keyword arguments."""
    if not path_exists(path):
        similar = get_close_matches(path.name, [p.name for p in path.parent.glob("*.npz")], n=1)
        raise GambolError(f"there is no film {path}" + (f'; did you mean "{similar[0]}"?' if similar else ""))
    file_size(path, "film")
    try:
        with path.open("rb") as opened:
            arrays = read_arrays(opened, map_above=large.MIN_LARGE_SIZE)
        metadata = _read_metadata(arrays)
    except (OSError, ValueError) as error:
        raise GambolError(f"{path} is not a film written by Film.save ({error})") from error
    if metadata["format"] != FORMAT:
        format_of_file = str(metadata["format"])[:40]
        raise GambolError(f'{path} has the format "{format_of_file}"; this version of gambol reads "{FORMAT}"')
    try:
        return make(**_fields(Table(metadata, str(path)), arrays))
    except GambolError as error:
        raise error if str(path) in str(error) else GambolError(f"{path}: {error}") from error


def _metadata(ground: FilmGround, film: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": film["name"],
        "link_names": film["link_names"],
        "leg_names": film["limb_names"],
        "shapes": [_shape_row(shape) for shape in film["shapes"]],
        "ground": {"x0": ground.x0, "y0": ground.y0, "spacing": ground.spacing},
        "events": [asdict(event) for event in film["events"]],
        **({"matter": matter_metadata(film["matter"])} if film["matter"] else {}),
        **({"parents": list(film["parents"])} if film["parents"] else {}),
        **({"axes": film["axes"]} if film["axes"] else {}),
        **(visual_metadata(film["visuals"], _shape_row) if film["visuals"] else {}),
    }


def _shape_row(shape: FilmShape) -> dict[str, Any]:
    """Return the fields of a shape, except mesh, texture, a colour of None, an opacity of 1 and a plain finish."""
    others = ("mesh", "texture", "finish")
    row = {item.name: getattr(shape, item.name) for item in fields(shape) if item.name not in others}
    row |= finish_row(shape.finish)
    return {key: value for key, value in row.items() if value is not None and (key, value) != ("opacity", 1.0)}


def _read_metadata(arrays: Mapping[str, NDArray[Any]]) -> Mapping[str, Any]:
    """Return the metadata of a film. Raises ValueError for invalid metadata or a missing array."""
    missing = [name for name in ("about", "time", "position", "quaternion") if name not in arrays]
    if "about" in missing or arrays["about"].dtype != np.uint8:
        raise ValueError("it has no metadata of a film")
    try:
        metadata: Any = json.loads(arrays["about"].tobytes())
    except RecursionError as error:
        raise ValueError("its lists are nested too deeply") from error
    json.dumps(metadata, ensure_ascii=False).encode()  # raises ValueError for lone surrogates, which cannot be printed
    if not isinstance(metadata, dict) or "format" not in metadata:
        raise ValueError("its metadata have no format")
    if missing and metadata["format"] == FORMAT:
        raise ValueError(f'it has no array "{missing[0]}"')
    return cast(dict[str, Any], metadata)


def _fields(metadata: Table, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Return the fields of a film from its metadata and arrays. Raises GambolError for the first invalid value."""
    checked = _Arrays(metadata.where, arrays)
    ground = metadata.table("ground")
    heights = checked.numbers("heights") if "heights" in arrays else None
    return {
        "name": metadata.text("name"),
        "time": checked.numbers("time"),
        "position": checked.numbers("position"),
        "quaternion": checked.quaternions("quaternion"),
        "link_names": _names(metadata, "link_names"),
        "shapes": tuple(_shape(row) for row in metadata.tables("shapes")),
        "limb_names": _names(metadata, "leg_names"),
        "ground": FilmGround(heights, ground.number("x0"), ground.number("y0"), ground.number("spacing")),
        "signals": {
            name.removeprefix(SIGNAL_PREFIX): a for name, a in arrays.items() if name.startswith(SIGNAL_PREFIX)
        },
        "events": tuple(_event_record(row) for row in metadata.tables("events")),
        "matter": _matter(metadata, arrays),
        "parents": _parents(metadata),
        "axes": _axes(metadata),
        "visuals": read_visuals(metadata, arrays, _shape),
    }


@dataclass(frozen=True)
class _Arrays:
    """Checked access to the arrays of a film file. where: the file, for messages."""

    where: str
    arrays: Mapping[str, NDArray[Any]]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return an array of finite real numbers."""
        array = self.arrays[name]
        if array.dtype.kind not in "fiu" or not all(np.isfinite(part).all() for part in _parts(array)):
            raise GambolError(f'{self.where}: the array "{name}" has values that are not finite numbers')
        return array

    def quaternions(self, name: str) -> NDArray[np.float64]:
        """Return an array of quaternions with norms near 1."""
        array = self.numbers(name)
        for part in _parts(array):
            with np.errstate(over="ignore"):  # infinite norms are refused below
                norms = np.linalg.norm(part, axis=-1)
            if not ((norms > MIN_NORM) & (norms < MAX_NORM)).all():
                raise GambolError(
                    f'{self.where}: the array "{name}" has quaternions whose norm is not 1, so they are not rotations'
                )
        return array


def _parts(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield an array in pieces; a single number as an array of one."""
    rows = array if array.ndim else array.reshape(1)
    return (rows[piece] for piece in large.pieces(len(rows), int(np.prod(rows.shape[1:]))))


def _names(metadata: Table, key: str) -> tuple[str, ...]:
    return tuple(names.text(index) for names in (metadata.entries(key),) for index in names)


def _matter(metadata: Table, arrays: Mapping[str, NDArray[Any]]) -> tuple[FilmMatter, ...]:
    rows = metadata.tables("matter") if "matter" in metadata else ()  # absent in older files
    return tuple(read_matter(row, k, arrays) for k, row in enumerate(rows))


def _parents(metadata: Table) -> tuple[int, ...]:
    if "parents" not in metadata:  # absent in older files
        return ()
    return tuple(entries.integer(index) for entries in (metadata.entries("parents"),) for index in entries)


def _axes(metadata: Table) -> dict[str, tuple[str, ...]]:
    axes = metadata.table("axes") if "axes" in metadata else ()  # absent in older files
    return {axis: _names(axes, axis) for axis in axes} if axes else {}


def _shape(row: Table) -> FilmShape:
    counts = SIZE_COUNTS | {kind: SIZES[kind] for kind in BALL_HULLS}
    kind, size = row.text("kind", allowed=counts), row.numbers("size")
    if len(size) != counts[kind] and not (
        kind in VARIABLE_SIZES and len(size) >= counts[kind] and VARIABLE_SIZES[kind](size)
    ):
        raise GambolError(f"{row.location_of('size')} has {len(size)} numbers; a {kind} has {counts[kind]}")
    if kind not in VARIABLE_SIZES and min(size, default=0.0) < 0.0:
        raise GambolError(f"{row.location_of('size')} is {size}; sizes must not be negative")
    w, x, y, z = (row.numbers("quaternion") + (0.0,) * 4)[:4]
    if len(row.numbers("quaternion")) != 4 or not MIN_NORM < math.hypot(w, x, y, z) < MAX_NORM:
        raise GambolError(f"{row.location_of('quaternion')} is not a rotation; give w, x, y and z with norm 1")
    color = row.text("color") if "color" in row else None  # absent in older files
    check_color(color, row.location())
    opacity = row.number("opacity", 1.0)
    if not 0.0 <= opacity <= 1.0:
        raise GambolError(f"{row.location_of('opacity')} is {opacity:g}; give 0 to 1")
    pose = row.triple("position"), (w, x, y, z)
    return FilmShape(row.integer("link"), kind, size, *pose, color, opacity, finish=read_finish(row))


def _event_record(row: Table) -> EventRecord:
    return EventRecord(row.text("name"), row.integer("lane"), row.number("time"), row.numbers("q"), row.numbers("v"))
