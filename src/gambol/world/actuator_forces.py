"""Actuators in a world: the inputs of each, its forces, its power, and the rates of its state."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.actuation import Actuator, ActuatorInput
from gambol.actuation.actuator import Numbers
from gambol.dynamics import Kinematics, kinematics
from gambol.figure import JOINTS, Figure, PlacedLink
from gambol.lanes import Scalar, maximum
from gambol.world.context import Memory, StepContext, StepTime
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class DrivenActuator:
    """An actuator of a world at one time.

    name: name of the actuator. numbers: its numbers, which are inputs of the program. dofs: indices in v of its joints.
    input: positions, velocities, commands and state at this time. fraction: fraction of its forces that remains after
    cuts, 1 without cuts.
    """

    name: str
    actuator: Actuator
    numbers: Numbers
    dofs: Sequence[int]
    input: ActuatorInput
    fraction: Scalar = 1.0


@dataclass(frozen=True, slots=True)
class ActuatorPower:
    """Power and energy of all actuators.

    source: power drawn from their sources [W]; positive: the same, but negative powers count as 0 [W]. heat: power
    dissipated in them [W]. energy: energy stored in them [J]. rates: rates of their states, in the order of
    leaves(Memory.actuators).
    """

    source: Scalar
    positive: Scalar
    heat: Scalar
    energy: Scalar
    rates: list[Scalar]


def driven_actuators(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: StepTime
) -> Iterator[DrivenActuator]:
    """Yield the actuators of a world.

    state: kinematics at q (nq). memory: memory with the commands of the controller and the states of actuators. moment:
    time of the result, in the control step of the commands.
    """
    world = context.world
    for name, actuator in world.actuators.items():
        assert world.controller is not None
        links = [world.figure.link(joint) for joint in actuator.joint_names(name)]
        coordinates = [k for link in links for k in range(link.q.start, link.q.stop)]
        dofs = _dofs(links)
        q_joints, v_joints = [q[k] for k in coordinates], [state.v[k] for k in dofs]
        commands = world.controller.commands(memory.control, name, moment.elapsed)
        z = memory.actuators.get(name, {})
        kinematics_at = partial(_kinematics_at, state, q, (coordinates, dofs), (q_joints, v_joints))
        at = ActuatorInput(moment.time, q_joints, v_joints, commands, z, links, kinematics_at)
        yield DrivenActuator(name, actuator, context.numbers["actuators"][name], dofs, at, context.fraction(links))


def _kinematics_at(
    state: Kinematics,
    q: Sequence[Scalar],
    indices: tuple[Sequence[int], Sequence[int]],
    known: tuple[Sequence[Scalar], Sequence[Scalar]],
    q_joints: Sequence[Scalar],
    v_joints: Sequence[Scalar],
) -> Kinematics:
    """Return the kinematics of all links after a change of the coordinates of some joints.

    state: kinematics at q (nq). indices: indices of these joints in q and in v; known: their values in `state`.
    q_joints, v_joints: their changed values.
    """
    if q_joints is known[0] and v_joints is known[1]:
        return state
    return _kinematics_with(state.figure, (q, state.v), indices, q_joints, v_joints)


def _kinematics_with(
    figure: Figure,
    q_and_v: tuple[Sequence[Scalar], Sequence[Scalar]],
    indices: tuple[Sequence[int], Sequence[int]],
    q_joints: Sequence[Scalar],
    v_joints: Sequence[Scalar],
) -> Kinematics:
    """Return the kinematics of a figure at q (nq) and v (nv), but with other values for some joints.

    indices: indices of these joints in q and in v. q_joints, v_joints: their values.
    """
    q_all, v_all = (list(values) for values in q_and_v)
    for values, positions, changed in zip((q_all, v_all), indices, (q_joints, v_joints), strict=True):
        for k, x in zip(positions, changed, strict=True):
            values[k] = x
    return kinematics(figure, q_all, v_all)


def add_actuator_forces(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: StepTime, tau: list[Scalar]
) -> ActuatorPower:
    """Add the forces of actuators to tau (nv); return their power. Other arguments: as for driven_actuators()."""
    source: Scalar = 0.0
    positive: Scalar = 0.0
    heat: Scalar = 0.0
    energy: Scalar = 0.0
    rates: list[Scalar] = []
    for driven in driven_actuators(context, state, q, memory, moment):
        actuator, numbers, at, fraction = driven.actuator, driven.numbers, driven.input, driven.fraction
        supply = actuator.supply(numbers, at)
        for dof, uncut_force in zip(driven.dofs, actuator.force(numbers, at), strict=True):
            force = fraction * uncut_force
            tau[dof] = tau[dof] + force
            if supply is None:
                source = source + force * state.v[dof]
                positive = positive + maximum(force * state.v[dof], 0.0)
        if supply is not None:
            source, positive = source + fraction * supply, positive + fraction * maximum(supply, 0.0)
        heat, energy = (
            heat + fraction * actuator.heat(numbers, at),
            energy + fraction * actuator.energy(numbers, at),
        )
        if at.state:
            rate = actuator.derivative(numbers, at)
            rates += [rate[name] for name in at.state]
    return ActuatorPower(source, positive, heat, energy, rates)


def initial_inputs(
    world: World, q: Sequence[Scalar], v: Sequence[Scalar]
) -> Iterator[tuple[str, Actuator, ActuatorInput]]:
    """Yield each actuator of a world with its name and its input at the start of a run, in its initial state.

    q (nq), v (nv): coordinates and velocities of the figure. Commands are in the middle of their ranges.
    """
    for name, actuator in world.actuators.items():
        links = [world.figure.link(joint) for joint in actuator.joint_names(name)]
        indices = [k for link in links for k in range(link.q.start, link.q.stop)], _dofs(links)
        values = [q[k] for k in indices[0]], [v[k] for k in indices[1]]
        numbers, kinematics_at = actuator.numbers(), partial(_kinematics_with, world.figure, (q, v), indices)
        commands = actuator.command_values(numbers, [0.0] * len(actuator.commands))
        at = ActuatorInput(0.0, *values, commands, {}, links, kinematics_at)
        yield name, actuator, replace(at, state=actuator.initial_state(numbers, at))


def initial_states(world: World, q: Sequence[Scalar], v: Sequence[Scalar]) -> dict[str, Numbers]:
    """Return the initial states of the actuators that have one, by name.

    q (nq), v (nv): coordinates and velocities of the figure.
    """
    return {name: at.state for name, _, at in initial_inputs(world, q, v) if at.state}


def output_names(world: World) -> list[tuple[str, str]]:
    """Return the name of the actuator and of the output for each output of the actuators, in order."""
    q = [x for link in world.figure.links for x in JOINTS[link.joint.kind].rest]
    inputs = initial_inputs(world, q, [0.0] * world.figure.nv)
    return [(name, entry) for name, actuator, at in inputs for entry in actuator.outputs(actuator.numbers(), at)]


def actuator_outputs(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: StepTime
) -> dict[str, Numbers]:
    """Return the outputs of each actuator by name. Arguments: as for driven_actuators()."""
    driven = driven_actuators(context, state, q, memory, moment)
    return {each.name: each.actuator.outputs(each.numbers, each.input) for each in driven}


def _dofs(links: Sequence[PlacedLink]) -> list[int]:
    return [k for link in links for k in range(link.v.start, link.v.stop)]


def state_scales(world: World) -> list[float]:
    """Return the scale of each state of actuators, in the order of leaves(Memory.actuators)."""
    q = [x for link in world.figure.links for x in JOINTS[link.joint.kind].rest]
    states = initial_states(world, q, [0.0] * world.figure.nv)
    scales = {name: world.actuators[name].state_scales() for name in states}
    return [scales[name].get(entry, 1.0) for name, state in states.items() for entry in state]
