"""The two shapes of a vector of 128 bits, and the bits of its numbers."""

from dataclasses import dataclass

from gambol.lanes.ops import Precision
from gambol.lanes.wasm.encoding import VECTOR_BYTES, number_bits


@dataclass(frozen=True)
class LaneShape:
    """A vector of 128 bits: two numbers of float64, or four of float32.

    real, integer: prefixes of instructions on its numbers and on integers of their size. size: size of a number
    [bytes]. mantissa: bits of the mantissa. bias: number that is added to the exponent.
    """

    real: str
    integer: str
    size: int
    mantissa: int
    bias: int

    @property
    def lanes(self) -> int:
        """The number of lanes."""
        return VECTOR_BYTES // self.size

    def bits(self, value: float) -> bytes:
        """Return the bits of a number."""
        return number_bits(value, self.size)

    def integer_bits(self, value: int) -> bytes:
        """Return the bits of an integer; negative integers as two's complement."""
        return (value & ((1 << 8 * self.size) - 1)).to_bytes(self.size, "little")


SHAPES: dict[Precision, LaneShape] = {
    "float64": LaneShape("f64x2", "i64x2", 8, 52, 1023),
    "float32": LaneShape("f32x4", "i32x4", 4, 23, 127),
}
