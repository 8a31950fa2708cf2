"""Lowering of bodies to functions: straight-line operations, calls, branches and loops."""

from collections.abc import Sequence

from gambol.lanes.lower.entry import entry_point
from gambol.lanes.lower.in_place import InPlaceCarry, in_place_carries
from gambol.lanes.lower.instructions import INTRINSIC, Writer
from gambol.lanes.lower.lane_types import LaneTypes
from gambol.lanes.lower.loads import Loads
from gambol.lanes.lower.pieces import HEAD, driver
from gambol.lanes.lower.split import Pattern, is_split, split
from gambol.lanes.lower.uses import inlined_bodies, inputs_used, parts_used
from gambol.lanes.ops import Op, Precision
from gambol.lanes.trace import Body

ATTRIBUTES = 'attributes #0 = {{ noinline nounwind "prefer-vector-width"="512" "min-legal-vector-width"="{bits}" }}'

BLOCK_OPERATIONS = 1000
"""Operations in a basic block: LLVM's instruction selection takes a time that grows as the square of a block's loads.
The inverse dynamics of a roach with its derivatives compile in 4 s instead of 6 and run some 5 % slower; short programs
run as fast as in one block."""

# Says that the branch of a `when` is rarely taken: LLVM then saves registers for its call inside the branch only.
BRANCH_WEIGHTS = '!0 = !{!"branch_weights", i32 1, i32 1000}'


def assembly(body: Body, precision: Precision, lanes: int, groups: tuple[Sequence[int], Sequence[int]]) -> str:
    """Return the LLVM assembly of a whole program.

    body: of the program; precision, lanes: of its vectors; groups: the number of rows of each input array and of each
    output array. The entry point is `run(arrays, tables, first, last)`: arrays is a list of (address, bytes per row,
    bytes per block), inputs first; tables a list of (address, length); it computes blocks first to last - 1.
    """
    module = _Module(LaneTypes(precision, lanes))
    module.chunks += entry_point(module.types, module.function(body), *groups)
    return module.text()


class _Module:
    """All the functions of a program."""

    def __init__(self, types: LaneTypes) -> None:
        self.types = types
        self.names: dict[int, str] = {}
        self.chunks: list[str] = []
        self.globals: dict[tuple[float, ...], str] = {}
        self.in_place_names: dict[str, str] = {}
        self.bodies: list[Body] = []  # keeps them alive, so that no id is used twice

    def function(self, body: Body) -> str:
        """Return the name of the function of a body, which is written at the first call."""
        if id(body) not in self.names:
            self.bodies.append(body)
            name = self.names[id(body)] = f"@{_identifier(body.name)}.{len(self.names)}"
            if is_split(body):
                self._add_pieces(name, body)
            else:
                self.chunks.append(_Function(self, body).text(name))
        return self.names[id(body)]

    def in_place(self, body: Body) -> str:
        """Return the name of a function that overwrites a body's first inputs by its results in the lanes of a mask."""
        function = self.function(body)
        if function not in self.in_place_names:
            self.in_place_names[function] = name = f"{function}.over"
            f = Writer(self.types, self.table)
            results = f.area("made", len(body.outputs))
            f.lines.append(f"  call void {function}(ptr %state, ptr {results}, ptr %tables)")
            _store_where(f, "%where", (results, "%state"), len(body.outputs))
            head = f"define internal void {name}(ptr %state, {self.types.mask} %where, ptr %tables) #0 {{\nentry:"
            self.chunks.append(f.definition(head))
        return self.in_place_names[function]

    def _add_pieces(self, name: str, body: Body) -> None:
        """Write the function of a long body, which runs one piece after the other."""
        parts = split(body)
        functions: dict[Pattern, str] = {}
        for piece in parts.pieces:
            if piece.pattern not in functions:
                functions[piece.pattern] = function = f"{name}.{len(functions)}"
                self.chunks.append(_PatternFunction(self, piece.pattern).text(function))
        self.chunks += driver(name, self.types, body, parts, functions)

    def table(self, values: tuple[float, ...]) -> str:
        """Return the name of a constant table."""
        return self.globals.setdefault(values, f"@table.{len(self.globals)}")

    def text(self) -> str:
        """Return the text of the whole module."""
        single_lane = LaneTypes(self.types.precision, 1)
        tables: list[str] = []
        for values, name in self.globals.items():
            entries = ", ".join(f"{single_lane.scalar} {single_lane.constant(x)}" for x in values)
            tables.append(f"{name} = private constant [{len(values)} x {single_lane.scalar}] [{entries}]")
        declared = [
            f"declare {self.types.real} @llvm.{name}.{self.types.suffix}({', '.join([self.types.real] * count)})"
            for name, count in INTRINSIC.items()
        ]
        declared.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        bits = max(64, 8 * self.types.bytes * self.types.lanes)
        return "\n".join(
            [*tables, *declared, *self.chunks, ATTRIBUTES.format(bits=bits), BRANCH_WEIGHTS, "!1 = !{}", ""]
        )


def _identifier(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


class _Function(Writer):
    """The text of one body."""

    def __init__(self, module: _Module, body: Body) -> None:
        super().__init__(module.types, module.table)
        self.module = module
        self.body = body
        self.inlined: set[int] = set()

    def text(self, name: str) -> str:
        """Return the definition of the function under this name."""
        values = self.emit(self.body, {})
        for k, number in enumerate(self.body.outputs):
            self.store(values[number], "%out", k)
        return self.definition(
            f"define internal void {name}(ptr noalias %in, ptr noalias %out, ptr %tables) #0 {{\nentry:"
        )

    def fetch(self, k: int) -> str:
        """Load input or capture k."""
        return self.load("%in", k)

    def copy_inputs(self, first: int, count: int, area: str, k: int) -> None:
        """Copy inputs that are not loaded to an area, from its entry k on. first: the number of the first one."""
        source = self.new(f"getelementptr {self.types.real}, ptr %in, i64 {first}")
        target = self.new(f"getelementptr {self.types.real}, ptr {area}, i64 {k}")
        size = count * self.types.bytes * self.types.lanes
        self.lines.append(f"  call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")

    def on_value(self, number: int, value: str) -> None:
        """Process a value as soon as it is computed; nothing to do here."""

    def emit(self, body: Body, known: dict[int, str]) -> list[str]:
        """Write a body's operations. known: values of its inputs and captures by number; others are loaded from %in."""
        values: list[str] = []
        used, carries, states = parts_used(body), in_place_carries(body), dict[int, str]()
        loads = Loads(self.fetch, body, known)
        self.inlined |= inlined_bodies(body)
        for number, op in enumerate(body.ops):
            if op.name in ("input", "captured"):
                values.append(loads.defer(number, op))
            elif op.name in ("call", "when", "loop"):
                parts = used.get(number, [])
                if number in carries:
                    args = [loads.value(values, a) for a in op.args]
                    results = _write_in_place(self, op, args, (number, carries[number], states))
                else:
                    results = WRITERS[op.name](self, op, loads.arguments(values, op), parts)
                values.append("")
                loads.results[number] = results
            elif op.name == "part":
                values.append(loads.results[op.args[0]][op.extra])
            else:
                values.append(self.simple(op, [loads.value(values, a) for a in op.args]))
            if body is self.body:  # and not the test of a loop in it
                self.on_value(number, values[-1])
            if number % BLOCK_OPERATIONS == BLOCK_OPERATIONS - 1:
                self.split_block()
        for number in body.outputs:
            values[number] = loads.value(values, number)
        return values

    def run(self, body: Body, args: list[str], parts: Sequence[int]) -> dict[int, str]:
        """Return the results numbered in parts of another body: inlined if only one place runs it, else called."""
        if id(body) in self.inlined:
            values = self.emit(body, dict(enumerate(args)))
            return {k: values[body.outputs[k]] for k in parts}
        area, results = self.pass_arguments(args), self.area("made", len(body.outputs))
        self.lines.append(f"  call void {self.module.function(body)}(ptr {area}, ptr {results}, ptr %tables)")
        return {k: self.load(results, k) for k in parts}


class _PatternFunction(_Function):
    """The text of a pattern: its inputs and outputs are in the memory of all pieces, at addresses from a table."""

    def __init__(self, module: _Module, pattern: Pattern) -> None:
        super().__init__(module, pattern.body)
        self.outputs = {number: k + pattern.body.inputs for k, number in enumerate(pattern.body.outputs)}

    def text(self, name: str) -> str:
        """Return the definition of the function that runs one piece."""
        self.emit(self.body, {})
        return self.definition(HEAD.format(name=name))

    def _address(self, k: int) -> str:
        at = self.new(f"getelementptr i32, ptr %places, i64 {k}")
        shift = self.new(f"load i32, ptr {at}, !invariant.load !1")
        return self.new(f"getelementptr i8, ptr %work, i64 {self.new(f'zext i32 {shift} to i64')}")

    def fetch(self, k: int) -> str:
        """Load input k, a value that another piece computed."""
        address = self._address(k)
        return self.new(f"load {self.types.real}, ptr {address}")

    def copy_inputs(self, first: int, count: int, area: str, k: int) -> None:
        """Copy inputs to an area one by one: they may be anywhere in the memory of the pieces."""
        for i in range(count):
            self.store(self.fetch(first + i), area, k + i)

    def on_value(self, number: int, value: str) -> None:
        """Store a value that other pieces use."""
        if number in self.outputs:
            address = self._address(self.outputs[number])
            self.lines.append(f"  store {self.types.real} {value}, ptr {address}")


def _write_call(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    return f.run(op.extra, args, parts)


def _write_when(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    real, mask, body = f.types.real, args[0], op.extra
    others, inputs = args[1 : 1 + len(body.outputs)], args[1 + len(body.outputs) :]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    before = f.block
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    results = f.run(body, inputs, parts)
    selected = {k: f.new(f"select {f.types.mask} {mask}, {real} {x}, {real} {others[k]}") for k, x in results.items()}
    after = f.block
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return {k: f.new(f"phi {real} [ {x}, %{after} ], [ {others[k]}, %{before} ]") for k, x in selected.items()}


def _write_in_place(
    f: _Function, op: Op, args: list[str], carry: tuple[int, InPlaceCarry, dict[int, str]]
) -> dict[int, str]:
    """Write a `when` of a chain that shares the memory of its state. carry: its number, its chain, and all memories."""
    number, chain, states = carry
    mask, body, count = args[0], op.extra, len(op.extra.outputs)
    inputs = args[1 + count :]
    if number == chain.first:
        states[number] = f.area("state", len(inputs), shared=False)
        for k in range(count):
            f.store(inputs[k], states[number], k)
    state = states[chain.first]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    for k in range(count, len(inputs)):
        f.store(inputs[k], state, k)
    f.lines.append(f"  call void {f.module.in_place(body)}(ptr {state}, {f.types.mask} {mask}, ptr %tables)")
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return {k: f.load(state, k) if number == chain.last else "" for k in range(count)}


def _store_where(f: Writer, mask: str, areas: tuple[str, str], count: int) -> None:
    """Copy values from one area to another in the lanes of a mask."""
    results, state = areas
    for k in range(count):
        new, old = f.load(results, k), f.load(state, k)
        f.store(f.new(f"select {f.types.mask} {mask}, {f.types.real} {new}, {f.types.real} {old}"), state, k)


def _write_loop(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    """Write a loop: all lanes step while any lane's test holds; lanes whose test failed keep their values."""
    test, body = op.extra
    count = len(body.outputs)
    test_captures, body_captures = args[count : count + len(test.captured)], args[count + len(test.captured) :]
    state = f.area("state", count, shared=False)
    for k, value in enumerate(args[:count]):
        f.store(value, state, k)
    head, work, done = f.label("head"), f.label("work"), f.label("done")
    before = f.block
    f.lines.append(f"  br label %{head}")
    f.start(head)
    was, going = f.label("%was"), f.label("%going")
    f.lines.append(f"  {was} = phi {f.types.mask} [ {f.types.truth(True)}, %{before} ], [ {going}, %{work}.end ]")
    known = {k: f.load(state, k) for k in inputs_used(test)}
    known |= {count + k: x for k, x in enumerate(test_captures)}
    result: int = test.outputs[0]
    holds = f.emit(test, known)[result]
    f.lines.append(f"  {going} = and {f.types.mask} {was}, {holds}")
    f.lines.append(f"  br i1 {f.any(going)}, label %{work}, label %{done}")
    f.start(work)
    old = [f.load(state, k) for k in range(count)]
    new = f.run(body, [*old, *body_captures], range(count))
    for k, x in new.items():
        f.store(f.new(f"select {f.types.mask} {going}, {f.types.real} {x}, {f.types.real} {old[k]}"), state, k)
    f.lines.append(f"  br label %{work}.end")
    f.start(f"{work}.end")
    f.lines.append(f"  br label %{head}")
    f.start(done)
    return {k: f.load(state, k) for k in parts}


WRITERS = {"call": _write_call, "when": _write_when, "loop": _write_loop}
