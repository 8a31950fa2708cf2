"""The table of joint kinds: what each allows, where it puts its link, and how its coordinates change."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from gambol.figure.joint import charts
from gambol.figure.joint.given import Joint
from gambol.figure.joint.placement import Bend, Placement
from gambol.lanes import Scalar, cos, sin, tracing
from gambol.spatial.factor import Alignment, about_z, aligned, factors
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

    q_units, v_units: one unit for each coordinate and each velocity, so their lengths are the numbers of these.
    rest: the coordinates at which the link lies as `rotation` and `position` say. place: the joint at q.
    rates: dq/dt from q and v. displaced: q moved by x (nv) along the tangent. winding: what `unwound` gives where it
    differs from the rates. axes: how many directions a joint is given by: none, its axis, or also the one across.
    """

    q_units: tuple[str, ...]
    v_units: tuple[str, ...]
    rest: tuple[float, ...]
    place: Callable[[Joint, Numbers], Placement]
    rates: Chart = charts.same_rates
    displaced: Chart = charts.added
    winding: Callable[[Numbers, Numbers, Numbers], list[Scalar]] | None = None
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
    def turns(self) -> bool:
        """Whether the coordinates begin with a unit quaternion."""
        return self.nq > self.nv

    def unwound(self, q: Numbers, x: Numbers, v: Numbers) -> list[Scalar]:
        """dx/dt (nv), where displaced(q, x) is where the joint is and v its velocity there."""
        return self.rates(self.displaced(q, x), v) if self.winding is None else self.winding(q, x, v)

    def normalised(self, q: Numbers) -> list[Scalar]:
        """q with its quaternion, if it has one, brought back to length 1."""
        return charts.unit(q) if self.turns else list(q)


def _alignment(joint: Joint) -> Alignment:
    """For least cost where it is traced, to be done many times; else at once, for to find that takes far longer."""
    return (aligned if tracing() else about_z)(Rotation(joint.rotation), joint.axis)


def _rotary(joint: Joint, q: Numbers) -> Placement:
    """Turns by q about the axis."""
    at = _alignment(joint)
    columns = (Motion.axis(at.axis, at.sign),)
    return Placement.of((*at.outer, at.turn(q[0])), Vector(*joint.position), at.inner, columns)


def _sliding(joint: Joint, q: Numbers) -> Placement:
    """Slides by q along the axis."""
    at = _alignment(joint)
    slide = product(at.constant) @ Vector.axis(at.axis, at.sign * q[0])
    columns = (Motion.axis(at.axis + 3, at.sign),)
    return Placement.of(at.constant, Vector(*joint.position) + slide, at.inner, columns)


def _cylindrical(joint: Joint, q: Numbers) -> Placement:
    """Turns by the first coordinate about the axis and slides by the second along it."""
    at = _alignment(joint)
    slide = product(at.outer) @ Vector.axis(at.axis, at.sign * q[1])
    columns = (Motion.axis(at.axis, at.sign), Motion.axis(at.axis + 3, at.sign))
    return Placement.of((*at.outer, at.turn(q[0])), Vector(*joint.position) + slide, at.inner, columns)


def _helical(joint: Joint, q: Numbers) -> Placement:
    """Turns by q about the axis and advances along it by the pitch times q."""
    at = _cylindrical(joint, (q[0], joint.pitch * q[0]))
    turn, slide = at.columns
    return replace(at, columns=(turn + slide * joint.pitch,))


def _axial(joint: Joint, q: Numbers) -> Placement:
    """Turns about the axis or slides along it, as numbers say that may differ between lanes: or both, as a screw."""
    at, slides = _alignment(joint), joint.slides
    turns = 1.0 - slides
    slide = product(at.constant) @ Vector.axis(at.axis, at.sign * (slides * q[0]))
    column = Motion.axis(at.axis, at.sign * turns) + Motion.axis(at.axis + 3, at.sign * slides)
    placed = Placement.of((*at.outer, at.turn(turns * q[0])), Vector(*joint.position) + slide, at.inner, (column,))
    others = (Force(ZERO, ZERO).with_component(k, 1.0) for k in range(6) if k % 3 != at.axis)
    along = Force(Vector.axis(at.axis, slides), Vector.axis(at.axis, -turns))
    return replace(placed, borne=(*others, along))


def _framed(joint: Joint, first: Vector, second: Vector) -> tuple[Rotation, Rotation]:
    """The joint frame at rest whose x and y are two directions in the link, in parent and in link axes."""
    third = first.cross(second)
    R_LJ = Rotation.of(list(zip(first, second, third, strict=True)))
    return Rotation(joint.rotation) @ R_LJ, R_LJ


def _universal(joint: Joint, q: Numbers) -> Placement:
    """Turns by the first coordinate about the axis, fixed in the parent, then by the second about the one across."""
    home, R_LJ = _framed(joint, Vector(*joint.axis), Vector(*_across(joint)))
    c, s = cos(q[1]), sin(q[1])
    outer = (*factors(home), Rotation.about_coordinate(0, sin(q[0]), cos(q[0])), Rotation.about_coordinate(1, s, c))
    columns = (Motion(Vector(c, 0.0, s), ZERO), Motion.axis(1))
    bend = Bend(0, 1, Motion(Vector(-s, 0.0, c), ZERO))
    moment = Force(Vector(-s, 0.0, c), ZERO)
    forces = (Force(ZERO, Vector.axis(k)) for k in range(3))
    placed = Placement.of(outer, Vector(*joint.position), factors(R_LJ.transpose), columns)
    return replace(placed, bends=(bend,), borne=(moment, *forces))


def _planar(joint: Joint, q: Numbers) -> Placement:
    """Slides in the plane by the last two coordinates, the first of these across, and turns in it by the first."""
    axis, across = Vector(*joint.axis), Vector(*_across(joint))
    home, R_LJ = _framed(joint, across, axis.cross(across))
    outer = (*factors(home), Rotation.about_coordinate(2, sin(q[0]), cos(q[0])))
    slide = product(factors(home)) @ Vector(q[1], q[2], 0.0)
    columns = (Motion.axis(2), Motion.axis(3), Motion.axis(4))
    return Placement.of(outer, Vector(*joint.position) + slide, factors(R_LJ.transpose), columns)


def _rolling(joint: Joint, q: Numbers) -> Placement:
    """Turns by q while its cylinder, about its origin, rolls on its parent's without slip.

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
    bend = Bend(0, 0, Motion(ZERO, u * (r * (1.0 - share))))
    placed = Placement.of((*at.outer, at.turn(q[0])), Vector(*joint.position) + move, at.inner, (column,))
    return replace(placed, bends=(bend,))


def _spherical(joint: Joint, q: Numbers) -> Placement:
    """Turns freely: q is the orientation (w, x, y, z), v the angular velocity in link coordinates."""
    turn = product(factors(Rotation(joint.rotation))) @ Quaternion(*q).rotation()
    return Placement.of((turn,), Vector(*joint.position), (), [Motion.axis(k) for k in range(3)])


def _free(joint: Joint, q: Numbers) -> Placement:
    """Moves freely: q is the pose (w, x, y, z, px, py, pz), v the spatial velocity, in and about the link's frame."""
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


TURN: Final = ("1", "1", "1", "1")
JOINTS: dict[str, JointKind] = {
    "fixed": JointKind((), (), (), _fixed),
    "rotary": JointKind(("rad",), ("rad/s",), (0.0,), _rotary, axes=1),
    "sliding": JointKind(("m",), ("m/s",), (0.0,), _sliding, axes=1),
    "axial": JointKind(("rad",), ("rad/s",), (0.0,), _axial, axes=1),
    "helical": JointKind(("rad",), ("rad/s",), (0.0,), _helical, axes=1),
    "cylindrical": JointKind(("rad", "m"), ("rad/s", "m/s"), (0.0, 0.0), _cylindrical, axes=1),
    "universal": JointKind(("rad", "rad"), ("rad/s", "rad/s"), (0.0, 0.0), _universal, axes=2),
    "rolling": JointKind(("rad",), ("rad/s",), (0.0,), _rolling, axes=2),
    "planar": JointKind(
        ("rad", "m", "m"), ("rad/s", "m/s", "m/s"), (0.0, 0.0, 0.0), _planar, charts.planar_rates, axes=2
    ),
    "spherical": JointKind(
        TURN,
        ("rad/s", "rad/s", "rad/s"),
        (1.0, 0.0, 0.0, 0.0),
        _spherical,
        charts.spherical_rates,
        charts.turned_on,
        charts.spherical_unwound,
    ),
    "free": JointKind(
        (*TURN, "m", "m", "m"),
        ("rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"),
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        _free,
        charts.free_rates,
        charts.moved_on,
        charts.free_unwound,
    ),
}


def place(joint: Joint, q: Numbers) -> Placement:
    """The joint at coordinates q."""
    return JOINTS[joint.kind].place(joint, q)


def transform(joint: Joint, q: Numbers) -> Transform:
    """X_PL: link to parent at coordinates q."""
    return place(joint, q).X_PL


def subspace(joint: Joint, q: Numbers | None = None) -> tuple[Motion, ...]:
    """The motions that the joint allows at q, or at rest, one for each velocity, in link coordinates."""
    placement = place(joint, JOINTS[joint.kind].rest if q is None else q)
    return tuple(placement.to_link(S) for S in placement.columns)


def rates(joint: Joint, q: Numbers, v: Numbers) -> list[Scalar]:
    """dq/dt at coordinates q and velocities v."""
    return JOINTS[joint.kind].rates(q, v)
