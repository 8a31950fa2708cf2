"""What turns while it touches: the speeds at which a contact is at rest in the middle of its motion.

    w+ = - (J v - w) / 2        J v: with the J of now, w: with that of the step before, the same v

Velocities last from the middle of one step to that of the next, and J belongs to the begin of that time: a foot that is
held there by w+ = 0 moves by the end, as its leg turns, and a coin that rolls along a curve slips. J v has grown by
J v - w in the time before, and grows about as much in the next: with half of it taken off, w is 0 half-way. So what
rolls, or stands on a leg that swings over it, is of second order in h, and p . (J v + w+), twice what an impulse p
gives it, is 0. Only what pressed in the step before is corrected, and along tangents only what stuck. What is held
whatever pulls at it is not: points of one link that are not at rest together may not all have such speeds, and nothing
limits the impulses that would force them to.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping.blocks import Block, Grip, Impulses
from gambol.lanes import Scalar, when, where

STUCK = 0.999
"""Part of the friction there may be, below which a contact stuck: on the rim only rounding is above it."""


@dataclass(frozen=True, slots=True)
class Turning:
    """Blocks at whose speeds `still` along tangents contacts stick, and the speeds along normals of those at rest, of
    all blocks [m/s].
    """

    blocks: list[Block]
    resting: list[Scalar]


def turning(
    blocks: Sequence[Block], speeds: Sequence[Sequence[Scalar]] | None, warm: Impulses, before: Sequence[Scalar]
) -> Turning:
    """Blocks and speeds at which contacts are at rest.

    speeds: of the contacts' rows at the end of the step before; warm: impulses in it; before: velocities u (nv) at the
    begin of this one.
    """
    made, resting = list(blocks), [0.0] * len(blocks)
    for k, (block, was, p) in enumerate(zip(blocks, speeds or (), warm, strict=False)):
        assert isinstance(block, Grip)
        resting[k], still = when(block.there, partial(_still, block, before), was, p, otherwise=(0.0, (0.0, 0.0)))
        made[k] = replace(block, still=still)
    return Turning(made, resting)


def _still(
    grip: Grip, before: Sequence[Scalar], was: Sequence[Scalar], p: Sequence[Scalar]
) -> tuple[Scalar, tuple[Scalar, Scalar]]:
    """The speeds along normal and tangents at which a contact is at rest."""
    n, x, y = (-0.5 * (row.speed(before) - w) for row, w in zip(grip.rows, was, strict=True))
    most = STUCK * grip.friction * p[0]
    pressed = p[0] > 0.0
    if grip.held is not None:
        pressed = pressed & (grip.held < 0.5)
    stuck = pressed & (p[1] * p[1] + p[2] * p[2] < most * most)
    return where(pressed, n, 0.0), (where(stuck, x, 0.0), where(stuck, y, 0.0))
