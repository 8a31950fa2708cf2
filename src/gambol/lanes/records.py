"""Pytrees of equal structure in an array, and loops that write one in each step.

Outside a trace a list contains them instead of an array.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, overload

from gambol.errors import TraceError
from gambol.lanes.arrays import Array, Index, TracedArray
from gambol.lanes.flow import fori, is_tracing
from gambol.lanes.ops import Scalar
from gambol.lanes.trace import ACTIVE, Value
from gambol.lanes.tree import leaves, unflatten


class Records(Sequence[Any]):
    """Pytrees of equal structure in an array of the program that is being traced.

    A record is read and written by its number, which may be an Index. The first one that is written determines the
    structure and the constants, which are equal in all records; the array has the other numbers.
    """

    def __init__(self, count: int) -> None:
        self.size = count
        self.trace = ACTIVE.traces[-1]
        self.structure: Any = None
        self.constants: list[Scalar] = []
        self.numbers = Array(())
        self.width = 0

    @staticmethod
    def of(trees: Sequence[Any]) -> "Records":
        """Return records of these pytrees; numbers that are the same in all of them are not stored.

        Raises TraceError if they differ in structure.
        """
        result, rows = Records(len(trees)), [leaves(tree) for tree in trees]
        if any(len(row) != len(rows[0]) for row in rows):
            raise TraceError(f"records have {sorted({len(row) for row in rows})} numbers, not equally many")
        columns = zip(*rows, strict=True)
        result._allocate(trees[0], [x if all(map(partial(_same, x), others)) else None for x, *others in columns])
        for i, tree in enumerate(trees):
            result[i] = tree
        return result

    @staticmethod
    def like(tree: Any, count: int) -> "Records":
        """Return `count` undefined records with the structure of a pytree; all of its numbers are stored."""
        result = Records(count)
        result._allocate(tree, [None] * len(leaves(tree)))
        return result

    @staticmethod
    def of_array(structure: Any, numbers: Array) -> "Records":
        """Return the records of an array; structure: that of a record, all of whose numbers are in the array."""
        constants = [None] * len(leaves(structure))
        result = Records(len(numbers) // len(constants))
        result.structure, result.constants, result.width, result.numbers = structure, constants, len(constants), numbers
        return result

    @property
    def places(self) -> Any:
        """The index of each number in a record's part of the array, as a pytree of integers; -1 for a constant."""
        places = count()
        return unflatten(self.structure, iter([-1 if x is not None else next(places) for x in self.constants]))

    def _allocate(self, structure: Any, constants: list[Scalar]) -> None:
        """Make the array, where these records were made. constants: None for numbers that differ."""
        self.structure, self.constants = structure, constants
        self.width = sum(x is None for x in constants)
        if self.width:
            self.numbers = TracedArray.empty(self.trace, self.size * self.width)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, i: int | Index) -> Any: ...
    @overload
    def __getitem__(self, i: slice) -> list[Any]: ...
    def __getitem__(self, i: int | Index | slice) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(self.size)[i]]
        if isinstance(i, int) and not 0 <= i < self.size:
            raise IndexError(i)
        numbers = iter(self.numbers.slice(i * self.width, self.width))
        return unflatten(self.structure, iter([next(numbers) if x is None else x for x in self.constants]))

    def __setitem__(self, i: int | Index, tree: Any) -> None:
        values = leaves(tree)
        if self.structure is None:
            self._allocate(tree, [None if isinstance(x, Value) else x for x in values])
        if any(x is not None and not _same(x, y) for x, y in zip(self.constants, values, strict=True)):
            raise TraceError("a constant of the first record that was written is another number in a later one")
        varying = [y for x, y in zip(self.constants, values, strict=True) if x is None]
        self.numbers.write(i * self.width, varying)


def _same(x: Scalar, y: Scalar) -> bool:
    """Return True for the same traced value, and for equal constants."""
    if isinstance(x, Value) and isinstance(y, Value):
        return x.trace is y.trace and x.id == y.id
    return not isinstance(x, Value) and not isinstance(y, Value) and x == y


def scan_range(
    count: int, step: Callable[[Any, Any], tuple[Any, Any]], carry: Any, *, rolled: bool = True
) -> tuple[Any, Sequence[Any]]:
    """Compute carry, result = step(i, carry) for i from 0 to count - 1; return the last carry and all results.

    step: takes the index and a carry; returns a carry of the same structure, and a result, a pytree. rolled: as for
    fori(). Results of a loop that stays a loop are Records.
    """
    if not (rolled and is_tracing()):
        results: list[Any] = []
        for i in range(count):
            carry, result = step(i, carry)
            results.append(result)
        return carry, results
    records = Records(count)

    def stored(i: Index, carry: Any) -> Any:
        carry, records[i] = step(i, carry)
        return carry

    return fori(0, count, stored, carry), records
