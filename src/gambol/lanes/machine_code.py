"""Loops that are written in LLVM's assembly language by hand, for work that is not the same in all lanes."""

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.target import Entry


@functools.cache
def machine_code(text: str) -> tuple[Entry, Any]:
    """Return the compiled function `run` of a text, and the engine that holds its code. LLVM is loaded here."""
    from gambol.lanes.cpu import compiler, machine

    return machine.load(compiler.generate(text, compiler.this_processor(), compiler.OPTIMISED))


def run_loop(text: str, arrays: Sequence[NDArray[np.int64]], numbers: Sequence[int], first: int, last: int) -> None:
    """Run a function run(arrays, numbers, first, last); it gets the addresses of contiguous arrays, and of numbers."""
    addresses = (ctypes.c_int64 * len(arrays))(*(a.__array_interface__["data"][0] for a in arrays))
    machine_code(text)[0](addresses, (ctypes.c_int64 * len(numbers))(*numbers), first, last)
