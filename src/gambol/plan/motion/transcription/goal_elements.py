"""Goals as bounds of unknowns and equations at nodes: poses, points at positions, points on curves."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.figure import JOINTS, Figure, PlacedLink
from gambol.lanes import Scalar, total
from gambol.plan.motion.spec.goals import PointPath, PointTarget, Pose, Values
from gambol.plan.motion.transcription.contacts import PhaseContacts
from gambol.plan.motion.transcription.defects import rotation_between
from gambol.plan.motion.transcription.elements import (
    EQUATION,
    Bounds,
    Inputs,
    KeyedFunction,
    Named,
    NamedFunction,
    element,
    with_units,
)
from gambol.plan.motion.transcription.forces import node_inputs
from gambol.plan.motion.transcription.layout import Layout
from gambol.plan.motion.transcription.points import PlacedPoint, place_point
from gambol.plan.motion.transcription.rank import independent_rows, point_jacobian
from gambol.plan.motion.transcription.times import Moment, moment, moments_between
from gambol.plan.program import Element
from gambol.spatial import bezier_point

Matrix = NDArray[np.float64]


def goal_elements(layout: Layout, contacts: Sequence[PhaseContacts]) -> list[Element]:
    """Return the equations of all goals of a plan, and set the bounds of unknowns that they fix."""
    plan, last = layout.plan, len(layout.blocks) - 1
    elements: list[Element] = []
    elements += pose_elements(layout, contacts, plan.start, Moment(0, 0), "the start")
    elements += pose_elements(layout, contacts, plan.goal, Moment(last, layout.blocks[last].nodes - 1), "the goal")
    for number, pose in enumerate(plan.poses):
        elements += pose_elements(layout, contacts, pose, moment(layout, pose.time), f"key pose {number + 1}")
    for goal in plan.targets:
        elements += _target(layout, goal)
    for path in plan.paths:
        elements += _path(layout, path)
    return elements


def pose_elements(
    layout: Layout, contacts: Sequence[PhaseContacts], pose: Pose, at: Moment, subject: str
) -> list[Element]:
    """Set the bounds of a pose; return the equations of orientations, which bounds cannot express.

    subject: name of the value, for messages. Coordinates that standing points determine are not fixed, since a pose and
    its contacts agree only up to rounding.
    """
    positions = _independent(layout, contacts, pose.positions, at, velocities=False)
    velocities = _independent(layout, contacts, pose.velocities, at, velocities=True)
    block, elements = layout.blocks[at.phase], list[Element]()
    for name, given in pose.velocities.items():
        link = layout.figure.link(name)
        values = given if isinstance(given, tuple) else (given,)
        for k, value in zip(range(layout.figure.nv)[link.v], values, strict=True):
            if value is not None and k in velocities:
                _bound(layout, block.v[at.node, k], value, pose.tolerance, f'the velocity of "{name}" at {subject}')
    for name, given in pose.positions.items():
        link = layout.figure.link(name)
        elements += _positions(layout, link, given, positions, (pose, at, subject))
    return elements


def _bound(layout: Layout, index: np.intp, value: float, tolerance: float, subject: str) -> None:
    layout.unknowns.bound(np.array([index]), value - tolerance, value + tolerance, subject)


def _positions(
    layout: Layout,
    link: PlacedLink,
    given: float | tuple[float | None, ...],
    free_freedoms: list[int],
    at: tuple[Pose, Moment, str],
) -> list[Element]:
    """Bound the coordinates of a joint in a pose; return the equations of its orientation.

    given: coordinates of the joint. free_freedoms: freedoms that contacts do not determine. at: pose, node and name of
    the pose.
    """
    pose, position, subject = at
    block, kind = layout.blocks[position.phase], JOINTS[link.joint.kind]
    values = list(given) if isinstance(given, tuple) else [given]
    indices, freedoms = block.q[position.node, link.q], list(range(layout.figure.nv)[link.v])
    elements: list[Element] = []
    if kind.has_quaternion:
        target, values, indices = values[:4], values[4:], indices[4:]
        rows = [i for i in range(3) if freedoms[i] in free_freedoms]
        if None not in target:
            elements += _orientation(layout, link, [float(x) for x in target if x is not None], rows, at)
        freedoms = freedoms[3:]
    for index, k, value in zip(indices, freedoms, values, strict=True):
        if value is not None and k in free_freedoms:
            _bound(layout, index, value, pose.tolerance, f'"{link.name}" at {subject}')
    return elements


def _orientation(
    layout: Layout, link: PlacedLink, target: list[float], rows: list[int], at: tuple[Pose, Moment, str]
) -> list[Element]:
    """Return the equations of an orientation.

    At the first node of a plan, set bounds instead, since no other equation contains it.
    """
    pose, position, subject = at
    block = layout.blocks[position.phase]
    indices = block.q[position.node, link.q][:4]
    target = list(np.array(target) / np.linalg.norm(target))
    if position == Moment(0, 0) and len(rows) == 3 and not pose.tolerance:
        layout.unknowns.bound(indices, target, target, f'the orientation of "{link.name}" at {subject}')
        return []
    if not rows:
        return []

    def rotation(x: Named) -> list[Scalar]:
        return [rotation_between(target, x["q"])[k] for k in rows]

    half = 0.5 * pose.tolerance
    times = layout.guessed_times(position.phase)[position.node : position.node + 1]
    name, unit = f'the orientation of "{link.name}" at {subject}', layout.unknowns.scale
    function = KeyedFunction(("rotation", tuple(target), tuple(rows)), rotation)
    return [element(name, function, {"q": indices[None, :]}, times, unit, [1.0] * len(rows), (-half, half))]


def _independent(
    layout: Layout, contacts: Sequence[PhaseContacts], given: Mapping[str, Values], at: Moment, *, velocities: bool
) -> list[int]:
    """Return the freedoms of a pose that the contacts at a node do not determine; base first, in the order of links."""
    figure, contacts_of_phase, names = (
        layout.figure,
        contacts[at.phase],
        [point.name for point in layout.blocks[at.phase].contacts],
    )
    freedoms = [k for link in figure.links if link.name in given for k in range(figure.nv)[link.v]]
    anchored = [k for k, name in enumerate(names) if at != Moment(0, 0) and _is_anchored(layout, name, at.phase)]
    rows = [k for k in contacts_of_phase.rows if velocities or k % 3 == 2 or k // 3 in anchored]
    if not rows:
        return freedoms
    unit = np.eye(figure.nv)[freedoms]
    return independent_rows(contacts_of_phase.jacobian[rows], [([k], unit[i : i + 1]) for i, k in enumerate(freedoms)])


def _is_anchored(layout: Layout, name: str, phase: int) -> bool:
    """Return True if a point has stood since the start of the plan, and the pose at the start is complete."""
    whole = all(link.name in layout.plan.start.positions for link in layout.figure.links if not link.is_fixed)
    return whole and all(name in earlier.contacts for earlier in layout.plan.phases[: phase + 1])


def _target(layout: Layout, goal: PointTarget) -> list[Element]:
    """Return the equations of a goal of a point at a node, or at all nodes between two times."""
    point, figure = place_point(layout.figure, layout.plan.points, goal.point), layout.figure
    moments = moments_between(layout, goal.time, goal.time if goal.until is None else goal.until)
    if goal.relation == "at":
        moments = _knots(layout, moments)
    movable = movable_axes(layout.figure, point)
    axes = [k for k in range(3) if goal.place[k] is not None and movable[k]]
    target = [x for k, x in enumerate(goal.place) if x is not None and k in axes]

    def offset(x: Named) -> list[Scalar]:
        position = point.place(kinematics(figure, x["q"], [0.0] * figure.nv))
        differences = [position[k] - c for k, c in zip(axes, target, strict=True)]
        return [total(d * d for d in differences)] if goal.relation == "within" else differences

    length = layout.scales.length
    scale = [length**2] if goal.relation == "within" else [length] * len(axes)
    unit = "m2" if goal.relation == "within" else "m"
    bounds: Bounds = {
        "at": EQUATION,
        "above": (0.0, np.inf),
        "below": (-np.inf, 0.0),
        "within": (-np.inf, goal.radius**2),
    }[goal.relation]
    key = ("place", figure, point, tuple(axes), tuple(target), goal.relation == "within")
    function, name = KeyedFunction(key, offset), f'"{goal.point}" {goal.relation} its place'
    elements = _at_moments(layout, name, function, moments, "q", (scale, unit), bounds) if axes else []
    return elements + _point_velocity(layout, goal, point, moments)


def _point_velocity(layout: Layout, goal: PointTarget, point: PlacedPoint, moments: Sequence[Moment]) -> list[Element]:
    movable, figure = movable_axes(layout.figure, point), layout.figure
    axes = [k for k in range(3) if goal.velocity[k] is not None and movable[k]]
    target = [x for k, x in enumerate(goal.velocity) if x is not None and k in axes]
    if not axes:
        return []

    def excess(x: Named) -> list[Scalar]:
        velocity = kinematics(figure, x["q"], x["v"]).point_velocity(point.link, point.position)
        return [velocity[k] - c for k, c in zip(axes, target, strict=True)]

    scale = [layout.scales.length / layout.scales.time] * len(axes)
    function = KeyedFunction(("speed", figure, point, tuple(axes), tuple(target)), excess)
    return _at_moments(layout, f'the velocity of "{goal.point}"', function, moments, "qv", (scale, "m/s"), EQUATION)


@lru_cache
def movable_axes(figure: Figure, point: PlacedPoint) -> tuple[bool, ...]:
    """Return the world axes along which a point can move: all for the centre of mass, two in a planar figure."""
    if not point.link:
        return (True, True, True)
    random = np.random.default_rng(0)
    J = [point_jacobian(figure, list(random.normal(size=figure.nq)), [point], np.ones(figure.nv)) for _ in range(2)]
    sizes = np.abs(np.hstack(J)).max(axis=1)
    return tuple(bool(size > MOTION_TOLERANCE * sizes.max()) for size in sizes)


MOTION_TOLERANCE = 1e-9
"""Motion along an axis, divided by the largest motion along an axis, that counts as none because it is rounding."""


def _knots(layout: Layout, moments: Sequence[Moment]) -> list[Moment]:
    """Return the moments at ends of intervals.

    With equations at inner nodes, too, there would be more equations than remaining unknowns.
    """
    if len(moments) == 1:
        return list(moments)
    return [at for at in moments if at.node % layout.scheme.steps == 0]


def _at_moments(
    layout: Layout,
    name: str,
    function: NamedFunction,
    moments: Sequence[Moment],
    letters: str,
    outputs: tuple[list[float], str],
    bounds: Bounds,
) -> list[Element]:
    """Return one element for the nodes of each phase among the moments. outputs: their scales, and their unit."""
    elements: list[Element] = []
    for phase in sorted({at.phase for at in moments}):
        nodes = np.array([at.node for at in moments if at.phase == phase])
        inputs, times = node_inputs(layout, phase, nodes, letters), layout.guessed_times(phase)[nodes]
        goal = element(name, function, inputs, times, layout.unknowns.scale, outputs[0], bounds)
        elements.append(with_units(goal, outputs[1]))
    return elements


def _path(layout: Layout, path: PointPath) -> list[Element]:
    """Return the equations of a point on a curve: its position at each node, at a parameter that is given or chosen."""
    point, figure = place_point(layout.figure, layout.plan.points, path.point), layout.figure
    moments = _knots(layout, moments_between(layout, path.time, path.until))
    movable = movable_axes(layout.figure, point)
    times = np.array([layout.guessed_times(at.phase)[at.node] for at in moments])
    uniform = (times - times[0]) / (times[-1] - times[0])

    def offset(x: Named) -> list[Scalar]:
        position = point.place(kinematics(figure, x["q"], [0.0] * figure.nv))
        s = x["s"][0]
        target = path.curve(s) if callable(path.curve) else bezier_point(path.curve, s)
        pairs = zip(position, target, movable, strict=True)
        return [a - b for a, b, moves in pairs if moves]

    q = np.stack([layout.blocks[at.phase].q[at.node] for at in moments])
    name, scale = f'"{path.point}" on its curve', [layout.scales.length] * sum(movable)
    if path.pace == "time":
        on_curve = element(name, offset, {"q": q, "s": uniform[:, None]}, times, layout.unknowns.scale, scale, EQUATION)
        return [with_units(on_curve, "m")]
    s = layout.unknowns.add(uniform[:, None], 1.0)
    layout.unknowns.bound(s, 0.0, 1.0, "the parameter of a curve")
    layout.unknowns.bound(s[0], 0.0, 0.0, "the start of a curve")
    layout.unknowns.bound(s[-1], 1.0, 1.0, "the end of a curve")
    unit = layout.unknowns.scale
    forward: Inputs = {"s0": s[:-1], "s1": s[1:]}
    grows = element("the pace along a curve", _growth, forward, times[1:], unit, [1.0], (0.0, np.inf))
    return [with_units(element(name, offset, {"q": q, "s": s}, times, unit, scale, EQUATION), "m"), grows]


def _growth(x: Named) -> list[Scalar]:
    return [x["s1"][0] - x["s0"][0]]
