"""How a link hangs on its parent: the table of joint kinds, and the joint of one link.

Between parent P and link L lies the joint frame J. It shares the link's origin, and its axes are the link's, turned by
a constant so that the joint acts along a coordinate axis: X_PL = X_PJ R_JL. All that depends on q is in X_PJ.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Scalar, cos, sin
from gambol.spatial.factor import Alignment, Turns, aligned, factors
from gambol.spatial.motion import AT_REST, Force, Motion
from gambol.spatial.quaternion import Quaternion
from gambol.spatial.rotation import Rotation, product
from gambol.spatial.transform import Transform
from gambol.spatial.vector import Vector

Triple: TypeAlias = tuple[float, float, float]
Matrix3: TypeAlias = tuple[Triple, Triple, Triple]

IDENTITY: Matrix3 = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint of one link.

    kind: a name in the table of joint kinds: "rotary", "sliding", "free", "fixed".
    axis: unit direction in the link frame; ignored by kinds without an axis.
    rotation: link-to-parent rotation at q = 0 (columns are the link axes in parent coordinates).
    position: the joint, which is the link's origin at q = 0, in parent coordinates [m].
    """

    kind: str
    axis: Triple = (0.0, 0.0, 1.0)
    rotation: Matrix3 = IDENTITY
    position: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Placement:
    """A joint at one value of q.

    outer: rotations whose product is R_PJ; inner: constant ones whose product is R_JL. X_PJ: the joint frame in the
    parent. columns: the motions the joint allows, in J; each has constant components.
    """

    outer: Turns
    inner: Turns
    X_PJ: Transform
    R_JL: Rotation
    columns: tuple[Motion, ...]

    @staticmethod
    def of(outer: Turns, position: Vector, inner: Turns, columns: tuple[Motion, ...]) -> "Placement":
        """The placement whose transforms are the products of the given turns."""
        return Placement(outer, inner, Transform(product(outer), position), product(inner), columns)

    @property
    def X_PL(self) -> Transform:
        """The link in the parent."""
        return Transform(self.X_PJ.rotation @ self.R_JL, self.X_PJ.position)

    def motion(self, v: Sequence[Scalar]) -> Motion:
        """What the link moves relative to its parent at joint velocities v, in J."""
        return sum((S * speed for S, speed in zip(self.columns, v, strict=True)), AT_REST)

    def to_joint(self, force: Force) -> Force:
        """A force from link to joint axes."""
        return Force(self.R_JL @ force.n, self.R_JL @ force.f)

    def to_link(self, motion: Motion) -> Motion:
        """A motion from joint to link axes."""
        back = self.R_JL.transpose
        return Motion(back @ motion.w, back @ motion.v)


@dataclass(frozen=True, slots=True)
class JointKind:
    """A row of the table of joint kinds.

    q_units, v_units: one unit for each coordinate and each velocity, so their lengths are the numbers of these.
    rest: the coordinates at which the link lies as `rotation` and `position` say. place: the joint at q.
    rates: dq/dt from q and v.
    """

    q_units: tuple[str, ...]
    v_units: tuple[str, ...]
    rest: tuple[float, ...]
    place: Callable[[Joint, Sequence[Scalar]], Placement]
    rates: Callable[[Sequence[Scalar], Sequence[Scalar]], list[Scalar]]

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q_units)

    @property
    def nv(self) -> int:
        """Number of velocities, which is the number of degrees of freedom."""
        return len(self.v_units)


def _alignment(joint: Joint) -> Alignment:
    return aligned(Rotation(joint.rotation), joint.axis)


def _rotary(joint: Joint, q: Sequence[Scalar]) -> Placement:
    """Turns by q about the axis."""
    at = _alignment(joint)
    turn = Rotation.about_coordinate(at.axis, at.sign * sin(q[0]), cos(q[0]))
    columns = (Motion.axis(at.axis, at.sign),)
    return Placement.of((*at.outer, turn), Vector(*joint.position), at.inner, columns)


def _sliding(joint: Joint, q: Sequence[Scalar]) -> Placement:
    """Slides by q along the axis."""
    at = _alignment(joint)
    slide = product(at.outer) @ Vector.axis(at.axis, at.sign * q[0])
    columns = (Motion.axis(at.axis + 3, at.sign),)
    return Placement.of(at.outer, Vector(*joint.position) + slide, at.inner, columns)


def _free(joint: Joint, q: Sequence[Scalar]) -> Placement:
    """Moves freely: q is the pose (w, x, y, z, px, py, pz), v the spatial velocity, in and about the link's frame."""
    home = Transform(product(factors(Rotation(joint.rotation))), Vector(*joint.position))
    pose = home @ Transform(Quaternion(*q[:4]).rotation(), Vector(*q[4:]))
    return Placement.of((pose.rotation,), pose.position, (), tuple(Motion.axis(k) for k in range(6)))


def _fixed(joint: Joint, q: Sequence[Scalar]) -> Placement:
    """Is part of its parent."""
    return Placement.of(factors(Rotation(joint.rotation)), Vector(*joint.position), (), ())


def _free_rates(q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Rates of the pose of a free link."""
    quaternion = Quaternion(*q[:4])
    turning = quaternion.rate(Vector(*v[:3]))
    return [*turning.components(), *(quaternion.rotation() @ Vector(*v[3:]))]


def _same(q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Rates of coordinates whose velocities are their rates."""
    return list(v)


JOINTS: dict[str, JointKind] = {
    "rotary": JointKind(("rad",), ("rad/s",), (0.0,), _rotary, _same),
    "sliding": JointKind(("m",), ("m/s",), (0.0,), _sliding, _same),
    "free": JointKind(
        ("1", "1", "1", "1", "m", "m", "m"),
        ("rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"),
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        _free,
        _free_rates,
    ),
    "fixed": JointKind((), (), (), _fixed, _same),
}


def place(joint: Joint, q: Sequence[Scalar]) -> Placement:
    """The joint at coordinates q."""
    return JOINTS[joint.kind].place(joint, q)


def transform(joint: Joint, q: Sequence[Scalar]) -> Transform:
    """X_PL: link to parent at coordinates q."""
    return place(joint, q).X_PL


def subspace(joint: Joint) -> tuple[Motion, ...]:
    """The motions that the joint allows, one for each velocity, in link coordinates."""
    placement = place(joint, JOINTS[joint.kind].rest)
    return tuple(placement.to_link(S) for S in placement.columns)


def rates(joint: Joint, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """dq/dt at coordinates q and velocities v."""
    return JOINTS[joint.kind].rates(q, v)
