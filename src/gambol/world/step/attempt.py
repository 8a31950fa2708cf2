"""One attempt at a step with contact forces: contact forces, motion under all forces, check for closed contacts.

    q^ = q + h v / 2                    configuration of the contact rows: mid-step, for second order
    v' = v + h (a + A^-1 J^T f)         f: from conditions on the contacts that are closed at the start

[Kokkevis 2004, section 3; Patil 2007, SimulationStep]
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from gambol.contact.complementarity.contact_scene import ContactScene, initial_gaps, match_by_index, resting_flags
from gambol.contact.complementarity.contact_system import (
    ContactImpulses,
    ContactSystem,
    SolveImpulses,
    Tolerances,
    holding_impulses,
    impulse_solver,
)
from gambol.contact.complementarity.step_check import StepCheck, check_step
from gambol.contact.generation.contact_set import (
    active_contacts,
    previous_sticking,
    stances,
    sticking_after,
    with_sticking,
)
from gambol.contact.generation.joint_constraints import (
    friction_joints,
    limited_joints,
)
from gambol.contact.memory import ContactCache
from gambol.contact.method import EventDrivenMethod
from gambol.dynamics import STANDARD_GRAVITY, kinematics
from gambol.dynamics.method import projected_state
from gambol.dynamics.tangent import displaced, fixed_axis_acceleration, normalised, re_expressed
from gambol.integrate import MotionState, error_ratio
from gambol.lanes import Precision, Scalar, Subprogram, maximum, where, working_precision
from gambol.world.context import Memory, StepContext, StepState, StepTime
from gambol.world.step.actuated_motion import actuated_system, error_weights, motion_of, states_in
from gambol.world.step.energy_check import damper_ratio
from gambol.world.step.integrated import derivatives

CLOSED_TOLERANCE = 1e-5
"""Gap up to which a resting contact is closed, divided by the figure's size: more than the drift of a resting
contact."""

ADAPTIVE_CLOSED_TOLERANCE = 0.1
"""The same gap for adaptive steps, as a fraction of their tolerance, since their error lifts bodies. If it were too
small, loaded contacts would open and shorten every step: with 0.01 a roach needs 1.7 times as many attempts. With 0.33
a foot hovers.
"""

FAST_CLOSED_TOLERANCE: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-5}
"""Gap up to which a fast contact counts as closed, as a fraction of the figure's size. Steps are shortened to this
precision, which is above rounding.
"""


@dataclass(frozen=True, slots=True)
class StepPrograms:
    """The subprograms of a step, each traced once; solve: the solver of contact impulses."""

    context: StepContext
    derivatives: Subprogram
    contact_scene: Subprogram
    solve: SolveImpulses

    @staticmethod
    def of(context: StepContext) -> "StepPrograms":
        """Return the subprograms of a world's steps."""
        scene, method = context.scene, cast("EventDrivenMethod", context.world.method)
        solve = Subprogram(impulse_solver(method.solver, len(limited_joints(scene))))
        return StepPrograms(
            context, Subprogram(partial(derivatives, context)), Subprogram(partial(contact_scene_at, context)), solve
        )

    @property
    def tolerances(self) -> Tolerances:
        """The gaps and speeds up to which contacts count as closed and as resting."""
        size, timing, tolerance = self.context.world.size, self.context.world.timing, self.context.numbers["tolerance"]
        slack = (
            maximum(ADAPTIVE_CLOSED_TOLERANCE * tolerance, CLOSED_TOLERANCE)
            if timing.integrator.adaptive
            else CLOSED_TOLERANCE
        )
        speed = tolerance * (STANDARD_GRAVITY * size) ** 0.5
        return Tolerances(
            slack * size,
            FAST_CLOSED_TOLERANCE[working_precision()] * size,
            speed,
            min(timing.step, timing.control_step),
        )


def contact_scene_at(context: StepContext, q: list[Scalar], v: list[Scalar], h: Scalar, memory: Memory) -> ContactScene:
    """Return the contact scene at q for a step of h [s]."""
    assert memory.contact_cache is not None
    state = kinematics(context.world.figure, q, v)
    constraints, indices = active_contacts(context.scene, state, q, h)
    stance: list[Scalar] = []
    if context.scene.sticky:
        stance = stances(
            context.scene,
            partial(context.stance_of, memory),
            indices or [float(k) for k in range(len(constraints.contacts))],
        )
        constraints = replace(
            constraints,
            contacts=with_sticking(constraints.contacts, stance, previous_sticking(memory.contact_cache, indices)),
        )
    return ContactScene(
        ContactSystem.of(state, constraints), indices, stance, where(constraints.excess > 0.0, 1.0, 0.0)
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of an attempted step.

    h: length of the step [s]. motion: motion at its end. work: work of contact_impulses along normals and by friction
    [J]. a: accelerations without contact (nv). actuators: states of actuators. ratio: error divided by tolerance. end:
    check of the final contacts. repeat: 1 if the step must be attempted again, with length h. shortenings: number of
    shortenings so far.
    """

    h: Scalar
    motion: MotionState
    contact_impulses: ContactImpulses
    work: tuple[Scalar, Scalar]
    a: list[Scalar]
    contact_cache: ContactCache
    actuators: Mapping[str, Mapping[str, Scalar]]
    ratio: Scalar
    end: StepCheck
    repeat: Scalar
    shortenings: Scalar


def attempt_step(programs: StepPrograms, now: StepState, h: Scalar) -> Attempt:
    """Return the result of a step of h [s] in which the closed contacts are held closed."""
    context, figure = programs.context, programs.context.world.figure
    time, elapsed = now.clock.control_steps * context.world.timing.control_step, now.clock.elapsed

    rates_at_start, _ = programs.derivatives(StepTime(time, elapsed, elapsed, h), now.q, now.v, now.memory)
    a = rates_at_start[: figure.nv]
    midpoint = _solve_midpoint(programs, now, a, h)
    contact_impulses = midpoint.contact_impulses

    def total_derivatives(t: Scalar, q: list[Scalar], v: list[Scalar], memory: Memory) -> Any:
        rates, powers = programs.derivatives(StepTime(time, t, elapsed, h), q, v, memory)
        velocity_change = re_expressed(figure, midpoint.q, q, contact_impulses.velocity_change)
        total = [x + y / h for x, y in zip(rates, velocity_change, strict=False)]
        return [*total, *rates[figure.nv :]], powers

    system = actuated_system(context, now.memory, total_derivatives)
    stepped = context.world.timing.integrator.step(system, elapsed, motion_of(now), h)
    ratio = 0.0
    if stepped.error:
        ratio = maximum(error_ratio(stepped.error, error_weights(context)), damper_ratio(context, now, stepped.state))
    q = normalised(figure, stepped.state.q)
    v, memory = states_in(context, stepped.state.v, now.memory)
    work = midpoint.middle.system.work(contact_impulses.p, midpoint.v_start, re_expressed(figure, q, midpoint.q, v))
    if figure.constraints:
        q, v = projected_state(context.world.dynamics, figure, q, v)
    v_start, final_scene = re_expressed(figure, now.q, q, now.v), programs.contact_scene(q, v, h, now.memory)
    contact_impulses = replace(
        contact_impulses, closed=resting_flags(midpoint.middle, final_scene, contact_impulses.closed)
    )
    gaps_before = initial_gaps(midpoint.start, final_scene, v_start, v, h)
    check = check_step(final_scene.system, v_start, v, gaps_before, h, programs.tolerances, contact_impulses.closed)
    cache = _new_cache(programs, now.memory, midpoint.middle, contact_impulses, h)
    motion, states = replace(stepped.state, q=q, v=v), memory.actuators
    return Attempt(h, motion, contact_impulses, work, a, cache, states, ratio, check, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Midpoint:
    """The contact impulses of a step, and the contact scenes at its start and in its middle.

    q: coordinates in mid-step (nq). v_start: velocities at the start (nv), along the joint axes at q.
    """

    start: ContactScene
    middle: ContactScene
    q: list[Scalar]
    v_start: list[Scalar]
    contact_impulses: ContactImpulses


def _solve_midpoint(programs: StepPrograms, now: StepState, a: list[Scalar], h: Scalar) -> _Midpoint:
    """Return the contact impulses of a step of h [s]; a: accelerations without contact at its start (nv)."""
    figure = programs.context.world.figure
    q_hat = normalised(figure, displaced(figure, now.q, [0.5 * h * x for x in now.v]))
    middle: ContactScene = programs.contact_scene(q_hat, now.v, h, now.memory)
    start: ContactScene = programs.contact_scene(now.q, now.v, h, now.memory)
    axis_acceleration = fixed_axis_acceleration(figure, now.v)
    free = [x + h * (y - z) for x, y, z in zip(now.v, a, axis_acceleration, strict=True)]
    v_start, v_free = (re_expressed(figure, now.q, q_hat, v) for v in (now.v, free))
    speeds = middle.system.speeds(v_start)
    initial_speeds = match_by_index(start, middle, start.system.speeds(now.v), speeds, 3)
    extrapolated = [
        gap - 0.5 * h * speeds[row] for gap, row in zip(middle.system.gaps, middle.system.normal_rows, strict=True)
    ]
    start_scene = replace(middle.system, gaps=match_by_index(start, middle, start.system.gaps, extrapolated, 1))
    return _Midpoint(
        start,
        middle,
        q_hat,
        v_start,
        holding_impulses(start_scene, initial_speeds, v_start, v_free, h, programs.tolerances, programs.solve),
    )


def _new_cache(
    programs: StepPrograms, memory: Memory, middle: ContactScene, contact_impulses: ContactImpulses, h: Scalar
) -> ContactCache:
    """Return the contact cache after a step of h [s] with these contact impulses; middle: mid-step scene."""
    previous, scene, system = memory.contact_cache, programs.context.scene, middle.system
    assert previous is not None
    p, contacts = system.with_sticking(contact_impulses.p), len(system.restitution)
    impulses = [[p[3 * k + 2], p[3 * k], p[3 * k + 1]] for k in range(contacts)]
    limits, frictions = len(limited_joints(scene)), len(friction_joints(scene))
    single_rows = [[x] for x in p[3 * contacts : 2 * contacts + len(previous.impulses) - frictions]]
    unsolved = previous.unsolved + where(contact_impulses.residual > programs.tolerances.speed, 1.0, 0.0)
    touch_distance = 4.0 * programs.tolerances.slack
    gaps = [where(sticking > 0.5, 0.0, gap) for sticking, gap in zip(system.sticks, system.gaps, strict=False)]
    sticking = (
        sticking_after(programs.context.numbers["stick"], middle.stance, gaps, impulses, h, touch_distance)
        if middle.stance
        else []
    )
    impulses += [*single_rows[:limits], *([[0.0]] * frictions), *single_rows[limits:]]
    over_capacity = [steps + middle.over_capacity for steps in previous.over_capacity]
    return ContactCache(impulses, middle.indices, h, contact_impulses.residual, unsolved, sticking, over_capacity)
