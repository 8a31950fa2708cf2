"""Lowering of single operations to LLVM instructions: arithmetic, comparisons, bit operations, gathers from tables."""

from collections.abc import Callable, Sequence

from gambol.lanes.cpu.lower.lane_types import BIAS, MANTISSA_BITS, LaneTypes
from gambol.lanes.cpu.lower.loads import Deferred, InMemory, runs
from gambol.lanes.cpu.lower.memory import gather, stored_address
from gambol.lanes.cpu.lower.reloads import Reloads
from gambol.lanes.ops import Op

BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}
LOGIC = {"and": "and", "or": "or"}
INTRINSIC = {"sqrt": 1, "fabs": 1, "floor": 1, "roundeven": 1, "copysign": 2, "fma": 3}
ALIAS = {"abs": "fabs", "round": "roundeven"}


class Writer:
    """The text of one LLVM function: its instructions, in basic blocks, and its stack memory.

    types: types of its lanes; table: a function that returns the name of a constant table.
    """

    def __init__(self, types: LaneTypes, table: Callable[[tuple[float, ...]], str]) -> None:
        self.types = types
        self.table = table
        self.lines: list[str] = []
        self.stack: list[str] = []
        self.areas: dict[tuple[str, int], str] = {}
        self.arrays: dict[str, int] = {}  # the length of each array, by address
        self.stored: dict[tuple[str, int], str] = {}
        self.reloads = Reloads()
        self.arena_size = 0
        self.count = 0
        self.block = "entry"
        self.always_true = ""

    def new(self, text: str) -> str:
        """Append an instruction; return the name of its value."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def label(self, name: str) -> str:
        """Return a unique name for a block."""
        self.count += 1
        return f"{name}{self.count}"

    def start(self, label: str) -> None:
        """Begin a block. Several blocks may jump to it, so the arguments stored by pass_arguments() are forgotten."""
        self.lines.append(f"{label}:")
        self.block = label
        self.stored.clear()
        self.reloads.here.clear()

    def start_loop(self, label: str) -> None:
        """Begin the first block that a loop repeats. Stores later in the loop change arrays before its next run."""
        self.start(label)
        self.reloads.version += 1

    def split_block(self) -> None:
        """End a long basic block and continue in a new one, since LLVM compiles long blocks slowly.

        LLVM would merge the two blocks if a plain jump connected them. So the jump is written as a branch with a
        condition that is always true, because %context is never the address -1; the other branch leads to the block
        "never". The stored arguments stay known, because only the old block leads to the new one.
        """
        if not self.always_true:
            self.always_true = "%always"
            self.stack.append("  %always = icmp ne ptr %context, inttoptr (i64 -1 to ptr)")
        label = self.label("continued")
        self.lines += [f"  br i1 {self.always_true}, label %{label}, label %never", f"{label}:"]
        self.block = label
        self.reloads.here.clear()

    def ends(self) -> list[str]:
        """Return the lines that end the function."""
        return ["  ret void", *(["never:", "  unreachable"] if self.always_true else [])]

    def definition(self, head: str) -> str:
        """Return the complete text of the function. head: its first lines, with #0; #1 if it has arrays."""
        head = head.replace("#0", "#1") if self.arrays else head
        arena = [f"  %arena = alloca [{self.arena_size} x {self.types.real}]"] if self.arena_size else []
        return "\n".join([head, *arena, *self.stack, *self.lines, *self.ends(), "}\n"])

    def arena(self, count: int) -> int:
        """Reserve `count` entries of the arena, the memory %arena for scans; return the index of the first one."""
        self.arena_size += count
        return self.arena_size - count

    def area(self, name: str, size: int, shared: bool = True) -> str:
        """Return the name of stack memory for `size` values; if shared, equal names and sizes give the same memory."""
        key = (name, size)
        if not shared or key not in self.areas:
            address = f"%{name}{len(self.stack)}"
            self.stack.append(f"  {address} = alloca [{max(1, size)} x {self.types.real}]")
            if not shared:
                return address
            self.areas[key] = address
        return self.areas[key]

    def store(self, value: str, area: str, k: int, by_value: bool = True) -> None:
        """Store a value in entry k of an area; of an array all numbers or the address; nothing if it is unused."""
        if value == "poison":
            return
        address = self.new(f"getelementptr {self.types.real}, ptr {area}, i64 {k}")
        if value in self.arrays and by_value:
            self.copy(value, address, self.arrays[value])
        elif value in self.arrays:
            self.lines.append(f"  store {stored_address(self, value)}, ptr {address}")
        else:
            self.lines.append(f"  store {self.types.real} {value}, ptr {address}")

    def copy(self, source: str, target: str, count: int) -> None:
        """Copy values from one address to another."""
        self.lines.append(f"  call void @copy_values(ptr {target}, ptr {source}, i64 {count})")
        self.reloads.version += 1

    def pass_arguments(self, values: Sequence[str], inputs: int) -> str:
        """Store the arguments of a call, `inputs` and then captures, in an area, and return it.

        No function writes to its arguments. Of captured arrays the addresses are stored. Arguments that an earlier call
        stored there are not stored again; start() clears this record.
        """
        area = self.area("arguments", len(values))
        first = self.reloads.first
        new = {k: value for k, value in enumerate(values) if self.stored.get((area, k)) != first(value)}
        self.stored |= {(area, k): "" if value in self.arrays else first(value) for k, value in new.items()}
        for k, value in new.items():
            if not isinstance(value, InMemory):
                self.store(value.load() if isinstance(value, Deferred) else value, area, k, by_value=k < inputs)
        for first, count, k in runs([(value.slot, k) for k, value in new.items() if isinstance(value, InMemory)]):
            self.copy_inputs(first, count, area, k)
        return area

    def copy_inputs(self, first: int, count: int, area: str, k: int) -> None:
        """Copy inputs from %in to an area. first: index of the first input; count: number of inputs; k: first entry."""
        source = self.new(f"getelementptr {self.types.real}, ptr %in, i64 {first}")
        self.copy(source, self.new(f"getelementptr {self.types.real}, ptr {area}, i64 {k}"), count)

    def load(self, area: str, k: int) -> str:
        """Load the value of entry k of an area."""
        address = self.new(f"getelementptr {self.types.real}, ptr {area}, i64 {k}")
        return self.new(f"load {self.types.real}, ptr {address}")

    def both(self, mask: str, other: str) -> str:
        """Return the mask that is true where both masks are."""
        return self.new(f"and {self.types.mask} {mask}, {other}")

    def any(self, mask: str) -> str:
        """Return an i1 value: true if a mask is true in any lane."""
        if self.types.lanes == 1:
            return mask
        return self.new(f"icmp ne i{self.types.lanes} {self.bits_of(mask)}, 0")

    def bits_of(self, mask: str) -> str:
        """Return a mask of more than one lane as an integer with a bit for each lane."""
        return self.new(f"bitcast {self.types.mask} {mask} to i{self.types.lanes}")

    def write_operation(self, op: Op, a: list[str]) -> str:
        """Append an operation with one result and no control flow; return its value. a: the names of its operands."""
        types, name = self.types, ALIAS.get(op.name, op.name)
        if name == "undefined":
            return "poison"
        if name == "const":
            return types.constant(op.extra)
        if name == "always":
            return types.mask_constant(op.extra)
        if name in BINARY:
            return self.new(f"{BINARY[name]} {types.real} {a[0]}, {a[1]}")
        if name in INTRINSIC:
            return self.intrinsic(name, a)
        if name in COMPARE:
            return self.new(f"fcmp {COMPARE[name]} {types.real} {a[0]}, {a[1]}")
        if name in LOGIC:
            return self.new(f"{LOGIC[name]} {types.mask} {a[0]}, {a[1]}")
        return SPECIAL[name](self, op, a)

    def intrinsic(self, name: str, a: list[str]) -> str:
        """Append a call of an LLVM intrinsic; return its value. a: the names of its operands."""
        real = self.types.real
        return self.new(f"call {real} @llvm.{name}.{self.types.suffix}({', '.join(f'{real} {x}' for x in a)})")


def _neg(f: Writer, op: Op, a: list[str]) -> str:
    return f.new(f"fneg {f.types.real} {a[0]}")


def _not(f: Writer, op: Op, a: list[str]) -> str:
    return f.new(f"xor {f.types.mask} {a[0]}, {f.types.mask_constant(True)}")


def _select(f: Writer, op: Op, a: list[str]) -> str:
    real = f.types.real
    return f.new(f"select {f.types.mask} {a[0]}, {real} {a[1]}, {real} {a[2]}")


def _fms(f: Writer, op: Op, a: list[str]) -> str:
    return f.intrinsic("fma", [a[0], a[1], _neg(f, op, [a[2]])])


def _fnma(f: Writer, op: Op, a: list[str]) -> str:
    return f.intrinsic("fma", [_neg(f, op, [a[0]]), a[1], a[2]])


def _as_bits(f: Writer, x: str) -> str:
    return f.new(f"bitcast {f.types.real} {x} to {f.types.bits}")


def _as_real(f: Writer, bits: str) -> str:
    return f.new(f"bitcast {f.types.bits} {bits} to {f.types.real}")


def _pow2(f: Writer, op: Op, a: list[str]) -> str:
    """Append 2**x for an integer x in the normal range. After adding a large constant, the low bits are x + bias."""
    width, bias = MANTISSA_BITS[f.types.precision], BIAS[f.types.precision]
    shifted = f.new(f"fadd {f.types.real} {a[0]}, {f.types.constant(1.5 * 2.0**width + bias)}")
    return _as_real(f, f.new(f"shl {f.types.bits} {_as_bits(f, shifted)}, {f.types.integer_constant(width)}"))


def _bit(f: Writer, op: Op, a: list[str]) -> str:
    """Append the test of a bit of a signed integer below 2**50 (float32: 2**21). The bit is shifted to the sign."""
    width = MANTISSA_BITS[f.types.precision]
    shifted = f.new(f"fadd {f.types.real} {a[0]}, {f.types.constant(1.5 * 2.0**width)}")
    distance = f.types.integer_constant(8 * f.types.bytes - 1 - op.extra)
    moved = f.new(f"shl {f.types.bits} {_as_bits(f, shifted)}, {distance}")
    return f.new(f"icmp slt {f.types.bits} {moved}, {f.types.integer_constant(0)}")


def _exponent(f: Writer, op: Op, a: list[str]) -> str:
    """Append the integer e with 2**e <= x < 2**(e + 1), for a positive normal x.

    The exponent field e + bias becomes the mantissa of the real 2**width (bits `tag`): together 2**width + e + bias.
    """
    width, bias = MANTISSA_BITS[f.types.precision], BIAS[f.types.precision]
    exponent_bits = f.new(f"lshr {f.types.bits} {_as_bits(f, a[0])}, {f.types.integer_constant(width)}")
    tag = (bias + width) << width
    tagged = _as_real(f, f.new(f"or {f.types.bits} {exponent_bits}, {f.types.integer_constant(tag)}"))
    return f.new(f"fsub {f.types.real} {tagged}, {f.types.constant(2.0**width + bias)}")


def _significand(f: Writer, op: Op, a: list[str]) -> str:
    """Append x / 2**exponent(x), in [1, 2), for a positive normal x."""
    width, bias = MANTISSA_BITS[f.types.precision], BIAS[f.types.precision]
    mantissa = f.new(f"and {f.types.bits} {_as_bits(f, a[0])}, {f.types.integer_constant((1 << width) - 1)}")
    return _as_real(f, f.new(f"or {f.types.bits} {mantissa}, {f.types.integer_constant(bias << width)}"))


def _piece_constant(f: Writer, op: Op, a: list[str]) -> str:
    """Append the load of a constant of the running piece (see split.py) into every lane."""
    scalar = f.types.scalar
    address = f.new(f"getelementptr {scalar}, ptr %constants, i64 {op.extra}")
    return in_all_lanes(f, f.new(f"load {scalar}, ptr {address}, !invariant.load !1"))


def in_all_lanes(f: Writer, x: str) -> str:
    """Append a vector with the number x in every lane."""
    real, lanes = f.types.real, f.types.lanes
    if lanes == 1:
        return x
    first = f.new(f"insertelement {real} poison, {f.types.scalar} {x}, i32 0")
    return f.new(f"shufflevector {real} {first}, {real} poison, <{lanes} x i32> zeroinitializer")


SPECIAL = {
    "piece_constant": _piece_constant,
    "neg": _neg,
    "not": _not,
    "select": _select,
    "fms": _fms,
    "fnma": _fnma,
    "pow2": _pow2,
    "bit": _bit,
    "exponent": _exponent,
    "significand": _significand,
    "gather": gather,
}
