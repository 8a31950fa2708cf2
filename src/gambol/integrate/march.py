"""From one time to another by as many steps as it takes, in every lane its own, or until something happens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from gambol.integrate.adaptive import HOPELESS, dealt, error_ratio, judged
from gambol.integrate.events import crossed, root_between
from gambol.integrate.solve import warn_of_missed
from gambol.integrate.system import Moving, Stepped, System
from gambol.integrate.table import Integrator
from gambol.lanes import Scalar, is_finite, leaves, loop, maximum, rebuilt, when, where

Event: TypeAlias = Callable[[Scalar, Moving], Scalar]


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast to go.

    step: the first, or only, one [s]; allowed: the largest error of each move and velocity (2 nv); smallest: below it
    [s] a step that is not good enough ends the march. precision: of the time of an event [s].
    """

    step: Scalar
    allowed: Sequence[Scalar] = ()
    smallest: float = 1e-12
    precision: float = 1e-9


@dataclass(frozen=True, slots=True)
class March:
    """A march: time [s], state, the step to try next [s], steps taken and thrown away, and what ended it.

    ended: 0 while under way, 1 at the end or the event, 2 where steps became too small or led to no number.
    missed: the most by which an implicit step that was kept misses its equations, see Stepped.
    """

    t: Scalar
    now: Moving
    h: Scalar
    taken: Scalar
    rejected: Scalar
    ended: Scalar
    missed: Scalar = 0.0


def marched(
    method: Integrator, system: System, now: Moving, span: tuple[Scalar, Scalar], pace: Pace, event: Event | None = None
) -> March:
    """The state at the end of a span of time [s], or where event(t, state) first changes its sign.

    Without `allowed`, or by a method that does not know its error, all steps have one length, or fit the span by being
    a little shorter. A function that begins at 0, as where the last march ended, is no event before it has left 0.
    An implicit step that does not converge is taken again, shorter, by a method that knows its error; by others it is
    kept as it is, and told by a ConvergenceWarning where the march runs on plain numbers or arrays.
    """
    begin, end = span
    weights = [1.0 / error for error in pace.allowed] if method.adaptive else []

    def tried(at: March) -> March:
        h = dealt(end - at.t, at.h)
        stepped = method.step(system, at.t, at.now, h)
        finite = is_finite(sum(leaves(stepped.new), 0.0))
        keep, following, lost = finite, at.h, 2.0
        if weights:
            sound = finite & (stepped.missed + 0.0 * h <= 0.0)
            verdict = judged(where(sound, error_ratio(stepped.error, weights), HOPELESS), h, method.order)
            keep, following = verdict.keep & sound, verdict.next_step
            lost = where(following > pace.smallest, 0.0, 2.0)
        done = at.t + h >= end - 1e-6 * h
        t, ended, missed = where(done, end, at.t + h), where(done, 1.0, 0.0), maximum(at.missed, stepped.missed)
        there = March(t, stepped.new, at.h, at.taken + 1.0, at.rejected, ended, missed)
        if event is not None:
            there = _stopped(method, system, (at, there), stepped, (event, pace.precision))
        here = replace(at, rejected=at.rejected + 1.0, ended=lost)
        return replace(either(keep, there, here), h=following)

    memory = method.memory(len(now.v), len(now.w))
    start = March(begin, replace(now, memory=memory), pace.step, 0.0, 0.0, where(begin < end, 0.0, 1.0))
    found = loop(lambda at: at.ended < 0.5, tried, start)
    warn_of_missed(method.name, found.missed)
    return found


def _stopped(
    method: Integrator, system: System, ends: tuple[March, March], stepped: Stepped, what: tuple[Event, float]
) -> March:
    """The end of a step, or what happened within it: looked for in the lanes that it came to only."""
    (begin, end), (event, precision) = ends, what
    h = end.t - begin.t
    hit = crossed(event(begin.t, begin.now), event(end.t, end.now))

    def looked_for() -> tuple[Scalar, Moving]:
        curve = method.curve(system, begin.t, begin.now, h, stepped)
        s = root_between(lambda s: event(begin.t + s * h, curve.at(s)), (0.0, 1.0), precision / h)
        return begin.t + s * h, replace(curve.at(s), memory=method.memory(len(end.now.v), len(end.now.w)))

    t, now = when(hit, looked_for)
    return either(hit, replace(end, t=t, now=now, ended=1.0), end)


def either(condition: Scalar, yes: March, no: March) -> March:
    """One march where a condition holds, the other elsewhere."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return rebuilt(no, iter([where(condition, a, b) for a, b in pairs]))
