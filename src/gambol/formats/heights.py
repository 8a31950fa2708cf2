"""Height files: a rectangle of ground heights in metres, .npy or .csv; rows along x, columns along y.

Files of curves and paths are read in the same way.
"""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.safe_files import file_bytes, path_exists, read_array

MAX_BYTES = {".npy": 500_000_000, ".csv": 40_000_000}  # bytes: squares of 8,000 and 2,000 heights


def read_heights(path: str | Path) -> NDArray[np.float64]:
    """Return the heights (rows, columns) [m] in a .npy or .csv file; see read_rectangle()."""
    return read_rectangle(path, "height file", "heights")


def read_rectangle(path: str | Path, description: str, entries: str) -> NDArray[np.float64]:
    """Return the numbers (rows, columns) in a .npy or .csv file. Pickled arrays are never opened.

    description, entries: kind of the file and of its numbers, for messages. Raises GambolError, which names the file,
    if the file is missing, cannot be read, is of another format, or does not contain a rectangle of at least 2 x 2
    finite numbers.
    """
    path = Path(path)
    if path.suffix.lower() not in READERS:
        raise GambolError(f'"{path}" is not a {description}; it must end in {" or ".join(READERS)}')
    if not path_exists(path):
        raise GambolError(f'there is no {description} "{path}"')
    data = file_bytes(path, description, MAX_BYTES[path.suffix.lower()])
    try:
        numbers = READERS[path.suffix.lower()](data)
    except ValueError as error:
        raise GambolError(f'the {description} "{path}" cannot be read as numbers: {error}') from error
    if numbers.ndim != 2 or min(numbers.shape) < 2:
        raise GambolError(
            f'the {description} "{path}" holds an array of shape {numbers.shape}; give at least 2 x 2 {entries}'
        )
    if not np.isfinite(numbers).all():
        row, column = np.argwhere(~np.isfinite(numbers))[0]
        value = numbers[row, column]
        raise GambolError(f'the {description} "{path}" has {value} at row {row}, column {column}; all must be finite')
    return numbers


def _read_npy(data: bytes) -> NDArray[np.float64]:
    try:
        array = read_array(io.BytesIO(data), len(data))
    except ValueError as error:
        raise ValueError(f"it does not hold one array of real numbers ({error})") from error
    if array.dtype.kind not in "fiu":
        raise ValueError(f"it holds {array.dtype}, not real numbers")
    with np.errstate(over="ignore"):  # a long double may become infinite, which is rejected later
        return np.asarray(array, np.float64)


def _read_csv(data: bytes) -> NDArray[np.float64]:
    """Return rows of numbers separated by commas.

    Blank lines and comments after a # are skipped, as is a first row of names without any number.
    """
    lines = [line.partition("#")[0].strip() for line in data.decode("utf-8-sig").splitlines()]
    filled = [(number, line) for number, line in enumerate(lines, start=1) if line]
    if len(filled) > 1 and not any(map(_is_number, filled[0][1].split(","))):
        filled = filled[1:]
    rows = [_parse_row(line, number) for number, line in filled]
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise ValueError(
            f"its rows have between {min(widths)} and {max(widths)} numbers; all must have the same number"
        )
    return np.array(rows, dtype=np.float64)


def _is_number(entry: str) -> bool:
    try:
        float(entry)
    except ValueError:
        return False
    return True


def _parse_row(line: str, line_number: int) -> list[float]:
    try:
        return [float(entry) for entry in line.split(",")]
    except ValueError as error:
        detail = str(error)[:100]
        raise ValueError(
            f"line {line_number}: {detail}; numbers are separated by commas, and a # begins a comment"
        ) from error


READERS = {".npy": _read_npy, ".csv": _read_csv}
