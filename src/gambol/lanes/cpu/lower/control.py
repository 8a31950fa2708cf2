"""Lowering of calls, branches and loops. Branches and loops run if their condition is true in any lane, and leave the
values of all other lanes unchanged.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gambol.lanes.cpu.lower.context import write_postponement
from gambol.lanes.cpu.lower.in_place import InPlaceCarry
from gambol.lanes.cpu.lower.instructions import Writer
from gambol.lanes.cpu.lower.lane_types import LaneTypes
from gambol.lanes.cpu.lower.uses import inputs_used
from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

InPlace: TypeAlias = Mapping[int, Mapping[int, int]]
"""The branches that change the carry of a scan in place: by index of the operation, the arena index of each result."""

NOT_IN_PLACE: InPlace = {}
RESULTS = -1
"""The key of the address of all results of a call; other keys are the indices of the results."""


class BodyWriter(Writer, ABC):
    """The text of a function that computes bodies.

    active: mask of the lanes whose results are used. array_masks: this mask at the allocation of each array, by
    address.
    """

    active = "%active"

    def __init__(self, types: LaneTypes, table: Callable[[tuple[float, ...]], str]) -> None:
        super().__init__(types, table)
        self.array_masks: dict[str, str] = {}

    @abstractmethod
    def run(self, body: Body, args: list[str], parts: Sequence[int], active: str) -> dict[int, str]:
        """Write a body or a call of it. parts: indices of the results to return; active: mask of its lanes."""

    @abstractmethod
    def emit(self, body: Body, known: dict[int, str], in_place: InPlace = NOT_IN_PLACE) -> list[str]:
        """Write the operations of a body; return their values.

        known: values of inputs, by index; in_place: see InPlace.
        """

    @abstractmethod
    def fetch(self, k: int) -> str:
        """Load input or capture k."""

    @abstractmethod
    def arena_index_of_input(self, k: int) -> int | None:
        """Return the index in the arena to which input k is copied when the function begins, or None."""

    @abstractmethod
    def index_table(self, values: tuple[int, ...]) -> str:
        """Return the name of a constant table of indices in the arena."""

    @abstractmethod
    def in_place(self, body: Body) -> str:
        """Return the name of a function that replaces the first inputs of a body by its results, in lanes of a mask."""


def _write_call(f: BodyWriter, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    return f.run(op.extra, args, parts, f.active) | {RESULTS: f.area("results", len(op.extra.outputs))}


def _write_when(f: BodyWriter, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    real, mask, body = f.types.real, f.both(f.active, args[0]), op.extra
    alternative, inputs = args[1 : 1 + len(body.outputs)], args[1 + len(body.outputs) :]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    before = f.block
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    postponed = write_postponement(f, body.rarity, mask, join) if body.rarity and f.types.lanes > 1 else None
    results = f.run(body, inputs, parts, mask)
    selected = {
        k: f.new(f"select {f.types.mask} {mask}, {real} {x}, {real} {alternative[k]}") for k, x in results.items()
    }
    after = f.block
    f.lines.append(f"  br label %{join}")
    f.start(join)
    unchanged = [block for block in (before, postponed) if block]
    return {
        k: f.new(", ".join([f"phi {real} [ {x}, %{after} ]", *(f"[ {alternative[k]}, %{b} ]" for b in unchanged)]))
        for k, x in selected.items()
    }


def write_in_place(
    f: BodyWriter, op: Op, args: list[str], carry: tuple[int, InPlaceCarry, dict[int, str]]
) -> dict[int, str]:
    """Write a `when` that belongs to a chain, see in_place.py.

    carry: the index of the operation, its chain, and the memory of each chain by index of its first operation.
    """
    index, chain, states = carry
    mask, body, count = f.both(f.active, args[0]), op.extra, len(op.extra.outputs)
    inputs = args[1 + count :]
    if index == chain.first:
        states[index] = f.area("state", len(inputs), shared=False)
        for k in range(count):
            f.store(inputs[k], states[index], k)
    state = states[chain.first]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    for k in range(count, len(inputs)):
        f.store(inputs[k], state, k)
    f.lines.append(f"  call void {f.in_place(body)}(ptr {state}, {f.types.mask} {mask}, ptr %context)")
    f.reloads.version += 1
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return {k: f.load(state, k) if index == chain.last else "" for k in range(count)}


def store_where(f: Writer, mask: str, value: str, area: str, k: int) -> None:
    """Store a value as entry k of an area in the lanes of a mask."""
    old = f.load(area, k)
    f.store(f.new(f"select {f.types.mask} {mask}, {f.types.real} {value}, {f.types.real} {old}"), area, k)


def _write_loop(f: BodyWriter, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    """Write a loop, which runs while any lane is active. A lane stops when its condition is False; a lane whose
    results are not used does not start.
    """
    condition, body = op.extra
    count = len(body.outputs)
    captures, body_captures = args[count : count + len(condition.captured)], args[count + len(condition.captured) :]
    state = f.area("state", count, shared=False)
    for k, value in enumerate(args[:count]):
        f.store(value, state, k)
    head, work, done = f.label("head"), f.label("work"), f.label("done")
    before = f.block
    f.lines.append(f"  br label %{head}")
    f.start_loop(head)
    previous, active = f.label("%previous"), f.label("%active")
    f.lines.append(f"  {previous} = phi {f.types.mask} [ {f.active}, %{before} ], [ {active}, %{work}.end ]")
    known = {k: f.load(state, k) for k in inputs_used(condition)}
    known |= {count + k: x for k, x in enumerate(captures)}
    result: int = condition.outputs[0]
    outer, f.active = f.active, previous
    holds = f.emit(condition, known)[result]
    f.active = outer
    f.lines.append(f"  {active} = and {f.types.mask} {previous}, {holds}")
    f.lines.append(f"  br i1 {f.any(active)}, label %{work}, label %{done}")
    f.start(work)
    old = [f.load(state, k) for k in range(count)]
    new = f.run(body, [*old, *body_captures], range(count), active)
    for k, x in new.items():
        f.store(f.new(f"select {f.types.mask} {active}, {f.types.real} {x}, {f.types.real} {old[k]}"), state, k)
    f.lines.append(f"  br label %{work}.end")
    f.start(f"{work}.end")
    f.lines.append(f"  br label %{head}")
    f.start(done)
    return {k: f.load(state, k) for k in parts}


WRITERS = {"call": _write_call, "when": _write_when, "loop": _write_loop}
