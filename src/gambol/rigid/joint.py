"""Joints of a pile: constraints between two bodies, or a body and the world, with any of six relative motions free.

    u = F^T (w_a - w_b,  v_a + w_a x r_a - v_b - w_b x r_b)    of body a relative to body b, in the frame F of b's joint
    u' = -u for locked motions, at the middle of the step      so p (u + u') / 2 = 0: joints do no work
    e + J d = 0 for the displacement d of the step             e: error of the joint as the step begins

r_a, r_b: from the centres of mass to the point of body a. An impulse has a moment and a force. The six rows are solved
as one block; free rows of the matrix D = J M^-1 J^T are those of the identity.
"""

from dataclasses import dataclass
from typing import Any

from gambol.lanes import ProgramSpec, Scalar, sqrt, where
from gambol.rigid.body_table import MOTION, ZERO, Column, stored_motion
from gambol.rigid.contact_point import Side
from gambol.rigid.update import SIDE
from gambol.spatial import Motion, Quaternion, Rotation, Vector
from gambol.spatial.matrix import Symmetric

ROWS = 6
"""Rows of a joint: three of rotation and three of translation."""

Six = tuple[Scalar, ...]
SIX: Six = (0.0,) * ROWS
INVERSE = (0.0,) * (ROWS * (ROWS + 1) // 2)
ZERO_ROW = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class JointPoint:
    """The geometry of a joint at the middle of a step.

    frame: F; first, second: its bodies with the arms to the point of the first; locked: 1 for locked motions, else 0;
    inverse: lower triangle of the inverse of D, by rows.
    """

    frame: Rotation
    first: Side
    second: Side
    locked: Six
    inverse: Six

    def velocity(self, first: Motion, second: Motion) -> list[Scalar]:
        """Return u of the locked motions, 0 for others."""
        w, v = first.w - second.w, self.first.velocity(first) - self.second.velocity(second)
        u = [*(self.frame.transpose @ w), *(self.frame.transpose @ v)]
        return [x * locked for x, locked in zip(u, self.locked, strict=True)]

    def after_impulse(self, first: Motion, second: Motion, p: Six) -> tuple[Motion, Motion]:
        """Return the motions of both bodies after an impulse p on the first and -p on the second."""
        moment, force = self.frame @ Vector.of(p[:3]), self.frame @ Vector.of(p[3:])
        return _pushed(self.first, first, moment, force), _pushed(self.second, second, -moment, -force)

    def change(self, u: list[Scalar]) -> list[Scalar]:
        """Return the change of the impulse that makes the locked motions 0."""
        entry = [[self.inverse[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(ROWS)] for i in range(ROWS)]
        return [-sum((a * x for a, x in zip(row, u, strict=True)), 0.0) for row in entry]


def _pushed(side: Side, body: Motion, moment: Vector, force: Vector) -> Motion:
    """Return the motion of a body after an impulse: a moment, and a force at the end of its arm."""
    turned = side.inverse_inertia.times(moment + side.arm.cross(force), body.w)
    return Motion(turned, body.v + force * side.inverse_mass)


JOINT_POINT = JointPoint(Rotation((ZERO_ROW, ZERO_ROW, ZERO_ROW)), SIDE, SIDE, SIX, INVERSE)
"""An example of the pytree of the programs' inputs."""

Anchors = tuple[Vector, Quaternion, Vector, Quaternion]
ANCHORS: Anchors = (ZERO, Quaternion(1.0, 0.0, 0.0, 0.0), ZERO, Quaternion(1.0, 0.0, 0.0, 0.0))
"""Point and axes of the joint in the frames of both bodies."""


def _prepared(
    sides: tuple[Scalar, Scalar], anchors: Anchors, locked: Six, stride: Scalar, h: Scalar, bodies: Any
) -> tuple[Any, ...]:
    """Return the joint at the middle of the step, the speeds of locked motions at its end, and its error."""
    first, second = (Column(bodies, side, stride) for side in sides)
    velocities = [body.motion("velocity") for body in (first, second)]
    poses = [(body.vector("position"), Quaternion(*body.numbers("orientation"))) for body in (first, second)]
    error = _error(anchors, locked, *poses)
    (x_a, q_a), (x_b, q_b) = (
        (x + v.v * (0.5 * h), Quaternion.exponential(v.w * (0.5 * h)) @ q)
        for (x, q), v in zip(poses, velocities, strict=True)
    )
    place = x_a + q_a.rotation() @ anchors[0]
    masses = [body.number("inverse_mass") for body in (first, second)]
    moves = where(masses[0] + masses[1] > 0.0, 1.0, 0.0)
    held = tuple(x * moves for x in locked)
    frame = (q_b @ anchors[3]).rotation()
    one, other = (
        Side(place - x, mass, Symmetric(*body.numbers("inverse_inertia")))
        for x, mass, body in zip((x_a, x_b), masses, (first, second), strict=True)
    )
    point = JointPoint(frame, one, other, held, INVERSE)
    point = JointPoint(frame, one, other, held, _inverse(_delassus(point)))
    return point, tuple(-u for u in point.velocity(*velocities)), tuple(error)


def _error(
    anchors: Anchors, locked: Six, first: tuple[Vector, Quaternion], second: tuple[Vector, Quaternion]
) -> list[Scalar]:
    """Return how far the locked motions are from 0 [rad, m]; first, second: positions and attitudes of the bodies."""
    (x_a, q_a), (x_b, q_b) = first, second
    axes_a, axes_b = q_a @ anchors[1], q_b @ anchors[3]
    frame = axes_b.rotation()
    turned = (axes_b.conjugate() @ axes_a).logarithm()
    across = frame.transpose @ frame.columns[2].cross(axes_a.rotation().columns[2])  # of joints that turn about z
    angles = [where(locked[2] > 0.0, a, b) for a, b in zip(turned, across, strict=True)]
    apart = x_a + q_a.rotation() @ anchors[0] - x_b - q_b.rotation() @ anchors[2]
    return [e * on for e, on in zip([*angles, *(frame.transpose @ apart)], locked, strict=True)]


def _delassus(point: JointPoint) -> list[list[Scalar]]:
    """Return D, with rows of the identity for free motions."""
    columns: list[list[Scalar]] = []
    for k in range(ROWS):
        unit = tuple(point.locked[k] if i == k else 0.0 for i in range(ROWS))
        column = point.velocity(*point.after_impulse(MOTION, MOTION, unit))
        column[k] = column[k] + (1.0 - point.locked[k])
        columns.append(column)
    return columns


def _inverse(D: list[list[Scalar]]) -> Six:
    """Return the lower triangle of the inverse of a positive definite matrix by Cholesky's L D L^T."""
    n = len(D)
    L: list[list[Scalar]] = [[0.0] * n for _ in range(n)]
    d: list[Scalar] = [0.0] * n
    for j in range(n):
        d[j] = D[j][j] - sum((L[j][k] * L[j][k] * d[k] for k in range(j)), 0.0)
        for i in range(j + 1, n):
            L[i][j] = (D[i][j] - sum((L[i][k] * L[j][k] * d[k] for k in range(j)), 0.0)) / d[j]
    inverse: list[list[Scalar]] = []
    for c in range(n):
        x: list[Scalar] = [1.0 if i == c else 0.0 for i in range(n)]
        for i in range(n):
            x[i] = x[i] - sum((L[i][k] * x[k] for k in range(i)), 0.0)
        x = [a / b for a, b in zip(x, d, strict=True)]
        for i in reversed(range(n)):
            x[i] = x[i] - sum((L[k][i] * x[k] for k in range(i + 1, n)), 0.0)
        inverse.append(x)
    return tuple(inverse[i][j] for i in range(n) for j in range(i + 1))


def _updated(
    point: JointPoint,
    target: Six,
    relaxation: Scalar,
    sources: tuple[Scalar, Scalar],
    stride: Scalar,
    p: Six,
    store: Any,
) -> tuple[Any, ...]:
    """Return motions of the bodies after the update of a joint, its impulse, and the size of its violation before.

    target: speeds of the locked motions; others as for a contact, see update.py.
    """
    first, second = (stored_motion(store, start, stride) for start in sources)
    off = [u - x for u, x in zip(point.velocity(first, second), target, strict=True)]
    change = tuple(x * relaxation for x in point.change(off))
    size = sqrt(sum((x * x for x in off), 0.0))
    return point.after_impulse(first, second, change), tuple(a + b for a, b in zip(p, change, strict=True)), size


def _started(point: JointPoint, starts: tuple[Scalar, Scalar], stride: Scalar, p: Six, store: Any) -> tuple[Any]:
    """Return the motions of the bodies after the initial impulse p."""
    first, second = (stored_motion(store, start, stride) for start in starts)
    return (point.after_impulse(first, second, p),)


def _checked(point: JointPoint, error: Six, sides: tuple[Scalar, Scalar], stride: Scalar, bodies: Any) -> tuple[Any]:
    """Return the error that is left after the displacement of the step."""
    first, second = (Column(bodies, side, stride).motion("displacement") for side in sides)
    moved = point.velocity(first, second)
    return (tuple(e + d for e, d in zip(error, moved, strict=True)),)


_SIDES = (0.0, 0.0)
JOINT_PROGRAMS = {
    "joint prepared": ProgramSpec("pile joint", _prepared, (_SIDES, ANCHORS, SIX, 0.0, 0.0), 1, "prepared"),
    "joint update": ProgramSpec("pile joint update", _updated, (JOINT_POINT, SIX, 0.0, _SIDES, 0.0, SIX), 1, "updated"),
    "joint start": ProgramSpec("pile joint start", _started, (JOINT_POINT, _SIDES, 0.0, SIX), 1, "started"),
    "joint checked": ProgramSpec("pile joint checked", _checked, (JOINT_POINT, SIX, _SIDES, 0.0), 1, "checked"),
}
"""The programs over joints, by name."""
