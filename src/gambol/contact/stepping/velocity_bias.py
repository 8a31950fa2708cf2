"""Velocity bias: the contact velocity at the begin of a step that makes a turning contact stand still in its middle.

    w+ = - (J v - w) / 2        J v: with the present J, w: with that of the step before, the same v

Velocities last from the middle of one step to that of the next, and J belongs to the begin of that time: a foot that is
held by w+ = 0 moves by the end, as its leg turns, and a coin that rolls along a curve slips. J v has grown by J v - w
since the step before, and grows about as much in the next: with half of it taken off, w is 0 half-way. So what rolls,
or stands on a leg that swings over it, is of second order in h, and p . (J v + w+), twice the work of an impulse p,
is 0. Only contacts that pressed in the step before are corrected, and along tangents only those that stuck. Sticky
contacts (held) are not: points of one link that do not rest together cannot all have such speeds, and nothing bounds
the impulses that would force them to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping.blocks import Block, ContactBlock, Impulses
from gambol.lanes import Scalar, when, where

STICKING_SHARE = 0.999
"""Share of the available friction below which a contact counted as sticking: at the limit only rounding exceeds it."""


@dataclass(frozen=True, slots=True)
class VelocityBias:
    """Blocks with their tangential bias, and the normal bias of each block [m/s]."""

    blocks: list[Block]
    normal_bias: list[Scalar]


def velocity_bias(
    blocks: Sequence[Block],
    previous_speeds: Sequence[Sequence[Scalar]] | None,
    warm_start: Impulses,
    u_before: Sequence[Scalar],
) -> VelocityBias:
    """Return the blocks with their tangential bias, and the normal bias of all blocks.

    previous_speeds: of the contacts' rows at the end of the step before [m/s], None if nothing touched; warm_start:
    impulses of that step; u_before: velocities u (nv) at the begin of this one.
    """
    result, normal_bias = list(blocks), [0.0] * len(blocks)
    for k, (block, previous, p) in enumerate(zip(blocks, previous_speeds or (), warm_start, strict=False)):
        assert isinstance(block, ContactBlock)
        normal_bias[k], tangent_bias = when(
            block.active, partial(_bias, block, u_before), previous, p, otherwise=(0.0, (0.0, 0.0))
        )
        result[k] = replace(block, tangent_bias=tangent_bias)
    return VelocityBias(result, normal_bias)


def _bias(
    block: ContactBlock, u_before: Sequence[Scalar], previous: Sequence[Scalar], p: Sequence[Scalar]
) -> tuple[Scalar, tuple[Scalar, Scalar]]:
    """Return the normal and the tangential bias of a contact [m/s]."""
    n, x, y = (-0.5 * (row.speed(u_before) - w) for row, w in zip(block.rows, previous, strict=True))
    most = STICKING_SHARE * block.friction * p[0]
    pressed = p[0] > 0.0
    if block.held is not None:
        pressed = pressed & (block.held < 0.5)
    stuck = pressed & (p[1] * p[1] + p[2] * p[2] < most * most)
    return where(pressed, n, 0.0), (where(stuck, x, 0.0), where(stuck, y, 0.0))
