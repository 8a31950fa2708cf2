"""Lowering of a program to LLVM assembly: its functions (functions.py), its tables, and its entry point."""

from collections.abc import Sequence

from gambol.lanes.cpu.lower.control import store_where
from gambol.lanes.cpu.lower.entry import copy_functions, entry_point, load_calls, stack_bound, store_calls
from gambol.lanes.cpu.lower.functions import BodyFunction, DriverFunction, PatternFunction
from gambol.lanes.cpu.lower.instructions import INTRINSIC, Writer
from gambol.lanes.cpu.lower.lane_types import LaneTypes
from gambol.lanes.cpu.lower.loop_entry import LoopFunctions, loop_entry
from gambol.lanes.cpu.lower.loop_program import LoopProgram, as_loop
from gambol.lanes.cpu.lower.pieces import tables
from gambol.lanes.cpu.lower.split import Pattern, is_split, split
from gambol.lanes.cpu.lower.uses import called_once
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Body

# Functions with arrays write a word to each page of their stack memory when they begin ("probe-stack"). Masked loads
# from pages never written, such as those of absent contacts, take AVX-512 a hundred times as long.
ATTRIBUTES = 'noinline nounwind "prefer-vector-width"="512" "min-legal-vector-width"="{bits}"'

# Tells LLVM that the branch of a `when` is rarely taken. It then saves registers only inside the branch.
METADATA = '!0 = !{!"branch_weights", i32 1, i32 1000}\n!1 = !{}\n'


def assembly(body: Body, precision: Precision, lanes: int, rows: tuple[Sequence[int], Sequence[int]]) -> str:
    """Return the LLVM assembly of a whole program.

    body: body of the program; precision, lanes: precision and lanes of its vectors; rows: the number of rows of each
    input array, and of each output array. For the entry point `run(arrays, tables, first, last)` see entry_point().
    """
    types = LaneTypes(precision, lanes)
    module = _Module(types)
    module.chunks += copy_functions(types)
    if program := as_loop(body, types):
        module.inlined = called_once(program.step)
        copies = load_calls(types, rows[0], "%load.block"), store_calls(types, *rows, "%store.block")
        module.chunks += loop_entry(types, program, module.loop_functions(program), sum(rows[0]), copies)
    else:
        module.chunks.append(entry_point(types, module.function(body), *rows))
    return module.text()


class _Module:
    """The functions and tables of a program, as text. inlined: ids of bodies that are inlined where they are called."""

    def __init__(self, types: LaneTypes) -> None:
        self.types = types
        self.inlined: set[int] = set()
        self.names: dict[int, str] = {}
        self.chunks: list[str] = []
        self.constant_tables: dict[tuple[str, ...], str] = {}
        self.index_tables: dict[tuple[int, ...], str] = {}
        self.in_place_names: dict[str, str] = {}
        self.bodies: list[Body] = []  # keeps the bodies alive, so that no id is reused

    def function(self, body: Body) -> str:
        """Return the name of the function of a body; write the function at the first call."""
        if id(body) not in self.names:
            self.bodies.append(body)
            name = self.names[id(body)] = f"@{_identifier(body.name)}.{len(self.names)}"
            if is_split(body):
                self._add_pieces(name, body)
            else:
                self.chunks.append(BodyFunction(self, body).text(name))
        return self.names[id(body)]

    def in_place(self, body: Body) -> str:
        """Return the name of a function that replaces the first inputs of a body by its results, in lanes of a mask."""
        function = self.function(body)
        if function not in self.in_place_names:
            self.in_place_names[function] = name = f"{function}.in_place"
            f = Writer(self.types, self.table)
            results = f.area("results", len(body.outputs))
            f.lines.append(f"  call void {function}(ptr %state, ptr {results}, ptr %context, {self.types.mask} %mask)")
            for k in range(len(body.outputs)):
                store_where(f, "%mask", f.load(results, k), "%state", k)
            head = f"define internal void {name}(ptr %state, {self.types.mask} %mask, ptr %context) #0 {{\nentry:"
            self.chunks.append(f.definition(head))
        return self.in_place_names[function]

    def loop_functions(self, program: LoopProgram) -> LoopFunctions:
        """Return the names of the functions of a program that is one loop."""
        condition = BodyFunction(self, program.condition).condition_text("@unfinished", program.condition_captures)
        self.chunks += [condition, BodyFunction(self, program.step).step_text("@step")]
        return LoopFunctions(self.function(program.prepare), "@unfinished", "@step")

    def _add_pieces(self, name: str, body: Body) -> None:
        """Write the function of a long body, which runs its pieces in order."""
        split_body = split(body)
        functions: dict[Pattern, str] = {}
        for piece in split_body.pieces:
            if piece.pattern not in functions:
                functions[piece.pattern] = function = f"{name}.{len(functions)}"
                self.chunks.append(PatternFunction(self, piece.pattern).text(function))
        self.chunks += tables(name, self.types, split_body, functions)
        self.chunks.append(DriverFunction(self, split_body).text(name))

    def table(self, values: tuple[float, ...]) -> str:
        """Return the name of a constant table."""
        one = LaneTypes(self.types.precision, 1)
        entries = tuple(f"{one.scalar} {one.constant(x)}" for x in values)
        return self.constant_tables.setdefault(entries, f"@table.{len(self.constant_tables)}")

    def index_table(self, values: tuple[int, ...]) -> str:
        """Return the name of a constant table of indices in an arena."""
        return self.index_tables.setdefault(values, f"@indices.{len(self.index_tables)}")

    def text(self) -> str:
        """Return the text of the whole module."""
        tables: list[str] = []
        for values, name in self.index_tables.items():
            entries = ", ".join(f"i32 {n}" for n in values)
            tables.append(f"{name} = private constant [{len(values)} x i32] [{entries}]")
        for entries, name in self.constant_tables.items():
            numbers = f"[{len(entries)} x {self.types.scalar}] [{', '.join(entries)}]"
            tables.append(f"{name} = private constant {numbers}")
        declared = [
            f"declare {self.types.real} @llvm.{name}.{self.types.suffix}({', '.join([self.types.real] * count)})"
            for name, count in INTRINSIC.items()
        ]
        shared = ATTRIBUTES.format(bits=max(64, 8 * self.types.bytes * self.types.lanes))
        attributes = f'attributes #0 = {{ {shared} }}\nattributes #1 = {{ {shared} "probe-stack"="inline-asm" }}'
        bound = stack_bound(self.chunks, self.types)
        return "\n".join([*tables, *declared, *self.chunks, bound, attributes, METADATA])


def _identifier(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name)
