"""A joint as data, and its placement: the pose of the link in its parent and the motion subspace, at one value of q.

The joint frame J has the origin of the link L. A constant rotation R_JL of its axes makes the joint act along
coordinate axes: X_PL = X_PJ R_JL, with P the parent. Only X_PJ depends on q.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from gambol.errors import FigureError
from gambol.lanes import Scalar
from gambol.spatial.factor import Rotations
from gambol.spatial.motion import NO_FORCE, ZERO_MOTION, Force, Motion, Transform
from gambol.spatial.rotation import Rotation, product
from gambol.spatial.vector import Vector

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


@dataclass(frozen=True, slots=True)
class SubspaceDerivative:
    """The rate of a column of S in the joint frame while one velocity, v[coordinate], is 1 and the others are 0.

    It is d S[column] / d q[coordinate] where velocities are rates of coordinates.
    """

    column: int
    coordinate: int
    value: Motion


@dataclass(frozen=True, slots=True)
class Placement:
    """A joint at one value of q.

    outer: rotations whose product is R_PJ. inner: constant rotations whose product is R_JL. X_PJ: pose of the joint
    frame in the parent. columns: columns of the motion subspace S, in J. derivatives: derivatives of the columns that
    are not constant in J. constraint_forces: basis of the constraint force subspace, in J; empty if it can be computed
    from the columns.
    """

    outer: Rotations
    inner: Rotations
    X_PJ: Transform
    R_JL: Rotation
    columns: tuple[Motion, ...]
    derivatives: tuple[SubspaceDerivative, ...] = ()
    constraint_forces: tuple[Force, ...] = ()

    @staticmethod
    def of(outer: Rotations, position: Vector, inner: Rotations, columns: Sequence[Motion]) -> "Placement":
        """Return a placement.

        outer, inner, columns: its fields; position: position of the joint frame in the parent [m].
        """
        return Placement(outer, inner, Transform(product(outer), position), product(inner), tuple(columns))

    @property
    def X_PL(self) -> Transform:
        """Transform from link to parent coordinates."""
        return Transform(self.X_PJ.rotation @ self.R_JL, self.X_PJ.position)

    def motion(self, v: Sequence[Scalar]) -> Motion:
        """Return S v: the velocity of the link relative to its parent, in J."""
        return sum((S * speed for S, speed in zip(self.columns, v, strict=True)), ZERO_MOTION)

    def velocity_product(self, v: Sequence[Scalar]) -> Motion:
        """Return (dS/dt) v, the part of the link's acceleration that is due to the change of S in J."""
        return sum((dS.value * (v[dS.column] * v[dS.coordinate]) for dS in self.derivatives), ZERO_MOTION)

    def to_joint(self, force: Force) -> Force:
        """Return a force in joint axes; force: in link axes."""
        return Force(self.R_JL @ force.n, self.R_JL @ force.f)

    def to_link(self, motion: Motion) -> Motion:
        """Return a motion in link axes; motion: in joint axes."""
        R_LJ = self.R_JL.transpose
        return Motion(R_LJ @ motion.w, R_LJ @ motion.v)

    def constraint_subspace(self) -> tuple[Force, ...]:
        """Return a basis of the constraint forces, in J: forces without power on the motions that the joint allows.

        These are the constrained modes psi, 6 - nv of them: psi_i . S_k = 0. [Arnold 1997, 2.1.2] They follow from
        Gauss-Jordan elimination of S, whose leading components are plain floats also in a trace.
        """
        if self.constraint_forces:
            return self.constraint_forces
        reduced: list[tuple[int, Motion]] = []
        for column in self.columns:
            for k, other in reduced:
                column = column + other * -column[k]
            k = _leading(column)
            normalised = column * (1.0 / column[k])
            reduced = [(m, other + normalised * -other[k]) for m, other in reduced] + [(k, normalised)]
        leading = {k for k, _ in reduced}
        return tuple(_constraint_force(i, reduced) for i in range(6) if i not in leading)


def _leading(S: Motion) -> int:
    """Return the index of a component of S that is a plain float other than 0."""
    plain = next((k for k in range(6) if isinstance(S[k], (int, float)) and S[k] != 0.0), None)
    if plain is None:
        raise FigureError("all components of S depend on q; give the Placement of this joint kind constraint_forces")
    return plain


def _constraint_force(i: int, reduced: Sequence[tuple[int, Motion]]) -> Force:
    """Return the force with component 1 along coordinate i that has no power on the reduced columns."""
    force = NO_FORCE.with_component(i, 1.0)
    for k, S in reduced:
        force = force.with_component(k, -S[i])
    return force
