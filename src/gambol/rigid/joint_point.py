"""The geometry of a joint of a pile: its point and axes at the middle of a step, its errors and its coordinates.

    u = A^T (w_a - w_b),  F^T (v_a + w_a x r_a - v_b - w_b x r_b)    of body a relative to body b: rotation, translation

F: frame of b's joint. A: F; of a spherical joint with the rotation vector as its z axis; of a universal joint with its
two axes as x and y. r_a, r_b: from the centres of mass to the point of body a. An impulse has a moment and a force.
"""

from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar, atan2, sqrt, where
from gambol.rigid.body_table import MOTION, ZERO, Column
from gambol.rigid.contact_point import Side
from gambol.rigid.joint_laws import ROWS, SIX, Six
from gambol.rigid.update import SIDE
from gambol.spatial import Motion, Quaternion, Rotation, Vector
from gambol.spatial.matrix import Symmetric

ZERO_ROW = (0.0, 0.0, 0.0)

SMALL_TURN = 1e-9
"""Rotations of a spherical joint below this have the z axis of the joint as their direction [rad]."""


@dataclass(frozen=True, slots=True)
class JointPoint:
    """The geometry of a joint at the middle of a step.

    turn, frame: A and F; first, second: its bodies with the arms to the point of the first; locked: 1 for locked
    motions, else 0.
    """

    turn: Rotation
    frame: Rotation
    first: Side
    second: Side
    locked: Six

    def velocity(self, first: Motion, second: Motion) -> list[Scalar]:
        """Return u of all motions."""
        w, v = first.w - second.w, self.first.velocity(first) - self.second.velocity(second)
        return [*(self.turn.transpose @ w), *(self.frame.transpose @ v)]

    def after_impulse(self, first: Motion, second: Motion, p: Six) -> tuple[Motion, Motion]:
        """Return the motions of both bodies after an impulse p on the first and -p on the second."""
        moment, force = self.turn @ Vector.of(p[:3]), self.frame @ Vector.of(p[3:])
        return _pushed(self.first, first, moment, force), _pushed(self.second, second, -moment, -force)

    def response(self) -> list[Scalar]:
        """Return the change of each free speed by a unit impulse on these two bodies, with locked speeds kept.

        The matrix D = J M^-1 J^T of the six rows is swept on its locked rows; 0 for these. [Goodnight 1979]
        """
        units = [tuple(1.0 if i == k else 0.0 for i in range(ROWS)) for k in range(ROWS)]
        D = [self.velocity(*self.after_impulse(MOTION, MOTION, unit)) for unit in units]
        return [x * (1.0 - on) for x, on in zip(_swept(D, self.locked), self.locked, strict=True)]


def _pushed(side: Side, body: Motion, moment: Vector, force: Vector) -> Motion:
    """Return the motion of a body after an impulse: a moment, and a force at the end of its arm."""
    turned = side.inverse_inertia.times(moment + side.arm.cross(force), body.w)
    return Motion(turned, body.v + force * side.inverse_mass)


NO_TURN = Rotation((ZERO_ROW, ZERO_ROW, ZERO_ROW))
JOINT_POINT = JointPoint(NO_TURN, NO_TURN, SIDE, SIDE, SIX)
"""An example of the pytree of the programs' inputs."""

Anchors = tuple[Vector, Quaternion, Vector, Quaternion]
ANCHORS: Anchors = (ZERO, Quaternion(1.0, 0.0, 0.0, 0.0), ZERO, Quaternion(1.0, 0.0, 0.0, 0.0))
"""Point and axes of the joint in the frames of both bodies."""

Pose = tuple[Vector, Quaternion]


def joint_geometry(
    sides: tuple[Scalar, Scalar], anchors: Anchors, locked: Six, stride: Scalar, h: Scalar, bodies: Any
) -> tuple[JointPoint, list[Motion], list[Scalar]]:
    """Return the joint at the middle of the step, the velocities of its bodies, and its displacements as it begins."""
    first, second = (Column(bodies, side, stride) for side in sides)
    velocities = [body.motion("velocity") for body in (first, second)]
    poses = [(body.vector("position"), Quaternion(*body.numbers("orientation"))) for body in (first, second)]
    (x_a, q_a), (x_b, q_b) = middle = [
        (x + v.v * (0.5 * h), Quaternion.exponential(v.w * (0.5 * h)) @ q)
        for (x, q), v in zip(poses, velocities, strict=True)
    ]
    place = x_a + q_a.rotation() @ anchors[0]
    masses = [body.number("inverse_mass") for body in (first, second)]
    moves = where(masses[0] + masses[1] > 0.0, 1.0, 0.0)
    one, other = (
        Side(place - x, mass, Symmetric(*body.numbers("inverse_inertia")))
        for x, mass, body in zip((x_a, x_b), masses, (first, second), strict=True)
    )
    held = tuple(x * moves for x in locked)
    frame = (q_b @ anchors[3]).rotation()
    point = JointPoint(_turn_axes(anchors, locked, *middle), frame, one, other, held)
    return point, velocities, _displacements(anchors, locked, *poses)


def is_ball(locked: Six) -> Scalar:
    """Return True for a joint whose rotations are all free."""
    return locked[0] + locked[1] + locked[2] < 0.5


def _is_universal(locked: Six) -> Scalar:
    """Return True for a joint that turns about two axes."""
    return (locked[0] + locked[1] < 0.5) & (locked[2] > 0.5)


def _chosen(condition: Scalar, one: Vector, other: Vector) -> Vector:
    return Vector.of([where(condition, a, b) for a, b in zip(one, other, strict=True)])


def _turn_axes(anchors: Anchors, locked: Six, first: Pose, second: Pose) -> Rotation:
    """Return A; first, second: poses of the bodies."""
    axes_a, axes_b = first[1] @ anchors[1], second[1] @ anchors[3]
    R_a, R_b = axes_a.rotation(), axes_b.rotation()
    turned = (axes_b.conjugate() @ axes_a).logarithm()
    angle = sqrt(turned.dot(turned))
    is_turned = angle > SMALL_TURN
    n = R_b @ (turned * (1.0 / where(is_turned, angle, 1.0)))
    ball = Rotation.with_z_axis(_chosen(is_turned, n, R_b.columns[2]))
    x, y = R_b.columns[0], R_a.columns[1]
    across = x.cross(y)
    z = across * (1.0 / sqrt(across.dot(across)))
    universal = Rotation.of([list(row) for row in zip(x, z.cross(x), z, strict=True)])
    columns = [
        _chosen(is_ball(locked), a, _chosen(_is_universal(locked), b, c))
        for a, b, c in zip(ball.columns, universal.columns, R_b.columns, strict=True)
    ]
    return Rotation.of([list(row) for row in zip(*columns, strict=True)])


def _displacements(anchors: Anchors, locked: Six, first: Pose, second: Pose) -> list[Scalar]:
    """Return the errors of locked motions and the coordinates of free ones [rad, m]; first, second: of the bodies."""
    (x_a, q_a), (x_b, q_b) = first, second
    axes_a, axes_b = q_a @ anchors[1], q_b @ anchors[3]
    R_a, frame = axes_a.rotation(), axes_b.rotation()
    turned = (axes_b.conjugate() @ axes_a).logarithm()
    across = frame.transpose @ frame.columns[2].cross(R_a.columns[2])  # of joints that turn about z
    hinge = [where(locked[2] > 0.0, a, b) for a, b in zip(turned, across, strict=True)]
    angles = [hinge[0], hinge[1], turned.z]
    ball = [0.0, 0.0, sqrt(turned.dot(turned))]
    x, y = frame.columns[0], R_a.columns[1]
    z, forward = x.cross(y), R_a.columns[0]
    universal = [
        atan2(y.dot(frame.columns[2]), y.dot(frame.columns[1])),
        atan2(-z.dot(forward), x.dot(forward)),
        -x.dot(y),
    ]
    angles = [
        where(is_ball(locked), a, where(_is_universal(locked), b, c))
        for a, b, c in zip(ball, universal, angles, strict=True)
    ]
    apart = x_a + q_a.rotation() @ anchors[0] - x_b - q_b.rotation() @ anchors[2]
    return [*angles, *(frame.transpose @ apart)]


def _swept(D: list[list[Scalar]], locked: Six) -> list[Scalar]:
    """Return the diagonal of D after principal pivots in its locked rows."""
    a = [[D[i][j] for j in range(i + 1)] for i in range(ROWS)]

    def at(i: int, j: int) -> Scalar:
        return a[max(i, j)][min(i, j)]

    for k in range(ROWS):
        is_locked = locked[k] > 0.0
        inverse = 1.0 / where(is_locked, a[k][k], 1.0)
        row = [at(i, k) for i in range(ROWS)]
        scaled = [x * inverse for x in row]
        used = [x * locked[k] for x in scaled]
        a = [
            [
                where(is_locked, -inverse if i == j else scaled[i + j - k], a[i][j])
                if k in (i, j)
                else a[i][j] - used[i] * row[j]
                for j in range(i + 1)
            ]
            for i in range(ROWS)
        ]
    return [a[i][i] for i in range(ROWS)]
