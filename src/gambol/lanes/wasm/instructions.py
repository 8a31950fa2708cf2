"""Single operations as WebAssembly instructions on a stack of vectors; masks are vectors with all bits of a lane equal.

Each result agrees to the bit with lanes.cpu; only the bits of a NaN may differ.
"""

from collections.abc import Callable, Sequence

from gambol.errors import GambolError
from gambol.lanes.ops import Op
from gambol.lanes.wasm.encoding import ADDRESS_ZERO, OPCODES, access, constant_i32, local
from gambol.lanes.wasm.lane_shape import LaneShape
from gambol.lanes.wasm.memory import Memory

DIRECT = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "lt": "lt", "le": "le", "eq": "eq", "sqrt": "sqrt",
    "abs": "abs", "neg": "neg", "floor": "floor", "round": "nearest", "fma": "relaxed_madd", "fnma": "relaxed_nmadd",
}  # fmt: skip
"""Operations that are one instruction on reals."""

BITWISE = {"and": "v128.and", "or": "v128.or", "not": "v128.not", "select": "v128.bitselect"}
"""Operations that are one instruction on bits."""

OPERAND_ORDER = {"select": (1, 2, 0), "copysign": (1, 0)}
"""The order in which operands are pushed, if it differs from the order of the operation."""

TABLE_ENTRY_BYTES = 16
"""Size of the description of an input table: its address (32 bits), 4 unused bytes, and its last index, a real [bytes].
"""


class Operations:
    """The instructions of single operations. A function pushes operands; results are left on the stack.

    shape: shape of the vectors; memory: memory of constants and tables; tables: the addresses of the descriptions of
    input tables.
    """

    def __init__(self, shape: LaneShape, memory: Memory, tables: Sequence[int]) -> None:
        self.shape = shape
        self.memory = memory
        self.tables = tables
        self.splat = f"v128.load{8 * shape.size}_splat"
        self.direct = {name: OPCODES[f"{shape.real}.{instruction}"] for name, instruction in DIRECT.items()}
        self.direct |= {name: OPCODES[instruction] for name, instruction in BITWISE.items()}
        self.special: dict[str, Callable[[Op, list[bytes]], bytes]] = {
            "fms": lambda op, a: a[0] + a[1] + a[2] + self._real("neg") + self._real("relaxed_madd"),
            "copysign": lambda op, a: a[0] + a[1] + self._sign_bits() + OPCODES["v128.bitselect"],
            "pow2": self._pow2,
            "bit": self._bit,
            "exponent": self._exponent,
            "significand": self._significand,
        }

    def write(self, op: Op, operands: list[bytes]) -> bytes:
        """Return the instructions of an operation. operands: instructions that push its operands, in OPERAND_ORDER.

        Raises GambolError for an operation that is not available in WebAssembly.
        """
        if op.name in self.direct:
            return b"".join(operands) + self.direct[op.name]
        if op.name not in self.special:
            raise GambolError(f'the operation "{op.name}" cannot be written as WebAssembly')
        return self.special[op.name](op, operands)

    def constant(self, bits: bytes) -> bytes:
        """Return the instructions that push a number, given by its bits, in every lane."""
        return ADDRESS_ZERO + access(self.splat, self.memory.constant(bits))

    def number(self, value: float) -> bytes:
        """Return the instructions that push a number in every lane."""
        return self.constant(self.shape.bits(value))

    def mask(self, value: bool) -> bytes:
        """Return the instructions that push a mask with the same truth value in every lane."""
        return self.constant(self.shape.integer_bits(-1 if value else 0))

    def _real(self, instruction: str) -> bytes:
        return OPCODES[f"{self.shape.real}.{instruction}"]

    def _integer(self, instruction: str) -> bytes:
        return OPCODES[f"{self.shape.integer}.{instruction}"]

    def _sign_bits(self) -> bytes:
        return self.constant(self.shape.integer_bits(1 << (8 * self.shape.size - 1)))

    def _shift(self, instruction: str, distance: int) -> bytes:
        return constant_i32(distance) + self._integer(instruction)

    def _pow2(self, op: Op, a: list[bytes]) -> bytes:
        """Return 2**x for an integer x in the normal range. After adding a large number, the low bits are x + bias."""
        large = self.number(1.5 * 2.0**self.shape.mantissa + self.shape.bias)
        return a[0] + large + self._real("add") + self._shift("shl", self.shape.mantissa)

    def _bit(self, op: Op, a: list[bytes]) -> bytes:
        """Return the test of a bit of a signed integer below 2**50 (float32: 2**21). The bit is shifted to the sign."""
        large = self.number(1.5 * 2.0**self.shape.mantissa)
        shifted = a[0] + large + self._real("add") + self._shift("shl", 8 * self.shape.size - 1 - op.extra)
        return shifted + self.constant(self.shape.integer_bits(0)) + self._integer("lt_s")

    def _exponent(self, op: Op, a: list[bytes]) -> bytes:
        """Return the integer e with 2**e <= x < 2**(e + 1), for a positive normal x.

        The exponent field e + bias becomes the mantissa of the real 2**mantissa + e + bias.
        """
        width, bias = self.shape.mantissa, self.shape.bias
        tag = self.constant(self.shape.integer_bits((bias + width) << width))
        tagged = a[0] + self._shift("shr_u", width) + tag + OPCODES["v128.or"]
        return tagged + self.number(2.0**width + bias) + self._real("sub")

    def _significand(self, op: Op, a: list[bytes]) -> bytes:
        """Return x / 2**exponent(x), in [1, 2), for a positive normal x."""
        width = self.shape.mantissa
        mantissa = a[0] + self.constant(self.shape.integer_bits((1 << width) - 1)) + OPCODES["v128.and"]
        return mantissa + self.constant(self.shape.integer_bits(self.shape.bias << width)) + OPCODES["v128.or"]

    def gather(self, op: Op, index: bytes, temporary: int) -> bytes:
        """Return the instructions that push each lane's entry of a table.

        An index outside the table selects the nearest end, NaN selects the first entry. index: the instructions that
        push the index; temporary: a free local.
        """
        table: int | tuple[float, ...] = op.extra
        if isinstance(table, tuple):
            base, offset, last = b"", self.memory.table(table), self.number(float(len(table) - 1))
        else:
            entry = self.tables[table]
            base, offset = ADDRESS_ZERO + access("i32.load", entry) + OPCODES["i32.add"], 0
            last = ADDRESS_ZERO + access(self.splat, entry + 8)
        lanes, wide = range(self.shape.lanes), self.shape.size == 8
        clamped = self.number(0.0) + index + self._real("pmax") + last + self._real("pmin")
        rounded = OPCODES["i32x4.trunc_sat_f64x2_s_zero" if wide else "i32x4.trunc_sat_f32x4_s"]
        code = clamped + rounded + local("local.set", temporary)
        for lane in reversed(lanes):  # the address of the first lane is on top of the stack
            code += local("local.get", temporary) + OPCODES["i32x4.extract_lane"] + bytes([lane])
            code += constant_i32(3 if wide else 2) + OPCODES["i32.shl"] + base
        code += access(self.splat, offset)
        for lane in lanes[1:]:
            code += access(f"v128.load{8 * self.shape.size}_lane", offset, lane)
        return code
