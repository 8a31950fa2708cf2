"""Procedures: bound programs that run one after the other in one call, with branches and loops on numbers in memory.

    If(x, steps)         the steps, if x > 0
    DoWhile(steps, x)    the steps, and again while x > 0

Programs write the numbers x. So a computation that goes on until a condition holds, and takes other steps where others
do, needs no call from Python in between. A procedure runs in one thread.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes.ops import Precision
from gambol.lanes.program import BoundProgram
from gambol.lanes.schedule import Ranges, on_large_stack, stage_fields

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class If:
    """Steps that are taken if a number is more than 0; number: an array of one number that programs write."""

    number: Array
    steps: "Sequence[Step]"


@dataclass(frozen=True, eq=False)
class DoWhile:
    """Steps that are taken once, and again while a number is more than 0; number: as for If."""

    steps: "Sequence[Step]"
    number: Array


Step: TypeAlias = BoundProgram | If | DoWhile

WORDS, FIRST, LAST = 7, 3, 4
"""Words of an item: entry point or 0, arrays, tables, first block, block after the last; or the address of a number and
the item to go on with. Items before it are gone back to if the number is more than 0, later ones if it is not."""


class Procedure:
    """Steps that run one after the other in one call.

    steps: a program may be several of them, always with the same blocks; precision: of the numbers of conditions.
    Raises GambolError for numbers of another precision or count.
    """

    def __init__(self, steps: Sequence[Step], precision: Precision) -> None:
        self._steps = tuple(steps)
        self.stages = tuple(_stages(self._steps))
        self._ranges: dict[int, Ranges] = {id(stage): [(0, stage.blocks)] for stage in self.stages}
        for number in _conditions(self._steps):
            if number.size != 1 or number.dtype != np.dtype(precision):
                raise GambolError(
                    f"the number of a condition must be one of {precision}, not {number.size} of {number.dtype}"
                )
        self._entry = on_large_stack(LOOP.format(real="double" if precision == "float64" else "float"), self.stages)
        self._is_set = False

    def __call__(self) -> None:
        """Take all steps."""
        self._set_items()
        self._entry(self._address_of_items, 0, 0, self._count)

    def as_stage(self) -> BoundProgram:
        """Return the procedure as a step of another one, which ends with the next call of divide()."""
        self._set_items()
        items = ctypes.c_int64.from_address(self._address_of_items)
        return BoundProgram(self._entry, items, (ctypes.c_int64 * 1)(), self._count, self)

    def __contains__(self, stage: BoundProgram) -> bool:
        return id(stage) in self._ranges

    def resize(self, stage: BoundProgram, blocks: int) -> None:
        """Let a stage compute only its first blocks, if it is a step of this procedure."""
        if stage not in self:
            return
        if len(self._ranges[id(stage)]) != 1:
            self.divide(stage, [(0, blocks)])
            return
        self._ranges[id(stage)] = [(0, blocks)]
        if not self._is_set:
            return
        for at in self._places[id(stage)]:
            self._items[at * WORDS + FIRST], self._items[at * WORDS + LAST] = 0, blocks

    def places(self, stages: Sequence[BoundProgram]) -> NDArray[np.int64]:
        """Return the places of stages of one range for resize_places(), until divide() is called again."""
        self._set_items()
        return np.array([WORDS * at + LAST for stage in stages for at in self._places[id(stage)]], np.int64)

    def resize_places(self, places: NDArray[np.int64], blocks: int) -> None:
        """Let the stages at these places compute only their first blocks; faster than resize() for many stages."""
        self._items[places] = blocks

    def divide(self, stage: BoundProgram, ranges: Ranges) -> None:
        """Let a stage compute ranges of blocks, from first to last - 1, one after the other."""
        self._ranges[id(stage)] = ranges
        self._is_set = False

    def _set_items(self) -> None:
        """Set the items, if ranges have changed."""
        if self._is_set:
            return
        self._is_set = True
        items: list[list[int]] = []
        self._places: dict[int, list[int]] = {}
        self._add(items, self._steps)
        words = [word for item in items for word in item]
        self._items, self._count = np.array([*words, 0], np.int64), len(items)
        self._address_of_items = self._items.ctypes.data

    def _add(self, items: list[list[int]], steps: "Sequence[Step]") -> None:
        """Add the items of steps."""
        for step in steps:
            if isinstance(step, BoundProgram):
                self._places.setdefault(id(step), []).append(len(items))
                items += [[*stage_fields(step), *r, 0, 0] for r in self._ranges[id(step)]]
            elif isinstance(step, If):
                test = [0, 0, 0, 0, 0, step.number.ctypes.data, 0]
                items.append(test)
                self._add(items, step.steps)
                test[-1] = len(items)
            else:
                begin = len(items)
                self._add(items, step.steps)
                items.append([0, 0, 0, 0, 0, step.number.ctypes.data, begin])


def _stages(steps: "Sequence[Step]") -> Iterator[BoundProgram]:
    """Yield the programs of steps."""
    for step in steps:
        if isinstance(step, BoundProgram):
            yield step
        else:
            yield from _stages(step.steps)


def _conditions(steps: "Sequence[Step]") -> Iterator[Array]:
    """Yield the numbers of conditions."""
    for step in steps:
        if not isinstance(step, BoundProgram):
            yield step.number
            yield from _conditions(step.steps)


# arguments: items, see WORDS; an address that is not used; first and last item
LOOP = """%item = type {{ptr, ptr, ptr, i64, i64, ptr, i64}}
define void @run(ptr %items, ptr %unused, i64 %first, i64 %last) {{
entry:
  br label %head
head:
  %k = phi i64 [ %first, %entry ], [ %k.next, %call ], [ %k.after, %test ]
  %more = icmp slt i64 %k, %last
  br i1 %more, label %one, label %end
one:
  %it = getelementptr %item, ptr %items, i64 %k
  %stage = load ptr, ptr %it
  %k.next = add i64 %k, 1
  %is.test = icmp eq ptr %stage, null
  br i1 %is.test, label %test, label %call
call:
  %arrays.at = getelementptr %item, ptr %it, i64 0, i32 1
  %arrays = load ptr, ptr %arrays.at
  %tables.at = getelementptr %item, ptr %it, i64 0, i32 2
  %tables = load ptr, ptr %tables.at
  %begin.at = getelementptr %item, ptr %it, i64 0, i32 3
  %begin = load i64, ptr %begin.at
  %end.at = getelementptr %item, ptr %it, i64 0, i32 4
  %blocks.end = load i64, ptr %end.at
  call void %stage(ptr %arrays, ptr %tables, i64 %begin, i64 %blocks.end)
  br label %head
test:
  %number.at = getelementptr %item, ptr %it, i64 0, i32 5
  %number.address = load ptr, ptr %number.at
  %number = load {real}, ptr %number.address
  %target.at = getelementptr %item, ptr %it, i64 0, i32 6
  %target = load i64, ptr %target.at
  %holds = fcmp ogt {real} %number, 0.0
  %is.back = icmp sle i64 %target, %k
  %jumps = icmp eq i1 %holds, %is.back
  %k.after = select i1 %jumps, i64 %target, i64 %k.next
  br label %head
end:
  ret void
}}
"""
