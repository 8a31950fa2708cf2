"""Inverse kinematics of any figure: coordinates that satisfy goals of links, joints and balance."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from gambol.dynamics.tangent import integrate_configuration
from gambol.figure import Figure
from gambol.formats import Model
from gambol.plan.pose.checks import checked_coordinates, pose_count
from gambol.plan.pose.goals import Goal
from gambol.plan.pose.limits import LimitsLike
from gambol.plan.pose.solution import BestPoses, PoseSolution
from gambol.plan.pose.solver import Inputs, PoseSolver
from gambol.plan.pose.solver_cache import pose_task
from gambol.world import World

RESTARTS, RESTART_CHANGE = 3, 0.5
"""Number of restarts where goals are not reached, and the standard deviation of the random changes of the start [rad,
or figure extents]. A search that begins at a singular pose, such as a straight arm, needs a restart."""


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
    """Return coordinates of a figure that satisfy goals, near a posture and within the limits of joints.

    figure: a figure, or a world or model, whose limits of joints then apply. q: start of the search (nq); (n, nq) for n
    poses, which are solved in the lanes of one call. goals: PointGoal, OrientationGoal, AxisGoal, GazeGoal,
    BalanceGoal, JointGoal; their targets may be arrays of n poses. limits: by link name, (lower, upper) or springs;
    they replace limits of a world or model. locked: names of links with joints that do not move. posture (nq), or (n,
    nq): posture near which freedoms without a goal stay; None: q. Closed loops stay closed. If goals are out of reach,
    the nearest pose found from four starts is returned with its residuals, and `reached` is False. The first call for a
    figure and the structure of its goals compiles a program; new targets, weights and postures do not. Raises
    GambolError for unknown names, wrong shapes, and goals that contradict each other, the limits, or `locked`.
    [Nakamura and Hanafusa 1986; Wampler 1986; Buss 2004]
    """
    task = pose_task(figure, goals, limits, locked)
    solver, goals, numbers = task.solver, task.goals, task.numbers
    starts = checked_coordinates(solver.figure, q, "the start q")
    postures = starts if posture is None else checked_coordinates(solver.figure, posture, "the posture")
    poses = pose_count([starts, postures, *(a for a in numbers if a.ndim == 2)])
    inputs = Inputs(
        np.broadcast_to(starts, (poses, starts.shape[1])).T,
        np.broadcast_to(postures, (poses, starts.shape[1])).T,
        task.columns(poses),
        task.weights(),
        task.bounds.reshape(-1, 1),
        max_iterations,
    )
    best = _restarted(solver, goals, inputs, BestPoses.of(solver, goals, solver.solve(inputs)))
    single = np.ndim(q) == 1 and np.ndim(posture if posture is not None else q) == 1
    return best.solution(goals, single=single and all(a.ndim == 1 for a in numbers))


def _restarted(solver: PoseSolver, goals: tuple[Goal, ...], inputs: Inputs, best: BestPoses) -> BestPoses:
    """Return the best of the found poses, and of searches from random starts for poses that are not reached."""
    random = np.random.default_rng(0)
    for _ in range(RESTARTS):
        missed = np.flatnonzero(~best.reached)
        if not len(missed):
            break
        change = (
            random.normal(size=(solver.figure.nv, len(missed))) * np.array(solver.dof_units)[:, None] * RESTART_CHANGE
        )
        starts = integrate_configuration(solver.figure, list(inputs.q[:, missed]), list(change))
        inputs_of_missed = replace(
            inputs, q=np.array(starts), posture=inputs.posture[:, missed], numbers=inputs.numbers[:, missed]
        )
        best.improve(missed, BestPoses.of(solver, goals, solver.solve(inputs_of_missed)))
    return best
