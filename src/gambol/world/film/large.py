"""Arrays of films that may be larger than memory: above some size they are in a temporary file, mapped into memory.

The operating system holds the used parts in memory, and writes other parts to the disk. Such arrays are processed in
pieces. The folder is the default of Python's tempfile; the environment variable TMPDIR sets another folder.
"""

import math
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gambol.errors import GambolError

MIN_LARGE_SIZE = 2**25
"""Minimum size of an array in a file [bytes]: most films are smaller, and stay in memory."""

PIECE = 2**18
"""Numbers in one piece of an array: 2 MB, and about ten times as much for intermediate results."""


def large_array(shape: Sequence[int], dtype: DTypeLike = np.float64) -> NDArray[Any]:
    """Return a new array.

    If the array is larger than MIN_LARGE_SIZE, it is in a temporary file, which is deleted together with the array. The
    numbers of the array are not set. Raises GambolError if the disk is full.
    """
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if size <= MIN_LARGE_SIZE:
        return np.empty(shape, dtype)
    try:
        with tempfile.TemporaryFile() as file:
            if hasattr(os, "posix_fallocate"):  # a full disk is an error here, and not a crash at a later write
                os.posix_fallocate(file.fileno(), 0, size)
            return np.memmap(file, dtype, "w+", shape=tuple(shape)).view(np.ndarray)
    except OSError as error:
        raise GambolError(
            f"an array of {size / 1e9:.3g} GB does not fit in {tempfile.gettempdir()} ({error.strerror}); "
            "name a larger folder by the environment variable TMPDIR"
        ) from error


def free_space() -> float:
    """Return the largest total size of large arrays [bytes]: the free space of the disk; infinity if it is unknown."""
    with suppress(OSError):
        return float(shutil.disk_usage(tempfile.gettempdir()).free)
    return math.inf


def pieces(frames: int, numbers: int) -> Iterator[slice]:
    """Yield the frames of an array in order, in pieces of about PIECE numbers. numbers: count of numbers in a frame."""
    count = max(1, PIECE // max(1, numbers))
    for first in range(0, frames, count):
        yield slice(first, min(first + count, frames))


def indices_as_slice(indices: Sequence[int]) -> slice | list[int]:
    """Return consecutive indices as a slice, which avoids a copy of an array; return other indices as a list."""
    first = indices[0] if len(indices) else 0
    if list(indices) == list(range(first, first + len(indices))):
        return slice(first, first + len(indices))
    return list(indices)
