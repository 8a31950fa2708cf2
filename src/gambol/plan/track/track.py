"""A plan in the simulation: a controller follows it, and only forces of the world act."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import Servo
from gambol.dynamics import kinematics
from gambol.errors import PlanError
from gambol.plan.motion import PlanResult
from gambol.plan.motion.transcription.layout import ranges_of
from gambol.plan.track.controller import RATE, Weights, tracking_pattern
from gambol.plan.track.deviation import scales_of, tracking_errors
from gambol.plan.track.interpolation import columns, differences
from gambol.plan.track.linearisation import Surroundings
from gambol.plan.track.pattern import TrackingPattern
from gambol.plan.track.stride import whole_stride
from gambol.plan.track.task import TrackingTask, tracking_world
from gambol.plan.trajectory import Trajectory
from gambol.world import Film, State, World, run, start
from gambol.world.step import RUNNING

Array = NDArray[np.float64]

FILM_RATE = 240.0
"""Approximate frame rate of the film of a simulation [1/s]: a frame lasts a whole number of control steps."""


@dataclass(frozen=True)
class Tracking:
    """A simulated motion that follows a plan.

    error: the tracking error, see deviation.py; errors: errors of each group of freedoms, "lengths" and "angles". film:
    film of the simulation, with the signals "torques", "contact_forces" and "contact_points" as in the film of a plan.
    times (F) [s]: times of the frames, from the start of the plan. deviations (F, nv): tangent coordinates from the
    plan to the simulation. simulated: the motion as a trajectory of degree 1. pattern: the controller. world: world of
    the simulation.
    """

    error: float
    errors: Mapping[str, float]
    film: Film
    times: Array
    deviations: Array
    simulated: Trajectory
    pattern: TrackingPattern
    world: World


def track(
    plan: PlanResult | TrackingTask,
    *,
    cycles: int = 1,
    rate: float = RATE,
    weights: Weights | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tracking:
    """Return the simulation of a plan under a controller that follows it.

    plan: a result of solve(), or a task. cycles: number of repetitions of a cyclic plan. rate: control steps per
    second, which are steps of the simulation, too. weights: weights of deviations in the feedback. progress(done,
    frames): called after every frame. The simulation begins at the plan's first state. If it stops early, with a
    StoppedWarning, the errors are infinite. Raises PlanError for a plan that a controller cannot follow, see
    TrackingTask, and for several cycles of a plan without a cycle.
    """
    task = tracking_task(plan) if isinstance(plan, PlanResult) else plan
    if cycles < 1 or (cycles > 1 and not task.cyclic):
        raise PlanError(f"{cycles} cycles are not possible; give 1, or more for a plan that repeats itself")
    pattern = tracking_pattern(task, rate, weights)
    world = tracking_world(task, pattern)
    state = start(world, q=task.trajectory.q[0], v=task.trajectory.v[0])
    recorder = _Recorder(task, pattern, state)

    def record(done: int, frames: int) -> None:
        recorder.add()
        if progress:
            progress(done, frames)

    dt = pattern.reference.dt
    frame = max(1, round(1.0 / (FILM_RATE * dt)))
    seconds = cycles * task.duration
    film = run(world, state, seconds, rate=1.0 / (frame * dt), progress=record, coordinates=True)
    simulated = recorder.trajectory(film.time)
    deviations = differences(task.trajectory.figure, planned(pattern, len(film.time), frame), simulated.q)
    errors = tracking_errors(deviations, scales_of(task.trajectory))
    if (state.step_state.clock.status != RUNNING).any():
        errors = dict.fromkeys(errors, np.inf)
    signals = {name: getattr(simulated, name)[:, None] for name in ("torques", "contact_forces", "contact_points")}
    film = replace(film, signals=film.signals | signals)
    return Tracking(max(errors.values()), errors, film, film.time, deviations, simulated, pattern, world)


def planned(pattern: TrackingPattern, frames: int, steps: int) -> Array:
    """Return the planned configurations (frames, nq) at every `steps`-th control step."""
    reference, k = pattern.reference, steps * np.arange(frames)
    count = len(reference.q) - 1
    if not reference.cyclic:
        return reference.q[np.minimum(k, count)]
    return reference.q[k % (count + 1)] + (k // (count + 1))[:, None] * reference.shift


def tracking_task(result: PlanResult) -> TrackingTask:
    """Return the task of following a plan. Raises PlanError if the plan has degrees of freedom without an actuator."""
    plan = result.plan
    trajectory, contacts = whole_stride(plan, result.trajectory)
    return TrackingTask(
        trajectory,
        Surroundings(contacts, plan.gravity, plan.springs, plan.ground),
        {name: (float(rows[0, 0]), float(rows[0, 1])) for name, rows in ranges_of(plan.figure, plan.torques).items()},
        plan.friction,
        plan.cycle is not None,
    )


class _Recorder:
    """Records state, torques and contact forces of one world after every frame."""

    def __init__(self, task: TrackingTask, pattern: TrackingPattern, state: State) -> None:
        self._task, self._pattern, self._state = task, pattern, state
        self._rows: list[tuple[Array, ...]] = []
        contacts = task.surroundings.contacts
        self._slots = sorted(range(len(contacts)), key=lambda k: contacts[k].link)
        self.add()

    def add(self) -> None:
        """Add the present state."""
        state, task = self._state, self._task
        step_state = state.step_state
        torques, forces = np.zeros(task.trajectory.figure.nv), np.zeros((len(self._slots), 3))
        targets = np.array([float(x[0]) for x in step_state.memory.control.targets])
        servos = [cast("Servo", state.world.actuators[name]) for name in task.limits]
        for servo, target, freedom, k in zip(servos, targets, task.freedoms, self._pattern.coordinates, strict=True):
            torques[freedom] = servo.stiffness * (target - state.q[0, k])
        cache = step_state.memory.contact_cache
        if cache is not None and (h := float(np.ravel(cache.step_size)[0])) > 0.0:
            for slot, contact in enumerate(self._slots):
                normal, x, y = (float(np.ravel(p)[0]) for p in cache.impulses[slot])
                forces[contact] = np.array([x, y, normal]) / h
        self._rows.append((state.q[0].copy(), state.v[0].copy(), torques, forces))

    def trajectory(self, times: Array) -> Trajectory:
        """Return the recorded motion as a trajectory of degree 1; times: times of the frames [s]."""
        q, v, torques, forces = (np.array(rows) for rows in zip(*self._rows[: len(times)], strict=True))
        trajectory = self._task.trajectory
        points = contact_positions(self._task, q)
        return Trajectory(trajectory.figure, times, q, v, torques, trajectory.contacts, points, forces, 1)


def contact_positions(task: TrackingTask, q: Array) -> Array:
    """Return the points of contact (N, contacts, 3) in the world [m] at configurations q (N, nq)."""
    figure = task.trajectory.figure
    state = kinematics(figure, list(q.T), [0.0] * figure.nv)
    positions = [columns(list(point.place(state)), len(q)) for point in task.surroundings.contacts]
    return np.stack(positions, axis=1) if positions else np.zeros((len(q), 0, 3))
