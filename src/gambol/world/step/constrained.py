"""Steps that an integrator takes while contacts hold: advance, detect, cut back, resolve impacts, go on.

    1  forces that hold the closed contacts of the step, from what accelerations must be
    2  the integrator moves the figure under them and all others
    3  a contact that was open lies in something now: the step is cut back to when it closed, and taken anew
    4  closed contacts that approach collide; bodies that have drifted into each other are moved apart

[Baraff 1989; Patil 2007, SimulationStep; Kokkevis 2004]
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.complementarity.holding import Kept, bouncing, struck
from gambol.contact.stepping import moved
from gambol.dynamics import kinematics, potential_energy
from gambol.dynamics.tangent import normalised
from gambol.integrate import HOPELESS, Moving, judged
from gambol.lanes import Scalar, Subprogram, is_finite, loop, mapped, maximum, minimum, when, where
from gambol.world.laws import CRUMB, Laws, Ledger, Memory
from gambol.world.step.attempt import Attempt, Parts, attempted
from gambol.world.step.integrated import clock_after, judged_clock
from gambol.world.step.living import Living, advanced, chosen

MOST_CUTS = 8
"""Cuts of one step: contacts that close one before the other take one each."""

SHORTEST = 1e-3
"""Part of a step that is left of it at least, so that time goes on however often contacts close."""


def constraining(laws: Laws) -> Callable[[Living, Memory, Scalar], Living]:
    """What takes the steps of a world whose contacts are held."""
    parts = Parts.of(laws)
    attempt, mend = Subprogram(partial(attempted, parts)), Subprogram(partial(_mended, parts))

    def move(now: Living, decided: Memory, h: Scalar) -> Living:
        given = replace(now, memory=decided)
        return _after(parts, now, decided, _until_nothing_pierces(attempt, given, h), mend)

    return move


def _until_nothing_pierces(attempt: Subprogram, now: Living, h: Scalar) -> Attempt:
    """The step of h [s], or as much of it as there is until a contact closes; what was cut too short goes on to it."""

    def judged_cut(made: Attempt, tried: Scalar, cuts: Scalar) -> Attempt:
        closes = made.end.time
        short = (cuts > 0.5) & (closes > tried) & (closes < minimum(tried + SHORTEST * h, h))
        cut = where(short, closes, minimum(maximum(closes, SHORTEST * h), tried))
        again = where((abs(cut - tried) > 0.0) & (cuts < MOST_CUTS - 0.5), 1.0, 0.0)
        return replace(made, h=where(again > 0.5, cut, tried), again=again, cuts=cuts + again)

    def once(before: Attempt) -> Attempt:
        return judged_cut(attempt(now, before.h), before.h, before.cuts)

    return loop(lambda tried: tried.again > 0.5, once, judged_cut(attempt(now, h), h, 0.0))


@dataclass(frozen=True, slots=True)
class _Mended:
    """A figure after impacts and with nothing deep in anything; what impacts did, and the work of moving apart [J]."""

    q: list[Scalar]
    v: list[Scalar]
    kept: Kept
    works: tuple[Scalar, Scalar]
    lifted: Scalar


def _mended(parts: Parts, at: Moving, a: list[Scalar], rests: list[Scalar], h: Scalar, memory: Memory) -> _Mended:
    """What impacts do at the end of a step, and what moves bodies apart.

    a: accelerations without contact (nv). rests: for each gap 1 where the step held it, else 0.
    """
    q, v = at.q, at.v
    laws, figure, scene = parts.laws, parts.laws.world.figure, parts.look(q, v, h, memory).scene
    kept = struck(scene, v, bouncing(scene, v, a, h, rests), parts.near, rests, parts.solve)
    new = normalised(figure, moved(figure, q, scene.apart(parts.near.slack)))
    low, high = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, new))
    gravity = laws.numbers["gravity"]
    lifted = potential_energy(high, gravity) - potential_energy(low, gravity)
    after = [x + y for x, y in zip(v, kept.change, strict=True)]
    return _Mended(new, after, kept, scene.works(kept.p, v, after), lifted)


def _after(parts: Parts, now: Living, decided: Memory, tried: Attempt, mend: Subprogram) -> Living:
    """The state after a step that was good enough, and the old one with a shorter step after another."""
    world, clock = parts.laws.world, now.clock
    at, near = tried.moving, parts.near
    still = _Mended(at.q, at.v, mapped(lambda _: 0.0, tried.kept), (0.0, 0.0), 0.0)
    troubled = (tried.end.approach > near.speed) | (tried.end.deepest > 2.0 * near.slack)
    nominal = minimum(clock.step, world.timing.frame)
    made: _Mended = when(troubled, mend, at, tried.a, tried.kept.rests, nominal, decided, otherwise=still)
    finite = is_finite(sum((*made.q, *made.v, *at.w), 0.0))
    verdict = judged(where(finite, tried.ratio, HOPELESS), tried.h, world.timing.integrator.order)
    keep = (verdict.keep & finite) if world.timing.integrator.adaptive else finite
    done = clock.elapsed + tried.h >= world.timing.frame * (1.0 - CRUMB)
    memory = replace(decided, pressed=tried.pressed)
    memory = advanced(world, memory, done)
    after = clock_after(world, clock, tried.h, verdict.next_step, done)
    living = Living(made.q, made.v, memory, _booked(Ledger(*at.w), tried, made), at.memory, after)
    result = chosen(keep, living, now)
    result = replace(result, clock=judged_clock(parts.laws, result.clock, clock, keep, finite, verdict.next_step))
    return replace(result, clock=replace(result.clock, rejected=result.clock.rejected + tried.cuts))


def _booked(ledger: Ledger, tried: Attempt, made: _Mended) -> Ledger:
    """The ledger after a step, with what held, what collided and what was moved apart."""
    normal, sliding = (x + y for x, y in zip(tried.works, made.works, strict=True))
    return replace(
        ledger,
        impact=ledger.impact - normal,
        sliding=ledger.sliding - sliding,
        stabilisation=ledger.stabilisation + made.lifted,
    )
