"""A figure that touches, in MuJoCo: its states in that one's conventions, and the quadruped's twin with springs."""

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


def standing_twin(figure: Figure, springs: Mapping[str, Springs], friction: float) -> Any:
    """MuJoCo's model of a figure whose parts are balls, on a plane, with its joints' springs and dampers."""
    root = xml.fromstring(mjcf(figure, 1e-3))
    option = root.find("option")
    assert option is not None
    option.remove(option[0])  # the flags that switch off what an airborne figure has none of
    rough = {"friction": f"{friction} 0 0", "condim": "3"}
    floor = root.find("worldbody")
    assert floor is not None
    xml.SubElement(floor, "geom", rough, type="plane", size="0 0 1")
    bodies = {body.get("name"): body for body in root.iter("body")}
    for link in figure.links:
        for part in link.parts:
            place, size = numbers(part.position), numbers([part.shape.contact_points()[0].radius])
            apart = {"contype": "0", "conaffinity": "1"}  # from each other
            xml.SubElement(bodies[link.name], "geom", {**rough, **apart}, pos=place, size=size, mass="0")
    joints = {joint.get("name"): joint for joint in root.iter("joint")}
    for name, (spring, *_) in resolve_springs(figure, springs).items():
        given = {"stiffness": spring.stiffness, "damping": spring.damping, "springref": spring.rest}
        joints[f"{name}/0"].attrib.update({key: numbers([x]) for key, x in given.items()})
    return mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))


def full_states(figure: Figure, q: Array, v: Array) -> Array:
    """MuJoCo's states (worlds, 1 + nq + nv) of q (nq, worlds) and v (nv, worlds): a free root, then single freedoms.

    Its root's velocity lies along the world's axes and comes first, ours along the link's.
    """
    made: list[Array] = []
    for own, rates in zip(q.T, v.T, strict=True):
        pose = kinematics(figure, own.tolist(), [0.0] * figure.nv).poses[figure.root.index]
        turn = np.array(pose.rotation.rows, float)
        place = [*pose.position, *quaternion(turn), *own[7:]]
        made.append(np.array([0.0, *place, *(turn @ rates[3:6]), *rates[:3], *rates[6:]]))
    return np.array(made)
