"""Positions, velocities and states of actuators as one motion, which any integrator integrates.

    v: [v, z]        v': [a, z']        M v: [M v, z]        x: [x, integral of z]

An integrator treats the states z of actuators as velocities of unit masses; no force depends on the positions of these
masses. So each method treats z as it treats velocities: implicit methods implicitly, adaptive methods within their
tolerance.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gambol.dynamics.tangent import integrate_configuration, tangent_rates
from gambol.figure import JOINTS
from gambol.integrate import MotionState, System
from gambol.lanes import Scalar, leaves, unflatten
from gambol.world.actuator_forces import state_scales
from gambol.world.context import Memory, StepContext, StepState, ledger_entries

Derivatives = Callable[[Scalar, list[Scalar], list[Scalar], Memory], tuple[list[Scalar], list[Scalar]]]
"""A function of the time in the control step [s], q, v (nv) and memory; returns rates of v, z and the ledger."""

Momentum = Callable[[list[Scalar], list[Scalar]], list[Scalar]]
"""A function of q and v (nv) that returns M v (nv)."""


def motion_of(state: StepState) -> MotionState:
    """Return the motion of a state, with the states of actuators after its velocities."""
    v = [*state.v, *leaves(state.memory.actuators)]
    return MotionState(state.q, v, ledger_entries(state.ledger), state.integrator_state)


def states_in(context: StepContext, v: list[Scalar], memory: Memory) -> tuple[list[Scalar], Memory]:
    """Return the velocities (nv), and memory with the states of actuators; v: the velocities, then these states."""
    nv = context.world.figure.nv
    return v[:nv], replace(memory, actuators=unflatten(memory.actuators, iter(v[nv:])))


def actuated_system(
    context: StepContext,
    memory: Memory,
    derivatives: Derivatives,
    force: Derivatives | None = None,
    momentum: Momentum | None = None,
) -> System:
    """Return the system of a figure and its actuators.

    memory: memory during the step. derivatives: see Derivatives. force, for the variational method: the same, but with
    joint-space forces in place of the rates of v. momentum: see Momentum.
    """
    figure = context.world.figure
    nv = figure.nv

    def with_states(function: Derivatives) -> Callable[[Scalar, list[Scalar], list[Scalar]], Any]:
        return lambda t, q, v: function(t, q, *states_in(context, v, memory))

    return System(
        derivatives=with_states(derivatives),
        integrate=lambda q, x: integrate_configuration(figure, q, x[:nv]),
        tangent_rate=lambda q, x, v: [*tangent_rates(figure, q, x[:nv], v[:nv]), *v[nv:]],
        momentum=None if momentum is None else lambda q, v: [*momentum(q, v[:nv]), *v[nv:]],
        force=None if force is None else with_states(force),
    )


def error_weights(context: StepContext) -> list[Scalar]:
    """Return the inverse of the allowed error of each coordinate increment, velocity, and state of an actuator.

    A length is relative to the figure's size, an angle in radians, a velocity relative to a length or angle per control
    step, and the state of an actuator to its scale. The optional input error_scale multiplies the tolerance.
    """
    size, control_step = context.world.size, context.world.timing.control_step
    allowed = context.numbers["tolerance"] * context.numbers.get("error_scale", 1.0)
    scales: list[float] = []
    speeds: list[float] = []
    for link in context.world.figure.links:
        kind = JOINTS[link.joint.kind]
        scales += [1.0 / size if unit == "m/s" else 1.0 for unit in kind.v_units]
        speeds += [control_step / size if unit == "m/s" else control_step for unit in kind.v_units]
    states = state_scales(context.world)
    return [scale / allowed for scale in (*scales, *(0.0 for _ in states), *speeds, *(1.0 / x for x in states))]
