"""Large fixed steps: the velocity step of contact/stepping, with a world's springs, motors and ledger.

Entries of the ledger are exact where they can be: an impulse p does the work p . (w + w+) / 2 whatever the step, so the
work of friction, of impacts and of dampers is exact. The energy of springs is of first order in the step; the
unaccounted rest is the error of the step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping import (
    ImpulseSolver,
    SolverOptions,
    StepResult,
    depth_correction,
    displaced,
    re_expressed,
    sweep_impulses,
    velocity_step,
)
from gambol.dynamics import STANDARD_GRAVITY, kinematics, potential_energy
from gambol.dynamics.method import projected_state
from gambol.dynamics.tangent import normalised
from gambol.figure import Figure
from gambol.lanes import Scalar, Subprogram, is_finite, leaves, maximum, sqrt, unflatten, when, where
from gambol.world.contact_generation.contact_set import (
    active_contacts,
    count_over_capacity,
    previous_speeds,
    previous_sticking,
    warm_start,
)
from gambol.world.contact_generation.sticking import has_sticking, stances, sticking_after, with_sticking
from gambol.world.context import TIME_EPS, ContactCache, Ledger, Memory, StepContext
from gambol.world.step.step_forces import step_forces, step_ledger
from gambol.world.step.step_state import NOT_FINITE, RUNNING, Clock, StepState, select, with_control_advanced

SLOP = 1e-5
"""Penetration that position correction leaves, of the figure's size: a tenth of what is visible, far above rounding."""

SEPARATION_FACTOR = 8.0
"""Times SLOP at which position correction begins: less than is visible, and few steps need it."""

REDUCED_PART = 1e-3
"""Reduced part of all impulses above which a step is counted: far above rounding."""

UNSOLVED_DEPTH = 1e-2
"""Penetration that counts as unsolved contact, of the figure's size: a hundred times what is visible."""


def time_stepping(
    context: StepContext, solver: ImpulseSolver = sweep_impulses
) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the fixed-step time-stepping function of a world; solver: of its impulses."""
    step = Subprogram(partial(_one_step, context, solver))

    def take_step(now: StepState, decided: Memory, h: Scalar) -> StepState:
        solved: _StepResult = step(now.q, now.v, decided, now.clock, h)
        return _next_state(context, now, solved, decided, h)

    return take_step


@dataclass(frozen=True, slots=True)
class _StepResult:
    """The result of a step: q, v, the contact cache, and what it adds to the ledger."""

    q: list[Scalar]
    v: list[Scalar]
    cache: ContactCache
    ledger: Ledger


def _one_step(
    context: StepContext,
    solve: ImpulseSolver,
    q: list[Scalar],
    v: list[Scalar],
    memory: Memory,
    clock: Clock,
    h: Scalar,
) -> _StepResult:
    """Return the result of one step of h [s] from q and v."""
    world, figure, cached = context.world, context.world.figure, memory.contact_cache
    assert cached is not None
    q, v = _displaced(figure, q, v, [0.5 * h * x for x in v])
    state = kinematics(figure, q, v)
    applied = step_forces(context, state, q, memory, clock.moment(world.timing.control_step).later(0.5 * h), h)
    constraints, numbers = active_contacts(context, state, q, h)
    constraints = replace(constraints, previous_speeds=previous_speeds(cached, numbers))
    stance: list[Scalar] = []
    if has_sticking(world):
        stance = stances(context, memory, numbers or [float(k) for k in range(len(constraints.contacts))])
        contacts = with_sticking(constraints.contacts, stance, previous_sticking(cached, numbers))
        constraints = replace(constraints, contacts=contacts)
    tolerance = context.numbers["tolerance"] * sqrt(STANDARD_GRAVITY * world.size)
    options = SolverOptions(world.iterations, tolerance, solve)
    solved = velocity_step(state, applied.forces, constraints, warm_start(cached, numbers), h, options)
    new, new_v = _displaced(figure, q, solved.v, solved.increment)
    if figure.constraints:
        new, new_v = projected_state(world.dynamics, figure, new, new_v)
    new, correction_work = _separated(context, solved, new)
    not_solved = (solved.residual > tolerance) | (_deepest(solved) > UNSOLVED_DEPTH * world.size)
    unsolved = cached.unsolved + where(not_solved, 1.0, 0.0)
    ledger = replace(step_ledger(applied, constraints, solved, v, h), stabilisation=correction_work)
    near = 4.0 * SLOP * world.size
    sticking = sticking_after(context, stance, solved.gaps, solved.impulses, h, near) if stance else []
    over, limited = count_over_capacity(cached, constraints), cached.restitution_limited
    if solved.limited is not None:
        limited = [steps + where(solved.limited > REDUCED_PART, 1.0, 0.0) for steps in limited]
    residual, speeds = solved.residual, solved.contact_speeds
    cache = ContactCache(solved.impulses, numbers, h, residual, unsolved, sticking, over, limited, speeds)
    return _StepResult(new, new_v, cache, ledger)


def _displaced(
    figure: Figure, q: list[Scalar], v: list[Scalar], increment: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return q moved along the axes at q (nv), and v re-expressed along the axes there."""
    new = normalised(figure, displaced(figure, q, increment))
    return new, re_expressed(figure, q, new, v)


def _separated(context: StepContext, solved: StepResult, q: list[Scalar]) -> tuple[list[Scalar], Scalar]:
    """Return q after position correction of overlapping bodies, and the work of it [J]."""
    figure, slop = context.world.figure, SLOP * context.world.size

    def separated(q: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        new = displaced(figure, q, depth_correction(solved.blocks, solved.factors, solved.gaps, slop))
        low, high = (kinematics(figure, x, [0.0] * figure.nv) for x in (q, new))
        gravity = context.numbers["gravity"]
        return new, potential_energy(high, gravity) - potential_energy(low, gravity)

    if not solved.gaps:
        return q, 0.0
    return when(_deepest(solved) > SEPARATION_FACTOR * slop, Subprogram(separated), q, otherwise=(q, 0.0))


def _deepest(solved: StepResult) -> Scalar:
    """Return the largest penetration of contacts and limits after a step [m or rad]."""
    deepest: Scalar = 0.0
    for gap in solved.gaps:
        deepest = maximum(-gap, deepest)
    return deepest


def _next_state(context: StepContext, now: StepState, solved: _StepResult, decided: Memory, h: Scalar) -> StepState:
    """Return the state after a step; a world whose motion is not finite keeps its state and stops."""
    world, clock = context.world, now.clock
    keep = is_finite(sum((*solved.q, *solved.v), 0.0))
    done = clock.elapsed + h >= world.timing.control_step * (1.0 - TIME_EPS)
    memory = with_control_advanced(world, replace(decided, contact_cache=solved.cache), done)
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
    result = select(keep, StepState(solved.q, solved.v, memory, ledger, now.integrator_state, after), now)
    return replace(result, clock=replace(result.clock, status=where(keep, RUNNING, NOT_FINITE)))
