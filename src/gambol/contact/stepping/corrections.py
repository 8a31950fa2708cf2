"""Corrections of a velocity step: velocity bias, for second-order accuracy, and position correction of overlaps.

Velocity bias: the target contact velocity at the start of a step that makes it 0 in the middle of the step.

    w+ = - (J v - w) / 2        J v: with the present J; w: with the J of the previous step; v is the same

A velocity v is constant from the middle of one step to the middle of the next, but J is computed at the start of that
time. With w+ = 0, a standing foot would move at the end of that time, because its leg has turned, and a coin that rolls
along a curve would slip. J v has changed by J v - w since the previous step, and changes by about as much in the next
one. With half of this change subtracted at the start, the contact velocity is 0 in the middle. The error of a rolling
body, or of a leg that swings over its foot, is then of second order in h, and p . (J v + w+), twice the work of an
impulse p, is 0.

The bias applies to contacts with a normal impulse in the previous step; along the tangents only for contacts that
stuck. It does not apply to sticky contacts (held): the points of a turning link cannot all have such velocities, and no
bound limits the impulses that would enforce them.

Position correction: penetrating bodies are moved apart, without any change of velocity.

    A dq = J^T x        J_n dq >= s (-g - d) where that is positive, x >= 0, one of them 0

g: gaps after a step; d: slop, a depth that is not corrected; s: the fraction of the depth beyond d that one correction
removes. Velocity steps close gaps exactly if they change linearly. Deeper penetration comes from rotation, from
contacts beyond the capacity, or from the initial state. The work of the correction is an entry of the world's ledger.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gambol.contact.stepping.block_list import map_speeds, same_item, scan_blocks, with_tangent_bias
from gambol.contact.stepping.blocks import Block, ContactBlock, Impulses
from gambol.contact.stepping.sweep import repeat_sweep
from gambol.dynamics.forward import Factorisation
from gambol.lanes import Scalar, maximum, where

MAX_STICKING_FRACTION = 0.999
"""Share of the available friction below which a contact counts as sticking: at the limit, only rounding exceeds it."""


BIAS_SHARE = 0.5
"""Share of the change J v - w that is subtracted, in steps of equal length."""


@dataclass(frozen=True, slots=True)
class VelocityBias:
    """Blocks with their tangential bias, and the normal bias of each block [m/s]."""

    blocks: Sequence[Block]
    normal_bias: list[Scalar]


def velocity_bias(
    blocks: Sequence[Block],
    previous_speeds: Sequence[Sequence[Scalar]] | None,
    warm_start: Impulses,
    u_before: Sequence[Scalar],
    share: Scalar = BIAS_SHARE,
) -> VelocityBias:
    """Return the blocks with their tangential bias, and the normal bias of all blocks.

    blocks: blocks of all constraints, contacts first; previous_speeds: speeds of the contacts' rows at the end of the
    previous step [m/s], None if nothing was in contact; warm_start: impulses of that step; u_before: velocities u (nv)
    at the start of this step. share: h / (h + h'), for steps of h after a step of h' [s].
    """
    if not previous_speeds:
        return VelocityBias(blocks, [0.0] * len(blocks))
    contacts, count = len(previous_speeds), len(blocks)
    items = previous_speeds, warm_start[:contacts]
    found = map_speeds(blocks[:contacts], u_before, partial(_bias, share), items, otherwise=_no_bias)
    normal, tangential = zip(*found, strict=True)
    return VelocityBias(with_tangent_bias(blocks, tangential), [*normal, *[0.0] * (count - contacts)])


def _no_bias(block: Block, *items: Any) -> tuple[Scalar, tuple[Scalar, Scalar]]:
    return 0.0, (0.0, 0.0)


def _bias(
    share: Scalar, block: ContactBlock, w: Sequence[Scalar], previous: Sequence[Scalar], p: Sequence[Scalar]
) -> tuple[Scalar, tuple[Scalar, Scalar]]:
    """Return the normal and the tangential bias of a contact [m/s]. w, previous: speeds of its rows now and before."""
    n, x, y = (-share * (now - before) for now, before in zip(w, previous, strict=True))
    max_friction = MAX_STICKING_FRACTION * block.friction * p[0]
    pressed = p[0] > 0.0
    if block.held is not None:
        pressed = pressed & (block.held < 0.5)
    px = block.stretched(p[1])
    stuck = pressed & (px * px + p[2] * p[2] < max_friction * max_friction)
    return where(pressed, n, 0.0), (where(stuck, x, 0.0), where(stuck, y, 0.0))


CORRECTION_SHARE = 0.2
"""Share of a depth that a step corrects: after 20 steps one percent remains, and stacks do not jump up."""

CORRECTION_SWEEPS = 4
"""Gauss-Seidel sweeps: the rest of the depth is corrected in the next steps."""


def correction_targets(gaps: Sequence[Scalar], slop: Scalar) -> list[Scalar]:
    """Return the least displacement of each contact and limit along its row by a correction [m or rad]."""
    return [CORRECTION_SHARE * maximum(-gap - slop, 0.0) for gap in gaps]


def deepest_overlap(gaps: Sequence[Scalar]) -> Scalar:
    """Return the largest penetration of contacts and limits, 0 if there is none; gaps: their gaps [m or rad]."""
    deepest: Scalar = 0.0
    for gap in gaps:
        deepest = maximum(-gap, deepest)
    return deepest


def depth_correction(
    blocks: Sequence[Block], factors: Factorisation, gaps: Sequence[Scalar], slop: Scalar
) -> list[Scalar]:
    """Return the displacement of a figure (nv) that reduces the penetration of its contacts and limits.

    blocks: blocks of contacts and limits first; factors: factors of A; gaps: gaps of contacts and limits, after the
    step [m or rad]; slop: depth that is not corrected [m].
    """
    targets = correction_targets(gaps, slop)

    def sweep(state: tuple[list[Scalar], list[Scalar]]) -> tuple[list[Scalar], list[Scalar]]:
        increment, x = state
        with_gaps = blocks[: len(gaps)]
        return scan_blocks(with_gaps, _corrected, increment, [x], fixed=[targets], otherwise=same_item)

    still = [0.0] * len(factors.D_inverse), [0.0] * len(gaps)
    return factors.outward(repeat_sweep(CORRECTION_SWEEPS, sweep, still)[0])


def _corrected(block: Block, target: Scalar, increment: list[Scalar], x: Scalar) -> tuple[list[Scalar], Scalar]:
    """Return the displacement after the update of a block's first row with a target, and the row's multiplier."""
    row = block.rows[0]
    new = maximum(x + (target - row.speed(increment)) / row.inverse_mass, 0.0)
    return row.after_impulse(increment, new - x), new
