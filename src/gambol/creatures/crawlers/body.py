"""The body of a crawler: a chain of rigid segments from head to tail, the root in the middle, scales on the belly.

Miller's snakes and worms are masses and springs whose lengths change [Miller 1988]. Here segments are rigid, and servos
move the joints between them. Each segment touches the ground with one ball in its middle. The axis of the body is such
that all balls of a straight body touch level ground.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise

from gambol.creatures.colors import colored
from gambol.errors import WorldError
from gambol.figure import (
    IDENTITY,
    AnisotropicFriction,
    Ellipsoid,
    Figure,
    Frustum,
    Joint,
    Link,
    Part,
    Sphere,
    rotation_about,
    stacked,
)

JOINT_AXES: dict[str, tuple[str, tuple[float, float, float]]] = {
    "yaw": ("revolute", (0.0, 0.0, 1.0)),
    "pitch": ("revolute", (0.0, 1.0, 0.0)),
    "stretch": ("prismatic", (1.0, 0.0, 0.0)),
}
"""Kind and axis of the joints between two segments, by name. At a positive coordinate, the front segment is turned
left, turned down, or moved forward."""


@dataclass(frozen=True, slots=True)
class Body:
    """The form of a crawler.

    segments: number of segments. length: length of the body [m]. radius: function that returns the radius [m] at a
    distance from the head's tip, as a fraction of the length. scales: friction of the belly, forward along the segment.
    joints: names in JOINT_AXES, from the middle outward. density [kg/m3]. head: half axes of the head [m], or None.
    flat: True if the lowest points of all segments are at one height, False if their middles are, as for a swimmer.
    waist: radius at joints, as a fraction of the radius of the outline, so that rings are visible. feet: indices of
    segments that stand on a pair of feet instead of one ball. colors: colours of the segments, which repeat along the
    body; none: the default colour of figures.
    """

    segments: int
    length: float
    radius: Callable[[float], float]
    scales: AnisotropicFriction
    joints: tuple[str, ...]
    density: float = 1000.0
    head: tuple[float, float, float] | None = None
    flat: bool = True
    waist: float = 1.0
    feet: tuple[int, ...] = ()
    colors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.segments < 2 or not self.length > 0.0:
            raise WorldError(
                f"a body has {self.segments} segments and a length of {self.length} m; give 2 or more segments, and a "
                "length of more than 0"
            )
        for name in self.joints:
            if name not in JOINT_AXES:
                raise WorldError(f'a body has no joints "{name}"; they are {", ".join(JOINT_AXES)}')

    @property
    def middle(self) -> int:
        """Index of the root, counted from the head."""
        return self.segments // 2

    @property
    def spacing(self) -> float:
        """Length of a segment [m]."""
        return self.length / self.segments

    @property
    def contacts(self) -> int:
        """Number of balls that touch the ground when the body is straight."""
        return self.segments + len(self.feet)

    @property
    def widest(self) -> float:
        """The largest radius of its segments [m], which is the height of the body's axis above the ground."""
        return max(self.radius((k + 0.5) / self.segments) for k in range(self.segments))


FOOT_SHARE = 0.45
"""Radius of a foot, as a fraction of the radius of its segment."""


def segment_name(number: int) -> str:
    """Return the name of a segment, counted from the head."""
    return f"segment_{number}"


def joint_name(kind: str, number: int) -> str:
    """Return the name of the joint between a segment and the next one.

    kind: kind of JOINT_AXES. number: number of the segment.
    """
    return f"{kind}_{number}"


def chain_figure(name: str, body: Body) -> Figure:
    """Return the figure of a crawler; it lies along x, its head forward, its middle at the origin."""
    middle = body.middle
    links = [Link(segment_name(middle), None, Joint("free"), _parts(body, middle))]
    for number in (*range(middle - 1, -1, -1), *range(middle + 1, body.segments)):
        links += _jointed(body, number)
    colors = dict(zip(map(segment_name, range(body.segments)), cycle((color,) for color in body.colors), strict=False))
    return colored(Figure(name, tuple(links)), colors)


def joint_link(body: Body, kind: str, number: int) -> str:
    """Return the name of the link that has the joint of a kind after a segment, for actuators."""
    moving = number if number < body.middle else number + 1
    return segment_name(moving) if kind == body.joints[-1] else joint_name(kind, number)


def _jointed(body: Body, number: int) -> tuple[Link, ...]:
    """Return a segment with the joints to its neighbour towards the middle.

    Joint values are positions of the front segment relative to the rear one, on both sides of the middle.
    """
    ahead = number < body.middle
    sign, parent = (1.0, number + 1) if ahead else (-1.0, number - 1)
    reach = (0.5 if parent == body.middle else 1.0) * body.spacing
    position = (sign * reach, 0.0, 0.0)
    joints: list[tuple[str, Joint]] = []
    for k, kind in enumerate(body.joints):
        joint_kind, axis = JOINT_AXES[kind]
        signed = (sign * axis[0], sign * axis[1], sign * axis[2])
        place = position if k == 0 else (0.0, 0.0, 0.0)
        joints.append((joint_name(kind, min(number, parent)), Joint(joint_kind, axis=signed, position=place)))
    link = Link(segment_name(number), segment_name(parent), joints[-1][1], _parts(body, number))
    return stacked(link, joints)


def _parts(body: Body, number: int) -> tuple[Part, ...]:
    """Return the parts of a segment: a frustum with its mass, balls at its ends, and the ball that touches the ground.

    Only the last ball, or a pair of feet in its place, collides. The link's frame is at the joint towards the middle;
    for the root, it is in the middle of the link.
    """
    length, axis = body.spacing, body.widest
    offset = 0.0 if number == body.middle else (0.5 if number < body.middle else -0.5) * length
    front, rear = (body.waist * body.radius((number + x) / body.segments) for x in (0.0, 1.0))
    mid = body.radius((number + 0.5) / body.segments)
    lift = 1.0 if body.flat else 0.0
    drop = lift * (0.5 * (front + rear) - axis)
    trunk, lying = Frustum(rear, front, length), rotation_about("y", 0.5 * math.pi)
    parts = [
        Part(trunk, (offset, 0.0, drop), lying, body.density, colliding=False),
        Part(Sphere(front), (offset + 0.5 * length, 0.0, lift * (front - axis)), inertial=False, colliding=False),
        Part(Sphere(rear), (offset - 0.5 * length, 0.0, lift * (rear - axis)), inertial=False, colliding=False),
    ]
    sides, ball = ((mid, -mid), FOOT_SHARE * mid) if number in body.feet else ((0.0,), mid)
    for y in sides:
        position = (offset, y, lift * (ball - axis))
        parts.append(Part(Sphere(ball), position, inertial=False, anisotropic_friction=body.scales))
    if number == 0 and body.head is not None:
        position = (offset + 0.5 * length + 0.4 * body.head[0], 0.0, lift * (body.head[2] - axis))
        parts.append(Part(Ellipsoid(body.head), position, IDENTITY, inertial=False, colliding=False))
    return tuple(parts)


def profile(points: Sequence[tuple[float, float]]) -> Callable[[float], float]:
    """Return the function of the radius along a body, linear between points.

    points: pairs of a distance from the head's tip, as a fraction of the length, and a radius [m].
    """

    def radius(s: float) -> float:
        for (a, r), (b, t) in pairwise(points):
            if s <= b:
                return r + (t - r) * max(s - a, 0.0) / (b - a)
        return points[-1][1]

    return radius
