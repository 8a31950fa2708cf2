"""Arrays as areas of memory; stores change only the lanes of the branches and loops around them."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from gambol.lanes.wasm.bodies import Place
from gambol.lanes.wasm.encoding import OPCODES, constant_i32, load, store
from gambol.lanes.wasm.memory import Memory


class ArrayStores:
    """The arrays of a module, and the masks that limit stores to them.

    uniform: True if all lanes have the same values, so that stores need no masks. masks: addresses of the masks of the
    branches and loops that are being written, outermost first. depths: the number of masks when each array was made, by
    its address.
    """

    def __init__(self, memory: Memory, uniform: bool) -> None:
        self.memory = memory
        self.uniform = uniform
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
    def within(self, code: list[bytes], mask: bytes, has_stores: bool) -> Generator[None]:
        """Within this context, in which a branch or loop is written, stores change only the lanes of its mask.

        code: the instructions so far; mask: instructions that push the mask; has_stores: True if there are stores.
        """
        needed = has_stores and not self.uniform
        if needed:
            self.masks.append(self.memory.area(1))
            code.append(store(self.masks[-1], mask))
        yield
        if needed:
            self.masks.pop()


def integer(affine: tuple[Sequence[int], int], counters: Sequence[bytes]) -> bytes:
    """Return the instructions that push an index.

    affine: its factors and constant; counters: the instructions that push each counter.
    """
    factors, constant = affine
    terms = [
        counter if factor == 1 else counter + constant_i32(factor) + OPCODES["i32.mul"]
        for factor, counter in zip(factors, counters, strict=True)
    ]
    terms += [constant_i32(constant)] if constant or not terms else []
    return terms[0] + b"".join(term + OPCODES["i32.add"] for term in terms[1:])
