"""Lowering: the body of a program as LLVM assembly text in which every value is a vector of lanes.

Each body becomes one function `void (in, out, tables)` over arrays of lanes; loops and branches go on while any lane
needs them and keep the values of the others. No fast-math flag is set: each operation rounds by itself.
"""

import struct
from collections.abc import Sequence

from gambol.lanes.trace import Body, Op, Precision

BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}
LOGIC = {"and": "and", "or": "or"}
INTRINSIC = {"sqrt": 1, "fabs": 1, "floor": 1, "roundeven": 1, "copysign": 2, "fma": 3}
ALIAS = {"abs": "fabs", "round": "roundeven"}
MANTISSA_BITS = {"float64": 52, "float32": 23}
BIAS = {"float64": 1023, "float32": 127}
ATTRIBUTES = 'attributes #0 = {{ noinline nounwind "prefer-vector-width"="512" "min-legal-vector-width"="{bits}" }}'


class Kind:
    """The types and constants of lanes of one precision."""

    def __init__(self, precision: Precision, lanes: int) -> None:
        self.precision: Precision = precision
        self.lanes = lanes
        self.bytes = 8 if precision == "float64" else 4
        self.scalar = "double" if precision == "float64" else "float"
        self.integer = f"i{8 * self.bytes}"
        self.real = self._many(self.scalar)
        self.mask = self._many("i1")
        self.bits = self._many(self.integer)
        self.suffix = f"v{lanes}f{8 * self.bytes}" if lanes > 1 else f"f{8 * self.bytes}"

    def _many(self, of: str) -> str:
        return f"<{self.lanes} x {of}>" if self.lanes > 1 else of

    def constant(self, x: float) -> str:
        """A number in every lane, as its exact bits."""
        if self.precision == "float32":
            x = struct.unpack("<f", struct.pack("<f", x))[0] if abs(x) < 3.5e38 else x
        bits = struct.unpack("<Q", struct.pack("<d", x))[0]
        return self._splat(self.scalar, f"0x{bits:016X}")

    def whole(self, n: int) -> str:
        """An integer in every lane."""
        return self._splat(self.integer, str(n))

    def truth(self, holds: bool) -> str:
        """A truth in every lane."""
        return self._splat("i1", "true" if holds else "false")

    def _splat(self, of: str, text: str) -> str:
        return f"splat ({of} {text})" if self.lanes > 1 else text


def assembly(body: Body, precision: Precision, lanes: int, groups: tuple[Sequence[int], Sequence[int]]) -> str:
    """LLVM assembly of a whole program.

    groups: how many rows each input array and each output array has. The entry point is
    `run(arrays, tables, first, last)`: arrays is a list of (address, bytes per row, bytes per block), inputs first;
    tables a list of (address, length); blocks first to last - 1 of lanes are computed.
    """
    module = _Module(Kind(precision, lanes))
    module.function(body)
    module.entry(body, *groups)
    return module.text()


class _Module:
    """All the functions of a program."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.names: dict[int, str] = {}
        self.chunks: list[str] = []
        self.globals: dict[tuple[float, ...], str] = {}
        self.keep: list[Body] = []

    def function(self, body: Body) -> str:
        """The name of the function of a body, which is written the first time it is asked for."""
        if id(body) not in self.names:
            self.keep.append(body)
            name = self.names[id(body)] = f"@{_letters(body.name)}.{len(self.names)}"
            self.chunks.append(_Function(self, body).text(name))
        return self.names[id(body)]

    def table(self, values: tuple[float, ...]) -> str:
        """The name of a constant table."""
        return self.globals.setdefault(values, f"@table.{len(self.globals)}")

    def text(self) -> str:
        one = Kind(self.kind.precision, 1)
        tables = [
            f"{name} = private constant [{len(v)} x {one.scalar}] [{', '.join(f'{one.scalar} {one.constant(x)}' for x in v)}]"
            for v, name in self.globals.items()
        ]
        declared = [
            f"declare {self.kind.real} @llvm.{name}.{self.kind.suffix}({', '.join([self.kind.real] * count)})"
            for name, count in INTRINSIC.items()
        ]
        bits = max(64, 8 * self.kind.bytes * self.kind.lanes)
        return "\n".join([*tables, *declared, *self.chunks, ATTRIBUTES.format(bits=bits), ""])

    def entry(self, body: Body, inputs: Sequence[int], outputs: Sequence[int]) -> None:
        """The function that the outside calls: for each block of lanes load all inputs, compute, store all outputs."""
        loads = self._moves("load_rows", inputs, 0, "%in")
        stores = self._moves("store_rows", outputs, len(inputs), "%out")
        self.chunks += [MOVE.format(**_move_words(self.kind, name)) for name in ("load_rows", "store_rows")]
        self.chunks.append(
            ENTRY.format(
                real=self.kind.real,
                inputs=max(1, sum(inputs)),
                outputs=max(1, sum(outputs)),
                loads=loads,
                stores=stores,
                body=self.function(body),
            )
        )

    def _moves(self, name: str, rows: Sequence[int], first: int, near: str) -> str:
        lines: list[str] = []
        for g, n in enumerate(rows):
            place = f"{near}.{g}"
            lines.append(f"  {place} = getelementptr {self.kind.real}, ptr {near}, i64 {sum(rows[:g])}")
            lines.append(f"  call void @{name}(ptr %arrays, i64 {first + g}, i64 {n}, i64 %block, ptr {place})")
        return "\n".join(lines)


ENTRY = """define void @run(ptr %arrays, ptr %tables, i64 %first, i64 %last) #0 {{
entry:
  %in = alloca [{inputs} x {real}]
  %out = alloca [{outputs} x {real}]
  br label %head
head:
  %block = phi i64 [ %first, %entry ], [ %next, %work ]
  %more = icmp slt i64 %block, %last
  br i1 %more, label %work, label %end
work:
{loads}
  call void {body}(ptr %in, ptr %out, ptr %tables)
{stores}
  %next = add i64 %block, 1
  br label %head
end:
  ret void
}}
"""

MOVE = """define internal void @{name}(ptr %arrays, i64 %group, i64 %rows, i64 %block, ptr %near) #0 {{
entry:
  %array = getelementptr {{ptr, i64, i64}}, ptr %arrays, i64 %group
  %base = load ptr, ptr %array
  %row.at = getelementptr {{ptr, i64, i64}}, ptr %array, i64 0, i32 1
  %row = load i64, ptr %row.at
  %step.at = getelementptr {{ptr, i64, i64}}, ptr %array, i64 0, i32 2
  %step = load i64, ptr %step.at
  %shift = mul i64 %block, %step
  %start = getelementptr i8, ptr %base, i64 %shift
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %move ]
  %more = icmp slt i64 %i, %rows
  br i1 %more, label %move, label %end
move:
  %far.shift = mul i64 %i, %row
  %far = getelementptr i8, ptr %start, i64 %far.shift
  %here = getelementptr {real}, ptr %near, i64 %i
  %x = load {real}, ptr {source}, align {load_align}
  store {real} %x, ptr {target}, align {store_align}
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}}
"""


def _move_words(kind: Kind, name: str) -> dict[str, object]:
    """What loading rows from the outside, or storing them there, puts into the text of the loop."""
    loading = name == "load_rows"
    near, far = kind.bytes * kind.lanes, kind.bytes
    return {
        "name": name,
        "real": kind.real,
        "source": "%far" if loading else "%here",
        "target": "%here" if loading else "%far",
        "load_align": far if loading else near,
        "store_align": near if loading else far,
    }


def _letters(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name)


class _Function:
    """The text of one body: a list of instructions in basic blocks."""

    def __init__(self, module: _Module, body: Body) -> None:
        self.module = module
        self.kind = module.kind
        self.body = body
        self.lines: list[str] = []
        self.stack: list[str] = []
        self.areas: dict[tuple[str, int], str] = {}
        self.count = 0
        self.block = "entry"

    def text(self, name: str) -> str:
        values = self.emit(self.body, {})
        for k, number in enumerate(self.body.outputs):
            self.store(values[number], "%out", k)
        head = f"define internal void {name}(ptr noalias %in, ptr noalias %out, ptr %tables) #0 {{\nentry:"
        return "\n".join([head, *self.stack, *self.lines, "  ret void\n}\n"])

    def emit(self, body: Body, given: dict[int, str]) -> list[str]:
        """Write a body's operations. given: values of its inputs and captures by number; others are loaded from %in."""
        values: list[str] = []
        loaded = _Loads(self, body, given)
        for number, op in enumerate(body.ops):
            if op.name in ("input", "captured"):
                values.append(loaded.later(number, op))
            elif op.name in ("call", "when", "loop"):
                args = [loaded.now(values, a) for a in op.args]
                parts = _parts_used(body, number)
                results = WRITERS[op.name](self, op, args, parts)
                values.append("")
                loaded.results[number] = results
            elif op.name == "part":
                values.append(loaded.results[op.args[0]][op.extra])
            else:
                values.append(self.simple(op, [loaded.now(values, a) for a in op.args]))
        for number in body.outputs:
            values[number] = loaded.now(values, number)
        return values

    def new(self, text: str) -> str:
        """A new value made by an instruction."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def label(self, name: str) -> str:
        self.count += 1
        return f"{name}{self.count}"

    def start(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.block = label

    def area(self, name: str, size: int, shared: bool = True) -> str:
        """Memory for some lanes' values; areas of one name and size are shared by calls that follow each other."""
        key = (name, size)
        if not shared or key not in self.areas:
            place = f"%{name}{len(self.stack)}"
            self.stack.append(f"  {place} = alloca [{max(1, size)} x {self.kind.real}]")
            if not shared:
                return place
            self.areas[key] = place
        return self.areas[key]

    def store(self, value: str, area: str, k: int) -> None:
        place = self.new(f"getelementptr {self.kind.real}, ptr {area}, i64 {k}")
        self.lines.append(f"  store {self.kind.real} {value}, ptr {place}")

    def load(self, area: str, k: int) -> str:
        place = self.new(f"getelementptr {self.kind.real}, ptr {area}, i64 {k}")
        return self.new(f"load {self.kind.real}, ptr {place}")

    def any(self, mask: str) -> str:
        """Whether a mask holds in any lane."""
        if self.kind.lanes == 1:
            return mask
        bits = self.new(f"bitcast {self.kind.mask} {mask} to i{self.kind.lanes}")
        return self.new(f"icmp ne i{self.kind.lanes} {bits}, 0")

    def simple(self, op: Op, a: list[str]) -> str:
        """An operation that is one value of other values."""
        kind, name = self.kind, ALIAS.get(op.name, op.name)
        if name == "const":
            return kind.constant(op.extra)
        if name == "always":
            return kind.truth(op.extra)
        if name in BINARY:
            return self.new(f"{BINARY[name]} {kind.real} {a[0]}, {a[1]}")
        if name in INTRINSIC:
            return self.intrinsic(name, a)
        if name in COMPARE:
            return self.new(f"fcmp {COMPARE[name]} {kind.real} {a[0]}, {a[1]}")
        if name in LOGIC:
            return self.new(f"{LOGIC[name]} {kind.mask} {a[0]}, {a[1]}")
        return SPECIAL[name](self, op, a)

    def intrinsic(self, name: str, a: list[str]) -> str:
        real = self.kind.real
        return self.new(f"call {real} @llvm.{name}.{self.kind.suffix}({', '.join(f'{real} {x}' for x in a)})")


class _Loads:
    """Inputs and captures of a body, loaded where they are first used."""

    def __init__(self, function: _Function, body: Body, given: dict[int, str]) -> None:
        self.function = function
        self.inputs = body.inputs
        self.known = dict(given)
        self.slots: dict[int, int] = {}
        self.results: dict[int, dict[int, str]] = {}

    def later(self, number: int, op: Op) -> str:
        self.slots[number] = op.extra + (self.inputs if op.name == "captured" else 0)
        return ""

    def now(self, values: list[str], number: int) -> str:
        if number not in self.slots:
            return values[number]
        slot = self.slots[number]
        if slot not in self.known:
            self.known[slot] = self.function.load("%in", slot)
        return self.known[slot]


def _parts_used(body: Body, whole: int) -> list[int]:
    return [op.extra for op in body.ops[whole + 1 :] if op.name == "part" and op.args[0] == whole]


def _write_call(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    body: Body = op.extra
    given, made = f.area("given", len(args)), f.area("made", len(body.outputs))
    for k, value in enumerate(args):
        f.store(value, given, k)
    f.lines.append(f"  call void {f.module.function(body)}(ptr {given}, ptr {made}, ptr %tables)")
    return {k: f.load(made, k) for k in parts}


def _write_when(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    real, mask = f.kind.real, args[0]
    needed, taken, join = f.any(mask), f.label("taken"), f.label("join")
    before = f.block
    f.lines.append(f"  br i1 {needed}, label %{taken}, label %{join}")
    f.start(taken)
    results = _write_call(f, Op("call", op.args[1:], op.extra), args[1:], parts)
    zero = f.kind.constant(0.0)
    kept = {k: f.new(f"select {f.kind.mask} {mask}, {real} {x}, {real} {zero}") for k, x in results.items()}
    f.lines.append(f"  br label %{join}")
    f.start(join)
    return {k: f.new(f"phi {real} [ {x}, %{taken} ], [ {zero}, %{before} ]") for k, x in kept.items()}


def _write_loop(f: _Function, op: Op, args: list[str], parts: list[int]) -> dict[int, str]:
    """Step all lanes while any lane's test holds; lanes whose test failed keep their values."""
    test, body = op.extra
    count = len(body.outputs)
    test_captures, body_captures = args[count : count + len(test.captured)], args[count + len(test.captured) :]
    state = f.area("state", count + len(body_captures), shared=False)
    made = f.area("made", count, shared=False)
    for k, value in enumerate([*args[:count], *body_captures]):
        f.store(value, state, k)
    head, work, done = f.label("head"), f.label("work"), f.label("done")
    before = f.block
    f.lines.append(f"  br label %{head}")
    f.start(head)
    was, going = f.label("%was"), f.label("%going")
    f.lines.append(f"  {was} = phi {f.kind.mask} [ {f.kind.truth(True)}, %{before} ], [ {going}, %{work}.end ]")
    given = {k: f.load(state, k) for k in _inputs_used(test)}
    given |= {count + k: x for k, x in enumerate(test_captures)}
    holds = f.emit(test, given)[test.outputs[0]]
    f.lines.append(f"  {going} = and {f.kind.mask} {was}, {holds}")
    f.lines.append(f"  br i1 {f.any(going)}, label %{work}, label %{done}")
    f.start(work)
    f.lines.append(f"  call void {f.module.function(body)}(ptr {state}, ptr {made}, ptr %tables)")
    for k in range(count):
        new, old = f.load(made, k), f.load(state, k)
        f.store(f.new(f"select {f.kind.mask} {going}, {f.kind.real} {new}, {f.kind.real} {old}"), state, k)
    f.lines.append(f"  br label %{work}.end")
    f.start(f"{work}.end")
    f.lines.append(f"  br label %{head}")
    f.start(done)
    return {k: f.load(state, k) for k in parts}


def _inputs_used(body: Body) -> list[int]:
    return sorted({op.extra for op in body.ops if op.name == "input"})


WRITERS = {"call": _write_call, "when": _write_when, "loop": _write_loop}


def _neg(f: _Function, op: Op, a: list[str]) -> str:
    return f.new(f"fneg {f.kind.real} {a[0]}")


def _not(f: _Function, op: Op, a: list[str]) -> str:
    return f.new(f"xor {f.kind.mask} {a[0]}, {f.kind.truth(True)}")


def _select(f: _Function, op: Op, a: list[str]) -> str:
    real = f.kind.real
    return f.new(f"select {f.kind.mask} {a[0]}, {real} {a[1]}, {real} {a[2]}")


def _fms(f: _Function, op: Op, a: list[str]) -> str:
    return f.intrinsic("fma", [a[0], a[1], _neg(f, op, [a[2]])])


def _fnma(f: _Function, op: Op, a: list[str]) -> str:
    return f.intrinsic("fma", [_neg(f, op, [a[0]]), a[1], a[2]])


def _as_bits(f: _Function, x: str) -> str:
    return f.new(f"bitcast {f.kind.real} {x} to {f.kind.bits}")


def _as_real(f: _Function, bits: str) -> str:
    return f.new(f"bitcast {f.kind.bits} {bits} to {f.kind.real}")


def _pow2(f: _Function, op: Op, a: list[str]) -> str:
    """2 to a whole power within the normal range: the sum with a large constant leaves the exponent in the low bits."""
    width, bias = MANTISSA_BITS[f.kind.precision], BIAS[f.kind.precision]
    shifted = f.new(f"fadd {f.kind.real} {a[0]}, {f.kind.constant(1.5 * 2.0**width + bias)}")
    return _as_real(f, f.new(f"shl {f.kind.bits} {_as_bits(f, shifted)}, {f.kind.whole(width)}"))


def _bit(f: _Function, op: Op, a: list[str]) -> str:
    """Whether a bit of a whole number, of any sign but less than 2**50 (float32: 2**21), is set: moved to the sign."""
    width = MANTISSA_BITS[f.kind.precision]
    shifted = f.new(f"fadd {f.kind.real} {a[0]}, {f.kind.constant(1.5 * 2.0**width)}")
    last = f.kind.whole(8 * f.kind.bytes - 1 - op.extra)
    moved = f.new(f"shl {f.kind.bits} {_as_bits(f, shifted)}, {last}")
    return f.new(f"icmp slt {f.kind.bits} {moved}, {f.kind.whole(0)}")


def _exponent(f: _Function, op: Op, a: list[str]) -> str:
    """The whole e with 2**e <= x < 2**(e + 1), for a positive normal x."""
    width, bias = MANTISSA_BITS[f.kind.precision], BIAS[f.kind.precision]
    high = f.new(f"lshr {f.kind.bits} {_as_bits(f, a[0])}, {f.kind.whole(width)}")
    tag = (bias + width) << width
    tagged = _as_real(f, f.new(f"or {f.kind.bits} {high}, {f.kind.whole(tag)}"))
    return f.new(f"fsub {f.kind.real} {tagged}, {f.kind.constant(2.0**width + bias)}")


def _significand(f: _Function, op: Op, a: list[str]) -> str:
    """x / 2**exponent(x), in [1, 2), for a positive normal x."""
    width, bias = MANTISSA_BITS[f.kind.precision], BIAS[f.kind.precision]
    low = f.new(f"and {f.kind.bits} {_as_bits(f, a[0])}, {f.kind.whole((1 << width) - 1)}")
    return _as_real(f, f.new(f"or {f.kind.bits} {low}, {f.kind.whole(bias << width)}"))


def _gather(f: _Function, op: Op, a: list[str]) -> str:
    """Each lane's entry of a table; an index outside it, or NaN, takes the nearest end."""
    kind, one = f.kind, Kind(f.kind.precision, 1)
    base, length = _table(f, op.extra)
    above = f.new(f"fcmp ogt {kind.real} {a[0]}, {kind.constant(0.0)}")
    index = f.new(f"select {kind.mask} {above}, {kind.real} {a[0]}, {kind.real} {kind.constant(0.0)}")
    result = "undef"
    for lane in range(kind.lanes):
        x = f.new(f"extractelement {kind.real} {index}, i32 {lane}") if kind.lanes > 1 else index
        low = f.new(f"fcmp olt {one.scalar} {x}, {length}")
        held = f.new(f"select i1 {low}, {one.scalar} {x}, {one.scalar} {length}")
        at = f.new(f"fptosi {one.scalar} {held} to i64")
        place = f.new(f"getelementptr {one.scalar}, ptr {base}, i64 {at}")
        entry = f.new(f"load {one.scalar}, ptr {place}")
        result = (
            f.new(f"insertelement {kind.real} {result}, {one.scalar} {entry}, i32 {lane}") if kind.lanes > 1 else entry
        )
    return result


def _table(f: _Function, which: int | tuple[float, ...]) -> tuple[str, str]:
    """The address of a table and, as a real, its last index."""
    one = Kind(f.kind.precision, 1)
    if isinstance(which, tuple):
        return f.module.table(which), one.constant(float(len(which) - 1))
    entry = f.new(f"getelementptr {{ptr, i64}}, ptr %tables, i64 {which}")
    base = f.new(f"load ptr, ptr {entry}")
    place = f.new(f"getelementptr {{ptr, i64}}, ptr {entry}, i64 0, i32 1")
    last = f.new(f"sub i64 {f.new(f'load i64, ptr {place}')}, 1")
    return base, f.new(f"sitofp i64 {last} to {one.scalar}")


SPECIAL = {
    "neg": _neg,
    "not": _not,
    "select": _select,
    "fms": _fms,
    "fnma": _fnma,
    "pow2": _pow2,
    "bit": _bit,
    "exponent": _exponent,
    "significand": _significand,
    "gather": _gather,
}
