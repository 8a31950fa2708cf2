"""Arrays as areas of memory; stores change only the lanes of the branches and loops around them."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from gambol.lanes.wasm.bodies import Place
from gambol.lanes.wasm.encoding import ADDRESS_ZERO, OPCODES, access, constant_i32, load, store
from gambol.lanes.wasm.memory import Memory


class ArrayStores:
    """The arrays of a module, and the masks that limit stores to them.

    masks: addresses of the masks of the branches and loops that are being written, outermost first. depths: the number
    of masks when each array was made, by its address.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.masks: list[int] = []
        self.depths: dict[int, int] = {}

    def new(self, size: int) -> Place:
        """Return the place of a new array."""
        place = Place("array", self.memory.area(size), size)
        self.depths[place.at] = len(self.masks)
        return place

    def mask(self, array: Place) -> bytes:
        """Return the instructions that push the mask of a store; none where it changes all lanes."""
        first, *others = [load(address) for address in self.masks[self.depths[array.at] :]] or [b""]
        return first + b"".join(mask + OPCODES["v128.and"] for mask in others)

    @contextmanager
    def within(self, code: list[bytes], mask: bytes, needed: bool) -> Generator[None]:
        """Within this context, in which a branch or loop is written, stores change only the lanes of its mask.

        code: the instructions so far; mask: instructions that push the mask; needed: True if there are stores.
        """
        if needed:
            self.masks.append(self.memory.area(1))
            code.append(store(self.masks[-1], mask))
        yield
        if needed:
            self.masks.pop()


def integer(affine: tuple[Sequence[int], int], counters: Sequence[int]) -> bytes:
    """Return the instructions that push an index. affine: its factors and constant; counters: their addresses."""
    factors, constant = affine
    code = constant_i32(constant)
    for factor, address in zip(factors, counters, strict=True):
        code += ADDRESS_ZERO + access("i32.load", address) + constant_i32(factor)
        code += OPCODES["i32.mul"] + OPCODES["i32.add"]
    return code
