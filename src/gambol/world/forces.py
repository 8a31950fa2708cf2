"""All that acts on a figure in one state of its world, where each part's power goes, and what steps leave settled."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gambol.contact import Anchor, Felt, attach_pull, total_felt
from gambol.control.actuator import servo
from gambol.dynamics import Kinematics
from gambol.dynamics.joint_forces import joint_force, joint_forces
from gambol.figure import WORLD, PlacedLink
from gambol.lanes import Scalar, when, where
from gambol.spatial import Force, Motion, Transform, Vector
from gambol.spatial.rotation import exactly
from gambol.world.encounters.pairs import Pressing, between_parts
from gambol.world.encounters.places import Place, contact_places, gripping, grouped, near_ground
from gambol.world.laws import CRUMB, Laws, Ledger, Memory, Moment


@dataclass(frozen=True, slots=True)
class Acting:
    """Forces on a figure: tau (nv), f_ext by link number, their power, and the energy stored behind them [J].

    torques: of the springs, by link name. pushes: the ground's normal force on links, by number [N].
    """

    tau: list[Scalar]
    f_ext: dict[int, Force]
    power: Ledger
    energy: Scalar
    torques: dict[str, Scalar]
    pushes: dict[int, Scalar]


def acting(
    laws: Laws, state: Kinematics, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory, at: Moment
) -> Acting:
    """All that acts at a moment."""
    tau, torques, springs, power = _at_joints(laws, q, v, memory, at)
    work = from_actuators(laws, q, v, memory, at, tau)
    smooth = laws.world.contact == "penalty"
    felt = _felt(laws, state, memory, laws.world.figure.links) if smooth else {}
    f_ext = {index: f.force for index, f in felt.items()}
    pressing = between_parts(laws, state) if smooth else Pressing({})
    for link, force in pressing.forces.items():
        _add(f_ext, link, force)
    attached_energy, attached_loss = from_attachments(laws, state, memory, f_ext)
    push, dragged = from_shove(laws, state, at, f_ext), from_medium(laws, state, f_ext)
    contact = [*felt.values()]
    total = Ledger(
        power.motors + work,
        state.velocities[laws.world.figure.roots[0].index].dot(push),
        power.damping + dragged,
        sum((f.normal_loss for f in contact), attached_loss + pressing.normal_loss),
        sum((f.sliding_loss for f in contact), pressing.sliding_loss),
    )
    energy = sum((f.energy for f in contact), springs + attached_energy + pressing.energy)
    return Acting(tau, f_ext, total, energy, torques, {index: f.push for index, f in felt.items()})


def _at_joints(
    laws: Laws, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory, at: Moment
) -> tuple[list[Scalar], dict[str, Scalar], Scalar, Ledger]:
    """Joint forces, the springs' torques, their energy, and the power of motors and dampers."""
    tau: list[Scalar] = [0.0] * laws.world.figure.nv
    torques: dict[str, Scalar] = {}
    energy: Scalar = 0.0
    motors: Scalar = 0.0
    damping: Scalar = 0.0
    for link in laws.world.sprung:
        rest, rate = laws.rest_angle(memory, link.name, at.elapsed)
        force = joint_forces(link.joint.kind, laws.numbers["springs"][link.name], q[link.q], v[link.v], rest)
        tau[link.v], torques[link.name] = force.tau, force.springs[0]
        energy = energy + force.energy
        motors = motors + force.springs[0] * rate + force.driven
        damping = damping + force.loss
    return tau, torques, energy, Ledger(motors=motors, damping=damping)


def from_actuators(
    laws: Laws, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory, at: Moment, tau: list[Scalar]
) -> Scalar:
    """Adds the pull of actuators to tau (nv); returns its power."""
    power: Scalar = 0.0
    for freedom, numbers, lag in lags(laws, q, memory, at.elapsed):
        force = servo(numbers, lag, v[freedom])
        tau[freedom] = tau[freedom] + force
        power = power + force * v[freedom]
    return power


def lags(
    laws: Laws, q: Sequence[Scalar], memory: Memory, elapsed: Scalar
) -> Iterator[tuple[int, Mapping[str, Scalar], Scalar]]:
    """Of every actuator: its freedom, its numbers, and how far q is behind its target some time into a frame [s]."""
    for name, numbers in laws.numbers["actuators"].items():
        link = laws.world.figure.link(name)
        yield link.v.start, numbers, laws.target(memory, name, elapsed)[0] - q[link.q.start]


def spring_torque(laws: Laws, q: Sequence[Scalar], memory: Memory, name: str) -> Scalar:
    """The torque of one joint's springs at the beginning of a frame [N m]; the joint has a single coordinate."""
    rest, _ = laws.rest_angle(memory, name, 0.0)
    angle = q[laws.world.figure.link(name).q.start]
    return joint_force(laws.numbers["springs"][name][0], angle, 0.0, rest[0]).spring


def held_or_near(laws: Laws, pose: Transform, places: Sequence[Place], anchors: Sequence[Anchor]) -> Scalar:
    """Whether some points of a foot may feel the ground: they are near it, or one of them holds it."""
    condition = near_ground(laws, pose, places)
    for anchor in anchors:
        condition = condition | (anchor.held > 0.5)
    return condition


def pushes_on(laws: Laws, state: Kinematics, memory: Memory, links: Sequence[int]) -> dict[int, Scalar]:
    """The normal force of ground that gives way, on some links by number [N]."""
    felt = _felt(laws, state, memory, [laws.world.figure.links[index - 1] for index in links])
    return {index: f.push for index, f in felt.items()}


def _felt(laws: Laws, state: Kinematics, memory: Memory, links: Sequence[PlacedLink]) -> dict[int, Felt]:
    """What the ground does to each of some links that can touch it. One in the air costs only the test that it is."""
    felt: dict[int, Felt] = {}
    feet = dict(zip(laws.world.feet, memory.anchors, strict=True))
    for link in filter(lambda link: laws.world.figure.moves(link.index), links):
        places, pose, velocity = contact_places(link), state.poses[link.index], state.velocities[link.index]
        if link.name in feet and laws.world.grips:
            felt[link.index] = _under_foot(laws, link, pose, velocity, feet[link.name])
        elif places:
            felt[link.index] = when(near_ground(laws, pose, places), laws.plain, pose, velocity, places)
    return felt


def _under_foot(laws: Laws, link: PlacedLink, pose: Transform, velocity: Motion, anchors: Sequence[Anchor]) -> Felt:
    """What the ground does to a foot, group of points after group; its balls skid."""
    parts: list[Felt] = []
    for group, held in zip(grouped(gripping(link)), grouped(anchors), strict=True):
        near = held_or_near(laws, pose, group, held)
        parts.append(when(near, laws.foot, pose, velocity, group, held))
    if balls := [(place, radius) for place, radius in contact_places(link) if not exactly(radius, 0.0)]:
        parts.append(when(near_ground(laws, pose, balls), laws.plain, pose, velocity, balls))
    return total_felt(parts)


def settled_feet(laws: Laws, state: Kinematics, memory: Memory) -> tuple[list[list[Anchor]], Scalar]:
    """The anchors of all feet after a step, and the energy that bristles and holds let go [J]."""
    anchors: list[list[Anchor]] = []
    released: Scalar = 0.0
    if not laws.world.grips:
        return memory.anchors, released
    for name, old in zip(laws.world.feet, memory.anchors, strict=True):
        link, stance = laws.world.figure.link(name), laws.stance_of(memory, name)
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        anchors.append([])
        for places, held in zip(grouped(gripping(link)), grouped(old), strict=True):
            near = held_or_near(laws, pose, places, held)
            new, energy = when(near, laws.settle, pose, velocity, places, held, stance)
            anchors[-1] += new
            released = released + energy
    return anchors, released


@dataclass(frozen=True, slots=True)
class _End:
    """One end of an attachment: the number of its link and the point, in link or world coordinates."""

    link: int
    point: Vector


def _attachments(laws: Laws, memory: Memory) -> Iterator[tuple[dict[str, Scalar], Scalar, _End, _End]]:
    """Of every attachment: its numbers, whether it is whole, and its two ends."""
    figure = laws.world.figure
    for given, numbers, whole in zip(laws.world.attachments, laws.numbers["attachments"], memory.whole, strict=True):
        other = WORLD if given.other is None else figure.link(given.other).index
        yield (
            numbers,
            whole,
            _End(figure.link(given.link).index, Vector(*given.point)),
            _End(other, Vector(*given.other_point)),
        )


def _stretch(state: Kinematics, here: _End, there: _End) -> Vector:
    """From the second end to the first [m]."""
    return state.point_position(here.link, here.point) - state.point_position(there.link, there.point)


def from_attachments(laws: Laws, state: Kinematics, memory: Memory, f_ext: dict[int, Force]) -> tuple[Scalar, Scalar]:
    """Adds the forces of attachments to f_ext; returns their energy and loss."""
    energy: Scalar = 0.0
    loss: Scalar = 0.0
    for numbers, whole, here, there in _attachments(laws, memory):
        velocity = state.point_velocity(here.link, here.point) - state.point_velocity(there.link, there.point)
        pull, stored, lost = attach_pull(numbers, whole, _stretch(state, here, there), velocity)
        for end, force in ((here, pull), (there, -pull)):
            if end.link != WORLD:
                _add(f_ext, end.link, state.force_on_link(end.link, end.point, force))
        energy, loss = energy + stored, loss + lost
    return energy, loss


def settled_attachments(laws: Laws, state: Kinematics, memory: Memory) -> tuple[list[Scalar], Scalar]:
    """Which attachments are whole after a step, and the energy of those that broke [J]."""
    kept: list[Scalar] = []
    released: Scalar = 0.0
    for numbers, whole, here, there in _attachments(laws, memory):
        stretch = _stretch(state, here, there)
        breaks = stretch.dot(stretch) > numbers["breaks_at"] * numbers["breaks_at"]
        kept.append(where(breaks, 0.0, whole))
        released = released + where(breaks, attach_pull(numbers, whole, stretch, stretch * 0.0)[1], 0.0)
    return kept, released


def from_shove(laws: Laws, state: Kinematics, at: Moment, f_ext: dict[int, Force]) -> Force:
    """Adds a push at the centre of mass of the root, or of a forest's first, to f_ext; returns it, in its coordinates.

    It is on or off for a whole step, which ends where a push begins or ends: see frames.py.
    """
    x, y, z, start, end = laws.numbers["shove"]
    crumb = CRUMB * laws.world.timing.frame
    on = where((at.until(start) <= crumb) & (at.until(end) > crumb), 1.0, 0.0)
    root = laws.world.figure.roots[0]
    push = state.force_on_link(root.index, Vector(*root.mass_properties.com), Vector(x, y, z) * on)
    _add(f_ext, root.index, push)
    return push


def from_medium(laws: Laws, state: Kinematics, f_ext: dict[int, Force]) -> Scalar:
    """Adds the drag of the medium to f_ext; returns the power that it takes."""
    loss: Scalar = 0.0
    for link, force in drags(laws, state).items():
        _add(f_ext, link, force)
        loss = loss - state.velocities[link].dot(force)
    return loss


def drags(laws: Laws, state: Kinematics, h: Scalar | None = None) -> dict[int, Force]:
    """The drag of the medium on links, by number; h: the step that it lasts for [s], None where it is followed."""
    medium, boxes = laws.numbers["medium"], laws.world.dragged
    return {link: box.drag(medium, state.velocities[link], h) for link, box in boxes.items()}


def _add(f_ext: dict[int, Force], link: int, force: Force) -> None:
    f_ext[link] = f_ext[link] + force if link in f_ext else force
