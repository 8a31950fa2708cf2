"""Block Gauss-Seidel: every block in its turn meets its own laws, a fixed number of times round.

It starts from the impulses of the step before, so a figure at rest is solved better in every step it rests. The first
half of the rounds goes farther than blocks ask for (over-relaxation); the others do not, so that blocks which hardly
feel each other are settled exactly. The work is the same whatever happens. What the last round mended is told: the
residual, as a speed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gambol.contact.stepping.blocks import Block, Impulses, speeds_of
from gambol.lanes import Scalar, maximum, minimum, repeat, sqrt, when, where

OVER = 1.5
"""How many times what a block asks for it gets in the first half of the rounds: six then do what takes forty without.
In the others it would leave half of every change, where blocks that hardly feel each other leave nothing."""

SLOWEST = 0.99
"""The most that a round is taken to leave of what is missing: then a hundred times the last change is."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Impulses that meet the laws of all blocks, as far as the rounds went.

    u: velocities (nv), see rows.py. impulses: of each block, by row [N s or N m s]. residual: largest change of a speed
    that a block by itself made in the last round [m/s or rad/s]. left: about how far speeds are from where endless
    rounds would bring them, as the last two rounds tell [m/s or rad/s]. limited: part of all impulses, 0 to 1, that was
    left out, as they would have added energy; None for methods whose impulses never do.
    """

    u: list[Scalar]
    impulses: Impulses
    residual: Scalar
    left: Scalar = 0.0
    limited: Scalar | None = None


def solved(
    blocks: Sequence[Block], targets: Sequence[Scalar], free: Sequence[Scalar], warm: Impulses, rounds: int
) -> Solved:
    """Impulses that meet the laws of all blocks, and the velocities u under them, after one round or more.

    targets: the speed wanted of each block's first row. free: velocities u (nv) without any impulse. warm: impulses to
    start from; those out of bounds are mended in the first round.
    """
    if not blocks:
        return Solved(list(free), [], 0.0)
    u, start = list(free), list[list[Scalar]]()
    for block, p in zip(blocks, warm, strict=True):
        u, own = when(block.there, partial(_warmed, block), u, p, otherwise=(u, [0.0] * len(p)))
        start.append(own)

    def farther(now: tuple[list[Scalar], Impulses]) -> tuple[list[Scalar], Impulses]:
        return round_(blocks, targets, *now, OVER)

    def going_on(now: _Going) -> _Going:
        new, own = round_(blocks, targets, now.u, now.impulses, 1.0)
        return _Going(new, own, now.u, now.before, largest_change(blocks, now.impulses, own))

    early = rounds // 2
    u, start = repeat(early, farther, (u, start))
    end = repeat(rounds - early, going_on, _Going(u, start, u, u, 0.0))
    return Solved(end.u, end.impulses, end.residual, end.residual / (1.0 - _shrinking(end.first, end.before, end.u)))


@dataclass(frozen=True, slots=True)
class _Going:
    """Between rounds: velocities u (nv), impulses, velocities before the last round and before the one before it, and
    the residual of the last round.
    """

    u: list[Scalar]
    impulses: Impulses
    before: list[Scalar]
    first: list[Scalar]
    residual: Scalar


def _shrinking(first: Sequence[Scalar], second: Sequence[Scalar], third: Sequence[Scalar]) -> Scalar:
    """How many times as far as in the round before velocities went in the last one, 0 to SLOWEST."""
    early: Scalar = 0.0
    late: Scalar = 0.0
    for x, y, z in zip(first, second, third, strict=True):
        early, late = early + (y - x) * (y - x), late + (z - y) * (z - y)
    ratio = sqrt(late / where(early > 0.0, early, 1.0))
    return where(early > 0.0, minimum(ratio, SLOWEST), 0.0)


def _warmed(block: Block, u: list[Scalar], p: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """Velocities u after a block's first impulses, and these."""
    for row, impulse in zip(block.rows, p, strict=True):
        u = row.pushed(u, impulse)
    return u, p


def round_(
    blocks: Sequence[Block], targets: Sequence[Scalar], u: list[Scalar], impulses: Impulses, share: float
) -> tuple[list[Scalar], Impulses]:
    """Every block once, so many times as far as it asks for; those that are not there cost nothing."""
    made: Impulses = []
    for block, target, p in zip(blocks, targets, impulses, strict=True):
        u, new = when(block.there, partial(_turn, block, target, share), u, p, otherwise=(u, p))
        made.append(new)
    return u, made


def _turn(
    block: Block, target: Scalar, share: float, u: list[Scalar], p: list[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Velocities u and a block's impulses after its turn."""
    new = block.improved(speeds_of(block, u), p, target)
    if share != 1.0:
        new = block.beyond(p, new, share)
    for row, after, before in zip(block.rows, new, p, strict=True):
        u = row.pushed(u, after - before)
    return u, new


def largest_change(blocks: Sequence[Block], before: Impulses, after: Impulses) -> Scalar:
    """The largest change of a speed that a change of impulses made by itself."""
    most: Scalar = 0.0
    for block, old, new in zip(blocks, before, after, strict=True):
        for row, was, now in zip(block.rows, old, new, strict=True):
            most = maximum(where(block.there, abs(now - was) * row.gives, 0.0), most)
    return most
