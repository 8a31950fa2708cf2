"""Senses of a controller at the start of a control step. Only senses that the controller requests are computed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from gambol.contact.generation.contact_set import ground_normal_forces
from gambol.contact.method import SmoothMethod
from gambol.control import Senses
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

    @cached_property
    def root(self) -> Transform:
        """Pose of the root; of the first one in a forest."""
        return self.state.poses[self.context.world.figure.roots[0].index]

    @cached_property
    def normal_forces(self) -> list[Scalar]:
        """The ground's normal force on each foot that the controller names [N].

        With a contact cache, it is the mean over the last step, from impulses; else the present force of the contact
        springs.
        """
        feet = [link.index for link in _links(self.context.world, self._controller.feet)]
        forces = self.forces_on(feet)
        return [forces.get(index, 0.0) for index in feet]

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
        return SensorInput(self.state, *ground, self.context.numbers["lights"], forces, self.time, computed)

    @cached_property
    def measured(self) -> dict[str, list[Scalar]]:
        """The present measurements of the sensors by name, without noise, delay, rate and cutoff."""
        sensors, numbers = self.context.world.sensors, self.context.numbers["sensors"]
        return {name: sensors[name].read(numbers[name], self.sensor_input) for name in self.sensors}

    def sampled(self) -> SensorMemory | None:
        """Return the memory of sensors after they have measured as a control step begins.

        Return None if no sensor has samples.
        """
        if (before := self.memory.sensors) is None:
            return None
        rows = before.samples.items()
        pushed = {
            name: self._sampling(name).pushed(row, self.measured[name], before.world, self.step) for name, row in rows
        }
        return SensorMemory(before.world, pushed)

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
    def weight(self) -> Scalar:
        """Weight of the figure, at least MIN_WEIGHT [N]."""
        g = world_acceleration(self.context.numbers["gravity"]).v
        mass = total(link.mass_properties.mass for link in self.context.world.figure.links)
        return maximum(mass * sqrt(g.dot(g)), MIN_WEIGHT)

    @property
    def _controller(self) -> Any:
        return self.context.world.controller

    @property
    def driven_links(self) -> list[PlacedLink]:
        """The links with joints that the controller drives."""
        return _links(self.context.world, self._controller.joints)

    @property
    def height(self) -> Scalar:
        """Height of the root's origin above the ground beneath it [m]."""
        p, contact = self.root.position, self.context.ground_contact
        return -contact.ground.surface(contact.numbers, contact.table, p.x, p.y).depth(p.z)


def _links(world: World, names: Sequence[str]) -> list[PlacedLink]:
    return [world.figure.link(name) for name in names]


def _signal_joints(body: SensedBody, sense: str) -> list[str]:
    """Return the names of the links with joints for which the gait has signals of a sense."""
    gait = body.context.world.gait
    return [name for signal in gait.signals.values() if signal.sense == sense for name in signal.joints] if gait else []


SENSES: dict[str, Callable[[SensedBody], Any]] = {
    "angles": lambda body: [body.q[link.q.start] for link in body.driven_links],
    "speeds": lambda body: [body.v[link.v.start] for link in body.driven_links],
    "contacts": lambda body: [where(push > 0.0, 1.0, 0.0) for push in body.normal_forces],
    "loads": lambda body: [push / body.weight for push in body.normal_forces],
    "up": lambda body: list(body.root.rotation.rows[2]),
    "velocity": lambda body: list(body.state.velocities[body.context.world.figure.roots[0].index].v),
    "height": lambda body: body.height,
    "joint_angles": lambda body: {
        link.name: body.q[link.q.start] for link in _links(body.context.world, _signal_joints(body, "joint_angles"))
    },
    "spring_torques": lambda body: {
        name: spring_torque(body.context, body.q, body.memory, name) for name in _signal_joints(body, "spring_torques")
    },
    "q": lambda body: list(body.q),
    "v": lambda body: list(body.v),
    "actuator_outputs": lambda body: actuator_outputs(
        body.context, body.state, body.q, body.memory, StepTime(body.time, 0.0, 0.0)
    ),
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
    senses = {name: SENSES[name](body) for name in requested if name not in sensors}
    return Senses(time, sensors=readings, **senses), sampled
