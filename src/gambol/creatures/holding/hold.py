"""Models that hold a pose: their motors become servos, and they stand on the ground."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from gambol.actuation import actuators_of, commands_of, spring_tendons_of
from gambol.control import ConstantLaw, FeedbackController
from gambol.creatures.holding.gains import hold_gains
from gambol.creatures.holding.pose import balanced_pose, legs_of
from gambol.creatures.holding.strength import note_on_weak_motors, pose_torques
from gambol.creatures.holding.support import Support, support_of
from gambol.creatures.initial_configuration import clamp_to_limits, close_loops, lifted
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS, JointSpring
from gambol.figure.parameters import extent
from gambol.formats import Model, Motor
from gambol.formats.model import Hold

Gains: TypeAlias = tuple[float, float]
"""Stiffness and damping of a servo [N m/rad, N m s/rad, or N/m, N s/m]."""

MIN_KEPT_MARGIN = 0.5
"""A zero position is used if its stability margin is at least this fraction of the margin of a centre of mass above the
middle of the feet: then the figure withstands pushes in its weakest direction that are at least half as strong.
"""

FREE_RANGE = math.pi
"""Largest distance from 0 of the targets of a joint without limits [rad or m]."""


@dataclass(frozen=True)
class HeldModel:
    """A model that holds a pose. model: the model with the pose as its initial state, and a ground if its base is free.

    controller: a controller with a servo for each joint that has a motor. gains: gains of the servos, by the names of
    the motors. notes: sentences on the pose and the servos.
    """

    model: Model
    controller: FeedbackController
    gains: Mapping[str, Gains]
    notes: tuple[str, ...]


def held_model(model: Model, hold: Hold = True) -> HeldModel:
    """Return a model that holds a pose by servos at the joints of its motors.

    The pose is given by the file: the key frame "home" of MJCF, or an initial state. If the zero position of a model is
    hardly stable, the pose is the nearest one within limits that has the centre of mass above the middle of the feet. A
    free base is put on the plane z = 0. hold: see Hold; gains that are not given are taken from the file's position
    motors, or computed from the masses, see gains.py. Limits of the file's motors are kept. Joints of a model without
    motors get servos without limits. Motors that cannot hold a joint, such as muscles, have a control of 0. Raises
    WorldError for unknown names, impossible gains, and a model without any joint to hold.
    """
    motors = _possible_motors(model) if model.motors else _motors_of_joints(model)
    held = _held_joints(motors)
    if not held:
        raise WorldError(
            f'"{model.figure.name}" has no joint to hold: none of its motors turns a joint of one coordinate'
        )
    posed, support, pose_note = _posed(model, list(held))
    given = _given_gains(hold, [motor.name for motor in held.values()])
    computed = hold_gains(posed.figure, list(posed.q), support.size, support.links if _is_free(model) else ())
    gains = {
        motor.name: given.get(motor.name, computed[joint])
        for joint, motor in held.items()
        if motor.name in given or motor.kind != "position"
    }
    driven = replace(posed, motors=motors)
    actuators = actuators_of(driven, unlimited=_bound(driven), gains=gains)
    commands = commands_of(driven, {})
    commands |= {motor.name: driven.q[driven.figure.link(joint).q.start] for joint, motor in held.items()}
    law = ConstantLaw(tuple(commands[name] for name in actuators))
    controller = FeedbackController(law, {**actuators, **spring_tendons_of(driven)})
    torques = pose_torques(support, np.array(posed.q), list(held), math.hypot(*model.gravity), free=_is_free(model))
    strengths = {j: (m.name, float(getattr(actuators[m.name], "strength", math.inf))) for j, m in held.items()}
    weak = note_on_weak_motors(torques, strengths)
    notes = (pose_note, *_notes(model, held, gains), *([weak] if weak else []))
    return HeldModel(posed, controller, gains, notes)


def _is_free(model: Model) -> bool:
    return not model.figure.prescribed and any(root.joint.kind == "free" for root in model.figure.roots)


def _possible_motors(model: Model) -> tuple[Motor, ...]:
    """Return the motors that can become actuators."""
    return tuple(m for m in model.motors if m.kind != "other" and len(m.gear) == 1 and m.gear[0] != 0.0)


def _held_joints(motors: Sequence[Motor]) -> dict[str, Motor]:
    """Return the motor that holds each joint, in the order of the file: a position motor, or else the first one."""
    held: dict[str, Motor] = {}
    for motor in filter(_can_hold, motors):
        if motor.joint not in held or (motor.kind == "position" and held[motor.joint].kind != "position"):
            held[motor.joint] = motor
    return held


def _can_hold(motor: Motor) -> bool:
    """True for a torque, position or velocity motor at a joint."""
    return motor.law is None and not motor.tendon


def _motors_of_joints(model: Model) -> tuple[Motor, ...]:
    """Return a motor without limits for each joint with one degree of freedom, by the name of its link."""
    links = (link for link in model.figure.links if link.v.stop - link.v.start == 1)
    return tuple(Motor(link.name, link.name) for link in links)


def _bound(model: Model) -> float:
    """Return a bound of commands without limits that includes the pose."""
    return max((abs(x) for x in model.q), default=0.0) + FREE_RANGE


def _given_gains(hold: Hold, names: Sequence[str]) -> dict[str, Gains]:
    """Return the given gains by the names of motors. Raises WorldError for unknown names and wrong numbers."""
    if isinstance(hold, bool):
        return {}
    pairs = dict(hold) if isinstance(hold, Mapping) else dict.fromkeys(names, hold)
    for name, pair in pairs.items():
        if name not in names:
            raise WorldError(f'no motor "{name}" holds a joint; {did_you_mean(name, names)}')
        if len(pair) != 2 or not (0.0 < pair[0] < math.inf and 0.0 <= pair[1] < math.inf):
            raise WorldError(
                f'the gains of "{name}" are {tuple(pair)}; give a stiffness of more than 0 and a damping of 0 or more'
            )
    return {name: (float(pair[0]), float(pair[1])) for name, pair in pairs.items()}


def _posed(model: Model, joints: Sequence[str]) -> tuple[Model, Support, str]:
    """Return a model with a pose to hold as its initial state, its feet, and a note. joints: joints that are held."""
    figure, q = model.figure, list(model.q)
    for _ in clamp_to_limits(model, q):
        pass
    if figure.constraints:
        q = close_loops(figure, q)
    support = support_of(figure, np.array(q), extent(figure))
    if not _is_free(model):
        return replace(model, q=tuple(q), v=()), support, "It holds the pose of its file."
    angles = [x for link in figure.links if JOINTS[link.joint.kind].nq == 1 for x in model.q[link.q]]
    has_pose = any(angles)
    note = f"It holds the pose of its file{'' if has_pose else ', in which all joints are at 0 or at their limits'}."
    if support.feet and not has_pose and not figure.constraints and not _stands(support, np.array(q)):
        legs = [name for name in joints if name in legs_of(figure, support.links)]
        found = balanced_pose(support, np.array(q), legs, [_limits(model, name) for name in legs])
        if found is None:
            note = "It holds the pose of its file, since no pose was found in which it is balanced on its feet."
        else:
            moved = float(np.abs(found - np.array(q)).max())
            q, support = found.tolist(), support_of(figure, found, support.size)
            note = (
                "The file has no pose. It holds the nearest one to zero in which its centre of mass is above the "
                f"middle of its feet ({', '.join(support.links)}); joints moved by up to {moved:.2g} rad or m."
            )
    lowest = min((points[:, 2].min() for points in support.points(np.array(q))), default=0.0)
    return replace(model, q=tuple(lifted(figure, q, -lowest)), v=(), ground=True), support, note


def _stands(support: Support, q: np.ndarray) -> bool:
    """True if the stability margin of a figure at q (nq,) is large enough, see MIN_KEPT_MARGIN."""
    best = support.best_margin(q)
    return best > 0.0 and support.margin(q) >= MIN_KEPT_MARGIN * best


def _limits(model: Model, name: str) -> tuple[float, float]:
    """Return the limits of a joint with one coordinate, by the name of its link."""
    springs = model.springs.get(name, JointSpring())
    spring = springs[0] if isinstance(springs, tuple) else springs
    return spring.lower, spring.upper


def _notes(model: Model, held: Mapping[str, Motor], gains: Mapping[str, Gains]) -> list[str]:
    """Return sentences on the servos. held: motors by joint. gains: gains that replace those of the file."""
    notes: list[str] = []
    if gains:
        k, c = ([pair[i] for pair in gains.values()] for i in (0, 1))
        notes.append(
            f"Servos hold {len(gains)} joints, with a stiffness of {min(k):.3g} to {max(k):.3g} N m/rad and a damping "
            f"of {min(c):.3g} to {max(c):.3g} N m s/rad (or N/m and N s/m)."
        )
    if own := [motor.name for motor in held.values() if motor.name not in gains]:
        notes.append(f"Position motors keep the gains of the file: {', '.join(own)}.")
    if not model.motors:
        notes.append("The file has no motors, so the servos have no limits.")
    if others := [motor.name for motor in model.motors if motor not in held.values()]:
        notes.append(f"These motors do not hold a joint: {', '.join(others)}.")
    return notes
