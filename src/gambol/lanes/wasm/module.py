"""Programs as WebAssembly modules, and the places of their arrays in the module's memory."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from gambol.errors import GambolError
from gambol.lanes.ops import Op, Precision
from gambol.lanes.program_spec import ProgramSpec, operation_count, trace_program, without_garbage_collection
from gambol.lanes.trace import Body
from gambol.lanes.wasm.array_stores import ArrayStores
from gambol.lanes.wasm.bodies import BodyCounts, Frame, Locals, Place
from gambol.lanes.wasm.control import WRITERS
from gambol.lanes.wasm.encoding import (
    CODE,
    EXPORTS,
    FUNCTIONS,
    IMPORTS,
    MAGIC,
    MEMORIES,
    OPCODES,
    TYPES,
    function_code,
    function_type,
    items,
    name,
    section,
    slot,
    unsigned,
)
from gambol.lanes.wasm.instructions import TABLE_ENTRY_BYTES, Operations
from gambol.lanes.wasm.lane_shape import SHAPES
from gambol.lanes.wasm.memory import Memory
from gambol.lanes.wasm.scan import write_scan
from gambol.lanes.wasm.scope import Scope
from gambol.lanes.wasm.software_fma import fusion_probe, replacements, software_fma, software_fnma

EXACT, FMA, FNMA = 0, 1, 2
"""Indices of functions: the imported exact function, and the software functions; functions of bodies follow."""

MAX_MEMORY_BYTES = 2**22
"""Maximum memory of a program without input tables [bytes]: below it, the encoding of an address never contains the
bytes of a relaxed instruction."""

SIGNATURES = (((), ()), (("v128",) * 3, ("v128",)), (("f64",) * 3, ("f64",)))
"""The types of functions: without parameters, of three vectors, of three numbers."""

THREE_NUMBERS = 2  # index of the last of these types


@dataclass(frozen=True)
class WasmModule:
    """A program as a WebAssembly module, of two worlds in float64 or four in float32.

    code: the module. It exports its memory, "memory", and a function without parameters, "run". Before a call, a page
    writes each input at its address, as rows of `lanes` numbers, 16 bytes each. After the call, the outputs are at
    their addresses. The module imports "gambol" "exact_fma", a function of three numbers, which only
    with_software_fma() calls. inputs, outputs: address [bytes] and number of rows of each array. tables: for each
    table, the address at which a page writes the table's own address (32 bits) and, 8 bytes later, its last index (a
    number of the precision). memory_end: the first unused address. functions: begin and end of the section of functions
    in the code. operations: number of traced operations.
    """

    code: bytes
    precision: Precision
    inputs: tuple[tuple[int, int], ...]
    outputs: tuple[tuple[int, int], ...]
    tables: tuple[int, ...]
    memory_end: int
    functions: tuple[int, int]
    operations: int

    @property
    def lanes(self) -> int:
        """The number of worlds."""
        return SHAPES[self.precision].lanes

    def description(self) -> dict[str, Any]:
        """Return the data that program.js needs besides the code, for JSON.

        Instructions are written as hexadecimal numbers.
        """
        shape = SHAPES[self.precision]
        replaced = [[old.hex(), new.hex()] for old, new in replacements(shape, (FMA, FNMA)).items()]
        return {
            "bytes": shape.size,
            "lanes": self.lanes,
            "inputs": self.inputs,
            "outputs": self.outputs,
            "tables": self.tables,
            "end": self.memory_end,
            "functions": self.functions,
            "replaced": replaced,
            "probe": fusion_probe(shape).hex(),
        }

    def with_software_fma(self) -> bytes:
        """Return the module without relaxed instructions, for machines that lack them or do not fuse."""
        first, last = self.functions
        code = self.code[first:last]
        for relaxed, software in replacements(SHAPES[self.precision], (FMA, FNMA)).items():
            code = code.replace(relaxed, software)
        return self.code[:first] + code + self.code[last:]


def wasm_module(spec: ProgramSpec, precision: Precision = "float64", *, uniform: bool = False) -> WasmModule:
    """Return a program as a WebAssembly module.

    It is a short program (ProgramSpec.short). Its results have the same bits as those of the program on this machine's
    processor. uniform: True for a faster module that computes a single world: all lanes must have the same inputs.

    Raises GambolError for an operation that cannot be written, and for a program that needs too much memory; errors of
    the traced function are raised unchanged.
    """
    body, outputs = trace_program(replace(spec, short=True), precision)
    with without_garbage_collection():
        return _Writer(precision, spec.tables, uniform).module(body, spec.rows, outputs)


class _Writer:
    """The functions of a module while they are written; see scope.Module."""

    def __init__(self, precision: Precision, tables: int, uniform: bool) -> None:
        self.precision: Precision = precision
        self.uniform = uniform
        self.shape = SHAPES[precision]
        self.memory = Memory(self.shape)
        self.tables = [self.memory.reserve(TABLE_ENTRY_BYTES) for _ in range(tables)]
        self.operations = Operations(self.shape, self.memory, self.tables)
        self.arrays = ArrayStores(self.memory, uniform)
        self.counts = BodyCounts()
        self.frames: dict[int, Frame] = {}
        self.functions = [software_fma(self.shape, self.memory, EXACT), software_fnma(self.shape, FMA)]

    def module(self, body: Body, rows: Sequence[int], outputs: Sequence[int]) -> WasmModule:
        """Return the module of a program's body. rows, outputs: the number of rows of each input and output."""
        self.counts.add(body)
        frame = self.frame(body, [])
        if self.memory.end > MAX_MEMORY_BYTES:
            size, limit = self.memory.end / 2**20, MAX_MEMORY_BYTES // 2**20
            raise GambolError(
                f'"{body.name}" needs {size:.0f} MiB of memory as WebAssembly; at most {limit} are possible'
            )
        functions = section(FUNCTIONS, items([b"\1", b"\1", *[b"\0"] * (len(self.functions) - 2)]))
        exports = (name("memory") + b"\2\0", name("run") + b"\0" + unsigned(frame.index))
        code = [
            MAGIC,
            section(TYPES, items(function_type(*signature) for signature in SIGNATURES)),
            section(IMPORTS, items([name("gambol") + name("exact_fma") + bytes([0, THREE_NUMBERS])])),
            functions,
            section(MEMORIES, items([b"\0" + unsigned(self.memory.pages)])),
            section(EXPORTS, items(exports)),
            section(CODE, items(self.functions)),
            self.memory.data_section(),
        ]
        start = sum(map(len, code[:-2]))
        return WasmModule(
            b"".join(code),
            self.precision,
            _arrays(frame.inputs, rows),
            _arrays(frame.outputs, outputs),
            tuple(self.tables),
            self.memory.end,
            (start, start + len(code[-2])),
            operation_count(body),
        )

    def write_control(self, scope: Scope, index: int, op: Op) -> None:
        """Write a call, a branch or a loop of a scope."""
        write = write_scan if op.name == "scan" else WRITERS[op.name]
        write(scope, index, op)

    def frame(self, body: Body, arguments: Sequence[Place]) -> Frame:
        """Return the function of a body; write it at the first call. arguments: places of its inputs and captures."""
        if id(body) not in self.frames:
            inputs = self.memory.area(body.inputs + len(body.captured))
            outputs = self.memory.area(len(body.outputs))
            places = [Place("memory", slot(inputs, k)) for k in range(body.inputs + len(body.captured))]
            # a captured array or counter has an address of its own; the body of the program has no arguments here
            captures = [x if x.kind in ("array", "counter") else y for x, y in zip(arguments, places, strict=False)]
            places[body.inputs :] = captures[body.inputs :] or places[body.inputs :]
            self.frames[id(body)] = Frame(self._function(body, places, outputs), inputs, outputs)
        return self.frames[id(body)]

    def _function(self, body: Body, places: Sequence[Place], outputs: int) -> int:
        """Write the function of a body, or one function for each piece and one that calls them; return its index."""
        scope = Scope(self, body, places, Locals(), cuts=True)
        count = scope.uses.pieces[-1] + 1 if body.ops else 1
        indices: list[int] = []
        for piece in range(count):
            scope.begin_function(Locals())
            scope.write_piece(piece)
            if piece == count - 1:
                scope.store_outputs(outputs)
            indices.append(self._add(function_code(scope.locals.types, scope.taken_code())))
        if count == 1:
            return indices[0]
        return self._add(function_code({}, b"".join(OPCODES["call"] + unsigned(n) for n in indices)))

    def _add(self, code: bytes) -> int:
        """Add a function, and return its index."""
        self.functions.append(code)
        return FMA + len(self.functions) - 1


def _arrays(address: int, rows: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return address and number of rows of arrays that follow each other in memory."""
    firsts = accumulate(rows, initial=0)
    return tuple((slot(address, first), count) for first, count in zip(firsts, rows, strict=False))
