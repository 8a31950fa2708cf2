"""Integration over a span of time or until an event, with any number of steps, separately in each lane."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from gambol.integrate.adaptive import NOT_FINITE_RATIO, error_ratio, fitted_step, step_decision
from gambol.integrate.events import bracketed_root, sign_changed
from gambol.integrate.solve import warn_not_converged
from gambol.integrate.system import MotionState, StepResult, System
from gambol.integrate.table import Integrator
from gambol.lanes import Scalar, is_finite, leaves, loop, maximum, unflatten, when, where

Event: TypeAlias = Callable[[Scalar, MotionState], Scalar]
"""A function of time and state, in generic scalars; an event is a change of its sign."""


@dataclass(frozen=True, slots=True)
class StepControl:
    """The control of step sizes.

    step: the first step, or the fixed step [s]. tolerances: tolerances of the errors of increments and velocities (2
    nv) in a step; empty for fixed steps. min_step: the integration ends if a rejected step would be repeated with a
    step shorter than this [s]. event_tolerance: tolerance of the times of events [s].
    """

    step: Scalar
    tolerances: Sequence[Scalar] = ()
    min_step: float = 1e-12
    event_tolerance: float = 1e-9


@dataclass(frozen=True, slots=True)
class Integration:
    """The progress or the result of an integration: time [s], state, next step [s], accepted and rejected steps.

    status: 0 while it runs, 1 at the end or the event, 2 where steps became too small or a result was not finite.
    residual: the largest residual of accepted implicit steps, see StepResult.
    """

    t: Scalar
    state: MotionState
    h: Scalar
    accepted: Scalar
    rejected: Scalar
    status: Scalar
    residual: Scalar = 0.0


def integrate_to(
    method: Integrator,
    system: System,
    state: MotionState,
    span: tuple[Scalar, Scalar],
    control: StepControl,
    event: Event | None = None,
) -> Integration:
    """Integrate to the end of a span of time, or to the time at which event(t, state) first changes its sign.

    method: the integrator; system: the system; state: initial state; span: start and end [s]; control: step control;
    event: function of time and state, or None; a value of 0 at the start is not a change of sign. Without tolerances,
    or with a method without error estimate, all steps have one length, at most control.step. If an implicit step does
    not converge, an adaptive method repeats it with a shorter step. Other methods accept it, with a ConvergenceWarning
    outside a trace.
    """
    begin, end = span
    weights = [1.0 / error for error in control.tolerances] if method.adaptive else []

    def iterate(current: Integration) -> Integration:
        h = fitted_step(end - current.t, current.h)
        stepped = method.step(system, current.t, current.state, h)
        finite = is_finite(sum(leaves(stepped.state), 0.0))
        accept, next_step, rejected_status = finite, current.h, 2.0
        if weights:
            valid = finite & (stepped.residual + 0.0 * h <= 0.0)
            ratio = where(valid, error_ratio(stepped.error, weights), NOT_FINITE_RATIO)
            decision = step_decision(ratio, h, method.order)
            accept, next_step = decision.accept & valid, decision.next_step
            rejected_status = where(next_step > control.min_step, 0.0, 2.0)
        done = current.t + h >= end - 1e-6 * h
        t, status, residual = (
            where(done, end, current.t + h),
            where(done, 1.0, 0.0),
            maximum(current.residual, stepped.residual),
        )
        advanced = Integration(t, stepped.state, current.h, current.accepted + 1.0, current.rejected, status, residual)
        if event is not None:
            advanced = _until_event(method, system, (current, advanced), stepped, (event, control.event_tolerance))
        repeated = replace(current, rejected=current.rejected + 1.0, status=rejected_status)
        return replace(select(accept, advanced, repeated), h=next_step)

    initial = replace(state, integrator_state=method.initial_state(len(state.v), len(state.w)))
    start = Integration(begin, initial, control.step, 0.0, 0.0, where(begin < end, 0.0, 1.0))
    result = loop(lambda current: current.status < 0.5, iterate, start)
    warn_not_converged(method.name, result.residual)
    return result


def _until_event(
    method: Integrator,
    system: System,
    ends: tuple[Integration, Integration],
    step_result: StepResult,
    stop: tuple[Event, float],
) -> Integration:
    """Return the integration at the end of a step or at an event in it. The event is located only if some lane has one.

    method, system: as for integrate_to(); ends: integrations before and after the step; step_result: the result of the
    step; stop: the event, and the tolerance of its time [s].
    """
    (begin, end), (event, tolerance) = ends, stop
    h = end.t - begin.t
    hit = sign_changed(event(begin.t, begin.state), event(end.t, end.state))

    def locate() -> tuple[Scalar, MotionState]:
        dense = method.dense_output(system, begin.t, begin.state, h, step_result)
        s = bracketed_root(lambda s: event(begin.t + s * h, dense.at(s)), (0.0, 1.0), tolerance / h)
        restarted = method.initial_state(len(end.state.v), len(end.state.w))
        return begin.t + s * h, replace(dense.at(s), integrator_state=restarted)

    t, state = when(hit, locate)
    return select(hit, replace(end, t=t, state=state, status=1.0), end)


def select(condition: Scalar, yes: Integration, no: Integration) -> Integration:
    """Return yes where a condition holds, no elsewhere."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return unflatten(no, iter([where(condition, a, b) for a, b in pairs]))
