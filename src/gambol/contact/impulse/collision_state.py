"""Integration of a collision, step by step: the contact slides, sticks or slides again, until restitution is finished.

A step ends when the slip stops, the normal velocity changes its sign, or restitution is finished. A phase with an
impulse of constant direction is one step in closed form; a phase with a turning slip takes steps of sliding.py.

Every collision ends. u^T K^-1 u / 2, the energy that a collision can reach, is never negative, and changes by u . d =
u_z - mu |u_t| per normal impulse. While u_z < 0 it falls faster than u_z does, even where friction makes u_z itself
fall (a jam). So the slip stops, or u_z changes its sign, after a finite impulse. After that du_z/dp_z >= 0, since K d
points upward for the same reason. The endless case of [Arnold 1997, section 2.4.3] therefore needs no remedy if the
slip is integrated to its end.
"""

from dataclasses import dataclass, replace

from gambol.contact.impulse.friction import EPSILON, AfterStop, CollisionMatrix
from gambol.contact.impulse.hypothesis import UNLIMITED, CollisionTotals, Hypothesis
from gambol.contact.impulse.sliding import crossing, series_value, sliding_series
from gambol.lanes import Scalar, logical_not, maximum, minimum, sqrt, when, where, working_precision

COMPRESSION, RESTITUTION, FINISHED, WEDGED, UNSOLVABLE = 0.0, 1.0, 2.0, 3.0, 4.0
"""Phases of a collision. Wedged: the contact stopped and cannot separate. Unsolvable: no impulse can end the collision,
for example at a contact that cannot move."""

TURN_ROUNDING, SLIP_ROUNDING = 8.0, 32.0
"""Rounding errors of a change of the slip's direction, and of the slip, in units of EPSILON."""


@dataclass(frozen=True, slots=True)
class CollisionState:
    """State during a collision.

    px, py, pz: impulse so far; x, y: slip, exactly 0 once it has stopped; w: normal velocity. totals: work and
    impulses so far. slip_stopped is 1 after the slip has stopped, jammed is 1 after u_z has fallen. steps: number of
    steps.
    """

    px: Scalar
    py: Scalar
    pz: Scalar
    x: Scalar
    y: Scalar
    w: Scalar
    totals: CollisionTotals
    phase: Scalar
    slip_stopped: Scalar
    jammed: Scalar
    steps: Scalar

    @staticmethod
    def starting(x: Scalar, y: Scalar, w: Scalar, phase: Scalar) -> "CollisionState":
        """Return the state before a collision, from slip and normal velocity."""
        zero = 0.0 * w
        return CollisionState(
            zero, zero, zero, x, y, w, CollisionTotals(zero, zero, zero, zero), phase, zero, zero, zero
        )


@dataclass(frozen=True, slots=True)
class CollisionStep:
    """A step of a collision: its impulse, the slip and normal velocity at its end, its work, and why it ended.

    slip_stopped, sign_changed (of the normal velocity), finished (restitution), unsolvable: 1 for the reason, else 0.
    """

    px: Scalar
    py: Scalar
    pz: Scalar
    x: Scalar
    y: Scalar
    w: Scalar
    work: Scalar
    slip_stopped: Scalar
    sign_changed: Scalar
    finished: Scalar
    unsolvable: Scalar


@dataclass(frozen=True, slots=True)
class CollisionLaw:
    """The law of a collision: its matrix, friction of a sticking contact, restitution, and initial normal velocity."""

    matrix: CollisionMatrix
    after_stop: AfterStop
    hypothesis: Hypothesis
    e: Scalar
    before: Scalar

    def remaining(self, totals: CollisionTotals, w: Scalar) -> Scalar:
        """Return the remainder of the restitution, 0 at its end; see hypothesis.py."""
        return self.hypothesis.remaining(totals, self.e, self.before, w)

    def next_state(self, state: CollisionState) -> CollisionState:
        """Return the state after one more step."""
        matrix, r = self.matrix, sqrt(state.x * state.x + state.y * state.y)
        safe_r = where(r > 0.0, r, 1.0)
        tx, ty = state.x / safe_r, state.y / safe_r
        stopped = state.slip_stopped > 0.5
        dx, dy = (
            where(stopped, self.after_stop.x, -matrix.mu * tx),
            where(stopped, self.after_stop.y, -matrix.mu * ty),
        )
        fx, fy = matrix.slip_rate(dx, dy)
        turn_tolerance, slip_tolerance = (
            count * EPSILON[working_precision()] for count in (TURN_ROUNDING, SLIP_ROUNDING)
        )
        f, g = tx * fx + ty * fy, tx * fy - ty * fx  # changes of the slip along and across its direction
        # if the slip slows and its direction converges, a turn matters only in proportion to the slip r
        converges = (f < 0.0) & (f + matrix.mu * matrix.across(tx, ty) > 0.0)
        turning = minimum(matrix.mu, 1.0) * abs(g) * where(converges, r, 1.0) > turn_tolerance * (1.0 + matrix.bound)
        curved = turning & (r > slip_tolerance) & logical_not(stopped)
        straight = self._straight(state, (dx, dy), where(stopped, 0.0, f), r)
        step = when(curved, self._curved, state, tx, ty, r, otherwise=straight)
        falls = (matrix.normal_rate(dx, dy) < -turn_tolerance * matrix.zz) & logical_not(stopped) & (r > slip_tolerance)
        return self._after_step(state, step, falls)

    def _straight(self, state: CollisionState, d: tuple[Scalar, Scalar], f: Scalar, r: Scalar) -> CollisionStep:
        """Return a step with an impulse of constant direction (d, 1), up to the first end named in CollisionStep.

        f: change of the slip speed per normal impulse; r: slip speed.
        """
        (dx, dy), w = d, state.w
        fx, fy = self.matrix.slip_rate(dx, dy)
        slip_stopped = state.slip_stopped > 0.5
        rise = where(slip_stopped, self.after_stop.rise, self.matrix.normal_rate(dx, dy))
        slows, compressing = f < 0.0, state.phase < 0.5
        impulse_to_stop = where(slows, r / where(slows, -f, 1.0), UNLIMITED)
        already_still = (r <= SLIP_ROUNDING * EPSILON[working_precision()]) & logical_not(slip_stopped)
        impulse_to_stop = where(already_still, 0.0, impulse_to_stop)
        crosses = (compressing & (rise > 0.0)) | (logical_not(compressing) & (rise < 0.0))
        impulse_to_sign_change = where(crosses, maximum(-w / where(crosses, rise, 1.0), 0.0), UNLIMITED)
        impulse_needed = self.hypothesis.impulse_needed(self.remaining(state.totals, w), w, rise)
        impulse_needed = where(compressing, UNLIMITED, maximum(impulse_needed, 0.0))
        p = minimum(minimum(impulse_to_stop, impulse_to_sign_change), impulse_needed)
        unsolvable = (p >= UNLIMITED) | (slip_stopped & (rise <= 0.0))
        p = where(unsolvable, 0.0, p)
        stopped = (impulse_to_stop <= p) & logical_not(unsolvable)
        finished = (impulse_needed <= p) & logical_not(stopped | unsolvable)
        sign_changed = (impulse_to_sign_change <= p) & logical_not(stopped | finished | unsolvable)
        no_slip = stopped | (self.after_stop.sticks + state.slip_stopped > 1.5)
        x, y = where(no_slip, 0.0, state.x + fx * p), where(no_slip, 0.0, state.y + fy * p)
        flags = [where(end, 1.0, 0.0) for end in (stopped, sign_changed, finished, unsolvable)]
        return CollisionStep(
            dx * p, dy * p, p, x, y, where(sign_changed, 0.0, w + rise * p), (w + 0.5 * rise * p) * p, *flags
        )

    def _curved(self, state: CollisionState, tx: Scalar, ty: Scalar, r: Scalar) -> CollisionStep:
        """Return a step of the series of a turning slip, or its part before the phase ends.

        tx, ty: direction of the slip; r: its speed.
        """
        series, w, compressing = sliding_series(self.matrix, tx, ty), state.w, state.phase < 0.5
        velocity = [w + r * series.V[0], *(r * term for term in series.V[1:])]
        impulse = [r * term for term in series.P]
        work = [r * (w * p + r * q) for p, q in zip(series.P, series.Q, strict=True)]
        # the excess is minus the remainder of restitution
        excess = self.hypothesis.measure([0.0, *velocity[1:]], impulse, work)
        excess = [excess[0] - self.remaining(state.totals, w), *excess[1:]]
        sign = where(compressing, 1.0, -1.0)
        signed_velocity = [sign * term for term in velocity]
        sign_changed = series_value(signed_velocity, series.length) >= 0.0
        end = when(sign_changed, crossing, signed_velocity, series.length, otherwise=series.length)
        finished = logical_not(compressing) & (series_value(excess, end) >= 0.0)
        end = when(finished, crossing, excess, end, otherwise=end)
        sign_changed = sign_changed & logical_not(finished)
        friction_scale = -self.matrix.mu * r
        flags = [0.0, where(sign_changed, 1.0, 0.0), where(finished, 1.0, 0.0), 0.0]
        return CollisionStep(
            friction_scale * series_value(series.A, end),
            friction_scale * series_value(series.B, end),
            series_value(impulse, end),
            r * series_value(series.X, end),
            r * series_value(series.Y, end),
            where(sign_changed, 0.0, series_value(velocity, end)),
            series_value(work, end),
            *flags,
        )

    def _after_step(self, state: CollisionState, step: CollisionStep, falls: Scalar) -> CollisionState:
        """Return the state after a step; falls: True where friction made the normal velocity fall (a jam)."""
        compressing = state.phase < 0.5
        totals = state.totals.after_step(compressing, step.work, step.pz)
        restitution_begins = compressing & (step.sign_changed > 0.5)
        finished = (step.finished > 0.5) | (restitution_begins & (self.remaining(totals, step.w) <= 0.0))
        phase = where(step.sign_changed > 0.5, 1.0 - state.phase, state.phase)
        end_phase = where(step.w >= -sqrt(EPSILON[working_precision()]), WEDGED, UNSOLVABLE)
        phase = where(finished, FINISHED, where(step.unsolvable > 0.5, end_phase, phase))
        return replace(
            state,
            px=state.px + step.px,
            py=state.py + step.py,
            pz=state.pz + step.pz,
            x=step.x,
            y=step.y,
            w=step.w,
            totals=totals,
            phase=phase,
            slip_stopped=maximum(state.slip_stopped, step.slip_stopped),
            jammed=where(falls, 1.0, state.jammed),
            steps=state.steps + 1.0,
        )
