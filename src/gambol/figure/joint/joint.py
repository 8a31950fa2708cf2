"""A joint as data: the connection of a link to its parent."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from gambol.errors import FigureError

Triple: TypeAlias = tuple[float, float, float]
"""Three numbers: a vector in some frame."""

Matrix3: TypeAlias = tuple[Triple, Triple, Triple]
"""A 3 x 3 matrix of numbers, by rows."""

IDENTITY: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""The identity rotation."""

OLD_KINDS: Final[dict[str, str]] = {"rotary": "revolute", "sliding": "prismatic"}
"""New names of joint kinds by old names. Files and scripts may use old names; Python code may not."""


@dataclass(frozen=True, slots=True)
class Joint:
    """The joint between a link and its parent.

    kind: a name in JOINTS. axis: direction, in the link frame, of the rotation or slide, of a universal joint's first
    rotation, or of the normal of a planar joint's plane; ignored by kinds without an axis. rotation: link-to-parent
    rotation at q = 0 (columns are the link axes in parent coordinates). position: position of the joint, which is the
    link's origin at q = 0, in parent coordinates [m]. across: direction, in the link frame and perpendicular to the
    axis, of a universal joint's second rotation or a planar joint's first slide; None: chosen automatically. pitch:
    advance of a helical joint [m/rad]. rotor: inertia of the motor's rotor [kg m2, or kg where it slides]; gear: turns
    of the motor per turn of the joint. slides: number of an axial joint, which slides by `slides` [m] and turns by 1 -
    slides [rad] per unit of its coordinate. reach: None for a fixed topology. For a variable topology, the number of
    the last link of this link's subtree; links are numbered depth first. radius, parent_radius: radii of the cylinders
    of a rolling joint on the link and on its parent [m]; at q = 0 the link's centre lies beside the parent's, in the
    direction `across`. A negative radius means a hollow cylinder that contains the other cylinder. Raises FigureError
    for an old name of a kind.
    """

    kind: str
    axis: Triple = (0.0, 0.0, 1.0)
    rotation: Matrix3 = IDENTITY
    position: Triple = (0.0, 0.0, 0.0)
    across: Triple | None = None
    pitch: float = 0.0
    rotor: float = 0.0
    gear: float = 1.0
    slides: float = 0.0
    reach: float | None = None
    radius: float = 0.0
    parent_radius: float = 0.0

    def __post_init__(self) -> None:
        if self.kind in OLD_KINDS:
            raise FigureError(f'a joint of kind "{self.kind}" is now called "{OLD_KINDS[self.kind]}"; use this name')

    @property
    def armature(self) -> float:
        """The rotor's inertia reflected to the joint, along each of its directions [kg m2 or kg]."""
        return self.rotor * self.gear * self.gear
