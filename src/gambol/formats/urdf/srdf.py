"""SRDF, which MoveIt and Pinocchio read beside a URDF file: named poses, and pairs of links that never touch."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gambol.errors import GambolError, did_you_mean
from gambol.figure import JOINTS, PlacedLink
from gambol.formats.model import Model
from gambol.formats.xml_file import Element, read_xml

ROOT_JOINT = "root_joint"
"""The name of the joint of the root in Pinocchio, which files use without declaring it as a <virtual_joint>."""

QUATERNION_TOLERANCE = 1e-3
"""Largest deviation of the length of a quaternion from 1: files have a few digits; such quaternions are normalised."""


def with_srdf(model: Model, path: str | Path, pose: str | None, children: Mapping[str, str]) -> Model:
    """Return a model with the pairs of links that an SRDF file keeps apart, and with one of its poses.

    path: path of the file. pose: name of a <group_state>; those of one name are combined, and joints without a value
    stay at rest. None: the initial state of the model. children: name of the child link of each joint. Links and joints
    that the robot lacks are named in the notes. Raises GambolError for another kind of file, an unknown pose, and
    values that do not fit a joint.
    """
    robot = read_xml(path)
    if robot.tag != "robot":
        raise GambolError(f"{robot.where}: an SRDF file begins with <robot>, not with <{robot.tag}>")
    figure, unknown = model.figure, dict[str, None]()
    names = {link.name for link in figure.links}
    pairs = dict[tuple[str, str], None].fromkeys(figure.apart)
    for element in robot.find_all("disable_collisions"):
        pair = element.name("link1"), element.name("link2")
        missing = [name for name in pair if name not in names]
        unknown.update(dict.fromkeys(missing))
        if not missing and pair[0] != pair[1] and pair[::-1] not in pairs:
            pairs[pair] = None
    q = list(model.q)
    if pose is not None:
        roots = (ROOT_JOINT, *(joint.name() for joint in robot.find_all("virtual_joint")))
        links = dict.fromkeys(roots, figure.root.name) | dict(children)
        for element in _group_states(robot, pose):
            name = links.get(element.name())
            if name is None:
                unknown[element.name()] = None
            elif (link := figure.link(name)).q.stop > link.q.start:
                q[link.q.start : link.q.stop] = _coordinates(element, link)
    notes = model.notes
    if unknown:
        notes = (*notes, f"Left out of {robot.file}: links and joints that the robot lacks: {', '.join(unknown)}.")
    return replace(model, figure=replace(figure, apart=tuple(pairs)), q=tuple(q), notes=notes)


def _group_states(robot: Element, pose: str) -> list[Element]:
    """Return the joint elements of a pose. Raises GambolError for an unknown pose."""
    states = robot.find_all("group_state")
    if not any(state.name() == pose for state in states):
        names = dict.fromkeys(state.name() for state in states)
        raise GambolError(f'{robot.file} has no <group_state> "{pose}"; {did_you_mean(pose, names)}')
    return [joint for state in states if state.name() == pose for joint in state.find_all("joint")]


def _coordinates(joint: Element, link: PlacedLink) -> list[float]:
    """Return the coordinates of a link's joint from the values of an SRDF file.

    In SRDF a quaternion is (x, y, z, w), and the position of a free joint precedes its quaternion.
    """
    count = link.q.stop - link.q.start
    values = joint.numbers("value", (0.0,) * count)
    if not JOINTS[link.joint.kind].has_quaternion:
        return list(values)
    *position, x, y, z, w = values
    length = math.hypot(x, y, z, w)
    if abs(length - 1.0) > QUATERNION_TOLERANCE:
        raise GambolError(f'{joint.where}: the quaternion of "{joint.name()}" has length {length:g}; it must be 1')
    return [*(c / length for c in (w, x, y, z)), *position]
