"""Forces and accelerations that sensors read: all forces of a moment, and the contact forces of the last step.

    M a = tau + J^T p / h        p: impulses of contacts, limits and dry friction in the last step of h

Compliant contact has no p: its forces follow from the state.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from gambol.contact.generation.joint_constraints import friction_joints, joint_limits, limited_joints
from gambol.contact.memory import ContactCache
from gambol.dynamics import Kinematics, kinetic_energy, potential_energy
from gambol.dynamics.bodies import world_acceleration
from gambol.dynamics.method import accelerations, closing_forces
from gambol.dynamics.rnea import joint_wrenches
from gambol.lanes import Scalar, Subprogram, total, where
from gambol.sensing import SensedContact
from gambol.spatial import Force, Motion, Vector
from gambol.spatial.motion import NO_FORCE
from gambol.world.actuator_forces import DrivenActuator, driven_actuators
from gambol.world.contact_points import point_forces, possible_contacts
from gambol.world.context import Memory, StepContext, StepTime
from gambol.world.forces import AppliedForces, applied_forces
from gambol.world.path_forces import force_along, path_forces


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
        tau, f_ext = self.total_forces
        return accelerations(self.context.world.dynamics, self.state, tau, f_ext=f_ext, **self._given)[0]

    @property
    def _given(self) -> dict[str, Any]:
        """Gravity, and the acceleration of a prescribed base, as arguments of accelerations()."""
        world = self.context.world
        base = world.external.base_acceleration
        time, q, v = self.moment.time, self.state.q, self.state.v
        prescribed = {} if base is None else {world.figure.root.index: base(time, q, v)}
        return {"gravity": self.context.numbers["gravity"], "prescribed": prescribed}

    @cached_property
    def proper_accelerations(self) -> Sequence[Motion]:
        """Accelerations of all links' origins minus gravity, in link axes, by index of the link."""
        upward = world_acceleration(self.context.numbers["gravity"])
        return self.state.accelerations(self.joint_accelerations, upward)

    @cached_property
    def joint_wrenches(self) -> Sequence[Force]:
        """Wrench of the parent on each link, by index of the link."""
        tau, f_ext = self.total_forces
        loops = closing_forces(self.context.world.dynamics, self.state, tau, f_ext=f_ext, **self._given)
        paths = (path_forces(self.state, driven) for driven in self._actuators.values())
        f_ext = dict(f_ext)
        for forces in (loops, *paths):
            for link, force in forces.items():
                f_ext[link] = f_ext.get(link, NO_FORCE) + force
        gravity = self.context.numbers["gravity"]
        return joint_wrenches(self.state, self.joint_accelerations, f_ext=f_ext, gravity=gravity)

    @cached_property
    def actuator_forces(self) -> Sequence[Scalar]:
        """Forces of actuators with commands and of driven springs at all freedoms (nv)."""
        world, tau = self.context.world, list[Scalar]([0.0] * self.context.world.figure.nv)
        for driven in self._actuators.values():
            if driven.actuator.commands:
                for dof, force in zip(driven.dofs, driven.actuator.force(driven.numbers, driven.input), strict=True):
                    tau[dof] = tau[dof] + driven.fraction * force
        for name in world.driven:
            dof = world.figure.link(name).v.start
            tau[dof] = tau[dof] + self.applied.spring_torques[name]
        return tau

    @cached_property
    def _actuators(self) -> dict[str, DrivenActuator]:
        """The actuators of the world by name."""
        found = driven_actuators(self.context, self.state, self.state.q, self.memory, self.moment)
        return {driven.name: driven for driven in found}

    def actuator_force(self, name: str) -> Scalar:
        """Return the force of an actuator along its path [N], negative where it pulls; else at its joint [N m or N]."""
        return force_along(self._actuators[name])

    def path_motion(self, name: str) -> tuple[Scalar, Scalar]:
        """Return length [m] and rate [m/s] of the path of an actuator."""
        driven = self._actuators[name]
        with_path = cast("Any", driven.actuator)
        return with_path.path.motion(driven.numbers["path"], driven.input)

    def path_limit_force(self, name: str) -> Scalar:
        """Return the force of the limit of the path of an actuator, towards its range; 0 within the range [N]."""
        driven = self._actuators[name]
        return driven.fraction * cast("Any", driven.actuator).limit_force(driven.numbers, driven.input)

    def joint_bounds(self, link: str) -> tuple[Scalar, Scalar]:
        """Return the limits of the joint of a link with one degree of freedom [rad or m]."""
        springs, limits = self.context.world.resolved_springs, self.context.numbers["limits"]
        if link not in springs:
            return -math.inf, math.inf
        lower, upper = limits[link][0] if limits else (springs[link][0].lower, springs[link][0].upper)
        return lower, upper

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
