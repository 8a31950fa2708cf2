"""One operation as machine instructions: arithmetic, comparisons, bits of numbers, and gathers from tables."""

from collections.abc import Callable, Sequence

from gambol.lanes.lower.kinds import BIAS, MANTISSA_BITS, Kind
from gambol.lanes.ops import Op

BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}
LOGIC = {"and": "and", "or": "or"}
INTRINSIC = {"sqrt": 1, "fabs": 1, "floor": 1, "roundeven": 1, "copysign": 2, "fma": 3}
ALIAS = {"abs": "fabs", "round": "roundeven"}


class Writer:
    """The instructions of one function, in basic blocks, and the memory it needs.

    table: gives the name of a constant table.
    """

    def __init__(self, kind: Kind, table: Callable[[tuple[float, ...]], str]) -> None:
        self.kind = kind
        self.table = table
        self.lines: list[str] = []
        self.stack: list[str] = []
        self.areas: dict[tuple[str, int], str] = {}
        self.held: dict[tuple[str, int], str] = {}
        self.count = 0
        self.block = "entry"
        self.way = ""

    def new(self, text: str) -> str:
        """A new value made by an instruction."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def label(self, name: str) -> str:
        """A name of a block that no other has."""
        self.count += 1
        return f"{name}{self.count}"

    def start(self, label: str) -> None:
        """Begin a block."""
        self.lines.append(f"{label}:")
        self.block = label
        self.held.clear()

    def go_on(self) -> None:
        """End a block and begin one that only this one leads to.

        LLVM would make one block of both, were there no second way, which is never taken: no table lies at -1.
        """
        if not self.way:
            self.way = "%way"
            self.stack.append("  %way = icmp ne ptr %tables, inttoptr (i64 -1 to ptr)")
        label = self.label("on")
        self.lines += [f"  br i1 {self.way}, label %{label}, label %never", f"{label}:"]
        self.block = label

    def ends(self) -> list[str]:
        """The last lines of the function."""
        return ["  ret void", *(["never:", "  unreachable"] if self.way else [])]

    def defined(self, head: str) -> str:
        """The whole definition of what was written."""
        return "\n".join([head, *self.stack, *self.lines, *self.ends(), "}\n"])

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
        """Put a value into a place of an area."""
        place = self.new(f"getelementptr {self.kind.real}, ptr {area}, i64 {k}")
        self.lines.append(f"  store {self.kind.real} {value}, ptr {place}")

    def give(self, values: Sequence[str]) -> str:
        """The area that holds what a call takes; what it holds from an earlier call in this block is not stored again.

        No function writes to what it is given.
        """
        area = self.area("given", len(values))
        for k, value in enumerate(values):
            if self.held.get((area, k)) != value:
                self.held[area, k] = value
                self.store(value, area, k)
        return area

    def load(self, area: str, k: int) -> str:
        """Take a value from a place of an area."""
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
        if name == "anything":
            return "poison"
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
        """A function that LLVM knows by name."""
        real = self.kind.real
        return self.new(f"call {real} @llvm.{name}.{self.kind.suffix}({', '.join(f'{real} {x}' for x in a)})")


def _neg(f: Writer, op: Op, a: list[str]) -> str:
    return f.new(f"fneg {f.kind.real} {a[0]}")


def _not(f: Writer, op: Op, a: list[str]) -> str:
    return f.new(f"xor {f.kind.mask} {a[0]}, {f.kind.truth(True)}")


def _select(f: Writer, op: Op, a: list[str]) -> str:
    real = f.kind.real
    return f.new(f"select {f.kind.mask} {a[0]}, {real} {a[1]}, {real} {a[2]}")


def _fms(f: Writer, op: Op, a: list[str]) -> str:
    return f.intrinsic("fma", [a[0], a[1], _neg(f, op, [a[2]])])


def _fnma(f: Writer, op: Op, a: list[str]) -> str:
    return f.intrinsic("fma", [_neg(f, op, [a[0]]), a[1], a[2]])


def _as_bits(f: Writer, x: str) -> str:
    return f.new(f"bitcast {f.kind.real} {x} to {f.kind.bits}")


def _as_real(f: Writer, bits: str) -> str:
    return f.new(f"bitcast {f.kind.bits} {bits} to {f.kind.real}")


def _pow2(f: Writer, op: Op, a: list[str]) -> str:
    """2 to a whole power within the normal range: the sum with a large constant leaves the exponent in the low bits."""
    width, bias = MANTISSA_BITS[f.kind.precision], BIAS[f.kind.precision]
    shifted = f.new(f"fadd {f.kind.real} {a[0]}, {f.kind.constant(1.5 * 2.0**width + bias)}")
    return _as_real(f, f.new(f"shl {f.kind.bits} {_as_bits(f, shifted)}, {f.kind.whole(width)}"))


def _bit(f: Writer, op: Op, a: list[str]) -> str:
    """Whether a bit of a whole number, of any sign but less than 2**50 (float32: 2**21), is set: moved to the sign."""
    width = MANTISSA_BITS[f.kind.precision]
    shifted = f.new(f"fadd {f.kind.real} {a[0]}, {f.kind.constant(1.5 * 2.0**width)}")
    last = f.kind.whole(8 * f.kind.bytes - 1 - op.extra)
    moved = f.new(f"shl {f.kind.bits} {_as_bits(f, shifted)}, {last}")
    return f.new(f"icmp slt {f.kind.bits} {moved}, {f.kind.whole(0)}")


def _exponent(f: Writer, op: Op, a: list[str]) -> str:
    """The whole e with 2**e <= x < 2**(e + 1), for a positive normal x."""
    width, bias = MANTISSA_BITS[f.kind.precision], BIAS[f.kind.precision]
    high = f.new(f"lshr {f.kind.bits} {_as_bits(f, a[0])}, {f.kind.whole(width)}")
    tag = (bias + width) << width
    tagged = _as_real(f, f.new(f"or {f.kind.bits} {high}, {f.kind.whole(tag)}"))
    return f.new(f"fsub {f.kind.real} {tagged}, {f.kind.constant(2.0**width + bias)}")


def _significand(f: Writer, op: Op, a: list[str]) -> str:
    """x / 2**exponent(x), in [1, 2), for a positive normal x."""
    width, bias = MANTISSA_BITS[f.kind.precision], BIAS[f.kind.precision]
    low = f.new(f"and {f.kind.bits} {_as_bits(f, a[0])}, {f.kind.whole((1 << width) - 1)}")
    return _as_real(f, f.new(f"or {f.kind.bits} {low}, {f.kind.whole(bias << width)}"))


def _gather(f: Writer, op: Op, a: list[str]) -> str:
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


def _table(f: Writer, which: int | tuple[float, ...]) -> tuple[str, str]:
    """The address of a table and, as a real, its last index."""
    one = Kind(f.kind.precision, 1)
    if isinstance(which, tuple):
        return f.table(which), one.constant(float(len(which) - 1))
    entry = f.new(f"getelementptr {{ptr, i64}}, ptr %tables, i64 {which}")
    base = f.new(f"load ptr, ptr {entry}")
    place = f.new(f"getelementptr {{ptr, i64}}, ptr {entry}, i64 0, i32 1")
    last = f.new(f"sub i64 {f.new(f'load i64, ptr {place}')}, 1")
    return base, f.new(f"sitofp i64 {last} to {one.scalar}")


def _number(f: Writer, op: Op, a: list[str]) -> str:
    """A constant from the table %numbers, in every lane."""
    one = f.kind.scalar
    place = f.new(f"getelementptr {one}, ptr %numbers, i64 {op.extra}")
    x = f.new(f"load {one}, ptr {place}, !invariant.load !1")
    if f.kind.lanes == 1:
        return x
    first = f.new(f"insertelement {f.kind.real} poison, {one} {x}, i32 0")
    return f.new(f"shufflevector {f.kind.real} {first}, {f.kind.real} poison, <{f.kind.lanes} x i32> zeroinitializer")


SPECIAL = {
    "number": _number,
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
