"""All that acts on a figure in one state of its world, and where each part's power goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.contact import Anchor, Felt, GroundTouch, attach_pull, total_felt
from gambol.control import STEP, GaitMemory
from gambol.dynamics import Kinematics
from gambol.dynamics.joint_forces import joint_force
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, Subprogram, when, where
from gambol.spatial import Force, Motion, Transform, Vector
from gambol.world.world import World


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where energy went [J], or, of a moment, how fast it goes there [W].

    motors, outside: work done on the figure by its motors and by pushes or a moved base. damping, impact, sliding: what
    joint dampers, the ground's normal force, and friction or the breaking of holds took.
    """

    motors: Scalar = 0.0
    outside: Scalar = 0.0
    damping: Scalar = 0.0
    impact: Scalar = 0.0
    sliding: Scalar = 0.0


@dataclass(frozen=True, slots=True)
class Acting:
    """Forces on a figure: tau (nv), f_ext by link number, their power, and the energy stored behind them [J].

    torques: of the springs, by link name. pushes: the ground's normal force on each foot [N].
    """

    tau: list[Scalar]
    f_ext: dict[int, Force]
    power: Ledger
    energy: Scalar
    torques: dict[str, Scalar]
    pushes: list[Scalar]


@dataclass(frozen=True)
class Laws:
    """The laws of one world while a step is traced: its structure and its numbers together."""

    world: World
    numbers: Mapping[str, Any]
    touching: GroundTouch
    plain: Subprogram
    foot: Subprogram
    settle: Subprogram

    @staticmethod
    def of(world: World, numbers: Mapping[str, Any], table: Any) -> "Laws":
        """The laws of a world with given numbers, of the form of world.numbers(), and the table of its ground."""
        touching = GroundTouch(world.ground, numbers["ground"], table, numbers["touch"], numbers["stick"])
        return Laws(
            world, numbers, touching, Subprogram(touching.plain), Subprogram(touching.foot), Subprogram(touching.settle)
        )


@dataclass(frozen=True, slots=True)
class Memory:
    """What is not integrated: gait, anchors of each foot's points, and which attachments are whole (1) or broken (0)."""

    gait: GaitMemory | None
    anchors: list[list[Anchor]]
    whole: list[Scalar]


def acting(laws: Laws, state: Kinematics, q: Sequence[Scalar], v: Sequence[Scalar], memory: Memory, at: "Moment") -> Acting:
    """All that acts at a moment."""
    tau, torques, springs, power = _at_joints(laws, q, v, memory, at)
    f_ext, felt = _from_ground(laws, state, memory)
    attached_energy, attached_loss = _from_attachments(laws, state, memory, f_ext)
    pushed = _from_shove(laws, state, at, f_ext)
    contact = [*felt.values()]
    total = Ledger(
        power.motors,
        pushed,
        power.damping,
        sum((f.normal_loss for f in contact), attached_loss),
        sum((f.sliding_loss for f in contact), 0.0),
    )
    energy = sum((f.energy for f in contact), springs + attached_energy)
    pushes = [felt[laws.world.figure.link(name).index].push for name in laws.world.feet]
    return Acting(tau, f_ext, total, energy, torques, pushes)


@dataclass(frozen=True, slots=True)
class Moment:
    """time [s], and how much of it has gone by since the last frame [s]."""

    time: Scalar
    elapsed: Scalar


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
        rest, rate = rest_angle(laws, memory, link.name, at.elapsed)
        numbers = laws.numbers["springs"][link.name]
        k = link.v.start
        force = joint_force(numbers, q[link.q.start], v[k], rest)
        tau[k], torques[link.name] = force.total, force.spring
        energy = energy + force.energy
        motors = motors + force.spring * rate + (force.total - force.spring - force.lost) * v[k]
        damping = damping - force.lost * v[k]
    return tau, torques, energy, Ledger(motors=motors, damping=damping)


def rest_angle(laws: Laws, memory: Memory, name: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
    """A sprung joint's rest angle and its rate, some time into a frame."""
    controller = laws.world.controller
    if controller is not None and memory.gait is not None and name in controller.joints:
        return controller.rest_angle(memory.gait, name, elapsed)
    return laws.numbers["rest"][name], 0.0


def spring_torque(laws: Laws, q: Sequence[Scalar], memory: Memory, name: str) -> Scalar:
    """The torque of one joint's springs at the beginning of a frame [N m]."""
    link = laws.world.figure.link(name)
    rest, _ = rest_angle(laws, memory, name, 0.0)
    return joint_force(laws.numbers["springs"][name], q[link.q.start], 0.0, rest).spring


def stance_of(laws: Laws, memory: Memory, foot: str) -> Scalar:
    """1 while the leg of a foot stands, 0 while it steps; always 1 without a controller."""
    controller = laws.world.controller
    if controller is None or memory.gait is None:
        return 1.0
    owner = next((i for i, leg in enumerate(controller.legs) if leg.foot == foot), None)
    return 1.0 if owner is None else where(memory.gait.state[owner] < STEP - 0.5, 1.0, 0.0)


def foot_places(link: PlacedLink) -> list[tuple[Vector, Scalar]]:
    """The contact points of a link, along its longest extent: places in link coordinates and radii [m]."""
    points = link.contact_points()
    spans = [max(p.position[k] for p in points) - min(p.position[k] for p in points) for k in range(3)] if points else [0.0]
    longest = spans.index(max(spans))
    return [(Vector(*p.position), p.radius) for p in sorted(points, key=lambda p: p.position[longest])]


def grouped(items: Sequence[Any]) -> list[list[Any]]:
    """Things in order, in groups of a few: points near each other are tested against the ground as one."""
    return [list(items[k : k + GROUP]) for k in range(0, len(items), GROUP)]


GROUP = 4
"""Contact points tested as one: the end face of a box, so that a standing foot's upper end costs nothing."""


def near_ground(laws: Laws, pose: Transform, places: Sequence[tuple[Vector, float]]) -> Scalar:
    """Whether any of some contact points may be inside the ground: their box's lowest point is below the highest ground."""
    lows = [min(place[k] - radius for place, radius in places) for k in range(3)]
    highs = [max(place[k] + radius for place, radius in places) for k in range(3)]
    half = [0.5 * (high - low) for low, high in zip(lows, highs, strict=True)]
    centre = pose @ Vector.of([0.5 * (high + low) for low, high in zip(lows, highs, strict=True)])
    down = sum((abs(entry) * h for entry, h in zip(pose.rotation.rows[2], half, strict=True)), 0.0)
    radius = sum(h * h for h in half) ** 0.5
    touching = laws.touching
    return centre.z - down < touching.ground.highest(touching.numbers, touching.table, centre.x, centre.y, radius)


def held_or_near(laws: Laws, pose: Transform, places: Sequence[tuple[Vector, float]], anchors: Sequence[Anchor]) -> Scalar:
    """Whether some points of a foot may feel the ground: they are near it, or one of them holds it."""
    condition = near_ground(laws, pose, places)
    for anchor in anchors:
        condition = condition | (anchor.held > 0.5)
    return condition


def _from_ground(laws: Laws, state: Kinematics, memory: Memory) -> tuple[dict[int, Force], dict[int, Felt]]:
    """What the ground does to each link that can touch it. A link in the air costs only the test that it is."""
    felt: dict[int, Felt] = {}
    for link in laws.world.figure.links:
        places = foot_places(link)
        if not places:
            continue
        pose, velocity = state.poses[link.index], state.velocities[link.index]
        if link.name in laws.world.feet:
            felt[link.index] = _under_foot(laws, pose, velocity, link, memory)
        else:
            felt[link.index] = when(near_ground(laws, pose, places), laws.plain, pose, velocity, places)
    return {index: f.force for index, f in felt.items()}, felt


def _under_foot(laws: Laws, pose: Transform, velocity: Motion, link: PlacedLink, memory: Memory) -> Felt:
    """What the ground does to a foot, group of points after group."""
    anchors = memory.anchors[laws.world.feet.index(link.name)]
    stance = stance_of(laws, memory, link.name)
    parts: list[Felt] = []
    for places, held in zip(grouped(foot_places(link)), grouped(anchors), strict=True):
        near = held_or_near(laws, pose, places, held)
        parts.append(when(near, laws.foot, pose, velocity, places, held, stance))
    return total_felt(parts)


def _from_attachments(
    laws: Laws, state: Kinematics, memory: Memory, f_ext: dict[int, Force]
) -> tuple[Scalar, Scalar]:
    """Adds the forces of attachments to f_ext; returns their energy and loss."""
    energy: Scalar = 0.0
    loss: Scalar = 0.0
    for number, whole, attachment in zip(laws.numbers["attachments"], memory.whole, laws.world.attachments, strict=True):
        here = laws.world.figure.link(attachment.link).index
        there = laws.world.figure.link(attachment.other).index if attachment.other else 0
        place, other = Vector(*attachment.point), Vector(*attachment.other_point)
        stretch = state.point_position(here, place) - state.point_position(there, other)
        velocity = state.point_velocity(here, place) - state.point_velocity(there, other)
        pull, stored, lost = attach_pull(number, whole, stretch, velocity)
        for link, point, force in ((here, place, pull), (there, other, -pull)):
            if link:
                own = state.force_on_link(link, point, force)
                f_ext[link] = f_ext[link] + own if link in f_ext else own
        energy, loss = energy + stored, loss + lost
    return energy, loss


def _from_shove(laws: Laws, state: Kinematics, at: Moment, f_ext: dict[int, Force]) -> Scalar:
    """Adds a push at the root's centre of mass to f_ext; returns its power."""
    x, y, z, start, end = laws.numbers["shove"]
    on = where((at.time >= start) & (at.time < end), 1.0, 0.0)
    root = laws.world.figure.links[0]
    force, com = Vector(x, y, z) * on, Vector(*root.mass_properties.com)
    own = state.force_on_link(root.index, com, force)
    f_ext[root.index] = f_ext[root.index] + own if root.index in f_ext else own
    return force.dot(state.point_velocity(root.index, com))
