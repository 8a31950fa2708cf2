"""Forces and accelerations that sensors read: all forces of a moment, and the contact forces of the last step.

    M a = tau + J^T p / h        p: impulses of contacts, limits and dry friction in the last step of h

Compliant contact has no p: its forces follow from the state.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gambol.contact.generation.joint_constraints import friction_joints, joint_limits, limited_joints
from gambol.contact.memory import ContactCache
from gambol.dynamics import Kinematics, kinetic_energy, potential_energy
from gambol.dynamics.bodies import world_acceleration
from gambol.dynamics.method import accelerations
from gambol.dynamics.rnea import joint_wrenches
from gambol.lanes import Scalar, Subprogram, total, where
from gambol.sensing import SensedContact
from gambol.spatial import Force, Motion, Vector
from gambol.world.actuator_forces import add_actuator_forces
from gambol.world.contact_points import point_forces, possible_contacts
from gambol.world.context import Memory, StepContext, StepTime
from gambol.world.forces import AppliedForces, applied_forces


@dataclass(frozen=True)
class SensedDynamics:
    """Forces and accelerations of a world at a moment; each is computed only if it is read.

    state: kinematics, with velocities. memory: the complete memory, with the commands of actuators.
    """

    context: StepContext
    state: Kinematics
    memory: Memory
    moment: StepTime

    @cached_property
    def applied(self) -> AppliedForces:
        """All forces without the contact forces that the contact cache stores."""
        return applied_forces(self.context, self.state, self.state.q, self.state.v, self.memory, self.moment)

    @cached_property
    def contacts(self) -> Sequence[SensedContact]:
        """All possible contacts, with the mean forces of the last step, or the present forces of contact springs."""
        cache = self.memory.contact_cache
        points = point_forces(self.context, self.state, self.memory)
        pairs = possible_contacts(self.context.world)
        if cache is None:
            forces = [f.force for f in points]
        else:
            impulses, rate = _impulses(cache, len(points)), _rate(cache)
            forces = [
                (f.normal * p[0] + f.force * p[1] + f.normal.cross(f.force) * p[2]) * rate
                for f, p in zip(points, impulses, strict=True)
            ]
        rows = zip(pairs, points, forces, strict=True)
        return [SensedContact(link, other, f.point, f.normal, f.gap, force) for (link, other), f, force in rows]

    @cached_property
    def limit_forces(self) -> list[Scalar]:
        """Forces of rigid joint limits in the last step (nv)."""
        forces: list[Scalar] = [0.0] * self.context.world.figure.nv
        if (cache := self.memory.contact_cache) is not None:
            rate, first = _rate(cache), self._contact_slots
            limits = joint_limits(self.context.scene, self.state.q, self.state.v, cache.step_size)
            for limit, (p,) in zip(limits, cache.impulses[first:], strict=False):
                for dof, sign in limit.J.items():
                    forces[dof] = forces[dof] + sign * p * rate
        return forces

    @cached_property
    def total_forces(self) -> tuple[list[Scalar], dict[int, Force]]:
        """Forces at all freedoms (nv), and on links in link coordinates, by index of the link."""
        tau = [x + y for x, y in zip(self.applied.tau, self.limit_forces, strict=True)]
        f_ext = dict(self.applied.f_ext)
        if (cache := self.memory.contact_cache) is None:
            return tau, f_ext
        rate, scene = _rate(cache), self.context.scene
        first = self._contact_slots + len(limited_joints(scene))
        for (_, _, dof), (p,) in zip(friction_joints(scene), cache.impulses[first:], strict=False):
            tau[dof] = tau[dof] + p * rate
        for c in self.contacts:
            for link, force in ((c.link, c.force), (c.other, -c.force)):
                if link:
                    wrench = self._wrench(link, c.point, force)
                    f_ext[link] = f_ext[link] + wrench if link in f_ext else wrench
        return tau, f_ext

    @cached_property
    def joint_accelerations(self) -> list[Scalar]:
        """Accelerations of all freedoms (nv)."""
        world, numbers = self.context.world, self.context.numbers
        base = world.external.base_acceleration
        time, q, v = self.moment.time, self.state.q, self.state.v
        prescribed = {} if base is None else {world.figure.root.index: base(time, q, v)}
        tau, f_ext = self.total_forces
        forces = {"f_ext": f_ext, "gravity": numbers["gravity"]}
        return accelerations(world.dynamics, self.state, tau, **forces, prescribed=prescribed)[0]

    @cached_property
    def proper_accelerations(self) -> Sequence[Motion]:
        """Accelerations of all links' origins minus gravity, in link axes, by index of the link."""
        upward = world_acceleration(self.context.numbers["gravity"])
        return self.state.accelerations(self.joint_accelerations, upward)

    @cached_property
    def joint_wrenches(self) -> Sequence[Force]:
        """Wrench of the parent on each link, by index of the link."""
        f_ext, gravity = self.total_forces[1], self.context.numbers["gravity"]
        return joint_wrenches(self.state, self.joint_accelerations, f_ext=f_ext, gravity=gravity)

    @cached_property
    def actuator_forces(self) -> Sequence[Scalar]:
        """Forces of actuators and of driven springs at all freedoms (nv)."""
        world, tau = self.context.world, list[Scalar]([0.0] * self.context.world.figure.nv)
        add_actuator_forces(self.context, self.state, self.state.q, self.memory, self.moment, tau)
        for name in world.driven:
            dof = world.figure.link(name).v.start
            tau[dof] = tau[dof] + self.applied.spring_torques[name]
        return tau

    @property
    def kinetic_energy(self) -> Scalar:
        """Kinetic energy [J]."""
        return kinetic_energy(self.state)

    @property
    def potential_energy(self) -> Scalar:
        """Potential energy of gravity, springs, actuators and contact springs [J]."""
        return potential_energy(self.state, self.context.numbers["gravity"]) + self.applied.energy

    @property
    def _contact_slots(self) -> int:
        """Number of contacts of the contact cache, before its rows of joints."""
        cache = self.memory.contact_cache
        assert cache is not None
        return len(cache.indices) or len(possible_contacts(self.context.world))

    def _wrench(self, link: int, point: Vector, force: Vector) -> Force:
        """Return the wrench on a link, in link coordinates, of a force at a point, both in the world."""
        pose = self.state.poses[link]
        return self.state.force_on_link(link, pose.rotation.transpose @ (point - pose.position), force)


def _rate(cache: ContactCache) -> Scalar:
    """Return one over the length of the last step [1/s]; 0 before the first."""
    has_step = cache.step_size > 0.0
    return where(has_step, 1.0 / where(has_step, cache.step_size, 1.0), 0.0)


def _impulses(cache: ContactCache, count: int) -> list[list[Scalar]]:
    """Return the impulse of each possible contact: along the normal and both tangents [N s]."""
    if not cache.indices:
        return cache.impulses[:count]
    slots = cache.impulses[: len(cache.indices)]

    def impulse_of(number: Scalar, indices: list[Scalar], impulses: list[list[Scalar]]) -> list[Scalar]:
        matches = [where(index == number, 1.0, 0.0) for index in indices]
        return [total(match * p[k] for match, p in zip(matches, impulses, strict=True)) for k in range(3)]

    lookup = Subprogram(impulse_of)
    return [lookup(float(k), cache.indices, slots) for k in range(count)]
