"""Velocity bias: the target contact velocity at the start of a step that makes it 0 in the middle of the step.

    w+ = - (J v - w) / 2        J v: with the present J; w: with the J of the previous step; v is the same

A velocity v lasts from the middle of one step to the middle of the next, but J is computed at the start of that time.
With w+ = 0, a standing foot would move at the end of that time, since its leg has turned, and a coin that rolls along a
curve would slip. J v has changed by J v - w since the previous step, and changes by about as much in the next one. With
half of this change subtracted at the start, the contact velocity is 0 in the middle. The error of a rolling body, or of
a leg that swings over its foot, is then of second order in h, and p . (J v + w+), twice the work of an impulse p, is 0.

The bias applies to contacts with a normal impulse in the previous step; along the tangents only to those that stuck. It
does not apply to sticky contacts (held): the points of a turning link cannot all have such velocities, and no bound
limits the impulses that would enforce them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping.blocks import Block, ContactBlock, Impulses
from gambol.lanes import Scalar, when, where

STICKING_SHARE = 0.999
"""Share of the available friction below which a contact counts as sticking: at the limit only rounding exceeds it."""


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

    blocks: of all constraints, contacts first; previous_speeds: of the contacts' rows at the end of the previous step
    [m/s], None if nothing was in contact; warm_start: impulses of that step; u_before: velocities u (nv) at the start
    of this step.
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
    max_friction = STICKING_SHARE * block.friction * p[0]
    pressed = p[0] > 0.0
    if block.held is not None:
        pressed = pressed & (block.held < 0.5)
    stuck = pressed & (p[1] * p[1] + p[2] * p[2] < max_friction * max_friction)
    return where(pressed, n, 0.0), (where(stuck, x, 0.0), where(stuck, y, 0.0))
