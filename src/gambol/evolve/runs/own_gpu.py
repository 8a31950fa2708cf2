"""A preload for workers of Dask: each gets a graphics processor of its own.

    dask worker tcp://HOST:8786 --nthreads 1 --nworkers 4 --preload gambol.evolve.runs.own_gpu

A worker takes the first processor that no other worker of the machine has taken, and sets CUDA_VISIBLE_DEVICES, so that
"cuda" is this processor. A lock on a file marks it as taken until the worker ends, however it ends.
"""

import os
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from gambol.errors import GambolError
from gambol.world.device_state import FIRST_DEVICE, device_named

VISIBLE = "CUDA_VISIBLE_DEVICES"

_kept: list[int] = []
"""Descriptors of the locked files of this process: closing one would release its processor."""


def dask_setup(_worker: Any) -> None:
    """Take a graphics processor for this worker. Raises GambolError if no processor is left."""
    name = take_processor(os.environ.get(VISIBLE, ""))
    os.environ[VISIBLE] = name
    try:
        device_named(FIRST_DEVICE)
    except GambolError as error:
        raise GambolError(
            f"there is no graphics processor {name} for this worker ({error}); start one worker for each"
        ) from error


def take_processor(visible: str) -> str:
    """Return the name of a processor that no other process of this machine has taken, and take it.

    visible: names of the processors, see CUDA_VISIBLE_DEVICES; empty for all. Raises GambolError if all are taken.
    """
    names: Iterator[str] = iter(visible.split(",")) if visible else map(str, count())
    for name in names:
        if _take(name.strip()):
            return name.strip()
    raise GambolError(f"all graphics processors of {VISIBLE}={visible} are taken; start one worker for each of them")


def _take(name: str) -> bool:
    """Take the processor of this name, and return True if it was free."""
    import fcntl  # absent on Windows, where no cluster runs

    path = Path(tempfile.gettempdir()) / f"gambol-{os.getuid()}-gpu-{name}.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    _kept.append(descriptor)
    return True
