"""Values that each basic block loads again, since they are in memory anyway.

LLVM loads such a value once. If it needs the register before the next use, it stores the value to the stack, although
it could load it from where it was. A store of 16 numbers takes two cycles, and most instructions take an operand from
memory at no cost. Within a block, LLVM makes one load of equal ones, so blocks must be short, see BLOCK_OPERATIONS.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

CONSTANT = -1
"""Version of memory that a function does not change: that of its inputs."""


@dataclass(frozen=True, slots=True)
class Load:
    """A load of a value. again: writes it once more, and returns a new name; block: the block that it is in.

    version: version of the memory that it reads. first: the name of the value where it was loaded first.
    """

    again: Callable[[], str]
    block: str
    version: int
    first: str


@dataclass(eq=False)
class Reloads:
    """The loads of a function that can be repeated. here: names in the current block, by the first name of the value.

    version: version of all arrays, which increases with each store, each call and each beginning of a loop, in which a
    later store may have run before.
    """

    version: int = 0
    here: dict[str, str] = field(default_factory=dict[str, str])
    _loads: dict[str, Load] = field(default_factory=dict[str, Load])

    def add(self, again: Callable[[], str], block: str, version: int) -> str:
        """Write a load that can be repeated; return the name of the value. again, block, version: see Load."""
        name = again()
        self._loads[name] = Load(again, block, version, name)
        return name

    def name_in(self, block: str, name: str) -> str:
        """Return the name of a value in the current block; load it again if it was loaded in another one."""
        load = self._loads.get(name)
        if load is None or load.block == block or load.version not in (CONSTANT, self.version):
            return name
        if load.first not in self.here:
            new = self.here[load.first] = load.again()
            self._loads[new] = Load(load.again, block, load.version, load.first)
        return self.here[load.first]

    def first(self, name: str) -> str:
        """Return the first name of a value, which is the same for all of its loads."""
        load = self._loads.get(name)
        return load.first if load else name
