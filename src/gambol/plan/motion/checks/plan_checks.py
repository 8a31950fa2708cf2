"""Checks of a plan before any work: phases, joints, goals, costs."""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import get_args

import numpy as np

from gambol.dynamics.tangent import UNIT_LENGTH_TOLERANCE
from gambol.errors import PlanError, did_you_mean
from gambol.figure import JOINTS, PlacedLink
from gambol.plan.motion.checks.impossible import check_possible
from gambol.plan.motion.checks.standing import check_contacts_can_stand
from gambol.plan.motion.spec.goals import Pose, Relation, Values
from gambol.plan.motion.spec.phases import Duration, Landing, Phase
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.cost_elements import INTEGRANDS, KINDS
from gambol.plan.motion.transcription.layout import Numbers, actuated_freedoms, ranges_of
from gambol.plan.motion.transcription.mirror import state_map, travel_coordinate
from gambol.plan.motion.transcription.points import place_point
from gambol.plan.motion.transcription.schemes import SCHEMES
from gambol.plan.motion.transcription.times import phase_time

LIMIT_TOLERANCE = 1e-9
"""Distance by which a pose may exceed a limit, for rounding [rad or m]."""


def check_plan(plan: Plan) -> None:
    """Raise PlanError, or FigureError for an unknown link, for an impossible plan."""
    _check_figure(plan)
    _check_phases(plan)
    _check_mesh(plan)
    for subject, pose in _poses(plan):
        _check_pose(plan, pose, subject)
    _check_order(plan)
    _check_targets(plan)
    _check_costs(plan)
    if plan.cycle is not None:
        state_map(plan.figure, plan.cycle)
        low, high = _lowest_and_highest(plan.cycle.travel)
        _check_range("the travel of the cycle", low, high, "m", least=-math.inf)
        if low or high:
            travel_coordinate(plan.figure)
    check_possible(plan)
    check_contacts_can_stand(plan)


def _poses(plan: Plan) -> list[tuple[str, Pose]]:
    numbered = [(f"key pose {k + 1}", pose) for k, pose in enumerate(plan.poses)]
    guesses = [(f"pose {k + 1} of the guess", pose) for k, pose in enumerate(plan.guess)]
    return [("the start", plan.start), ("the goal", plan.goal), *numbered, *guesses]


def _check_figure(plan: Plan) -> None:
    figure = plan.figure
    if figure.prescribed:
        raise PlanError(
            f'figure "{figure.name}" has a prescribed base; a plan finds motion: make the base free or fixed'
        )
    if figure.constraints:
        raise PlanError(
            f'figure "{figure.name}" has loop constraints, which plans do not support; plan a figure without them'
        )
    for subject, given in (("torque", plan.torques), ("speed", plan.speeds), ("limit", plan.limits)):
        ranges = ranges_of(figure, given, positions=subject == "limit")
        for name, values in ranges.items():
            if not len(values):
                raise PlanError(f'"{name}" has a {subject}, but its joint is fixed; leave it out')


def _lowest_and_highest(value: Duration) -> tuple[float, float]:
    low, high = value if isinstance(value, tuple) else (value, value)
    return float(low), float(high)


def _check_range(subject: str, low: float, high: float, unit: str, least: float = 0.0) -> None:
    if not (least < low <= high) or math.isinf(low):
        raise PlanError(
            f"{subject} is {low:g} to {high:g} {unit}; give a finite number above {least:g}, the lower one first"
        )


def _check_phases(plan: Plan) -> None:
    if not plan.phases:
        raise PlanError("a plan has no phase; give one, such as Phase(duration=1.0)")
    names = [phase.name for phase in plan.phases]
    for name in names:
        if names.count(name) > 1:
            raise PlanError(f'two phases have the name "{name}"; give every phase its own')
    for phase in plan.phases:
        _check_range(f'the duration of phase "{phase.name}"', *_lowest_and_highest(phase.duration), "s")
        _check_contacts(plan, phase)
    if plan.duration is not None:
        low, high = _lowest_and_highest(plan.duration)
        _check_range("the duration of the plan", low, high, "s")
        shortest, longest = (sum(_lowest_and_highest(phase.duration)[k] for phase in plan.phases) for k in (0, 1))
        if shortest > high + LIMIT_TOLERANCE or longest < low - LIMIT_TOLERANCE:
            raise PlanError(
                f"the phases last from {shortest:g} to {longest:g} s together, the plan from {low:g} to {high:g} s; "
                "no duration satisfies both"
            )
    for subject, number in (("friction", plan.friction), ("clearance", plan.clearance)):
        if not 0.0 <= number < math.inf:
            raise PlanError(f"the {subject} is {number:g}; give 0 or more, and finite")
    if plan.cone not in ("pyramid", "circle"):
        raise PlanError(f'the cone is "{plan.cone}"; give "pyramid" or "circle"')


def _check_contacts(plan: Plan, phase: Phase) -> None:
    if phase.contacts and phase.may_touch:
        raise PlanError(f'phase "{phase.name}" has contacts and points that may touch; give only one of the two')
    if phase.may_touch and plan.mesh.method != "backward euler":
        raise PlanError(
            f'phase "{phase.name}" finds its contacts by the method "backward euler" only, not by "{plan.mesh.method}"'
        )
    if phase.landing not in get_args(Landing):
        raise PlanError(f'the landing of phase "{phase.name}" is "{phase.landing}"; give "impact" or "smooth"')
    names = phase.contacts or phase.may_touch
    for name in names:
        if names.count(name) > 1:
            raise PlanError(f'phase "{phase.name}" names the contact "{name}" twice')
        if not place_point(plan.figure, plan.points, name).link:
            raise PlanError(f'phase "{phase.name}" stands on "{name}", the centre of mass; name a point of a link')


def _check_mesh(plan: Plan) -> None:
    mesh = plan.mesh
    if mesh.method not in SCHEMES:
        raise PlanError(f'there is no method "{mesh.method}"; {did_you_mean(mesh.method, SCHEMES)}')
    if mesh.dynamics not in ("inverse", "forward"):
        raise PlanError(f'the dynamics of the mesh are "{mesh.dynamics}"; give "inverse" or "forward"')
    if mesh.intervals < 1 or mesh.refinements < 0 or not mesh.tolerance > 0.0:
        raise PlanError(
            f"the mesh has {mesh.intervals} intervals, {mesh.refinements} refinements and a tolerance of "
            f"{mesh.tolerance:g}; give at least 1, at least 0, and more than 0"
        )


def _check_pose(plan: Plan, pose: Pose, subject: str) -> None:
    """Raise PlanError for values that do not fit joints, or exceed limits of positions or speeds."""
    limits = ranges_of(plan.figure, plan.limits, positions=True)
    speeds = ranges_of(plan.figure, plan.speeds)
    if not 0.0 <= pose.tolerance < math.inf:
        raise PlanError(f"the tolerance of {subject} is {pose.tolerance:g}; give 0 or more")
    for given, bounds, count in ((pose.positions, limits, "nq"), (pose.velocities, speeds, "nv")):
        for name, values in _tuples(given):
            link = plan.figure.link(name)
            size = getattr(JOINTS[link.joint.kind], count)
            if len(values) != size:
                raise PlanError(
                    f'{subject} gives "{name}" {len(values)} numbers; its {link.joint.kind} joint takes {size}'
                )
            if any(x is not None and not math.isfinite(x) for x in values):
                raise PlanError(f'{subject} gives "{name}" a number that is not finite')
            if name in bounds:
                _check_within(link, values, bounds[name], pose.tolerance, subject)
    _check_quaternions(plan, pose, subject)


def _tuples(given: Mapping[str, Values]) -> Iterable[tuple[str, tuple[float | None, ...]]]:
    return ((name, values if isinstance(values, tuple) else (values,)) for name, values in given.items())


def _check_within(
    link: PlacedLink, values: tuple[float | None, ...], bounds: Numbers, tolerance: float, subject: str
) -> None:
    for x, (low, high) in zip(values, bounds, strict=True):
        if x is not None and not low - tolerance - LIMIT_TOLERANCE <= x <= high + tolerance + LIMIT_TOLERANCE:
            raise PlanError(f'{subject} has "{link.name}" at {x:g}, outside its limits {low:g} to {high:g}')


def _check_quaternions(plan: Plan, pose: Pose, subject: str) -> None:
    for name, values in _tuples(pose.positions):
        if not JOINTS[plan.figure.link(name).joint.kind].has_quaternion:
            continue
        numbers = [x for x in values[:4] if x is not None]
        if len(numbers) not in (0, 4):
            raise PlanError(
                f'{subject} gives "{name}" a part of a quaternion; give all four numbers, or None four times'
            )
        if numbers and abs(math.hypot(*numbers) - 1.0) > UNIT_LENGTH_TOLERANCE:
            raise PlanError(
                f'{subject} gives "{name}" a quaternion of length {math.hypot(*numbers):g}; its length must be 1'
            )


def _check_order(plan: Plan) -> None:
    """Raise PlanError for key poses that are not in order of time."""
    times = [(*phase_time(plan, pose.time, f"key pose {k + 1}"), k) for k, pose in enumerate(plan.poses)]
    for earlier, later in pairwise(times):
        if later[:2] < earlier[:2]:
            raise PlanError(
                f"key pose {later[2] + 1} comes before key pose {earlier[2] + 1}; give them in order of time"
            )


def _check_targets(plan: Plan) -> None:
    for target in plan.targets:
        subject = f'the target of "{target.point}"'
        point = place_point(plan.figure, plan.points, target.point)
        if target.relation not in get_args(Relation):
            raise PlanError(
                f'{subject} has the relation "{target.relation}"; {did_you_mean(target.relation, get_args(Relation))}'
            )
        if target.until is not None and phase_time(plan, target.until, subject) < phase_time(
            plan, target.time, subject
        ):
            raise PlanError(f"{subject} ends before it begins; give the earlier time first")
        if target.relation == "within" and not target.radius > 0.0:
            raise PlanError(f'{subject} is "within" a radius of {target.radius:g} m; give more than 0')
        numbers = [x for x in (*target.place, *target.velocity) if x is not None]
        if not numbers or not all(map(math.isfinite, numbers)):
            raise PlanError(f"{subject} has no place and no velocity, or one that is not finite")
        if not point.link and any(x is not None for x in target.velocity):
            raise PlanError(f"{subject} gives the centre of mass a velocity; give one to a point of a link")
    for path in plan.paths:
        subject = f'the path of "{path.point}"'
        place_point(plan.figure, plan.points, path.point)
        if phase_time(plan, path.until, subject) <= phase_time(plan, path.time, subject):
            raise PlanError(f"{subject} ends before it begins; give the earlier time first")
        if not callable(path.curve) and (len(path.curve) < 2 or not np.isfinite(np.array(path.curve)).all()):
            raise PlanError(f"{subject} has {len(path.curve)} control points, or one not finite; give two or more")


def _check_costs(plan: Plan) -> None:
    actuated = set(actuated_freedoms(plan))
    if not plan.costs:
        raise PlanError("the plan has no cost; give it one, such as Cost('effort')")
    with_cost: set[int] = set()
    for cost in plan.costs:
        if cost.kind not in KINDS:
            raise PlanError(f'there is no cost "{cost.kind}"; {did_you_mean(cost.kind, KINDS)}')
        if not 0.0 <= cost.weight < math.inf:
            raise PlanError(f'the cost "{cost.kind}" has the weight {cost.weight:g}; give 0 or more, and finite')
        if (cost.kind == "function") != (cost.function is not None):
            raise PlanError(f'the cost "{cost.kind}" has {"no" if cost.function is None else "a"} function')
        counted = {k for name in cost.joints for k in range(plan.figure.nv)[plan.figure.link(name).v]}
        of_torques = cost.kind == "torque rate" or (cost.kind in INTEGRANDS and INTEGRANDS[cost.kind].of_torques)
        if of_torques and (idle := counted - actuated):
            name = next(link.name for link in plan.figure.links if min(idle) in range(plan.figure.nv)[link.v])
            raise PlanError(f'the cost "{cost.kind}" counts "{name}", which has no actuator')
        everything = actuated if of_torques else set(range(plan.figure.nv))
        with_cost |= (counted or everything) if cost.kind != "duration" and cost.weight else set()
    _check_unbounded_torques(plan, actuated - with_cost)


def _check_unbounded_torques(plan: Plan, without_cost: set[int]) -> None:
    """Raise PlanError for a torque without a bound among the freedoms without a cost."""
    torques = ranges_of(plan.figure, plan.torques)
    for link in plan.figure.links:
        for k, freedom in enumerate(range(plan.figure.nv)[link.v]):
            if freedom in without_cost and np.isinf(torques[link.name][k]).any():
                raise PlanError(
                    f'the torque of "{link.name}" has neither a cost nor a bound; give it a cost or a finite bound'
                )
