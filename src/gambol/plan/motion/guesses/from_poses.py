"""The first guess of a plan: joint coordinates are linear between poses, and contacts share the weight."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.tangent import figure_q_dot
from gambol.figure import JOINTS, Figure
from gambol.plan.motion.mesh_refinement.fractions import guessed_duration, middle
from gambol.plan.motion.spec.goals import Values
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.forces import FORCES_OF_FOUND
from gambol.plan.motion.transcription.layout import PhaseGuess, actuated_freedoms
from gambol.plan.motion.transcription.mirror import travel_coordinate
from gambol.plan.motion.transcription.scales import scales_of
from gambol.plan.motion.transcription.times import phase_time

Array = NDArray[np.float64]


def first_guess(plan: Plan, nodes: Sequence[Array]) -> list[PhaseGuess]:
    """Return the first values of all unknowns; nodes: fractions of the nodes of each phase."""
    figure, seconds = plan.figure, [guessed_duration(plan, phase) for phase in plan.phases]
    starts = np.concatenate([[0.0], np.cumsum(seconds)])
    times = [starts[k] + fractions * seconds[k] for k, fractions in enumerate(nodes)]
    all_times = np.concatenate(times)
    q = positions_between(figure, _poses(plan, starts), all_times)
    v = velocities_of(figure, all_times, q)
    guesses: list[PhaseGuess] = []
    first, actuated = 0, len(actuated_freedoms(plan))
    for phase, fractions, duration in zip(plan.phases, nodes, seconds, strict=True):
        n = len(fractions)
        part = slice(first, first + n)
        forces = np.tile(_weight_shares(plan, len(phase.contacts), len(phase.may_touch)), (n, 1))
        zeros = np.zeros((n, figure.nv))
        guesses.append(PhaseGuess(fractions, q[part], v[part], zeros, np.zeros((n, actuated)), forces, duration))
        first += n
    return guesses


def guessed_positions(plan: Plan, moments: Sequence[tuple[int, float]]) -> Array:
    """Return the coordinates (moments, nq) of the first guess; moments: index of a phase, and the fraction in it."""
    starts = np.concatenate([[0.0], np.cumsum([guessed_duration(plan, phase) for phase in plan.phases])])
    times = np.array([starts[k] + fraction * (starts[k + 1] - starts[k]) for k, fraction in moments])
    return positions_between(plan.figure, _poses(plan, starts), times)


def _weight_shares(plan: Plan, standing: int, may_touch: int) -> Array:
    """Return contact forces that carry the weight in equal shares.

    standing: number of standing points, with 3 numbers each. may_touch: number of points whose contacts are found, with
    FORCES_OF_FOUND numbers each.
    """
    weight = scales_of(plan.figure).force
    if may_touch:
        return np.tile([weight / may_touch, *[0.0] * (FORCES_OF_FOUND - 1)], may_touch)
    return np.tile([0.0, 0.0, weight / max(standing, 1)], standing)


def _poses(plan: Plan, starts: Array) -> list[tuple[float, Mapping[str, Values]]]:
    """Return the given poses with their times in the first guess, in order of time."""
    poses: list[tuple[float, Mapping[str, Values]]] = []
    for pose in (*plan.guess, *plan.poses):
        phase, fraction = phase_time(plan, pose.time, "a pose")
        poses.append((float(starts[phase] + fraction * (starts[phase + 1] - starts[phase])), pose.positions))
    poses.sort(key=lambda pose: pose[0])
    return [(0.0, plan.start.positions), *poses, (float(starts[-1]), _goal_positions(plan))]


def _goal_positions(plan: Plan) -> Mapping[str, Values]:
    """Return the positions at the goal; for a cycle without a goal pose, the start positions after the travel."""
    if plan.cycle is None:
        return plan.goal.positions
    travelled = dict(plan.start.positions) | dict(plan.goal.positions)
    travel = middle(plan.cycle.travel, 0.0)
    if not travel:
        return travelled
    coordinate = travel_coordinate(plan.figure)
    for link in plan.figure.links:
        if link.q.start <= coordinate < link.q.stop and link.name not in plan.goal.positions:
            position = travelled.get(link.name, tuple(JOINTS[link.joint.kind].rest))
            values = list(position) if isinstance(position, tuple) else [position]
            values[coordinate - link.q.start] = (values[coordinate - link.q.start] or 0.0) + travel
            travelled[link.name] = tuple(values)
    return travelled


def positions_between(figure: Figure, poses: Sequence[tuple[float, Mapping[str, Values]]], times: Array) -> Array:
    """Return coordinates (times, nq) on straight lines through poses.

    A coordinate that no pose specifies has its rest position.
    """
    q = np.zeros((len(times), figure.nq))
    for link in figure.links:
        kind = JOINTS[link.joint.kind]
        pose_values = list[tuple[float, list[float | None]]]()
        for time, positions in poses:
            if link.name in positions:
                values = positions[link.name]
                pose_values.append((time, list(values) if isinstance(values, tuple) else [values]))
        for k, rest in enumerate(kind.rest):
            known = [(time, float(x)) for time, values in pose_values if (x := values[k]) is not None]
            t, y = zip(*known, strict=True) if known else ((0.0,), (rest,))
            q[:, link.q.start + k] = np.interp(times, t, y)
        if kind.has_quaternion:
            part = slice(link.q.start, link.q.start + 4)
            lengths = np.linalg.norm(q[:, part], axis=1, keepdims=True)
            q[:, part] = np.where(lengths > 1e-6, q[:, part] / np.maximum(lengths, 1e-6), kind.rest[:4])
    return q


def velocities_of(figure: Figure, times: Array, q: Array) -> Array:
    """Return velocities (times, nv) whose q_dot is nearest to the differences of coordinates (times, nq)."""
    distinct = np.append(True, np.diff(times) > 0.0)
    rates = np.gradient(q[distinct], times[distinct], axis=0)
    full = rates[np.cumsum(distinct) - 1]
    N = velocity_map(figure, q)
    solved: list[Array] = [np.linalg.lstsq(N[k], full[k], rcond=None)[0] for k in range(len(times))]
    return np.stack(solved)


def velocity_map(figure: Figure, q: Array) -> Array:
    """Return N(q) of q_dot = N(q) v at each row of coordinates: (rows, nq, nv)."""
    rows, nv = len(q), figure.nv
    unit_velocities, repeated = np.tile(np.eye(nv), (rows, 1)), np.repeat(q, nv, axis=0)
    rates = figure_q_dot(figure, list(repeated.T), list(unit_velocities.T))
    columns = [np.broadcast_to(np.asarray(rate, float), (rows * nv,)).reshape(rows, nv) for rate in rates]
    return np.stack(columns, axis=1)
