"""Inverse kinematics beside a loop of damped least squares over MuJoCo's Jacobians: first the results, then the times.

Both start from the same poses and take the same targets. The peer takes Gauss-Newton steps with a fixed small damping
until every position is within 1e-6 m, as loops in Python over mj_jac and Pinocchio's Jacobians usually do; it has no
limits, and clips joints. Checked: MuJoCo's kinematics finds gambol's points at their targets.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.mjcf import mjcf
from benchmarks.robots import robot, robot_model
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.creatures import roach
from gambol.creatures.make_world import make_world
from gambol.dynamics import centre_of_mass, kinematics
from gambol.dynamics.tangent import integrate_configuration
from gambol.figure import Figure, MassProperties
from gambol.formats import Model
from gambol.plan.pose import BalanceGoal, PointGoal, PreparedPoses, inverse_kinematics
from gambol.plan.pose.limits import limited, limits_of
from gambol.spatial import Vector
from gambol.world import World, start

Array = NDArray[np.float64]

REACHED, DAMPING, MAX_STEPS = 1e-6, 1e-6, 200  # m, m2, steps of the peer
CALLS = 20  # poses in a timed run


@dataclass(frozen=True)
class Task:
    """Points of links, their targets, and the centre of mass (x, y) if it is a goal."""

    source: World | Model
    figure: Figure
    q: Array
    points: tuple[tuple[str, tuple[float, float, float]], ...]
    targets: Array
    centre: Array | None

    def goals(self, targets: Array) -> list[PointGoal | BalanceGoal]:
        goals: list[PointGoal | BalanceGoal] = [
            PointGoal(link, target, point, tolerance=REACHED)
            for (link, point), target in zip(self.points, np.moveaxis(targets, -2, 0), strict=True)
        ]
        return goals if self.centre is None else [*goals, BalanceGoal(self.centre, tolerance=REACHED)]


def task_of(model: str, frames: int) -> Task:
    """Return the task of a model: targets (frames, points, 3) of poses that exist, near the start."""
    if model == "roach":
        creature = roach()
        source: World | Model = make_world(creature)
        figure, q = creature.figure, start(source).q[0]
        links = [figure.link(leg.links[-1]) for leg in creature.legs]
        points = [(link.name, link.contact_points()[-1].position) for link in links]
    else:
        source = robot_model(robot("humanoid"))
        figure, q = source.figure, np.array(source.q)
        q = _moved(figure, q, np.full(figure.nv, -0.2) * _turns(figure))
        names = ("left_foot", "right_foot", "left_lower_arm", "right_lower_arm")
        points = [(name, (0.0, 0.0, 0.0)) for name in names]
    rng = np.random.default_rng(0)
    bounds, limits = limits_of(figure, source.springs)
    changes = rng.normal(size=(frames, figure.nv)) * 0.05 * _turns(figure)
    moved = [np.array(limited(limits, bounds.tolist(), _moved(figure, q, change).tolist())) for change in changes]
    targets = np.array([[_place(figure, x, *point) for point in points] for x in moved])
    balanced = None if model == "roach" else np.array([*_centre(figure, q)])[:2]
    return Task(source, figure, q, tuple(points), targets, balanced)


def _turns(figure: Figure) -> Array:
    """Return 1 for degrees of freedom of hinges, 0 for those of the root."""
    return np.array([float(k >= 6) for k in range(figure.nv)])


def _moved(figure: Figure, q: Array, x: Array) -> Array:
    return np.array(integrate_configuration(figure, q.tolist(), x.tolist()))


def _place(figure: Figure, q: Array, link: str, point: tuple[float, float, float]) -> list[float]:
    state = kinematics(figure, q.tolist(), [0.0] * figure.nv)
    return [*state.point_position(figure.link(link).index, Vector(*point))]


def _centre(figure: Figure, q: Array) -> Any:
    return centre_of_mass(kinematics(figure, q.tolist(), [0.0] * figure.nv))


def _with_unit_masses(figure: Figure) -> Figure:
    """Return the figure with masses of 1 kg: MuJoCo refuses links without mass, and positions do not depend on them."""
    unit = MassProperties(1.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    return replace(figure, given_links=tuple(replace(link, given_mass=unit) for link in figure.given_links))


class MujocoLoop:
    """Damped least squares over MuJoCo's Jacobians, in Python."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.model = (
            mujoco.MjModel.from_xml_string(mjcf(_with_unit_masses(task.figure), 1e-3))
            if isinstance(task.source, World)
            else mujoco.MjModel.from_xml_path(str(robot("humanoid").path))
        )
        self.data = mujoco.MjData(self.model)
        self.bodies = [self.model.body(link).id for link, _ in task.points]
        self.offsets = [np.array(point) for _, point in task.points]

    def coordinates(self, q: Array) -> Array:
        """Return MuJoCo's coordinates: the root's pose in the world, then hinges."""
        figure = self.task.figure
        root = kinematics(figure, q.tolist(), [0.0] * figure.nv).poses[1]
        qpos, turn = np.empty(self.model.nq), np.empty(4)
        mujoco.mju_mat2Quat(turn, np.array(root.rotation.rows, float).ravel())
        qpos[:3], qpos[3:7], qpos[7:] = [*root.position], turn, q[7:]
        return qpos

    def errors(self, qpos: Array, targets: Array) -> Array:
        """Return the offsets of points, and of the centre of mass, at coordinates of MuJoCo."""
        self.data.qpos[:] = qpos
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        places = [
            self.data.xpos[b] + self.data.xmat[b].reshape(3, 3) @ p
            for b, p in zip(self.bodies, self.offsets, strict=True)
        ]
        wanted = [(p - t) for p, t in zip(places, targets, strict=True)]
        centre = [] if self.task.centre is None else [self.data.subtree_com[0][:2] - self.task.centre]
        return np.concatenate([*wanted, *centre])

    def solve(self, qpos: Array, targets: Array) -> Array:
        """Return coordinates of MuJoCo at which the targets are reached."""
        nv, qpos = self.model.nv, qpos.copy()
        for _ in range(MAX_STEPS):
            e = self.errors(qpos, targets)
            if np.abs(e).max() < REACHED:
                break
            J = np.zeros((len(e), nv))
            for k, (body, p) in enumerate(zip(self.bodies, self.offsets, strict=True)):
                place = self.data.xpos[body] + self.data.xmat[body].reshape(3, 3) @ p
                mujoco.mj_jac(self.model, self.data, J[3 * k : 3 * k + 3], None, place, body)
            if self.task.centre is not None:
                whole = np.zeros((3, nv))
                mujoco.mj_jacSubtreeCom(self.model, self.data, whole, 0)
                J[-2:] = whole[:2]
            dq = -J.T @ np.linalg.solve(J @ J.T + DAMPING * np.eye(len(e)), e)
            mujoco.mj_integratePos(self.model, qpos, dq, 1.0)
        return qpos


def poses(row: Row) -> Result:
    """Measure poses, one in a call or all in one call."""
    frames = max(row.worlds, 2 * CALLS)
    task = task_of(row.model, frames)
    loop = MujocoLoop(task)
    found = inverse_kinematics(task.source, task.q, task.goals(task.targets))
    assert found.reached.mean() > 0.9, f"only {found.reached.mean():.0%} of the poses are reached"
    worst = max(
        np.abs(loop.errors(loop.coordinates(found.q[k]), task.targets[k])).max()
        for k in np.flatnonzero(found.reached)[:CALLS]
    )
    assert worst < 2.0 * REACHED, f"MuJoCo finds the points {worst:.1e} m from their targets"
    begin, chosen = loop.coordinates(task.q), np.flatnonzero(found.reached)[:CALLS]
    theirs_worst = max(np.abs(loop.errors(loop.solve(begin, task.targets[k]), task.targets[k])).max() for k in chosen)

    def peer() -> None:
        for k in chosen:
            loop.solve(begin, task.targets[k])

    ours, count = _ours(row, task, chosen)
    prepared = _prepared(row, task, chosen, found.q)
    times = time_interleaved(ours, prepared, peer, repeats=9)
    each, ready, per_peer = [[t / n for t in own] for own, n in zip(times, (count, count, len(chosen)), strict=True)]
    median, spread = median_and_spread(each)
    return Result(
        task.figure.nv,
        f"MuJoCo finds gambol's points within {worst:.0e} m, its own within {theirs_worst:.0e} m",
        ns_per_step=median * 1e9,
        spread=spread,
        peer="MuJoCo, loop in Python",
        peer_ns_per_step=float(np.median(per_peer)) * 1e9,
        ratio=ratio(each, per_peer),
        more={
            "pose_ms": median * 1e3,
            "prepared_ms": float(np.median(ready)) * 1e3,
            "iterations": float(np.mean(found.iterations)),
        },
    )


def _ours(row: Row, task: Task, chosen: NDArray[np.intp]) -> tuple[Callable[[], None], int]:
    """Return the timed run, and the number of its poses."""
    if row.worlds > 1:
        goals = task.goals(task.targets)
        return lambda: _discarded(inverse_kinematics(task.source, task.q, goals)), row.worlds
    each = [task.goals(task.targets[k]) for k in chosen]

    def one_by_one() -> None:
        for goals in each:
            inverse_kinematics(task.source, task.q, goals)

    return one_by_one, len(chosen)


def _prepared(row: Row, task: Task, chosen: NDArray[np.intp], q: Array) -> Callable[[], None]:
    """Return the timed run of prepared poses, after a check that they are those of inverse_kinematics(), q."""
    many = row.worlds > 1
    numbers = [goal.numbers() for goal in task.goals(task.targets)]
    runs: list[Any] = [slice(None)] if many else chosen.tolist()
    poses = PreparedPoses(task.source, task.q, task.goals(task.targets if many else task.targets[0]))

    def solve(run: Any) -> Array:
        poses.q[:] = task.q
        for array, values in zip(poses.numbers, numbers, strict=True):
            array[:] = values[run] if values.ndim == 2 else values
        return poses.solve()

    for k in runs:
        same, met = solve(k) == q[k], poses.solution().reached  # others were found from further starts
        assert np.all(same[met]), "prepared poses differ from those of inverse_kinematics()"

    def run() -> None:
        for k in runs:
            solve(k)

    return run


def _discarded(_: object) -> None:
    pass


POSES = {"poses": poses}
