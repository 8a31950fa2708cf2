"""Senses of a controller at the start of a control step. Only senses that the controller requests are computed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from gambol.contact.generation.contact_set import ground_normal_forces
from gambol.contact.method import SmoothMethod
from gambol.control import ControllerGroup, GroupMember, Senses
from gambol.control.controller_group import senses_of
from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.bodies import world_acceleration
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, maximum, sqrt, total, where
from gambol.sensing import SensorDynamics, SensorInput
from gambol.sensing.sensor import CONTACTS, DYNAMICS, VELOCITIES, link_of
from gambol.spatial import Transform
from gambol.world.actuator_forces import actuator_outputs
from gambol.world.context import Memory, StepContext, StepTime
from gambol.world.forces import spring_torque
from gambol.world.sampling import Sampling, SensorMemory, is_sampled
from gambol.world.step.sensed_dynamics import SensedDynamics
from gambol.world.world import World

MIN_WEIGHT = 1e-9
"""Lower bound of the weight by which loads are divided [N], for worlds without gravity."""


@dataclass(frozen=True)
class SensedBody:
    """The inputs of the formulas of SENSES, and intermediate results that several of them share.

    context: context of the step; q (nq), v (nv), memory: results of needed_for_senses(), empty if no sense needs them.
    time [s]. step: number of the control step. sensors: names of the world's sensors that are measured.
    """

    context: StepContext
    q: list[Scalar]
    v: list[Scalar]
    memory: Memory
    time: Scalar
    step: Scalar = 0.0
    sensors: tuple[str, ...] = ()

    @cached_property
    def state(self) -> Kinematics:
        """Poses and velocities of all links."""
        figure = self.context.world.figure
        return kinematics(figure, self.q, self.v or [0.0] * figure.nv)

    def forces_on(self, links: Sequence[int]) -> Mapping[int, Scalar]:
        """Return the ground's normal force on links [N], by index; links: indices of requested links."""
        if self.memory.contact_cache is not None:
            return ground_normal_forces(self.context.scene, self.memory.contact_cache)
        method = cast("SmoothMethod", self.context.world.method)
        return method.normal_forces(self.context.scene, self.state, self.memory.contact, list(links))

    @cached_property
    def sensor_input(self) -> SensorInput:
        """Input of all sensors that are read: poses, ground, lights, forces and time."""
        world, contact = self.context.world, self.context.ground_contact
        read = [world.sensors[name] for name in self.sensors]
        touching = [world.figure.link(link_of(sensor)).index for sensor in read if CONTACTS in sensor.needs]
        forces = self.forces_on(touching) if touching else dict[int, Scalar]()
        ground = (contact.ground, contact.numbers, contact.table)
        needs_dynamics = any(DYNAMICS in sensor.needs for sensor in read)
        moment = StepTime(self.time, 0.0, 0.0)
        dynamics = SensedDynamics(self.context, self.state, self.memory, moment) if needs_dynamics else None
        computed = cast("SensorDynamics | None", dynamics)  # pyright does not accept a cached_property as a property
        upward = world_acceleration(self.context.numbers["gravity"]).v
        return SensorInput(self.state, *ground, self.context.numbers["lights"], forces, self.time, computed, upward)

    @cached_property
    def measured(self) -> dict[str, list[Scalar]]:
        """The present measurements of the sensors by name, without noise, delay, rate and cutoff."""
        sensors, numbers = self.context.world.sensors, self.context.numbers["sensors"]
        samples = self.memory.sensors.samples if self.memory.sensors else dict[str, Any]()
        last = {name: self._sampling(name).last(samples.get(name, ()), self.step) for name in self.sensors}
        return {name: sensors[name].read(numbers[name] | last[name], self.sensor_input) for name in self.sensors}

    def sampled(self) -> SensorMemory | None:
        """Return the memory of sensors after they have measured as a control step begins.

        Return None if no sensor has samples.
        """
        if (before := self.memory.sensors) is None:
            return None
        return SensorMemory(before.world, {name: self._pushed(name, before) for name in before.samples})

    def _pushed(self, name: str, before: SensorMemory) -> list[list[Scalar]]:
        """Return the samples of a sensor after it has measured."""
        remembered = self.context.world.sensors[name].remember(self.sensor_input)
        measured = self.measured[name], remembered
        return self._sampling(name).pushed(before.samples[name], *measured, before.world, self.step)

    def readings(self, memory: SensorMemory | None) -> dict[str, list[Scalar]]:
        """Return the readings of the sensors by name.

        memory: memory after the sensors have measured in this control step.
        """
        samples = memory.samples if memory else dict[str, Any]()
        return {
            name: self._sampling(name).read(samples[name]) if name in samples else self._sampling(name).limited(values)
            for name, values in self.measured.items()
        }

    def _sampling(self, name: str) -> Sampling:
        world, numbers = self.context.world, self.context.numbers["sensors"]
        return Sampling(name, world.sensors[name], numbers[name], world.timing.control_step)

    @property
    def outputs(self) -> Mapping[str, Mapping[str, Scalar]]:
        """The outputs of all actuators."""
        return actuator_outputs(self.context, self.state, self.q, self.memory, StepTime(self.time, 0.0, 0.0))


@dataclass(frozen=True)
class SensedCreature:
    """A creature, alone in its world or one of several.

    body: the figure of the world. controller: the controller of the creature. links: links of the creature, the root
    first. member: a member of a group, with its own names of links; None for a creature alone.
    """

    body: SensedBody
    controller: Any
    links: Sequence[PlacedLink]
    root: PlacedLink
    member: GroupMember | None = None

    @staticmethod
    def alone(body: SensedBody) -> "SensedCreature":
        """Return the creature that has the whole figure; its root is the first one in a forest."""
        world = body.context.world
        return SensedCreature(body, world.controller, world.figure.links, world.figure.roots[0])

    @staticmethod
    def of(body: SensedBody, member: GroupMember) -> "SensedCreature":
        """Return a member of a group."""
        links = [body.context.world.figure.link(name) for name in member.links.values()]
        return SensedCreature(body, member.controller, links, links[0], member)

    @property
    def pose(self) -> Transform:
        """Pose of the root."""
        return self.body.state.poses[self.root.index]

    @property
    def q(self) -> list[Scalar]:
        """Coordinates of the creature."""
        return self.body.q[self.links[0].q.start : self.links[-1].q.stop]

    @property
    def v(self) -> list[Scalar]:
        """Velocities of the creature."""
        return self.body.v[self.links[0].v.start : self.links[-1].v.stop]

    @cached_property
    def normal_forces(self) -> list[Scalar]:
        """The ground's normal force on each foot that the controller names [N].

        With a contact cache, it is the mean over the last step, from impulses; else the present force of the contact
        springs.
        """
        feet = [link.index for link in self.named(self.controller.feet).values()]
        forces = self.body.forces_on(feet)
        return [forces.get(index, 0.0) for index in feet]

    @property
    def weight(self) -> Scalar:
        """Weight of the creature, at least MIN_WEIGHT [N]."""
        g = world_acceleration(self.body.context.numbers["gravity"]).v
        mass = total(link.mass_properties.mass for link in self.links)
        return maximum(mass * sqrt(g.dot(g)), MIN_WEIGHT)

    def named(self, names: Sequence[str]) -> dict[str, PlacedLink]:
        """Return links by the controller's names."""
        figure, links = self.body.context.world.figure, self.member.links if self.member else dict[str, str]()
        return {name: figure.link(links.get(name, name)) for name in names}

    def joint_values(self, values: Sequence[Scalar], part: str) -> list[Scalar]:
        """Return the values of the joints that the controller drives; part: "q" or "v"."""
        return [values[getattr(link, part).start] for link in self.named(self.controller.joints).values()]

    def signal_joints(self, sense: str) -> dict[str, PlacedLink]:
        """Return the links with joints for which the gait has signals of a sense, by the controller's names."""
        gait = self.controller.gait
        signals = gait.signals.values() if gait else ()
        return self.named([name for signal in signals if signal.sense == sense for name in signal.joints])

    @property
    def height(self) -> Scalar:
        """Height of the root's origin above the ground beneath it [m]."""
        p, contact = self.pose.position, self.body.context.ground_contact
        return -contact.ground.surface(contact.numbers, contact.table, p.x, p.y).depth(p.z)

    @property
    def outputs(self) -> Mapping[str, Mapping[str, Scalar]]:
        """The outputs of its actuators, by the controller's names."""
        found, member = self.body.outputs, self.member
        return found if member is None else {own: found[member.actuator_name(own)] for own in self.controller.actuators}


SENSES: dict[str, Callable[[SensedCreature], Any]] = {
    "angles": lambda one: one.joint_values(one.body.q, "q"),
    "speeds": lambda one: one.joint_values(one.body.v, "v"),
    "contacts": lambda one: [where(push > 0.0, 1.0, 0.0) for push in one.normal_forces],
    "loads": lambda one: [push / one.weight for push in one.normal_forces],
    "up": lambda one: list(one.pose.rotation.rows[2]),
    "velocity": lambda one: list(one.body.state.velocities[one.root.index].v),
    "height": lambda one: one.height,
    "joint_angles": lambda one: {
        name: one.body.q[link.q.start] for name, link in one.signal_joints("joint_angles").items()
    },
    "spring_torques": lambda one: {
        name: spring_torque(one.body.context, one.body.q, one.body.memory, link.name)
        for name, link in one.signal_joints("spring_torques").items()
    },
    "q": lambda one: one.q,
    "v": lambda one: one.v,
    "actuator_outputs": lambda one: one.outputs,
}
"""The formula of each sense, by name."""

VELOCITY_SENSES, CONTACT_SENSES = {"speeds", "velocity", "v", "actuator_outputs"}, {"contacts", "loads"}
"""Senses that need velocities; senses that need ground contact."""

ACTUATOR_SENSES = {"actuator_outputs"}
"""Senses that need the states of actuators."""


def sensor_needs(world: World, names: Iterable[str]) -> set[str]:
    """Return the inputs that the sensors of these names need besides poses; names that are not sensors are ignored."""
    return {need for name in names if name in world.sensors for need in world.sensors[name].needs}


def needed_for_senses(
    world: World, q: list[Scalar], v: list[Scalar], memory: Memory
) -> tuple[list[Scalar], list[Scalar], Memory]:
    """Return q, v and memory for the senses that the controller requests, and for sensors with samples.

    q and v are empty if no sense needs them; memory contains the memory of controller and sensors, and otherwise only
    the needed values.
    """
    requested = {*_requested(world), *(name for name, sensor in world.sensors.items() if is_sampled(sensor))}
    needs, unneeded = sensor_needs(world, requested), Memory(memory.control, [], [], sensors=memory.sensors)
    needs_contact = bool(requested & CONTACT_SENSES) or CONTACTS in needs or DYNAMICS in needs
    needs_velocity = bool(requested & VELOCITY_SENSES) or VELOCITIES in needs or DYNAMICS in needs
    needs_velocity = needs_velocity or (needs_contact and memory.contact_cache is None)
    actuators = memory.actuators if requested & ACTUATOR_SENSES else dict[str, Mapping[str, Scalar]]()
    return (
        q if requested else [],
        v if needs_velocity else [],
        memory if needs_contact else replace(unneeded, actuators=actuators),
    )


def _requested(world: World) -> tuple[str, ...]:
    """Return the names of the senses and sensors that the controller requests."""
    return tuple(world.controller.required_senses) if world.controller else ()


def sense(
    context: StepContext, q: list[Scalar], v: list[Scalar], memory: Memory, time: Scalar, step: Scalar
) -> tuple[Senses, SensorMemory | None]:
    """Return the senses of a world's controller as a control step begins, and the new memory of its sensors.

    q (nq), v (nv), memory: results of needed_for_senses(). time [s]. step: number of the control step.
    """
    requested, sensors = _requested(context.world), context.world.sensors
    samples = memory.sensors.samples if memory.sensors else dict[str, Any]()
    read = tuple(name for name in sensors if name in requested or name in samples)
    body = SensedBody(context, q, v, memory, time, step, read)
    sampled = body.sampled()
    readings = {name: values for name, values in body.readings(sampled).items() if name in requested}
    controller = context.world.controller
    if isinstance(controller, ControllerGroup):
        return Senses(time, members={x.name: _of_member(body, x, readings) for x in controller.members}), sampled
    alone = SensedCreature.alone(body)
    senses = {name: SENSES[name](alone) for name in requested if name not in sensors}
    return Senses(time, sensors=readings, **senses), sampled


def _of_member(body: SensedBody, member: GroupMember, readings: Mapping[str, list[Scalar]]) -> Senses:
    """Return the senses of a member of a group. readings: readings of all sensors, by their names in the world."""
    names = senses_of(member)
    sensors = {own: readings[name] for own, name in names.items() if name in readings}
    creature = SensedCreature.of(body, member)
    return Senses(body.time, sensors=sensors, **{own: SENSES[own](creature) for own in names if own not in sensors})
