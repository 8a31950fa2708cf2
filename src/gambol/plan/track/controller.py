"""The controller that follows a trajectory: its reference on a grid in time, and its gains."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError
from gambol.figure import JOINTS, Figure
from gambol.plan.track.deviation import Scales, scales_of
from gambol.plan.track.interpolation import interval_starts, sampled
from gambol.plan.track.linearisation import linearised
from gambol.plan.track.pattern import Reference, TrackingPattern
from gambol.plan.track.riccati import feedback_gains
from gambol.plan.track.task import TrackingTask
from gambol.plan.trajectory import Trajectory

Array = NDArray[np.float64]

RATE = 960.0
"""Approximate number of control steps per second: the duration of a plan is a whole number of them."""

GAINS_RATE = 240.0
"""Approximate number of gains per second: they change as slowly as the linear model."""


@dataclass(frozen=True)
class Weights:
    """The cost of feedback: deviations that cost as much as the largest torque of the plan.

    position: deviation as a fraction of the amplitude; speed: deviation as a fraction of the largest speed. Amplitudes
    and speeds are taken over all lengths, or over all angles, see Scales.
    """

    position: float = 0.1
    speed: float = 0.5


def tracking_pattern(task: TrackingTask, rate: float = RATE, weights: Weights | None = None) -> TrackingPattern:
    """Return the controller of a task. rate: control steps per second, rounded to a whole number in the motion.

    Raises PlanError for a rate that is not positive or gives no step, and for feedback that is not finite.
    """
    if not 0.0 < rate * task.duration < np.inf or round(rate * task.duration) < 1:
        raise PlanError(f"{rate:g} control steps per second give none in {task.duration:g} s; give a higher rate")
    count = round(rate * task.duration)
    dt, hold = task.duration / count, max(1, round(rate / GAINS_RATE))
    trajectory, figure = task.trajectory, task.trajectory.figure
    starts = trajectory.times[0] + dt * np.arange(count)
    states, middles = sampled(trajectory, starts), sampled(trajectory, starts + 0.5 * dt)
    reference = Reference(
        figure,
        dt,
        states.q,
        states.v,
        middles.torques[:, list(task.freedoms)],
        _gains(task, dt, count, hold, weights or Weights()),
        hold,
        task.cyclic,
        _shift(trajectory) if task.cyclic else np.zeros(figure.nq),
    )
    names = tuple(task.limits)
    coordinates = tuple(figure.link(name).q.start for name in names)
    return TrackingPattern(reference, coordinates, tuple(task.largest_torques().tolist()), tuple(task.limits.values()))


def _gains(task: TrackingTask, dt: float, count: int, hold: int, weights: Weights) -> Array:
    """Return the gains (M, actuators, 2 nv), one for each `hold` of `count` control steps of dt [s]."""
    trajectory = task.trajectory
    blocks = -(-count // hold)
    steps = np.minimum((np.arange(blocks) + 0.5) * hold, count - 0.5)
    times = trajectory.times[0] + dt * steps
    motion = sampled(trajectory, times)
    state = (motion.q, motion.v, motion.torques)
    linear = linearised(
        trajectory.figure, task.surroundings, state, _standing(trajectory, times).astype(float), task.freedoms
    )
    A, B = linear.steps(dt)
    block = np.arange(count) // hold
    Q, R = _costs(scales_of(trajectory), task.largest_torques(), weights)
    gains = feedback_gains(A[block], B[block], Q, R, cyclic=task.cyclic)
    return gains[np.minimum(np.arange(blocks) * hold + hold // 2, count - 1)]


def _costs(scales: Scales, torques: Array, weights: Weights) -> tuple[Array, Array]:
    """Return Q (2 nv, 2 nv) and R (actuators, actuators)."""
    allowed = np.concatenate([weights.position * scales.amplitudes, weights.speed * scales.speeds])
    return np.diag(allowed**-2.0), np.diag(np.full(len(torques), torques.max()) ** -2.0)


def _standing(trajectory: Trajectory, times: Array) -> NDArray[np.bool_]:
    """Return True (N, contacts) for points with a force in the interval of each time."""
    starts = interval_starts(trajectory)
    first = starts[np.clip(np.searchsorted(trajectory.times, times, side="right") - 1, 0, len(trajectory.times) - 2)]
    nodes = first[:, None] + np.arange(trajectory.degree + 1)
    return np.abs(trajectory.contact_forces[nodes]).max(axis=(1, 3)) > 0.0


def _shift(trajectory: Trajectory) -> Array:
    """Return the change of each coordinate in a cycle (nq).

    Raises PlanError if the cycle turns a link with a quaternion.
    """
    figure: Figure = trajectory.figure
    shift = trajectory.q[-1] - trajectory.q[0]
    for link in figure.links:
        if JOINTS[link.joint.kind].has_quaternion:
            a, b = (trajectory.q[k, link.q.start : link.q.start + 4] for k in (0, -1))
            if abs(abs(float(a @ b)) - 1.0) > CYCLE_TOLERANCE:
                raise PlanError(f'the motion does not repeat: at its end "{link.name}" is turned')
            shift[link.q.start : link.q.start + 4] = 0.0
    shift[np.abs(shift) < CYCLE_TOLERANCE] = 0.0
    return shift


CYCLE_TOLERANCE = 1e-6
"""Difference between the ends of a cycle that counts as none [m or rad]: the accuracy of a solved plan."""
