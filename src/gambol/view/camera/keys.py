"""A camera that moves through keys, smoothly: from Python, or from a file (.toml or .csv).

Between keys each number is a monotone cubic in time: it never overshoots a key, and is constant between two equal keys.
The slope at a key is the weighted harmonic mean of the slopes on both sides, and 0 where they differ in sign. [Fritsch
and Butland 1984, SIAM J. Sci. Stat. Comput. 5(2), 300]
"""

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Triple
from gambol.formats.safe_files import file_text, path_exists
from gambol.formats.table import read_table
from gambol.view.camera.placed import check_field_of_view
from gambol.view.camera.track import FIELD_OF_VIEW, Array, CameraTrack, Subject

COLUMNS = ("time", "x", "y", "z", "target_x", "target_y", "target_z")
OPTIONAL_COLUMN = "field_of_view"
KEY_FILES = (".toml", ".csv")
MAX_BYTES = 4_000_000  # of a file of keys: some 40,000 keys


@dataclass(frozen=True)
class CameraKey:
    """The camera at a time of the film [s]: position and target [m], and vertical angle of the field of view [deg]."""

    time: float
    position: Triple
    target: Triple
    field_of_view: float = FIELD_OF_VIEW

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.time, *self.position, *self.target))):
            raise GambolError(f"the camera key at {self.time} s has numbers that are not finite")
        if tuple(self.position) == tuple(self.target):
            raise GambolError(
                f"the camera key at {self.time:g} s is at the point that it looks at; give two different points"
            )
        check_field_of_view(self.field_of_view)


@dataclass(frozen=True)
class KeyedCamera:
    """A camera that moves smoothly through keys, and rests before the first and after the last.

    keys: at least one key; the times ascend. Raises GambolError for other keys.
    """

    keys: tuple[CameraKey, ...]

    def __post_init__(self) -> None:
        if not self.keys:
            raise GambolError("a camera needs at least one key")
        for before, after in zip(self.keys, self.keys[1:], strict=False):
            if not after.time > before.time:
                raise GambolError(
                    f"the camera key at {after.time:g} s follows the one at {before.time:g} s; sort keys by time, and "
                    "give each time once"
                )

    def track(self, subject: Subject) -> CameraTrack:
        """Return the camera in each frame of a film."""
        times = np.array([key.time for key in self.keys])
        values = np.array([(*key.position, *key.target, key.field_of_view) for key in self.keys], np.float64)
        at = monotone_cubic(times, values, subject.film.time)
        return CameraTrack(at[:, :3], at[:, 3:6], at[:, 6])


def monotone_cubic(times: Array, values: Array, at: Array) -> Array:
    """Return values (F, C) at times (F,) between keys (K, C), by monotone cubics; the values are constant before the
    first key and after the last.

    times (K,): times of the keys, ascending.
    """
    t = np.clip(at, times[0], times[-1])
    if len(times) == 1:
        return np.repeat(values, len(t), axis=0)
    h = np.diff(times)[:, None]
    slope = np.diff(values, axis=0) / h
    d = np.zeros_like(values)  # at both ends the camera starts and stops
    if len(times) > 2:
        w = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
        same = slope[1:] * slope[:-1] > 0.0
        safe = np.where(same, slope[:-1], 1.0), np.where(same, slope[1:], 1.0)
        d[1:-1] = np.where(same, (w[0] + w[1]) / (w[0] / safe[0] + w[1] / safe[1]), 0.0)
    k = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(h) - 1)
    s = (t - times[k])[:, None] / h[k]
    rise = s * s * (3.0 - 2.0 * s)
    bend = h[k] * s * (1.0 - s) * ((1.0 - s) * d[k] - s * d[k + 1])
    return (1.0 - rise) * values[k] + rise * values[k + 1] + bend


def read_camera_keys(path: str | Path) -> KeyedCamera:
    """Return the camera in a file of keys, .toml or .csv.

    A .toml file has a table [[keys]] for each key, with time, position, target and, optionally, field_of_view. A .csv
    file has the columns time, x, y, z, target_x, target_y, target_z and, optionally, field_of_view. Units: s, m, deg.
    Raises GambolError, which names the file, for a missing or invalid file.
    """
    path = Path(path)
    if not path_exists(path):
        raise GambolError(f'there is no file of camera keys "{path}"')
    text = file_text(path, "file of camera keys", MAX_BYTES)
    try:
        keys = _keys_of_csv(text) if path.suffix.lower() == ".csv" else _keys_of_toml(text, path.name)
        return KeyedCamera(keys)
    except GambolError as error:
        message = str(error)
        raise GambolError(message if message.startswith(path.name) else f"{path.name}: {message}") from error


def _keys_of_toml(text: str, name: str) -> tuple[CameraKey, ...]:
    table = read_table(text, name)
    table.check_keys("keys")
    keys: list[CameraKey] = []
    for row in table.tables("keys"):
        row.check_keys("time", "position", "target", "field_of_view")
        time, position, target = row.number("time"), row.triple("position"), row.triple("target")
        keys.append(CameraKey(time, position, target, row.number("field_of_view", FIELD_OF_VIEW)))
    return tuple(keys)


def _keys_of_csv(text: str) -> tuple[CameraKey, ...]:
    rows = [row for row in csv.reader(io.StringIO(text)) if "".join(row).strip()]
    header = tuple(cell.strip() for cell in rows[0]) if rows else ()
    if header not in (COLUMNS, (*COLUMNS, OPTIONAL_COLUMN)):
        expected = ",".join(COLUMNS)
        raise GambolError(f"its first line must be {expected}, with or without ,{OPTIONAL_COLUMN}")
    return tuple(_key_of_row(row, number, len(header)) for number, row in enumerate(rows[1:], start=2))


def _key_of_row(row: Sequence[str], number: int, columns: int) -> CameraKey:
    try:
        cells = [float(cell) for cell in row]
    except ValueError as error:
        raise GambolError(f"row {number} is not numbers ({error})") from error
    if len(cells) != columns:
        raise GambolError(f"row {number} has {len(cells)} numbers; its header has {columns}")
    time, x, y, z, *rest = cells
    return CameraKey(time, (x, y, z), (rest[0], rest[1], rest[2]), *rest[3:])
