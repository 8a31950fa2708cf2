"""Block Gauss-Seidel: every block in its turn meets its own laws, a fixed number of times round.

It starts from the impulses of the step before, so a figure at rest is solved better in every step it rests. The work is
the same whatever happens. What is left to do is told: the residual, as a speed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping.blocks import Block
from gambol.lanes import Scalar, maximum, repeat

Impulses = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Solved:
    """Impulses that meet the laws of all blocks, as far as the rounds went.

    u: velocities (nv), see rows.py. impulses: of each block, by row [N s or N m s]. residual: largest change of a speed
    that a block by itself would still make [m/s or rad/s].
    """

    u: list[Scalar]
    impulses: Impulses
    residual: Scalar


def solved(
    blocks: Sequence[Block], targets: Sequence[Scalar], free: Sequence[Scalar], warm: Impulses, rounds: int
) -> Solved:
    """Impulses that meet the laws of all blocks, and the velocities u under them.

    targets: the speed wanted of each block's first row. free: velocities u (nv) without any impulse. warm: impulses to
    start from; those out of bounds are mended in the first round.
    """
    if not blocks:
        return Solved(list(free), [], 0.0)
    u = list(free)
    for block, p in zip(blocks, warm, strict=True):
        for row, impulse in zip(block.rows, p, strict=True):
            u = row.pushed(u, impulse)

    def round_(now: tuple[list[Scalar], Impulses]) -> tuple[list[Scalar], Impulses]:
        return _round(blocks, targets, *now)

    u, impulses = repeat(rounds, round_, (u, warm))
    return Solved(u, impulses, _residual(blocks, targets, u, impulses))


def _round(
    blocks: Sequence[Block], targets: Sequence[Scalar], u: list[Scalar], impulses: Impulses
) -> tuple[list[Scalar], Impulses]:
    """Every block once."""
    made: Impulses = []
    for block, target, p in zip(blocks, targets, impulses, strict=True):
        new = block.improved([row.speed(u) for row in block.rows], p, target)
        for row, after, before in zip(block.rows, new, p, strict=True):
            u = row.pushed(u, after - before)
        made.append(new)
    return u, made


def _residual(blocks: Sequence[Block], targets: Sequence[Scalar], u: list[Scalar], impulses: Impulses) -> Scalar:
    """The largest change of a speed that a block by itself would still make."""
    most: Scalar = 0.0
    for block, target, p in zip(blocks, targets, impulses, strict=True):
        new = block.improved([row.speed(u) for row in block.rows], p, target)
        for row, after, before in zip(block.rows, new, p, strict=True):
            most = maximum(abs(after - before) * row.gives, most)
    return most
