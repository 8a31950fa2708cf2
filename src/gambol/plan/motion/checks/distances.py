"""Points of a figure that a plan wants further apart than the links between them are long.

The distance of two points is at most the sum of the lengths of the links on the path between them, whatever the joints
turn by, and of the travel of joints that slide. A plan that asks for more is impossible.
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
"""Share of a figure's length by which points may be too far apart: files round to some digits."""

TURNING = {"fixed", "revolute", "universal", "spherical"}
"""Kinds of joints that keep the origin of their link at its place in the parent."""

Bounds = tuple[float, float]
EVERYWHERE: Bounds = (-math.inf, math.inf)


@dataclass(frozen=True)
class Anchor:
    """A point of a link whose place is bounded.

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
    for phase, anchors in _moments(plan):
        for first, second in combinations([*anchors, *_standing(plan, phase)], 2):
            apart, longest = _apart(first, second), _longest(plan, travels, first, second)
            if apart > longest + rounding:
                raise PlanError(
                    f"{first.title} is out of reach of {second.title}: they would be {apart:.3g} m apart, but parts of "
                    f'"{plan.figure.name}" allow {longest:.3g} m at most; move it by {apart - longest:.3g} m or more'
                )


def _moments(plan: Plan) -> Iterator[tuple[int, list[Anchor]]]:
    """Iterate over poses and targets: the index of their phase, and what they say of places."""
    last = len(plan.phases) - 1
    poses = [("the start", 0, plan.start), ("the goal", last, plan.goal)]
    for k, pose in enumerate(plan.poses):
        what = f"key pose {k + 1}"
        poses.append((what, phase_time(plan, pose.time, what)[0], pose))
    for what, phase, pose in poses:
        yield phase, _placed_root(plan, pose, what)
    for target in plan.targets:
        yield phase_time(plan, target.time, f'the target of "{target.point}"')[0], _target(plan, target)


def _placed_root(plan: Plan, pose: Pose, what: str) -> list[Anchor]:
    """Return the place that a pose gives to a root with a free joint."""
    root = plan.figure.root
    given = pose.positions.get(root.name)
    if root.joint.kind != "free" or not isinstance(given, tuple):
        return []
    x, y, z = (EVERYWHERE if c is None else (c - pose.tolerance, c + pose.tolerance) for c in given[4:])
    return [Anchor(f'"{root.name}" at {what}', root, np.zeros(3), (x, y, z))]


def _target(plan: Plan, target: PointTarget) -> list[Anchor]:
    """Return the place that a target gives to a point; nothing for the centre of mass."""
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
    return [Anchor(title, plan.figure.links[point.link - 1], np.array([*point.position], float), (x, y, z))]


def _standing(plan: Plan, phase: int) -> list[Anchor]:
    """Return the points that stand in a phase: their heights, on level ground."""
    if not isinstance(plan.ground, Plane):
        return []
    anchors: list[Anchor] = []
    for name in plan.phases[phase].contacts:
        point = place_point(plan.figure, plan.points, name)
        height, link = plan.ground.height + point.radius, plan.figure.links[point.link - 1]
        box = (EVERYWHERE, EVERYWHERE, (height, height))
        title = f'"{name}", which stands in "{plan.phases[phase].name}"'
        anchors.append(Anchor(title, link, np.array([*point.position], float), box))
    return anchors


def _apart(first: Anchor, second: Anchor) -> float:
    """Return the least distance of two anchors [m]."""
    gaps = [max(0.0, a[0] - b[1], b[0] - a[1]) for a, b in zip(first.box, second.box, strict=True)]
    return math.hypot(*gaps)


def _longest(plan: Plan, travels: Mapping[str, float], first: Anchor, second: Anchor) -> float:
    """Return a distance that two points of a figure cannot exceed [m]."""
    paths = [plan.figure.path_to_root(anchor.link.index) for anchor in (first, second)]
    shared = {link.index for link in paths[0]} & {link.index for link in paths[1]}
    total, ends = 0.0, list[NDArray[np.float64]]()
    for anchor, path in zip((first, second), paths, strict=True):
        end = anchor.offset
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
        travels[link.name] = 0.0 if kind in TURNING else travel
    return travels
