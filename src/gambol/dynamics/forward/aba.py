"""Forward dynamics by the articulated-body algorithm: inward for inertia and force, outward for acceleration.

    inward    I_P += X I' X^T      p_P += X (p' + I' c)                        (through the joint)
    outward   a = X^-1 a_P + c     v' = x - U.a / D     a += S v'
    through   U = I S     D = S.U     x = (tau - S.p) / D     I' = I - U U^T / D     p' = p + U x

[McKenna 1990, appendix B, eq. 35-46; Featherstone 2008, table 7.1]. Initially p is the bias force of the rigid
link minus the external force. For a joint with prescribed acceleration I' = I, p' = p + I S v', and its joint force is
S.(I a + p) [McKenna 1990, eq. 45; Featherstone 2008, section 9.2].

If S is a coordinate axis, the row and the column of I' along S are zero, and the component of p' along S is tau. These
zeros are plain floats, so they cost nothing; and the acceleration along S does not depend on the parent's acceleration
along S. A joint with n directions takes n such passes, one after the other; for the free joint they factorise the
inertia into L D L^T. A rotor adds its inertia to D, and then no row is zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.dynamics.bodies import (
    NOTHING,
    STANDARD_GRAVITY,
    Gravity,
    inertia_in_joint,
    rigid_inertias,
    world_acceleration,
)
from gambol.dynamics.canonical_frames import canonical_figure
from gambol.dynamics.kinematics import Kinematics
from gambol.figure.joint import Placement
from gambol.lanes import Scalar, split_point
from gambol.spatial.inertia import Inertia, gyroscopic
from gambol.spatial.motion import Force, Motion
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class FreeDirection:
    """A free direction S of a joint.

    inertia, bias: I' and p', on the side of the parent. W: U / D. x: acceleration along S due to the forces.
    coordinate: index of the coordinate axis along which S is, or None; sign: +1 or -1 along it.
    """

    inertia: Inertia
    bias: Force
    W: Force
    x: Scalar
    S: Motion
    coordinate: int | None
    sign: float

    def accelerations(self, a: Motion) -> tuple[Scalar, Motion]:
        """Return the joint acceleration along S and the body's acceleration.

        a: the body's acceleration without joint acceleration along S.
        """
        if self.coordinate is None:
            a_S = (-a).dot(self.W, self.x)
            return a_S, a + self.S * a_S
        a_without_S = a.with_component(self.coordinate, 0.0)
        along = (-a_without_S).dot(self.W, self.x)
        return (along - a[self.coordinate]) * self.sign, a_without_S.with_component(self.coordinate, along)


def free_direction(inertia: Inertia, bias: Force, S: Motion, tau: Scalar, armature: Scalar = 0.0) -> FreeDirection:
    """Return the free direction of a body.

    inertia, bias: articulated inertia and bias force of the body. S: the direction. tau: joint force along it [N m or
    N]. armature: the rotor's inertia reflected to S [kg m2 or kg].
    """
    coordinate, sign = S.coordinate()
    if coordinate is not None and is_constant(armature, 0.0):
        return _free_coordinate(inertia, bias, coordinate, sign, tau)
    U = inertia @ S
    D_inverse = 1.0 / S.dot(U, armature)
    W, x = U * D_inverse, (tau - S.dot(bias)) * D_inverse
    return FreeDirection(inertia.minus_outer(U, W), bias + U * x, W, x, S, None, 1.0)


def _free_coordinate(inertia: Inertia, bias: Force, k: int, sign: float, tau: Scalar) -> FreeDirection:
    """Return the free direction along coordinate axis k without computing the zero rows; sign: +1 or -1 along it."""
    column, force = inertia.column(k), tau * sign
    D_inverse = 1.0 / column[k]
    U = column.with_component(k, 0.0)
    W, x = U * D_inverse, (force - bias[k]) * D_inverse
    bias_through = (bias + U * x).with_component(k, force)
    return FreeDirection(inertia.cleared(k).minus_outer(U, W), bias_through, W, x, Motion.axis(k, sign), k, sign)


@dataclass(frozen=True, slots=True)
class PrescribedDirection:
    """A direction S with prescribed acceleration.

    inertia, bias: on the side of the parent. a_S: the prescribed acceleration.
    """

    inertia: Inertia
    bias: Force
    S: Motion
    a_S: Scalar

    def accelerations(self, a: Motion) -> tuple[Scalar, Motion]:
        """Return the prescribed acceleration and the body's acceleration.

        a: the body's acceleration without joint acceleration along S.
        """
        return self.a_S, a + self.S * self.a_S


def prescribed_direction(inertia: Inertia, bias: Force, S: Motion, a_S: Scalar) -> PrescribedDirection:
    """Return the prescribed direction of a body.

    inertia, bias: articulated inertia and bias force of the body. S: the direction. a_S: acceleration along it.
    """
    return PrescribedDirection(inertia, bias + inertia @ (S * a_S), S, a_S)


@dataclass(frozen=True, slots=True)
class _ArticulatedBody:
    """The articulated body of a link, in its joint frame, and the directions of its joint.

    directions: each with the inertia and bias force on its parent side.
    """

    inertia: Inertia
    bias: Force
    directions: list[FreeDirection | PrescribedDirection]


def aba(
    state: Kinematics,
    tau: Sequence[Scalar],
    *,
    f_ext: Mapping[int, Force] = NOTHING,
    gravity: Gravity = STANDARD_GRAVITY,
    prescribed: Mapping[int, Sequence[Scalar]] = NOTHING,
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Return joint accelerations by the articulated-body algorithm.

    state: positions and velocities. tau: joint forces (nv) [N m or N]. f_ext: external forces on links, by link index,
    in link coordinates. gravity: strength of gravity along -z, or a vector in world axes [m/s2]. prescribed: joint
    accelerations of prescribed joints, by link index. Returns the joint accelerations (nv), and for each prescribed
    link its joint force beyond tau.
    """
    canonical = canonical_figure(state.figure)
    reduced = canonical.state(state)
    prescribed_a = {canonical.carriers[i]: values for i, values in prescribed.items() if len(values)}
    bodies = _inward(reduced, tau, canonical.forces(f_ext), prescribed_a)
    a, forces = _outward(reduced, tau, bodies, gravity)
    return a, {i: forces[canonical.carriers[i]] if len(values) else [] for i, values in prescribed.items()}


def _inward(
    state: Kinematics, tau: Sequence[Scalar], f_ext: Mapping[int, Force], prescribed: Mapping[int, Sequence[Scalar]]
) -> dict[int, _ArticulatedBody]:
    """Return the articulated body of each link, by index."""
    bodies: dict[int, _ArticulatedBody] = {}
    rigid = rigid_inertias(state.figure)
    I, p = list(rigid), dict[int, Force]()

    def rigid_bias(i: int) -> Force:
        bias = gyroscopic(rigid[i], state.velocities[i].w)
        return bias - f_ext[i] if i in f_ext else bias

    for link in state.figure.inward():
        split_point()
        i, parent, joint = link.index, link.parent_index, state.joints[link.index]
        body = inertia_in_joint(I[i], joint), joint.to_joint(p[i] if i in p else rigid_bias(i))
        directions = _joint_directions(link.joint.armature, body, joint, tau[link.v], prescribed.get(i))
        bodies[i] = _ArticulatedBody(*body, directions)
        parent_side = directions[-1] if directions else bodies[i]
        bias = parent_side.inertia.times(state.velocity_products[i], addend=parent_side.bias)
        inertia = _rotated_to_parent(parent_side.inertia, joint)
        I[parent] += inertia.shifted(joint.X_PJ.position)
        parent_bias = p[parent] if parent in p else rigid_bias(parent)
        p[parent] = _bias_in_parent(bias, inertia, joint, state.centripetals[i], parent_bias)
    return bodies


def _outward(
    state: Kinematics, tau: Sequence[Scalar], bodies: Mapping[int, _ArticulatedBody], gravity: Gravity
) -> tuple[list[Scalar], dict[int, list[Scalar]]]:
    """Return joint accelerations (nv), and by link index the forces of prescribed joints beyond tau."""
    figure = state.figure
    a_links = [world_acceleration(gravity)] * len(state.joints)
    a: list[Scalar] = [0.0] * figure.nv
    forces: dict[int, list[Scalar]] = {}
    for link in figure.outward():
        split_point()
        i, joint = link.index, state.joints[link.index]
        motion = state.inherited_acceleration(i, a_links[link.parent_index])
        for k, direction in reversed(list(enumerate(bodies[i].directions))):
            a[link.v.start + k], motion = direction.accelerations(motion)
        a_links[i] = joint.to_link(motion)
        if any(isinstance(direction, PrescribedDirection) for direction in bodies[i].directions):
            force = bodies[i].inertia.times(motion, addend=bodies[i].bias)
            rotor = link.joint.armature
            total = [S.dot(force, rotor * x) for S, x in zip(joint.columns, a[link.v], strict=True)]
            forces[i] = [f - t for f, t in zip(total, tau[link.v], strict=True)]
    return a, forces


def _joint_directions(
    armature: Scalar,
    body: tuple[Inertia, Force],
    joint: Placement,
    tau: Sequence[Scalar],
    prescribed: Sequence[Scalar] | None,
) -> list[FreeDirection | PrescribedDirection]:
    """Return the directions of a joint, from the link to its parent.

    body: articulated inertia and bias force in the joint frame. tau, prescribed: joint forces, and joint accelerations
    or None for a free joint; one for each direction.
    """
    directions: list[FreeDirection | PrescribedDirection] = []
    inertia, bias = body
    for k, S in enumerate(joint.columns):
        if prescribed is None:
            direction = free_direction(inertia, bias, S, tau[k], armature)
        else:
            direction = prescribed_direction(inertia, bias, S, prescribed[k])
        inertia, bias = direction.inertia, direction.bias
        directions.append(direction)
    return directions


def _rotated_to_parent(inertia: Inertia, joint: Placement) -> Inertia:
    """Return an inertia in the parent's axes; inertia: in the joint frame."""
    for rotation in reversed(joint.outer):
        inertia = inertia.rotated(rotation)
    return inertia


def _bias_in_parent(bias: Force, inertia: Inertia, joint: Placement, centripetal: Vector, parent_bias: Force) -> Force:
    """Return the bias force of the parent plus the bias force of a link.

    bias: bias of the link, in the joint frame. inertia: inertia of the link, in the parent's axes. centripetal:
    acceleration of the joint. parent_bias: bias force of the parent without this link.
    """
    R, r = joint.X_PJ.rotation, joint.X_PJ.position
    f = inertia.M.times(centripetal, R @ bias.f)
    n = inertia.H.times(centripetal, R.times(bias.n, parent_bias.n))
    return Force(n.plus_cross(r, f), parent_bias.f + f)
