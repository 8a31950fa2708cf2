"""Schedules: programs that run one after the other in one call, once or repeatedly until a row of numbers is small.

A call of a program from Python takes about a microsecond, as long as a small program itself. A loop in machine code
calls the entry points instead:

    do  for each range of blocks of each stage: entry(arrays, tables, first, last)
    while  max(row) > tolerance  and  the number of repetitions is below a limit

Several threads run the same loop. They divide the blocks of a range evenly, and wait for each other after it, so that
each block is computed from the same numbers as by one thread.
"""

import ctypes
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.barrier import WAIT, Barrier, yield_address
from gambol.lanes.kept_threads import run_in_threads
from gambol.lanes.machine_code import machine_code
from gambol.lanes.program import BoundProgram
from gambol.lanes.target import Entry

Array = NDArray[Any]
Ranges = Sequence[tuple[int, int]]
"""Ranges of blocks, each from its first block to the one after its last."""

MIN_BLOCKS = 8
"""Least blocks of a range for each thread; smaller ranges are computed by one thread, as a barrier takes 0.2 to 1 us, a
block of a small program 0.1 us."""

DIVIDED, LAST_OF_PHASE = 1, 2
"""Flags of a range: its blocks are divided among threads; threads wait for each other after it."""

CONTROL_WORDS = 6
"""Words of a thread's control: addresses of counts, bounds, barrier and the system's yield; the thread, and threads."""


class Schedule:
    """Bound programs that run one after the other in one call.

    threads: number of threads, which divide the blocks of each stage; results are equal for any number.
    """

    def __init__(self, stages: Sequence[BoundProgram], threads: int = 1) -> None:
        self.stages, self.threads = tuple(stages), threads
        self._ranges: list[Ranges] = [[(0, stage.blocks)] for stage in self.stages]
        self._addresses, self._is_set = [stage_fields(stage) for stage in self.stages], False
        self._entry = _loop(self.stages, "double")
        self._counts, self._bounds = np.zeros((threads, 4), np.int64), np.zeros((threads, 2))
        self._control = np.zeros((threads, CONTROL_WORDS), np.int64)
        self._first_control = self._control.ctypes.data
        self._abandoned: list[Barrier] = []
        self._renew_barrier()

    def __call__(self) -> None:
        """Run all stages."""
        if not self._is_set:
            self._set_items()
        if self.threads == 1 or not self._is_divided:
            self._control[0, CONTROL_WORDS - 1] = 1
            self._entry(self._items, self._first_control, 0, self._count)
            return
        self._control[0, CONTROL_WORDS - 1] = self.threads
        controls = [self._control[k].ctypes.data for k in range(self.threads)]
        try:
            run_in_threads([partial(self._entry, self._items, c, 0, self._count) for c in controls], self.threads)
        except BaseException:  # such as Ctrl-C before all threads began
            former = self._barrier
            former.abandon()
            self._renew_barrier()
            self._abandoned.append(former)  # threads that leave it may still read it
            raise

    def resize(self, stage: BoundProgram, blocks: int) -> None:
        """Let a stage compute only its first blocks."""
        self.divide(stage, [(0, blocks)])

    def divide(self, stage: BoundProgram, ranges: Ranges) -> None:
        """Let a stage compute ranges of blocks, from first to last - 1, one after the other.

        With several threads, no block of a range may depend on another block of that range.
        """
        self._ranges[self.stages.index(stage)] = ranges
        self._is_set = False

    def _set_items(self) -> None:
        """Set the fields of all ranges."""
        self._is_set = True
        items = [(*fields, *r) for fields, ranges in zip(self._addresses, self._ranges, strict=True) for r in ranges]
        flags = [DIVIDED * (last - first >= MIN_BLOCKS * self.threads > MIN_BLOCKS) for *_, first, last in items]
        waits = [LAST_OF_PHASE * (a | b) for a, b in pairwise([*flags, DIVIDED])]
        fields = [x for item, a, b in zip(items, flags, waits, strict=True) for x in (*item, a | b)]
        self._is_divided, self._count = any(flags), len(items)
        self._items = (ctypes.c_int64 * max(1, len(fields)))(*fields)

    def _renew_barrier(self) -> None:
        """Set the control of all threads, with a new barrier."""
        self._barrier = Barrier()
        for k in range(self.threads):
            fixed = self._barrier.address, yield_address(), k, self.threads
            self._control[k] = 0, self._bounds[k].ctypes.data, *fixed


class RepeatedSchedule(Schedule):
    """Bound programs that run again and again until no number of a row exceeds a tolerance.

    row: a row that the stages write (n,); threads: see Schedule.
    """

    def __init__(self, stages: Sequence[BoundProgram], row: Array, threads: int = 1) -> None:
        super().__init__(stages, threads)
        self._row = row
        self._entry = _loop(self.stages, "double" if row.dtype == np.float64 else "float")
        self._counts[:, 0], self._counts[:, 1] = row.ctypes.data, row.size

    def resize_row(self, size: int) -> None:
        """Let only the first numbers of the row count."""
        self._counts[:, 1] = size

    def repeat(self, limit: int, tolerance: float) -> tuple[int, float]:
        """Run the stages until the row's maximum is at most the tolerance, or `limit` times.

        Returns how often they ran, at least once, and the maximum.
        """
        self._counts[:, 2], self._bounds[:, 0] = limit, tolerance
        self()
        return int(self._counts[0, 3]), float(self._bounds[0, 1])

    def _renew_barrier(self) -> None:
        """Set the control of all threads, with the addresses of their counts."""
        super()._renew_barrier()
        for k in range(self.threads):
            self._control[k, 0] = self._counts[k].ctypes.data


def stage_fields(stage: BoundProgram) -> tuple[int, int, int]:
    """Return the addresses of a stage's entry point, of its arrays and of its tables."""
    entry: Any = getattr(stage.entry, "entry", stage.entry)  # see LargeFrameEntry
    address = ctypes.cast(entry, ctypes.c_void_p).value or 0
    return address, ctypes.addressof(stage.addresses), ctypes.addressof(stage.tables)


def _loop(stages: Sequence[BoundProgram], real: str) -> Entry:
    """Return the loop over stages; real: the type of the row."""
    widen = "fpext float %x to double" if real == "float" else "fadd double %x, 0.0"
    return on_large_stack(LOOP.format(real=real, widen=widen, wait=WAIT), stages)


def on_large_stack(text: str, stages: Sequence[BoundProgram]) -> Entry:
    """Return the compiled loop of a text that calls stages, on a thread with enough stack memory for them."""
    from gambol.lanes.cpu.machine import LargeFrameEntry

    entry = machine_code(text)[0]
    large = [stage.entry.stack_bytes for stage in stages if isinstance(stage.entry, LargeFrameEntry)]
    return LargeFrameEntry(entry, max(large)) if large else entry


# arguments: ranges of stages; the control of a thread, see CONTROL_WORDS, whose counts are null, or the addresses of
# (row, its length, limit, repetitions), beside the bounds (tolerance, maximum); first and last range
LOOP = """{wait}
%range = type {{ptr, ptr, ptr, i64, i64, i64}}
define void @run(ptr %stages, ptr %control, i64 %first, i64 %last) {{
entry:
  %counts = load ptr, ptr %control
  %bounds.at = getelementptr ptr, ptr %control, i64 1
  %bounds = load ptr, ptr %bounds.at
  %barrier.at = getelementptr ptr, ptr %control, i64 2
  %barrier = load ptr, ptr %barrier.at
  %yield.at = getelementptr ptr, ptr %control, i64 3
  %yield = load ptr, ptr %yield.at
  %thread.at = getelementptr i64, ptr %control, i64 4
  %thread = load i64, ptr %thread.at
  %threads.at = getelementptr i64, ptr %control, i64 5
  %threads = load i64, ptr %threads.at
  %alone = icmp eq i64 %threads, 1
  %is.first = icmp eq i64 %thread, 0
  %thread.next = add i64 %thread, 1
  br label %round
round:
  %n = phi i64 [ 0, %entry ], [ %n.next, %checked ]
  br label %head
head:
  %k = phi i64 [ %first, %round ], [ %k.next, %all ], [ %k.next, %part.end ], [ %k.next, %meet ]
  %more = icmp slt i64 %k, %last
  br i1 %more, label %stage, label %done
stage:
  %s = getelementptr %range, ptr %stages, i64 %k
  %call = load ptr, ptr %s
  %arrays.at = getelementptr %range, ptr %s, i64 0, i32 1
  %arrays = load ptr, ptr %arrays.at
  %tables.at = getelementptr %range, ptr %s, i64 0, i32 2
  %tables = load ptr, ptr %tables.at
  %begin.at = getelementptr %range, ptr %s, i64 0, i32 3
  %begin = load i64, ptr %begin.at
  %end.at = getelementptr %range, ptr %s, i64 0, i32 4
  %end = load i64, ptr %end.at
  %flags.at = getelementptr %range, ptr %s, i64 0, i32 5
  %flags = load i64, ptr %flags.at
  %k.next = add i64 %k, 1
  br i1 %alone, label %all, label %divide
all:
  call void %call(ptr %arrays, ptr %tables, i64 %begin, i64 %end)
  br label %head
divide:
  %flag = and i64 %flags, 1
  %divided = icmp eq i64 %flag, 1
  %count = sub i64 %end, %begin
  %low.product = mul i64 %count, %thread
  %low.part = sdiv i64 %low.product, %threads
  %high.product = mul i64 %count, %thread.next
  %high.part = sdiv i64 %high.product, %threads
  %low.divided = add i64 %begin, %low.part
  %high.divided = add i64 %begin, %high.part
  %low.whole = select i1 %is.first, i64 %begin, i64 %end
  %low = select i1 %divided, i64 %low.divided, i64 %low.whole
  %high = select i1 %divided, i64 %high.divided, i64 %end
  %some = icmp slt i64 %low, %high
  br i1 %some, label %part, label %part.end
part:
  call void %call(ptr %arrays, ptr %tables, i64 %low, i64 %high)
  br label %part.end
part.end:
  %wait.flag = and i64 %flags, 2
  %waits = icmp eq i64 %wait.flag, 2
  br i1 %waits, label %meet, label %head
meet:
  call void @wait(ptr %barrier, i64 %threads, ptr %yield)
  br label %head
done:
  %once = icmp eq ptr %counts, null
  br i1 %once, label %end.run, label %check
check:
  %row = load ptr, ptr %counts
  %size.at = getelementptr i64, ptr %counts, i64 1
  %size = load i64, ptr %size.at
  br label %max
max:
  %i = phi i64 [ 0, %check ], [ %i.next, %compare ]
  %largest = phi double [ 0.0, %check ], [ %larger, %compare ]
  %left = icmp slt i64 %i, %size
  br i1 %left, label %compare, label %found
compare:
  %x.at = getelementptr {real}, ptr %row, i64 %i
  %x = load {real}, ptr %x.at
  %wide = {widen}
  %above = fcmp ogt double %wide, %largest
  %larger = select i1 %above, double %wide, double %largest
  %i.next = add i64 %i, 1
  br label %max
found:
  br i1 %alone, label %checked, label %settle
settle:
  call void @wait(ptr %barrier, i64 %threads, ptr %yield)
  br label %checked
checked:
  %n.next = add i64 %n, 1
  %limit.at = getelementptr i64, ptr %counts, i64 2
  %limit = load i64, ptr %limit.at
  %ran.at = getelementptr i64, ptr %counts, i64 3
  store i64 %n.next, ptr %ran.at
  %tolerance = load double, ptr %bounds
  %maximum.at = getelementptr double, ptr %bounds, i64 1
  store double %largest, ptr %maximum.at
  %coarse = fcmp ogt double %largest, %tolerance
  %below = icmp slt i64 %n.next, %limit
  %again = and i1 %coarse, %below
  br i1 %again, label %round, label %end.run
end.run:
  ret void
}}
"""
