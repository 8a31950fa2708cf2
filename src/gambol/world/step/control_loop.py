"""The control loop of a world: control steps, each of which consists of steps of the contact method.

At the start of a control step the controller reads its senses and updates its memory, which stays constant until the
next control step. [McKenna 1990, sections 4.2 and 4.6]
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from gambol.contact.method import EVENT_DRIVEN, SMOOTH, TIME_STEPPING, Scheme, TimeSteppingMethod
from gambol.contact.stepping import step_near_landings
from gambol.dynamics import declare_limbs
from gambol.integrate import NOT_FINITE_RATIO, fitted_step
from gambol.lanes import Scalar, Subprogram, declare_alike, is_short, loop, minimum, when, where
from gambol.world.context import Clock, Memory, StepContext, StepState, select
from gambol.world.sampling import SensorMemory
from gambol.world.step.constrained import constrained_step
from gambol.world.step.integrated import integrated_step
from gambol.world.step.senses import needed_for_senses, sense
from gambol.world.step.stepping import time_stepping
from gambol.world.world import World

StepFunction = Callable[[StepState, Memory, Scalar], StepState]
"""A function of the state, its memory after the controller's decision, and the step [s]; returns the next state."""

STEP_FUNCTIONS: dict[Scheme, Callable[[StepContext], StepFunction]] = {
    SMOOTH: integrated_step,
    TIME_STEPPING: time_stepping,
    EVENT_DRIVEN: constrained_step,
}
"""Functions of a context that return its step function, by scheme; a user's own scheme has its own, see Scheme.step.
They are not part of the contact methods, since a step needs all parts of a world: springs, actuators, pushes,
attachments, clock and ledger."""


def advance(world: World, step_state: StepState, numbers: dict[str, Any], until: Scalar, table: Any) -> StepState:
    """Return the state at the start of a control step, or at the step at which the world stopped.

    step_state: initial state. numbers: numbers of the world. until: number of the control step. table: heights of the
    ground.
    """
    step = _step_function(world, numbers, table)
    return loop(lambda state: _unfinished(state, until), step, step_state)


def partial_step(
    world: World, step_state: StepState, numbers: dict[str, Any], until: Scalar, fraction: Scalar, table: Any
) -> StepState:
    """Return the state after a fraction of the next step, or the same state if control step `until` has begun.

    fraction: fraction of the step's length, up to 1; for the other arguments see advance(). A step with a fraction
    below 1 is never rejected: the error of the complete step was accepted, and the error of a fraction may be larger.
    """
    scaled_inputs = numbers | {"error_scale": where(fraction < 1.0, NOT_FINITE_RATIO, 1.0)}
    after = _step_function(world, scaled_inputs, table, fraction)(step_state)
    return select(_unfinished(step_state, until), after, step_state)


def _unfinished(state: StepState, until: Scalar) -> Scalar:
    """Return True if steps remain before control step `until` begins, and the world runs."""
    return (state.clock.control_steps < until) & (state.clock.status < 0.5)


def _step_function(
    world: World, numbers: dict[str, Any], table: Any, fraction: Scalar = 1.0
) -> Callable[[StepState], StepState]:
    """Return a function that takes the next step of a world, or a fraction of it."""
    context = StepContext.of(world, numbers, table)
    make_step = world.method.scheme.step or STEP_FUNCTIONS[world.method.scheme]
    decide, take_step = Subprogram(partial(_decide, context)), make_step(context)

    def step(state: StepState) -> StepState:
        _declare_alike(world, state)
        clock = state.clock
        h = fitted_step(_time_left(context, clock), _longest_step(world, state))
        state = _with_reset_history(context, state, h)
        decided_memory = (
            _memory_after_decision(world, state, decide, clock.control_steps * world.timing.control_step)
            if world.controller or state.memory.sensors
            else state.memory
        )
        return take_step(state, decided_memory, fraction * h)

    return step


def _longest_step(world: World, state: StepState) -> Scalar:
    """Return the longest next step of a state [s]: that of its clock, or a part of it near landings."""
    method, cache = world.method, state.memory.contact_cache
    if method.scheme is not TIME_STEPPING or cache is None:
        return state.clock.step
    if (count := cast("TimeSteppingMethod", method).landing_steps) == 1:
        return state.clock.step
    return step_near_landings(state.clock.step, cache.next_landing[0], cache.had_event[0], count)


def _declare_alike(world: World, state: StepState) -> None:
    """Let short programs have loops over alike limbs and over contacts: declare their numbers in a state as alike."""
    if not is_short():
        return
    declare_limbs(world.figure, state.q, state.v)
    cache = state.memory.contact_cache
    if cache is not None and cache.indices and cache.speeds:
        contacts = zip(cache.indices, cache.impulses, cache.speeds, strict=False)
        declare_alike([[index, *impulses, *speeds] for index, impulses, speeds in contacts])


def _time_left(context: StepContext, clock: Clock) -> Scalar:
    """Return the time to the end of the control step, or to the start or end of a push if that is earlier [s]."""
    timing = context.world.timing
    remaining = end = timing.control_step - clock.elapsed
    latest = end - 2.0 * timing.resolution  # a control step counts as done up to one resolution before its end
    for jump in context.numbers["push"][3:]:  # start and end of the push
        time_to_jump = clock.moment(timing.control_step).time_from_step_start(jump)
        remaining = where(
            (time_to_jump > timing.resolution) & (time_to_jump < latest), minimum(time_to_jump, remaining), remaining
        )
    return remaining


def _with_reset_history(context: StepContext, state: StepState, h: Scalar) -> StepState:
    """Return the state, with the integrator's history set to 0 if a push begins or ends.

    This holds for a push that begins or ends now, or in the last or the next step.

    h: length of the next step [s]. The last entry of a history is the length of the last step.
    """
    timing, history = context.world.timing, state.integrator_state
    if not history:
        return state
    for jump in context.numbers["push"][3:]:  # start and end of the push
        time_to_jump = state.clock.moment(timing.control_step).time_from_step_start(jump)
        inside = (time_to_jump > -state.integrator_state[-1]) & (time_to_jump < h)
        history = [where(inside | (abs(time_to_jump) <= timing.resolution), 0.0, x) for x in history]
    return replace(state, integrator_state=history)


def _memory_after_decision(world: World, state: StepState, decide: Subprogram, time: Scalar) -> Memory:
    """Return the memory after measurements and the controller's decision; unchanged if no control step begins."""
    starts, before = state.clock.elapsed <= 0.0, (state.memory.control, state.memory.sensors)
    arguments = (*needed_for_senses(world, state.q, state.v, state.memory), time, state.clock.control_steps)
    decides_every_step = world.method.scheme.fixed_step and world.timing.control_step <= world.timing.step
    if decides_every_step:  # inlined, since it is never skipped
        control, sensors = select(starts, decide.function(*arguments), before)
    else:
        control, sensors = when(starts, decide, *arguments, otherwise=before)
    return replace(state.memory, control=control, sensors=sensors)


def _decide(
    context: StepContext, q: list[Scalar], v: list[Scalar], memory: Memory, time: Scalar, step: Scalar
) -> tuple[Any, SensorMemory | None]:
    """Return the memory of the controller after its decision, and the memory of sensors.

    q (nq), v (nv), memory: coordinates, velocities and memory of the state. time: time of the decision [s]. step:
    number of the control step.
    """
    controller = context.world.controller
    senses, sensors = sense(context, q, v, memory, time, step)
    if controller is None:
        return memory.control, sensors
    return controller.decide(context.control, memory.control, senses, context.world.timing.control_step), sensors
