"""Arrays of numbers in memory, whose index may be the counter of a loop (flow.fori).

In a trace, an array is memory that operations read and write in their order. Each lane has its own numbers; the index
is the same in all lanes. Outside a trace, an array is a Python list.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from gambol.errors import TraceError
from gambol.lanes.ops import UNDEFINED, CompositeScalar, Scalar
from gambol.lanes.trace import ACTIVE, Trace, Value, current_trace, record

Affine = tuple[tuple[int, ...], int]
"""An index as it is recorded: the factor of each counter, and a constant."""


class Counter(Value):
    """The counter of a loop in a trace, an integer that is the same in all lanes."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Index:
    """An integer in a trace: a constant plus counters of loops, each times a constant factor."""

    terms: tuple[tuple[Counter, int], ...]
    constant: int = 0

    @staticmethod
    def of(index: "int | Index") -> "Index":
        """Return an integer as an Index."""
        return index if isinstance(index, Index) else Index((), index)

    @property
    def affine(self) -> Affine:
        """The factors and the constant."""
        return tuple(factor for _, factor in self.terms), self.constant

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The counters, in the order of the factors."""
        return tuple(counter for counter, _ in self.terms)

    def __add__(self, other: "int | Index") -> "Index":
        added = Index.of(other)
        factors = dict(self.terms)
        for counter, factor in added.terms:
            factors[counter] = factors.get(counter, 0) + factor
        return Index(tuple((c, f) for c, f in factors.items() if f), self.constant + added.constant)

    __radd__ = __add__

    def __mul__(self, factor: int) -> "Index":
        return Index(tuple((c, f * factor) for c, f in self.terms if factor), self.constant * factor)

    __rmul__ = __mul__

    def __sub__(self, other: "int | Index") -> "Index":
        return self + Index.of(other) * -1


class _StoreMasks(threading.local):
    """Masks of the loops and branches that run on arrays of worlds outside a trace, innermost last."""

    def __init__(self) -> None:
        self.masks: list[Any] = []


STORE_MASKS = _StoreMasks()


class Array:
    """Numbers in a Python list. A store changes only the lanes in which all STORE_MASKS are True.

    values: the initial numbers.
    """

    def __init__(self, values: Sequence[Scalar]) -> None:
        self.values = list(values)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, index: "int | Index") -> Scalar:
        return self.values[_constant(index)]

    def __setitem__(self, index: "int | Index", value: Scalar) -> None:
        k = _constant(index)
        for mask in STORE_MASKS.masks:
            value = select_leaf(mask, value, self.values[k])
        self.values[k] = value

    def slice(self, first: "int | Index", count: int) -> list[Scalar]:
        """Return `count` numbers from an index on."""
        return [self[first + k] for k in range(count)]

    def write(self, first: "int | Index", values: Sequence[Scalar]) -> None:
        """Replace numbers from an index on."""
        for k, value in enumerate(values):
            self[first + k] = value


class TracedArray(Array):
    """Numbers in the memory of a trace.

    region: the memory; size: its length. is_input: True for an argument of a subprogram, which cannot be changed.
    """

    def __init__(self, region: Value, size: int, is_input: bool = False) -> None:
        super().__init__(())
        self.region = region
        self.size = size
        self.is_input = is_input

    @staticmethod
    def of(trace: Trace, values: Sequence[Scalar]) -> "TracedArray":
        """Return a new array with these values."""
        array = TracedArray.empty(trace, len(values))
        array.write(0, values)
        return array

    @staticmethod
    def empty(trace: Trace, size: int) -> "TracedArray":
        """Return a new array with undefined numbers."""
        trace.epoch += 1
        return TracedArray(trace.record("array", extra=(size, trace.epoch)), size)

    @staticmethod
    def of_flat(values: Sequence[Value]) -> "TracedArray":
        """Return the array of a flat layout (see `flat`), given as inputs of a body or results of a call."""
        first = values[0]
        return TracedArray(
            first.trace.record("view", first, extra=len(values)), len(values), is_input=first.op.name == "input"
        )

    @property
    def flat(self) -> list[Any]:
        """The array as a list of `size` arguments or results: its memory, then placeholders."""
        return [self.region, *[UNDEFINED] * (self.size - 1)]

    def __len__(self) -> int:
        return self.size

    def _checked(self, index: int | Index) -> Index:
        """Return an index. Raises IndexError, as lists do, for a constant one outside the array."""
        i = Index.of(index)
        if not i.terms and not 0 <= i.constant < self.size:
            raise IndexError(f"an array of {self.size} numbers has no number {i.constant}")
        return i

    def __getitem__(self, index: int | Index) -> Scalar:
        trace, i = current_trace(self.region.trace), self._checked(index)
        return record("load", self.region, *i.counters, extra=(*i.affine, trace.epoch))

    def __setitem__(self, index: int | Index, value: Scalar) -> None:
        if self.is_input:
            raise TraceError("an array that is an argument of a subprogram cannot be changed; copy it")
        if isinstance(value, CompositeScalar):
            raise TraceError(f"a {type(value).__name__} cannot be stored in an array of a trace")
        trace, i = current_trace(self.region.trace), self._checked(index)
        trace.epoch += 1
        record("store", self.region, value, *i.counters, extra=(*i.affine, trace.epoch))


def array(values: Sequence[Scalar]) -> Array:
    """Return an array of these numbers: memory in a program that is being traced, else a list."""
    return TracedArray.of(ACTIVE.traces[-1], values) if ACTIVE.traces and values else Array(values)


def empty(size: int) -> Array:
    """Return an array of numbers that are undefined until they are stored."""
    return TracedArray.empty(ACTIVE.traces[-1], size) if ACTIVE.traces and size else Array([0.0] * size)


def _constant(index: int | Index) -> int:
    if isinstance(index, int):
        return index
    if index.terms:
        raise TraceError(
            "an array made outside the traced program cannot be indexed by a loop counter; make it inside the program"
        )
    return index.constant


def select_leaf(mask: Any, new: Any, old: Any) -> Any:
    """Return `new` where a mask holds, `old` elsewhere."""
    if isinstance(mask, bool):
        return new if mask else old
    composite = next((x for x in (new, old, mask) if isinstance(x, CompositeScalar)), None)
    return cast("Any", np.where)(mask, new, old) if composite is None else composite.apply("where", mask, new, old)
