"""Inverse kinematics of any figure: coordinates at which goals of links, joints and balance are met."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.tangent import integrate_configuration
from gambol.figure import Figure
from gambol.formats import Model
from gambol.plan.pose.checks import check_numbers, check_structure, checked_coordinates, checked_numbers, pose_count
from gambol.plan.pose.goals import Goal
from gambol.plan.pose.limits import Limit, LimitsLike, limits_of
from gambol.plan.pose.numbers import Array
from gambol.plan.pose.solver import Inputs, PoseSolver
from gambol.world import World

POINT_TOLERANCE = 1e-5
"""Default tolerance of positions, over the figure's extent: a hundredth of a millimetre at a metre."""

ANGLE_TOLERANCE = 1e-5
"""Default tolerance of angles [rad]."""

LOOP_TOLERANCE = 1e-6
"""Largest gap of a closed loop, over the figure's extent, in a pose that is reached."""

RESTARTS, RESTART_CHANGE = 3, 0.5
"""Number of restarts where goals are not reached, and the standard deviation of the random changes of the start [rad,
or figure extents]. A search that begins at a singular pose, such as a straight arm, needs one."""

MAX_SOLVERS = 32
"""Number of compiled solvers, and of worlds and models whose limits are known, that are kept."""


@dataclass(frozen=True)
class PoseSolution:
    """Coordinates found by inverse kinematics, for one pose or for n.

    q (nq), or (n, nq): within the limits. residuals (goals,), or (n, goals): of each goal in their order, a distance
    [m] or an angle [rad]. reached: True where every residual is within its tolerance and loops are closed; a bool, or
    (n,). iterations: number of steps; an int, or (n,). loop_gap: largest gap of closed loops; a float, or (n,).
    goals: as given. str() of it names every goal with its largest residual.
    """

    q: Array
    residuals: Array
    reached: Any
    iterations: Any
    loop_gap: Any
    goals: tuple[Goal, ...]

    def __str__(self) -> str:
        worst = np.atleast_2d(self.residuals).max(axis=0, initial=0.0)
        lines = [f"{goal.title}: off by {size:.3g}" for goal, size in zip(self.goals, worst, strict=True)]
        return "; ".join(["reached" if np.all(self.reached) else "not reached, the nearest pose", *lines])


def inverse_kinematics(
    figure: Figure | World | Model,
    q: ArrayLike,
    goals: Iterable[Goal],
    *,
    limits: LimitsLike | None = None,
    locked: Iterable[str] = (),
    posture: ArrayLike | None = None,
    max_iterations: int = 200,
) -> PoseSolution:
    """Return coordinates of a figure that meet goals, near a posture and within the limits of joints.

    figure: or a world or a model, whose limits of joints then hold. q (nq): where the search starts; (n, nq) for n
    poses, which are solved in the lanes of one call. goals: PointGoal, OrientationGoal, AxisGoal, GazeGoal,
    BalanceGoal, JointGoal; their targets may be arrays of n poses. limits: by link name, (lower, upper) or springs;
    they replace those of a world or model. locked: names of links whose joints keep their coordinates. posture (nq),
    or (n, nq): freedoms that no goal holds stay near it; None: q. Closed loops stay closed. If goals are out of reach
    the nearest pose found is returned with its residuals, and `reached` is False; three more starts are tried before.
    The first call for a figure and the structure of its goals compiles a program; new targets, weights and postures do
    not.
    Raises GambolError for unknown names, wrong shapes, and goals that contradict each other, the limits, or `locked`.
    [Nakamura and Hanafusa 1986; Wampler 1986; Buss 2004]
    """
    given = figure if isinstance(figure, Figure) else figure.figure
    asked = tuple(goals)
    numbers = checked_numbers(asked)
    bounds, found_limits = _own_limits(figure) if limits is None else limits_of(given, limits)
    limit_key: Any = (
        id(found_limits) if limits is None else tuple((limit.q, limit.is_orientation) for limit in found_limits)
    )
    solver = _solver(given, asked, numbers, (found_limits, limit_key), frozenset(locked))
    check_numbers(given, asked, numbers, found_limits, bounds)
    starts = checked_coordinates(given, q, "the start q")
    postures = starts if posture is None else checked_coordinates(given, posture, "the posture")
    poses = pose_count([starts, postures, *(a for a in numbers if a.ndim == 2)])
    columns = [np.broadcast_to(a, (poses, a.shape[-1])).T if poses > 1 else a.reshape(-1, 1) for a in numbers]
    inputs = Inputs(
        np.broadcast_to(starts, (poses, given.nq)).T,
        np.broadcast_to(postures, (poses, given.nq)).T,
        np.concatenate([np.empty((0, poses)), *columns]),
        np.array([goal.weight for goal in asked]).reshape(-1, 1),
        bounds.reshape(-1, 1),
        max_iterations,
    )
    found = _restarted(solver, asked, inputs, _Found.of(solver, asked, inputs))
    single = np.ndim(q) == 1 and np.ndim(posture if posture is not None else q) == 1
    return found.solution(asked, single=single and all(a.ndim == 1 for a in numbers))


@dataclass
class _Found:
    """Coordinates found for n poses. cost: weighted squared residuals, infinite where loops are open."""

    q: Array
    residuals: Array
    reached: NDArray[np.bool_]
    iterations: Array
    loop_gap: Array
    cost: Array

    @staticmethod
    def of(solver: PoseSolver, goals: tuple[Goal, ...], inputs: Inputs) -> "_Found":
        """Return what a solver finds from its inputs."""
        q, gaps, loop_gaps, iterations = solver.solve(inputs)
        sizes, scales, tolerances = list[Array](), list[float](), list[float]()
        for goal, rows in zip(goals, gaps, strict=True):
            slides = goal.unit(solver.figure) == "m"
            default = POINT_TOLERANCE * solver.extent if slides else ANGLE_TOLERANCE
            sizes.append(goal.residual(rows))
            scales.append(solver.extent if slides else 1.0)
            tolerances.append(default if goal.tolerance is None else goal.tolerance)
        residuals = np.array(sizes).reshape(len(goals), len(q))
        loop_gap = abs(loop_gaps).max(axis=0, initial=0.0)
        closed = (loop_gap <= LOOP_TOLERANCE * solver.extent) & np.isfinite(q).all(axis=1)
        reached = (residuals <= np.array(tolerances)[:, None]).all(axis=0) & closed
        weights = np.array([goal.weight for goal in goals]) / np.array(scales) ** 2
        return _Found(q, residuals, reached, iterations, loop_gap, np.where(closed, weights @ residuals**2, np.inf))

    def improve(self, poses: NDArray[np.intp], other: "_Found") -> None:
        """Take those poses of another attempt that are better; poses: their numbers here."""
        better = other.reached | (other.cost < 0.999 * self.cost[poses])
        to, of = poses[better], np.flatnonzero(better)
        self.q[to], self.residuals[:, to] = other.q[of], other.residuals[:, of]
        self.reached[to], self.loop_gap[to], self.cost[to] = other.reached[of], other.loop_gap[of], other.cost[of]
        self.iterations[poses] += other.iterations

    def solution(self, goals: tuple[Goal, ...], *, single: bool) -> PoseSolution:
        """Return the solution for the caller; single: without the axis of poses."""
        if single:
            iterations, gap = int(self.iterations[0]), float(self.loop_gap[0])
            return PoseSolution(self.q[0], self.residuals[:, 0], bool(self.reached[0]), iterations, gap, goals)
        return PoseSolution(self.q, self.residuals.T, self.reached, self.iterations.astype(int), self.loop_gap, goals)


def _restarted(solver: PoseSolver, goals: tuple[Goal, ...], inputs: Inputs, found: _Found) -> _Found:
    """Return the best of what was found, and of searches from random starts for the poses that are not reached."""
    random = np.random.default_rng(0)
    for _ in range(RESTARTS):
        missed = np.flatnonzero(~found.reached)
        if not len(missed):
            break
        change = random.normal(size=(solver.figure.nv, len(missed))) * np.array(solver.steps)[:, None] * RESTART_CHANGE
        starts = integrate_configuration(solver.figure, list(inputs.q[:, missed]), list(change))
        some = replace(inputs, q=np.array(starts), posture=inputs.posture[:, missed], numbers=inputs.numbers[:, missed])
        found.improve(missed, _Found.of(solver, goals, some))
    return found


_LIMITS: OrderedDict[int, tuple[Any, tuple[Array, tuple[Limit, ...]]]] = OrderedDict()


def _own_limits(figure: Figure | World | Model) -> tuple[Array, tuple[Limit, ...]]:
    """Return the limits that a world or model has; a figure has none."""
    if isinstance(figure, Figure):
        return limits_of(figure, {})
    if id(figure) not in _LIMITS:
        _LIMITS[id(figure)] = figure, limits_of(figure.figure, cast("LimitsLike", figure.springs))
        if len(_LIMITS) > MAX_SOLVERS:
            _LIMITS.popitem(last=False)
    return _LIMITS[id(figure)][1]


_SOLVERS: OrderedDict[Any, PoseSolver] = OrderedDict()


def _solver(
    figure: Figure,
    goals: tuple[Goal, ...],
    numbers: Sequence[Array],
    limits: tuple[tuple[Limit, ...], Any],
    locked: frozenset[str],
) -> PoseSolver:
    """Return the solver of a structure, a kept one if there is one.

    limits: with what identifies them. Raises GambolError for a structure that is invalid.
    """
    sizes = tuple(a.shape[-1] for a in numbers)
    key = (id(figure), tuple(goal.structure() for goal in goals), sizes, limits[1], locked)
    solver = _SOLVERS.get(key)  # it keeps its figure and limits, so that no other objects get their ids
    if solver is None:
        check_structure(figure, goals, locked)
        solver = _SOLVERS[key] = PoseSolver(figure, goals, sizes, limits[0], locked)
        if len(_SOLVERS) > MAX_SOLVERS:
            _SOLVERS.popitem(last=False)
    _SOLVERS.move_to_end(key)
    return solver
