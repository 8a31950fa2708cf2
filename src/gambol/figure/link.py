"""A link: a rigid body, its joint to the parent, and its parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gambol.errors import FigureError, did_you_mean
from gambol.figure.anisotropic_friction import AnisotropicFriction
from gambol.figure.color import check_color
from gambol.figure.joint import IDENTITY, JOINTS, Joint, Matrix3, Triple
from gambol.figure.mass import MassProperties, check_mass, combine
from gambol.figure.rotation import check_rotation, perpendicular, snapped, triple, unit
from gambol.figure.shapes import ContactPoint, Shape
from gambol.figure.visual import Visual
from gambol.lanes import leaves
from gambol.spatial import Rotation, Transform, Vector

GROUND_LAYER = 1  # group and mask of the ground


@dataclass(frozen=True, slots=True)
class Part:
    """A shape fixed to a link.

    rotation, position: pose of the shape's frame in the link frame [m]; arrays become tuples. density [kg/m3].
    inertial: True if it has mass. colliding: True if it can touch other parts and the ground. friction, restitution:
    coefficients of its surface; None: the parameters of the world. group: bits of its collision groups. mask: bits of
    the groups that it may touch; see may_touch(). The ground has group 1 and mask 1. anisotropic_friction: friction on
    the ground that replaces `friction`; None: friction is the same in all directions. color: for display, such as
    "#8a4a1c" (sRGB); None: the colour of the view. Parts that differ only in colour are equal.
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
    anisotropic_friction: AnisotropicFriction | None = None
    color: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.rotation, np.ndarray):
            object.__setattr__(self, "rotation", snapped(self.rotation))
        if isinstance(self.position, np.ndarray):
            object.__setattr__(self, "position", triple(self.position))

    def mass_properties(self) -> MassProperties:
        """Return the mass properties of an inertial part in the link frame."""
        return self.shape.mass_properties(self.density).placed(self.rotation, self.position)

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the points that may touch the ground, in the link frame; empty if the part cannot touch it."""
        if not self.colliding or not (self.group | self.mask) & GROUND_LAYER:
            return ()
        return self.outline()

    def outline(self) -> tuple[ContactPoint, ...]:
        """Return points with radii whose convex hull is the part; round rims are approximated by polygons."""
        points, pose = self.shape.contact_points(), Transform(Rotation(self.rotation), Vector(*self.position))
        placed = (pose @ Vector(*point.position) for point in points)
        return tuple(ContactPoint((p.x, p.y, p.z), point.radius) for p, point in zip(placed, points, strict=True))


@dataclass(frozen=True, slots=True)
class Link:
    """One rigid body of a figure: the input of Figure.

    parent: the parent's name, or None for the root. joint: joint to the parent. parts: its shapes. given_mass: mass
    properties in the link frame; None: computed from the inertial parts. visuals: shapes and meshes that are drawn
    instead of the parts, if there are any; links that differ only in visuals are equal.
    """

    name: str
    parent: str | None
    joint: Joint
    parts: tuple[Part, ...] = ()
    given_mass: MassProperties | None = None
    visuals: tuple[Visual, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """One rigid body in a figure's tree, with its indices.

    index: from 1, parents before children; parent_index: 0 is the world. joint: the joint, with an axis of length 1.
    mass_properties: mass properties in the link frame. q, v: slices of the figure's coordinates and velocities that
    belong to the joint.
    """

    index: int
    parent_index: int
    name: str
    joint: Joint
    mass_properties: MassProperties
    q: slice
    v: slice
    parts: tuple[Part, ...]
    visuals: tuple[Visual, ...] = field(default=(), compare=False)

    @property
    def is_fixed(self) -> bool:
        """True if the joint allows no motion."""
        return not JOINTS[self.joint.kind].nv

    def contact_points(self) -> tuple[ContactPoint, ...]:
        """Return the points of its parts that may touch the ground, in the link frame."""
        return tuple(point for part in self.parts for point in part.contact_points())


def may_touch(part: Part, other: Part) -> bool:
    """Return True if two parts may touch: both are colliding, and the mask of one has a bit of the other's group."""
    return part.colliding and other.colliding and bool(part.group & other.mask or other.group & part.mask)


def stacked(link: Link, joints: Sequence[tuple[str, Joint]]) -> tuple[Link, ...]:
    """Return the links of a compound joint: several joints in series, with massless links between them.

    Use it for a hip of three revolute joints, or a base that slides along two axes and turns about a third. Each joint
    has its own name and springs. The massless links add few operations to a traced program.

    link: the moving link; its joint is replaced. joints: (name, joint) from the parent outward; the pose of each joint
    is in the frame of the previous one. The massless links have the names of the joints. Returns the massless links and
    then the moving link, which keeps its name. Raises FigureError if there is no joint.
    """
    if not joints:
        raise FigureError(f'link "{link.name}" has no joint; give at least one')
    links: list[Link] = []
    for name, joint in joints[:-1]:
        links.append(Link(name, links[-1].name if links else link.parent, joint))
    return (*links, replace(link, parent=links[-1].name if links else link.parent, joint=joints[-1][1]))


def checked_joint(link: Link) -> Joint:
    """Return the link's joint with a unit axis and an exact rotation; raise FigureError for an invalid joint."""
    joint, subject = link.joint, f'link "{link.name}"'
    if joint.kind not in JOINTS:
        hint = did_you_mean(joint.kind, JOINTS)
        raise FigureError(f'{subject} has a joint of kind "{joint.kind}", which is not known; {hint}')
    check_rotation(joint.rotation, subject)
    if not all(map(math.isfinite, joint.position)):
        raise FigureError(f"{subject} has its joint at {joint.position}, which is not finite")
    numbers = {name: getattr(joint, name) for name in ("pitch", "slides", "rotor", "gear", "radius", "parent_radius")}
    if not all(map(math.isfinite, numbers.values())) or joint.rotor < 0.0:
        values = ", ".join(f"{name} = {value:g}" for name, value in numbers.items())
        raise FigureError(f"{subject} has a joint with {values}; all must be finite, and a rotor's inertia 0 or more")
    kind = JOINTS[joint.kind]
    if kind.check is not None:
        kind.check(joint, subject)
    axes = kind.axes
    axis = unit(joint.axis, subject) if axes else triple(joint.axis)
    across = perpendicular(axis, joint.across, subject) if axes > 1 else joint.across
    return replace(joint, axis=axis, rotation=snapped(joint.rotation), position=triple(joint.position), across=across)


def mass_of(link: Link) -> MassProperties:
    """Return the link's given mass properties, or the sum of its parts', unchecked."""
    given = link.given_mass
    return combine(part.mass_properties() for part in link.parts if part.inertial) if given is None else given


def checked_mass(link: Link) -> MassProperties:
    """Return the link's mass properties, NO_MASS if it has none; raise FigureError for invalid mass properties."""
    subject = f'link "{link.name}"'
    for number, part in enumerate(link.parts, start=1):
        part_subject = f"{subject}, part {number} ({part.shape.kind}),"
        check_rotation(part.rotation, part_subject)
        if not all(map(math.isfinite, part.position)):
            raise FigureError(f"{part_subject} lies at {part.position}, which is not finite")
        if part.inertial and not 0.0 < part.density < math.inf:
            raise FigureError(
                f"{part_subject} has a density of {part.density:g} kg/m3; give a positive one (water is 1000), "
                "or inertial=False for a part without mass"
            )
        _check_surface(part, part_subject)
        check_color(part.color, part_subject)
    for number, visual in enumerate(link.visuals, start=1):
        visual.check(f"{subject}, visual {number},")
    mass = mass_of(link)
    if link.given_mass is not None:
        check_mass(mass, subject)
    elif not all(map(math.isfinite, leaves(mass))):
        raise FigureError(
            f"{subject} has parts whose numbers are too large or too small: its mass properties are {mass}"
        )
    return mass


def _check_surface(part: Part, subject: str) -> None:
    """Raise FigureError for surface coefficients out of range."""
    if part.friction is not None and not 0.0 <= part.friction < math.inf:
        raise FigureError(f"{subject} has a friction of {part.friction:g}; give 0 or more, or None for the world's")
    if part.restitution is not None and not 0.0 <= part.restitution <= 1.0:
        raise FigureError(f"{subject} has a restitution of {part.restitution:g}; give 0 to 1, or None for the world's")
    if part.anisotropic_friction is not None:
        part.anisotropic_friction.check(subject)
        if part.friction is not None:
            raise FigureError(f"{subject} has a friction and an anisotropic friction; give one of them")
