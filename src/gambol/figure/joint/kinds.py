"""The table of joint kinds, and the placement of the link and motion subspace of each."""

from dataclasses import replace

from gambol.figure.joint import charts
from gambol.figure.joint.bounds import (
    check_radii,
    mirrored_axial,
    mirrored_numbers,
    rolling_travel,
    screw_travel,
    slide,
)
from gambol.figure.joint.joint import Joint, Placement, SubspaceDerivative
from gambol.figure.joint.kind import QUATERNION_UNITS, JointKind, Numbers, SeriesJoint, TurningAxes, no_travel
from gambol.lanes import Scalar, cos, is_tracing, sin
from gambol.spatial.factor import Alignment, align, factors, z_alignment
from gambol.spatial.motion import Force, Motion, Transform
from gambol.spatial.rotation import Quaternion, Rotation, product
from gambol.spatial.vector import ZERO, Vector


def _alignment(joint: Joint) -> Alignment:
    """Return the axis as a coordinate axis between constant rotations, with the fewest operations when tracing."""
    return (align if is_tracing() else z_alignment)(Rotation(joint.rotation), joint.axis)


def _revolute(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q about the axis."""
    alignment = _alignment(joint)
    columns = (Motion.axis(alignment.axis, alignment.sign),)
    return Placement.of((*alignment.outer, alignment.rotation(q[0])), Vector(*joint.position), alignment.inner, columns)


def _prismatic(joint: Joint, q: Numbers) -> Placement:
    """Translation by q along the axis."""
    alignment = _alignment(joint)
    slide = product(alignment.constant) @ Vector.axis(alignment.axis, alignment.sign * q[0])
    columns = (Motion.axis(alignment.axis + 3, alignment.sign),)
    return Placement.of(alignment.constant, Vector(*joint.position) + slide, alignment.inner, columns)


def _cylindrical(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q[0] about the axis and translation by q[1] along it."""
    alignment = _alignment(joint)
    slide = product(alignment.outer) @ Vector.axis(alignment.axis, alignment.sign * q[1])
    columns = (Motion.axis(alignment.axis, alignment.sign), Motion.axis(alignment.axis + 3, alignment.sign))
    return Placement.of(
        (*alignment.outer, alignment.rotation(q[0])), Vector(*joint.position) + slide, alignment.inner, columns
    )


def _helical(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q about the axis and translation along it by pitch times q."""
    placement = _cylindrical(joint, (q[0], joint.pitch * q[0]))
    turn, slide = placement.columns
    return replace(placement, columns=(turn + slide * joint.pitch,))


def _axial(joint: Joint, q: Numbers) -> Placement:
    """Rotation about the axis, translation along it, or a screw; `slides` selects it and may differ between lanes."""
    alignment, slides = _alignment(joint), joint.slides
    turns = 1.0 - slides
    slide = product(alignment.constant) @ Vector.axis(alignment.axis, alignment.sign * (slides * q[0]))
    column = Motion.axis(alignment.axis, alignment.sign * turns) + Motion.axis(
        alignment.axis + 3, alignment.sign * slides
    )
    placement = Placement.of(
        (*alignment.outer, alignment.rotation(turns * q[0])),
        Vector(*joint.position) + slide,
        alignment.inner,
        (column,),
    )
    others = (Force(ZERO, ZERO).with_component(k, 1.0) for k in range(6) if k % 3 != alignment.axis)
    along_axis = Force(Vector.axis(alignment.axis, slides), Vector.axis(alignment.axis, -turns))
    return replace(placement, constraint_forces=(*others, along_axis))


def _joint_frame(joint: Joint, first: Vector, second: Vector) -> tuple[Rotation, Rotation]:
    """Return R_PJ at rest and R_LJ of the joint frame; first, second: its x and y axes, in the link frame."""
    third = first.cross(second)
    R_LJ = Rotation.of(list(zip(first, second, third, strict=True)))
    return Rotation(joint.rotation) @ R_LJ, R_LJ


def _universal(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q[0] about the axis, fixed in the parent, then by q[1] about the direction across."""
    R_rest, R_LJ = _joint_frame(joint, Vector(*joint.axis), Vector(*_across(joint)))
    c, s = cos(q[1]), sin(q[1])
    outer = (*factors(R_rest), Rotation.about_coordinate(0, sin(q[0]), cos(q[0])), Rotation.about_coordinate(1, s, c))
    columns = (Motion(Vector(c, 0.0, s), ZERO), Motion.axis(1))
    dS = SubspaceDerivative(0, 1, Motion(Vector(-s, 0.0, c), ZERO))
    moment = Force(Vector(-s, 0.0, c), ZERO)
    translation_forces = (Force(ZERO, Vector.axis(k)) for k in range(3))
    placement = Placement.of(outer, Vector(*joint.position), factors(R_LJ.transpose), columns)
    return replace(placement, derivatives=(dS,), constraint_forces=(moment, *translation_forces))


def _planar(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q[0] in the plane, and translation by q[1] along `across` and by q[2] along axis x across."""
    axis, across = Vector(*joint.axis), Vector(*_across(joint))
    R_rest, R_LJ = _joint_frame(joint, across, axis.cross(across))
    outer = (*factors(R_rest), Rotation.about_coordinate(2, sin(q[0]), cos(q[0])))
    slide = product(factors(R_rest)) @ Vector(q[1], q[2], 0.0)
    columns = (Motion.axis(2), Motion.axis(3), Motion.axis(4))
    return Placement.of(outer, Vector(*joint.position) + slide, factors(R_LJ.transpose), columns)


def _rolling(joint: Joint, q: Numbers) -> Placement:
    """Rotation by q while the link's cylinder, about its origin, rolls on the parent's without slip.

    u = Rot(axis, q r / L) across       p = position + L (u - across)       L = r + r_parent, along the line of centres
    S = (axis, r axis x u)              dS/dq = (0, r r_parent / L u)       in axes that rotate with the link
    """
    alignment, r, length = _alignment(joint), joint.radius, joint.radius + joint.parent_radius
    ratio = r / length
    u_rest = product(alignment.inner) @ Vector(*_across(joint))

    def direction_at(angle: Scalar) -> Vector:
        return Rotation.about_coordinate(alignment.axis, alignment.sign * sin(angle), cos(angle)) @ u_rest

    u, axis = direction_at((ratio - 1.0) * q[0]), Vector.axis(alignment.axis, alignment.sign)
    displacement = product(alignment.constant) @ ((direction_at(ratio * q[0]) - u_rest) * length)
    column = Motion(axis, axis.cross(u) * r)
    dS = SubspaceDerivative(0, 0, Motion(ZERO, u * (r * (1.0 - ratio))))
    placement = Placement.of(
        (*alignment.outer, alignment.rotation(q[0])), Vector(*joint.position) + displacement, alignment.inner, (column,)
    )
    return replace(placement, derivatives=(dS,))


def _spherical(joint: Joint, q: Numbers) -> Placement:
    """Free rotation: q is the orientation (w, x, y, z), v the angular velocity in link coordinates."""
    rotation = product(factors(Rotation(joint.rotation))) @ Quaternion(*q).rotation()
    return Placement.of((rotation,), Vector(*joint.position), (), [Motion.axis(k) for k in range(3)])


def _free(joint: Joint, q: Numbers) -> Placement:
    """Free motion: q is the pose (w, x, y, z, px, py, pz), v the spatial velocity of the link in its own frame."""
    X_rest = Transform(product(factors(Rotation(joint.rotation))), Vector(*joint.position))
    pose = X_rest @ Transform(Quaternion(*q[:4]).rotation(), Vector(*q[4:]))
    return Placement.of((pose.rotation,), pose.position, (), [Motion.axis(k) for k in range(6)])


def _fixed(joint: Joint, q: Numbers) -> Placement:
    """No motion relative to the parent."""
    return Placement.of(factors(Rotation(joint.rotation)), Vector(*joint.position), (), ())


def _across(joint: Joint) -> tuple[float, float, float]:
    """Return the direction across the axis; a checked joint of a kind with two directions has one."""
    assert joint.across is not None
    return joint.across


def _turn_and_slide(joint: Joint) -> tuple[SeriesJoint, ...]:
    """Return a cylindrical joint as a revolute and a prismatic joint in series."""
    turn = Joint("revolute", joint.axis, joint.rotation, joint.position)
    return (" turn", turn, 0), ("", Joint("prismatic", joint.axis), 1)


def _two_turns(joint: Joint) -> tuple[SeriesJoint, ...]:
    """Return a universal joint as two revolute joints in series."""
    turn = Joint("revolute", joint.axis, joint.rotation, joint.position)
    return (" turn", turn, 0), ("", Joint("revolute", _across(joint)), 1)


JOINTS: dict[str, JointKind] = {
    "fixed": JointKind((), (), (), _fixed, travel=no_travel, mirrored=mirrored_numbers),
    "revolute": JointKind(
        ("rad",), ("rad/s",), (0.0,), _revolute, axes=1, travel=no_travel, coaxial=True, mirrored=mirrored_numbers
    ),
    "prismatic": JointKind(
        ("m",), ("m/s",), (0.0,), _prismatic, axes=1, travel=slide(0), coaxial=True, mirrored=mirrored_numbers
    ),
    "axial": JointKind(
        ("rad",),
        ("rad/s",),
        (0.0,),
        _axial,
        axes=1,
        travel=screw_travel("slides"),
        coaxial=True,
        numbers={"slides": lambda random, size: float(random.random())},
        mirrored=mirrored_axial,
    ),
    "helical": JointKind(
        ("rad",),
        ("rad/s",),
        (0.0,),
        _helical,
        axes=1,
        travel=screw_travel("pitch"),
        coaxial=True,
        numbers={"pitch": lambda random, size: float(random.normal(scale=0.05 * size))},
        mirrored=mirrored_numbers,
    ),
    "cylindrical": JointKind(
        ("rad", "m"),
        ("rad/s", "m/s"),
        (0.0, 0.0),
        _cylindrical,
        axes=1,
        travel=slide(1),
        coaxial=True,
        mirrored=mirrored_numbers,
        in_series=_turn_and_slide,
    ),
    "universal": JointKind(
        ("rad", "rad"),
        ("rad/s", "rad/s"),
        (0.0, 0.0),
        _universal,
        axes=2,
        travel=no_travel,
        mirrored=mirrored_numbers,
        in_series=_two_turns,
    ),
    "rolling": JointKind(
        ("rad",),
        ("rad/s",),
        (0.0,),
        _rolling,
        axes=2,
        travel=rolling_travel,
        check=check_radii,
        numbers={
            "radius": lambda random, size: float(random.uniform(0.02, 0.1)) * size,
            "parent_radius": lambda random, size: float(random.uniform(0.0, 0.1)) * size,
        },
        mirrored=mirrored_numbers,
    ),
    "planar": JointKind(
        ("rad", "m", "m"),
        ("rad/s", "m/s", "m/s"),
        (0.0, 0.0, 0.0),
        _planar,
        charts.planar_rates,
        axes=2,
        travel=slide(1, 2),
        turning=TurningAxes(charts.planar_acceleration, charts.planar_re_expressed),
        mirrored=mirrored_numbers,
    ),
    "spherical": JointKind(
        QUATERNION_UNITS,
        ("rad/s", "rad/s", "rad/s"),
        (1.0, 0.0, 0.0, 0.0),
        _spherical,
        travel=no_travel,
        mirrored=mirrored_numbers,
    ),
    "free": JointKind(
        (*QUATERNION_UNITS, "m", "m", "m"),
        ("rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"),
        (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        _free,
        charts.free_rates,
        turning=TurningAxes(charts.free_acceleration, charts.free_re_expressed),
        mirrored=mirrored_numbers,
    ),
}
"""The kinds of joints by name. A new kind is one more entry; see docs/extend/joint-kind.md."""


def place(joint: Joint, q: Numbers) -> Placement:
    """Return the placement of a joint at coordinates q."""
    return JOINTS[joint.kind].place(joint, q)


def transform(joint: Joint, q: Numbers) -> Transform:
    """Return X_PL, the transform from link to parent coordinates, at coordinates q."""
    return place(joint, q).X_PL


def subspace(joint: Joint, q: Numbers | None = None) -> tuple[Motion, ...]:
    """Return the motion subspace S: one motion for each velocity, in link coordinates; q: None for the rest pose."""
    placement = place(joint, JOINTS[joint.kind].rest if q is None else q)
    return tuple(placement.to_link(S) for S in placement.columns)


def q_dot(joint: Joint, q: Numbers, v: Numbers) -> list[Scalar]:
    """Return q_dot at coordinates q and velocities v."""
    return JOINTS[joint.kind].q_dot(q, v)
