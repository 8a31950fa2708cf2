"""Lowering of bodies to functions, of the pieces of long bodies, and of the functions that run these."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from gambol.lanes.bodies import CONTROL, captured
from gambol.lanes.cpu.lower.arrays import MEMORY_WRITERS, find_array, write_fori, write_view
from gambol.lanes.cpu.lower.context import lanes_without_waiting
from gambol.lanes.cpu.lower.control import NOT_IN_PLACE, WRITERS, BodyWriter, InPlace, store_where, write_in_place
from gambol.lanes.cpu.lower.in_place import in_place_carries
from gambol.lanes.cpu.lower.lane_types import LaneTypes
from gambol.lanes.cpu.lower.loads import Loads, loaded, runs
from gambol.lanes.cpu.lower.order import order_of
from gambol.lanes.cpu.lower.pieces import PIECE_HEAD, run_pieces
from gambol.lanes.cpu.lower.reloads import CONSTANT
from gambol.lanes.cpu.lower.scan import write_branch_in_place, write_scan
from gambol.lanes.cpu.lower.split import Pattern, SplitBody
from gambol.lanes.cpu.lower.uses import inlined_bodies, inputs_used, parts_used
from gambol.lanes.ops import Op
from gambol.lanes.trace import Body, is_array

ALL_WRITERS = {**WRITERS, "fori": write_fori, "scan": write_scan}

BLOCK_OPERATIONS = 150
"""Number of operations in a basic block of a function with loops or branches, and more than one lane. Values in memory
are loaded again in each block, see reloads.py: a step of 16 ants executes 4,500 stores of vectors with blocks of 1000
operations, 3,800 with 200, and 3,600 with 150; with 100 it has a tenth more loads.
"""

LONG_BLOCK_OPERATIONS = 1000
"""Number of operations in a basic block of other functions: the time of LLVM's instruction selection grows as the
square of the loads in a block. The inverse dynamics of a roach with its derivatives compile in 4 s instead of 6. Its
forward dynamics run 4 % faster than in short blocks.
"""


class Functions(Protocol):
    """The functions and tables of a program. types: types of its lanes. inlined: ids of the bodies that every function
    inlines where it calls them.
    """

    types: LaneTypes
    inlined: set[int]

    def function(self, body: Body) -> str:
        """Return the name of the function of a body."""
        ...

    def in_place(self, body: Body) -> str:
        """Return the name of a function that replaces the first inputs of a body by its results, in lanes of a mask."""
        ...

    def table(self, values: tuple[float, ...]) -> str:
        """Return the name of a constant table."""
        ...

    def index_table(self, values: tuple[int, ...]) -> str:
        """Return the name of a constant table of indices in an arena."""
        ...


class BodyFunction(BodyWriter):
    """The text of the function of a body."""

    def __init__(self, module: Functions, body: Body) -> None:
        super().__init__(module.types, module.table)
        self.module = module
        self.body = body
        self.inlined = set(module.inlined)
        self.input_arena_indices: dict[int, int] = {}

    def text(self, name: str) -> str:
        """Return the definition of the function under this name."""
        values = self.emit(self.body, {})
        for k, index in enumerate(self.body.outputs):
            self.store(values[index], "%out", k)
        arguments = f"ptr noalias %in, ptr noalias %out, ptr %context, {self.types.mask} %active"
        return self.definition(f"define internal void {name}({arguments}) #0 {{\nentry:")

    def step_text(self, name: str) -> str:
        """Return the definition of the function of a loop's step, whose state is the first numbers of %in.

        It changes the state in place, in the lanes that do not wait: an ant's step takes 0.99 of the time that it takes
        with a copy of the results. Numbers that the step leaves unchanged are not stored.
        """
        values, ops = self.emit(self.body, {}), self.body.ops
        done = lanes_without_waiting(self, "%active")
        for k, index in enumerate(self.body.outputs):
            if ops[index].name != "input" or ops[index].extra != k:
                store_where(self, done, values[index], "%in", k)
        arguments = f"ptr noalias %in, ptr %context, {self.types.mask} %active"
        return self.definition(f"define internal void {name}({arguments}) #0 {{\nentry:")

    def condition_text(self, name: str, first_capture: int) -> str:
        """Return the definition of the function of a condition, which returns a mask.

        first_capture: index of its first capture in %in, where its inputs come first.
        """
        body = self.body
        known = {k: self.load("%in", k) for k in inputs_used(body)}
        known |= {body.inputs + k: self.load("%in", first_capture + k) for k in range(len(body.captured))}
        mask = self.emit(body, known)[body.outputs[0]]
        self.lines.append(f"  ret {self.types.mask} {mask}")
        arguments = f"ptr noalias %in, ptr %context, {self.types.mask} %active"
        text = self.definition(f"define internal {self.types.mask} {name}({arguments}) #0 {{\nentry:")
        return text.replace("  ret void\n", "", 1)

    def fetch(self, k: int) -> str:
        """Load input or capture k."""
        return self.reloads.add(partial(self.load, "%in", k), self.block, CONSTANT)

    def here(self, value: str) -> str:
        """Return the name of a value in the current block; values in memory are loaded again, except in one lane."""
        return self.reloads.name_in(self.block, value) if self.types.lanes > 1 else value

    def arena_index_of_input(self, k: int) -> int | None:
        """Return the index in the arena to which input k is copied when the function begins."""
        if k not in self.input_arena_indices:
            self.input_arena_indices[k] = self.arena(1)
        return self.input_arena_indices[k]

    def definition(self, head: str) -> str:
        """Return the complete text of the function. head: its first lines."""
        lines, self.lines = self.lines, self.stack
        for first, count, index in runs(sorted(self.input_arena_indices.items())):
            self.copy_inputs(first, count, "%arena", index)
        self.stack, self.lines = self.lines, lines
        return super().definition(head)

    def index_table(self, values: tuple[int, ...]) -> str:
        """Return the name of a constant table of indices in the arena."""
        return self.module.index_table(values)

    def block_length(self) -> int:
        """Return the number of operations in a basic block."""
        is_straight = not any(op.name in CONTROL for op in self.body.ops)
        return LONG_BLOCK_OPERATIONS if is_straight or self.types.lanes == 1 else BLOCK_OPERATIONS

    def order(self, body: Body) -> Sequence[int]:
        """Return the indices of a body's operations in the order in which they are written."""
        return order_of(body)

    def on_value(self, index: int, value: str) -> None:
        """Process a value after it is computed. Subclasses override this."""

    def emit(self, body: Body, known: dict[int, str], in_place: InPlace = NOT_IN_PLACE) -> list[str]:
        """Write the operations of a body; return their values.

        known: values of inputs and captures, by input index; the others are loaded from %in. in_place: see InPlace.
        """
        values = [""] * len(body.ops)
        used, carries, states = parts_used(body), in_place_carries(body), dict[int, str]()
        loads = Loads(self.fetch, self.here, body, known)
        self.inlined |= inlined_bodies(body)
        length = self.block_length()
        for position, index in enumerate(self.order(body)):
            op = body.ops[index]
            if op.name in ("input", "captured"):
                values[index] = loads.defer(index, op)
                if op.name == "captured" and is_array(value := captured(body, op)):
                    find_array(self, loads, loads.slots[index], value.op.extra)
            elif op.name in CONTROL:
                parts = used.get(index, [])
                if index in in_place:
                    args = [loads.value(values, op.args[0]), *(loads.unloaded(values, a) for a in op.args[1:])]
                    results = write_branch_in_place(self, op, args, in_place[index])
                elif index in carries:
                    args = [loads.value(values, a) for a in op.args]
                    results = write_in_place(self, op, args, (index, carries[index], states))
                else:
                    results = ALL_WRITERS[op.name](self, op, loads.arguments(values, op), parts)
                loads.results[index] = results
            elif op.name == "part":
                values[index] = loads.results[op.args[0]].get(op.extra, "")
            elif op.name == "view":
                values[index] = write_view(self, op, body.ops[op.args[0]], loads)
            elif op.name in MEMORY_WRITERS:
                values[index] = MEMORY_WRITERS[op.name](self, op, [loads.value(values, a) for a in op.args])
            else:
                values[index] = self.write_operation(op, [loads.value(values, a) for a in op.args])
            if body is self.body:  # not an inlined body, which numbers its operations from 0
                self.on_value(index, values[index])
            if position % length == length - 1:
                self.split_block()
        for index in body.outputs:
            values[index] = loads.value(values, index)
        return values

    def in_place(self, body: Body) -> str:
        """Return the name of the function of a body that changes its first inputs in place."""
        return self.module.in_place(body)

    def run(self, body: Body, args: list[str], parts: Sequence[int], active: str) -> dict[int, str]:
        """Inline a body if only one operation runs it, else call it.

        parts: indices of the results to return; active: mask of the lanes whose results are used.
        """
        outer, self.active = self.active, active
        results = self._results(body, args, parts)
        self.active = outer
        return results

    def _results(self, body: Body, args: list[str], parts: Sequence[int]) -> dict[int, str]:
        if id(body) in self.inlined:
            values = self.emit(body, dict(enumerate(args)))
            return {k: values[body.outputs[k]] for k in parts}
        area, results = self.pass_arguments(args, body.inputs), self.area("results", len(body.outputs))
        mask = f"{self.types.mask} {self.active}"
        self.lines.append(f"  call void {self.module.function(body)}(ptr {area}, ptr {results}, ptr %context, {mask})")
        self.reloads.version += 1
        return {k: self.load(results, k) for k in parts}


class DriverFunction(BodyFunction):
    """The text of the function of a long body: it runs the pieces, and computes what they cannot."""

    def __init__(self, module: Functions, split_body: SplitBody) -> None:
        super().__init__(module, split_body.driver)
        self.name = ""
        self.inputs = self.body.inputs + len(self.body.captured)
        self.first_slot = split_body.first_loaded - self.inputs
        self.stack.append(f"  %memory = alloca [{split_body.size + 1} x {module.types.real}]")

    def text(self, name: str) -> str:
        """Return the definition of the function under this name."""
        self.name = name
        self.copy("%in", "%memory", self.inputs)
        return super().text(name)

    def write_operation(self, op: Op, a: list[str]) -> str:
        """Append an operation; see split.SplitBody for "pieces" and "keep"."""
        if op.name == "pieces":
            run_pieces(self, self.name, op.extra)
            return ""
        if op.name == "keep":
            self.store(a[0], "%memory", op.extra)
            return ""
        return super().write_operation(op, a)

    def order(self, body: Body) -> Sequence[int]:
        """Return operations as they are: the driver keeps values for pieces, and reads those of pieces before it."""
        return range(len(body.ops))

    def fetch(self, k: int) -> str:
        """Load input k, or a value of a piece."""
        return super().fetch(k) if k < self.inputs else self.load("%memory", self.first_slot + k)

    def arena_index_of_input(self, k: int) -> int | None:
        """Return the index in the arena of an input; None for a value of a piece."""
        return super().arena_index_of_input(k) if k < self.inputs else None

    def copy_inputs(self, first: int, count: int, area: str, k: int) -> None:
        """Copy inputs, or values of pieces, to an area."""
        given = max(0, min(count, self.inputs - first))
        if given:
            super().copy_inputs(first, given, area, k)
        if given < count:
            real, start = self.types.real, self.first_slot + first + given
            source = self.new(f"getelementptr {real}, ptr %memory, i64 {start}")
            self.copy(source, self.new(f"getelementptr {real}, ptr {area}, i64 {k + given}"), count - given)


class PatternFunction(BodyFunction):
    """The text of the function of a pattern. Its inputs and outputs are in the memory shared by all pieces."""

    def __init__(self, module: Functions, pattern: Pattern) -> None:
        super().__init__(module, pattern.body)
        self.outputs = {index: k + pattern.body.inputs for k, index in enumerate(pattern.body.outputs)}

    def text(self, name: str) -> str:
        """Return the definition of the function under this name."""
        self.emit(self.body, {})
        return self.definition(PIECE_HEAD.format(name=name, mask=self.types.mask))

    def _address(self, k: int) -> str:
        address = self.new(f"getelementptr i32, ptr %offsets, i64 {k}")
        offset = self.new(f"load i32, ptr {address}, !invariant.load !1")
        return self.new(f"getelementptr i8, ptr %work, i64 {self.new(f'zext i32 {offset} to i64')}")

    def fetch(self, k: int) -> str:
        """Load input k, a value that another piece computed."""
        address = self._address(k)
        return self.new(f"load {self.types.real}, ptr {address}")

    def arena_index_of_input(self, k: int) -> int | None:
        """Return None: the values of other pieces differ between the pieces of this pattern."""
        return None

    def copy_inputs(self, first: int, count: int, area: str, k: int) -> None:
        """Copy inputs to an area one by one: they are not contiguous in the memory of the pieces."""
        for i in range(count):
            self.store(self.fetch(first + i), area, k + i)

    def on_value(self, index: int, value: str) -> None:
        """Store a value that other pieces use."""
        if index in self.outputs:
            address = self._address(self.outputs[index])
            self.lines.append(f"  store {self.types.real} {loaded(value, self.fetch)}, ptr {address}")
