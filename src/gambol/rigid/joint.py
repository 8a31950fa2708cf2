"""Joints of a pile: constraints between two bodies, or a body and the world, with any of six relative motions free.

    u' = -u for locked motions, at the middle of the step      so p (u + u') / 2 = 0: they do no work
    u' = u_0 + S p,  p by the laws of each free motion         springs, limits, motors: see joint_laws.py
    e + J d = 0 for the displacement d of the step             e: error of the joint as the step begins

u, S: see joint_point.py. The locked motions of a joint are solved as one block, then its free motions one by one. Piles
without laws of free motions have programs without them.
"""

from typing import Any

from gambol.lanes import ProgramSpec, Scalar, sqrt, where
from gambol.rigid.body_table import Column, stored_motion
from gambol.rigid.joint_laws import (
    ROWS,
    SIX,
    LawNumbers,
    Parts,
    RowState,
    Six,
    StepLaws,
    missing,
    row_impulse,
    step_laws,
    works,
)
from gambol.rigid.joint_point import ANCHORS, JOINT_POINT, Anchors, JointPoint, is_ball, joint_geometry
from gambol.spatial import Quaternion, Vector

JointData = tuple[tuple[Scalar, Scalar], Anchors, Six]
"""Numbers of a joint's bodies, its anchors, and 1 for its locked motions."""


def _prepared(joint: JointData, stride: Scalar, h: Scalar, bodies: Any) -> tuple[Any, ...]:
    """Return the joint at the middle of the step, the speeds of locked motions at its end, and its error."""
    point, velocities, displacements = joint_geometry(*joint, stride, h, bodies)
    u = point.velocity(*velocities)
    return point, _masked([-x for x in u], point.locked), _masked(displacements, joint[2])


def _prepared_with_laws(
    joint: JointData,
    numbers: LawNumbers,
    commands: tuple[Six, Six],
    stride: Scalar,
    h: Scalar,
    bodies: Any,
) -> tuple[Any, ...]:
    """Return also the laws of the free motions in this step, see joint_laws.py.

    commands: targets of servos [rad, m], and torques or forces [N m, N]; forces, and torques of a spherical joint, are
    in the axes of the link.
    """
    sides, anchors, locked = joint
    point, velocities, displacements = joint_geometry(sides, anchors, locked, stride, h, bodies)
    own = (Quaternion(*Column(bodies, sides[0], stride).numbers("orientation")) @ anchors[1]).rotation()
    u, ball = point.velocity(*velocities), is_ball(locked)
    turned = point.turn.transpose @ (own @ Vector.of(commands[1][:3]))
    forces = point.frame.transpose @ (own @ Vector.of(commands[1][3:]))
    torques = [*(where(ball, x, y) for x, y in zip(turned, commands[1][:3], strict=True)), *forces]
    states = [RowState(*row) for row in zip(displacements, u, point.response(), strict=True)]
    laws, gaps, parts = step_laws(numbers, states, commands[0], torques, h)
    return point, _masked([-x for x in u], point.locked), _masked(displacements, locked), laws, gaps, parts


def _masked(x: list[Scalar], locked: Six) -> Six:
    return tuple(a * on for a, on in zip(x, locked, strict=True))


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
    off, change, _ = _locked_change(point, point.velocity(first, second), target, relaxation)
    size = sqrt(sum((x * x for x in off), 0.0))
    return point.after_impulse(first, second, tuple(change)), tuple(a + b for a, b in zip(p, change, strict=True)), size


def _locked_change(
    point: JointPoint, u: list[Scalar], target: Six, relaxation: Scalar
) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
    """Return what locked speeds are off by, the change of their impulses, and the speeds of free motions after it."""
    off = [(x - goal) * on for x, goal, on in zip(u, target, point.locked, strict=True)]
    B_off = [sum((point.entry(i, j) * off[j] for j in range(ROWS)), 0.0) * relaxation for i in range(ROWS)]
    change = [x * on for x, on in zip(B_off, point.locked, strict=True)]
    return off, change, [x - y for x, y in zip(u, B_off, strict=True)]


def _updated_with_laws(
    point: JointPoint,
    wanted: tuple[Six, StepLaws],
    relaxation: Scalar,
    sources: tuple[Scalar, Scalar],
    stride: Scalar,
    p: Six,
    store: Any,
) -> tuple[Any, ...]:
    """Return the same as _updated() for a joint with laws of its free motions; wanted: target, and these laws."""
    target, laws = wanted
    first, second = (stored_motion(store, start, stride) for start in sources)
    off, change, u = _locked_change(point, point.velocity(first, second), target, relaxation)
    size = sum((x * x for x in off), 0.0)
    for i in range(ROWS):
        free = 1.0 - point.locked[i]
        S = point.entry(i, i)
        step = (row_impulse(StepLaws(*(field[i] for field in laws)), u[i] - S * p[i], S) - p[i]) * free
        column = [point.entry(i, j) * step for j in range(ROWS)]
        change = [c + (step if i == j else -column[j] * point.locked[j]) for j, c in enumerate(change)]
        u = [x + y for x, y in zip(u, column, strict=True)]
        size = size + (S * step) * (S * step)
    total = tuple(a + b for a, b in zip(p, change, strict=True))
    return point.after_impulse(first, second, tuple(change)), total, sqrt(size)


def _started(point: JointPoint, starts: tuple[Scalar, Scalar], stride: Scalar, p: Six, store: Any) -> tuple[Any]:
    """Return the motions of the bodies after the initial impulse p."""
    first, second = (stored_motion(store, start, stride) for start in starts)
    return (point.after_impulse(first, second, p),)


def _checked(point: JointPoint, error: Six, sides: tuple[Scalar, Scalar], stride: Scalar, bodies: Any) -> tuple[Any]:
    """Return the error that is left after the displacement of the step."""
    moved = _moved(point, sides, stride, bodies, "displacement")
    return (tuple(e + d * on for e, d, on in zip(error, moved, point.locked, strict=True)),)


def _moved(point: JointPoint, sides: tuple[Scalar, Scalar], stride: Scalar, bodies: Any, name: str) -> list[Scalar]:
    """Return u of a motion in the table of bodies."""
    return point.velocity(*(Column(bodies, side, stride).motion(name) for side in sides))


def _checked_with_laws(
    point: JointPoint,
    error: Six,
    found: tuple[StepLaws, tuple[Six, Six], Parts],
    p: Six,
    sides: tuple[Scalar, Scalar],
    stride: Scalar,
    bodies: Any,
) -> tuple[Any, ...]:
    """Return also what hard limits miss, and the work of springs, dampers, motors and limits [J].

    found: the laws of the step, see step_laws(); p: impulse.
    """
    laws, gaps, parts = found
    names = "velocity", "mean_velocity", "new_velocity", "displacement"
    before, mean, after, moved = (_moved(point, sides, stride, bodies, name) for name in names)
    lack = [e + d * on + more for e, d, on, more in zip(error, moved, point.locked, missing(gaps, moved), strict=True)]
    free = [1.0 - on for on in point.locked]
    mean = [u * x for u, x in zip(mean, free, strict=True)]
    return tuple(lack), works(laws, parts, (before, mean, after), list(p))


_SIDES = (0.0, 0.0)
_START = (_SIDES, ANCHORS, SIX)
_END = (0.0, _SIDES, 0.0, SIX)
_LAWS = StepLaws()
JOINT_PROGRAMS = {
    "joint prepared": ProgramSpec("pile joint", _prepared, (_START, 0.0, 0.0), 1, "prepared"),
    "joint update": ProgramSpec("pile joint update", _updated, (JOINT_POINT, SIX, *_END), 1, "updated"),
    "joint start": ProgramSpec("pile joint start", _started, (JOINT_POINT, _SIDES, 0.0, SIX), 1, "started"),
    "joint checked": ProgramSpec("pile joint checked", _checked, (JOINT_POINT, SIX, _SIDES, 0.0), 1, "checked"),
    "joint prepared with laws": ProgramSpec(
        "pile joint with laws", _prepared_with_laws, (_START, LawNumbers(), (SIX, SIX), 0.0, 0.0), 1, "prepared"
    ),
    "joint update with laws": ProgramSpec(
        "pile joint update with laws", _updated_with_laws, (JOINT_POINT, (SIX, _LAWS), *_END), 1, "updated"
    ),
    "joint checked with laws": ProgramSpec(
        "pile joint checked with laws",
        _checked_with_laws,
        (JOINT_POINT, SIX, (_LAWS, (SIX, SIX), Parts()), SIX, _SIDES, 0.0),
        1,
        "checked",
    ),
}
"""The programs over joints, by name."""
