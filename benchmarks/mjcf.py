"""A figure as MJCF, for comparisons with MuJoCo: bodies, joints and rotors only."""

import xml.etree.ElementTree as xml
from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import Figure, Joint, PlacedLink

Array = NDArray[np.float64]

UNUSED = ("constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "actuation", "sensor")
"""Features that an airborne figure does not have."""

MUJOCO_JOINTS = {
    "fixed": (),
    "revolute": (("hinge", "axis"),),
    "prismatic": (("slide", "axis"),),
    "cylindrical": (("hinge", "axis"), ("slide", "axis")),
    "universal": (("hinge", "axis"), ("hinge", "across")),
    "planar": (("slide", "across"), ("slide", "beside"), ("hinge", "axis")),
    "spherical": (("ball", "axis"),),
    "free": (("free", "axis"),),
}
"""MuJoCo's joints, with their axes, that replace each kind of joint. MuJoCo has no helical joint, and free joints only
at the root."""


def direction(joint: Joint, name: str) -> Any:
    """Return a direction of a joint in the link frame: "axis", "across", or "beside", normal to both."""
    return np.cross(joint.axis, np.array(joint.across)) if name == "beside" else getattr(joint, name)


def numbers(values: Iterable[float]) -> str:
    """Return numbers as an attribute value, to the last bit."""
    return " ".join(format(float(x), ".17g") for x in values)


def quaternion(rotation: Any) -> Array:
    """Return the quaternion (w, x, y, z) of a rotation matrix."""
    turn = np.zeros(4)
    mujoco.mju_mat2Quat(turn, np.array(rotation, float).ravel())
    return turn


def mjcf(figure: Figure, step: float, mass_scale: float = 1.0) -> str:
    """Return the figure as MJCF. step: time step [s]; mass_scale: factor of all masses."""
    root = xml.Element("mujoco")
    xml.SubElement(root, "compiler", angle="radian")
    gravity = numbers((0.0, 0.0, -STANDARD_GRAVITY))
    option = xml.SubElement(root, "option", timestep=repr(step), gravity=gravity, integrator="Euler")
    xml.SubElement(option, "flag", dict.fromkeys(UNUSED, "disable"))
    bodies = {0: xml.SubElement(root, "worldbody")}
    for link in figure.outward():
        bodies[link.index] = _body(bodies[link.parent_index], link, mass_scale)
    return xml.tostring(root, encoding="unicode")


def _body(parent: Any, link: PlacedLink, mass_scale: float) -> Any:
    joint, m = link.joint, link.mass_properties
    place = {"pos": numbers(joint.position), "quat": numbers(quaternion(joint.rotation))}
    body = xml.SubElement(parent, "body", place, name=link.name)
    I = np.array(m.inertia) * mass_scale
    full = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    xml.SubElement(body, "inertial", pos=numbers(m.com), mass=repr(m.mass * mass_scale), fullinertia=numbers(full))
    for n, (kind, along) in enumerate(MUJOCO_JOINTS[joint.kind]):
        what = {"type": kind, "axis": numbers(direction(joint, along)), "armature": repr(joint.armature * mass_scale)}
        xml.SubElement(body, "joint", what, name=f"{link.name}/{n}")
    return body
