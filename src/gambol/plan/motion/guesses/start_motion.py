"""First guesses from motions: an earlier result, or a trajectory of the figure."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError
from gambol.plan.motion.guesses.from_poses import first_guess
from gambol.plan.motion.result import PlanResult
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.layout import PhaseGuess, actuated_freedoms
from gambol.plan.trajectory import Trajectory

Array = NDArray[np.float64]


def guess_from(plan: Plan, motion: "PlanResult | Trajectory", nodes: Sequence[Array]) -> list[PhaseGuess]:
    """Return first values from a motion; nodes: fractions of each phase.

    A trajectory with the same number of phases (divided by repeated times) determines their durations; another
    trajectory is stretched over the plan's durations. Raises PlanError for a motion of another figure.
    """
    trajectory = motion.trajectory if isinstance(motion, PlanResult) else motion
    if (trajectory.figure.nq, trajectory.figure.nv) != (plan.figure.nq, plan.figure.nv):
        raise PlanError(
            f'the motion to start from has {trajectory.figure.nq} coordinates, figure "{plan.figure.name}" has '
            f"{plan.figure.nq}; give a motion of the same figure"
        )
    basic = first_guess(plan, nodes)
    parts = phase_slices(trajectory.times)
    acceleration = accelerations_of(trajectory)
    guesses: list[PhaseGuess] = []
    total, start = sum(guess.seconds for guess in basic), 0.0
    for number, guess in enumerate(basic):
        if len(parts) == len(basic):
            rows = parts[number]
            times = trajectory.times[rows]
            at = times[0] + guess.fractions * (times[-1] - times[0])
            guess = replace(guess, seconds=_duration(plan, number, float(times[-1] - times[0])))
        else:
            rows = slice(0, len(trajectory.times))
            whole = trajectory.times[-1] - trajectory.times[0]
            at = trajectory.times[0] + (start + guess.fractions * guess.seconds) / total * whole
            start += guess.seconds
        guesses.append(_sampled(plan, guess, number, (trajectory, acceleration), (rows, at)))
    return guesses


def _duration(plan: Plan, phase: int, seconds: float) -> float:
    planned = plan.phases[phase].duration
    return float(planned) if isinstance(planned, (int, float)) else min(max(seconds, planned[0]), planned[1])


def phase_slices(times: Array) -> list[slice]:
    """Return the rows of each phase of a trajectory: a repeated time divides them."""
    borders = np.flatnonzero(np.diff(times) <= 0.0) + 1
    ends = [0, *(int(b) for b in borders), len(times)]
    return [slice(a, b) for a, b in pairwise(ends)]


def accelerations_of(trajectory: Trajectory) -> Array:
    """Return the differences of the velocities of a trajectory (n, nv), phase by phase."""
    accelerations = np.zeros_like(trajectory.v)
    for rows in phase_slices(trajectory.times):
        if rows.stop - rows.start > 1:
            accelerations[rows] = np.gradient(trajectory.v[rows], trajectory.times[rows], axis=0)
    return accelerations


def _sampled(
    plan: Plan, guess: PhaseGuess, number: int, motion: tuple[Trajectory, Array], samples: tuple[slice, Array]
) -> PhaseGuess:
    """Return a guess with values of a motion.

    number: index of the phase. motion: trajectory and its accelerations. samples: rows of the trajectory for this
    phase, and a time of the trajectory for each node [s].
    """
    trajectory, acceleration = motion
    rows, at = samples
    times = trajectory.times[rows]

    def along(values: Array) -> Array:
        columns = values[rows].reshape(len(times), -1)
        return np.stack([np.interp(at, times, column) for column in columns.T], axis=1)

    f, phase = guess.f.copy(), plan.phases[number]
    if len(trajectory.times) and trajectory.contacts and not phase.may_touch:
        for k, name in enumerate(phase.contacts):
            if name in trajectory.contacts:
                f[:, 3 * k : 3 * k + 3] = along(trajectory.contact_forces[:, trajectory.contacts.index(name)])
    u = along(trajectory.torques)[:, list(actuated_freedoms(plan))]
    return replace(guess, q=along(trajectory.q), v=along(trajectory.v), a=along(acceleration), u=u, f=f)
