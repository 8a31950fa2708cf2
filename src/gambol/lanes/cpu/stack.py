"""Threads with a stack that is large enough for a program.

A thread of Linux has 8 MB of stack unless someone asks for more, and a program that needs more ends the process with a
segmentation fault. A humanoid's step of 110,000 instructions needs more in 16 lanes.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gambol.lanes.target import Entry

SAFE_BYTES = 4 * 2**20
"""Stack memory that is left in every thread: half of what Linux gives, the rest is for Python and for libraries."""

MARGIN = 2**20  # [bytes], for what calls the program
_STARTING = threading.Lock()  # the size of new stacks is one setting for the whole process


@dataclass(frozen=True)
class LargeFrameEntry:
    """An entry point that is called on a thread with enough stack for it. entry: itself; stack_bytes: what it needs."""

    entry: Entry
    stack_bytes: int

    def __call__(self, arrays: Any, tables: Any, first: int, last: int) -> None:
        """Call the entry point, and return when it is done."""
        run_on_large_stack(lambda: self.entry(arrays, tables, first, last), self.stack_bytes)


def run_on_large_stack(work: Callable[[], None], stack_bytes: int) -> None:
    """Run a function on a thread of its own with this much stack memory [bytes], and return when it is done.

    The memory is reserved, and taken only where it is written. Starting the thread takes some 0.1 ms.
    """
    pool = ThreadPoolExecutor(1)
    with _STARTING:
        before = threading.stack_size((stack_bytes // MARGIN + 2) * MARGIN)
        try:
            done = pool.submit(work)
        finally:
            threading.stack_size(before)
    with pool:  # waits for the thread also if Ctrl-C ends result(): the program writes to arrays that must live
        done.result()
