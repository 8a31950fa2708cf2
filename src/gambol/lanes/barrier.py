"""A barrier at which the threads of a schedule wait for each other, in machine code.

Waiting threads spin, since a range of blocks takes some microseconds; after 1,000 rounds they let other threads run.
"""

import ctypes
import os
from typing import Any

import numpy as np

WORDS, ABANDONED = 24, 16
"""Words of a barrier: the number of waiting threads, and in other cache lines how often it opened (8), and 1 if threads
shall wait no longer."""


class Barrier:
    """The memory of a barrier, which is zero before its first use."""

    def __init__(self) -> None:
        self._words = np.zeros(WORDS, np.int64)

    @property
    def address(self) -> int:
        """The address of its memory."""
        return self._words.ctypes.data

    def abandon(self) -> None:
        """Let all threads go on that wait, and that will; the barrier cannot be used again."""
        self._words[ABANDONED] = 1


def yield_address() -> int:
    """Return the address of the system's function that lets other threads run."""
    name = "SwitchToThread" if os.name == "nt" else "sched_yield"
    library: Any = ctypes.CDLL("kernel32" if os.name == "nt" else None)
    return ctypes.cast(library[name], ctypes.c_void_p).value or 0


WAIT = """define void @wait(ptr %barrier, i64 %threads, ptr %yield) noinline {
entry:
  %generation.at = getelementptr i64, ptr %barrier, i64 8
  %abandoned.at = getelementptr i64, ptr %barrier, i64 16
  %generation = load atomic i64, ptr %generation.at acquire, align 8
  %before = atomicrmw add ptr %barrier, i64 1 acq_rel
  %others = sub i64 %threads, 1
  %is.last = icmp eq i64 %before, %others
  br i1 %is.last, label %open, label %spin
open:
  store atomic i64 0, ptr %barrier monotonic, align 8
  %next = add i64 %generation, 1
  store atomic i64 %next, ptr %generation.at release, align 8
  ret void
spin:
  %n = phi i64 [ 1, %entry ], [ %n.next, %check ], [ %n.next, %rest ]
  %now = load atomic i64, ptr %generation.at acquire, align 8
  %abandoned = load atomic i64, ptr %abandoned.at acquire, align 8
  %opened = icmp ne i64 %now, %generation
  %left = icmp ne i64 %abandoned, 0
  %out = or i1 %opened, %left
  br i1 %out, label %end, label %check
check:
  %n.next = add i64 %n, 1
  %low = and i64 %n.next, 1023
  %long = icmp eq i64 %low, 0
  br i1 %long, label %rest, label %spin
rest:
  call i32 %yield()
  br label %spin
end:
  ret void
}
"""
"""The function wait(barrier, threads, yield): returns when this many threads have called it."""
