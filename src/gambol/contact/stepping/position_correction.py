"""Position correction: penetrating bodies are moved apart, without any change of velocity.

    A dq = J^T x        J_n dq >= s (-g - d) where that is positive, x >= 0, one of them 0

g: gaps after a step; d: slop, a depth that is not corrected; s: the share of the depth beyond d that one correction
removes. Velocity steps close gaps exactly if they change linearly. Deeper penetration comes from rotation, from
contacts beyond the capacity, or from the initial state. The work of the correction is an entry of the world's ledger.
"""

from collections.abc import Sequence
from functools import partial

from gambol.contact.stepping.blocks import Block
from gambol.contact.stepping.rows import Row
from gambol.dynamics.forward import Factorisation
from gambol.lanes import Scalar, maximum, repeat, when

CORRECTION_SHARE = 0.2
"""Share of a depth that a step corrects: after 20 steps one percent remains, and no stack is thrown up."""

ITERATIONS = 4
"""Gauss-Seidel sweeps: the rest of the depth is corrected in the next steps."""


def depth_correction(
    blocks: Sequence[Block], factors: Factorisation, gaps: Sequence[Scalar], slop: Scalar
) -> list[Scalar]:
    """Return the displacement of a figure (nv) that reduces the penetration of its contacts and limits.

    blocks: of contacts and limits first; factors: of A; gaps: of contacts and limits, after the step [m or rad]; slop:
    depth that is not corrected [m].
    """
    targets = [CORRECTION_SHARE * maximum(-gap - slop, 0.0) for gap in gaps]

    def sweep(state: tuple[list[Scalar], list[Scalar]]) -> tuple[list[Scalar], list[Scalar]]:
        increment, x = state
        result: list[Scalar] = []
        for block, target, old in zip(blocks, targets, x, strict=False):
            increment, new = when(
                block.active, partial(_corrected, block.rows[0], target), increment, old, otherwise=(increment, old)
            )
            result.append(new)
        return increment, result

    return factors.outward(repeat(ITERATIONS, sweep, ([0.0] * len(factors.D_inverse), [0.0] * len(gaps)))[0])


def _corrected(row: Row, target: Scalar, increment: list[Scalar], x: Scalar) -> tuple[list[Scalar], Scalar]:
    """Return the displacement after the update of one row with a target, and the row's multiplier."""
    new = maximum(x + (target - row.speed(increment)) / row.inverse_mass, 0.0)
    return row.after_impulse(increment, new - x), new
