"""Joints of a stage that close loops, as closures, and joints that follow others, as couplings."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Closure, Constraint, Coupling
from gambol.figure.rotation import snapped, triple
from gambol.formats.usd.joints import Freedom, StageJoint
from gambol.formats.usd.links import LinkFreedom
from gambol.formats.usd.stage import Z_TO, Array, Stage, inverse

LinkFrames: TypeAlias = Mapping[str, tuple[str, Array]]
"""By the path of a body: the name of its link, and the pose of the link's frame in the world."""

FEATURE = "joints"
"""The name by which joints that gambol lacks can be left out."""


def closures_of(
    stage: Stage,
    joints: Iterable[StageJoint],
    frames: LinkFrames,
    leave_out: bool,
    notes: set[str],
) -> tuple[Constraint, ...]:
    """Return the closures of the joints that close loops.

    frames: frames of the links. leave_out: True to leave out joints for which gambol has no closure; otherwise they
    raise GambolError. notes: receives sentences.
    """
    closures: list[Constraint] = []
    for joint in joints:
        kind, axis = _kind(joint)
        if not kind:
            if not leave_out:
                raise GambolError(
                    f'{stage.file}: joint "{joint.path}" closes a loop, or bounds a distance, in a way that gambol '
                    f"does not simulate; leave_out=['{FEATURE}'] reads the file without it"
                )
            notes.add(f'Left out: joint "{joint.path}", which closes a loop or bounds a distance.')
            continue
        if joint.prim["drives"] or any(_is_limited(freedom) for freedom in joint.freedoms):
            notes.add("Left out: limits, dampers and drives of joints that close loops.")
        closures.append(_closure(stage, joint, kind, axis, frames))
    return tuple(closures)


def _kind(joint: StageJoint) -> tuple[str, int]:
    """Return the kind of closure of a joint, empty for none, and the number of its axis."""
    if joint.is_distance:
        minimum, maximum = (float(joint.prim.get(name, -1.0)) for name in ("minDistance", "maxDistance"))
        return ("distance" if minimum == maximum > 0.0 else "", 2)
    slides = [f.axis for f in joint.freedoms if f.kind == "prismatic"]
    turns = [f.axis for f in joint.freedoms if f.kind == "revolute"]
    ball = len(turns) == 3 or any(f.kind == "spherical" for f in joint.freedoms)
    if ball and len(slides) == 2:
        return "plane", 3 - sum(slides)
    if ball:
        return ("" if slides else "point", 2)
    if len(turns) > 1 or len(slides) > 1 or (turns and slides and turns != slides):
        return "", 2
    axis = (turns + slides or [2])[0]
    return {(0, 0): "weld", (1, 0): "hinge", (0, 1): "slider", (1, 1): "cylinder"}[len(turns), len(slides)], axis


def _is_limited(freedom: Freedom) -> bool:
    spring = freedom.spring
    return bool(spring.damping or spring.friction) or math.isfinite(spring.lower) or math.isfinite(spring.upper)


def _closure(stage: Stage, joint: StageJoint, kind: str, axis: int, frames: LinkFrames) -> Closure:
    """Return a joint as a closure; its second body is `link` if it moves, else its first body."""
    sides = (1, 0) if joint.bodies[1] else (0, 1)
    align = np.eye(4)
    align[:3, :3] = tuple(Z_TO.values())[axis]
    poses: list[Array] = []
    names: list[str | None] = []
    for side in sides:
        name, X_WL = frames[joint.bodies[side]] if joint.bodies[side] else (None, np.eye(4))
        names.append(name)
        poses.append(inverse(X_WL) @ joint.frames[side] @ align)
    assert names[0] is not None  # a joint without moving bodies closes no loop
    length = float(joint.prim.get("maxDistance", 0.0)) * stage.units.length if kind == "distance" else 0.0
    frame, other_frame = ((triple(X[:3, 3]), snapped(X[:3, :3])) for X in poses)
    return Closure(kind, names[0], names[1], *frame, *other_frame, length)


def mimics_of(stage: Stage, link_freedoms: Sequence[LinkFreedom], notes: set[str]) -> tuple[Coupling, ...]:
    """Return the couplings of joints that follow others (NewtonMimicAPI). notes: receives sentences."""
    by_path = {entry.joint.path: entry for entry in link_freedoms if len(entry.joint.freedoms) == 1}
    couplings: list[Coupling] = []
    for entry in link_freedoms:
        if "mimic" not in entry.joint.prim:
            continue
        leader_path, c0, c1 = entry.joint.prim["mimic"]
        leader = by_path.get(leader_path)
        if leader is None or entry.joint.path not in by_path:
            notes.add("Left out: couplings (mimic) of joints that do not both have one freedom.")
            continue
        unit, leader_unit = (_unit(stage, each.freedom) for each in (entry, leader))
        couplings.append(Coupling(entry.link, leader.link, (c0 * unit, c1 * unit / leader_unit)))
    return tuple(couplings)


def _unit(stage: Stage, freedom: Freedom) -> float:
    """Return the unit of a freedom's coordinate in the file [rad or m]."""
    return stage.units.length if freedom.kind == "prismatic" else math.pi / 180.0
