"""Height files: a rectangle of ground heights in metres, .npy or .csv; rows are x and columns y."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError


def read_heights(path: str | Path) -> NDArray[np.float64]:
    """The heights (rows, columns) [m] in a file. Pickled arrays are never opened.

    Raises GambolError, naming the file, for one that is not there, cannot be read, is of another kind, or does not hold
    a rectangle of at least 2 x 2 finite numbers.
    """
    path = Path(path)
    if path.suffix.lower() not in READERS:
        raise GambolError(f'"{path}" is no height file; it must end in {" or ".join(READERS)}')
    if not path.is_file():
        raise GambolError(f'there is no height file "{path}"')
    try:
        heights = READERS[path.suffix.lower()](path)
    except (OSError, ValueError) as error:
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


def _read_npy(path: Path) -> NDArray[np.float64]:
    with path.open("rb") as file:
        try:
            array: Any = np.lib.format.read_array(file, allow_pickle=False)  # np.load would open archives and pickles
        except ValueError as error:
            raise ValueError(f"it does not hold one array of real numbers ({error})") from error
    if array.dtype.kind not in "fiu":
        raise ValueError(f"it holds {array.dtype}, not real numbers")
    return np.asarray(array, np.float64)


def _read_csv(path: Path) -> NDArray[np.float64]:
    """Rows of numbers, apart by commas; blank lines and what follows a # do not count."""
    lines = [line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    numbers = [_numbers(line, number) for number, line in enumerate(lines, start=1) if line]
    widths = {len(row) for row in numbers}
    if len(widths) > 1:
        raise ValueError(f"its rows have between {min(widths)} and {max(widths)} numbers; all must have as many")
    return np.array(numbers, dtype=np.float64)


def _numbers(line: str, number: int) -> list[float]:
    try:
        return [float(entry) for entry in line.split(",")]
    except ValueError as error:
        raise ValueError(f"line {number}: {error}; numbers stand apart by commas, and a # begins a comment") from error


READERS = {".npy": _read_npy, ".csv": _read_csv}
