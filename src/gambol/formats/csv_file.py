"""CSV: a table with a row for each frame, and a column for each number, with the unit in its name."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.formats.writing import atomic_write

CHUNK = 2**18
"""Number of values that are converted to text at once: about 30 MB as Python objects."""


def write_columns(path: str | Path, columns: Mapping[str, NDArray[Any]]) -> Path:
    """Write columns of numbers (F,) by name as .csv, in the shortest form that reads back to the same bits.

    Rows are converted to text in chunks, so that the text need not fit in memory. Returns the path. Raises GambolError
    for a folder that cannot be written to.
    """
    arrays = list(columns.values())
    frames, rows = min(map(len, arrays), default=0), max(1, CHUNK // max(1, len(arrays)))
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for first in range(0, frames, rows):
            part = np.stack([array[first : first + rows] for array in arrays], axis=1).astype(float)
            writer.writerows(part.tolist())
    return Path(path)
