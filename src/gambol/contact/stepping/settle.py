"""Bodies that lie in each other are moved apart, without any speed.

    A dq = J^T x        J_n dq >= s d - g where that is positive, x >= 0, one of them 0

After a step contacts have the gaps g. They close exactly as far as their gaps change linearly, so what lies deeper came
in by turning, by contacts that found no room, or was there before. Of what is deeper than the slop d a share s is
mended in every step that mends. The work that this takes is told by the world's ledger.
"""

from collections.abc import Sequence
from functools import partial

from gambol.contact.stepping.blocks import Block
from gambol.contact.stepping.rows import Row
from gambol.dynamics.forward import Split
from gambol.lanes import Scalar, maximum, repeat, when

SHARE = 0.2
"""Of a depth that a step mends: all but a percent is gone in 20 steps, and no stack is thrown up."""

ROUNDS = 4
"""Rounds of Gauss-Seidel: what is left is mended in the next step."""


def parted(blocks: Sequence[Block], factors: Split, gaps: Sequence[Scalar], slop: Scalar) -> list[Scalar]:
    """By what a figure is to move (nv) so that its contacts and limits lie less deep.

    factors: of A. gaps: of the first blocks, after the step [m or rad]. slop: the depth to which they are moved [m].
    """
    wanted = [SHARE * maximum(-gap - slop, 0.0) for gap in gaps]

    def round_(now: tuple[list[Scalar], list[Scalar]]) -> tuple[list[Scalar], list[Scalar]]:
        move, x = now
        made: list[Scalar] = []
        for block, want, old in zip(blocks, wanted, x, strict=False):
            move, new = when(block.there, partial(_mended, block.rows[0], want), move, old, otherwise=(move, old))
            made.append(new)
        return move, made

    return factors.outward(repeat(ROUNDS, round_, ([0.0] * len(factors.D_inverse), [0.0] * len(gaps)))[0])


def _mended(row: Row, want: Scalar, move: list[Scalar], x: Scalar) -> tuple[list[Scalar], Scalar]:
    """A move after the turn of a row that wants so much of it, and how far that row pushes then."""
    new = maximum(x + (want - row.speed(move)) / row.gives, 0.0)
    return row.pushed(move, new - x), new
