"""Restitution within a step: when a contact closes, what speed it then rebounds with, and never a gain of energy.

In a step of length h the free speed goes from w_0 to w_h, so a = (w_h - w_0) / h. A contact has the gap g in the middle
of the step, and g_0 = g - h w_0 / 2 at its begin. It closes at the time t with g_0 + w_0 t + a t^2 / 2 = 0. One that
hits at w(t) = w_0 + a t < 0 shall leave with -e w(t), and has h - t until the step ends: its target is
-e w(t) + a (h - t). One that would be back within a step, 2 e |w(t)| < |a| h, does not bounce but rests: so infinitely
many bounces end. What does not bounce may close its gap until the middle of the next step and no more: w >= -g / h.

What hits and stays lands: at the time t = h / 2 + g / -w_0, until the middle of the next step, the first of a tree
stops at once, w >= 0, and whatever lands later may close the rest of its gap in what is left. Were it only to close
its gap, it would be stopped by halves, in this step and in the next, and with friction what a blow in two halves does
depends on where in the step it falls, however short the step is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.contact.rebound import allowed_share
from gambol.contact.stepping.blocks import Block
from gambol.contact.stepping.solve import gain
from gambol.contact.stepping.sweep import Solved
from gambol.lanes import Scalar, Subprogram, leaves, maximum, negated, rebuilt, sqrt, when, where
from gambol.spatial.rotation import exactly

FASTER = 1.0
"""What lands was this many times faster than forces make it in a step."""


LAST = 1.5
"""Steps from the begin of one until the middle of the next, when the gaps of the next are looked at."""

SOON = 2.0
"""Steps from the begin of one in which what will bounce is left alone until it does."""

EARLY = 1e-6
"""Least part of a step that is left after a landing: then nothing is divided by 0."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """How a contact closes in a step.

    resting: the least speed of one that does not bounce; rebound: the least speed it shall have at the step's end, the
    same where it does not bounce [m/s]. bounces: 1 or 0. time: from the step's begin to the bounce [s], LAST h if none.
    shift: what the speeds before and after the bounce itself are, in sum, above those at the step's ends [m/s].
    lands: 1 where it hits and stays, else 0; its time is then that of the landing. speed: before the step [m/s].
    """

    resting: Scalar
    rebound: Scalar
    bounces: Scalar
    time: Scalar
    shift: Scalar = 0.0
    lands: Scalar = 0.0
    speed: Scalar = 0.0


def arrival(gap: Scalar, before: Scalar, after: Scalar, h: Scalar, restitution: Scalar) -> Arrival:
    """How a contact closes whose speed goes from before to after [m/s] in a step of h [s] if nothing stops it.

    gap: in the middle of the step, reached at the speed before [m].
    """
    g = maximum(gap, 0.0)
    resting, hits = -g / h, (before * h < -g) & (before < -FASTER * abs(after - before))
    if exactly(restitution, 0.0):
        landing = where(hits, 0.5 * h + g / where(hits, -before, 1.0), LAST * h)
        return Arrival(resting, resting, 0.0, landing, lands=where(hits, 1.0, 0.0), speed=before)
    a, g = (after - before) / h, maximum(gap - 0.5 * h * before, 0.0)
    inside = before * before - 2.0 * a * g
    root = sqrt(maximum(inside, 0.0))
    falling = root - before  # t = 2 g / (-w_0 + root): the smaller root, without cancellation
    closes = (inside >= 0.0) & (falling > 0.0) & (2.0 * g <= falling * (SOON * h))
    t = where(closes, 2.0 * g / where(closes, falling, 1.0), SOON * h)
    hit = before + a * t
    leaving = -restitution * hit
    leaves = closes & (hit < 0.0) & (2.0 * leaving > abs(a) * h)
    bounces, lands = leaves & (t <= h), hits & negated(leaves)
    landing = where(lands, 0.5 * h + maximum(gap, 0.0) / where(lands, -before, 1.0), LAST * h)
    resting = where(leaves, 2.0, 1.0) * resting
    return Arrival(
        resting,
        where(bounces, leaving + a * (h - t), resting),
        where(bounces, 1.0, 0.0),
        where(bounces, t, landing),
        where(bounces, a * (2.0 * t - h), 0.0),
        where(lands, 1.0, 0.0),
        before,
    )


def in_turn(arrivals: Sequence[Arrival], firsts: Sequence[Scalar], h: Scalar) -> list[Arrival]:
    """The same arrivals, of which those that land first in a step of h [s] have closed and those that land later may.

    firsts: when the first lands or bounces of what each belongs to, from the step's begin [s].
    """
    made: list[Arrival] = []
    for one, first in zip(arrivals, firsts, strict=True):
        if exactly(one.lands, 0.0):
            made.append(one)
            continue
        left = maximum(LAST * h - first, EARLY * h)
        resting = where(one.lands > 0.5, one.speed * ((one.time - first) / left), one.resting)
        made.append(replace(one, resting=resting, rebound=where(one.bounces > 0.5, one.rebound, resting)))
    return made


def limited(
    blocks: Sequence[Block], arrivals: Sequence[Arrival], free: Sequence[Scalar], wanted: Solved, solve: Subprogram
) -> Solved:
    """The same solution where it adds no energy; elsewhere one with as much of its rebounds as adds none.

    free: velocities u (nv) without impulses. solve: of the blocks' problem, from targets and impulses to start from.
    """
    if all(exactly(one.bounces, 0.0) for one in arrivals):
        return wanted
    still = [0.0] * (len(blocks) - len(arrivals))

    def blended(found: Solved) -> Solved:
        return _blended(free, found, solve([*(one.resting for one in arrivals), *still], found.impulses))

    return when(sum(gain(free, wanted)) > 0.0, Subprogram(blended), wanted, otherwise=wanted)


def _blended(free: Sequence[Scalar], wanted: Solved, plain: Solved) -> Solved:
    """Between a solution without rebounds and one with them, as far as no energy is added."""
    s = allowed_share(sum(gain(free, plain)), *gain(plain.u, wanted))
    pairs = zip(leaves(plain), leaves(wanted), strict=True)
    return rebuilt(wanted, iter([x + s * (y - x) for x, y in pairs]))
