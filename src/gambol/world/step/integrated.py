"""Steps of an integrator under smooth forces, such as the forces of penalty contact.

A step integrates position, velocity and ledger with constant memory, and closes the figure's loops at its end. If its
error is too large, it is rejected: only the length of the next attempt changes. After an accepted step, anchors are
updated and over-stretched attachments break. [McKenna 1990, section 4.2]
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from gambol.contact.method import SmoothMethod
from gambol.dynamics import kinematics, rnea
from gambol.dynamics.method import accelerations, projected_state
from gambol.dynamics.tangent import normalised
from gambol.integrate import MAX_FACTOR, NOT_FINITE_RATIO, MotionState, error_ratio, step_decision
from gambol.lanes import Scalar, Subprogram, is_finite, leaves, maximum, minimum, when, where
from gambol.world.context import (
    NOT_FINITE,
    RUNNING,
    UNDERFLOW,
    Clock,
    Ledger,
    Memory,
    StepContext,
    StepState,
    StepTime,
    ledger_entries,
    select,
    with_control_advanced,
)
from gambol.world.forces import AppliedForces, applied_forces, updated_attachments
from gambol.world.step.actuated_motion import actuated_system, error_weights, motion_of, states_in
from gambol.world.step.energy_check import damper_ratio, energies, energy_ratio
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class SystemPrograms:
    """The functions of an integrator's System, each traced once.

    derivatives, force, energies: functions of moment, q, v and memory. momentum: a function of q and v.
    """

    derivatives: Subprogram
    force: Subprogram
    momentum: Subprogram
    energies: Subprogram


def integrated_step(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the step function of a world that uses its integrator."""
    update_memory = Subprogram(partial(_updated_memory, context))
    programs = SystemPrograms(
        *(Subprogram(partial(function, context)) for function in (derivatives, _force, _momentum, energies))
    )

    def take_step(now: StepState, decided_memory: Memory, h: Scalar) -> StepState:
        return _accept_or_reject(context, (now, decided_memory), h, programs, update_memory)

    return take_step


def derivatives(context: StepContext, moment: StepTime, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
    """Return the accelerations (nv) with the rates of actuators' states, and the rates of the ledger's entries [W].

    moment, q (nq), v (nv), memory: time, coordinates, velocities and memory of the state.
    """
    state = kinematics(context.world.figure, q, v)
    applied = applied_forces(context, state, q, v, memory, moment)
    base = {}
    if context.world.external.base_acceleration is not None:
        base = {context.world.figure.root.index: context.world.external.base_acceleration(moment.time, q, v)}
    forces = {"f_ext": applied.f_ext, "gravity": context.numbers["gravity"]}
    acceleration, base_forces = accelerations(context.world.dynamics, state, applied.tau, **forces, prescribed=base)
    power = applied.power
    for index, force in base_forces.items():
        speeds = v[context.world.figure.links[index - 1].v]
        power = replace(power, outside=power.outside + sum((f * s for f, s in zip(force, speeds, strict=True)), 0.0))
    return [*acceleration, *applied.actuator_rates], ledger_entries(power)


def _force(context: StepContext, moment: StepTime, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
    """Return all joint-space forces (nv), gravity included, the rates of actuators' states, and rates of the ledger."""
    figure = context.world.figure
    applied: AppliedForces = applied_forces(context, kinematics(figure, q, v), q, v, memory, moment)
    zeros = [0.0] * figure.nv
    bias, _ = rnea(kinematics(figure, q, zeros), zeros, f_ext=applied.f_ext, gravity=context.numbers["gravity"])
    forces = [t - b for t, b in zip(applied.tau, bias, strict=True)]
    return [*forces, *applied.actuator_rates], ledger_entries(applied.power)


def _momentum(context: StepContext, q: list[Scalar], v: list[Scalar]) -> list[Scalar]:
    """Return the joint-space momentum M v (nv): inverse dynamics at rest, without gravity, of the acceleration v."""
    return rnea(kinematics(context.world.figure, q, [0.0] * len(v)), v, gravity=0.0)[0]


def _updated_memory(
    context: StepContext, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory
) -> tuple[Memory, Scalar]:
    """Return memory after an accepted step, and the energy that anchors and broken attachments released [J]."""
    state = kinematics(context.world.figure, q, v)
    method = cast("SmoothMethod", context.world.method)
    contact, released = method.after_step(context.scene, state, memory.contact, partial(context.stance_of, memory))
    intact, released_by_breaks = updated_attachments(context, state, memory)
    return replace(memory.with_contact(contact), intact=intact), released + released_by_breaks


def _accept_or_reject(
    context: StepContext,
    before: tuple[StepState, Memory],
    h: Scalar,
    programs: SystemPrograms,
    update_memory: Subprogram,
) -> StepState:
    """Return the state after a step of h [s] if it is accepted, else the state before it with a shorter next step.

    before: the state with its memory after the controller's decision. A rejected step discards this decision, and the
    controller decides again.
    """
    (now, decided_memory), world = before, context.world
    control_step, clock = world.timing.control_step, now.clock
    tried = _try_step(context, replace(now, memory=decided_memory), programs, h)
    motion_after = tried.motion
    finite = is_finite(sum((*motion_after.q, *motion_after.v, *motion_after.w, *leaves(tried.actuators)), 0.0))
    method = world.timing.integrator
    decision = step_decision(where(finite, tried.ratio, NOT_FINITE_RATIO), h, method.order)
    accepted = (decision.accept & finite) if method.adaptive else finite
    memory, released = when(accepted, update_memory, motion_after.q, motion_after.v, decided_memory)
    ledger = Ledger(*motion_after.w)
    ledger = replace(ledger, sliding=ledger.sliding + released)
    done = clock.elapsed + h >= control_step - world.timing.resolution
    memory = with_control_advanced(world, replace(memory, actuators=tried.actuators), done)
    next_clock = clock_after_step(world, clock, h, decision.next_step, done)
    max_residual = maximum(clock.max_residual, minimum(tried.residual, NOT_FINITE_RATIO))  # bounded: a state is finite
    next_clock = replace(next_clock, max_residual=max_residual)
    after = StepState(motion_after.q, motion_after.v, memory, ledger, motion_after.integrator_state, next_clock)
    result = select(accepted, after, now)
    return replace(
        result, clock=clock_after_attempt(context, result.clock, clock, accepted, finite, decision.next_step)
    )


def clock_after_step(world: World, clock: Clock, h: Scalar, next_step: Scalar, done: Scalar) -> Clock:
    """Return the clock after an accepted step of h [s].

    next_step: the length that the error allows next [s]. done: true if the step ends a control step. A step that was
    shortened to the end of a control step or to a contact does not shorten the next one, unless its error limits the
    growth of the step.
    """
    step = where(next_step < 0.999 * MAX_FACTOR * h, next_step, maximum(next_step, clock.step))
    step = step if world.timing.integrator.adaptive else clock.step
    return Clock(
        clock.control_steps + where(done, 1.0, 0.0),
        where(done, 0.0, clock.elapsed + h),
        step,
        clock.taken + 1.0,
        clock.rejected,
        clock.status,
        clock.max_residual,
    )


def clock_after_attempt(
    context: StepContext, after: Clock, before: Clock, accepted: Scalar, finite: Scalar, next_step: Scalar
) -> Clock:
    """Return the clock after an attempted step, accepted or rejected, with the length of the next step.

    The status of the clock shows if the world stops because the next step would be too short or the state is not
    finite. after: the clock after the step if it was accepted, else `before`. before: the clock before the step.
    finite: true if the state after the step is finite. next_step: the length that the error allows next [s].
    """
    rejected = before.rejected + where(accepted, 0.0, 1.0)
    if not context.world.timing.integrator.adaptive:
        return replace(after, rejected=rejected, status=where(accepted, RUNNING, NOT_FINITE))
    too_small = where(finite, UNDERFLOW, NOT_FINITE)
    stopped = where(next_step < context.numbers["min_step"], too_small, RUNNING)
    step, status = where(accepted, after.step, next_step), where(accepted, RUNNING, stopped)
    return replace(after, step=step, rejected=rejected, status=status)


@dataclass(frozen=True, slots=True)
class _TrialStep:
    """The result of a step.

    motion: its accumulated quantities w are the entries of the ledger. actuators: their states. ratio: error over
    tolerance. residual: residual of the equations of an implicit step.
    """

    motion: MotionState
    actuators: Mapping[str, Mapping[str, Scalar]]
    ratio: Scalar
    residual: Scalar


def _try_step(context: StepContext, now: StepState, programs: SystemPrograms, h: Scalar) -> _TrialStep:
    """Return the result of a step of h [s], before it is accepted or rejected."""
    world, elapsed = context.world, now.clock.elapsed
    figure, time = world.figure, now.clock.control_steps * world.timing.control_step

    def time_at(t: Scalar) -> StepTime:
        return StepTime(time, t, elapsed, h)

    system = actuated_system(
        context,
        now.memory,
        lambda t, q, v, memory: programs.derivatives(time_at(t), q, v, memory),
        lambda t, q, v, memory: programs.force(time_at(t), q, v, memory),
        programs.momentum,
    )
    result = world.timing.integrator.step(system, elapsed, motion_of(now), h)
    q = normalised(figure, result.state.q)
    v, memory = states_in(context, result.state.v, now.memory)
    ratio = 0.0
    if result.error:
        before = programs.energies(time_at(elapsed), now.q, now.v, now.memory)
        after = programs.energies(time_at(elapsed + h), q, v, memory)
        energy = energy_ratio(context, h, (now.ledger, Ledger(*result.state.w)), before, after)
        ratio = maximum(error_ratio(result.error, error_weights(context)), damper_ratio(context, now, result.state))
        ratio = maximum(ratio, energy)
    if figure.constraints:
        q, v = projected_state(world.dynamics, figure, q, v)
    return _TrialStep(replace(result.state, q=q, v=v), memory.actuators, ratio, result.residual)
