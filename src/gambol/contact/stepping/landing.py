"""Landings at their time: a step is evaluated where its first landing is expected, not in its middle.

A landing changes velocities by a finite amount. All that a step of length h treats as if the landing were at another
time is therefore an error of order h. Let t be the time of the landing from the start of the step, and s = t / h:

    J, M, gaps      at q + t v                      instead of q + h v / 2
    C               s C(v) + (1 - s) C(v+)          instead of C((v + v+) / 2)
    dampers         -B (s v + (1 - s) v+)           instead of -B (v + v+) / 2
    contacts        s p in addition to the impulses from the landing on; p: impulses of the step before

Each C is evaluated in the middle of its time, at q + t v / 2 and q + t v + (h - t) v+ / 2: a joint that reaches its
stop may turn far in a step. The last line is for contacts that stood before the landing. They pushed until then, even
if the landing opens them. If the step before had an event, p is not the impulse of a constant force, and is left out.

The time is known in advance: at the end of each step it follows from gaps and speeds. It lies between the middle of the
next step and that of the one after it, so that all gaps are evaluated in order. A forest, in which each tree lands at
its own time, is evaluated in the middle of its steps.

Landings that follow each other within a step are still of first order. Steps near landings may therefore be shorter,
in each world by itself, down to a part 1 / n of a step: Stepping.landing_steps. See step_near_landings().
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping.blocks import Block, Impulses
from gambol.contact.stepping.bounce import HORIZON, MIN_LANDING_FACTOR, Arrival
from gambol.contact.stepping.solve import limit_energy
from gambol.contact.stepping.sweep import ImpulseSolution, after_impulses
from gambol.lanes import Scalar, Subprogram, maximum, minimum, when, where
from gambol.spatial.rotation import is_constant

EARLIEST = 0.49
"""Earliest expected landing, in steps. A contact that lands second in a step closes its gap up to the middle of the
next, so that it is expected there, at half a step. Rounding errors must not decide whether it is expected."""

APPROACH = 0.6
"""Length of a step before an expected landing, divided by the time to the landing. It is less than 1 / HORIZON, so that
the landing is in a later and shorter step, also where it comes up to a tenth earlier than expected."""


@dataclass(frozen=True, slots=True)
class ExpectedLanding:
    """The first landing that is expected in a step.

    time: its time from the start of the step, half of the step if none is expected [s]. expected: 1 if one is expected,
    else 0. fraction: time divided by the length of the step. steady: 1 if the impulses of the previous step are those
    of steady forces, 0 if it had an event. horizon: time from the end of the step in which the next landing counts [s].
    """

    time: Scalar
    expected: Scalar
    fraction: Scalar
    steady: Scalar
    horizon: Scalar

    @staticmethod
    def of(next_landing: Scalar, had_event: Scalar, h: Scalar, horizon: Scalar) -> "ExpectedLanding":
        """Return the landing of a step of h [s].

        next_landing: result of next_landing() for the previous step [s]. had_event: 1 if that step had an event, else
        0. horizon: see ExpectedLanding [s].
        """
        within = (next_landing > EARLIEST * h) & (next_landing < HORIZON * h)  # also if h has changed since then
        time = where(within, maximum(next_landing, 0.5 * h), 0.5 * h)
        return ExpectedLanding(time, where(within, 1.0, 0.0), time / h, 1.0 - had_event, horizon)


@dataclass(frozen=True, slots=True)
class DividedForces:
    """Velocity-dependent forces that a landing divides.

    v, v_later: velocities (nv) before the landing, and after it if one is expected, else in the middle of the step.
    bias, bias_later: bias forces C at these velocities (nv), with gravity and external forces. constant: the part of C
    that does not depend on velocities (nv). damping: decrease of the dampers' forces per mean velocity of the step
    (nv); empty for none.
    """

    landing: ExpectedLanding
    v: Sequence[Scalar]
    v_later: Sequence[Scalar]
    bias: Sequence[Scalar]
    bias_later: Sequence[Scalar]
    constant: Sequence[Scalar]
    damping: Sequence[Scalar]

    @property
    def lands(self) -> Scalar:
        """True where a landing is expected."""
        return self.landing.expected > 0.5

    @property
    def bias_force(self) -> list[Scalar]:
        """The bias force of the step, with what the division changes in the forces of dampers (nv)."""
        s, lands = self.landing.fraction, self.lands
        divided = [s * a + (1.0 - s) * b for a, b in zip(self.bias, self.bias_later, strict=True)]
        if self.damping:
            divided = [c - x for c, x in zip(divided, self._damper_force_changes(), strict=True)]
        return [where(lands, x, y) for x, y in zip(divided, self.bias_later, strict=True)]

    def loss(self, v_end: Sequence[Scalar], h: Scalar) -> Scalar:
        """Return the energy that the division takes from the figure in a step of h [s], 0 without a landing [J].

        v_end: velocities at the end (nv). The step counts the work of its forces at the mean of the velocities. The
        work that C does where it acts changes the kinetic energy as M changes; the remainder is the loss. Dampers are
        counted at the mean of the velocities.
        """
        s, loss = self.landing.fraction, 0.0
        pairs = zip(self.v, self.v_later, v_end, self.bias, self.bias_later, self.constant, strict=True)
        for v, v_later, end, c, c_later, g in pairs:
            first, later = s * (c - g), (1.0 - s) * (c_later - g)
            loss = loss + first * (0.5 * (end - v)) + later * (0.5 * (v + end) - v_later)
        for x, v, end in zip(self._damper_force_changes(), self.v, v_end, strict=False):
            loss = loss - x * (0.5 * (v + end))
        return h * loss

    @property
    def damper_slowing(self) -> list[Scalar]:
        """By how much a landing decreases the velocity at which each damper acts (nv) [rad/s or m/s]; 0 without one."""
        weight = where(self.lands, 0.5 - self.landing.fraction, 0.0)
        return [weight * (v - later) for v, later in zip(self.v, self.v_later, strict=True)]

    def _damper_force_changes(self) -> list[Scalar]:
        """Return what the division changes in the forces of dampers (nv); empty without dampers."""
        weight = 0.5 - self.landing.fraction
        return [weight * B * (v - later) for B, v, later in zip(self.damping, self.v, self.v_later, strict=False)]


def landing_horizon(step: Scalar, h: Scalar, count: int) -> Scalar:
    """Return the time from the end of a step of h [s] in which the next landing counts [s].

    step: length of steps without landings [s]. count: number of parts of a step near landings: a landing counts if the
    next step is evaluated at it, or shorter for it.
    """
    return HORIZON * h if count == 1 else step * (1.0 / APPROACH)


def step_near_landings(step: Scalar, next_landing: Scalar, had_event: Scalar, count: int) -> Scalar:
    """Return the longest next step [s]: `step` without landings, and down to a part 1 / count of it near them.

    next_landing, had_event: see ContactCache. Steps before a landing take the part APPROACH of the time to it, so that
    each is shorter than the one before, until the landing is in a step of the least length. The step after one with an
    event has this length, too: where an event is, others follow.
    """
    part = step * (1.0 / count)
    before = where(next_landing > 0.0, minimum(maximum(APPROACH * next_landing, part), step), step)
    return where(had_event > 0.5, part, before)


def next_landing(
    arrivals: Sequence[Arrival],
    restitution: Sequence[Scalar],
    gaps: Sequence[Scalar],
    speeds: Sequence[Scalar],
    h: Scalar,
    slowest: Scalar,
    horizon: Scalar,
) -> Scalar:
    """Return the time from the end of a step of h [s] to the next landing; 0 if it is beyond the horizon [s].

    arrivals, restitution: arrivals of contacts and limits in the step, and their restitution; contacts that bounce are
    left out. gaps, speeds: gaps and speeds at its end [m, m/s or rad, rad/s]. slowest: least speed of a landing [m/s or
    rad/s]: joints at their limits and feet at rest have gaps and speeds of rounding errors.
    """
    soonest = horizon
    for arrival, e, gap, w in zip(arrivals, restitution, gaps, speeds, strict=True):
        if isinstance(e, float) and e > 0.0:
            continue
        lands = (gap > 0.0) & (w < -MIN_LANDING_FACTOR * arrival.change) & (w < -slowest)
        if not is_constant(e, 0.0):
            lands = lands & (e <= 0.0)
        soonest = where(lands, minimum(gap / where(lands, -w, 1.0), soonest), soonest)
    return where((soonest > EARLIEST * h) & (soonest < horizon), soonest, 0.0)


def push_until_landing(
    landing: ExpectedLanding, blocks: Sequence[Block], u_free: list[Scalar], warm_start: Impulses
) -> tuple[list[Scalar], Impulses]:
    """Return velocities u (nv) with the impulses until the landing added, and these impulses, which add no energy.

    blocks: blocks of all constraints. u_free: velocities u without impulses. warm_start: impulses of the previous step.
    """

    def push(u: list[Scalar], p: Impulses) -> tuple[list[Scalar], Impulses]:
        until = [[landing.fraction * x for x in each] for each in p]
        limited = limit_energy(u, ImpulseSolution(*after_impulses(blocks, u, until), 0.0), 0.0)
        return limited.u, limited.impulses

    none = [[0.0 for _ in each] for each in warm_start]
    pushes = (landing.expected > 0.5) & (landing.steady > 0.5)
    return when(pushes, Subprogram(push), u_free, warm_start, otherwise=(u_free, none))
