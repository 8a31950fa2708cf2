"""Joints of a pile: constraints between two bodies, or a body and the world, with any of six relative motions free.

    u' = -u for locked motions, at the middle of the step      so p (u + u') / 2 = 0: they do no work
    p = f - c u' + p_r            f, c: linear forces of free motions;  p_r: friction, limits, motors, see joint_laws.py
    e + J d = 0 for the displacement d of the step             e: error of the joint as the step begins

u: see joint_point.py. Locked motions, f and c are eliminated exactly, see articulated.py, and each p_r is a row of the
sweeps. Piles without laws of free motions have programs without them.
"""

from typing import Any

from gambol.lanes import ProgramSpec, Scalar, where
from gambol.rigid.body_table import Column
from gambol.rigid.joint_laws import (
    SIX,
    LawNumbers,
    Parts,
    RowState,
    Six,
    StepLaws,
    missing,
    step_laws,
    works,
)
from gambol.rigid.joint_point import ANCHORS, JOINT_POINT, Anchors, JointPoint, is_ball, joint_geometry
from gambol.rigid.prepare import least_displacement
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


def _checked(
    point: JointPoint, error: Six, sides: tuple[Scalar, Scalar], stride: Scalar, h: Scalar, bodies: Any
) -> tuple[Any, ...]:
    """Return the error that is left after the displacement of the step, and the locked speeds that remove it."""
    moved = _moved(point, sides, stride, bodies, "displacement")
    left = tuple(e + d * on for e, d, on in zip(error, moved, point.locked, strict=True))
    return left, tuple(-e / h for e in error)


def _moved(point: JointPoint, sides: tuple[Scalar, Scalar], stride: Scalar, bodies: Any, name: str) -> list[Scalar]:
    """Return u of a motion in the table of bodies."""
    return point.velocity(*(Column(bodies, side, stride).motion(name) for side in sides))


def _checked_with_laws(
    point: JointPoint,
    error: Six,
    found: tuple[StepLaws, tuple[Six, Six], Parts],
    p: Six,
    sides: tuple[Scalar, Scalar],
    scales: tuple[Scalar, Scalar],
    bodies: Any,
) -> tuple[Any, ...]:
    """Return also what hard limits miss, the laws of position correction, and the work of laws [J], see works().

    Position correction has hard limits, and the drag of the step, which resists what is added to its displacement.
    found: the laws of the step, see step_laws(); p: impulse p_r; scales: stride and h.
    """
    laws, gaps, parts = found
    stride, h = scales
    names = "velocity", "mean_velocity", "new_velocity", "displacement"
    before, mean, after, moved = (_moved(point, sides, stride, bodies, name) for name in names)
    lack = [e + d * on + more for e, d, on, more in zip(error, moved, point.locked, missing(gaps, moved), strict=True)]
    free = [1.0 - on for on in point.locked]
    mean = [u * x for u, x in zip(mean, free, strict=True)]
    below, above = (tuple(least_displacement(gap) / h for gap in each) for each in gaps)
    force = tuple(c * x / h for c, x in zip(laws.drag, moved, strict=True))
    correction = StepLaws(force=force, drag=laws.drag, lower=below, upper=tuple(-x for x in above))
    return tuple(lack), (tuple(-e / h for e in error), correction), works(laws, parts, (before, mean, after), list(p))


_SIDES = (0.0, 0.0)
_START = (_SIDES, ANCHORS, SIX)
_LAWS = StepLaws()
JOINT_PROGRAMS = {
    "joint prepared": ProgramSpec("pile joint", _prepared, (_START, 0.0, 0.0), 1, "prepared"),
    "joint checked": ProgramSpec("pile joint checked", _checked, (JOINT_POINT, SIX, _SIDES, 0.0, 0.0), 1, "checked"),
    "joint prepared with laws": ProgramSpec(
        "pile joint with laws", _prepared_with_laws, (_START, LawNumbers(), (SIX, SIX), 0.0, 0.0), 1, "prepared"
    ),
    "joint checked with laws": ProgramSpec(
        "pile joint checked with laws",
        _checked_with_laws,
        (JOINT_POINT, SIX, (_LAWS, (SIX, SIX), Parts()), SIX, _SIDES, (0.0, 0.0)),
        1,
        "checked",
    ),
}
"""The programs over joints, by name."""
