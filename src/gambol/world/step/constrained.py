"""Steps of an integrator with contact forces: advance, detect contacts, shorten the step, resolve impacts.

    1  the forces of closed contacts are computed from conditions on accelerations
    2  the integrator moves the figure under these and all other forces
    3  if an open contact has penetrated, the step is repeated with the length at which the contact closes
    4  closed contacts that approach collide; penetrations from drift are corrected

[Baraff 1989; Patil 2007, SimulationStep; Kokkevis 2004]
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.complementarity.contact_system import ContactImpulses, active_restitution, impact_impulses
from gambol.dynamics import kinematics, potential_energy
from gambol.dynamics.tangent import displaced, normalised
from gambol.integrate import NOT_FINITE_RATIO, MotionState, step_decision
from gambol.lanes import Scalar, Subprogram, is_finite, leaves, loop, maximum, minimum, tree_map, when, where
from gambol.world.context import Ledger, Memory, StepContext, StepState, select, with_control_advanced
from gambol.world.forces import after_breaks
from gambol.world.step.attempt import Attempt, StepPrograms, attempt_step
from gambol.world.step.integrated import clock_after_attempt, clock_after_step

MAX_SHORTENINGS = 8
"""Maximum number of shortenings of a step: one for each contact that closes at a different time."""

MIN_STEP_FRACTION = 1e-3
"""Minimum fraction to which a step is shortened, so that time advances for any number of closing contacts."""


def constrained_step(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the step function of a world with contact forces from conditions on accelerations."""
    programs = StepPrograms.of(context)
    try_step, correct = Subprogram(partial(attempt_step, programs)), Subprogram(partial(_corrected_motion, programs))

    def take_step(now: StepState, decided_memory: Memory, h: Scalar) -> StepState:
        start = replace(now, memory=decided_memory)
        return _next_state(programs, now, decided_memory, _shorten_to_contact(try_step, start, h), correct)

    return take_step


def _shorten_to_contact(try_step: Subprogram, now: StepState, h: Scalar) -> Attempt:
    """Return the step of h [s]; if a contact closes in it, shortened to end at that time.

    A step that was shortened too much is lengthened again, up to the closing time.
    """

    def with_next_length(attempt: Attempt, tried_h: Scalar, shortenings: Scalar) -> Attempt:
        closing_time = attempt.end.time
        too_short = (
            (shortenings > 0.5)
            & (closing_time > tried_h)
            & (closing_time < minimum(tried_h + MIN_STEP_FRACTION * h, h))
        )
        next_h = where(too_short, closing_time, minimum(maximum(closing_time, MIN_STEP_FRACTION * h), tried_h))
        repeat = where((abs(next_h - tried_h) > 0.0) & (shortenings < MAX_SHORTENINGS - 0.5), 1.0, 0.0)
        return replace(attempt, h=where(repeat > 0.5, next_h, tried_h), repeat=repeat, shortenings=shortenings + repeat)

    def repeat_step(before: Attempt) -> Attempt:
        return with_next_length(try_step(now, before.h), before.h, before.shortenings)

    return loop(lambda attempt: attempt.repeat > 0.5, repeat_step, with_next_length(try_step(now, h), h, 0.0))


@dataclass(frozen=True, slots=True)
class _EndState:
    """The end of a step, after impacts and position correction.

    work: work of the impacts' contact_impulses, along normals and by friction [J]. correction_work: work of the
    correction [J].
    """

    q: list[Scalar]
    v: list[Scalar]
    contact_impulses: ContactImpulses
    work: tuple[Scalar, Scalar]
    correction_work: Scalar


def _corrected_motion(
    programs: StepPrograms, motion: MotionState, a: list[Scalar], resting: list[Scalar], h: Scalar, memory: Memory
) -> _EndState:
    """Return the motion at the end of a step after impacts and position correction.

    a: accelerations without contact (nv). resting: for each gap 1 if the contact rested in the step, else 0.
    """
    q, v = motion.q, motion.v
    context, figure, system = (
        programs.context,
        programs.context.world.figure,
        programs.contact_scene(q, v, h, memory).system,
    )
    contact_impulses = impact_impulses(
        system, v, active_restitution(system, v, a, h, resting), programs.tolerances, resting, programs.solve
    )
    q_new = normalised(figure, displaced(figure, q, system.depth_correction(programs.tolerances.slack)))
    uncorrected, corrected = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, q_new))
    gravity = context.numbers["gravity"]
    correction_work = potential_energy(corrected, gravity) - potential_energy(uncorrected, gravity)
    v_new = [x + y for x, y in zip(v, contact_impulses.velocity_change, strict=True)]
    return _EndState(q_new, v_new, contact_impulses, system.work(contact_impulses.p, v, v_new), correction_work)


def _next_state(
    programs: StepPrograms, now: StepState, decided_memory: Memory, attempt: Attempt, correct: Subprogram
) -> StepState:
    """Return the state after an accepted step, else the state before it with a shorter next step."""
    world, clock = programs.context.world, now.clock
    motion, tolerances = attempt.motion, programs.tolerances
    unchanged = _EndState(motion.q, motion.v, tree_map(lambda _: 0.0, attempt.contact_impulses), (0.0, 0.0), 0.0)
    needs_correction = (attempt.end.approach > tolerances.speed) | (attempt.end.max_depth > 2.0 * tolerances.slack)
    nominal = minimum(clock.step, world.timing.control_step)
    corrected: _EndState = when(
        needs_correction,
        correct,
        motion,
        attempt.a,
        attempt.contact_impulses.closed,
        nominal,
        decided_memory,
        otherwise=unchanged,
    )
    finite = is_finite(sum((*corrected.q, *corrected.v, *motion.w, *leaves(attempt.actuators)), 0.0))
    decision = step_decision(where(finite, attempt.ratio, NOT_FINITE_RATIO), attempt.h, world.timing.integrator.order)
    accepted = (decision.accept & finite) if world.timing.integrator.adaptive else finite
    done = clock.elapsed + attempt.h >= world.timing.control_step - world.timing.resolution
    memory = replace(decided_memory, contact_cache=attempt.contact_cache, actuators=attempt.actuators)
    memory, released = after_breaks(programs.context, corrected.q, corrected.v, memory)
    memory = with_control_advanced(world, memory, done)
    after = clock_after_step(world, clock, attempt.h, decision.next_step, done)
    step_state = StepState(
        corrected.q,
        corrected.v,
        memory,
        _ledger_after(Ledger(*motion.w), attempt, corrected, released),
        motion.integrator_state,
        after,
    )
    result = select(accepted, step_state, now)
    result = replace(
        result, clock=clock_after_attempt(programs.context, result.clock, clock, accepted, finite, decision.next_step)
    )
    return replace(result, clock=replace(result.clock, rejected=result.clock.rejected + attempt.shortenings))


def _ledger_after(ledger: Ledger, attempt: Attempt, corrected: _EndState, released: Scalar) -> Ledger:
    """Return the ledger of a step, with the work of contact forces, impacts and position correction added.

    released: energy of attachments that broke [J].
    """
    normal, sliding = (x + y for x, y in zip(attempt.work, corrected.work, strict=True))
    return replace(
        ledger,
        impact=ledger.impact - normal,
        sliding=ledger.sliding - sliding + released,
        stabilisation=ledger.stabilisation + corrected.correction_work,
    )
