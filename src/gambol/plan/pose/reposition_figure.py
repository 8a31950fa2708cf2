"""Repositioning of a figure from near to far: a link is dragged, and the others follow, each as little as it can.

The dragged link turns about its grabbed point, and each further link moves in its joint, so that its points move least:

    minimise over q_j   sum over points of |X_A X_AB(q_j) p - p_before|^2       A, B: placed and next link; Gauss-Newton

The points of a link are the joints that connect it to farther links; for a last link, it is the centre of mass.
[Parent, chapter 4, constrained dynamics: other components are repositioned, from near to far, to satisfy distance
constraints] Errors remain if the base cannot follow, or if goals are held; inverse kinematics, which starts from the
result, removes them.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics import Kinematics, kinematics
from gambol.errors import GambolError
from gambol.figure import JOINTS, Figure, PlacedLink
from gambol.formats import Model
from gambol.lanes import Scalar, jacobian
from gambol.plan.pose.checks import checked_coordinates
from gambol.plan.pose.goals import Goal, PointGoal
from gambol.plan.pose.inverse import inverse_kinematics
from gambol.plan.pose.limits import LimitsLike
from gambol.plan.pose.solution import PoseSolution
from gambol.spatial import Quaternion, Transform, Vector
from gambol.world import World

Poses = dict[int, Transform]

MAX_STEPS, STEP_TOLERANCE = 30, 1e-13
"""Maximum number of steps of Gauss-Newton for one joint, and the size of a step below which it has converged [rad,
m]."""


def reposition_figure(
    figure: Figure | World | Model,
    q: ArrayLike,
    dragged: PointGoal,
    *,
    held: Iterable[Goal] = (),
    limits: LimitsLike | None = None,
) -> PoseSolution:
    """Return the pose of a figure after a point of a link was dragged: the other links follow, from near to far.

    figure, limits: see inverse_kinematics(). q (nq): coordinates before. dragged: the link, its point and the new
    position in the world. held: goals that must also be satisfied, such as PointGoals of feet at their positions. The
    farther a link is, the less it moves, as in reposition() of points; with a free base and no held goals, inverse
    kinematics changes nothing more. Raises GambolError as inverse_kinematics() does.
    """
    body = figure if isinstance(figure, Figure) else figure.figure
    if dragged.other or dragged.axes != "xyz" or np.ndim(dragged.target) != 1:
        raise GambolError("a link is dragged to one place in the world: give a target (3,), and no other link or axes")
    before = checked_coordinates(body, q, "the start q")
    followed = _coordinates(body, before.reshape(-1).tolist(), dragged)
    goals = [dragged, *held]
    return inverse_kinematics(figure, followed, goals, limits=limits, posture=followed)


def _coordinates(figure: Figure, q: Sequence[float], dragged: PointGoal) -> NDArray[np.float64]:
    """Return coordinates (nq) with links that followed the dragged one; the root's joint is fitted to its link."""
    state = kinematics(figure, q, [0.0] * figure.nv)
    first, target = figure.link(dragged.link), Vector(*(float(x) for x in np.ravel(dragged.target)))
    result = np.array(q)
    poses: Poses = {first.index: _dragged_pose(state, first, Vector(*dragged.point), target)}
    queue = deque([first.index])
    while queue:
        near = queue.popleft()
        for far, joint in _neighbours(figure, near):
            if far not in poses:
                result[joint.q], poses[far] = _followed(state, poses[near], far, joint)
                queue.append(far)
    result[figure.root.q] = _root_coordinates(figure, poses[figure.root.index], list(result[figure.root.q]))
    return result


def _neighbours(figure: Figure, link: int) -> list[tuple[int, PlacedLink]]:
    """Return the links next to a link in the tree, each with the link whose joint is between them."""
    body = figure.links[link - 1]
    up = [(body.parent_index, body)] if body.parent_index else []
    return up + [(other.index, other) for other in figure.links if other.parent_index == link]


def _points(figure: Figure, link: int, near: int) -> list[Vector]:
    """Return the points of a link that connect it to links other than `near`, or its centre of mass [m].

    near: index of a link, or 0 for none. The points are in the coordinates of the link.
    """
    onward = [other for other, _ in _neighbours(figure, link) if other != near]
    body = figure.links[link - 1]
    joints = [
        Vector(0.0, 0.0, 0.0) if other == body.parent_index else Vector(*figure.links[other - 1].joint.position)
        for other in onward
    ]
    return joints or [Vector(*(float(x) for x in body.mass_properties.com))]


def _dragged_pose(state: Kinematics, link: PlacedLink, point: Vector, target: Vector) -> Transform:
    """Return the new pose of the dragged link: it turns about its grabbed point, which is at the target."""
    R = state.poses[link.index].rotation
    points = _points(state.figure, link.index, 0)

    def pose(x: Sequence[Scalar]) -> Transform:
        turned = Quaternion.exponential(Vector.of(x)).rotation() @ R
        return Transform(turned, target - turned @ point)

    return pose(_nearest(lambda x: _displacements(pose(x), state, link.index, points), added, [0.0] * 3, 3))


def _followed(state: Kinematics, near: Transform, far: int, joint: PlacedLink) -> tuple[list[float], Transform]:
    """Return the coordinates of the joint between a placed link and a farther one, and the pose of the farther one."""
    kind, outward = JOINTS[joint.joint.kind], far == joint.index
    near_link = joint.parent_index if outward else joint.index
    points = _points(state.figure, far, near_link)

    def pose(q: Sequence[Scalar]) -> Transform:
        X_PL = kind.place(joint.joint, q).X_PL
        return near @ (X_PL if outward else X_PL.inverse)

    q = [float(x) for x in state.q[joint.q]]
    if kind.nv:
        q = _nearest(lambda q: _displacements(pose(q), state, far, points), kind.integrate, q, kind.nv)
    return q, pose(q)


def _displacements(pose: Transform, state: Kinematics, link: int, points: Sequence[Vector]) -> list[Scalar]:
    """Return the displacements of points of a link, from a state to a new pose of the link [m]."""
    return [x for point in points for x in (pose @ point - state.poses[link] @ point)]


Chart = Callable[[Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]


def added(q: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
    """Return q + x."""
    return [a + b for a, b in zip(q, x, strict=True)]


def _nearest(gaps: Callable[[Sequence[Scalar]], list[Scalar]], chart: Chart, q: list[float], size: int) -> list[float]:
    """Return coordinates with the least sum of squared gaps, by Gauss-Newton.

    chart: a function of coordinates and tangent coordinates (size) that returns the displaced coordinates.
    """
    for _ in range(MAX_STEPS):
        current = list(q)
        residuals, J = jacobian(lambda x, current=current: gaps(chart(current, x)), [0.0] * size)
        step = -np.linalg.lstsq(np.array(J, float).reshape(-1, size), np.array(residuals, float), rcond=None)[0]
        q = [float(x) for x in chart(current, step.tolist())]
        if np.abs(step).max() < STEP_TOLERANCE:
            break
    return q


def _root_coordinates(figure: Figure, pose: Transform, q: list[float]) -> list[float]:
    """Return the coordinates of the root's joint that place the root nearest to a pose; exactly there if it is free."""
    joint, kind = figure.root.joint, JOINTS[figure.root.joint.kind]
    ends = [Vector(*row) for row in (*np.eye(3).tolist(), (0.0, 0.0, 0.0))]

    def position_errors(q: Sequence[Scalar]) -> list[Scalar]:
        placed = kind.place(joint, q).X_PL
        return [x for point in ends for x in (placed @ point - pose @ point)]

    return _nearest(position_errors, kind.integrate, q, kind.nv) if kind.nv else q
