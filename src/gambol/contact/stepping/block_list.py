"""The blocks of a step as a list, in which contacts may be records in memory: loops over these stay loops.

So the code of a program does not grow with the number of contacts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, overload

from gambol.contact.stepping.blocks import Block, ContactBlock, RolledBlocks, Run, row_speeds
from gambol.lanes import Array, Index, Records, Scalar, Subprogram, declare_alike, is_short, leaves, scan_range, when


@dataclass(frozen=True, slots=True)
class BlockReader:
    """Returns a block and its items of other lists; in a loop of the program, it reads them from memory.

    lists: the blocks, or a run of them, and the other lists. item: index in these. number: index among all blocks.
    """

    lists: Sequence[Any]
    item: int | Index
    number: int | Index

    def __call__(self) -> tuple[Any, ...]:
        """Return the block and its items."""
        return tuple(items[self.item] for items in self.lists)


def shared_program(blocks: Sequence[Block], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function, as one subprogram for all of its uses if the blocks are in memory and the program is short.

    name: its name among the functions of these blocks. function: computes a pytree from pytrees of scalars, the blocks,
    and nothing else.
    """
    if not (is_short() and isinstance(blocks, RolledBlocks)):
        return function
    return blocks.programs.setdefault(name, Subprogram(function))


def _row_program(blocks: Sequence[Block], name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a function of the rows of contacts in memory as one subprogram; None in usual programs.

    name, function: as for shared_program(); function takes the blocks of contacts first. None also for rows of one
    entry, whose speeds are products, which a program fuses with sums.
    """
    if not (is_short() and isinstance(blocks, RolledBlocks)):
        return None
    if any(len(row.z) < MIN_SHARED_ENTRIES for run in blocks.runs for row in run.contacts.structure.rows):
        return None
    contacts = replace(blocks, others=())
    return blocks.row_programs.setdefault(name, Subprogram(partial(function, contacts)))


MIN_SHARED_ENTRIES = 2
"""Least number of entries of rows whose speeds are computed in one subprogram."""


def with_tangent_bias(blocks: Sequence[Block], bias: Sequence[tuple[Scalar, Scalar]]) -> Sequence[Block]:
    """Return blocks with the tangential bias of each contact; contacts are the first blocks."""
    if isinstance(blocks, RolledBlocks):
        parts = zip(blocks.runs, _split(bias, blocks.runs), strict=True)
        return replace(blocks, runs=tuple(replace(run, tangent_bias=Records.of(part)) for run, part in parts))
    contacts = zip(blocks, bias, strict=False)
    biased = [replace(block, tangent_bias=x) for block, x in contacts if isinstance(block, ContactBlock)]
    return [*biased, *blocks[len(bias) :]]


def _split(items: Sequence[Any], runs: Sequence[Run]) -> list[Sequence[Any]]:
    """Return the items of each run; items: one for each contact, and perhaps others."""
    ends = [*accumulate(map(len, runs), initial=0)]
    return [items[start:end] for start, end in pairwise(ends)]


def loop_blocks(
    blocks: Sequence[Block],
    step: Callable[[BlockReader, Any], tuple[Any, Any]],
    carry: Any,
    columns: Sequence[Sequence[Any]],
) -> tuple[Any, list[Any]]:
    """Compute carry, result = step(read, carry) for all blocks in order; return the last carry and all results.

    columns: lists with an item for each block; read() returns the block and its items. A carry that is a list has an
    entry for each degree of freedom, such as velocities u (nv); a step may change those of its block's rows only, so
    that loops over contacts of one tree of a forest do not carry the others.
    """
    runs, results = blocks.runs if isinstance(blocks, RolledBlocks) else (), list[Any]()
    firsts = [*accumulate(map(len, runs), initial=0)][: len(runs)]
    for run, first, *parts in zip(runs, firsts, *(_in_memory(column, runs) for column in columns), strict=True):
        lists = [run, *parts]
        part = _Part.of(carry, run.contacts.structure)

        def of_item(
            i: Any, moving: Any, part: _Part = part, lists: Sequence[Any] = lists, first: int = first
        ) -> tuple[Any, Any]:
            after, result = step(BlockReader(lists, i, i + first), part.whole(moving))
            return part.moving(after), result

        end, found = scan_range(len(run), of_item, part.moving(carry))
        carry = part.whole(end)
        results += declared_alike(found.listed() if isinstance(found, Records) else found)
    for k in range(len(results), len(blocks)):
        carry, result = step(BlockReader([blocks, *columns], k, k), carry)
        results.append(result)
    return carry, results


@dataclass(frozen=True, slots=True)
class MemoryColumn(Sequence[Any]):
    """Items of contacts in memory. parts: the items of each run of contacts."""

    parts: tuple[Records, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @overload
    def __getitem__(self, i: int) -> Any: ...
    @overload
    def __getitem__(self, i: slice) -> list[Any]: ...
    def __getitem__(self, i: int | slice) -> Any:
        return [x for part in self.parts for x in part][i]


def declared_alike(items: Sequence[Any]) -> list[Any]:
    """Return items of alike contacts; short programs may have loops over what is computed from their numbers."""
    result = list(items)
    if is_short():
        declare_alike([leaves(item) for item in result])
    return result


def _in_memory(column: Sequence[Any], runs: Sequence[Run]) -> Sequence[Records]:
    """Return the items of each run of contacts in memory."""
    return column.parts if isinstance(column, MemoryColumn) else [*map(Records.of, _split(column, runs))]


@dataclass(frozen=True, slots=True)
class _Part:
    """The entries of a list, one for each degree of freedom, that the rows of a block may change.

    carry: the list, or another carry, which is one entry. freedoms: indices of the entries; None: all of the carry.
    """

    carry: Any
    freedoms: Sequence[int] | None

    @staticmethod
    def of(carry: Any, block: Block) -> "_Part":
        """Return the part of a carry that a block may change."""
        is_list = isinstance(carry, list)
        return _Part(carry, sorted({k for row in block.rows for k in row.z}) if is_list else None)

    def moving(self, carry: Any) -> Any:
        """Return the entries that may change."""
        return carry if self.freedoms is None else [carry[k] for k in self.freedoms]

    def whole(self, moving: Any) -> Any:
        """Return the carry with these entries."""
        if self.freedoms is None:
            return moving
        entries = dict(zip(self.freedoms, moving, strict=True))
        return [entries.get(k, x) for k, x in enumerate(self.carry)]


def scan_blocks(
    blocks: Sequence[Block],
    step: Callable[..., tuple[Any, Any]],
    carry: Any,
    items: Sequence[Sequence[Any]] = (),
    *,
    fixed: Sequence[Sequence[Any]] = (),
    otherwise: Callable[..., Any],
) -> tuple[Any, list[Any]]:
    """Compute carry, result = step(block, *fixed, carry, *items) for all active blocks in order.

    Return the last carry, and the results of all blocks.

    items, fixed: lists with an item for each block. Those of `items` are arguments of a branch, those of `fixed` may be
    constants in it. otherwise(block, *items): result of an inactive block, which leaves the carry as it is.
    """

    def of_block(read: BlockReader, carry: Any) -> tuple[Any, Any]:
        block, *values = read()
        arguments, part = values[len(fixed) :], _Part.of(carry, block)

        def taken(moving: Any, arguments: Sequence[Any]) -> tuple[Any, Any]:
            block, *values = read()  # again, so that an inactive block is not read
            after, result = step(block, *values[: len(fixed)], part.whole(moving), *arguments)
            return part.moving(after), result

        moving = part.moving(carry)
        end, result = when(block.active, taken, moving, arguments, otherwise=(moving, otherwise(block, *arguments)))
        return part.whole(end), result

    return loop_blocks(blocks, of_block, carry, (*fixed, *items))


def map_blocks(
    blocks: Sequence[Block],
    function: Callable[..., Any],
    items: Sequence[Sequence[Any]] = (),
    *,
    fixed: Sequence[Sequence[Any]] = (),
    otherwise: Callable[..., Any],
) -> list[Any]:
    """Return function(block, *fixed, *items) for active blocks, else otherwise(block, *items); see scan_blocks()."""

    def step(block: Block, *arguments: Any) -> tuple[Any, Any]:
        before, (_, *after) = arguments[: len(fixed)], arguments[len(fixed) :]
        return (), function(block, *before, *after)

    return scan_blocks(blocks, step, (), items, fixed=fixed, otherwise=otherwise)[1]


def no_impulses(block: Block, *items: Any) -> list[Scalar]:
    """Return a 0 for each row of a block."""
    return [0.0] * len(block.rows)


def same_item(block: Block, item: Any) -> Any:
    """Return the item of a block."""
    return item


def map_speeds(
    blocks: Sequence[Block],
    u: Sequence[Scalar],
    function: Callable[..., Any],
    items: Sequence[Sequence[Any]] = (),
    *,
    otherwise: Callable[..., Any],
) -> list[Any]:
    """Return function(block, w, *items) of the speeds w of a block's rows at velocities u (nv), see map_blocks()."""

    def with_speeds(block: Block, *arguments: Any) -> Any:
        return function(block, row_speeds(block, u), *arguments)

    program = _row_program(blocks, "speeds", _speeds_in_memory)
    if program is None or not isinstance(blocks, RolledBlocks):
        return map_blocks(blocks, with_speeds, items, otherwise=otherwise)
    count, contacts = blocks.contacts, replace(blocks, others=())
    speeds = MemoryColumn(tuple(Records.of_array([0.0] * 3, numbers) for numbers in program(list(u))))
    columns = [speeds, *(column[:count] for column in items)]

    def without_speeds(block: Block, _: Any, *arguments: Any) -> Any:
        return otherwise(block, *arguments)

    results = map_blocks(contacts, function, columns, otherwise=without_speeds)
    rest = [column[count:] for column in items]
    return results + map_blocks(blocks.others, with_speeds, rest, otherwise=otherwise)


def _speeds_in_memory(blocks: RolledBlocks, u: Sequence[Scalar]) -> list[Array]:
    """Return arrays of the speeds of all rows of contacts at velocities u (nv) [m/s]; 0 for inactive contacts."""
    result: list[Array] = []
    for run in blocks.runs:

        def step(i: Any, _: Any, run: Run = run) -> tuple[Any, Any]:
            return (), when(run.inverses[i] > 0.0, lambda: row_speeds(run[i], u), otherwise=[0.0] * 3)

        records: Any = scan_range(len(run), step, ())[1]
        result.append(records.numbers)
    return result


def active_row_speeds(blocks: Sequence[Block], u: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return the speeds of all rows by block at velocities u (nv) [m/s or rad/s]; 0 for inactive blocks."""
    return map_speeds(blocks, u, _same_speeds, otherwise=no_impulses)


def _same_speeds(block: Block, w: list[Scalar]) -> list[Scalar]:
    return w


def normal_speeds(blocks: Sequence[Block], velocities: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return the speeds of each block's first row at some velocities u (nv) [m/s or rad/s]; 0 for inactive blocks."""
    if is_short():
        columns = (map_speeds(blocks, u, _normal_speed, otherwise=_no_speed) for u in velocities)
        return [list(speeds) for speeds in zip(*columns, strict=True)]

    def speeds(block: Block) -> list[Scalar]:
        return [block.rows[0].speed(u) for u in velocities]

    def no_speeds(block: Block) -> list[Scalar]:
        return [0.0 for _ in velocities]

    return map_blocks(blocks, speeds, otherwise=no_speeds)


def _normal_speed(block: Block, w: list[Scalar]) -> Scalar:
    return w[0]


def _no_speed(block: Block) -> Scalar:
    return 0.0
