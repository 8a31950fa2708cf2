"""Integration of a collision, step by step: sliding, sticking or sliding on, until restitution is finished.

A step ends where the slip stops, where the normal velocity changes its sign, or where restitution is finished. A phase
whose impulse keeps its direction is one step in closed form; one whose slip turns takes steps of sliding.py. Every
collision ends. u^T K^-1 u / 2, the energy that a collision can reach, is never negative, and changes by
u . d = u_z - mu |u_t| per normal impulse: while u_z < 0 it falls faster than u_z does, even where friction makes u_z
itself fall (a jam), so the slip stops, or u_z turns, after a finite impulse. After that du_z/dp_z >= 0, as K d points
upward in the same way. That is the text's endless case [Arnold 1997, section 2.4.3], which needs no remedy where the
slip is followed to its end.
"""

from dataclasses import dataclass, replace

from gambol.contact.impulse.friction import EPSILON, AfterStop, CollisionMatrix
from gambol.contact.impulse.hypothesis import UNLIMITED, Account, Hypothesis
from gambol.contact.impulse.sliding import crossing, series_value, sliding_series
from gambol.lanes import Scalar, logical_not, maximum, minimum, sqrt, when, where, working_precision

COMPRESSION, RESTITUTION, FINISHED, WEDGED, UNSOLVABLE = 0.0, 1.0, 2.0, 3.0, 4.0
"""Phases of a collision. Wedged: it stopped and cannot separate. Unsolvable: no impulse can end it, as of a contact
that cannot move."""

TURN_ROUNDING, SLIP_ROUNDING = 8.0, 32.0
"""Units of rounding of K and u up to which a change of the slip's direction, and the slip, count as none."""


@dataclass(frozen=True, slots=True)
class CollisionState:
    """State of a collision under way.

    px, py, pz: impulse so far; x, y: slip, exactly 0 once it has stopped; w: normal velocity. account: work and
    impulses so far. slip_stopped is 1 after the slip has stopped, jammed 1 where u_z has fallen. steps: their number.
    """

    px: Scalar
    py: Scalar
    pz: Scalar
    x: Scalar
    y: Scalar
    w: Scalar
    account: Account
    phase: Scalar
    slip_stopped: Scalar
    jammed: Scalar
    steps: Scalar

    @staticmethod
    def starting(x: Scalar, y: Scalar, w: Scalar, phase: Scalar) -> "CollisionState":
        """Return the state before a collision, from slip and normal velocity."""
        no = 0.0 * w
        return CollisionState(no, no, no, x, y, w, Account(no, no, no, no), phase, no, no, no)


@dataclass(frozen=True, slots=True)
class CollisionStep:
    """A step of a collision: its impulse, slip and normal velocity at its end, its work, and how it ended."""

    px: Scalar
    py: Scalar
    pz: Scalar
    x: Scalar
    y: Scalar
    w: Scalar
    work: Scalar
    stopped: Scalar
    turned: Scalar
    done: Scalar
    unsolvable: Scalar


@dataclass(frozen=True, slots=True)
class CollisionLaw:
    """The law of a collision: its matrix, friction after the slip has stopped, restitution, and the approach before."""

    matrix: CollisionMatrix
    after_stop: AfterStop
    hypothesis: Hypothesis
    e: Scalar
    before: Scalar

    def remaining(self, account: Account, w: Scalar) -> Scalar:
        """Return what restitution has left to do."""
        return self.hypothesis.remaining(account, self.e, self.before, w)

    def next_state(self, state: CollisionState) -> CollisionState:
        """Return the state after one more step."""
        matrix, r = self.matrix, sqrt(state.x * state.x + state.y * state.y)
        safe = where(r > 0.0, r, 1.0)
        tx, ty = state.x / safe, state.y / safe
        stopped = state.slip_stopped > 0.5
        dx, dy = (
            where(stopped, self.after_stop.x, -matrix.mu * tx),
            where(stopped, self.after_stop.y, -matrix.mu * ty),
        )
        fx, fy = matrix.slip_rate(dx, dy)
        slight, still = (count * EPSILON[working_precision()] for count in (TURN_ROUNDING, SLIP_ROUNDING))
        f, g = tx * fx + ty * fy, tx * fy - ty * fx
        settling = (f < 0.0) & (f + matrix.mu * matrix.across(tx, ty) > 0.0)
        turning = minimum(matrix.mu, 1.0) * abs(g) * where(settling, r, 1.0) > slight * (1.0 + matrix.bound)
        curved = turning & (r > still) & logical_not(stopped)
        straight = self._straight(state, (dx, dy), where(stopped, 0.0, f), r)
        step = when(curved, self._curved, state, tx, ty, r, otherwise=straight)
        falls = (matrix.normal_rate(dx, dy) < -slight * matrix.zz) & logical_not(stopped) & (r > still)
        return self._after_step(state, step, falls)

    def _straight(self, state: CollisionState, d: tuple[Scalar, Scalar], f: Scalar, r: Scalar) -> CollisionStep:
        """Return a step whose impulse keeps the direction (d, 1), up to its first end. f: rate of the slip's size."""
        (dx, dy), w = d, state.w
        fx, fy = self.matrix.slip_rate(dx, dy)
        at_rest = state.slip_stopped > 0.5
        h = where(at_rest, self.after_stop.rise, self.matrix.normal_rate(dx, dy))
        slows, compressing = f < 0.0, state.phase < 0.5
        stop = where(slows, r / where(slows, -f, 1.0), UNLIMITED)
        still = (r <= SLIP_ROUNDING * EPSILON[working_precision()]) & logical_not(at_rest)
        stop = where(still, 0.0, stop)
        crosses = (compressing & (h > 0.0)) | (logical_not(compressing) & (h < 0.0))
        turn = where(crosses, maximum(-w / where(crosses, h, 1.0), 0.0), UNLIMITED)
        impulse_needed = self.hypothesis.impulse_needed(self.remaining(state.account, w), w, h)
        impulse_needed = where(compressing, UNLIMITED, maximum(impulse_needed, 0.0))
        p = minimum(minimum(stop, turn), impulse_needed)
        never = (p >= UNLIMITED) | (at_rest & (h <= 0.0))
        p = where(never, 0.0, p)
        stopped = (stop <= p) & logical_not(never)
        done = (impulse_needed <= p) & logical_not(stopped | never)
        turned = (turn <= p) & logical_not(stopped | done | never)
        gone = stopped | (self.after_stop.sticks + state.slip_stopped > 1.5)
        x, y = where(gone, 0.0, state.x + fx * p), where(gone, 0.0, state.y + fy * p)
        ends = [where(end, 1.0, 0.0) for end in (stopped, turned, done, never)]
        return CollisionStep(dx * p, dy * p, p, x, y, where(turned, 0.0, w + h * p), (w + 0.5 * h * p) * p, *ends)

    def _curved(self, state: CollisionState, tx: Scalar, ty: Scalar, r: Scalar) -> CollisionStep:
        """Return a step of the series of a turning slip, or the part of it before the phase ends."""
        s, w, compressing = sliding_series(self.matrix, tx, ty), state.w, state.phase < 0.5
        velocity = [w + r * s.V[0], *(r * term for term in s.V[1:])]
        impulse = [r * term for term in s.P]
        work = [r * (w * p + r * q) for p, q in zip(s.P, s.Q, strict=True)]
        goal = self.hypothesis.measure([0.0, *velocity[1:]], impulse, work)
        goal = [goal[0] - self.remaining(state.account, w), *goal[1:]]
        sign = where(compressing, 1.0, -1.0)
        across = [sign * term for term in velocity]
        turned = series_value(across, s.length) >= 0.0
        end = when(turned, crossing, across, s.length, otherwise=s.length)
        done = logical_not(compressing) & (series_value(goal, end) >= 0.0)
        end = when(done, crossing, goal, end, otherwise=end)
        turned = turned & logical_not(done)
        along = -self.matrix.mu * r
        ends = [0.0, where(turned, 1.0, 0.0), where(done, 1.0, 0.0), 0.0]
        return CollisionStep(
            along * series_value(s.A, end),
            along * series_value(s.B, end),
            series_value(impulse, end),
            r * series_value(s.X, end),
            r * series_value(s.Y, end),
            where(turned, 0.0, series_value(velocity, end)),
            series_value(work, end),
            *ends,
        )

    def _after_step(self, state: CollisionState, step: CollisionStep, falls: Scalar) -> CollisionState:
        """Return the state after a step."""
        compressing = state.phase < 0.5
        account = state.account.with_part(compressing, step.work, step.pz)
        restitution_begins = compressing & (step.turned > 0.5)
        done = (step.done > 0.5) | (restitution_begins & (self.remaining(account, step.w) <= 0.0))
        phase = where(step.turned > 0.5, 1.0 - state.phase, state.phase)
        end = where(step.w >= -sqrt(EPSILON[working_precision()]), WEDGED, UNSOLVABLE)
        phase = where(done, FINISHED, where(step.unsolvable > 0.5, end, phase))
        return replace(
            state,
            px=state.px + step.px,
            py=state.py + step.py,
            pz=state.pz + step.pz,
            x=step.x,
            y=step.y,
            w=step.w,
            account=account,
            phase=phase,
            slip_stopped=maximum(state.slip_stopped, step.stopped),
            jammed=where(falls, 1.0, state.jammed),
            steps=state.steps + 1.0,
        )
