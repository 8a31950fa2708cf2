"""MuJoCo models of figures with contact and joint springs, and their states in MuJoCo's conventions."""

import xml.etree.ElementTree as xml
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.mjcf import mjcf, numbers, quaternion
from gambol.dynamics import kinematics
from gambol.figure import Figure, Springs, resolve_springs

Array = NDArray[np.float64]


def mujoco_model(figure: Figure, springs: Mapping[str, Springs], friction: float) -> Any:
    """Return MuJoCo's model of a figure whose parts are spheres, on a plane, with its joints' springs and dampers."""
    root = xml.fromstring(mjcf(figure, 1e-3))
    option = root.find("option")
    assert option is not None
    option.remove(option[0])  # the flags that disable contact and other features
    rough = {"friction": f"{friction} 0 0", "condim": "3"}
    floor = root.find("worldbody")
    assert floor is not None
    xml.SubElement(floor, "geom", rough, type="plane", size="0 0 1")
    bodies = {body.get("name"): body for body in root.iter("body")}
    for link in figure.links:
        for part in link.parts:
            place, size = numbers(part.position), numbers([part.shape.contact_points()[0].radius])
            no_self_contact = {"contype": "0", "conaffinity": "1"}  # no self-collision
            xml.SubElement(bodies[link.name], "geom", {**rough, **no_self_contact}, pos=place, size=size, mass="0")
    joints = {joint.get("name"): joint for joint in root.iter("joint")}
    for name, (spring, *_) in resolve_springs(figure, springs).items():
        given = {"stiffness": spring.stiffness, "damping": spring.damping, "springref": spring.rest}
        joints[f"{name}/0"].attrib.update({key: numbers([x]) for key, x in given.items()})
    return mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))


def mujoco_states(figure: Figure, q: Array, v: Array) -> Array:
    """Return MuJoCo's states (worlds, 1 + nq + nv) for q (nq, worlds), v (nv, worlds) of 1-dof joints and a free root.

    Without a free root, coordinates are equal. The linear root velocity comes first, in world axes; in gambol it is in
    the axes of the link.
    """
    if figure.root.joint.kind != "free":
        return np.vstack([np.zeros(q.shape[1]), q, v]).T
    mujoco_qpos: list[Array] = []
    for own, rates in zip(q.T, v.T, strict=True):
        pose = kinematics(figure, own.tolist(), [0.0] * figure.nv).poses[figure.root.index]
        turn = np.array(pose.rotation.rows, float)
        place = [*pose.position, *quaternion(turn), *own[7:]]
        mujoco_qpos.append(np.array([0.0, *place, *(turn @ rates[3:6]), *rates[:3], *rates[6:]]))
    return np.array(mujoco_qpos)
