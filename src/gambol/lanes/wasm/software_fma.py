"""The correctly rounded a b + c from other instructions, for machines whose relaxed_madd does not fuse.

The product and the sum are computed with their errors. In float64 the errors are added, and then to the sum; the few
results for which two roundings can differ from one are computed by an imported function. In float32 a product is exact
in float64, and the sum is rounded to odd and then to float32. [Boldo & Melquiond 2008, "Emulation of FMA and correctly
rounded sums: proved algorithms using rounding to odd"]
"""

from collections.abc import Sequence

from gambol.lanes.wasm.encoding import (
    ADDRESS_ZERO,
    CODE,
    EXPORTS,
    FUNCTIONS,
    MAGIC,
    NO_RESULT,
    OPCODES,
    TYPES,
    access,
    function_code,
    function_type,
    items,
    local,
    name,
    section,
)
from gambol.lanes.wasm.lane_shape import SHAPES, LaneShape
from gambol.lanes.wasm.memory import Memory

SPLITTER = 2.0**27 + 1.0  # times a number, it parts the number into halves of 26 bits [Dekker 1971]
MIN_PRODUCT, MAX_RESULT = 2.0**-900, 2.0**1000
"""Lower bound of a product and upper bound of a result, between which no error underflows. If an intermediate value
overflows, the result is infinite or not a number."""


class _Function:
    """A function of three vectors with a separate local for every intermediate result."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.count = 3
        self.code = b""
        self.constants: dict[bytes, int] = {}

    def __call__(self, instruction: str, *operands: int, end: bytes = b"") -> int:
        """Append an instruction on locals, and return the local of its result. end: its immediate argument."""
        self.code += b"".join(local("local.get", n) for n in operands) + OPCODES[instruction] + end
        return self.kept()

    def kept(self) -> int:
        """Append the instruction that puts the top of the stack into a new local; return the local."""
        self.code += local("local.set", self.count)
        self.count += 1
        return self.count - 1

    def constant(self, bits: bytes) -> int:
        """Return the local with a constant of 64 bits in both lanes; append its instructions at the first use."""
        if bits not in self.constants:
            self.code += ADDRESS_ZERO + access("v128.load64_splat", self.memory.constant(bits))
            self.constants[bits] = self.kept()
        return self.constants[bits]

    def number(self, value: float) -> int:
        """Return the local with a float64 in both lanes; see constant()."""
        return self.constant(SHAPES["float64"].bits(value))

    def integer(self, value: int) -> int:
        """Return the local with a 64-bit integer in both lanes; see constant()."""
        return self.constant(SHAPES["float64"].integer_bits(value))

    def two_sum(self, x: int, y: int) -> tuple[int, int]:
        """Return x + y and its error. [Knuth, The Art of Computer Programming 2, theorem 4.2.2 B]"""
        total = self("f64x2.add", x, y)
        y_part = self("f64x2.sub", total, x)
        x_part = self("f64x2.sub", total, y_part)
        return total, self("f64x2.add", self("f64x2.sub", x, x_part), self("f64x2.sub", y, y_part))

    def halves(self, x: int) -> tuple[int, int]:
        """Return x as the sum of two numbers of 26 bits. [Dekker 1971]"""
        scaled = self("f64x2.mul", x, self.number(SPLITTER))
        high = self("f64x2.sub", scaled, self("f64x2.sub", scaled, x))
        return high, self("f64x2.sub", x, high)

    def two_product(self, x: int, y: int) -> tuple[int, int]:
        """Return x y and its error. [Dekker 1971]"""
        product = self("f64x2.mul", x, y)
        (x_high, x_low), (y_high, y_low) = self.halves(x), self.halves(y)
        error = self("f64x2.sub", self("f64x2.mul", x_high, y_high), product)
        for a, b in ((x_high, y_low), (x_low, y_high), (x_low, y_low)):
            error = self("f64x2.add", error, self("f64x2.mul", a, b))
        return product, error

    def odd_sum(self, x: int, y: int) -> int:
        """Return x + y rounded to odd.

        An inexact result with an even mantissa is replaced by its neighbour on the other side of the exact sum. This
        neighbour is further from 0 if the error has the sign of the result, else nearer to 0.
        """
        total, error = self.two_sum(x, y)
        zero, one = self.integer(0), self.integer(1)
        is_even = self("i64x2.eq", self("v128.and", total, one), zero)
        is_inexact = self("v128.or", self("f64x2.lt", error, zero), self("f64x2.gt", error, zero))  # False for a NaN
        inward = self("i64x2.lt_s", self("v128.xor", total, error), zero)
        outward_bits, inward_bits = self("i64x2.add", total, one), self("i64x2.sub", total, one)
        moved = self("v128.bitselect", inward_bits, outward_bits, inward)
        return self("v128.bitselect", moved, total, self("v128.and", is_even, is_inexact))


def software_fma(shape: LaneShape, memory: Memory, exact: int) -> bytes:
    """Return the code of a function of vectors (a, b, c) that returns a b + c, rounded once.

    memory: memory of the module. exact: index of the function of three float64 for values out of range.
    """
    f = _Function(memory)
    result = _double_fma(f, exact) if shape.size == 8 else _single_fma(f)
    return function_code({"v128": f.count - 3}, f.code + local("local.get", result))


def _double_fma(f: _Function, exact: int) -> int:
    """Append a b + c of float64, which is total + total_error + error exactly.

    The sum of the errors is rounded to `rest`, and total + rest to the result. Rounding is monotonic, so this is
    a b + c rounded once, unless total + rest lies halfway between two numbers and `rest` is inexact: then `exact`
    computes it. If a factor is 0, the plain sum is exact.
    """
    a, b, c = range(3)
    product, error = f.two_product(a, b)
    total, total_error = f.two_sum(product, c)
    rest, rest_error = f.two_sum(total_error, error)
    rounded = f("f64x2.add", total, rest)
    missed = f("f64x2.sub", rest, f("f64x2.sub", rounded, total))
    step = f("f64x2.add", missed, missed)  # to the next number if total + rest lies halfway
    is_halfway = f("f64x2.eq", f("f64x2.sub", f("f64x2.add", rounded, step), rounded), step)
    zero = f.number(0.0)
    is_unclear = f("v128.andnot", is_halfway, f("f64x2.eq", rest_error, zero))
    is_zero = f("v128.or", f("f64x2.eq", a, zero), f("f64x2.eq", b, zero))
    is_large = f("v128.or", f("f64x2.gt", f("f64x2.abs", product), f.number(MIN_PRODUCT)), is_zero)
    in_range = f("v128.and", is_large, f("f64x2.lt", f("f64x2.abs", rounded), f.number(MAX_RESULT)))  # False for a NaN
    is_valid = f("v128.andnot", in_range, is_unclear)
    result = f("v128.bitselect", total, rounded, is_zero)
    f.code += local("local.get", is_valid) + OPCODES["i64x2.all_true"] + OPCODES["i32.eqz"]
    f.code += OPCODES["if"] + NO_RESULT + _exact_lanes(result, exact) + OPCODES["end"]
    return result


def _exact_lanes(result: int, exact: int) -> bytes:
    """Return the instructions that compute both lanes by the exact function."""
    code = b""
    for lane in (b"\0", b"\1"):
        operands = b"".join(local("local.get", n) + OPCODES["f64x2.extract_lane"] + lane for n in range(3))
        value = operands + OPCODES["call"] + bytes([exact])
        code += local("local.get", result) + value + OPCODES["f64x2.replace_lane"] + lane + local("local.set", result)
    return code


def _single_fma(f: _Function) -> int:
    """Append a b + c of float32, two lanes at a time in float64."""
    halves: list[int] = []
    for first in (0, 8):
        wide = [f("f64x2.promote_low_f32x4", _moved(f, x, first)) for x in range(3)]
        total = f.odd_sum(f("f64x2.mul", wide[0], wide[1]), wide[2])
        halves.append(f("f32x4.demote_f64x2_zero", total))
    return f("i8x16.shuffle", *halves, end=bytes([*range(8), *range(16, 24)]))


def _moved(f: _Function, x: int, first: int) -> int:
    """Append the vector x rotated so that its byte `first` becomes byte 0."""
    return f("i8x16.shuffle", x, x, end=bytes((first + k) % 16 for k in range(16))) if first else x


def software_fnma(shape: LaneShape, fma: int) -> bytes:
    """Return the code of a function of vectors (a, b, c) that returns -a b + c.

    fma: index of the function for a b + c.
    """
    negated = local("local.get", 0) + OPCODES[f"{shape.real}.neg"]
    others = local("local.get", 1) + local("local.get", 2)
    return function_code({}, negated + others + OPCODES["call"] + bytes([fma]))


def fusion_probe(shape: LaneShape) -> bytes:
    """Return a module that exports "madd", a function of three numbers that computes a b + c by relaxed_madd.

    A page calls it with numbers for which a b + c is 0 if it is rounded twice.
    """
    narrow, wide = ("f32x4.demote_f64x2_zero", "f64x2.promote_low_f32x4") if shape.size == 4 else ("", "")
    convert = OPCODES.get(narrow, b"")
    operands = b"".join(local("local.get", k) + OPCODES["f64x2.splat"] + convert for k in range(3))
    result = OPCODES[f"{shape.real}.relaxed_madd"] + OPCODES.get(wide, b"")
    code = function_code({}, operands + result + OPCODES["f64x2.extract_lane"] + b"\0")
    return b"".join(
        (
            MAGIC,
            section(TYPES, items([function_type(("f64",) * 3, ("f64",))])),
            section(FUNCTIONS, items([b"\0"])),
            section(EXPORTS, items([name("madd") + b"\0\0"])),
            section(CODE, items([code])),
        )
    )


def replacements(shape: LaneShape, functions: Sequence[int]) -> dict[bytes, bytes]:
    """Return the instruction of the same length that replaces each relaxed instruction.

    functions: indices of the functions for a b + c and for -a b + c.
    """
    relaxed = (OPCODES[f"{shape.real}.relaxed_madd"], OPCODES[f"{shape.real}.relaxed_nmadd"])
    return {old: OPCODES["call"] + bytes([index | 128, 0]) for old, index in zip(relaxed, functions, strict=True)}
