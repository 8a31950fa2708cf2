"""Soft contacts and limits: each moves as a damped oscillator, whatever mass it stops, as in MuJoCo.

    a = (1 - d) a_0 + d (-b w - k g)          where g < 0
    b = 2 / (d_m T)        k = d / (d_m T z)^2        d = d_0 + s(-g / width) (d_m - d_0)

g: gap; w: speed along the normal; a_0: its acceleration without the contact. T, z: time constant and damping ratio
(MuJoCo: solref). d_0, d_m, width: impedance at the surface, impedance from the depth `width` on (MuJoCo: solimp); s
rises smoothly from 0 to 1. Slip decays in the same way, without k. In a velocity step, with the mean of the speeds
before and after the step, this acceleration gives the speed that an impulse must reach, so steps stay of second order.
MuJoCo has 1 - d as a compliance of each row; here it is a factor of a_0, the same for a single contact. [MuJoCo
documentation, "Computation", "Constraint model"]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping.block_list import map_blocks, with_tangent_bias
from gambol.contact.stepping.blocks import Block
from gambol.contact.stepping.corrections import VelocityBias
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, where

APART = -1e3
"""Least speed of a contact that is open [m/s or rad/s]: faster than any, so that it has no impulse."""


@dataclass(frozen=True, slots=True)
class Softness:
    """The softness of contacts and limits; the default values are MuJoCo's.

    time_constant: T [s], at least twice the step. damping_ratio: z; from 1 on, nothing rebounds. impedance: d_0 and
    d_m, between 0 and 1, and the width [m or rad]. Raises WorldError for impossible numbers.
    """

    time_constant: float = 0.02
    damping_ratio: float = 1.0
    impedance: tuple[float, float, float] = (0.9, 0.95, 0.001)

    def __post_init__(self) -> None:
        given = self.time_constant, self.damping_ratio, *self.impedance
        if not all(math.isfinite(x) and x > 0.0 for x in given) or max(self.impedance[:2]) > 1.0:
            raise WorldError(
                f"a softness of {given} is impossible; give positive numbers, and impedances of at most 1, such as "
                f"{(0.02, 1.0, 0.9, 0.95, 0.001)}"
            )

    def impedance_at(self, gap: Scalar) -> Scalar:
        """Return d at a gap [m or rad], with two parabolas for s."""
        first, last, width = self.impedance
        x = clamp(-gap / width, 0.0, 1.0)
        return first + where(x < 0.5, 2.0 * x * x, 1.0 - 2.0 * (1.0 - x) * (1.0 - x)) * (last - first)

    def speed_after(self, gap: Scalar, before: Scalar, free: Scalar, h: Scalar, spring: float = 1.0) -> Scalar:
        """Return the speed of a closed contact after a step of h [s].

        gap: gap in the middle of the step [m]. before, free: speeds before the step, and after it without impulses.
        spring: factor of k.
        """
        d, last = self.impedance_at(gap), self.impedance[1]
        stiffness = d / (last * self.time_constant * self.damping_ratio) ** 2
        damping = 2.0 / (last * self.time_constant)
        half = 0.5 * h * d * damping
        return ((1.0 - half) * before + (1.0 - d) * (free - before) - h * d * spring * stiffness * gap) / (1.0 + half)


def soft_bias(
    blocks: Sequence[Block],
    gaps: Sequence[Scalar],
    before: Sequence[Scalar],
    free: Sequence[Scalar],
    softness: Softness,
    h: Scalar,
) -> VelocityBias:
    """Return the blocks with the slip that closed contacts keep, and the least speed of each block's first row.

    blocks: blocks of all constraints; gaps: gaps of contacts and limits, which come first, in the middle of the step [m
    or rad]. before, free: velocities u (nv) before the step, and after it without impulses. h: length of the step [s].
    """

    def speeds(block: Block, gap: Scalar) -> tuple[Scalar, tuple[Scalar, ...]]:
        normal, *slip = ((row.speed(before), row.speed(free)) for row in block.rows)
        after = where(gap < 0.0, softness.speed_after(gap, *normal, h), APART)
        return after, tuple(softness.speed_after(gap, *speed, h, spring=0.0) for speed in slip)

    def no_speeds(block: Block, gap: Scalar) -> tuple[Scalar, tuple[Scalar, ...]]:
        return 0.0, tuple(0.0 for _ in block.rows[1:])

    with_gaps = blocks[: len(gaps)]
    found = map_blocks(with_gaps, speeds, [gaps], otherwise=no_speeds)
    slips = [(slip[0], slip[1]) for _, slip in found if slip]
    return VelocityBias(
        with_tangent_bias(blocks, slips), [*(after for after, _ in found), *[0.0] * (len(blocks) - len(gaps))]
    )
