"""Checks for plans that are impossible, before they are solved."""

import math

import numpy as np

from gambol.dynamics import Kinematics, centre_of_mass, kinematics, momentum
from gambol.dynamics.bodies import gravity_scalar_or_vector, world_acceleration
from gambol.errors import PlanError
from gambol.figure import JOINTS, Figure
from gambol.plan.motion.checks.distances import check_distances
from gambol.plan.motion.spec.goals import PointTarget, Pose
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.layout import ranges_of
from gambol.plan.motion.transcription.points import gap, place_point
from gambol.plan.motion.transcription.scales import scales_of
from gambol.plan.motion.transcription.times import phase_time
from gambol.plan.pose import PointGoal, inverse_kinematics

GROUND_TOLERANCE = 0.05
"""Fraction of a figure's length by which a standing point may be off the ground in a given pose, which is corrected."""

REACH_TOLERANCE = 1e-3
"""Fraction of a figure's length by which inverse kinematics may miss a target."""


def check_possible(plan: Plan) -> None:
    """Raise PlanError for a plan whose poses, targets and forces contradict each other."""
    _check_place(plan)
    for subject, pose, phase in (("start", plan.start, plan.phases[0]), ("goal", plan.goal, plan.phases[-1])):
        if (state := whole_state(plan.figure, pose)) is not None:
            _check_standing(plan, state, phase.contacts, subject)
    _check_centre(plan)
    for target in plan.targets:
        _check_reach(plan, target)
    check_distances(plan)


def whole_state(figure: Figure, pose: Pose) -> Kinematics | None:
    """Return the state of a pose that specifies all positions, else None; velocities that it does not specify are 0."""
    q, v = list[float](), list[float]()
    for link in figure.links:
        kind = JOINTS[link.joint.kind]
        for given, size, into in ((pose.positions, kind.nq, q), (pose.velocities, kind.nv, v)):
            values = given.get(link.name, (None,) * size if into is q else (0.0,) * size)
            row = values if isinstance(values, tuple) else (values,)
            if into is q and None in row:
                return None
            into.extend(0.0 if x is None else float(x) for x in row)
    return kinematics(figure, q, v)


def _has_all_velocities(figure: Figure, pose: Pose) -> bool:
    """Return True if a pose specifies all velocities."""
    moving = [link for link in figure.links if JOINTS[link.joint.kind].nv]
    rows = [pose.velocities.get(link.name, (None,)) for link in moving]
    return all(None not in (row if isinstance(row, tuple) else (row,)) for row in rows)


def _check_place(plan: Plan) -> None:
    """Raise PlanError if no goal fixes the position of a free figure along the ground."""
    root = plan.figure.root
    if root.joint.kind != "free" or plan.paths:
        return
    held = [target.place for target in plan.targets if target.relation in ("at", "within")]
    for axis, offset in (("x", 4), ("y", 5)):
        if any(place[offset - 4] is not None for place in held):
            continue
        if axis == "y" and plan.cycle is not None and plan.cycle.mirrored:
            continue  # the mirror plane y = 0 determines it
        root_positions = [pose.positions.get(root.name) for pose in (plan.start, plan.goal, *plan.poses)]
        if not any(isinstance(values, tuple) and values[offset] is not None for values in root_positions):
            raise PlanError(
                f'no goal determines the place of "{root.name}" along {axis}; give its initial position, with None '
                "for the numbers that are free"
            )


def _check_standing(plan: Plan, state: Kinematics, contacts: tuple[str, ...], subject: str) -> None:
    """Raise PlanError if a point that stands in a state is not on the ground; subject: name of the state."""
    length = scales_of(plan.figure).length
    for name in contacts:
        distance = float(gap(plan.ground, place_point(plan.figure, plan.points, name), state)[0])
        if abs(distance) > GROUND_TOLERANCE * length:
            raise PlanError(
                f'"{name}" should stand at the {subject}, but is {abs(distance):.3g} m '
                f"{'above' if distance > 0 else 'below'} the ground there; move the pose, or leave the contact out"
            )


def _check_centre(plan: Plan) -> None:
    """Raise PlanError for a centre of mass that would have to move against the laws of free flight and friction."""
    start, goal = (whole_state(plan.figure, pose) for pose in (plan.start, plan.goal))
    is_free = plan.figure.root.joint.kind in ("free", "planar")
    if (
        start is None
        or goal is None
        or not is_free
        or plan.figure.root.name in plan.torques
        or not _has_all_velocities(plan.figure, plan.start)
    ):
        return
    touches = any(phase.contacts or phase.may_touch for phase in plan.phases)
    seconds = [phase.duration for phase in plan.phases]
    if touches and plan.friction:
        return
    total = float(plan.figure.mass)
    first, last = (np.array([float(x) for x in centre_of_mass(state)]) for state in (start, goal))
    speed = np.array([float(x) for x in momentum(start).f]) / total
    if any(isinstance(s, tuple) for s in seconds):
        if (
            touches
            and not speed[:2].any()
            and np.abs((last - first)[:2]).max() > GROUND_TOLERANCE * scales_of(plan.figure).length
        ):
            raise PlanError(_friction_message(last - first))
        return
    t = sum(float(s) for s in seconds if isinstance(s, (int, float)))
    fall = -np.array([float(x) for x in world_acceleration(gravity_scalar_or_vector(plan.gravity)).v])
    miss = last - (first + speed * t + (np.zeros(3) if touches else 0.5 * fall * t * t))
    axes = slice(0, 2) if touches else slice(0, 3)
    if np.abs(miss[axes]).max() > GROUND_TOLERANCE * scales_of(plan.figure).length:
        raise PlanError(_friction_message(miss) if touches else _flight_message(miss, t))


def _friction_message(distance: np.ndarray) -> str:
    """Return the message for a goal that requires friction. distance (3): of the centre of mass [m]."""
    return (
        f"the goal moves the centre of mass {math.hypot(distance[0], distance[1]):.3g} m along the ground, but "
        "there is no friction that could push it; give friction, or another goal"
    )


def _flight_message(miss: np.ndarray, seconds: float) -> str:
    """Return the message for a free flight that misses the goal. miss (3): from the end to the goal [m]."""
    return (
        f"nothing touches the ground for {seconds:g} s, so the centre of mass falls freely, and misses the goal by "
        f"{float(np.linalg.norm(miss)):.3g} m; give contacts, another start velocity, or another goal"
    )


def _check_reach(plan: Plan, target: PointTarget) -> None:
    """Raise PlanError for a place that a figure with a fixed base cannot reach within its limits."""
    point = place_point(plan.figure, plan.points, target.point)
    axes = "".join(axis for axis, x in zip("xyz", target.place, strict=True) if x is not None)
    base_moves = any(JOINTS[link.joint.kind].slides for link in plan.figure.links)
    if base_moves or not point.link or target.relation not in ("at", "within") or not axes:
        return
    phase_time(plan, target.time, f'the target of "{target.point}"')
    position = tuple(0.0 if x is None else x for x in target.place)
    name = plan.figure.links[point.link - 1].name
    rest = [x for link in plan.figure.links for x in JOINTS[link.joint.kind].rest]
    goal = PointGoal(
        name, position, (float(point.position.x), float(point.position.y), float(point.position.z)), axes=axes
    )
    ranges = ranges_of(plan.figure, plan.limits, positions=True)
    limits = {name: (float(r[0, 0]), float(r[0, 1])) for name, r in ranges.items() if len(r) == 1}
    solution = inverse_kinematics(plan.figure, rest, [goal], limits=limits)
    residual = float(np.max(solution.residuals)) - (target.radius if target.relation == "within" else 0.0)
    if residual > REACH_TOLERANCE * scales_of(plan.figure).length:
        moving = [link for link in plan.figure.path_to_root(point.link) if JOINTS[link.joint.kind].nq]
        pose = ", ".join(f"{link.name} = {' '.join(f'{x:.3g}' for x in solution.q[link.q])}" for link in moving)
        raise PlanError(
            f'"{target.point}" cannot reach {position} along {axes}: the nearest pose misses it by {residual:.3g} m, '
            f"with {pose}"
        )
