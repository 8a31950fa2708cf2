"""Schedules: programs that run one after the other in one call, once or repeatedly until a row of numbers is small.

A call of a program from Python takes about a microsecond, as long as a small program itself. A loop in machine code
calls the entry points instead:

    do  for each stage: entry(arrays, tables, 0, blocks)
    while  max(row) > tolerance  and  the number of repetitions is below a limit
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.machine_code import machine_code
from gambol.lanes.program import BoundProgram
from gambol.lanes.target import Entry

Array = NDArray[Any]

STAGE_FIELDS = 4
"""Fields of a stage: address of the entry point, of its arrays and of its tables, and the number of blocks."""


class Schedule:
    """Bound programs that run one after the other in one call."""

    def __init__(self, stages: Sequence[BoundProgram]) -> None:
        self.stages = tuple(stages)
        fields = [x for stage in self.stages for x in _fields(stage)]
        self._stages = (ctypes.c_int64 * max(1, len(fields)))(*fields)
        self._count = len(self.stages)
        self._entry = _loop(self.stages, "double")

    def __call__(self) -> None:
        """Run all stages."""
        self._entry(self._stages, None, 0, self._count)

    def resize(self, stage: BoundProgram, blocks: int) -> None:
        """Let a stage compute only its first blocks."""
        self._stages[STAGE_FIELDS * self.stages.index(stage) + STAGE_FIELDS - 1] = blocks


class RepeatedSchedule(Schedule):
    """Bound programs that run again and again until no number of a row exceeds a tolerance.

    row: a row that the stages write (n,).
    """

    def __init__(self, stages: Sequence[BoundProgram], row: Array) -> None:
        super().__init__(stages)
        self._row = row
        self._entry = _loop(self.stages, "double" if row.dtype == np.float64 else "float")
        self._counts = np.array([row.ctypes.data, row.size, 0, 0], np.int64)
        self._bounds = np.zeros(2)
        self._control = (ctypes.c_int64 * 2)(self._counts.ctypes.data, self._bounds.ctypes.data)

    def resize_row(self, size: int) -> None:
        """Let only the first numbers of the row count."""
        self._counts[1] = size

    def repeat(self, limit: int, tolerance: float) -> tuple[int, float]:
        """Run the stages until the row's maximum is at most the tolerance, or `limit` times.

        Returns how often they ran, at least once, and the maximum.
        """
        self._counts[2], self._bounds[0] = limit, tolerance
        self._entry(self._stages, self._control, 0, self._count)
        return int(self._counts[3]), float(self._bounds[1])


def _fields(stage: BoundProgram) -> tuple[int, int, int, int]:
    """Return the fields of a stage, see STAGE_FIELDS."""
    entry: Any = getattr(stage.entry, "entry", stage.entry)  # see LargeFrameEntry
    address = ctypes.cast(entry, ctypes.c_void_p).value or 0
    return address, ctypes.addressof(stage.addresses), ctypes.addressof(stage.tables), stage.blocks


def _loop(stages: Sequence[BoundProgram], real: str) -> Entry:
    """Return the loop over stages, on a thread with enough stack memory for them; real: the type of the row."""
    from gambol.lanes.cpu.machine import LargeFrameEntry

    widen = "fpext float %x to double" if real == "float" else "fadd double %x, 0.0"
    entry = machine_code(LOOP.format(real=real, widen=widen))[0]
    large = [stage.entry.stack_bytes for stage in stages if isinstance(stage.entry, LargeFrameEntry)]
    return LargeFrameEntry(entry, max(large)) if large else entry


# arguments: stages; control, which is null or the addresses of (row, its length, limit, repetitions) and of (tolerance,
# maximum); first and last stage
LOOP = """define void @run(ptr %stages, ptr %control, i64 %first, i64 %last) {{
entry:
  br label %round
round:
  %n = phi i64 [ 0, %entry ], [ %n.next, %checked ]
  br label %head
head:
  %k = phi i64 [ %first, %round ], [ %k.next, %stage ]
  %more = icmp slt i64 %k, %last
  br i1 %more, label %stage, label %done
stage:
  %s = getelementptr {{ptr, ptr, ptr, i64}}, ptr %stages, i64 %k
  %call = load ptr, ptr %s
  %arrays.at = getelementptr {{ptr, ptr, ptr, i64}}, ptr %s, i64 0, i32 1
  %arrays = load ptr, ptr %arrays.at
  %tables.at = getelementptr {{ptr, ptr, ptr, i64}}, ptr %s, i64 0, i32 2
  %tables = load ptr, ptr %tables.at
  %blocks.at = getelementptr {{ptr, ptr, ptr, i64}}, ptr %s, i64 0, i32 3
  %blocks = load i64, ptr %blocks.at
  call void %call(ptr %arrays, ptr %tables, i64 0, i64 %blocks)
  %k.next = add i64 %k, 1
  br label %head
done:
  %once = icmp eq ptr %control, null
  br i1 %once, label %end, label %check
check:
  %counts = load ptr, ptr %control
  %bounds.at = getelementptr ptr, ptr %control, i64 1
  %bounds = load ptr, ptr %bounds.at
  %row = load ptr, ptr %counts
  %size.at = getelementptr i64, ptr %counts, i64 1
  %size = load i64, ptr %size.at
  br label %max
max:
  %i = phi i64 [ 0, %check ], [ %i.next, %compare ]
  %largest = phi double [ 0.0, %check ], [ %larger, %compare ]
  %left = icmp slt i64 %i, %size
  br i1 %left, label %compare, label %checked
compare:
  %x.at = getelementptr {real}, ptr %row, i64 %i
  %x = load {real}, ptr %x.at
  %wide = {widen}
  %above = fcmp ogt double %wide, %largest
  %larger = select i1 %above, double %wide, double %largest
  %i.next = add i64 %i, 1
  br label %max
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
  br i1 %again, label %round, label %end
end:
  ret void
}}
"""
