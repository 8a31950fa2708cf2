"""Restitution within a step: the time when a contact closes, its rebound speed, and never a gain of energy.

In a step of length h the free speed goes from w_0 to w_h, so a = (w_h - w_0) / h. A contact has the gap g in the middle
of the step, and g_0 = g - h w_0 / 2 at its begin. It closes at the time t with g_0 + w_0 t + a t^2 / 2 = 0. One that
hits at w(t) = w_0 + a t < 0 shall leave with -e w(t), and has h - t until the step ends: its target is
-e w(t) + a (h - t). One that would return within a step, 2 e |w(t)| < |a| h, does not bounce but rests: so infinitely
many bounces end. A contact that does not bounce may close its gap until the middle of the next step: w >= -g / h.

A contact that hits and stays has landed: at the time t = h / 2 + g / -w_0, until the middle of the next step, the first
in a tree stops at once, w >= 0, and later ones may close the rest of their gap in the time that is left. Were it only
to close its gap, it would be stopped by halves, in this step and in the next, and with friction the effect of two half
impacts depends on where in the step they fall, however short the step is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.contact.rebound import allowed_share
from gambol.contact.stepping.blocks import Block
from gambol.contact.stepping.solve import energy_gain
from gambol.contact.stepping.sweep import ImpulseSolution
from gambol.lanes import Scalar, Subprogram, leaves, logical_not, maximum, sqrt, unflatten, when, where
from gambol.spatial.rotation import exactly

LANDING_FACTOR = 1.0
"""A landing contact approached this many times faster than the change of its speed by forces in a step."""


HORIZON = 1.5
"""Steps from the begin of one until the middle of the next, when the gaps of the next are evaluated."""

BOUNCE_HORIZON = 2.0
"""Steps from the begin of one in which a future bounce is left undisturbed until it happens."""

MIN_REMAINDER = 1e-6
"""Least share of a step that is left after a landing, so that nothing is divided by 0."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """The arrival of a contact in a step.

    resting_speed: least speed if it does not bounce; rebound_speed: least speed at the end of the step, the same if it
    does not bounce [m/s]. bounces: 1 or 0. time: of the bounce, from the begin of the step [s], HORIZON h if none.
    shift: sum of the speeds right before and after the bounce less that of the speeds at the ends of the step [m/s].
    lands: 1 where it hits and stays, else 0; time is then that of the landing. speed_before: before the step [m/s].
    """

    resting_speed: Scalar
    rebound_speed: Scalar
    bounces: Scalar
    time: Scalar
    shift: Scalar = 0.0
    lands: Scalar = 0.0
    speed_before: Scalar = 0.0


def arrival(gap: Scalar, before: Scalar, after: Scalar, h: Scalar, restitution: Scalar) -> Arrival:
    """Return the arrival of a contact in a step of h [s].

    gap: in the middle of the step, reached at the speed before [m]. before, after: speeds at the ends of the step if
    nothing stops it [m/s]. h: length of the step [s]. restitution: e.
    """
    g = maximum(gap, 0.0)
    resting_speed, hits = -g / h, (before * h < -g) & (before < -LANDING_FACTOR * abs(after - before))
    if exactly(restitution, 0.0):
        landing = where(hits, 0.5 * h + g / where(hits, -before, 1.0), HORIZON * h)
        return Arrival(resting_speed, resting_speed, 0.0, landing, lands=where(hits, 1.0, 0.0), speed_before=before)
    a, g = (after - before) / h, maximum(gap - 0.5 * h * before, 0.0)
    discriminant = before * before - 2.0 * a * g
    root = sqrt(maximum(discriminant, 0.0))
    falling = root - before  # t = 2 g / (-w_0 + root): the smaller root, without cancellation
    closes = (discriminant >= 0.0) & (falling > 0.0) & (2.0 * g <= falling * (BOUNCE_HORIZON * h))
    t = where(closes, 2.0 * g / where(closes, falling, 1.0), BOUNCE_HORIZON * h)
    impact_speed = before + a * t
    leaving = -restitution * impact_speed
    rebounds = closes & (impact_speed < 0.0) & (2.0 * leaving > abs(a) * h)
    bounces, lands = rebounds & (t <= h), hits & logical_not(rebounds)
    landing = where(lands, 0.5 * h + maximum(gap, 0.0) / where(lands, -before, 1.0), HORIZON * h)
    resting_speed = where(rebounds, 2.0, 1.0) * resting_speed
    return Arrival(
        resting_speed,
        where(bounces, leaving + a * (h - t), resting_speed),
        where(bounces, 1.0, 0.0),
        where(bounces, t, landing),
        where(bounces, a * (2.0 * t - h), 0.0),
        where(lands, 1.0, 0.0),
        before,
    )


def ordered_landings(arrivals: Sequence[Arrival], firsts: Sequence[Scalar], h: Scalar) -> list[Arrival]:
    """Return the arrivals, where the first landings of a step have closed and the later ones may close their gaps.

    arrivals: of contacts and limits; firsts: time of the first event in the tree of each, from the begin of the step
    [s]; h: length of the step [s].
    """
    result: list[Arrival] = []
    for one, first in zip(arrivals, firsts, strict=True):
        if exactly(one.lands, 0.0):
            result.append(one)
            continue
        left = maximum(HORIZON * h - first, MIN_REMAINDER * h)
        resting_speed = where(one.lands > 0.5, one.speed_before * ((one.time - first) / left), one.resting_speed)
        result.append(
            replace(
                one,
                resting_speed=resting_speed,
                rebound_speed=where(one.bounces > 0.5, one.rebound_speed, resting_speed),
            )
        )
    return result


def limit_rebounds(
    blocks: Sequence[Block],
    arrivals: Sequence[Arrival],
    u_free: Sequence[Scalar],
    elastic: ImpulseSolution,
    solve: Subprogram,
) -> ImpulseSolution:
    """Return the elastic solution where it adds no energy, else one with rebounds reduced until they add none.

    blocks: of the problem; arrivals: of the first of them; u_free: velocities u (nv) without impulses; elastic:
    solution with full rebounds; solve: solves the blocks' problem from targets and start impulses.
    """
    if all(exactly(one.bounces, 0.0) for one in arrivals):
        return elastic
    zeros = [0.0] * (len(blocks) - len(arrivals))

    def blended(found: ImpulseSolution) -> ImpulseSolution:
        return _blended(u_free, found, solve([*(one.resting_speed for one in arrivals), *zeros], found.impulses))

    return when(sum(energy_gain(u_free, elastic)) > 0.0, Subprogram(blended), elastic, otherwise=elastic)


def _blended(u_free: Sequence[Scalar], elastic: ImpulseSolution, inelastic: ImpulseSolution) -> ImpulseSolution:
    """Return the solution between the inelastic and the elastic one that adds no energy."""
    s = allowed_share(sum(energy_gain(u_free, inelastic)), *energy_gain(inelastic.u, elastic))
    pairs = zip(leaves(inelastic), leaves(elastic), strict=True)
    return unflatten(elastic, iter([x + s * (y - x) for x, y in pairs]))
