"""Snapshots of a world: poses of its links, normal forces on its feet, and its energies."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from gambol.collide.pairs import rolling_gaps
from gambol.contact.generation.contact_set import ground_normal_forces
from gambol.contact.generation.ground_points import ground_points, non_rolling_points, rolling_parts
from gambol.contact.generation.sources import part_pose
from gambol.dynamics import Kinematics, aba, centre_of_mass, kinematics, kinetic_energy, potential_energy
from gambol.dynamics.forward import crba
from gambol.figure.template import has_variable_topology
from gambol.lanes import Scalar, leaves, minimum, where
from gambol.spatial import Vector
from gambol.spatial.rotation import quaternion_of
from gambol.world.actuator_forces import actuator_outputs, output_names
from gambol.world.context import StepContext, select
from gambol.world.film_paths import film_paths, path_numbers
from gambol.world.forces import applied_forces, wrenches
from gambol.world.step import StepState
from gambol.world.step.senses import SensedBody
from gambol.world.world import World

MAX_CLEARANCE = 1e3
"""Upper limit of the clearance, and its value for a trunk without contact points [m]."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A world at one moment, in world axes.

    positions: positions of all links in order [m]; quaternions: quaternions of all links (w, x, y, z); centre: centre
    of mass [m]; normal_forces: normal forces of the ground on each foot [N]; elsewhere: normal force on all other links
    together [N]; feet: lowest point of each foot [m]; signals: values of the gait's signals, one after the other [rad,
    m, N m or N]; sensors: readings of all sensors, one after the other. kinetic, potential: energies [J]; stored:
    energy of springs, ground and bristles [J]; positive_power: power of motors and actuators, in which negative powers
    count as 0 [W]; clearance: height of the lowest point of the trunk, that is, of the links that do not belong to a
    leg [m]; outputs: outputs of actuators, in the order of output_names(); paths: paths of the actuators that have one,
    one after the other, see film_paths.
    """

    positions: list[Scalar]
    quaternions: list[Scalar]
    centre: list[Scalar]
    normal_forces: list[Scalar]
    elsewhere: Scalar
    feet: list[Scalar]
    signals: list[Scalar]
    sensors: list[Scalar]
    kinetic: Scalar
    potential: Scalar
    stored: Scalar
    positive_power: Scalar
    clearance: Scalar
    outputs: list[Scalar]
    paths: list[Scalar]


def observe(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> Snapshot:
    """Return a snapshot of a world in a state. numbers: inputs of the world; table: heights of its ground."""
    context = StepContext.of(world, numbers, table)
    figure, q, v = context.world.figure, step_state.q, step_state.v
    state = kinematics(figure, q, v)
    clock = step_state.clock
    applied = applied_forces(context, state, q, v, step_state.memory, clock.moment(world.timing.control_step))
    poses = [state.poses[link.index] for link in figure.links]
    signals = world.gait.signals.values() if world.gait else ()
    gravity = numbers["gravity"]
    normal_forces = (
        applied.normal_forces
        if step_state.memory.contact_cache is None
        else ground_normal_forces(context.scene, step_state.memory.contact_cache)
    )
    feet = [figure.link(name).index for name in world.surface.feet]
    return Snapshot(
        [x for pose in poses for x in pose.position],
        [x for pose in poses for x in quaternion_of(pose.rotation)],
        list(centre_of_mass(state)),
        [normal_forces.get(index, 0.0) for index in feet],
        sum((force for index, force in normal_forces.items() if index not in feet), 0.0),
        [x for name in world.surface.feet for x in _lowest_point(context.world, state, name)],
        [
            q[figure.link(name).q.start] if signal.sense == "joint_angles" else applied.spring_torques[name]
            for signal in signals
            for name in signal.joints
        ],
        _sensor_readings(context, step_state),
        kinetic_energy(state),
        potential_energy(state, gravity),
        applied.energy,
        applied.positive_power,
        _clearance(context, state),
        leaves(actuator_outputs(context, state, q, step_state.memory, clock.moment(world.timing.control_step))),
        path_numbers(context, state, step_state),
    )


def observe_joint_forces(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the forces of springs, dampers, motors and actuators at all freedoms (nv) [N m or N].

    Forces of contacts, of loops, and of joint limits that the contact method solves are not included. world, numbers
    and table: as for observe().
    """
    context = StepContext.of(world, numbers, table)
    q, v, memory = step_state.q, step_state.v, step_state.memory
    moment = step_state.clock.moment(world.timing.control_step)
    return applied_forces(context, kinematics(context.world.figure, q, v), q, v, memory, moment).tau


def observe_sensors(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the readings of all sensors, one after the other; world, numbers and table: as for observe()."""
    return _sensor_readings(StepContext.of(world, numbers, table), step_state)


def observe_wrench_accelerations(
    world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any
) -> list[Scalar]:
    """Return the accelerations of all links due to the world's external wrenches, without contact.

    world, numbers and table: as for observe(). Returns six numbers for each link: its angular acceleration and the
    acceleration of its origin, in world axes [rad/s2, m/s2]. Springs, contacts and loops are ignored: they would only
    make the figure stiffer.
    """
    context = StepContext.of(world, numbers, table)
    figure = context.world.figure
    rest = kinematics(figure, step_state.q, [0.0] * figure.nv)
    forces, tau = wrenches(context, rest), [0.0] * figure.nv
    if has_variable_topology(figure):
        a = crba(rest, tau, f_ext=forces, gravity=0.0)
    else:
        prescribed = {figure.root.index: [0.0] * 6} if figure.prescribed else {}
        a, _ = aba(rest, tau, f_ext=forces, gravity=0.0, prescribed=prescribed)
    accelerations = rest.accelerations(a)
    rotations = [(rest.poses[link.index].rotation, accelerations[link.index]) for link in figure.links]
    return [x for R, motion in rotations for vector in (motion.w, motion.v) for x in R @ vector]


def rows_of(kind: type, lengths: Mapping[str, int]) -> dict[str, slice | int]:
    """Return the rows of each field of a flattened dataclass of scalars.

    kind: the dataclass; lengths: lengths of the fields that are lists, by name.
    """
    rows, first = dict[str, slice | int](), 0
    for name in (attribute.name for attribute in fields(kind)):
        count = lengths.get(name)
        rows[name] = first if count is None else slice(first, first + count)
        first += 1 if count is None else count
    return rows


def snapshot_rows(world: World) -> dict[str, slice | int]:
    """Return the rows of each field in a snapshot of a world."""
    links, feet = len(world.figure.links), len(world.surface.feet)
    signals = sum(len(signal.joints) for signal in world.gait.signals.values()) if world.gait else 0
    lengths = {"positions": 3 * links, "quaternions": 4 * links, "centre": 3, "normal_forces": feet, "feet": 3 * feet}
    lengths |= {
        "signals": signals,
        "sensors": sum(len(sensor.readings) for sensor in world.sensors.values()),
        "outputs": len(output_names(world)),
        "paths": sum(path.count for path in film_paths(world)),
    }
    return rows_of(Snapshot, lengths)


def _sensor_readings(context: StepContext, state: StepState) -> list[Scalar]:
    """Return the readings of all sensors of a world, one after the other."""
    if not context.world.sensors:
        return []
    clock, names = state.clock, tuple(context.world.sensors)
    time = clock.moment(context.world.timing.control_step).time
    body = SensedBody(context, state.q, state.v, state.memory, time, clock.control_steps, names)
    memory = state.memory.sensors and select(clock.elapsed > 0.0, state.memory.sensors, body.sampled())
    return [x for readings in body.readings(memory).values() for x in readings]


def _lowest_point(world: World, state: Kinematics, name: str) -> Vector:
    """Return the lowest contact point of a foot."""
    link = world.figure.link(name)
    points = [state.poses[link.index] @ point - Vector(0.0, 0.0, radius) for point, radius in ground_points(link)]
    lowest = points[0]
    for p in points[1:]:
        lower = p.z < lowest.z
        lowest = Vector.of([where(lower, new, old) for new, old in zip(p, lowest, strict=True)])
    return lowest


def _clearance(context: StepContext, state: Kinematics) -> Scalar:
    """Return the height of the trunk's lowest contact point above the ground."""
    gait, contact = context.world.gait, context.ground_contact
    leg_links = {name for leg in gait.legs for name in leg.links} if gait else set(context.world.surface.feet)
    lowest: Scalar = MAX_CLEARANCE
    for link in context.world.figure.links:
        if link.name in leg_links or not context.world.figure.can_move(link.index):
            continue
        for point, radius in ground_points(link):
            p = state.poses[link.index] @ point
            surface = contact.ground.surface(contact.numbers, contact.table, p.x, p.y)
            lowest = minimum(-surface.depth(p.z) - radius, lowest)
    return lowest


def depth_of(world: World, q: Sequence[float]) -> float:
    """Return the depth of the lowest contact point of a figure in the ground [m]; negative above the ground.

    world: world of the figure; q: its coordinates (nq). Immovable links do not count. The depth of a figure without
    contact points is minus infinity.
    """
    ground, numbers, table = world.ground, world.ground.numbers(), world.ground.table()
    state = kinematics(world.figure, [float(x) for x in q], [0.0] * world.figure.nv)
    depths = [-math.inf]
    for link in world.figure.links:
        if not world.figure.can_move(link.index):
            continue
        for point, radius in non_rolling_points(link):
            p = state.point_position(link.index, point)
            surface = ground.surface(numbers, table, p.x, p.y)
            depths.append(float(surface.height - p.z + radius / surface.normal.z))
        for part in rolling_parts(link):
            gaps = rolling_gaps(part.shape, part_pose(state, link, part), ground, numbers, table)
            depths += [-float(gap.size / gap.normal.z) for gap in gaps]
    return max(depths)
