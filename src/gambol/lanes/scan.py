"""A loop over items of the same structure, recorded once: the program does not grow with the number of items.

Each item is a row of numbers. Numbers that differ between items are read at the index of the item: constants from a
table, traced values from a memory that holds each distinct value once. Numbers that are equal in all items are part of
the recorded step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import reduce
from itertools import chain, groupby
from math import copysign
from operator import mul
from typing import Any, cast

from gambol.errors import TraceError
from gambol.lanes.bodies import HoistingTrace
from gambol.lanes.flow import Subprogram, active_trace, is_short, record_body
from gambol.lanes.ops import CompositeScalar, Scalar, is_same_constant
from gambol.lanes.trace import ACTIVE, Body, Mask, Trace, Value
from gambol.lanes.tree import Packing, leaves, tree_map, unflatten


@dataclass(frozen=True, eq=False)
class Scan:
    """The static part of an operation "scan".

    Its operands are the carried values, the distinct traced values of all items, and the captures of the body.
    body: its inputs are carried values, then the traced values of an item, then its constants; its outputs are carried
    values, then results of the item. carried: number of carried values; distinct: number of distinct values. places:
    for each item the indices of its traced values among the distinct values; constants: for each item its constants.
    """

    body: Body
    carried: int
    distinct: int
    places: tuple[tuple[int, ...], ...]
    constants: tuple[tuple[float, ...], ...]

    @property
    def count(self) -> int:
        """The number of items."""
        return len(self.places)

    @property
    def results(self) -> int:
        """The number of results of an item."""
        return len(self.body.outputs) - self.carried


def grouped_columns(rows: Sequence[Sequence[int]]) -> tuple[list[list[int]], list[tuple[int, int]]]:
    """Return base columns, and (b, distance) of each column of the rows, which is bases[b] + distance in all rows.

    rows: indices or addresses in memory. Distances are 0 or more. The twelve numbers of a pose, for example, are
    consecutive for all parts, so one base column is enough for them.
    """
    columns = list(zip(*rows, strict=True))
    shapes = [tuple(index - column[0] for index in column) for column in columns]
    firsts: dict[tuple[int, ...], int] = {}
    for column, shape in zip(columns, shapes, strict=True):
        firsts[shape] = min(column[0], firsts.get(shape, column[0]))
    numbers = {shape: n for n, shape in enumerate(firsts)}
    bases = [[first + distance for distance in shape] for shape, first in firsts.items()]
    return bases, [(numbers[s], column[0] - firsts[s]) for column, s in zip(columns, shapes, strict=True)]


def scan(step: Callable[[Any, Any], tuple[Any, Any]], carry: Any, items: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return the carry after all items, and a list of a result for each item: carry, result = step(carry, item).

    step: takes a carry and an item; returns a carry of the same structure, and a result, a pytree. carry: a pytree of
    scalars. items: pytrees of scalars of the same structure. In a trace the step is recorded once for all items, so all
    that differs between items must be in the item.
    Raises TraceError if items differ in structure, if one contains a mask, and if step returns a carry of another
    structure.
    """
    trace = active_trace(carry, *items)
    if trace is None or not items:
        results: list[Any] = []
        for item in items:
            carry, result = step(carry, item)
            results.append(result)
        return carry, results
    return _traced_scan(trace, step, carry, items)


def declare_alike(pieces: Sequence[Sequence[Scalar]], shared: Sequence[Scalar] = ()) -> None:
    """Declare numbers of alike pieces of the program being traced, such as the legs of a figure.

    What is computed from them in the same way becomes loops over pieces in a short program (rolling). pieces: for each
    piece its numbers; the n-th numbers of all pieces are alike. shared: numbers that belong to no piece.
    """
    trace = ACTIVE.traces[-1]
    for column in (*zip(*pieces, strict=True), *((x,) for x in shared)):
        if all(isinstance(x, Value) for x in column):
            trace.alike.append(tuple(trace.index_of(x) for x in column))


def map_alike(function: Callable[[Any], Any], items: Sequence[Any], minimum: int) -> list[Any]:
    """Return function(item) for all items; in a short program, alike items that follow one another are a loop.

    function: takes an item; returns a pytree, whose constants become numbers of each item where items are a loop.
    items: pytrees of scalars. Items are alike if they have the same structure, and the same constants at the same
    places. minimum: number of alike items that are a loop. A loop has the same results to the bit: a product that is a
    result leaves the loop as its two factors, so that it fuses with a sum outside as it would without the loop.
    """
    results: list[Any] = []
    for _, run in groupby(items, key=_constants):
        group = list(run)
        results += _loop_over(function, group) if is_short() and len(group) >= minimum else map(function, group)
    return results


def _loop_over(function: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
    """Return function(item) for alike items of a program that is being traced, see map_alike()."""
    structures: list[Any] = []

    def step(_: Any, item: Any) -> tuple[Any, Any]:
        structures.append(function(item))
        return (), [_factors(x, leaves(structures[-1])) for x in leaves(structures[-1])]

    factors = scan(step, (), items)[1]
    return [unflatten(structures[-1], (reduce(mul, each) for each in result)) for result in factors]


class SharedProgram:
    """A function as a subprogram whose results are the same to the bit as without it, see functions.shared()."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.structures: dict[int, Any] = {}  # of results, by the number of their scalars
        self.program = Subprogram(self._factors_of_results, kind=HoistingTrace)
        self.program.name = getattr(function, "__name__", self.program.name)

    def __call__(self, *trees: Any) -> Any:
        """Record a call, if an argument is traced. trees: the arguments, pytrees of scalars."""
        if not any(isinstance(x, (Value, CompositeScalar)) for x in leaves(trees)):
            return self.function(*trees)
        factors = self.program(*trees)
        return unflatten(self.structures[len(factors)], (reduce(mul, each) for each in factors))

    def _factors_of_results(self, *trees: Any) -> list[list[Scalar]]:
        result = self.function(*trees)
        numbers = leaves(result)
        self.structures[len(numbers)] = tree_map(lambda _: 0.0, result)
        return [_factors(x, numbers) for x in numbers]


def _factors(x: Scalar, results: Sequence[Scalar]) -> list[Scalar]:
    """Return the factors of a product that has no use but one as a result of the body being traced, else [x]."""
    trace = ACTIVE.traces[-1]
    if not isinstance(x, Value) or x.trace is not trace or trace.ops[x.id].name != "mul":
        return [x]
    uses = sum(is_same(x, other) for other in results) + sum(x.id in op.args for op in trace.ops)
    return [type(x)(trace, factor) for factor in trace.ops[x.id].args] if uses == 1 else [x]


def _constants(tree: Any) -> Any:
    """Return the structure of a pytree with its constants, and a word for its traced numbers."""
    if isinstance(tree, dict):
        entries = cast("dict[Any, Any]", tree).items()
        return dict, tuple((key, _constants(child)) for key, child in entries)
    if isinstance(tree, (list, tuple)):
        return type(cast("Any", tree)), tuple(map(_constants, cast("list[Any]", tree)))
    if is_dataclass(tree):
        return type(tree), tuple(_constants(getattr(tree, f.name)) for f in fields(tree))
    if isinstance(tree, CompositeScalar):
        return type(tree), tuple(tree.terms())
    if isinstance(tree, Value):
        return "traced"
    return (tree, copysign(1.0, tree)) if isinstance(tree, float) and tree == 0.0 else tree


class _Columns:
    """The numbers of all items by column. A column is equal in all items, or has traced values, or only constants."""

    def __init__(self, trace: Trace, items: Sequence[Any]) -> None:
        packings = [Packing.of(item) for item in items]
        if any(len(p.terms) != len(packings[0].terms) for p in packings):
            raise TraceError(
                f"the items of a scan must have the same structure, not "
                f"{sorted({len(p.terms) for p in packings})} numbers"
            )
        self.packing = reduce(Packing.merged, packings)
        self.rows = [self.packing.flatten(item) for item in items]
        if any(isinstance(x, Mask) for row in self.rows for x in row):
            raise TraceError("an item of a scan contains a mask; use where(mask, 1.0, 0.0) and compare in the step")
        self.traced: list[int] = []
        self.constant: list[int] = []
        for k, column in enumerate(zip(*self.rows, strict=True)):
            if not all(is_same(x, column[0]) for x in column):
                (self.traced if any(isinstance(x, Value) for x in column) else self.constant).append(k)
        indices = [[trace.index_of(row[k]) for k in self.traced] for row in self.rows]
        place_of = {index: place for place, index in enumerate(dict.fromkeys(chain.from_iterable(indices)))}
        self.places = tuple(tuple(place_of[index] for index in row) for row in indices)
        self.distinct = {
            place: row[k]
            for row, places in zip(self.rows, self.places, strict=True)
            for k, place in zip(self.traced, places, strict=True)
        }
        self.constants = tuple(tuple(float(row[k]) for k in self.constant) for row in self.rows)

    def item(self, values: Sequence[Scalar]) -> Any:
        """Return the item with these traced values and constants."""
        row = list(self.rows[0])
        for k, x in zip((*self.traced, *self.constant), values, strict=True):
            row[k] = x
        return self.packing.unflatten(row)


def is_same(x: Scalar, y: Scalar) -> bool:
    """Return True for the same traced value, and for equal constants."""
    if isinstance(x, Value) and isinstance(y, Value):
        return x.trace is y.trace and x.id == y.id
    return not isinstance(x, Value) and not isinstance(y, Value) and is_same_constant(x, y)


def _traced_scan(
    trace: Trace, step: Callable[[Any, Any], tuple[Any, Any]], carry: Any, items: Sequence[Any]
) -> tuple[Any, list[Any]]:
    columns = _Columns(trace, items)
    carried, body, result = _scan_body(trace, step, Packing.of(carry), columns)
    extra = Scan(body, carried.size, len(columns.distinct), columns.places, columns.constants)
    distinct = [columns.distinct[place] for place in range(extra.distinct)]
    args = [*carried.flatten(carry), *distinct, *body.captured]
    values = trace.record_many("scan", args, extra.carried + extra.count * extra.results, extra)
    firsts = range(extra.carried, len(values), extra.results) if extra.results else [0] * extra.count
    return (
        carried.unflatten(values[: extra.carried]),
        [result.unflatten(values[first : first + extra.results]) for first in firsts],
    )


def _scan_body(
    trace: Trace, step: Callable[[Any, Any], tuple[Any, Any]], carried: Packing, columns: _Columns
) -> tuple[Packing, Body, Packing]:
    """Return the layout of the carry, including terms that steps add to composite scalars; the body; and the layout of
    a result.
    """
    name, expected = getattr(step, "__name__", "step"), None
    count = len(columns.traced) + len(columns.constant)

    def on_numbers(carry: Any, values: list[Scalar]) -> tuple[Any, Any]:
        return step(carry, columns.item(values))

    while True:
        arguments = Packing((carried.structure, [0.0] * count), (*carried.terms, *[None] * count))
        body = record_body(trace, name, on_numbers, arguments, expected)
        returned: Packing = body.packing
        size = len(carried.terms)
        if len(leaves(returned.structure[0])) != size:
            counts = f"{size} numbers, not {len(leaves(returned.structure[0]))}"
            raise TraceError(f"the step of a scan must return a carry of the same structure: {counts}")
        carry, result = (
            Packing(structure, terms)
            for structure, terms in zip(returned.structure, (returned.terms[:size], returned.terms[size:]), strict=True)
        )
        if carry.terms == carried.terms:
            return carried, body, result
        merged = carried.merged(carry)
        is_complete = merged.terms == carried.terms
        expected = Packing(returned.structure, (*merged.terms, *result.terms)) if is_complete else None
        carried = merged
