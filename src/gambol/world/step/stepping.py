"""Large fixed steps: the velocity step of contact/stepping, with a world's springs, motors and ledger.

An impulse p that changes the velocity along it from w to w+ does the work p . (w + w+) / 2. So the ledger's entries for
friction, impacts and dampers are exact for steps of any length. The energy of springs is accurate to first order in the
step; the unaccounted energy is the error of the step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from gambol.actuation import ActuatorInput
from gambol.contact.generation.contact_set import (
    active_contacts,
    count_over_capacity,
    previous_speeds,
    previous_sticking,
    scaled_impulses,
    stances,
    sticking_after,
    warm_start,
    with_sticking,
)
from gambol.contact.memory import ContactCache
from gambol.contact.method import TimeSteppingMethod
from gambol.contact.stepping import (
    Constraints,
    ExpectedLanding,
    Extrapolation,
    SolverOptions,
    StepResult,
    deepest_overlap,
    depth_correction,
    evaluated,
    landing_horizon,
    mean_acceleration,
    pushing_changed,
    velocity_step,
)
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.dynamics.method import projected_state
from gambol.dynamics.tangent import displaced, moved, normalised
from gambol.lanes import Scalar, Subprogram, is_finite, leaves, sqrt, unflatten, when, where
from gambol.world.context import (
    NOT_FINITE,
    RUNNING,
    Clock,
    Ledger,
    Memory,
    StepContext,
    StepState,
    select,
    with_control_advanced,
)
from gambol.world.forces import after_breaks
from gambol.world.step.actuator_step import actuator_ends, actuator_states
from gambol.world.step.saturation import ActiveSet, until_unchanged
from gambol.world.step.step_forces import StepForces, event_loss, position_energy, step_forces, step_ledger

SLOP = 1e-5
"""Penetration that position correction leaves, divided by the figure's size; ten times this depth would be visible."""

SEPARATION_FACTOR = 8.0
"""Penetration at which position correction begins, divided by SLOP: just below the visible depth, so
that it is rare."""

MIN_REDUCED_FRACTION = 1e-3
"""A step counts as restitution-limited if impulses are reduced by more than this fraction (far above rounding)."""

MIN_UNSOLVED_DEPTH = 1e-2
"""Minimum penetration that counts as unsolved contact, as a fraction of the figure's size; 0.01 of the size is
visible."""


def time_stepping(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the fixed-step time-stepping function of a world; its contact method computes the impulses."""
    step = Subprogram(partial(_solve_step, context))
    take_again = Subprogram(partial(until_unchanged, step))

    def take_step(now: StepState, decided_memory: Memory, h: Scalar) -> StepState:
        given = now.q, now.v, decided_memory, now.clock, h
        solved: _StepResult = step(*given, ActiveSet.empty(context.world) if context.world.actuators else None)
        if solved.active is not None:  # so that the branch calls take_again, which is inlined in it otherwise
            again = Subprogram(lambda *arguments: take_again(*arguments), rarity=1)
            solved = when(solved.active.changed > 0.5, again, *given, solved, otherwise=solved)
        return _next_state(context, now, solved, decided_memory, h)

    return take_step


@dataclass(frozen=True, slots=True)
class _StepResult:
    """The result of a step: q, v, contact cache, the step's entries for the ledger [J], and states of actuators.

    active: actuators that would be saturated in the next attempt of the step; None if no actuator has a limit.
    """

    q: list[Scalar]
    v: list[Scalar]
    cache: ContactCache
    ledger: Ledger
    actuators: Mapping[str, Mapping[str, Scalar]]
    active: ActiveSet | None


def _solve_step(
    context: StepContext,
    q: list[Scalar],
    v: list[Scalar],
    memory: Memory,
    clock: Clock,
    h: Scalar,
    active: ActiveSet | None,
) -> _StepResult:
    """Return the result of a step of h [s] from q (nq), v (nv), memory and clock; active: see step_forces()."""
    world, scene, figure, cached = context.world, context.scene, context.world.figure, memory.contact_cache
    assert cached is not None
    method = cast("TimeSteppingMethod", world.method)
    longest = clock.step if method.landing_steps > 1 else h
    landing = _expected_landing(method, cached, longest, h) if cached.next_landing else None
    time = 0.5 * h if landing is None else landing.time
    extrapolation = _extrapolation(context, cached, landing, clock, h)
    q_middle, q, v, extrapolation = evaluated(figure, extrapolation, landing, (q, v), h)
    state = kinematics(figure, q, v)
    middle = clock.moment(world.timing.control_step, h).later(0.5 * h)
    applied = step_forces(context, state, (q, q_middle), memory, middle, h, active)
    constraints, indices = active_contacts(scene, state, q, longest)
    constraints = replace(constraints, previous_speeds=previous_speeds(cached, indices))
    constraints, stance = _with_sticking_feet(context, memory, constraints, indices)
    options, initial = _solver_start(context, method, cached, indices, h)
    forces = replace(applied.forces, extrapolation=extrapolation)
    solved = velocity_step(state, forces, constraints, initial, h, options, landing)
    q_new, v_new = moved(figure, q, solved.v, solved.increment)
    if figure.constraints:
        q_new, v_new = projected_state(world.dynamics, figure, q_new, v_new)
    end = clock.moment(world.timing.control_step, h).later(h)
    energy = Subprogram(partial(position_energy, context, memory, end))
    lost = event_loss(figure, energy, solved, q, v, (h, time), extrapolation)
    is_unsolved, correction_work = solved.residual > options.tolerance, 0.0
    if method.softness is None:
        q_new, correction_work = _correct_positions(context, energy, solved, q_new)
        is_unsolved = is_unsolved | (deepest_overlap(solved.lasting_gaps) > MIN_UNSOLVED_DEPTH * world.size)
    unsolved = cached.unsolved + where(is_unsolved, 1.0, 0.0)
    ends = actuator_ends(applied.actuators, solved.v, h) if applied.actuators else []
    ledger = step_ledger(applied, constraints, solved, v, h, ends)
    ledger = replace(ledger, impact=ledger.impact + lost + solved.landing_loss, stabilisation=correction_work)
    sticking = _sticking(context, stance, solved, h)
    rates = [] if extrapolation is None else mean_acceleration(figure, (q, v), (q_new, solved.v), h)
    changed = [pushing_changed(initial, solved.impulses, len(solved.gaps))] if rates else []
    cache = ContactCache(solved.impulses, indices, h, solved.residual, unsolved, sticking)
    cache = replace(cache, acceleration=rates, changed=changed)
    cache = _with_counts_and_speeds(cache, cached, constraints, solved)
    if active is not None:
        active = active.after_attempt(applied.actuators, v, solved.v, solved.damper_slowing)
    return _StepResult(q_new, v_new, cache, ledger, _states(applied, ends), active)


def _states(applied: StepForces, ends: Sequence[ActuatorInput]) -> Mapping[str, Mapping[str, Scalar]]:
    """Return the states of actuators after a step by name; ends: result of actuator_ends()."""
    return actuator_states(applied.actuators, ends) if ends else {}


def _expected_landing(method: TimeSteppingMethod, cached: ContactCache, longest: Scalar, h: Scalar) -> ExpectedLanding:
    """Return the landing of a step of h [s] by the contact cache; longest: length of steps without landings [s]."""
    horizon = landing_horizon(longest, h, method.landing_steps)
    return ExpectedLanding.of(cached.next_landing[0], cached.had_event[0], h, horizon)


def _extrapolation(
    context: StepContext, cached: ContactCache, landing: ExpectedLanding | None, clock: Clock, h: Scalar
) -> Extrapolation | None:
    """Return the extrapolation of a step of h [s] from the step before; None if the contact method has none.

    Nothing is known after an event or a change of what pushes, before a landing, and at the start of a control step of
    several steps, in which forces may change at once.
    """
    if not cached.acceleration:
        return None
    known = (cached.step_size > 0.0) & (cached.had_event[0] < 0.5) & (cached.changed[0] < 0.5)
    if landing is not None:
        known = known & (landing.expected < 0.5)
    if context.world.controller is not None:
        known = known & ((clock.elapsed > 0.0) | (clock.step > 0.75 * context.world.timing.control_step))
    return Extrapolation.of(cached.acceleration, h, cached.step_size, known)


def _sticking(context: StepContext, stance: list[Scalar], solved: StepResult, h: Scalar) -> list[Scalar]:
    """Return 1 for contacts that stick after a step of h [s], by the stance of legs; empty without sticky feet."""
    if not stance:
        return []
    touch_distance = 4.0 * SLOP * context.world.size
    return sticking_after(context.numbers["stick"], stance, solved.gaps, solved.impulses, h, touch_distance)


def _solver_start(
    context: StepContext, method: TimeSteppingMethod, cached: ContactCache, indices: list[Scalar], h: Scalar
) -> tuple[SolverOptions, list[list[Scalar]]]:
    """Return the options of the contact solver in a step of h [s], and initial impulses.

    cached, indices: the contact cache before the step, and the indices of the contacts.
    """
    tolerance = context.numbers["tolerance"] * sqrt(STANDARD_GRAVITY * context.world.size)
    options = SolverOptions(method.iterations, tolerance, method.impulses, method.softness, method.accelerated)
    initial = warm_start(cached, indices)
    if method.landing_steps == 1:
        return options, initial
    share = h / (h + cached.step_size)
    return replace(options, bias_share=share), scaled_impulses(initial, cached.step_size, h)


def _with_counts_and_speeds(
    cache: ContactCache, previous: ContactCache, constraints: Constraints, solved: StepResult
) -> ContactCache:
    """Return a contact cache with counts of steps, speeds of contacts and the next landing.

    previous: the cache before the step. constraints, solved: constraints and result of the step.
    """
    limited = previous.restitution_limited
    if solved.limited is not None:
        limited = [steps + where(solved.limited > MIN_REDUCED_FRACTION, 1.0, 0.0) for steps in limited]
    return replace(
        cache,
        over_capacity=count_over_capacity(previous, constraints),
        restitution_limited=limited,
        speeds=solved.contact_speeds,
        next_landing=[solved.next_landing] if previous.next_landing else [],
        had_event=[1.0 * solved.has_event] if previous.had_event else [],
    )


def _with_sticking_feet(
    context: StepContext, memory: Memory, constraints: Constraints, indices: list[Scalar]
) -> tuple[Constraints, list[Scalar]]:
    """Return the constraints in which sticky feet hold their contacts, and the stance of the leg of each contact.

    indices: indices of the contacts among all possible ones; empty if all are active. Without sticky feet there are no
    stances.
    """
    scene, cached = context.scene, memory.contact_cache
    if not scene.sticky or cached is None:
        return constraints, []
    all_indices = indices or [float(k) for k in range(len(constraints.contacts))]
    stance = stances(scene, partial(context.stance_of, memory), all_indices)
    contacts = with_sticking(constraints.contacts, stance, previous_sticking(cached, indices))
    return replace(constraints, contacts=contacts), stance


def _correct_positions(
    context: StepContext, energy: Subprogram, solved: StepResult, q: list[Scalar]
) -> tuple[list[Scalar], Scalar]:
    """Return q after position correction of overlapping bodies, and the work of the correction [J].

    energy: potential energy of positions.
    """
    figure, slop = context.world.figure, SLOP * context.world.size

    def corrected(q: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        q_new = displaced(figure, q, depth_correction(solved.blocks, solved.factors, solved.lasting_gaps, slop))
        return q_new, energy(normalised(figure, q_new)) - energy(q)

    if not solved.gaps:
        return q, 0.0
    is_deep = deepest_overlap(solved.lasting_gaps) > SEPARATION_FACTOR * slop
    return when(is_deep, Subprogram(corrected), q, otherwise=(q, 0.0))


def _next_state(
    context: StepContext, now: StepState, solved: _StepResult, decided_memory: Memory, h: Scalar
) -> StepState:
    """Return the state after a step; if it is not finite, return the previous state with the world stopped."""
    world, clock = context.world, now.clock
    finite = is_finite(sum((*solved.q, *solved.v, *leaves(solved.actuators)), 0.0))
    done = clock.elapsed + h >= world.timing.control_step - world.timing.resolution
    memory = replace(decided_memory, contact_cache=solved.cache, actuators=solved.actuators)
    memory, released = after_breaks(context, solved.q, solved.v, memory)
    memory = with_control_advanced(world, memory, done)
    after = Clock(
        clock.control_steps + where(done, 1.0, 0.0),
        where(done, 0.0, clock.elapsed + h),
        clock.step,
        clock.taken + 1.0,
        clock.rejected,
        clock.status,
    )
    ledger = unflatten(
        now.ledger, iter([a + b for a, b in zip(leaves(now.ledger), leaves(solved.ledger), strict=True)])
    )
    ledger = replace(ledger, sliding=ledger.sliding + released)
    result = select(finite, StepState(solved.q, solved.v, memory, ledger, now.integrator_state, after), now)
    return replace(result, clock=replace(result.clock, status=where(finite, RUNNING, NOT_FINITE)))
