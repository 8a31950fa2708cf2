"""CSV: a table with a row for each frame, and a column for each number, with the unit in its name."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.formats import check_suffix
from gambol.formats.csv_file import write_columns
from gambol.world.film import Film

Array = NDArray[np.float64]


def columns_of(film: Film, *, rate: float | None = None) -> dict[str, Array]:
    """Return the numbers of the first world of a film as columns (F,) by name: time, poses of links, and all signals.

    It is the same as film.columns(): names end with the unit in brackets. rate: frames per second; None: all frames.
    """
    return film.columns(rate=rate)


def write_csv(film: Film, path: str | Path, *, rate: float | None = None) -> Path:
    """Write the numbers of a film as .csv, see columns_of(). Returns the path.

    Raises GambolError for another suffix.
    """
    check_suffix(path, "CSV", ".csv")
    return write_columns(path, columns_of(film, rate=rate))
