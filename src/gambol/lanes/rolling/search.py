"""The search for repeats: subprograms for pieces in any bodies of a program, and loops over pieces of one body."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gambol.lanes.bodies import bodies_of
from gambol.lanes.ops import MASKS
from gambol.lanes.rolling.repeats import UNCOUNTED, Column, EqualPieces, ProgramGraph
from gambol.lanes.trace import Body

MAX_INSTANCES = 64
"""Most instances of a subprogram. More of a kind are small: single operations on equal values."""

MIN_ITEMS = 6
"""Least number of items of a loop."""

MAX_LOOP_DEPTH = 1
"""Most loops around a body that gets loops over items."""

MIN_SIZE = 5
"""Least number of operations of an item of a loop: shorter ones take much longer than code that is written out."""

MOVE_ITEM = 0.35
"""Cost of a number of an item of a loop, in operations: it is stored, or is in memory already."""

MAX_SPLITS = 5
"""Number of times that a repeat loses instances to become larger."""


class ItemLoop(EqualPieces):
    """A repeat whose instances are in one body and need nothing of each other: a loop over items."""

    def gain_of(self, saved: int, count: int) -> float:
        """Return the number of operations that a loop saves, less the cost of moving numbers that differ."""
        if len(self.columns) < MIN_SIZE:
            return 0.0
        moved = [c for c in self.inputs if self.is_traced(c)]
        return saved + count - 1 - MOVE_ITEM * count * (len(moved) + len(self.outputs))

    def is_traced(self, column: Column) -> bool:
        """Return True for values that differ from item to item, and are not constants."""
        return len(set(column)) > 1 and any(self.whole.ops[i].name != "const" for i in column)

    def groups(self) -> list[dict[int, Column]]:
        """Return all operations with their column as one group: no item may need another one."""
        return [{i: column for column in self.columns for i in column}]


def repeats(body: Body, least: float) -> tuple[ProgramGraph, list[EqualPieces]]:
    """Return a program as a graph, and repeats in it that have no operation in common.

    least: the gain of a repeat: operations that it saves, less the cost of moving numbers.
    """
    whole = ProgramGraph(body)
    buckets: dict[int, list[int]] = defaultdict(list)
    for i, op in enumerate(whole.ops):
        if whole.kinds[i] and op.name not in MASKS and op.name not in UNCOUNTED:
            buckets[whole.hashes[i]].append(i)
    calls = (bucket[:MAX_INSTANCES] for bucket in buckets.values() if len(bucket) > 1)
    found = [
        *_candidates(whole, EqualPieces, calls, least, 2),
        *_candidates(whole, ItemLoop, _items(whole, buckets), least, MIN_ITEMS),
    ]
    result: list[EqualPieces] = []
    for repeat in sorted(found, key=lambda r: -r.gain):
        if all(repeat.inside.isdisjoint(other.inside) for other in result):
            result.append(repeat)
    return whole, result


def _items(whole: ProgramGraph, buckets: Mapping[int, Sequence[int]]) -> Iterator[Sequence[int]]:
    """Return operations that may be first ones of the items of loops: those of a bucket in one body.

    Bodies that run in loops have none, but for the loop over steps: they take most of the time.
    """
    depths = _loop_depths(whole.bodies[0])
    is_slow = [depths[id(body)] <= MAX_LOOP_DEPTH for body in whole.bodies]
    for bucket in buckets.values():
        if len(bucket) >= MIN_ITEMS:
            bodies: dict[int, list[int]] = defaultdict(list)
            for i in bucket:
                bodies[bisect_right(whole.first, i) - 1].append(i)
            yield from (items for b, items in bodies.items() if is_slow[b] and len(items) >= MIN_ITEMS)


def _loop_depths(body: Body) -> dict[int, int]:
    """Return the number of loops around each body of a program, at most."""
    depths = {id(body): 0}
    waiting = [body]
    while waiting:
        outer = waiting.pop()
        for op in outer.ops:
            depth = depths[id(outer)] + (op.name in ("loop", "fori", "scan"))
            for inner in bodies_of(op):
                if depths.get(id(inner), -1) < depth:
                    depths[id(inner)] = depth
                    waiting.append(inner)
    return depths


def _candidates(
    whole: ProgramGraph, kind: type[EqualPieces], seeds: Iterable[Sequence[int]], least: float, fewest: int
) -> Iterator[EqualPieces]:
    """Return repeats of a kind that gain enough. seeds: their first operations. fewest: of instances.

    An operation that another repeat of as many instances grew to is no seed: nearly the same would grow from it.
    """
    known: dict[int, set[int]] = defaultdict(set)
    for first in seeds:
        seed: Column | None = tuple(first)
        for _ in range(MAX_SPLITS + 1):
            if seed is None or seed[0] in known[len(seed)]:
                break
            repeat = kind(whole, seed, least)
            known[len(seed)] |= repeat.grown
            if repeat.gain >= least and len(seed) >= fewest:
                yield repeat
            seed = repeat.split(seed)
