"""Forward dynamics of a tree of any size: the passes of the articulated-body algorithm, each one program for all steps.

    outward   v = X^-1 v_P + v_J       c = X^-1 (0, w_P x (w_P x r)) + v_P x v_J + c_J      p = bias of the rigid body
    inward    I_P += X I' X^T          p_P += X (p' + I' c)
    outward   a = X^-1 a_P + c         v' = x - W.a         a += S v'

The formulas are the same as in kinematics.py and forward/aba.py. There, the program of a figure has a piece of code for
each link; here, a step reads the numbers of its joint and its neighbours from tables, at indices that are data. So the
size of a program does not depend on the figure. A step is one degree of freedom: a joint with several is a series of
steps with massless bodies between them, of which the first has the joint's transform and the last the body.

A table is an array (rows, columns), flat; its entry in row k of column i is at k * width + i.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from gambol.dynamics.forward.aba import free_direction
from gambol.lanes import Program, ProgramSpec, Scalar, gather, leaves, unflatten
from gambol.spatial.inertia import NO_INERTIA, Inertia, RigidInertia, gyroscopic
from gambol.spatial.matrix import Matrix, Symmetric
from gambol.spatial.motion import NO_FORCE, Force, Motion, Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import ZERO, Vector, centripetal

POSE_ROWS = 12  # rotation 9, position 3
JOINT_ROWS = 24  # rotation 9, position 3, velocity v_J 6, acceleration c_J 6
DIRECTION_ROWS = 7  # S 6, velocity along it
ANSWER_ROWS = 8  # W 6, x, D^-1
BODY_ROWS = 10  # mass, mass times centre 3, inertia 6
ARTICULATED_ROWS = 27  # inertia in blocks 21, bias 6


def velocity_step(index: Sequence[Scalar], widths: Sequence[Scalar], joints: Any, bodies: Any, motions: Any) -> Any:
    """Return velocity, acceleration c and bias force p of a step (18).

    index: columns of its joint, of its body, and of the previous step. widths: widths of the three tables. motions: the
    results.
    """
    joint, body, parent = index
    X, v_J, c_J = _joint(joints, widths[0], joint)
    v_P = motion_of(entries(motions, widths[2], parent, 6))
    v = X.apply_inverse(v_P) + v_J
    rigid = rigid_inertia(entries(bodies, widths[1], body, BODY_ROWS))
    return (leaves((v, velocity_product(X, v_P.w, v_J, c_J), gyroscopic(rigid, v.w))),)


def velocity_product(X: Transform, w_P: Vector, v_J: Motion, c_J: Motion) -> Motion:
    """Return the acceleration c of a link at zero acceleration of its parent and of its joint, in link axes.

    X: pose of the link in its parent. w_P: angular velocity of the parent, in its axes. v_J, c_J: S v and (dS/dt) v.
    """
    w = X.rotation.transpose @ w_P
    c = X.apply_inverse(Motion(ZERO, centripetal(w_P, X.position)))
    return c + Motion(w.cross(v_J.w), (w + w + v_J.w).cross(v_J.v)) + c_J


def inertia_step(
    index: Sequence[Scalar],
    widths: Sequence[Scalar],
    effort: Sequence[Scalar],
    *tables: Any,
) -> Any:
    """Return inertia and bias that a step adds to the body before it, with its siblings (27), and W, x and D^-1 (8).

    index: columns of its joint, its direction, its body, its motion, its first child and its next sibling. widths:
    widths of the five tables: joints, directions, bodies, motions, results. effort: joint force, rotor inertia,
    damping.
    """
    joints, subspace, bodies, motions, articulated = tables
    joint, direction, body, motion, child, sibling = index
    X, _, _ = _joint(joints, widths[0], joint)
    S_and_v = entries(subspace, widths[1], direction, DIRECTION_ROWS)
    tau = effort[0] - effort[2] * S_and_v[6]
    rigid = rigid_inertia(entries(bodies, widths[2], body, BODY_ROWS))
    c_and_p = entries(motions, widths[3], motion + 6.0 * widths[3], 12)
    I_children, p_children = _articulated(entries(articulated, widths[4], child, ARTICULATED_ROWS))
    I_siblings, p_siblings = _articulated(entries(articulated, widths[4], sibling, ARTICULATED_ROWS))
    inertia, S = rigid + I_children, motion_of(S_and_v[:6])
    through = free_direction(inertia, force_of(c_and_p[6:]) + p_children, S, tau, effort[1])
    D_inverse = 1.0 / S.dot(inertia @ S, effort[1])
    bias = through.inertia.times(motion_of(c_and_p[:6]), addend=through.bias)
    at_parent = through.inertia.rotated(X.rotation).shifted(X.position)
    return leaves((at_parent + I_siblings, X @ bias + p_siblings)), leaves((through.W, through.x, D_inverse))


def acceleration_step(
    index: Sequence[Scalar],
    widths: Sequence[Scalar],
    joints: Any,
    subspace: Any,
    motions: Any,
    responses: Any,
    accelerations: Any,
) -> Any:
    """Return acceleration of the body (6) and along the direction (1) of a step.

    index: columns of its joint, its direction, its motion, its response, and of the previous step. widths: widths of
    the five tables. responses: W, x and D^-1 of inertia_step(). accelerations: the results.
    """
    joint, direction, motion, response, parent = index
    X, _, _ = _joint(joints, widths[0], joint)
    S = motion_of(entries(subspace, widths[1], direction, 6))
    c = motion_of(entries(motions, widths[2], motion + 6.0 * widths[2], 6))
    W_and_x = entries(responses, widths[3], response, 7)
    a = X.apply_inverse(motion_of(entries(accelerations, widths[4], parent, 6))) + c
    along = (-a).dot(force_of(W_and_x[:6]), W_and_x[6])
    return (leaves((a + S * along, along)),)


def pose_step(index: Sequence[Scalar], widths: Sequence[Scalar], joints: Any, poses: Any) -> Any:
    """Return the pose of a step's body in the world (12).

    index: columns of its joint and of the previous step. widths: widths of the two tables. poses: the results.
    """
    X, _, _ = _joint(joints, widths[0], index[0])
    return (leaves(transform_of(entries(poses, widths[1], index[1], POSE_ROWS)) @ X),)


def _joint(table: Any, width: Scalar, column: Scalar) -> tuple[Transform, Motion, Motion]:
    """Return X, v_J and c_J of a joint."""
    x = entries(table, width, column, JOINT_ROWS)
    return transform_of(x), motion_of(x[12:18]), motion_of(x[18:24])


def entries(table: Any, width: Scalar, column: Scalar, rows: int) -> list[Scalar]:
    """Return the first rows of a column of a table."""
    entries: list[Scalar] = []
    for k in range(rows):
        entries.append(gather(table, column + width * float(k) if k else column))
    return entries


def transform_of(x: Sequence[Scalar]) -> Transform:
    """Return the transform of a rotation by rows and a position (12)."""
    return Transform(Rotation.of([x[0:3], x[3:6], x[6:9]]), Vector.of(x[9:12]))


def motion_of(x: Sequence[Scalar]) -> Motion:
    """Return the motion of six components."""
    return Motion(Vector.of(x[:3]), Vector.of(x[3:]))


def force_of(x: Sequence[Scalar]) -> Force:
    """Return the force of six components."""
    return Force(Vector.of(x[:3]), Vector.of(x[3:]))


def rigid_inertia(x: Sequence[Scalar]) -> Inertia:
    """Return the inertia of a rigid body in blocks, from mass, mass times centre, and inertia about the origin (10)."""
    body: RigidInertia = unflatten(RigidInertia(0.0, ZERO, Symmetric(*[0.0] * 6)), iter(x))
    h = body.h
    H = Matrix(((0.0, -h.z, h.y), (h.z, 0.0, -h.x), (-h.y, h.x, 0.0)))
    return Inertia(body.I, H, Symmetric(body.m, 0.0, 0.0, body.m, 0.0, body.m))


def _articulated(x: Sequence[Scalar]) -> tuple[Inertia, Force]:
    return unflatten((NO_INERTIA, NO_FORCE), iter(x))


def pass_program(name: str, function: Any, structures: tuple[Any, ...], tables: int, lanes: int | None = 1) -> Program:
    """Return the program of a pass, which takes one step after the other, or `lanes` steps that are independent.

    structures, tables: see ProgramSpec. lanes: see Program.
    """
    return Program(ProgramSpec(name, function, structures, tables, key="pass"), lanes=lanes)


@cache
def velocity_pass() -> Program:
    """Return the program of velocity_step()."""
    return pass_program("velocity pass", velocity_step, ([0.0] * 3, [0.0] * 3), 3)


@cache
def inertia_pass() -> Program:
    """Return the program of inertia_step()."""
    return pass_program("inertia pass", inertia_step, ([0.0] * 6, [0.0] * 5, [0.0] * 3), 5)


@cache
def acceleration_pass() -> Program:
    """Return the program of acceleration_step()."""
    return pass_program("acceleration pass", acceleration_step, ([0.0] * 5, [0.0] * 5), 5)


@cache
def pose_pass() -> Program:
    """Return the program of pose_step()."""
    return pass_program("pose pass", pose_step, ([0.0] * 2, [0.0] * 2), 2)
