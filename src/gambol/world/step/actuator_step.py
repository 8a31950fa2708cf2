"""Actuators in a large step: their forces, the ends of their states, and their energy; see step_forces.py.

Callers take nothing from here in a world without actuators, so that a step executes no module that it does not need
(benchmarks/modules_executed.py counts them).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from gambol.actuation import ActuatorInput, ImplicitForce
from gambol.actuation.actuator import Numbers, end_of_step
from gambol.actuation.implicit_force import ImplicitShares
from gambol.actuation.step_energy import StepEnergy
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import mass_diagonal
from gambol.dynamics.tangent import Numbers as Coordinates
from gambol.lanes import Scalar
from gambol.world.actuator_forces import DrivenActuator, driven_actuators
from gambol.world.context import Memory, StepContext, StepTime
from gambol.world.cuts import scaled_implicit_force


@dataclass(frozen=True, slots=True)
class ActuatorStep:
    """An actuator in a step: its inputs at the beginning, its forces, and those that it has without saturation."""

    driven: DrivenActuator
    force: ImplicitForce
    unsaturated: ImplicitForce


def actuator_steps(
    context: StepContext,
    state: Kinematics,
    places: Sequence[Coordinates],
    memory: Memory,
    step: tuple[StepTime, Scalar],
    shares: Mapping[int, ImplicitShares],
) -> list[ActuatorStep]:
    """Return all actuators in a step.

    places: see step_forces(). step: time of its middle, and its length [s]. shares: of servos that may be explicit, by
    degree of freedom.
    """
    moment, h = step
    inertias, result = mass_diagonal(state), list[ActuatorStep]()  # the step computes them anyway
    in_middle = driven_actuators(context, state, places[1], memory, moment) if shares else ()
    at_end = driven_actuators(context, state, places[0], memory, moment.later(h))
    for driven, middle in zip_longest(at_end, in_middle):
        if middle is not None and driven.actuator.gains(driven.numbers) is not None:
            driven = _partly_explicit(driven, middle, shares[driven.dofs[0]])
        force = _implicit_force(driven, [inertias[k] for k in driven.dofs], h)
        result.append(ActuatorStep(driven, force, force))
    return result


def _partly_explicit(at_end: DrivenActuator, in_middle: DrivenActuator, shares: ImplicitShares) -> DrivenActuator:
    """Return a servo with its implicit shares: its position in the middle of the step, its targets between both."""
    pairs = zip(in_middle.input.commands, at_end.input.commands, strict=True)
    commands = [middle + shares.stiffness * (end - middle) for middle, end in pairs]
    return replace(at_end, input=replace(in_middle.input, commands=commands, implicit=shares))


def _implicit_force(driven: DrivenActuator, inertias: Sequence[Scalar], h: Scalar) -> ImplicitForce:
    """Return the forces of an actuator in a step of h [s]; inertias: see Actuator.implicit_force().

    A cut leaves the same fraction of the forces and of the inertias. The result is therefore the force without the cut,
    for the inertias without the cut, times this fraction.
    """
    uncut_inertias = [x / driven.fraction for x in inertias]
    force = driven.actuator.implicit_force(driven.numbers, driven.input, uncut_inertias, h)
    return scaled_implicit_force(force, driven.fraction)


def actuator_ends(actuators: Sequence[ActuatorStep], v: Sequence[Scalar], h: Scalar) -> list[ActuatorInput]:
    """Return the inputs of each actuator at the end of a step of h [s]; v: velocities at the end (nv)."""
    return [
        end_of_step(
            step.driven.actuator,
            step.driven.numbers,
            step.driven.input,
            [v[k] for k in step.driven.dofs],
            h,
            step.force,
        )
        for step in actuators
    ]


def actuator_states(actuators: Sequence[ActuatorStep], ends: Sequence[ActuatorInput]) -> Mapping[str, Numbers]:
    """Return the states of actuators after a step, by name. ends: result of actuator_ends()."""
    states: dict[str, Numbers] = {}
    for step, end in zip(actuators, ends, strict=True):
        if step.driven.input.state:
            states[step.driven.name] = {entry: end.state[entry] for entry in step.driven.input.state}
    return states


def actuator_energy(
    actuators: Sequence[ActuatorStep],
    v_start: Sequence[Scalar],
    v_end: Sequence[Scalar],
    h: Scalar,
    ends: Sequence[ActuatorInput],
) -> StepEnergy:
    """Return the entries of all actuators for the ledger in a step of h [s].

    v_start, v_end: velocities (nv) at start and end. ends: result of actuator_ends(). Joints move at the mean of both
    velocities.
    """
    total = StepEnergy(0.0, 0.0)
    for step, end in zip(actuators, ends, strict=True):
        driven, v = step.driven, [v_start[k] for k in step.driven.dofs]
        forces = zip(step.force.at_end(v, end.v), v, end.v, strict=True)
        work = 0.5 * h * sum((force * (a + b) for force, a, b in forces), 0.0)
        uncut = driven.actuator.step_energy(driven.numbers, driven.input, end, h, work / driven.fraction)
        total = StepEnergy(
            total.source + driven.fraction * uncut.source,
            total.heat + driven.fraction * uncut.heat,
            total.numerical + driven.fraction * uncut.numerical,
        )
    return total
