"""The control loop of a world: control steps, each made of steps of its contact method.

At the beginning of a control step the controller reads its senses and changes its memory, which then stays as it is
until the next. [McKenna 1990, sections 4.2 and 4.6]
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from gambol.integrate import NOT_FINITE_RATIO, fitted_step
from gambol.lanes import Scalar, Subprogram, loop, minimum, when, where
from gambol.world.context import TIME_EPS, Memory, StepContext
from gambol.world.step.constrained import constrained_step
from gambol.world.step.impulsive import collision_step
from gambol.world.step.integrated import integrated_step
from gambol.world.step.senses import needed_for_senses, sense
from gambol.world.step.step_state import Clock, StepState, select
from gambol.world.step.stepping import time_stepping
from gambol.world.world import FIXED_STEP_METHODS, World

StepFunction = Callable[[StepState, Memory, Scalar], StepState]
"""Takes one step from a state, its memory after the controller's decisions, and the step's length [s]."""

STEP_FUNCTIONS: dict[str, Callable[[StepContext], StepFunction]] = {
    "penalty": integrated_step,
    "stepping": time_stepping,
    "impulse": collision_step,
    "constraint": constrained_step,
}
"""By contact method: a function that returns the step function for a context."""


def advance(world: World, step_state: StepState, numbers: dict[str, Any], until: Scalar, table: Any) -> StepState:
    """Return the state when control step number `until` begins, or when the world stopped."""
    step = _step_function(world, numbers, table)
    return loop(lambda now: _unfinished(now, until), step, step_state)


def partial_step(
    world: World, step_state: StepState, numbers: dict[str, Any], until: Scalar, part: Scalar, table: Any
) -> StepState:
    """Return the state after a part, up to 1, of the next step; unchanged where control step `until` has begun.

    A part below 1 is not rejected for its error: the whole step was judged, and the error need not grow with the part.
    """
    scaled_inputs = numbers | {"error_scale": where(part < 1.0, NOT_FINITE_RATIO, 1.0)}
    after = _step_function(world, scaled_inputs, table, part)(step_state)
    return select(_unfinished(step_state, until), after, step_state)


def _unfinished(now: StepState, until: Scalar) -> Scalar:
    """True where a state has steps to take before a control step begins."""
    return (now.clock.control_steps < until) & (now.clock.status < 0.5)


def _step_function(
    world: World, numbers: dict[str, Any], table: Any, part: Scalar = 1.0
) -> Callable[[StepState], StepState]:
    """Return a function that takes a step of a world, or a part of one."""
    context = StepContext.of(world, numbers, table)
    decide, take_step = Subprogram(partial(_decide, context)), STEP_FUNCTIONS[world.contact](context)

    def step(now: StepState) -> StepState:
        now, clock = _restarted(context, now), now.clock
        decided = (
            _at_control_step(world, now, decide, clock.control_steps * world.timing.control_step)
            if world.controller
            else now.memory
        )
        return take_step(now, decided, part * fitted_step(_time_left(context, clock), clock.step))

    return step


def _time_left(context: StepContext, clock: Clock) -> Scalar:
    """Return the time left of a control step [s], or until a push begins or ends in it."""
    control_step = context.world.timing.control_step
    left = end = control_step - clock.elapsed
    for jump in context.numbers["push"][3:]:
        until, eps = clock.moment(control_step).time_until(jump), TIME_EPS * control_step
        left = where((until > eps) & (until < end - eps), minimum(until, left), left)
    return left


def _restarted(context: StepContext, now: StepState) -> StepState:
    """Return the state with the integrator's history cleared where a push begins or ends."""
    control_step, history = context.world.timing.control_step, now.integrator_state
    for jump in context.numbers["push"][3:]:
        history = [
            where(abs(now.clock.moment(control_step).time_until(jump)) <= TIME_EPS * control_step, 0.0, x)
            for x in history
        ]
    return replace(now, integrator_state=history)


def _at_control_step(world: World, now: StepState, decide: Subprogram, time: Scalar) -> Memory:
    """Return memory after the controller's decisions, where a control step begins."""
    starts, old = now.clock.elapsed <= 0.0, now.memory.control
    arguments = (*needed_for_senses(world, now.q, now.v, now.memory), time)
    every_step = world.contact in FIXED_STEP_METHODS and world.timing.control_step <= world.timing.step
    if every_step:  # each step is a control step: no test is needed
        return replace(now.memory, control=select(starts, decide.function(*arguments), old))
    return replace(now.memory, control=when(starts, decide, *arguments, otherwise=old))


def _decide(context: StepContext, q: list[Scalar], v: list[Scalar], memory: Memory, time: Scalar) -> Any:
    """Return the controller's decision from its senses."""
    controller = context.world.controller
    assert controller is not None
    return controller.decide(
        context.control, memory.control, sense(context, q, v, memory, time), context.world.timing.control_step
    )
