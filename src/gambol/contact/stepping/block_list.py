"""The blocks of a step as a list, in which contacts may be records in memory: loops over these stay loops.

So the code of a program does not grow with the number of contacts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, groupby, pairwise
from typing import Any, overload

from gambol.collide.gap import FAR
from gambol.contact.stepping.blocks import Block, BoundedBlock, ContactBlock, row_speeds
from gambol.contact.stepping.contact import Contact
from gambol.lanes import Index, Records, Scalar, Subprogram, is_short, is_tracing, scan_range, when

MIN_ROLLED_CONTACTS = 3
"""Number of contacts from which loops over contacts stay loops."""


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


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks of contacts of equal structure in memory.

    contacts: records of ContactBlocks; inverses: their field inverse_normal, the only field that is also defined for
    inactive contacts; tangent_bias: their field tangent_bias.
    """

    contacts: Records
    inverses: Records
    tangent_bias: Records | None = None

    def __len__(self) -> int:
        return len(self.contacts)

    def __getitem__(self, i: int | Index) -> ContactBlock:
        bias = (0.0, 0.0) if self.tangent_bias is None else self.tangent_bias[i]
        return replace(self.contacts[i], inverse_normal=self.inverses[i], tangent_bias=bias)


@dataclass(frozen=True, slots=True)
class RolledBlocks(Sequence[Block]):
    """Blocks of contacts in memory, in one or several runs, then all others.

    programs: subprograms that read these blocks, by name, see shared_program().
    """

    runs: tuple[Run, ...]
    others: Sequence[BoundedBlock] = ()
    programs: dict[str, Subprogram] = field(init=False, default_factory=dict[str, Subprogram], compare=False)

    @property
    def contacts(self) -> int:
        """The number of contacts."""
        return sum(len(run) for run in self.runs)

    def __len__(self) -> int:
        return self.contacts + len(self.others)

    @overload
    def __getitem__(self, i: int) -> Block: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Block]: ...
    def __getitem__(self, i: int | slice) -> Block | Sequence[Block]:
        if isinstance(i, slice):
            _, end, _ = i.indices(len(self))
            return replace(self, others=self.others[: end - self.contacts])
        for run in self.runs:
            if i < len(run):
                return run[i]
            i -= len(run)
        return self.others[i]


def contact_blocks(
    build: Callable[[Contact], tuple[Scalar, ContactBlock]], runs: Sequence[Sequence[Contact]], absent: Any
) -> RolledBlocks:
    """Return the blocks of runs of contacts in memory.

    build: returns 1 / D_nn and the block of a contact. absent: UNDEFINED if blocks of inactive contacts are never read,
    else None.
    """
    return RolledBlocks(tuple(_run(build, contacts, absent) for contacts in runs))


def _run(build: Callable[[Contact], tuple[Scalar, ContactBlock]], contacts: Sequence[Contact], absent: Any) -> Run:
    given, blocks = Records.of(contacts), Records(len(contacts))

    def store_block(i: Index) -> Scalar:
        inverse, blocks[i] = build(given[i])
        return inverse

    def step(i: Index, _: Any) -> tuple[Any, Scalar]:
        near = given[i].gap < FAR
        if absent is not None:
            return (), when(near, partial(store_block, i), otherwise=0.0)
        inverse, blocks[i] = when(near, lambda: build(given[i]))
        return (), inverse

    inverses: Any = scan_range(len(contacts), step, ())[1]
    return Run(blocks, inverses)


def rolled_runs(contacts: Sequence[Contact]) -> list[list[Contact]]:
    """Return contacts in runs of equal structure, if loops over them stay loops: none of the runs is short.

    Return an empty list otherwise.
    """
    runs = [list(run) for _, run in groupby(contacts, key=lambda contact: contact.structure)] if is_tracing() else []
    return runs if all(len(run) >= MIN_ROLLED_CONTACTS for run in runs) else []


def shared_program(blocks: Sequence[Block], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function, as one subprogram for all of its uses if the blocks are in memory and the program is short.

    name: its name among the functions of these blocks. function: computes a pytree from pytrees of scalars, the blocks,
    and nothing else.
    """
    if not (is_short() and isinstance(blocks, RolledBlocks)):
        return function
    return blocks.programs.setdefault(name, Subprogram(function))


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
    for run, first, *parts in zip(runs, firsts, *(_split(column, runs) for column in columns), strict=True):
        lists = [run, *map(Records.of, parts)]
        part = _Part.of(carry, run.contacts.structure)

        def of_item(
            i: Any, moving: Any, part: _Part = part, lists: Sequence[Any] = lists, first: int = first
        ) -> tuple[Any, Any]:
            after, result = step(BlockReader(lists, i, i + first), part.whole(moving))
            return part.moving(after), result

        end, found = scan_range(len(run), of_item, part.moving(carry))
        carry = part.whole(end)
        results += found.listed() if isinstance(found, Records) else found
    for k in range(len(results), len(blocks)):
        carry, result = step(BlockReader([blocks, *columns], k, k), carry)
        results.append(result)
    return carry, results


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


def nothing(block: Block, *items: Any) -> None:
    """Return None."""


def active_row_speeds(blocks: Sequence[Block], u: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return the speeds of all rows by block at velocities u (nv) [m/s or rad/s]; 0 for inactive blocks."""
    return map_blocks(blocks, partial(row_speeds, u=u), otherwise=no_impulses)


def normal_speeds(blocks: Sequence[Block], velocities: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return the speeds of each block's first row at some velocities u (nv) [m/s or rad/s]; 0 for inactive blocks."""

    def speeds(block: Block) -> list[Scalar]:
        return [block.rows[0].speed(u) for u in velocities]

    def no_speeds(block: Block) -> list[Scalar]:
        return [0.0 for _ in velocities]

    return map_blocks(blocks, speeds, otherwise=no_speeds)
