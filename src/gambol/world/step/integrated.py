"""Steps of an integrator through smooth forces: those of penalty contact, or none.

A step integrates position, velocity and ledger while memory stays as it is; a step of too large error changes nothing
but the length of the next try. A step ends with the figure's loops closed. After an accepted one, anchors are updated
and over-stretched attachments break. [McKenna 1990, section 4.2]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gambol.dynamics import kinematics, rnea
from gambol.dynamics.method import accelerations, projected_state
from gambol.dynamics.tangent import integrate_configuration, normalised, tangent_rates
from gambol.figure import JOINTS
from gambol.integrate import MAX_FACTOR, NOT_FINITE_RATIO, MotionState, System, error_ratio, step_decision
from gambol.lanes import Scalar, Subprogram, is_finite, maximum, minimum, when, where
from gambol.world.context import TIME_EPS, Ledger, Memory, Moment, StepContext
from gambol.world.forces import AppliedForces, applied_forces, updated_attachments
from gambol.world.ground_forces import updated_feet
from gambol.world.step.step_state import (
    NOT_FINITE,
    RUNNING,
    UNDERFLOW,
    Clock,
    StepState,
    ledger_entries,
    select,
    with_control_advanced,
)
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class SystemPrograms:
    """Functions of an integrator's System, each traced once: of a moment, q, v and memory; momentum of q and v."""

    derivatives: Subprogram
    force: Subprogram
    momentum: Subprogram


def integrated_step(context: StepContext) -> Callable[[StepState, Memory, Scalar], StepState]:
    """Return the step function with the world's integrator."""
    update_memory = Subprogram(partial(_updated_memory, context))
    physics = SystemPrograms(*(Subprogram(partial(law, context)) for law in (derivatives, _force, _momentum)))

    def move(now: StepState, decided: Memory, h: Scalar) -> StepState:
        return _accepted_or_rejected(context, (now, decided), h, physics, update_memory)

    return move


def derivatives(context: StepContext, moment: Moment, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
    """Return the derivatives of velocity and of the ledger."""
    state = kinematics(context.world.figure, q, v)
    applied = applied_forces(context, state, q, v, memory, moment)
    base = {}
    if context.world.base_acceleration is not None:
        base = {context.world.figure.root.index: context.world.base_acceleration(moment.time, q, v)}
    forces = {"f_ext": applied.f_ext, "gravity": context.numbers["gravity"]}
    acceleration, base_forces = accelerations(context.world.dynamics, state, applied.tau, **forces, prescribed=base)
    power = applied.power
    for index, force in base_forces.items():
        speeds = v[context.world.figure.links[index - 1].v]
        power = replace(power, outside=power.outside + sum((f * s for f, s in zip(force, speeds, strict=True)), 0.0))
    return acceleration, ledger_entries(power)


def _force(context: StepContext, moment: Moment, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
    """Return all forces along the degrees of freedom, gravity included, and the derivatives of the ledger."""
    figure = context.world.figure
    applied: AppliedForces = applied_forces(context, kinematics(figure, q, v), q, v, memory, moment)
    zeros = [0.0] * figure.nv
    bias, _ = rnea(kinematics(figure, q, zeros), zeros, f_ext=applied.f_ext, gravity=context.numbers["gravity"])
    return [t - b for t, b in zip(applied.tau, bias, strict=True)], ledger_entries(applied.power)


def _momentum(context: StepContext, q: list[Scalar], v: list[Scalar]) -> list[Scalar]:
    """Return M v: the force that accelerates a figure at rest, without weight, by v."""
    return rnea(kinematics(context.world.figure, q, [0.0] * len(v)), v, gravity=0.0)[0]


def _updated_memory(
    context: StepContext, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory
) -> tuple[Memory, Scalar]:
    """Return memory after an accepted step, and the energy released by anchors and broken attachments [J]."""
    state = kinematics(context.world.figure, q, v)
    updated, released = updated_feet(context, state, memory)
    intact, released_by_breaks = updated_attachments(context, state, memory)
    return replace(updated, intact=intact), released + released_by_breaks


def _accepted_or_rejected(
    context: StepContext,
    before: tuple[StepState, Memory],
    h: Scalar,
    physics: SystemPrograms,
    update_memory: Subprogram,
) -> StepState:
    """Return the state after a step of h [s] where it is accepted, else the old one with a shorter step to try.

    before: the state, and its memory with the decisions of a control step that begins. A rejected step discards these
    decisions, and they are made again.
    """
    (now, decided), world = before, context.world
    control_step, clock = world.timing.control_step, now.clock
    moved, ratio, residual = _trial(context, replace(now, memory=decided), physics, h)
    finite = is_finite(sum((*moved.q, *moved.v, *moved.w), 0.0))
    method = world.timing.integrator
    verdict = step_decision(where(finite, ratio, NOT_FINITE_RATIO), h, method.order)
    keep = (verdict.accept & finite) if method.adaptive else finite
    memory, released = when(keep, update_memory, moved.q, moved.v, decided)
    ledger = Ledger(*moved.w)
    ledger = replace(ledger, sliding=ledger.sliding + released)
    done = clock.elapsed + h >= control_step * (1.0 - TIME_EPS)
    memory = with_control_advanced(world, memory, done)
    next_clock = clock_after(world, clock, h, verdict.next_step, done)
    largest = maximum(clock.max_residual, minimum(residual, NOT_FINITE_RATIO))  # a state is finite
    next_clock = replace(next_clock, max_residual=largest)
    after = StepState(moved.q, moved.v, memory, ledger, moved.integrator_state, next_clock)
    result = select(keep, after, now)
    return replace(result, clock=accepted_clock(context, result.clock, clock, keep, finite, verdict.next_step))


def clock_after(world: World, clock: Clock, h: Scalar, next_step: Scalar, done: Scalar) -> Clock:
    """Return the clock after an accepted step of h [s].

    A step cut short, by a control step's end or a landing, does not shorten the next, unless its error allows less than
    the largest growth.
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


def accepted_clock(
    context: StepContext, after: Clock, before: Clock, accepted: Scalar, finite: Scalar, next_step: Scalar
) -> Clock:
    """Return the clock with the step to try next; a world that cannot go on is stopped."""
    rejected = before.rejected + where(accepted, 0.0, 1.0)
    if not context.world.timing.integrator.adaptive:
        return replace(after, rejected=rejected, status=where(accepted, RUNNING, NOT_FINITE))
    too_small = where(finite, UNDERFLOW, NOT_FINITE)
    stopped = where(next_step < context.numbers["min_step"], too_small, RUNNING)
    step, status = where(accepted, after.step, next_step), where(accepted, RUNNING, stopped)
    return replace(after, step=step, rejected=rejected, status=status)


def _trial(
    context: StepContext, now: StepState, physics: SystemPrograms, h: Scalar
) -> tuple[MotionState, Scalar, Scalar]:
    """Return where a step leads, its error over the tolerance, and the residual of its equations."""
    world, elapsed = context.world, now.clock.elapsed
    figure, time = world.figure, now.clock.control_steps * world.timing.control_step

    def at(t: Scalar) -> Moment:
        return Moment(time, t, elapsed)

    system = System(
        derivatives=lambda t, q, v: physics.derivatives(at(t), q, v, now.memory),
        integrate=partial(integrate_configuration, figure),
        tangent_rate=partial(tangent_rates, figure),
        momentum=physics.momentum,
        force=lambda t, q, v: physics.force(at(t), q, v, now.memory),
    )
    motion = MotionState(now.q, now.v, ledger_entries(now.ledger), now.integrator_state)
    stepped = world.timing.integrator.step(system, elapsed, motion, h)
    ratio = error_ratio(stepped.error, error_weights(context)) if stepped.error else 0.0
    q, v = normalised(figure, stepped.state.q), stepped.state.v
    if figure.constraints:
        q, v = projected_state(world.dynamics, figure, q, v)
    return replace(stepped.state, q=q, v=v), ratio, stepped.residual


def error_weights(context: StepContext) -> list[Scalar]:
    """Return one over the largest allowed error of each coordinate increment and velocity.

    A length counts as a part of the figure's size, an angle in radians, and a velocity as its change of position in a
    control step. The inputs' error_scale, where there is one, multiplies the tolerance.
    """
    size, control_step = context.world.size, context.world.timing.control_step
    allowed = context.numbers["tolerance"] * context.numbers.get("error_scale", 1.0)
    scales: list[float] = []
    speeds: list[float] = []
    for link in context.world.figure.links:
        kind = JOINTS[link.joint.kind]
        scales += [1.0 / size if unit == "m/s" else 1.0 for unit in kind.v_units]
        speeds += [control_step / size if unit == "m/s" else control_step for unit in kind.v_units]
    return [scale / allowed for scale in (*scales, *speeds)]
