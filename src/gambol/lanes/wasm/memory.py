"""The memory of a module: every value that is not in a local has a fixed address, since no body calls itself."""

from collections.abc import Iterable

from gambol.lanes.wasm.encoding import DATA, INTEGER_BYTES, VECTOR_BYTES, constant_i32, items, section, unsigned
from gambol.lanes.wasm.lane_shape import LaneShape

PAGE_BYTES = 65_536
POOL_BYTES = 4096
"""Constants are allocated in pools of this size; each pool becomes one data segment."""

FIRST_ADDRESS = 64
"""Memory below this address is not used, so that no value has the address 0."""


class Memory:
    """Areas of vectors, constants and tables, with their addresses [bytes]."""

    def __init__(self, shape: LaneShape) -> None:
        self.shape = shape
        self.end = FIRST_ADDRESS
        self.segments: dict[int, bytearray] = {}
        self.constants: dict[bytes, int] = {}
        self.tables: dict[bytes, int] = {}
        self._pool = 0

    def area(self, count: int) -> int:
        """Return the address of a new area of `count` vectors."""
        return self.reserve(VECTOR_BYTES * max(1, count))

    def reserve(self, size: int) -> int:
        """Return the address of new memory of a number of bytes."""
        address = self.end
        self.end += -(-size // VECTOR_BYTES) * VECTOR_BYTES
        return address

    def constant(self, bits: bytes) -> int:
        """Return the address of a constant number with these bits; equal constants share it."""
        if bits not in self.constants:
            if self._pool not in self.segments or len(self.segments[self._pool]) + len(bits) > POOL_BYTES:
                self._pool = self.reserve(POOL_BYTES)
                self.segments[self._pool] = bytearray()
            self.constants[bits] = self._pool + len(self.segments[self._pool])
            self.segments[self._pool] += bits
        return self.constants[bits]

    def table(self, entries: tuple[float, ...]) -> int:
        """Return the address of a constant table; equal tables share it."""
        content = b"".join(map(self.shape.bits, entries))
        if content not in self.tables:
            self.tables[content] = self.reserve(len(content))
            self.segments[self.tables[content]] = bytearray(content)
        return self.tables[content]

    def integers(self, values: Iterable[int]) -> int:
        """Return the address of a constant table of 32-bit integers."""
        content = b"".join(n.to_bytes(INTEGER_BYTES, "little") for n in values)
        address = self.reserve(len(content))
        self.segments[address] = bytearray(content)
        return address

    @property
    def pages(self) -> int:
        """The number of pages of memory."""
        return -(-self.end // PAGE_BYTES)

    def data_section(self) -> bytes:
        """Return the section that fills constants and tables."""
        return section(
            DATA,
            items(
                b"\0" + constant_i32(address) + b"\x0b" + unsigned(len(content)) + bytes(content)
                for address, content in self.segments.items()
            ),
        )
