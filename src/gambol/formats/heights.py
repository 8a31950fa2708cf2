"""Height files: a rectangle of ground heights in metres, .npy or .csv; rows are x and columns y."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.opening import file_bytes, is_there, read_array

LARGEST = {".npy": 500_000_000, ".csv": 40_000_000}  # bytes: squares of 8,000 and 2,000 heights


def read_heights(path: str | Path) -> NDArray[np.float64]:
    """The heights (rows, columns) [m] in a file. Pickled arrays are never opened.

    Raises GambolError, naming the file, for one that is not there, cannot be read, is of another kind, or does not hold
    a rectangle of at least 2 x 2 finite numbers.
    """
    path = Path(path)
    if path.suffix.lower() not in READERS:
        raise GambolError(f'"{path}" is no height file; it must end in {" or ".join(READERS)}')
    if not is_there(path):
        raise GambolError(f'there is no height file "{path}"')
    data = file_bytes(path, "height file", LARGEST[path.suffix.lower()])
    try:
        heights = READERS[path.suffix.lower()](data)
    except ValueError as error:
        raise GambolError(f'the height file "{path}" cannot be read as numbers: {error}') from error
    if heights.ndim != 2 or min(heights.shape) < 2:
        raise GambolError(
            f'the height file "{path}" holds an array of shape {heights.shape}; give at least 2 x 2 heights'
        )
    if not np.isfinite(heights).all():
        row, column = np.argwhere(~np.isfinite(heights))[0]
        value = heights[row, column]
        raise GambolError(f'the height file "{path}" has {value} at row {row}, column {column}; all must be finite')
    return heights


def _read_npy(data: bytes) -> NDArray[np.float64]:
    try:
        array = read_array(io.BytesIO(data), len(data))
    except ValueError as error:
        raise ValueError(f"it does not hold one array of real numbers ({error})") from error
    if array.dtype.kind not in "fiu":
        raise ValueError(f"it holds {array.dtype}, not real numbers")
    with np.errstate(over="ignore"):  # of long doubles: what becomes infinite is refused
        return np.asarray(array, np.float64)


def _read_csv(data: bytes) -> NDArray[np.float64]:
    """Rows of numbers, apart by commas; blank lines and what follows a # do not count."""
    lines = [line.partition("#")[0].strip() for line in data.decode("utf-8-sig").splitlines()]
    numbers = [_numbers(line, number) for number, line in enumerate(lines, start=1) if line]
    widths = {len(row) for row in numbers}
    if len(widths) > 1:
        raise ValueError(f"its rows have between {min(widths)} and {max(widths)} numbers; all must have as many")
    return np.array(numbers, dtype=np.float64)


def _numbers(line: str, number: int) -> list[float]:
    try:
        return [float(entry) for entry in line.split(",")]
    except ValueError as error:
        told = str(error)[:100]
        raise ValueError(f"line {number}: {told}; numbers stand apart by commas, and a # begins a comment") from error


READERS = {".npy": _read_npy, ".csv": _read_csv}
