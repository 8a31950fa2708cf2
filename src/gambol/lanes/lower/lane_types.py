"""The LLVM types of lanes: vectors of numbers, masks and integers, and their constants, as assembly text."""

import ctypes
import struct

from gambol.lanes.ops import Precision

MANTISSA_BITS: dict[Precision, int] = {"float64": 52, "float32": 23}
BIAS: dict[Precision, int] = {"float64": 1023, "float32": 127}


class LaneTypes:
    """The LLVM types and constants of a number of lanes of one precision."""

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
        """Return a number in every lane, as its exact bits."""
        if self.precision == "float32":
            x = ctypes.c_float(x).value
        bits = struct.unpack("<Q", struct.pack("<d", x))[0]
        return self._splat(self.scalar, f"0x{bits:016X}")

    def whole(self, n: int) -> str:
        """Return an integer in every lane."""
        return self._splat(self.integer, str(n))

    def truth(self, holds: bool) -> str:
        """Return a truth value in every lane."""
        return self._splat("i1", "true" if holds else "false")

    def _splat(self, of: str, text: str) -> str:
        return f"splat ({of} {text})" if self.lanes > 1 else text
