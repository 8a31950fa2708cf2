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


@dataclass(frozen=True, slots=True)
class StepControl:
    """The control of step sizes.

    step: the first or only step [s]. tolerances: of the error of each increment and velocity (2 nv) in a step; none for
    fixed steps. min_step: a shorter step that is rejected ends the integration [s]. event_tolerance: of times [s].
    """

    step: Scalar
    tolerances: Sequence[Scalar] = ()
    min_step: float = 1e-12
    event_tolerance: float = 1e-9


@dataclass(frozen=True, slots=True)
class Integration:
    """The progress or the result of an integration: time [s], state, next step [s], accepted and rejected steps.

    status: 0 while it runs, 1 at the end or the event, 2 where steps became too small or a result was not finite.
    residual: largest one of the accepted implicit steps, see StepResult.
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

    method: the integrator; system: to integrate; state: initial; span: start and end [s]; control: of the steps; event:
    a function of time and state, or None; a value of 0 at the start does not count as a change of sign.
    Without tolerances, or with a method without error estimate, all steps have one length, at most that of control.
    An implicit step that does not converge is repeated with a shorter step by an adaptive method; others accept it, and
    a ConvergenceWarning says so outside a trace.
    """
    begin, end = span
    weights = [1.0 / error for error in control.tolerances] if method.adaptive else []

    def iterate(at: Integration) -> Integration:
        h = fitted_step(end - at.t, at.h)
        stepped = method.step(system, at.t, at.state, h)
        finite = is_finite(sum(leaves(stepped.state), 0.0))
        accept, next_step, failed = finite, at.h, 2.0
        if weights:
            valid = finite & (stepped.residual + 0.0 * h <= 0.0)
            ratio = where(valid, error_ratio(stepped.error, weights), NOT_FINITE_RATIO)
            decision = step_decision(ratio, h, method.order)
            accept, next_step = decision.accept & valid, decision.next_step
            failed = where(next_step > control.min_step, 0.0, 2.0)
        done = at.t + h >= end - 1e-6 * h
        t, status, residual = where(done, end, at.t + h), where(done, 1.0, 0.0), maximum(at.residual, stepped.residual)
        after = Integration(t, stepped.state, at.h, at.accepted + 1.0, at.rejected, status, residual)
        if event is not None:
            after = _until_event(method, system, (at, after), stepped, (event, control.event_tolerance))
        before = replace(at, rejected=at.rejected + 1.0, status=failed)
        return replace(select(accept, after, before), h=next_step)

    initial = replace(state, integrator_state=method.initial_state(len(state.v), len(state.w)))
    start = Integration(begin, initial, control.step, 0.0, 0.0, where(begin < end, 0.0, 1.0))
    result = loop(lambda at: at.status < 0.5, iterate, start)
    warn_not_converged(method.name, result.residual)
    return result


def _until_event(
    method: Integrator,
    system: System,
    ends: tuple[Integration, Integration],
    stepped: StepResult,
    stop: tuple[Event, float],
) -> Integration:
    """Return the end of a step, or the event in it; the event is located only if some lane has one.

    ends: before and after the step; stop: the event, and the tolerance of its time [s].
    """
    (begin, end), (event, tolerance) = ends, stop
    h = end.t - begin.t
    hit = sign_changed(event(begin.t, begin.state), event(end.t, end.state))

    def locate() -> tuple[Scalar, MotionState]:
        dense = method.dense_output(system, begin.t, begin.state, h, stepped)
        s = bracketed_root(lambda s: event(begin.t + s * h, dense.at(s)), (0.0, 1.0), tolerance / h)
        restarted = method.initial_state(len(end.state.v), len(end.state.w))
        return begin.t + s * h, replace(dense.at(s), integrator_state=restarted)

    t, state = when(hit, locate)
    return select(hit, replace(end, t=t, state=state, status=1.0), end)


def select(condition: Scalar, yes: Integration, no: Integration) -> Integration:
    """Return yes where a condition holds, no elsewhere."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return unflatten(no, iter([where(condition, a, b) for a, b in pairs]))
