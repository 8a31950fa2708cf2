"""A link: a rigid body, the joint that ties it to its parent, and the parts it is made of."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.errors import FigureError, did_you_mean
from gambol.figure.joint import IDENTITY, JOINTS, Joint, Matrix3, Triple
from gambol.figure.mass import MassProperties, check_mass, combine
from gambol.figure.rotation import beside, check_rotation, snapped, triple, unit
from gambol.figure.shapes import ContactPoint, Shape
from gambol.lanes import leaves
from gambol.spatial import Rotation, Transform, Vector

GROUND_LAYER = 1  # the group and the mask of the ground


@dataclass(frozen=True, slots=True)
class Part:
    """A shape fixed to a link.

    rotation, position: pose of the shape's own centred frame in the link frame [m].
    density [kg/m3]; inertial: whether it has mass; colliding: whether it can touch.
    friction, restitution: coefficients of its surface, None for those of the world. group: the sets of parts that it
    belongs to, mask: those that it may touch, a bit for each; see may_touch. The ground has group 1 and mask 1.
    """

    shape: Shape
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Matrix3 = IDENTITY
    density: float = 1000.0
    inertial: bool = True
    colliding: bool = True
    friction: float | None = None
    restitution: float | None = None
    group: int = 1
    mask: int = 1

    def mass_properties(self) -> MassProperties:
        """Mass properties of an inertial part in the link frame."""
        return self.shape.mass_properties(self.density).placed(self.rotation, self.position)

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Where a part may touch the ground, in the link frame; none when it does not collide with that."""
        if not self.colliding or not (self.group | self.mask) & GROUND_LAYER:
            return ()
        return self.outline()

    def outline(self) -> tuple[ContactPoint, ...]:
        """Points of the part's shape and balls about them, whose hull it fills, but for flat faces' round rims."""
        points, pose = self.shape.contact_points(), Transform(Rotation(self.rotation), Vector(*self.position))
        placed = (pose @ Vector(*point.position) for point in points)
        return tuple(ContactPoint((p.x, p.y, p.z), of.radius) for p, of in zip(placed, points, strict=True))


@dataclass(frozen=True, slots=True)
class Link:
    """One rigid body of a figure, as given.

    parent: the parent's name, or None for the root. given_mass: mass properties in the link frame; None: computed
    from the parts that are inertial.
    """

    name: str
    parent: str | None
    joint: Joint
    parts: tuple[Part, ...] = ()
    given_mass: MassProperties | None = None


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """One rigid body in its place in a figure's tree.

    index: 1 and up, a parent's below its children's; parent_index: 0 is the world. joint: its axis has length 1.
    mass_properties: in the link frame. q, v: where the joint's coordinates and velocities lie in the figure's.
    """

    index: int
    parent_index: int
    name: str
    joint: Joint
    mass_properties: MassProperties
    q: slice
    v: slice
    parts: tuple[Part, ...]

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Where the link may touch the ground: the natural points of its parts that do, in the link frame."""
        return tuple(point for part in self.parts for point in part.contact_points())


def may_touch(one: Part, other: Part) -> bool:
    """Whether two parts collide with what is in the other's group: it is enough that one of them does."""
    return one.colliding and other.colliding and bool(one.group & other.mask or other.group & one.mask)


def stacked(link: Link, joints: Sequence[tuple[str, Joint]]) -> tuple[Link, ...]:
    """The link hung on its parent by several joints, the first of them nearest the parent, with massless links between.

    A massless link inside a limb costs next to nothing once traced, and each joint keeps a name and a spring of its
    own: so are made a hip of three rotary joints, or a base that slides along two axes and turns about a third.

    link: its own joint is ignored. joints: a name and a joint for each; every joint lies in the frame that the one
    before it moves. The links between take the joints' names, the last is the link itself and keeps its own.
    Raises FigureError when there is no joint.
    """
    if not joints:
        raise FigureError(f'link "{link.name}" is hung by no joint; give at least one')
    made: list[Link] = []
    for name, joint in joints[:-1]:
        made.append(Link(name, made[-1].name if made else link.parent, joint))
    return (*made, replace(link, parent=made[-1].name if made else link.parent, joint=joints[-1][1]))


def checked_joint(link: Link) -> Joint:
    """The link's joint with an axis of length 1 and a clean rotation; FigureError when it cannot exist."""
    joint, of = link.joint, f'link "{link.name}"'
    if joint.kind not in JOINTS:
        cure = did_you_mean(joint.kind, JOINTS)
        raise FigureError(f'{of} hangs on a joint of kind "{joint.kind}", which is not known; {cure}')
    check_rotation(joint.rotation, of)
    if not all(map(math.isfinite, joint.position)):
        raise FigureError(f"{of} has its joint at {joint.position}, which is not finite")
    numbers = {name: getattr(joint, name) for name in ("pitch", "slides", "rotor", "gear", "radius", "parent_radius")}
    if not all(map(math.isfinite, numbers.values())) or joint.rotor < 0.0:
        told = ", ".join(f"{name} = {value:g}" for name, value in numbers.items())
        raise FigureError(f"{of} has a joint with {told}; all must be finite, and a rotor's inertia 0 or more")
    if joint.kind == "rolling" and not (joint.radius and joint.radius + joint.parent_radius):
        raise FigureError(
            f"{of} rolls with a radius of {joint.radius:g} m on one of {joint.parent_radius:g} m; its own one, and "
            "the sum of both, which is the distance of the centres, must not be 0"
        )
    axes = JOINTS[joint.kind].axes
    axis = unit(joint.axis, of) if axes else triple(joint.axis)
    across = beside(axis, joint.across, of) if axes > 1 else joint.across
    return replace(joint, axis=axis, rotation=snapped(joint.rotation), position=triple(joint.position), across=across)


def mass_of(link: Link) -> MassProperties:
    """The link's mass properties as they are given, or those of its parts, unchecked."""
    given = link.given_mass
    return combine(part.mass_properties() for part in link.parts if part.inertial) if given is None else given


def checked_mass(link: Link) -> MassProperties:
    """The link's own mass properties, which are NO_MASS when it has none; FigureError when no body can have them."""
    of = f'link "{link.name}"'
    for number, part in enumerate(link.parts, start=1):
        which = f"{of}, part {number} ({part.shape.kind}),"
        check_rotation(part.rotation, which)
        if not all(map(math.isfinite, part.position)):
            raise FigureError(f"{which} lies at {part.position}, which is not finite")
        if part.inertial and not 0.0 < part.density < math.inf:
            raise FigureError(
                f"{which} has a density of {part.density:g} kg/m3; give a positive one (water is 1000), "
                "or inertial=False for a part without mass"
            )
        _check_surface(part, which)
    made = mass_of(link)
    if link.given_mass is not None:
        check_mass(made, of)
    elif not all(map(math.isfinite, leaves(made))):
        raise FigureError(f"{of} has parts whose numbers are too large or too small: they make {made}")
    return made


def _check_surface(part: Part, which: str) -> None:
    """Raise FigureError for coefficients that no surface has."""
    if part.friction is not None and not 0.0 <= part.friction < math.inf:
        raise FigureError(f"{which} has a friction of {part.friction:g}; give 0 or more, or None for the world's")
    if part.restitution is not None and not 0.0 <= part.restitution <= 1.0:
        raise FigureError(f"{which} has a restitution of {part.restitution:g}; give 0 to 1, or None for the world's")
