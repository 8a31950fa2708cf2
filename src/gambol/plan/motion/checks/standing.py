"""Check for contacts that cannot stand together: for lack of room within the limits of joints, or in a pose.

At the start, the goal, each key pose and each border of phases, inverse kinematics searches a pose within the limits in
which the contacts are on the ground, and joints are where the plan puts them. A search may miss a pose, so it begins at
many places, and is made only where the first guess does not stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.dynamics import kinematics
from gambol.dynamics.tangent import integrate_configuration
from gambol.errors import PlanError
from gambol.figure import JOINTS, Figure
from gambol.plan.motion.guesses.from_poses import guessed_positions
from gambol.plan.motion.spec.goals import Pose
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.layout import ranges_of
from gambol.plan.motion.transcription.points import PlacedPoint, gap, place_point
from gambol.plan.motion.transcription.scales import scales_of
from gambol.plan.motion.transcription.times import phase_time
from gambol.plan.pose import Goal, JointGoal, OrientationGoal, PointGoal, inverse_kinematics

STANDING_TOLERANCE = 0.01
"""Fraction of a figure's length by which contacts may be off the ground in the nearest pose that is found."""

SEARCHES, SEARCH_CHANGE = 16, 0.5
"""Number of searches, each of which restarts three times, and the standard deviation of the random changes of their
starts [rad, figure lengths]."""

POSE_WEIGHT = 1e4
"""Weight of a given pose beside the contacts' heights, so that what is missing is told of the contacts."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Moment:
    """A time at which contacts stand. subject: its name. fraction: of the phase. pose: what the plan gives there."""

    subject: str
    phase: int
    fraction: float
    pose: Pose


def check_contacts_can_stand(plan: Plan) -> None:
    """Raise PlanError for contacts on level ground that no pose within the limits allows at a time of the plan."""
    moments = [moment for moment in _moments(plan) if plan.phases[moment.phase].contacts]
    if not moments or not isinstance(plan.ground, Plane):
        return
    guesses = _guesses(plan, moments)
    state = kinematics(plan.figure, list(guesses.T), [0.0] * plan.figure.nv)
    for k, (moment, guess) in enumerate(zip(moments, guesses, strict=True)):
        points = [place_point(plan.figure, plan.points, name) for name in plan.phases[moment.phase].contacts]
        gaps = np.array([np.broadcast_to(gap(plan.ground, point, state)[0], len(moments))[k] for point in points])
        if float(np.abs(gaps).max()) > STANDING_TOLERANCE * scales_of(plan.figure).length:
            _check_search(plan, moment, points, guess)


def _moments(plan: Plan) -> Iterator[_Moment]:
    last, none = len(plan.phases) - 1, Pose()
    for phase, name in enumerate(phase.name for phase in plan.phases):
        yield _Moment(f'at the start of phase "{name}"', phase, 0.0, plan.start if phase == 0 else none)
        if phase == last:
            yield _Moment("at the goal", phase, 1.0, plan.goal)
    for k, pose in enumerate(plan.poses):
        subject = f"key pose {k + 1}"
        yield _Moment(f"in {subject}", *phase_time(plan, pose.time, subject), pose)


def _guesses(plan: Plan, moments: list[_Moment]) -> Array:
    """Return the coordinates (moments, nq) of the first guess, within the limits."""
    q = guessed_positions(plan, [(moment.phase, moment.fraction) for moment in moments])
    for name, bounds in ranges_of(plan.figure, plan.limits, positions=True).items():
        span = plan.figure.link(name).q
        q[:, span] = np.clip(q[:, span], bounds[:, 0], bounds[:, 1])
    return q


def _check_search(plan: Plan, moment: _Moment, points: list[PlacedPoint], guess: Array) -> None:
    """Raise PlanError if inverse kinematics finds no pose at a moment in which all points stand."""
    figure = plan.figure
    ranges = ranges_of(figure, plan.limits, positions=True)
    limits = {name: (float(r[0, 0]), float(r[0, 1])) for name, r in ranges.items() if len(r) == 1}
    goals = [*_standing_goals(plan, points), *_pose_goals(figure, moment.pose)]
    found = inverse_kinematics(figure, _starts(figure, guess), goals, limits=limits)
    residuals = np.atleast_2d(found.residuals)
    nearest = int(residuals.max(axis=1).argmin())
    if residuals[nearest].max() <= STANDING_TOLERANCE * scales_of(figure).length:
        return
    state = kinematics(figure, np.atleast_2d(found.q)[nearest].tolist(), [0.0] * figure.nv)
    gaps = [float(gap(plan.ground, point, state)[0]) for point in points]
    k = int(np.abs(gaps).argmax())
    raise PlanError(
        f'the contacts of phase "{plan.phases[moment.phase].name}" cannot stand together {moment.subject}: in the '
        f'nearest pose within the limits of joints, "{points[k].name}" is {abs(gaps[k]):.3g} m '
        f"{'above' if gaps[k] > 0.0 else 'below'} the ground; change the limits, the pose, or the contacts"
    )


def _starts(figure: Figure, guess: Array) -> Array:
    """Return starts of searches (SEARCHES, nq): the guess, and random changes of it."""
    size = scales_of(figure).length
    units = [size if unit == "m/s" else 1.0 for link in figure.links for unit in JOINTS[link.joint.kind].v_units]
    change = np.random.default_rng(0).normal(size=(SEARCHES, figure.nv)) * units * SEARCH_CHANGE
    change[0] = 0.0
    q = integrate_configuration(figure, list(np.tile(guess, (SEARCHES, 1)).T), list(change.T))
    return np.stack([np.broadcast_to(np.asarray(x, float), (SEARCHES,)) for x in q], axis=1)


def _standing_goals(plan: Plan, points: list[PlacedPoint]) -> list[Goal]:
    """Return goals for the heights of standing points."""
    assert isinstance(plan.ground, Plane)
    height, links = plan.ground.height, plan.figure.links
    return [
        PointGoal(
            links[point.link - 1].name,
            (0.0, 0.0, height + point.radius),
            (float(point.position.x), float(point.position.y), float(point.position.z)),
            axes="z",
        )
        for point in points
    ]


def _pose_goals(figure: Figure, pose: Pose) -> Iterator[Goal]:
    """Yield goals for the joints that a pose fixes: whole joints, and parts of the pose of a free root."""
    for name, values in pose.positions.items():
        row, kind = values if isinstance(values, tuple) else (values,), figure.link(name).joint.kind
        given = [x for x in row if x is not None]
        if kind == "free":
            axes = "".join(axis for axis, x in zip("xyz", row[4:], strict=True) if x is not None)
            if axes:
                yield PointGoal(name, tuple(x or 0.0 for x in row[4:]), axes=axes, weight=POSE_WEIGHT)
            if None not in row[:4]:
                yield OrientationGoal(name, [x for x in row[:4] if x is not None], weight=POSE_WEIGHT)
        elif len(given) == len(row) and kind != "fixed":
            yield JointGoal(name, given, weight=POSE_WEIGHT)
