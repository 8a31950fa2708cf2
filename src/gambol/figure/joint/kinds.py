"""The table of joint kinds: coordinates, placement of the link and motion subspace of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from gambol.figure.joint import charts
from gambol.figure.joint.joint import Joint
from gambol.figure.joint.placement import Placement, SubspaceDerivative
from gambol.lanes import Scalar, cos, is_tracing, sin
from gambol.spatial.factor import Alignment, about_z, align, factors
from gambol.spatial.motion import Force, Motion
from gambol.spatial.quaternion import Quaternion
from gambol.spatial.rotation import Rotation, product
from gambol.spatial.transform import Transform
from gambol.spatial.vector import ZERO, Vector

Numbers: TypeAlias = Sequence[Scalar]
Chart: TypeAlias = Callable[[Numbers, Numbers], list[Scalar]]


@dataclass(frozen=True, slots=True)
class JointKind:
    """A row of the table of joint kinds.

    q_units, v_units: the unit of each coordinate and velocity; their lengths are nq and nv.
    rest: the coordinates at which the link's pose is `rotation` and `position`. place: returns the placement at q.
    q_dot: from q and v. integrate: returns q moved by x (nv) along the tangent space. inverse_differential: x_dot
    from q, x and v, where it differs from q_dot (see tangent_rate). axes: the number of directions that define the
    joint: none, its axis, or also `across`.
    """

    q_units: tuple[str, ...]
    v_units: tuple[str, ...]
    rest: tuple[float, ...]
    place: Callable[[Joint, Numbers], Placement]
    q_dot: Chart = charts.velocities_as_q_dot
    integrate: Chart = charts.add
    inverse_differential: Callable[[Numbers, Numbers, Numbers], list[Scalar]] | None = None
    axes: int = 0

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q_units)

    @property
    def nv(self) -> int:
        """Number of velocities, which is the number of degrees of freedom."""
        return len(self.v_units)

    @property
    def has_quaternion(self) -> bool:
        """True where the coordinates begin with a unit quaternion."""
        return self.nq > self.nv

    def tangent_rate(self, q: Numbers, x: Numbers, v: Numbers) -> list[Scalar]:
        """Return x_dot (nv) of tangent coordinates x about q, for a joint at integrate(q, x) with velocity v."""
        return (
            self.q_dot(self.integrate(q, x), v)
            if self.inverse_differential is None
            else self.inverse_differential(q, x, v)
        )

    def normalised(self, q: Numbers) -> list[Scalar]:
        """Return q with its quaternion, if there is one, normalised."""
        return charts.normalised(q) if self.has_quaternion else list(q)


def _alignment(joint: Joint) -> Alignment:
    """Return the axis as a coordinate axis between constant rotations: the cheapest ones when tracing, else any."""
    return (align if is_tracing() else about_z)(Rotation(joint.rotation), joint.axis)


def _revolute(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q about the axis."""
    at = _alignment(joint)
    columns = (Motion.axis(at.axis, at.sign),)
    return Placement.of((*at.outer, at.rotation(q[0])), Vector(*joint.position), at.inner, columns)


def _prismatic(joint: Joint, q: Numbers) -> Placement:
    """Translation by q along the axis."""
    at = _alignment(joint)
    slide = product(at.constant) @ Vector.axis(at.axis, at.sign * q[0])
    columns = (Motion.axis(at.axis + 3, at.sign),)
    return Placement.of(at.constant, Vector(*joint.position) + slide, at.inner, columns)


def _cylindrical(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q[0] about the axis and translation by q[1] along it."""
    at = _alignment(joint)
    slide = product(at.outer) @ Vector.axis(at.axis, at.sign * q[1])
    columns = (Motion.axis(at.axis, at.sign), Motion.axis(at.axis + 3, at.sign))
    return Placement.of((*at.outer, at.rotation(q[0])), Vector(*joint.position) + slide, at.inner, columns)


def _helical(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q about the axis and translation along it by pitch times q."""
    at = _cylindrical(joint, (q[0], joint.pitch * q[0]))
    turn, slide = at.columns
    return replace(at, columns=(turn + slide * joint.pitch,))


def _axial(joint: Joint, q: Numbers) -> Placement:
    """Rotation about the axis, translation along it, or a screw, as `slides` says, which may differ between lanes."""
    at, slides = _alignment(joint), joint.slides
    turns = 1.0 - slides
    slide = product(at.constant) @ Vector.axis(at.axis, at.sign * (slides * q[0]))
    column = Motion.axis(at.axis, at.sign * turns) + Motion.axis(at.axis + 3, at.sign * slides)
    placed = Placement.of((*at.outer, at.rotation(turns * q[0])), Vector(*joint.position) + slide, at.inner, (column,))
    others = (Force(ZERO, ZERO).with_component(k, 1.0) for k in range(6) if k % 3 != at.axis)
    along = Force(Vector.axis(at.axis, slides), Vector.axis(at.axis, -turns))
    return replace(placed, constraint_forces=(*others, along))


def _joint_frame(joint: Joint, first: Vector, second: Vector) -> tuple[Rotation, Rotation]:
    """Return rotations R_PJ at rest and R_LJ of the joint frame whose x and y are two directions in the link."""
    third = first.cross(second)
    R_LJ = Rotation.of(list(zip(first, second, third, strict=True)))
    return Rotation(joint.rotation) @ R_LJ, R_LJ


def _universal(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q[0] about the axis, fixed in the parent, then by q[1] about the direction across."""
    home, R_LJ = _joint_frame(joint, Vector(*joint.axis), Vector(*_across(joint)))
    c, s = cos(q[1]), sin(q[1])
    outer = (*factors(home), Rotation.about_coordinate(0, sin(q[0]), cos(q[0])), Rotation.about_coordinate(1, s, c))
    columns = (Motion(Vector(c, 0.0, s), ZERO), Motion.axis(1))
    dS = SubspaceDerivative(0, 1, Motion(Vector(-s, 0.0, c), ZERO))
    moment = Force(Vector(-s, 0.0, c), ZERO)
    forces = (Force(ZERO, Vector.axis(k)) for k in range(3))
    placed = Placement.of(outer, Vector(*joint.position), factors(R_LJ.transpose), columns)
    return replace(placed, derivatives=(dS,), constraint_forces=(moment, *forces))


def _planar(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q[0] in the plane, and translation in it by q[1] along `across` and by q[2] beside it."""
    axis, across = Vector(*joint.axis), Vector(*_across(joint))
    home, R_LJ = _joint_frame(joint, across, axis.cross(across))
    outer = (*factors(home), Rotation.about_coordinate(2, sin(q[0]), cos(q[0])))
    slide = product(factors(home)) @ Vector(q[1], q[2], 0.0)
    columns = (Motion.axis(2), Motion.axis(3), Motion.axis(4))
    return Placement.of(outer, Vector(*joint.position) + slide, factors(R_LJ.transpose), columns)


def _rolling(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q while the link's cylinder, about its origin, rolls on the parent's without slip.

    u = Rot(axis, q r / L) across       p = position + L (u - across)       L = r + r_parent, along the line of centres
    S = (axis, r axis x u)              dS/dq = (0, r r_parent / L u)       in axes that turn with the link
    """
    at, r, length = _alignment(joint), joint.radius, joint.radius + joint.parent_radius
    share = r / length
    start = product(at.inner) @ Vector(*_across(joint))

    def turned(angle: Scalar) -> Vector:
        return Rotation.about_coordinate(at.axis, at.sign * sin(angle), cos(angle)) @ start

    u, axis = turned((share - 1.0) * q[0]), Vector.axis(at.axis, at.sign)
    move = product(at.constant) @ ((turned(share * q[0]) - start) * length)
    column = Motion(axis, axis.cross(u) * r)
    dS = SubspaceDerivative(0, 0, Motion(ZERO, u * (r * (1.0 - share))))
    placed = Placement.of((*at.outer, at.rotation(q[0])), Vector(*joint.position) + move, at.inner, (column,))
    return replace(placed, derivatives=(dS,))


def _spherical(joint: Joint, q: Numbers) -> Placement:
    """Free rotation: q is the orientation (w, x, y, z), v the angular velocity in link coordinates."""
    turn = product(factors(Rotation(joint.rotation))) @ Quaternion(*q).rotation()
    return Placement.of((turn,), Vector(*joint.position), (), [Motion.axis(k) for k in range(3)])


def _free(joint: Joint, q: Numbers) -> Placement:
    """Free motion: q is the pose (w, x, y, z, px, py, pz), v the spatial velocity, in and about the link's frame."""
    home = Transform(product(factors(Rotation(joint.rotation))), Vector(*joint.position))
    pose = home @ Transform(Quaternion(*q[:4]).rotation(), Vector(*q[4:]))
    return Placement.of((pose.rotation,), pose.position, (), [Motion.axis(k) for k in range(6)])


def _fixed(joint: Joint, q: Numbers) -> Placement:
    """Is part of its parent."""
    return Placement.of(factors(Rotation(joint.rotation)), Vector(*joint.position), (), ())


def _across(joint: Joint) -> tuple[float, float, float]:
    """The given direction across the axis; checked joints have one where their kind needs it."""
    assert joint.across is not None
    return joint.across


QUATERNION_UNITS: Final = ("1", "1", "1", "1")
JOINTS: dict[str, JointKind] = {
    "fixed": JointKind((), (), (), _fixed),
    "revolute": JointKind(("rad",), ("rad/s",), (0.0,), _revolute, axes=1),
    "prismatic": JointKind(("m",), ("m/s",), (0.0,), _prismatic, axes=1),
    "axial": JointKind(("rad",), ("rad/s",), (0.0,), _axial, axes=1),
    "helical": JointKind(("rad",), ("rad/s",), (0.0,), _helical, axes=1),
    "cylindrical": JointKind(("rad", "m"), ("rad/s", "m/s"), (0.0, 0.0), _cylindrical, axes=1),
    "universal": JointKind(("rad", "rad"), ("rad/s", "rad/s"), (0.0, 0.0), _universal, axes=2),
    "rolling": JointKind(("rad",), ("rad/s",), (0.0,), _rolling, axes=2),
    "planar": JointKind(
        ("rad", "m", "m"), ("rad/s", "m/s", "m/s"), (0.0, 0.0, 0.0), _planar, charts.planar_q_dot, axes=2
    ),
    "spherical": JointKind(
        QUATERNION_UNITS,
        ("rad/s", "rad/s", "rad/s"),
        (1.0, 0.0, 0.0, 0.0),
        _spherical,
        charts.spherical_q_dot,
        charts.integrate_quaternion,
        charts.spherical_inverse_differential,
    ),
    "free": JointKind(
        (*QUATERNION_UNITS, "m", "m", "m"),
        ("rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"),
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        _free,
        charts.free_q_dot,
        charts.integrate_pose,
        charts.free_inverse_differential,
    ),
}


def place(joint: Joint, q: Numbers) -> Placement:
    """Return the placement of a joint at coordinates q."""
    return JOINTS[joint.kind].place(joint, q)


def transform(joint: Joint, q: Numbers) -> Transform:
    """Return X_PL, link to parent coordinates, at coordinates q."""
    return place(joint, q).X_PL


def subspace(joint: Joint, q: Numbers | None = None) -> tuple[Motion, ...]:
    """Return the motion subspace S at q, or at rest: one motion for each velocity, in link coordinates."""
    placement = place(joint, JOINTS[joint.kind].rest if q is None else q)
    return tuple(placement.to_link(S) for S in placement.columns)


def q_dot(joint: Joint, q: Numbers, v: Numbers) -> list[Scalar]:
    """Return q_dot at coordinates q and velocities v."""
    return JOINTS[joint.kind].q_dot(q, v)
