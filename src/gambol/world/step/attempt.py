"""One attempt at a step with contact forces: these forces, the motion under all forces, and contacts that closed.

    q^ = q + h v / 2                    contact rows are evaluated in the middle of the step, for second order
    v' = v + h (a + A^-1 J^T f)         f from conditions on contacts that are closed at the start

[Kokkevis 2004, section 3; Patil 2007, SimulationStep]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.complementarity.contact_system import (
    ContactImpulses,
    ContactSystem,
    SolveImpulses,
    Tolerances,
    holding_impulses,
    impulse_solver,
)
from gambol.contact.complementarity.step_check import StepCheck, check_step
from gambol.contact.stepping import displaced, re_expressed
from gambol.contact.stepping.fixed_axes import fixed_axis_acceleration
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.dynamics.method import projected_state
from gambol.dynamics.tangent import integrate_configuration, normalised, tangent_rates
from gambol.integrate import MotionState, System, error_ratio
from gambol.lanes import Precision, Scalar, Subprogram, maximum, where, working_precision
from gambol.world.contact_generation.contact_set import active_contacts, contact_count, previous_sticking
from gambol.world.contact_generation.joint_constraints import (
    friction_joints,
    limited_joints,
    loop_jacobians,
    rest_kinematics,
)
from gambol.world.contact_generation.sticking import has_sticking, stances, sticking_after
from gambol.world.contact_generation.sticking import with_sticking as stuck
from gambol.world.context import ContactCache, Memory, Moment, StepContext
from gambol.world.step.integrated import derivatives, error_weights
from gambol.world.step.step_state import StepState, ledger_entries

SLACK = 1e-5
"""Gap up to which a resting contact counts as closed, as a fraction of the figure's size: above drift."""

DRIFT = 0.1
"""The same for adaptive steps, as a fraction of their tolerance. Their error lifts bodies; with a smaller gap, contacts
under pressure would open and shorten every step. With 0.01, the steps of a roach are tried 1.7 times as often; with
0.33, a foot hovers.
"""

CLOSED_GAP: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-5}
"""Gap up to which a fast contact counts as closed, as a fraction of the figure's size: the precision of shortened
steps, above rounding."""


@dataclass(frozen=True, slots=True)
class ContactScene:
    """The contact system at some configuration, and the numbers of its contacts; none where all possible ones fit.

    stance: 1 for contacts of feet that may stick now, else 0; empty in worlds without sticking. over_capacity: 1 where
    contacts exceed the capacity, else 0.
    """

    scene: ContactSystem
    indices: list[Scalar]
    stance: list[Scalar]
    over_capacity: Scalar


@dataclass(frozen=True, slots=True)
class StepPrograms:
    """Programs of a step, each traced once."""

    context: StepContext
    derivatives: Subprogram
    contacts: Subprogram
    solve: SolveImpulses

    @staticmethod
    def of(context: StepContext) -> "StepPrograms":
        """Return the programs of the steps of a world."""
        world = context.world
        bilateral = len(loop_jacobians(rest_kinematics(world.figure)))
        if has_sticking(world):
            bilateral += 3 * min(contact_count(world), world.contact_capacity)
        solve = Subprogram(impulse_solver(world.solver, len(limited_joints(world)), bilateral))
        return StepPrograms(
            context, Subprogram(partial(derivatives, context)), Subprogram(partial(contacts_at, context)), solve
        )

    @property
    def near(self) -> Tolerances:
        """Tolerances for closed contacts and for rest."""
        size, timing, tolerance = self.context.world.size, self.context.world.timing, self.context.numbers["tolerance"]
        slack = maximum(DRIFT * tolerance, SLACK) if timing.integrator.adaptive else SLACK
        speed = tolerance * (STANDARD_GRAVITY * size) ** 0.5
        return Tolerances(
            slack * size, CLOSED_GAP[working_precision()] * size, speed, min(timing.step, timing.control_step)
        )


def contacts_at(context: StepContext, q: list[Scalar], v: list[Scalar], h: Scalar, memory: Memory) -> ContactScene:
    """Return the contact scene at q for a step of h [s]."""
    assert memory.contact_cache is not None
    state = kinematics(context.world.figure, q, v)
    constraints, numbers = active_contacts(context, state, q, h)
    stance: list[Scalar] = []
    if has_sticking(context.world):
        stance = stances(context, memory, numbers or [float(k) for k in range(len(constraints.contacts))])
        constraints = replace(
            constraints, contacts=stuck(constraints.contacts, stance, previous_sticking(memory.contact_cache, numbers))
        )
    return ContactScene(
        ContactSystem.of(state, constraints), numbers, stance, where(constraints.excess > 0.0, 1.0, 0.0)
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step that was tried: its length [s], its final state, its contact impulses, and their work [J].

    a: accelerations without contact (nv); ratio: error over tolerance; end: check of the final contacts. again: 1 where
    it is to be tried again, shortened to the length h; shortenings: their number so far.
    """

    h: Scalar
    motion: MotionState
    contact_impulses: ContactImpulses
    work: tuple[Scalar, Scalar]
    a: list[Scalar]
    contact_cache: ContactCache
    ratio: Scalar
    end: StepCheck
    again: Scalar
    shortenings: Scalar


def attempt_step(programs: StepPrograms, now: StepState, h: Scalar) -> Attempt:
    """Return the result of a step of h [s] while closed contacts are held."""
    context, figure = programs.context, programs.context.world.figure
    time, elapsed = now.clock.control_steps * context.world.timing.control_step, now.clock.elapsed

    def derivatives(t: Scalar, q: list[Scalar], v: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        return programs.derivatives(Moment(time, t, elapsed), q, v, now.memory)

    a, _ = derivatives(elapsed, now.q, now.v)
    middle = _solve_midpoint(programs, now, a, h)
    contact_impulses = middle.contact_impulses

    def total_derivatives(t: Scalar, q: list[Scalar], v: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        rates, powers = derivatives(t, q, v)
        push = re_expressed(figure, middle.q, q, contact_impulses.velocity_change)
        return [x + y / h for x, y in zip(rates, push, strict=True)], powers

    system = System(total_derivatives, partial(integrate_configuration, figure), partial(tangent_rates, figure))
    method = context.world.timing.integrator
    stepped = method.step(
        system, elapsed, MotionState(now.q, now.v, ledger_entries(now.ledger), now.integrator_state), h
    )
    ratio = error_ratio(stepped.error, error_weights(context)) if stepped.error else 0.0
    q, v = normalised(figure, stepped.state.q), stepped.state.v
    work = middle.middle.scene.work(contact_impulses.p, middle.before, re_expressed(figure, q, middle.q, v))
    if figure.constraints:
        q, v = projected_state(context.world.dynamics, figure, q, v)
    first, last = re_expressed(figure, now.q, q, now.v), programs.contacts(q, v, h, now.memory)
    contact_impulses = replace(contact_impulses, closed=_resting_flags(middle.middle, last, contact_impulses.closed))
    initial_gaps = _initial_gaps(middle.start, last, first, v, h)
    end = check_step(last.scene, first, v, initial_gaps, h, programs.near, contact_impulses.closed)
    cache = _new_cache(programs, now.memory, middle.middle, contact_impulses, h)
    return Attempt(h, replace(stepped.state, q=q, v=v), contact_impulses, work, a, cache, ratio, end, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Midpoint:
    """Contact forces of a step; contact scenes at its start and at its middle.

    q: positions at the middle; before: joint velocities at the start (nv), along the axes of the middle.
    """

    start: ContactScene
    middle: ContactScene
    q: list[Scalar]
    before: list[Scalar]
    contact_impulses: ContactImpulses


def _solve_midpoint(programs: StepPrograms, now: StepState, a: list[Scalar], h: Scalar) -> _Midpoint:
    """Return the contact forces of a step of h [s]; a: accelerations without contact at its start (nv)."""
    figure = programs.context.world.figure
    q_hat = normalised(figure, displaced(figure, now.q, [0.5 * h * x for x in now.v]))
    middle: ContactScene = programs.contacts(q_hat, now.v, h, now.memory)
    start: ContactScene = programs.contacts(now.q, now.v, h, now.memory)
    axis_acceleration = fixed_axis_acceleration(figure, now.v)
    free = [x + h * (y - z) for x, y, z in zip(now.v, a, axis_acceleration, strict=True)]
    before, after = (re_expressed(figure, now.q, q_hat, v) for v in (now.v, free))
    speeds = middle.scene.speeds(before)
    begin = _matched(start, middle, start.scene.speeds(now.v), speeds, 3)
    extrapolated = [
        gap - 0.5 * h * speeds[row] for gap, row in zip(middle.scene.gaps, middle.scene.normal_rows, strict=True)
    ]
    start_scene = replace(middle.scene, gaps=_matched(start, middle, start.scene.gaps, extrapolated, 1))
    return _Midpoint(
        start,
        middle,
        q_hat,
        before,
        holding_impulses(start_scene, begin, before, after, h, programs.near, programs.solve),
    )


def _matched(
    start: ContactScene, middle: ContactScene, values: Sequence[Scalar], otherwise: Sequence[Scalar], n: int
) -> list[Scalar]:
    """Return values at the start, n for each contact; otherwise: where the slot has another contact at the middle."""
    result = list(values)
    for k, (number, other) in enumerate(zip(start.indices, middle.indices, strict=True)):
        for row in range(n * k, n * k + n):
            result[row] = where(number == other, result[row], otherwise[row])
    return result


def _resting_flags(middle: ContactScene, last: ContactScene, rests: Sequence[Scalar]) -> list[Scalar]:
    """Return for each gap of the last scene 1 where it rested at the middle, else 0; contacts may change slots."""
    n = len(middle.indices)
    result = [
        sum((where(number == other, x, 0.0) for other, x in zip(middle.indices, rests, strict=False)), 0.0)
        for number in last.indices
    ]
    return [*result, *rests[n:]]


def _initial_gaps(
    start: ContactScene, last: ContactScene, before: Sequence[Scalar], v: Sequence[Scalar], h: Scalar
) -> list[Scalar]:
    """Return the initial gap of each final contact, extrapolated from its speeds if it was not tracked."""
    begin, end, n = last.scene.speeds(before), last.scene.speeds(v), len(start.indices)
    extrapolated = [
        gap - 0.5 * h * (begin[row] + end[row])
        for gap, row in zip(last.scene.gaps, last.scene.normal_rows, strict=True)
    ]
    for k, number in enumerate(last.indices):
        for other, gap in zip(start.indices, start.scene.gaps, strict=False):
            extrapolated[k] = where(number == other, gap, extrapolated[k])
    return [*extrapolated[:n], *start.scene.gaps[n:]]


def _new_cache(
    programs: StepPrograms, memory: Memory, middle: ContactScene, contact_impulses: ContactImpulses, h: Scalar
) -> ContactCache:
    """Return the contact cache after a step of h [s]."""
    before, world, scene = memory.contact_cache, programs.context.world, middle.scene
    assert before is not None
    p, contacts = scene.with_sticking(contact_impulses.p), len(scene.restitution)
    impulses = [[p[3 * k + 2], p[3 * k], p[3 * k + 1]] for k in range(contacts)]
    single = [[x] for x in p[3 * contacts :]]
    bounds, drags = len(limited_joints(world)), len(friction_joints(world))
    unsolved = before.unsolved + where(contact_impulses.residual > programs.near.speed, 1.0, 0.0)
    near = 4.0 * programs.near.slack
    gaps = [where(sticks > 0.5, 0.0, gap) for sticks, gap in zip(scene.sticks, scene.gaps, strict=False)]
    sticks = sticking_after(programs.context, middle.stance, gaps, impulses, h, near) if middle.stance else []
    impulses += [*single[:bounds], *([[0.0]] * drags), *single[bounds:]]
    over = [steps + middle.over_capacity for steps in before.over_capacity]
    return ContactCache(impulses, middle.indices, h, contact_impulses.residual, unsolved, sticks, over)
