"""The blocks of a step as a list, in which contacts may be records in memory: loops over these stay loops.

So the code of a program does not grow with the number of contacts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, overload

from gambol.collide.gap import FAR
from gambol.contact.stepping.blocks import Block, BoundedBlock, row_speeds
from gambol.contact.stepping.contact import Contact
from gambol.contact.stepping.contact_block import ContactBlock
from gambol.lanes import Index, Records, Scalar, is_tracing, scan_range, when

MIN_ROLLED_CONTACTS = 3
"""Number of contacts from which loops over contacts stay loops."""

BlockReader = Callable[[], tuple[Any, ...]]
"""A function that returns a block and its items of other lists; in a loop of the program, it reads them from memory."""


@dataclass(frozen=True, slots=True)
class RolledBlocks(Sequence[Block]):
    """Blocks of contacts in memory, then all others.

    contacts: records of ContactBlocks; inverses: their field inverse_normal, the only field that is also defined for
    inactive contacts; tangent_bias: their field tangent_bias.
    """

    contacts: Records
    inverses: Records
    others: Sequence[BoundedBlock] = ()
    tangent_bias: Records | None = None

    def __len__(self) -> int:
        return len(self.contacts) + len(self.others)

    @overload
    def __getitem__(self, i: int | Index) -> Block: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Block]: ...
    def __getitem__(self, i: int | Index | slice) -> Block | Sequence[Block]:
        if isinstance(i, slice):
            _, end, _ = i.indices(len(self))
            return replace(self, others=self.others[: end - len(self.contacts)])
        if isinstance(i, int) and i >= len(self.contacts):
            return self.others[i - len(self.contacts)]
        bias = (0.0, 0.0) if self.tangent_bias is None else self.tangent_bias[i]
        return replace(self.contacts[i], inverse_normal=self.inverses[i], tangent_bias=bias)


def contact_blocks(
    build: Callable[[Contact], tuple[Scalar, ContactBlock]], contacts: Sequence[Contact], absent: Any
) -> RolledBlocks:
    """Return the blocks of contacts in memory.

    build: returns 1 / D_nn and the block of a contact. absent: UNDEFINED if blocks of inactive contacts are never read,
    else None.
    """
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
    return RolledBlocks(blocks, inverses)


def is_rolled(contacts: Sequence[Contact]) -> bool:
    """Return True if loops over these contacts stay loops: there are enough, and all have the same structure."""
    is_long = is_tracing() and len(contacts) >= MIN_ROLLED_CONTACTS
    return is_long and all(contact.structure == contacts[0].structure for contact in contacts)


def with_tangent_bias(blocks: Sequence[Block], bias: Sequence[tuple[Scalar, Scalar]]) -> Sequence[Block]:
    """Return blocks with the tangential bias of each contact; contacts are the first blocks."""
    if isinstance(blocks, RolledBlocks):
        return replace(blocks, tangent_bias=Records.of(bias))
    contacts = zip(blocks, bias, strict=False)
    biased = [replace(block, tangent_bias=x) for block, x in contacts if isinstance(block, ContactBlock)]
    return [*biased, *blocks[len(bias) :]]


def loop_blocks(
    blocks: Sequence[Block],
    step: Callable[[BlockReader, Any], tuple[Any, Any]],
    carry: Any,
    columns: Sequence[Sequence[Any]],
) -> tuple[Any, list[Any]]:
    """Compute carry, result = step(read, carry) for all blocks in order; return the last carry and all results.

    columns: lists with an item for each block; read() returns the block and its items.
    """
    rolled, results = len(blocks.contacts) if isinstance(blocks, RolledBlocks) else 0, list[Any]()
    if rolled:
        lists = [blocks, *(Records.of(column[:rolled]) for column in columns)]
        carry, found = scan_range(rolled, lambda i, carry: step(partial(_items, lists, i), carry), carry)
        results += found
    for k in range(rolled, len(blocks)):
        carry, result = step(partial(_items, [blocks, *columns], k), carry)
        results.append(result)
    return carry, results


def _items(lists: Sequence[Sequence[Any]], i: Any) -> tuple[Any, ...]:
    return tuple(items[i] for items in lists)


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
        arguments = values[len(fixed) :]

        def taken(carry: Any, arguments: Sequence[Any]) -> tuple[Any, Any]:
            block, *values = read()  # again, so that an inactive block is not read
            return step(block, *values[: len(fixed)], carry, *arguments)

        return when(block.active, taken, carry, arguments, otherwise=(carry, otherwise(block, *arguments)))

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
