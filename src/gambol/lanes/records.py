"""Pytrees of equal structure in an array, and loops that write one in each step.

Outside a trace a list contains them instead of an array.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, overload

from gambol.errors import TraceError
from gambol.lanes.arrays import Index, TracedArray
from gambol.lanes.flow import fori, is_short, is_tracing
from gambol.lanes.ops import Scalar
from gambol.lanes.scan import is_same
from gambol.lanes.trace import ACTIVE, Trace, Value, in_scope
from gambol.lanes.tree import leaves, unflatten


@dataclass(frozen=True, slots=True)
class _Column:
    """One number of each record: record i has entry i stride + offset of an array."""

    array: TracedArray
    stride: int
    offset: int

    def __getitem__(self, i: int | Index) -> Scalar:
        return self.array[i * self.stride + self.offset]

    def __setitem__(self, i: int | Index, value: Scalar) -> None:
        self.array[i * self.stride + self.offset] = value


def _allocated(trace: Trace, width: int, count: int) -> list[_Column]:
    """Return columns of new records in memory. width: the number of columns; count: the number of records."""
    if not width:
        return []
    array = TracedArray.empty(trace, count * width)
    return [_Column(array, width, offset) for offset in range(width)]


def _key(column: Sequence[Scalar]) -> tuple[Any, ...]:
    """Return the key of the numbers of a column: traced values, or the text of constants."""
    return tuple((x.trace, x.id) if isinstance(x, Value) else repr(x) for x in column)


def _is_known(columns: dict[Any, _Column], key: tuple[Any, ...]) -> bool:
    """Return True if the numbers of a key are in memory that can be read here."""
    return key in columns and in_scope(columns[key].array.region)


class Records(Sequence[Any]):
    """Pytrees of equal structure in an array of the program that is being traced.

    A record is read and written by its number, which may be an Index. The first one that is written determines the
    structure and the constants, which are equal in all records; arrays have the other numbers. is_final: True if no
    record changes any more. Raises TraceError where one is then written.
    """

    def __init__(self, count: int) -> None:
        self.size = count
        self.trace = ACTIVE.traces[-1]
        self.structure: Any = None
        self.constants: list[Scalar] = []
        self.columns: list[_Column] = []
        self.is_final = False

    @staticmethod
    def of(trees: Sequence[Any]) -> "Records":
        """Return records of these pytrees; numbers that are the same in all of them are not stored.

        Nor are numbers that are in memory already, of records that were made or listed() before. Raises TraceError if
        they differ in structure.
        """
        result, rows = Records(len(trees)), [leaves(tree) for tree in trees]
        if any(len(row) != len(rows[0]) for row in rows):
            raise TraceError(f"records have {sorted({len(row) for row in rows})} numbers, not equally many")
        columns, known = list(zip(*rows, strict=True)), result._known_columns()
        result.structure = trees[0]
        result.constants = [x if all(map(partial(is_same, x), others)) else None for x, *others in columns]
        varying = [column for column, x in zip(columns, result.constants, strict=True) if x is None]
        new = [column for column in varying if not _is_known(known, _key(column))]
        stored = _allocated(result.trace, len(new), len(trees))
        for i in range(len(trees)):
            for place, column in zip(stored, new, strict=True):
                place[i] = column[i]
        known |= zip(map(_key, new), stored, strict=True)
        result.columns, result.is_final = [known[_key(column)] for column in varying], True
        return result

    @staticmethod
    def like(tree: Any, count: int) -> "Records":
        """Return `count` undefined records with the structure of a pytree; all of its numbers are stored."""
        result = Records(count)
        result._allocate(tree, [None] * len(leaves(tree)))
        return result

    @staticmethod
    def of_array(structure: Any, numbers: TracedArray) -> "Records":
        """Return the records of an array; structure: that of a record, all of whose numbers are in the array."""
        constants = [None] * len(leaves(structure))
        result = Records(len(numbers) // len(constants))
        result.structure, result.constants, width = structure, constants, len(constants)
        result.columns = [_Column(numbers, width, offset) for offset in range(width)]
        return result

    @property
    def numbers(self) -> TracedArray:
        """The array of records that were written one by one, or made of it."""
        return self.columns[0].array

    @property
    def width(self) -> int:
        """The length of a record's part of the array."""
        return len(self.columns)

    @property
    def places(self) -> Any:
        """The index of each number in a record's part of the array, as a pytree of integers; -1 for a constant."""
        places = count()
        return unflatten(self.structure, iter([-1 if x is not None else next(places) for x in self.constants]))

    def _allocate(self, structure: Any, constants: list[Scalar]) -> None:
        """Make the array, where these records were made. constants: None for numbers that differ."""
        self.structure, self.constants = structure, constants
        self.columns = _allocated(self.trace, sum(x is None for x in constants), self.size)

    def _known_columns(self) -> dict[Any, _Column]:
        """Return the columns in memory, by key; none in short programs, whose loops are shorter over own memory."""
        return {} if is_short() else self.trace.root.columns

    def listed(self) -> list[Any]:
        """Return all records, which do not change any more. Records of() their numbers then use the same memory."""
        trees = [self[i] for i in range(self.size)]
        numbers = list(zip(*map(leaves, trees), strict=True))
        varying = [column for column, x in zip(numbers, self.constants, strict=True) if x is None]
        self._known_columns().update(zip(map(_key, varying), self.columns, strict=True))
        self.is_final = True
        return trees

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
        numbers = iter([column[i] for column in self.columns])
        return unflatten(self.structure, iter([next(numbers) if x is None else x for x in self.constants]))

    def __setitem__(self, i: int | Index, tree: Any) -> None:
        values = leaves(tree)
        if self.is_final:
            raise TraceError("records that were listed, or made of others, cannot be changed: they share memory")
        if self.structure is None:
            self._allocate(tree, [None if isinstance(x, Value) else x for x in values])
        if any(x is not None and not is_same(x, y) for x, y in zip(self.constants, values, strict=True)):
            raise TraceError("a constant of the first record that was written is another number in a later one")
        varying = [y for x, y in zip(self.constants, values, strict=True) if x is None]
        for column, y in zip(self.columns, varying, strict=True):
            column[i] = y


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
