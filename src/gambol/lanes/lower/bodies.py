"""The bodies of a program as functions: straight operations, calls, branches and loops."""

from collections.abc import Sequence

from gambol.lanes.lower.cut import Pattern, cut
from gambol.lanes.lower.entry import entry_point
from gambol.lanes.lower.handed import Handing, handings
from gambol.lanes.lower.instructions import INTRINSIC, Writer
from gambol.lanes.lower.kinds import Kind
from gambol.lanes.lower.loads import Loads
from gambol.lanes.lower.pieces import HEAD, driver
from gambol.lanes.lower.uses import inputs_used, parts_used, run_once
from gambol.lanes.ops import Op, Precision
from gambol.lanes.trace import Body

ATTRIBUTES = 'attributes #0 = {{ noinline nounwind "prefer-vector-width"="512" "min-legal-vector-width"="{bits}" }}'

LONG = 40_000
"""From so many operations on, a body that can be cut becomes a loop over its pieces. What repeats itself then compiles
in a third of the time, what does not in the same, to run some 10 % slower (docs/use/benchmarks.md)."""

BLOCK = 1000
"""Operations in a basic block: to choose its instructions takes LLVM a time that grows as the square of its loads. The
inverse dynamics of a roach with its derivatives compile in 4 s instead of 6, to run some 5 % slower; short ones run
as fast as in one block."""

# Keeps what the call of a `when` costs in registers off the other way.
RARELY = '!0 = !{!"branch_weights", i32 1, i32 1000}'


def assembly(body: Body, precision: Precision, lanes: int, groups: tuple[Sequence[int], Sequence[int]]) -> str:
    """LLVM assembly of a whole program.

    groups: how many rows each input array and each output array has. The entry point is
    `run(arrays, tables, first, last)`: arrays is a list of (address, bytes per row, bytes per block), inputs first;
    tables a list of (address, length); blocks first to last - 1 of lanes are computed.
    """
    module = _Module(Kind(precision, lanes))
    module.chunks += entry_point(module.kind, module.function(body), *groups)
    return module.text()


class _Module:
    """All the functions of a program."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.names: dict[int, str] = {}
        self.chunks: list[str] = []
        self.globals: dict[tuple[float, ...], str] = {}
        self.over: dict[str, str] = {}
        self.keep: list[Body] = []

    def function(self, body: Body) -> str:
        """The name of the function of a body, which is written the first time it is asked for."""
        if id(body) not in self.names:
            self.keep.append(body)
            name = self.names[id(body)] = f"@{_letters(body.name)}.{len(self.names)}"
            if body.seams and sum(op.name != "part" for op in body.ops) > LONG:
                self._add_pieces(name, body)
            else:
                self.chunks.append(_Function(self, body).text(name))
        return self.names[id(body)]

    def in_place(self, body: Body) -> str:
        """The name of a function that puts a body's results over the first of what it takes, in the lanes of a mask."""
        function = self.function(body)
        if function not in self.over:
            self.over[function] = name = f"{function}.over"
            f = Writer(self.kind, self.table)
            made = f.area("made", len(body.outputs))
            f.lines.append(f"  call void {function}(ptr %state, ptr {made}, ptr %tables)")
            _store_where(f, "%where", (made, "%state"), len(body.outputs))
            head = f"define internal void {name}(ptr %state, {self.kind.mask} %where, ptr %tables) #0 {{\nentry:"
            self.chunks.append(f.defined(head))
        return self.over[function]

    def _add_pieces(self, name: str, body: Body) -> None:
        """The function of a long body, which runs one piece after the other."""
        cutting = cut(body)
        functions: dict[Pattern, str] = {}
        for piece in cutting.pieces:
            if piece.pattern not in functions:
                functions[piece.pattern] = own = f"{name}.{len(functions)}"
                self.chunks.append(_PatternFunction(self, piece.pattern).text(own))
        self.chunks += driver(name, self.kind, body, cutting, functions)

    def table(self, values: tuple[float, ...]) -> str:
        """The name of a constant table."""
        return self.globals.setdefault(values, f"@table.{len(self.globals)}")

    def text(self) -> str:
        """The whole module."""
        one = Kind(self.kind.precision, 1)
        tables: list[str] = []
        for values, name in self.globals.items():
            entries = ", ".join(f"{one.scalar} {one.constant(x)}" for x in values)
            tables.append(f"{name} = private constant [{len(values)} x {one.scalar}] [{entries}]")
        declared = [
            f"declare {self.kind.real} @llvm.{name}.{self.kind.suffix}({', '.join([self.kind.real] * count)})"
            for name, count in INTRINSIC.items()
        ]
        declared.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        bits = max(64, 8 * self.kind.bytes * self.kind.lanes)
        return "\n".join([*tables, *declared, *self.chunks, ATTRIBUTES.format(bits=bits), RARELY, "!1 = !{}", ""])


def _letters(name: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


class _Function(Writer):
    """The text of one body."""

    def __init__(self, module: _Module, body: Body) -> None:
        super().__init__(module.kind, module.table)
        self.module = module
        self.body = body
        self.alone: set[int] = set()

    def text(self, name: str) -> str:
        """The definition of the function of this name."""
        values = self.emit(self.body, {})
        for k, number in enumerate(self.body.outputs):
            self.store(values[number], "%out", k)
        return self.defined(
            f"define internal void {name}(ptr noalias %in, ptr noalias %out, ptr %tables) #0 {{\nentry:"
        )

    def fetch(self, k: int) -> str:
        """An input or capture."""
        return self.load("%in", k)

    def given_out(self, number: int, value: str) -> None:
        """What is done with a value as soon as it is made: nothing."""

    def emit(self, body: Body, given: dict[int, str]) -> list[str]:
        """Write a body's operations. given: values of its inputs and captures by number; others are loaded from %in."""
        values: list[str] = []
        used, handed, states = parts_used(body), handings(body), dict[int, str]()
        loaded = Loads(self.fetch, body, given)
        self.alone |= run_once(body)
        for number, op in enumerate(body.ops):
            if op.name in ("input", "captured"):
                values.append(loaded.later(number, op))
            elif op.name in ("call", "when", "loop"):
                args = [loaded.now(values, a) for a in op.args]
                parts = used.get(number, [])
                if number in handed:
                    results = _write_handed(self, op, args, (number, handed[number], states))
                else:
                    results = WRITERS[op.name](self, op, args, parts)
                values.append("")
                loaded.results[number] = results
            elif op.name == "part":
                values.append(loaded.results[op.args[0]][op.extra])
            else:
                values.append(self.simple(op, [loaded.now(values, a) for a in op.args]))
            if body is self.body:  # and not the test of a loop in it
                self.given_out(number, values[-1])
            if number % BLOCK == BLOCK - 1:
                self.go_on()
        for number in body.outputs:
            values[number] = loaded.now(values, number)
        return values

    def run(self, body: Body, given: list[str], parts: Sequence[int]) -> dict[int, str]:
        """Some results of another body: written here if only one place runs it, else called."""
        if id(body) in self.alone:
            values = self.emit(body, dict(enumerate(given)))
            return {k: values[body.outputs[k]] for k in parts}
        area, made = self.give(given), self.area("made", len(body.outputs))
        self.lines.append(f"  call void {self.module.function(body)}(ptr {area}, ptr {made}, ptr %tables)")
        return {k: self.load(made, k) for k in parts}


class _PatternFunction(_Function):
    """The text of a pattern: what it takes and gives lies in a memory of all pieces, at places that a table tells."""

    def __init__(self, module: _Module, pattern: Pattern) -> None:
        super().__init__(module, pattern.body)
        self.outputs = {number: k + pattern.body.inputs for k, number in enumerate(pattern.body.outputs)}

    def text(self, name: str) -> str:
        """The definition of a function that goes through the pieces in turn."""
        self.emit(self.body, {})
        return self.defined(HEAD.format(name=name))

    def _place(self, k: int) -> str:
        at = self.new(f"getelementptr i32, ptr %places, i64 {k}")
        shift = self.new(f"load i32, ptr {at}, !invariant.load !1")
        return self.new(f"getelementptr i8, ptr %work, i64 {self.new(f'zext i32 {shift} to i64')}")

    def fetch(self, k: int) -> str:
        """A value that another piece made."""
        place = self._place(k)
        return self.new(f"load {self.kind.real}, ptr {place}")

    def given_out(self, number: int, value: str) -> None:
        """Store what other pieces use."""
        if number in self.outputs:
            place = self._place(self.outputs[number])
            self.lines.append(f"  store {self.kind.real} {value}, ptr {place}")


def _write_call(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    return f.run(op.extra, args, parts)


def _write_when(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    real, mask, body = f.kind.real, args[0], op.extra
    others, given = args[1 : 1 + len(body.outputs)], args[1 + len(body.outputs) :]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    before = f.block
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    results = f.run(body, given, parts)
    kept = {k: f.new(f"select {f.kind.mask} {mask}, {real} {x}, {real} {others[k]}") for k, x in results.items()}
    after = f.block
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return {k: f.new(f"phi {real} [ {x}, %{after} ], [ {others[k]}, %{before} ]") for k, x in kept.items()}


def _write_handed(f: _Function, op: Op, args: list[str], row: tuple[int, Handing, dict[int, str]]) -> dict[int, str]:
    """A `when` in a row of them: its state lies in memory that all share. row: its number, place, and all memories."""
    number, place, states = row
    mask, body, count = args[0], op.extra, len(op.extra.outputs)
    given = args[1 + count :]
    if number == place.first:
        states[number] = f.area("state", len(given), shared=False)
        for k in range(count):
            f.store(given[k], states[number], k)
    state = states[place.first]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}, !prof !0")
    f.start(taken)
    for k in range(count, len(given)):
        f.store(given[k], state, k)
    f.lines.append(f"  call void {f.module.in_place(body)}(ptr {state}, {f.kind.mask} {mask}, ptr %tables)")
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return {k: f.load(state, k) if number == place.last else "" for k in range(count)}


def _store_where(f: Writer, mask: str, areas: tuple[str, str], count: int) -> None:
    """Copy values from one area to another in the lanes of a mask."""
    made, state = areas
    for k in range(count):
        new, old = f.load(made, k), f.load(state, k)
        f.store(f.new(f"select {f.kind.mask} {mask}, {f.kind.real} {new}, {f.kind.real} {old}"), state, k)


def _write_loop(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    """Step all lanes while any lane's test holds; lanes whose test failed keep their values."""
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
    f.lines.append(f"  {was} = phi {f.kind.mask} [ {f.kind.truth(True)}, %{before} ], [ {going}, %{work}.end ]")
    given = {k: f.load(state, k) for k in inputs_used(test)}
    given |= {count + k: x for k, x in enumerate(test_captures)}
    outcome: int = test.outputs[0]
    holds = f.emit(test, given)[outcome]
    f.lines.append(f"  {going} = and {f.kind.mask} {was}, {holds}")
    f.lines.append(f"  br i1 {f.any(going)}, label %{work}, label %{done}")
    f.start(work)
    old = [f.load(state, k) for k in range(count)]
    made = f.run(body, [*old, *body_captures], range(count))
    for k, x in made.items():
        f.store(f.new(f"select {f.kind.mask} {going}, {f.kind.real} {x}, {f.kind.real} {old[k]}"), state, k)
    f.lines.append(f"  br label %{work}.end")
    f.start(f"{work}.end")
    f.lines.append(f"  br label %{head}")
    f.start(done)
    return {k: f.load(state, k) for k in parts}


WRITERS = {"call": _write_call, "when": _write_when, "loop": _write_loop}
