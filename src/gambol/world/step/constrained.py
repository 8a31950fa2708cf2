"""Steps of an integrator with contact forces: advance, detect contacts, shorten the step, resolve impacts.

    1  contact forces of the closed contacts of the step, from conditions on accelerations
    2  the integrator moves the figure under them and all others
    3  where an open contact has penetrated, the step is repeated with the length at which it closes
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
from gambol.world.step.integrated import accepted_clock, clock_after
from gambol.world.step.step_state import StepState, select, with_control_advanced

MAX_SHORTENINGS = 8
"""Largest number of times that a step is shortened; contacts that close at different times need one each."""

MIN_SHARE = 1e-3
"""Smallest share to which a step is shortened, so that time advances however often contacts close."""


def constrained_step(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the step function of a world with contact forces."""
    programs = StepPrograms.of(context)
    attempt, correct = Subprogram(partial(attempt_step, programs)), Subprogram(partial(_corrected, programs))

    def take_step(now: StepState, decided: Memory, h: Scalar) -> StepState:
        start = replace(now, memory=decided)
        return _next_state(programs, now, decided, _cut_to_contact(attempt, start, h), correct)

    return take_step


def _cut_to_contact(attempt: Subprogram, now: StepState, h: Scalar) -> Attempt:
    """Return the step of h [s], shortened to the time at which a contact closes, or lengthened to it again."""

    def with_next_length(trial: Attempt, tried: Scalar, shortenings: Scalar) -> Attempt:
        closes = trial.end.time
        too_short = (shortenings > 0.5) & (closes > tried) & (closes < minimum(tried + MIN_SHARE * h, h))
        cut = where(too_short, closes, minimum(maximum(closes, MIN_SHARE * h), tried))
        again = where((abs(cut - tried) > 0.0) & (shortenings < MAX_SHORTENINGS - 0.5), 1.0, 0.0)
        return replace(trial, h=where(again > 0.5, cut, tried), again=again, shortenings=shortenings + again)

    def repeat_step(before: Attempt) -> Attempt:
        return with_next_length(attempt(now, before.h), before.h, before.shortenings)

    return loop(lambda tried: tried.again > 0.5, repeat_step, with_next_length(attempt(now, h), h, 0.0))


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

    a: accelerations without contact (nv). rests: for each gap 1 where the contact rested in the step, else 0.
    """
    q, v = at.q, at.v
    context, figure, scene = programs.context, programs.context.world.figure, programs.contacts(q, v, h, memory).scene
    contact_impulses = impact_impulses(
        scene, v, active_restitution(scene, v, a, h, rests), programs.near, rests, programs.solve
    )
    new = normalised(figure, displaced(figure, q, scene.depth_correction(programs.near.slack)))
    before, corrected = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, new))
    gravity = context.numbers["gravity"]
    correction_work = potential_energy(corrected, gravity) - potential_energy(before, gravity)
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
    decision = step_decision(where(finite, tried.ratio, NOT_FINITE_RATIO), tried.h, world.timing.integrator.order)
    accepted = (decision.accept & finite) if world.timing.integrator.adaptive else finite
    done = clock.elapsed + tried.h >= world.timing.control_step * (1.0 - TIME_EPS)
    memory = replace(decided, contact_cache=tried.contact_cache)
    memory = with_control_advanced(world, memory, done)
    after = clock_after(world, clock, tried.h, decision.next_step, done)
    step_state = StepState(
        corrected.q, corrected.v, memory, _ledger_after(Ledger(*at.w), tried, corrected), at.integrator_state, after
    )
    result = select(accepted, step_state, now)
    result = replace(
        result, clock=accepted_clock(programs.context, result.clock, clock, accepted, finite, decision.next_step)
    )
    return replace(result, clock=replace(result.clock, rejected=result.clock.rejected + tried.shortenings))


def _ledger_after(ledger: Ledger, tried: Attempt, corrected: _Corrected) -> Ledger:
    """Return the ledger after a step, with contact forces, collisions and position correction."""
    normal, sliding = (x + y for x, y in zip(tried.work, corrected.work, strict=True))
    return replace(
        ledger,
        impact=ledger.impact - normal,
        sliding=ledger.sliding - sliding,
        stabilisation=ledger.stabilisation + corrected.correction_work,
    )
