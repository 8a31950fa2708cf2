"""The LLVM types of lanes (vectors of reals, masks and integers) and their constants, as assembly text."""

import ctypes
import struct

from gambol.lanes.ops import Precision

MANTISSA_BITS: dict[Precision, int] = {"float64": 52, "float32": 23}
BIAS: dict[Precision, int] = {"float64": 1023, "float32": 127}  # of the stored exponent

CONTEXT = "{i64, i64, ptr}"
RARITY, WAITING, TABLES = range(3)
"""The type of the context of a program's functions, and its fields: the highest rarity of branches that are not
postponed; a bit for each lane that waits for a rarer branch; the list of tables (address, length)."""


class LaneTypes:
    """The LLVM types and constants for a precision and a number of lanes.

    bytes: size of a number. scalar, integer: types of a number and of an integer of its size. real, bits, mask: vectors
    of numbers, of such integers, and of truth values. suffix: suffix of the names of LLVM's intrinsics.
    """

    def __init__(self, precision: Precision, lanes: int) -> None:
        self.precision: Precision = precision
        self.lanes = lanes
        self.bytes = 8 if precision == "float64" else 4
        self.scalar = "double" if precision == "float64" else "float"
        self.integer = f"i{8 * self.bytes}"
        self.real = self._vector(self.scalar)
        self.mask = self._vector("i1")
        self.bits = self._vector(self.integer)
        self.suffix = f"v{lanes}f{8 * self.bytes}" if lanes > 1 else f"f{8 * self.bytes}"

    def _vector(self, scalar: str) -> str:
        return f"<{self.lanes} x {scalar}>" if self.lanes > 1 else scalar

    def constant(self, x: float) -> str:
        """Return a vector with the number x in every lane, written as its exact bits."""
        if self.precision == "float32":
            x = ctypes.c_float(x).value
        bits = struct.unpack("<Q", struct.pack("<d", x))[0]
        return self._splat(self.scalar, f"0x{bits:016X}")

    def integer_constant(self, n: int) -> str:
        """Return a vector with the integer n in every lane."""
        return self._splat(self.integer, str(n))

    def mask_constant(self, value: bool) -> str:
        """Return a mask with the same truth value in every lane."""
        return self._splat("i1", "true" if value else "false")

    def _splat(self, scalar: str, text: str) -> str:
        return f"splat ({scalar} {text})" if self.lanes > 1 else text
