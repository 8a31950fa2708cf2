"""Masses, joints and motors as MJCF elements; positions and rotations as attributes."""

import math
from collections.abc import Sequence

import numpy as np

from gambol.figure import JointSpring, MassProperties, Matrix3, Triple
from gambol.figure.rotation import matrix
from gambol.formats.export_report import UNLIMITED, ExportReport
from gambol.formats.mjcf.writing.bodies import MujocoJoint
from gambol.formats.model import Motor
from gambol.formats.motor_law import MotorLaw
from gambol.formats.xml_file import Element, numbers_text
from gambol.spatial import Quaternion, Rotation

MIN_FULL_MOMENT = 1e-14  # kg m2: MuJoCo accepts no moment below 1e-15, nor a full inertia near that

MOMENT_TOLERANCE = 1e-9
"""Relative difference of the larger two moments of a rod up to which they count as equal."""


def quaternion_text(rotation: Matrix3) -> str:
    """Return a rotation as the text of a quat attribute; empty for the identity."""
    q = Quaternion.of(Rotation(rotation)).components()
    return "" if q == (1.0, 0.0, 0.0, 0.0) else numbers_text(q)


def position_text(position: Triple) -> str:
    """Return a position as the text of a pos attribute; empty at the origin."""
    return numbers_text(position) if any(position) else ""


def inertial_element(properties: MassProperties, name: str, report: ExportReport) -> Element:
    """Return the inertial element of a link.

    A diagonal inertia is written as three moments, any other inertia as six numbers. If the smallest moment is below
    MIN_FULL_MOMENT, the inertia is written as moments about its principal axes, with the largest moment in place of the
    middle one. name: name of the link. report: receives a note if the middle moment changes by more than rounding.
    """
    I, attributes = (
        np.array(properties.inertia),
        {"pos": numbers_text(properties.com), "mass": numbers_text([properties.mass])},
    )
    moments, axes = np.linalg.eigh(I)
    if not (I - np.diag(np.diag(I))).any():
        return Element("inertial", {**attributes, "diaginertia": numbers_text(np.diag(I))})
    if moments[0] > MIN_FULL_MOMENT:
        components = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        return Element("inertial", {**attributes, "fullinertia": numbers_text(components)})
    axes = axes * np.linalg.det(axes)  # right-handed
    quaternion = quaternion_text(matrix(axes))
    smallest, middle, largest = moments.tolist()
    if abs(largest - middle) > MOMENT_TOLERANCE * largest or smallest < -MOMENT_TOLERANCE * largest:
        report.note(
            f'The principal moments of inertia of "{name}", {smallest:.6g}, {middle:.6g} and {largest:.6g} kg m2, are '
            f"written as {max(smallest, 0.0):.6g}, {largest:.6g} and {largest:.6g}: in MuJoCo the sum of two must not "
            "be less than the third."
        )
    moments[:2] = max(moments[0], 0.0), max(moments[1], moments[2])  # the larger two are equal for a rod
    return Element("inertial", {**attributes, "quat": quaternion, "diaginertia": numbers_text(moments)})


def joint_element(mj_joint: MujocoJoint, springs: Sequence[JointSpring], report: ExportReport) -> Element:
    """Return the element of a MuJoCo joint.

    mj_joint: the joint. springs: springs of the link's joint, one per spring slice, or empty. report: receives the
    properties that MuJoCo lacks.
    """
    if mj_joint.is_dependent:
        return Element("joint", {"name": mj_joint.name, "type": mj_joint.type, "axis": numbers_text(mj_joint.axis)})
    kind, rotor = mj_joint.type, mj_joint.link.joint.armature
    spring = springs[mj_joint.slice_index] if springs else JointSpring()
    _check_supported(mj_joint, springs, report)
    attributes = {"name": mj_joint.name, "type": kind}
    if kind in ("hinge", "slide"):
        attributes |= {"axis": numbers_text(mj_joint.axis), "springref": _nonzero_text(spring.rest)}
    if kind in ("hinge", "ball"):
        attributes |= {"pos": position_text(mj_joint.anchor)}
    if kind != "free":
        rotor = 0.0 if mj_joint.link.joint.kind == "planar" else rotor
        attributes |= {"armature": _nonzero_text(rotor), "stiffness": _nonzero_text(spring.stiffness)}
        if math.isfinite(spring.lower) or math.isfinite(spring.upper):
            lower = 0.0 if kind == "ball" else max(spring.lower, -UNLIMITED)
            attributes |= {"limited": "true", "range": numbers_text((lower, min(spring.upper, UNLIMITED)))}
    attributes |= {"damping": _nonzero_text(spring.damping), "frictionloss": _nonzero_text(spring.friction)}
    return Element("joint", attributes)


def _check_supported(mj_joint: MujocoJoint, springs: Sequence[JointSpring], report: ExportReport) -> None:
    """Report the spring properties of a joint that MuJoCo lacks."""
    owner, kind = f'the joint of "{mj_joint.link.name}"', mj_joint.link.joint.kind
    if any(spring.alpha and spring.beta for spring in springs):
        report.omit("exponential springs", owner)
    if any(spring.bias for spring in springs):
        report.omit("biases", owner)
    if kind in ("free", "planar") and mj_joint.link.joint.armature:
        report.omit("rotors", owner)
    # a free joint has one damping in MuJoCo; a planar joint's slides move along other axes there than here
    matching_springs = springs[1:] if kind == "planar" else springs if kind == "free" else ()
    disagree = len({(spring.damping, spring.friction) for spring in matching_springs}) > 1
    if disagree or (kind == "free" and any(spring.stiffness for spring in springs)):
        report.omit("springs", owner)


def _nonzero_text(number: float) -> str:
    return numbers_text([number]) if number else ""


def motor_element(motor: Motor) -> Element:
    """Return the actuator element of a motor."""
    bias = {"position": (-motor.gain, -motor.damping), "velocity": (0.0, -motor.gain)}
    target = {"tendon": motor.tendon} if motor.tendon else {"joint": motor.joint}
    attributes = {"name": motor.name, **target, "gear": numbers_text(motor.gear)}
    attributes |= {"gainprm": numbers_text([motor.gain])} if motor.law is None else _law_attributes(motor.law)
    if motor.kind in bias:
        attributes |= {"biastype": "affine", "biasprm": numbers_text((0.0, *bias[motor.kind]))}
    for name, low, high in (("ctrl", motor.lower, motor.upper), ("force", motor.weakest, motor.strongest)):
        if math.isfinite(low) or math.isfinite(high):
            attributes |= {f"{name}range": numbers_text((max(low, -UNLIMITED), min(high, UNLIMITED)))}
    return Element("general", attributes)


def _law_attributes(law: MotorLaw) -> dict[str, str]:
    """Return the attributes of a motor law. A muscle has its peak force, and MuJoCo's default scale without effect."""

    def parameters(kind: str, numbers: Sequence[float]) -> str:
        return numbers_text((*numbers[:3], UNUSED_SCALE, *numbers[3:]) if kind == "muscle" else numbers)

    attributes = {"dyntype": law.dynamics, "gaintype": law.gain, "biastype": law.bias}
    attributes |= {"gainprm": parameters(law.gain, law.gain_parameters)}
    attributes |= {"dynprm": numbers_text(law.time_constants)} if law.time_constants else {}
    attributes |= {"biasprm": parameters(law.bias, law.bias_parameters)} if law.bias_parameters else {}
    if law.shortest < law.longest:
        attributes |= {"lengthrange": numbers_text((law.shortest, law.longest))}
    if math.isfinite(law.lowest) or math.isfinite(law.highest):
        ends = numbers_text((max(law.lowest, -UNLIMITED), min(law.highest, UNLIMITED)))
        attributes |= {"actlimited": "true", "actrange": ends}
    return attributes


UNUSED_SCALE = 200.0
"""MuJoCo's default scale of muscles without a given force [N]."""
