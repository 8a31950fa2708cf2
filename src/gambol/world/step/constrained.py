"""Steps of an integrator with contact forces: advance, detect, cut back, resolve impacts, go on.

    1  contact forces of the closed contacts of the step, from conditions on accelerations
    2  the integrator moves the figure under them and all others
    3  where an open contact has penetrated, the step is cut back to when it closed, and taken anew
    4  closed contacts that approach collide; penetrations from drift are corrected

[Baraff 1989; Patil 2007, SimulationStep; Kokkevis 2004]
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.complementarity.contact_system import ContactImpulses, active_restitution, impact_impulses
from gambol.contact.stepping import displaced
from gambol.dynamics import kinematics, potential_energy
from gambol.dynamics.tangent import normalised
from gambol.integrate import NOT_FINITE_RATIO, MotionState, step_decision
from gambol.lanes import Scalar, Subprogram, is_finite, loop, maximum, minimum, tree_map, when, where
from gambol.world.context import TIME_EPS, Ledger, Memory, StepContext
from gambol.world.step.attempt import Attempt, StepPrograms, attempt_step
from gambol.world.step.integrated import clock_after, judged_clock
from gambol.world.step.step_state import StepState, select, with_control_advanced

MOST_CUTS = 8
"""Cuts of one step: contacts that close one before the other take one each."""

SHORTEST = 1e-3
"""Smallest part of a step that is left of it, so that time goes on however often contacts close."""


def constrained_step(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the step function of a world with contact forces."""
    programs = StepPrograms.of(context)
    attempt, correct = Subprogram(partial(attempt_step, programs)), Subprogram(partial(_corrected, programs))

    def take_step(now: StepState, decided: Memory, h: Scalar) -> StepState:
        start = replace(now, memory=decided)
        return _next_state(programs, now, decided, _cut_to_contact(attempt, start, h), correct)

    return take_step


def _cut_to_contact(attempt: Subprogram, now: StepState, h: Scalar) -> Attempt:
    """Return the step of h [s], or its part until a contact closes; a step that was cut too short is extended to it."""

    def judged_cut(trial: Attempt, tried: Scalar, cuts: Scalar) -> Attempt:
        closes = trial.end.time
        short = (cuts > 0.5) & (closes > tried) & (closes < minimum(tried + SHORTEST * h, h))
        cut = where(short, closes, minimum(maximum(closes, SHORTEST * h), tried))
        again = where((abs(cut - tried) > 0.0) & (cuts < MOST_CUTS - 0.5), 1.0, 0.0)
        return replace(trial, h=where(again > 0.5, cut, tried), again=again, cuts=cuts + again)

    def once(before: Attempt) -> Attempt:
        return judged_cut(attempt(now, before.h), before.h, before.cuts)

    return loop(lambda tried: tried.again > 0.5, once, judged_cut(attempt(now, h), h, 0.0))


@dataclass(frozen=True, slots=True)
class _Corrected:
    """A figure after impacts and position correction; impulses of impacts, and the work of the correction [J]."""

    q: list[Scalar]
    v: list[Scalar]
    contact_impulses: ContactImpulses
    work: tuple[Scalar, Scalar]
    correction_work: Scalar


def _corrected(
    programs: StepPrograms, at: MotionState, a: list[Scalar], rests: list[Scalar], h: Scalar, memory: Memory
) -> _Corrected:
    """Return the result of impacts at the end of a step, and of position correction.

    a: accelerations without contact (nv). rests: for each gap 1 where the step held it, else 0.
    """
    q, v = at.q, at.v
    context, figure, scene = programs.context, programs.context.world.figure, programs.contacts(q, v, h, memory).scene
    contact_impulses = impact_impulses(
        scene, v, active_restitution(scene, v, a, h, rests), programs.near, rests, programs.solve
    )
    new = normalised(figure, displaced(figure, q, scene.depth_correction(programs.near.slack)))
    low, high = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, new))
    gravity = context.numbers["gravity"]
    correction_work = potential_energy(high, gravity) - potential_energy(low, gravity)
    after = [x + y for x, y in zip(v, contact_impulses.velocity_change, strict=True)]
    return _Corrected(new, after, contact_impulses, scene.work(contact_impulses.p, v, after), correction_work)


def _next_state(
    programs: StepPrograms, now: StepState, decided: Memory, tried: Attempt, correct: Subprogram
) -> StepState:
    """Return the state after an accepted step, else the old one with a shorter step to try."""
    world, clock = programs.context.world, now.clock
    at, near = tried.motion, programs.near
    uncorrected = _Corrected(at.q, at.v, tree_map(lambda _: 0.0, tried.contact_impulses), (0.0, 0.0), 0.0)
    needs_correction = (tried.end.approach > near.speed) | (tried.end.deepest > 2.0 * near.slack)
    nominal = minimum(clock.step, world.timing.control_step)
    corrected: _Corrected = when(
        needs_correction, correct, at, tried.a, tried.contact_impulses.closed, nominal, decided, otherwise=uncorrected
    )
    finite = is_finite(sum((*corrected.q, *corrected.v, *at.w), 0.0))
    verdict = step_decision(where(finite, tried.ratio, NOT_FINITE_RATIO), tried.h, world.timing.integrator.order)
    keep = (verdict.accept & finite) if world.timing.integrator.adaptive else finite
    done = clock.elapsed + tried.h >= world.timing.control_step * (1.0 - TIME_EPS)
    memory = replace(decided, contact_cache=tried.contact_cache)
    memory = with_control_advanced(world, memory, done)
    after = clock_after(world, clock, tried.h, verdict.next_step, done)
    step_state = StepState(
        corrected.q, corrected.v, memory, _ledger_after(Ledger(*at.w), tried, corrected), at.integrator_state, after
    )
    result = select(keep, step_state, now)
    result = replace(result, clock=judged_clock(programs.context, result.clock, clock, keep, finite, verdict.next_step))
    return replace(result, clock=replace(result.clock, rejected=result.clock.rejected + tried.cuts))


def _ledger_after(ledger: Ledger, tried: Attempt, corrected: _Corrected) -> Ledger:
    """Return the ledger after a step, with contact forces, collisions and position correction."""
    normal, sliding = (x + y for x, y in zip(tried.work, corrected.work, strict=True))
    return replace(
        ledger,
        impact=ledger.impact - normal,
        sliding=ledger.sliding - sliding,
        stabilisation=ledger.stabilisation + corrected.correction_work,
    )
