"""Masses, joints and motors as MJCF elements, and places and rotations as their attributes."""

import math
from collections.abc import Sequence

import numpy as np

from gambol.figure import JointSpring, MassProperties, Matrix3, Triple
from gambol.figure.rotation import matrix
from gambol.formats.losses import ENDLESS, Losses
from gambol.formats.markup import Element, numbers_text
from gambol.formats.mjcf.writing.stack import Turn
from gambol.formats.specimen import Motor
from gambol.spatial import Quaternion, Rotation

SMALLEST = 1e-14  # kg m2: MuJoCo takes no moment below 1e-15, nor a full inertia near that


def quaternion_text(rotation: Matrix3) -> str:
    """A rotation as quat attribute; empty, hence left out, for none."""
    q = Quaternion.of(Rotation(rotation)).components()
    return "" if q == (1.0, 0.0, 0.0, 0.0) else numbers_text(q)


def place_text(position: Triple) -> str:
    """A position as pos attribute; empty at the origin."""
    return numbers_text(position) if any(position) else ""


def inertial(body: MassProperties) -> Element:
    """The mass of a link: moments where it is diagonal, all six numbers where it is not."""
    I, given = np.array(body.inertia), {"pos": numbers_text(body.com), "mass": numbers_text([body.mass])}
    moments, axes = np.linalg.eigh(I)
    if not (I - np.diag(np.diag(I))).any():
        return Element("inertial", {**given, "diaginertia": numbers_text(np.diag(I))})
    if moments[0] > SMALLEST:
        full = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        return Element("inertial", {**given, "fullinertia": numbers_text(full)})
    axes = axes * np.linalg.det(axes)
    quat = quaternion_text(matrix(axes))
    moments[:2] = max(moments[0], 0.0), max(moments[1], moments[2])  # a rod's are equal, but for rounding
    return Element("inertial", {**given, "quat": quat, "diaginertia": numbers_text(moments)})


def joint(turn: Turn, springs: Sequence[JointSpring], losses: Losses) -> Element:
    """One joint with its spring, damper, friction and range; springs: of all places of our joint, or none."""
    if turn.follows:
        return Element("joint", {"name": turn.name, "type": turn.type, "axis": numbers_text(turn.axis)})
    kind, rotor = turn.type, turn.link.joint.armature
    spring = springs[turn.place] if springs else JointSpring()
    _check(turn, springs, losses)
    given = {"name": turn.name, "type": kind}
    if kind in ("hinge", "slide"):
        given |= {"axis": numbers_text(turn.axis), "springref": _unless_zero(spring.rest)}
    if kind in ("hinge", "ball"):
        given |= {"pos": place_text(turn.anchor)}
    if kind != "free":
        rotor = 0.0 if turn.link.joint.kind == "planar" else rotor
        given |= {"armature": _unless_zero(rotor), "stiffness": _unless_zero(spring.stiffness)}
        if math.isfinite(spring.lower) or math.isfinite(spring.upper):
            lower = 0.0 if kind == "ball" else max(spring.lower, -ENDLESS)
            given |= {"limited": "true", "range": numbers_text((lower, min(spring.upper, ENDLESS)))}
    given |= {"damping": _unless_zero(spring.damping), "frictionloss": _unless_zero(spring.friction)}
    return Element("joint", given)


def _check(turn: Turn, springs: Sequence[JointSpring], losses: Losses) -> None:
    """Name what acts at a joint and MuJoCo lacks."""
    of, kind = f'the joint of "{turn.link.name}"', turn.link.joint.kind
    if any(spring.alpha and spring.beta for spring in springs):
        losses.lose("exponential springs", of)
    if any(spring.bias for spring in springs):
        losses.lose("biases", of)
    if kind in ("free", "planar") and turn.link.joint.armature:
        losses.lose("rotors", of)
    even = springs[1:] if kind == "planar" else springs if kind == "free" else ()
    uneven = len({(spring.damping, spring.friction) for spring in even}) > 1
    if uneven or (kind == "free" and any(spring.stiffness for spring in springs)):
        losses.lose("springs", of)


def _unless_zero(number: float) -> str:
    return numbers_text([number]) if number else ""


def motor(given: Motor) -> Element:
    """An actuator of a kind that MuJoCo has."""
    gain, bias = numbers_text([given.gain]), {"position": (-given.gain, -given.damping), "velocity": (0.0, -given.gain)}
    attributes = {"name": given.name, "joint": given.joint, "gear": numbers_text(given.gear), "gainprm": gain}
    if given.kind in bias:
        attributes |= {"biastype": "affine", "biasprm": numbers_text((0.0, *bias[given.kind]))}
    for name, low, high in (("ctrl", given.lower, given.upper), ("force", given.weakest, given.strongest)):
        if math.isfinite(low) or math.isfinite(high):
            attributes |= {f"{name}range": numbers_text((max(low, -ENDLESS), min(high, ENDLESS)))}
    return Element("general", attributes)
