"""Strokes of legs: the changes of motor targets for a turn, a walk sideways or a leaning trunk.

While a leg stands, its foot moves backward relative to the trunk. With a lateral velocity v_y of the trunk and a rate
of turn w, a foot at r from the centre of mass also moves by -(v_y y + w z x r) T in a stance of T; half of this
displacement is before the middle of the stroke, half after it. The changes of the joints follow from the leg's Jacobian
in the middle of its stroke:

    dq = J^+ dp        at the end of a step dp = +1/2 (v_y y + w z x r) T, at the end of a stance the opposite

J^+ is the pseudoinverse: the smallest changes of angles. A trunk that leans by phi about x needs dp = phi x x r. After
the loss of a leg other feet are placed elsewhere, by a constant dp, see moved_feet().
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact.generation.ground_points import ground_points
from gambol.dynamics import Kinematics, centre_of_mass, kinematics
from gambol.figure import JOINTS, Figure
from gambol.gait.leg import Leg, MotorCommand
from gambol.lanes import Scalar, jacobian
from gambol.spatial import Vector

Array = NDArray[np.float64]

SINGULARITY_TOLERANCE = 0.05
"""Singular values of a leg's Jacobian below this fraction of the largest one count as 0: the leg cannot move its foot
in that direction, and would only bend."""


@dataclass(frozen=True, slots=True)
class CommandChange:
    """Changes of the target of one motor command.

    stroke: distance of the target from the middle of its joint's stroke [rad], which is the change if the length of the
    stroke doubles. sideways [rad/m], turn [rad/rad]: change per distance and per angle by which the trunk moves in a
    stance. lean [rad/rad]: change per angle of the trunk about its x axis. Commands that end in the middle of a step,
    where the foot is in the air, have changes for a lean only.
    """

    stroke: float
    sideways: float
    turn: float
    lean: float


Changes = dict[str, tuple[tuple[CommandChange, ...], ...]]
"""For each program, "step" and "stance", the changes of each command of each leg."""


def command_changes(figure: Figure, legs: Sequence[Leg], rest: Mapping[str, float]) -> Changes:
    """Return the changes of all commands of some legs.

    figure: a figure with a free root; its x axis is forward, its y axis left. rest: rest angles of joints by link name
    [rad]; others are 0. Joints that only one of a leg's programs moves do not change.
    """
    q = _coordinates(figure, {**rest, **_middles(legs)})
    centre = np.array([float(x) for x in centre_of_mass(kinematics(figure, q, [0.0] * figure.nv))])
    per_leg = [_leg_changes(figure, leg, q, centre) for leg in legs]
    return {program: tuple(changes[program] for changes in per_leg) for program in ("step", "stance")}


def moved_feet(
    figure: Figure, legs: Sequence[Leg], rest: Mapping[str, float], moves: Mapping[str, tuple[float, float, float]]
) -> tuple[Leg, ...]:
    """Return legs whose motor programs place their feet elsewhere relative to the trunk: dq = J^+ dp for all targets.

    figure, rest: as for command_changes(). moves: displacements in the axes of the root, by name of the leg [m].
    """
    q = _coordinates(figure, {**rest, **_middles(legs)})

    def moved(leg: Leg) -> Leg:
        if leg.name not in moves:
            return leg
        joints = list(_strokes(leg))
        _, columns = foot_jacobian(figure, leg, q, joints)
        turns = np.linalg.pinv(columns, rcond=SINGULARITY_TOLERANCE) @ np.array(moves[leg.name])
        by_joint = {joint: float(turn) for joint, turn in zip(joints, turns, strict=True)}
        step, stance = (
            tuple(replace(c, target=c.target + by_joint.get(c.joint, 0.0)) for c in program)
            for program in (leg.step, leg.stance)
        )
        return replace(leg, step=step, stance=stance)

    return tuple(map(moved, legs))


def _leg_changes(figure: Figure, leg: Leg, q: list[float], centre: Array) -> dict[str, tuple[CommandChange, ...]]:
    strokes = _strokes(leg)
    joints = list(strokes)
    foot, columns = foot_jacobian(figure, leg, q, joints)
    x, y, z = foot - centre
    desired = np.array([[0.0, 1.0, 0.0], [-y, x, 0.0], [0.0, -z, y]]).T  # of sideways, turn, lean
    joint_changes = np.linalg.pinv(columns, rcond=SINGULARITY_TOLERANCE) @ desired  # (joints, 3)
    at_end = {joint: joint_changes[k] for k, joint in enumerate(joints)}

    def change(program: str, command: MotorCommand, last: bool) -> CommandChange:
        if command.joint not in at_end:
            return CommandChange(0.0, 0.0, 0.0, 0.0)
        landing, lifting = strokes[command.joint]
        middle, (sideways, turn, lean) = 0.5 * (landing + lifting), at_end[command.joint]
        if not last and program == "step":  # the foot is in the air, half-way between the ends of the stroke
            return CommandChange(0.0, 0.0, 0.0, float(lean))
        passed = 1.0 if last else command.begins + command.lasts  # of the stance
        half = 0.5 if program == "step" else 0.5 - passed
        stroke = (landing if program == "step" else landing + passed * (lifting - landing)) - middle
        return CommandChange(float(stroke), float(half * sideways), float(half * turn), float(lean))

    return {
        program: tuple(
            change(program, c, all(later.joint != c.joint for later in commands[i + 1 :]))
            for i, c in enumerate(commands)
        )
        for program, commands in (("step", leg.step), ("stance", leg.stance))
    }


def foot_jacobian(figure: Figure, leg: Leg, q: Sequence[float], joints: Sequence[str]) -> tuple[Array, Array]:
    """Return the position of a leg's foot (3,) [m], and its Jacobian (3, n) for the joints of some links.

    q: coordinates of the figure. The foot's point is its lowest contact point at q.
    """
    link = figure.link(leg.foot)
    pose = kinematics(figure, list(q), [0.0] * figure.nv).poses[link.index]
    points = [point for point, _ in ground_points(link)] or [Vector(0.0, 0.0, 0.0)]
    lowest = min(points, key=lambda point: float((pose @ point).z))
    indices = [figure.link(joint).q.start for joint in joints]

    def position(angles: list[Scalar]) -> list[Scalar]:
        moved: list[Scalar] = list(q)
        for index, angle in zip(indices, angles, strict=True):
            moved[index] = angle
        state: Kinematics = kinematics(figure, moved, [0.0] * figure.nv)
        return list(state.point_position(link.index, lowest))

    value, rows = jacobian(position, [q[index] for index in indices])
    return np.array(value, float), np.array(rows, float)


def _strokes(leg: Leg) -> dict[str, tuple[float, float]]:
    """Return the targets at the end of the step and of the stance of each joint that both programs move [rad]."""
    ends: list[dict[str, float]] = [{c.joint: c.target for c in program} for program in (leg.step, leg.stance)]
    return {joint: (ends[0][joint], ends[1][joint]) for joint in ends[0] if joint in ends[1]}


def _middles(legs: Sequence[Leg]) -> dict[str, float]:
    """Return the angle in the middle of its stroke of each joint that both programs of a leg move [rad]."""
    return {joint: 0.5 * (ends[0] + ends[1]) for leg in legs for joint, ends in _strokes(leg).items()}


def _coordinates(figure: Figure, angles: Mapping[str, float]) -> list[float]:
    """Return the coordinates of a figure with its root at rest. angles: angles of joints with one coordinate [rad]."""
    q: list[Any] = []
    for link in figure.links:
        at_rest = list(JOINTS[link.joint.kind].rest)
        q += [angles.get(link.name, at_rest[0])] if len(at_rest) == 1 else at_rest
    return [float(x) for x in q]
