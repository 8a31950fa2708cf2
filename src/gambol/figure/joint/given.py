"""A joint as it is given: how a link hangs on its parent."""

from dataclasses import dataclass
from typing import TypeAlias

Triple: TypeAlias = tuple[float, float, float]
Matrix3: TypeAlias = tuple[Triple, Triple, Triple]

IDENTITY: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint of one link.

    kind: a name in the table of joint kinds. axis: unit direction in the link frame: of turning, of sliding, of a
    universal joint's first turn, or normal to a planar joint's plane; ignored by kinds without one.
    rotation: link-to-parent rotation at q = 0 (columns are the link axes in parent coordinates).
    position: the joint, which is the link's origin at q = 0, in parent coordinates [m].
    across: direction in the link frame at right angles to the axis: of a universal joint's second turn, of a planar
    joint's first slide; None takes one that suits. pitch: advance of a helical joint [m/rad].
    rotor: inertia of what its motor turns [kg m2, or kg where it slides]; gear: turns of the motor for one of
    the joint. slides: of an axial joint: how far it slides [m], and one less how far it turns [rad], per unit of its
    coordinate. reach: of a tree told as data: the number of the last link that hangs on this one, directly or not; its
    links are numbered so that whatever a link carries follows it. None: the tree is known beforehand.
    radius, parent_radius: of the cylinders of a rolling joint on the link and on its parent [m], whose centre the
    link's is beside at q = 0, in the direction `across`. Where one of them is hollow, with the other inside, its radius
    is negative.
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

    @property
    def armature(self) -> float:
        """The rotor's inertia as it is felt at the joint, along each of its directions [kg m2 or kg]."""
        return self.rotor * self.gear * self.gear
