"""Check for points of a figure that a plan requires to be further apart than the links between them allow.

For any joint angles, the distance of two points is at most the sum of the lengths of the links on the path between
them, plus the travel of prismatic joints. A plan that requires more is impossible.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.errors import PlanError
from gambol.figure import PlacedLink
from gambol.plan.motion.spec.goals import PointTarget, Pose
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.layout import ranges_of
from gambol.plan.motion.transcription.points import place_point
from gambol.plan.motion.transcription.scales import scales_of
from gambol.plan.motion.transcription.times import phase_time

DISTANCE_TOLERANCE = 1e-3
"""Fraction of a figure's length by which points may be too far apart, for the rounding of numbers in files."""

WITHOUT_TRAVEL = {"fixed", "revolute", "universal", "spherical"}
"""Kinds of joints that do not move the origin of their link relative to the parent."""

Bounds = tuple[float, float]
EVERYWHERE: Bounds = (-math.inf, math.inf)


@dataclass(frozen=True)
class BoundedPoint:
    """A point of a link whose position in the world is bounded.

    title: its name in messages. offset: in link coordinates [m]. box: lowest and highest x, y and z in the world [m].
    """

    title: str
    link: PlacedLink
    offset: NDArray[np.float64]
    box: tuple[Bounds, Bounds, Bounds]


def check_distances(plan: Plan) -> None:
    """Raise PlanError for points that would be too far apart, at the time of a pose or of a target."""
    travels = _travels(plan)
    rounding = DISTANCE_TOLERANCE * scales_of(plan.figure).length
    for phase, points in _bounded_points(plan):
        for first, second in combinations([*points, *_standing_points(plan, phase)], 2):
            required, longest = _min_distance(first, second), _max_distance(plan, travels, first, second)
            if required > longest + rounding:
                raise PlanError(
                    f"{first.title} is out of reach of {second.title}: they would be {required:.3g} m apart, but "
                    f'parts of "{plan.figure.name}" allow {longest:.3g} m at most; '
                    f"move it by {required - longest:.3g} m or more"
                )


def _bounded_points(plan: Plan) -> Iterator[tuple[int, list[BoundedPoint]]]:
    """Yield for each pose and target the index of its phase, and the points whose positions it bounds."""
    last = len(plan.phases) - 1
    poses = [("the start", 0, plan.start), ("the goal", last, plan.goal)]
    for k, pose in enumerate(plan.poses):
        subject = f"key pose {k + 1}"
        poses.append((subject, phase_time(plan, pose.time, subject)[0], pose))
    for subject, phase, pose in poses:
        yield phase, _placed_root(plan, pose, subject)
    for target in plan.targets:
        yield phase_time(plan, target.time, f'the target of "{target.point}"')[0], _target_point(plan, target)


def _placed_root(plan: Plan, pose: Pose, subject: str) -> list[BoundedPoint]:
    """Return the root with the position that a pose gives it; nothing unless its joint is free."""
    root = plan.figure.root
    root_position = pose.positions.get(root.name)
    if root.joint.kind != "free" or not isinstance(root_position, tuple):
        return []
    x, y, z = (EVERYWHERE if c is None else (c - pose.tolerance, c + pose.tolerance) for c in root_position[4:])
    return [BoundedPoint(f'"{root.name}" at {subject}', root, np.zeros(3), (x, y, z))]


def _target_point(plan: Plan, target: PointTarget) -> list[BoundedPoint]:
    """Return the point of a target with its bounds; nothing for the centre of mass."""
    point = place_point(plan.figure, plan.points, target.point)
    if not point.link:
        return []
    ends = {
        "at": (0.0, 0.0),
        "within": (-target.radius, target.radius),
        "above": (0.0, np.inf),
        "below": (-np.inf, 0.0),
    }
    low, high = ends[target.relation]
    x, y, z = (EVERYWHERE if c is None else (c + low, c + high) for c in target.place)
    title = f'"{target.point}" {target.relation} its place'
    return [BoundedPoint(title, plan.figure.links[point.link - 1], np.array([*point.position], float), (x, y, z))]


def _standing_points(plan: Plan, phase: int) -> list[BoundedPoint]:
    """Return the points that stand in a phase, with their heights as bounds; nothing unless the ground is level."""
    if not isinstance(plan.ground, Plane):
        return []
    points: list[BoundedPoint] = []
    for name in plan.phases[phase].contacts:
        point = place_point(plan.figure, plan.points, name)
        height, link = plan.ground.height + point.radius, plan.figure.links[point.link - 1]
        box = (EVERYWHERE, EVERYWHERE, (height, height))
        title = f'"{name}", which stands in "{plan.phases[phase].name}"'
        points.append(BoundedPoint(title, link, np.array([*point.position], float), box))
    return points


def _min_distance(first: BoundedPoint, second: BoundedPoint) -> float:
    """Return the least distance that the bounds of two points allow [m]."""
    gaps = [max(0.0, a[0] - b[1], b[0] - a[1]) for a, b in zip(first.box, second.box, strict=True)]
    return math.hypot(*gaps)


def _max_distance(plan: Plan, travels: Mapping[str, float], first: BoundedPoint, second: BoundedPoint) -> float:
    """Return a distance that two points of a figure cannot exceed [m]."""
    paths = [plan.figure.path_to_root(point.link.index) for point in (first, second)]
    shared = {link.index for link in paths[0]} & {link.index for link in paths[1]}
    total, ends = 0.0, list[NDArray[np.float64]]()
    for point, path in zip((first, second), paths, strict=True):
        end = point.offset
        for link in sorted((link for link in path if link.index not in shared), key=lambda link: -link.index):
            total += float(np.linalg.norm(end)) + travels[link.name]
            end = np.array(link.joint.position, float)
        ends.append(end)
    return total + float(np.linalg.norm(ends[0] - ends[1]))


def _travels(plan: Plan) -> dict[str, float]:
    """Return the maximum travel of each prismatic joint by link [m]; infinite without limits."""
    ranges = ranges_of(plan.figure, plan.limits, positions=True)
    travels: dict[str, float] = {}
    for link in plan.figure.links:
        kind = link.joint.kind
        limits = ranges.get(link.name) if kind == "prismatic" else None
        travel = math.inf if limits is None else float(np.abs(limits).max())
        travels[link.name] = 0.0 if kind in WITHOUT_TRAVEL else travel
    return travels
