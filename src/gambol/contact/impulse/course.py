"""The course of a collision, part by part: sliding, sticking or sliding on, until what is left to do is done.

A part ends where the slip stops, where the normal velocity changes its sign, or where restitution is over. A part whose
impulse keeps its direction is one step in closed form; one whose slip turns takes steps of sliding.py. No course is
endless. u^T K^-1 u / 2, the energy that a collision can reach, is never negative, and changes by u . d = u_z - mu |u_t|
per normal impulse: while u_z < 0 it falls faster than u_z does, even where friction makes u_z itself fall (a jam), so
the slip stops, or u_z turns, after a finite impulse. The rest that follows has du_z/dp_z >= 0, as K d is upward in the
same way. That is the text's endless case [Arnold 1997, section 2.4.3], which needs no remedy where the slip is followed
to its end.
"""

from dataclasses import dataclass, replace

from gambol.contact.impulse.friction import EPSILON, Flow, Rest
from gambol.contact.impulse.hypothesis import NEVER, Account, Hypothesis
from gambol.contact.impulse.sliding import crossing, stretch, value
from gambol.lanes import Scalar, maximum, minimum, negated, sqrt, when, where, working_precision

COMPRESSION, RESTITUTION, OVER, WEDGED, HELPLESS = 0.0, 1.0, 2.0, 3.0, 4.0
"""Phases of a collision. Wedged: it stopped and cannot come apart. Helpless: no impulse can end it, as of a contact
that cannot give way."""

SLIGHT, STILL = 8.0, 32.0
"""Roundings of K and u up to which the slip's turning, and the slip, may be nothing else, as where it has one line."""


@dataclass(frozen=True, slots=True)
class Course:
    """How far a collision has come.

    px, py, pz: impulse so far; x, y: slip, exactly 0 once it has stopped; w: normal velocity. resting is 1 after the
    slip has stopped, jammed 1 where u_z has fallen. parts: how many there have been.
    """

    px: Scalar
    py: Scalar
    pz: Scalar
    x: Scalar
    y: Scalar
    w: Scalar
    account: Account
    phase: Scalar
    resting: Scalar
    jammed: Scalar
    parts: Scalar

    @staticmethod
    def starting(x: Scalar, y: Scalar, w: Scalar, phase: Scalar) -> "Course":
        """A course that has not begun, from slip and normal velocity."""
        no = 0.0 * w
        return Course(no, no, no, x, y, w, Account(no, no, no, no), phase, no, no, no)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a collision: its impulse, the slip and the normal velocity at its end, its work, and how it ended."""

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
    helpless: Scalar


@dataclass(frozen=True, slots=True)
class Law:
    """What decides a course: the flow, what follows the slip's stop, restitution, and the approach before."""

    flow: Flow
    rest: Rest
    hypothesis: Hypothesis
    e: Scalar
    before: Scalar

    def left(self, account: Account, w: Scalar) -> Scalar:
        """What restitution has left to do."""
        return self.hypothesis.left(account, self.e, self.before, w)

    def advanced(self, course: Course) -> Course:
        """The course after one more part."""
        flow, r = self.flow, sqrt(course.x * course.x + course.y * course.y)
        safe = where(r > 0.0, r, 1.0)
        tx, ty = course.x / safe, course.y / safe
        resting = course.resting > 0.5
        dx, dy = where(resting, self.rest.x, -flow.mu * tx), where(resting, self.rest.y, -flow.mu * ty)
        fx, fy = flow.slip_rate(dx, dy)
        slight, still = (count * EPSILON[working_precision()] for count in (SLIGHT, STILL))
        f, g = tx * fx + ty * fy, tx * fy - ty * fx
        settling = (f < 0.0) & (f + flow.mu * flow.across(tx, ty) > 0.0)
        turning = minimum(flow.mu, 1.0) * abs(g) * where(settling, r, 1.0) > slight * (1.0 + flow.bound)
        curved = turning & (r > still) & negated(resting)
        straight = self._straight(course, (dx, dy), where(resting, 0.0, f), r)
        part = when(curved, self._curved, course, tx, ty, r, otherwise=straight)
        falls = (flow.normal_rate(dx, dy) < -slight * flow.zz) & negated(resting) & (r > still)
        return self._booked(course, part, falls)

    def _straight(self, course: Course, d: tuple[Scalar, Scalar], f: Scalar, r: Scalar) -> Part:
        """A part whose impulse keeps the direction (d, 1), to the first of its possible ends. f: of the slip's size."""
        (dx, dy), w = d, course.w
        fx, fy = self.flow.slip_rate(dx, dy)
        resting = course.resting > 0.5
        h = where(resting, self.rest.rise, self.flow.normal_rate(dx, dy))
        slows, compressing = f < 0.0, course.phase < 0.5
        stop = where(slows, r / where(slows, -f, 1.0), NEVER)
        still = (r <= STILL * EPSILON[working_precision()]) & negated(resting)
        stop = where(still, 0.0, stop)
        crosses = (compressing & (h > 0.0)) | (negated(compressing) & (h < 0.0))
        turn = where(crosses, maximum(-w / where(crosses, h, 1.0), 0.0), NEVER)
        reach = self.hypothesis.reach(self.left(course.account, w), w, h)
        reach = where(compressing, NEVER, maximum(reach, 0.0))
        p = minimum(minimum(stop, turn), reach)
        never = (p >= NEVER) | (resting & (h <= 0.0))
        p = where(never, 0.0, p)
        stopped = (stop <= p) & negated(never)
        done = (reach <= p) & negated(stopped | never)
        turned = (turn <= p) & negated(stopped | done | never)
        gone = stopped | (self.rest.sticks + course.resting > 1.5)
        x, y = where(gone, 0.0, course.x + fx * p), where(gone, 0.0, course.y + fy * p)
        ends = [where(end, 1.0, 0.0) for end in (stopped, turned, done, never)]
        return Part(dx * p, dy * p, p, x, y, where(turned, 0.0, w + h * p), (w + 0.5 * h * p) * p, *ends)

    def _curved(self, course: Course, tx: Scalar, ty: Scalar, r: Scalar) -> Part:
        """A part whose slip turns: a step of its series, or as much of it as there is before the part ends."""
        s, w, compressing = stretch(self.flow, tx, ty), course.w, course.phase < 0.5
        velocity = [w + r * s.V[0], *(r * term for term in s.V[1:])]
        impulse = [r * term for term in s.P]
        work = [r * (w * p + r * q) for p, q in zip(s.P, s.Q, strict=True)]
        goal = self.hypothesis.measure([0.0, *velocity[1:]], impulse, work)
        goal = [goal[0] - self.left(course.account, w), *goal[1:]]
        sign = where(compressing, 1.0, -1.0)
        across = [sign * term for term in velocity]
        turned = value(across, s.length) >= 0.0
        end = when(turned, crossing, across, s.length, otherwise=s.length)
        done = negated(compressing) & (value(goal, end) >= 0.0)
        end = when(done, crossing, goal, end, otherwise=end)
        turned = turned & negated(done)
        along = -self.flow.mu * r
        ends = [0.0, where(turned, 1.0, 0.0), where(done, 1.0, 0.0), 0.0]
        return Part(
            along * value(s.A, end),
            along * value(s.B, end),
            value(impulse, end),
            r * value(s.X, end),
            r * value(s.Y, end),
            where(turned, 0.0, value(velocity, end)),
            value(work, end),
            *ends,
        )

    def _booked(self, course: Course, part: Part, falls: Scalar) -> Course:
        """The course with a part added to it."""
        compressing = course.phase < 0.5
        account = course.account.with_part(compressing, part.work, part.pz)
        begun = compressing & (part.turned > 0.5)
        done = (part.done > 0.5) | (begun & (self.left(account, part.w) <= 0.0))
        phase = where(part.turned > 0.5, 1.0 - course.phase, course.phase)
        end = where(part.w >= -sqrt(EPSILON[working_precision()]), WEDGED, HELPLESS)
        phase = where(done, OVER, where(part.helpless > 0.5, end, phase))
        return replace(
            course,
            px=course.px + part.px,
            py=course.py + part.py,
            pz=course.pz + part.pz,
            x=part.x,
            y=part.y,
            w=part.w,
            account=account,
            phase=phase,
            resting=maximum(course.resting, part.stopped),
            jammed=where(falls, 1.0, course.jammed),
            parts=course.parts + 1.0,
        )
