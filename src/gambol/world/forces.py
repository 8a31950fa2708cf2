"""All forces on a figure in one state of its world, and the power of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from gambol.contact import attachment_force
from gambol.contact.method import SmoothForces, SmoothMethod
from gambol.contact.spring_damper import Tension
from gambol.contact.stepping import Endpoint
from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.joint_forces import joint_force, joint_forces, map_joints, spring_energy
from gambol.figure import WORLD
from gambol.lanes import Scalar, maximum, where
from gambol.spatial import Force, Vector
from gambol.world.actuator_forces import add_actuator_forces
from gambol.world.context import Ledger, Memory, StepContext, StepTime
from gambol.world.medium_forces import buoyancy, medium_drag


@dataclass(frozen=True, slots=True)
class AppliedForces:
    """Forces on a figure, their power, and the stored energy.

    tau: joint forces (nv). f_ext: external forces, by index of the link. power: power of all forces, as rates of the
    ledger [W]. energy: energy of springs, actuators, ground and attachments [J]. spring_torques: by link name [N m].
    normal_forces: normal forces of the ground on links, by index of the link [N]. actuator_rates: rates of the states
    of actuators, in the order of leaves(Memory.actuators). positive_power: power of motors and actuators, in which
    negative powers count as 0 [W].
    """

    tau: list[Scalar]
    f_ext: dict[int, Force]
    power: Ledger
    energy: Scalar
    spring_torques: dict[str, Scalar]
    normal_forces: dict[int, Scalar]
    actuator_rates: list[Scalar]
    positive_power: Scalar


def applied_forces(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory, moment: StepTime
) -> AppliedForces:
    """Return all forces on a figure at a moment.

    context: context of the step. state: kinematics at q (nq) and v (nv). memory: the state besides q and v. moment: the
    time.
    """
    tau, torques, springs, power, positive = _joint_forces(context, q, v, memory, moment)
    actuators = add_actuator_forces(context, state, q, memory, moment, tau)
    contact = contact_forces(context, state, memory)
    f_ext = {index: f.force for index, f in contact.ground.items()}
    for link, force in contact.points.forces.items():
        _add(f_ext, link, force)
    attached_energy, attached_loss = add_attachment_forces(context, state, memory, f_ext)
    spring_damper_energy, spring_damper_loss = add_spring_damper_forces(context, state, f_ext)
    push, drag_power = add_push(context, state, moment, f_ext), _add_drag(context, state, f_ext)
    external_wrenches = wrenches_and_buoyancy(context, state)
    for index, wrench in external_wrenches.items():
        _add(f_ext, index, wrench)
    ground_forces, points = [*contact.ground.values()], contact.points
    total = Ledger(
        power.motors + actuators.source,
        _power_on_links(state, [(context.world.figure.roots[0].index, push), *external_wrenches.items()]),
        power.damping + drag_power + actuators.heat + spring_damper_loss,
        sum((f.normal_loss for f in ground_forces), attached_loss + points.normal_loss),
        sum((f.sliding_loss for f in ground_forces), points.sliding_loss),
    )
    attached_energy = attached_energy + spring_damper_energy
    energy = sum((f.energy for f in ground_forces), springs + attached_energy + points.energy)
    return AppliedForces(
        tau,
        f_ext,
        total,
        energy + actuators.energy,
        torques,
        contact.normal_forces,
        actuators.rates,
        positive + actuators.positive,
    )


def contact_forces(context: StepContext, state: Kinematics, memory: Memory) -> SmoothForces:
    """Return the contact forces of a smooth method; none for the others, which compute them in their steps."""
    if not context.world.method.scheme.compliant:
        return SmoothForces()
    method = cast("SmoothMethod", context.world.method)
    return method.forces(context.scene, state, memory.contact)


def _joint_forces(
    context: StepContext, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory, moment: StepTime
) -> tuple[list[Scalar], dict[str, Scalar], Scalar, Ledger, Scalar]:
    """Return joint forces, spring torques by link name, spring energy, the power of motors and dampers, and the
    positive power of motors: the sum over the joints at which the power of the motors is positive.
    """
    tau: list[Scalar] = [0.0] * context.world.figure.nv
    torques: dict[str, Scalar] = {}
    energy: Scalar = 0.0
    motors: Scalar = 0.0
    positive: Scalar = 0.0
    damping: Scalar = 0.0
    for link in context.world.sprung:
        rest, rate = context.rest_angle(memory, link.name, moment.elapsed)
        force = joint_forces(link.joint.kind, context.numbers["springs"][link.name], q[link.q], v[link.v], rest)
        tau[link.v], torques[link.name] = force.tau, force.springs[0]
        energy = energy + force.energy
        power = force.springs[0] * rate + force.bias_power
        motors, positive = motors + power, positive + maximum(power, 0.0)
        damping = damping + force.dissipated_power
    return tau, torques, energy, Ledger(motors=motors, damping=damping), positive


def stored_energy(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: StepTime
) -> Scalar:
    """Return the energy stored in springs of joints, actuators, attachments and spring-dampers [J].

    state: kinematics at q (nq) with zero velocities; memory, moment: as for applied_forces().
    """
    external, nv = context.world.external, context.world.figure.nv
    energy: Scalar = 0.0
    links, springs = context.world.sprung, context.numbers["springs"]
    rests = [context.rest_angle(memory, link.name, moment.elapsed)[0] for link in links]
    items = [(springs[x.name], q[x.q], rest) for x, rest in zip(links, rests, strict=True)]
    energy = sum(map_joints(spring_energy, [link.joint.kind for link in links], items), energy)
    if external.attachments:
        energy = energy + add_attachment_forces(context, state, memory, {})[0]
    if external.spring_dampers:
        energy = energy + add_spring_damper_forces(context, state, {})[0]
    if context.world.actuators:
        energy = energy + add_actuator_forces(context, state, q, memory, moment, [0.0] * nv).energy
    return energy


def spring_torque(context: StepContext, q: Sequence[Scalar], memory: Memory, name: str) -> Scalar:
    """Return the torque of a joint's springs at the beginning of a control step [N m].

    q (nq); memory: the state besides q and v; name: name of a link with a joint of one coordinate.
    """
    rest, _ = context.rest_angle(memory, name, 0.0)
    angle = q[context.world.figure.link(name).q.start]
    return joint_force(context.numbers["springs"][name][0], angle, 0.0, rest[0]).spring


@dataclass(frozen=True, slots=True)
class _LinkPoint:
    """One end of an attachment: index of its link, and the point in coordinates of the link (or of the world)."""

    link: int
    point: Vector


def _attachments(
    context: StepContext, memory: Memory
) -> Iterator[tuple[dict[str, Scalar], Scalar, _LinkPoint, _LinkPoint]]:
    """Yield for each attachment its inputs, 1 if it is intact (else 0), and its two ends."""
    figure = context.world.figure
    for attachment, numbers, intact in zip(
        context.world.external.attachments, context.numbers["attachments"], memory.intact, strict=True
    ):
        other = WORLD if attachment.other is None else figure.link(attachment.other).index
        yield (
            numbers,
            intact,
            _LinkPoint(figure.link(attachment.link).index, Vector(*attachment.point)),
            _LinkPoint(other, Vector(*attachment.other_point)),
        )


def _stretch(state: Kinematics, first: _LinkPoint, second: _LinkPoint) -> Vector:
    """Return the vector from the second end to the first [m]."""
    return state.point_position(first.link, first.point) - state.point_position(second.link, second.point)


def add_attachment_forces(
    context: StepContext, state: Kinematics, memory: Memory, f_ext: dict[int, Force]
) -> tuple[Scalar, Scalar]:
    """Add the forces of attachments to f_ext; return their energy [J] and loss [W]."""
    energy: Scalar = 0.0
    loss: Scalar = 0.0
    for numbers, intact, first, second in _attachments(context, memory):
        velocity = state.point_velocity(first.link, first.point) - state.point_velocity(second.link, second.point)
        pull, spring_energy, power_loss = attachment_force(numbers, intact, _stretch(state, first, second), velocity)
        for end, force in ((first, pull), (second, -pull)):
            if end.link != WORLD:
                _add(f_ext, end.link, state.force_on_link(end.link, end.point, force))
        energy, loss = energy + spring_energy, loss + power_loss
    return energy, loss


def tensions(
    context: StepContext, state: Kinematics, h: Scalar | None = None
) -> Iterator[tuple[Tension, Endpoint, Endpoint]]:
    """Yield the tension of each spring-damper and its two ends.

    state: state of the figure. h: length of a large step with this middle [s]; None: at one time.
    """
    figure = context.world.figure
    for spring, numbers in zip(context.world.external.spring_dampers, context.numbers["spring_dampers"], strict=True):
        other = WORLD if spring.other is None else figure.link(spring.other).index
        ends = (figure.link(spring.link).index, Vector(*spring.point)), (other, Vector(*spring.other_point))
        first, second = (Endpoint(link, state.point_position(link, point)) for link, point in ends)
        first_velocity, second_velocity = (state.point_velocity(link, point) for link, point in ends)
        yield (
            spring.tension(numbers, first.point - second.point, first_velocity - second_velocity, h),
            first,
            second,
        )


def add_spring_damper_forces(context: StepContext, state: Kinematics, f_ext: dict[int, Force]) -> tuple[Scalar, Scalar]:
    """Add the forces of spring-dampers to f_ext; return their energy [J] and loss [W]."""
    energy: Scalar = 0.0
    loss: Scalar = 0.0
    for tension, first, second in tensions(context, state):
        for end, force in ((first, tension.force), (second, -tension.force)):
            if end.link != WORLD:
                point = state.poses[end.link].inverse @ end.point
                _add(f_ext, end.link, state.force_on_link(end.link, point, force))
        energy, loss = energy + tension.energy, loss + tension.loss
    return energy, loss


def updated_attachments(context: StepContext, state: Kinematics, memory: Memory) -> tuple[list[Scalar], Scalar]:
    """Return a mask of the attachments that are intact after a step, and the energy of those that broke [J]."""
    intact_after: list[Scalar] = []
    released: Scalar = 0.0
    for numbers, intact, first, second in _attachments(context, memory):
        stretch = _stretch(state, first, second)
        breaks = stretch.dot(stretch) > numbers["breaks_at"] * numbers["breaks_at"]
        intact_after.append(where(breaks, 0.0, intact))
        released = released + where(breaks, attachment_force(numbers, intact, stretch, stretch * 0.0)[1], 0.0)
    return intact_after, released


def after_breaks(
    context: StepContext, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory
) -> tuple[Memory, Scalar]:
    """Return memory after a step to q (nq) and v (nv), and the energy that breaking attachments released [J]."""
    if not memory.intact:
        return memory, 0.0
    intact, released = updated_attachments(context, kinematics(context.world.figure, q, v), memory)
    return replace(memory, intact=intact), released


def add_push(context: StepContext, state: Kinematics, moment: StepTime, f_ext: dict[int, Force]) -> Force:
    """Add the external push at the centre of mass of the first root to f_ext; return it in root coordinates.

    The push is constant in a step, since steps end when it begins and ends, see control_loop.py. If a step cannot end
    at that time, since another required end of a step is too near, the mean force acts in this step, so that the
    impulse is exact.
    """
    x, y, z, start, end = context.numbers["push"]
    fraction, root = moment.fraction_between(start, end, context.world.timing.resolution), context.world.figure.roots[0]
    push = state.force_on_link(root.index, Vector(*root.mass_properties.com), Vector(x, y, z) * fraction)
    _add(f_ext, root.index, push)
    return push


def wrenches(context: StepContext, state: Kinematics) -> dict[int, Force]:
    """Return the external wrenches of External.wrenches, in link coordinates, by index of the link."""
    wrench_by_link: dict[int, Force] = {}
    for name, (*moment, fx, fy, fz) in context.numbers["wrenches"].items():
        index = context.world.figure.link(name).index
        to_link = state.poses[index].rotation.transpose
        wrench_by_link[index] = Force(to_link @ Vector.of(moment), to_link @ Vector(fx, fy, fz))
    return wrench_by_link


def wrenches_and_buoyancy(context: StepContext, state: Kinematics) -> dict[int, Force]:
    """Return the sum of external wrenches and buoyancy, in link coordinates, by index of the link."""
    acting = wrenches(context, state)
    for link, lift in buoyancy(context, state).items():
        _add(acting, link, lift)
    return acting


def _power_on_links(state: Kinematics, forces: Sequence[tuple[int, Force]]) -> Scalar:
    """Return the total power of external forces on links [W]. forces: index of the link, and force in its axes."""
    first, *others = (state.velocities[index].dot(force) for index, force in forces)
    return sum(others, first)


def _add_drag(context: StepContext, state: Kinematics, f_ext: dict[int, Force]) -> Scalar:
    """Add the drag of the medium to f_ext; return the power that it dissipates [W]."""
    loss: Scalar = 0.0
    for link, force in medium_drag(context, state).items():
        _add(f_ext, link, force)
        loss = loss - state.velocities[link].dot(force)
    return loss


def _add(f_ext: dict[int, Force], link: int, force: Force) -> None:
    f_ext[link] = f_ext[link] + force if link in f_ext else force
