"""Creatures in MuJoCo: spheres on a plane or in a medium, with the joints' dampers, stops and servos.

Servos in MuJoCo have no power limit, so the compared creatures have none either. Between control steps, targets are
interpolated linearly, step by step.
"""

import xml.etree.ElementTree as xml
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout
from numpy.typing import NDArray

from benchmarks.contact.mujoco_model import mujoco_states
from benchmarks.mjcf import mjcf, numbers
from gambol.control import Drive, Senses
from gambol.evolve.genotype import Phenotype, TopologyArrays
from gambol.evolve.tasks import Task

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout


def mujoco_model(creature: Phenotype, task: Task, step: float) -> Any:
    """Return MuJoCo's model of a creature on a task's ground or in its medium. step [s]."""
    root = xml.fromstring(mjcf(creature.figure, step))
    option = root.find("option")
    assert option is not None
    option.remove(option[0])  # the flags that disable contact and other features
    option.set("integrator", "implicitfast")
    if task.medium:
        option.attrib |= {"gravity": "0 0 0"} | {name: repr(x) for name, x in task.medium.numbers().items()}
    else:
        _add_ground(root, creature, task.friction)
    _add_servos(root, creature)
    return mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))


def _add_ground(root: Any, creature: Phenotype, friction: float) -> None:
    """Add a floor, and let the creature's spheres collide with it."""
    rough = {"friction": f"{friction} 0 0", "condim": "3"}
    xml.SubElement(root.find("worldbody"), "geom", rough, type="plane", size="0 0 1")
    bodies = {body.get("name"): body for body in root.iter("body")}
    for link in creature.figure.links:
        for point in link.contact_points():
            ball = {"contype": "0", "conaffinity": "1", "mass": "0", "size": numbers([point.radius])}
            xml.SubElement(bodies[link.name], "geom", {**rough, **ball}, pos=numbers(point.position))


def _add_servos(root: Any, creature: Phenotype) -> None:
    """Add dampers, stops and servos to the joints."""
    joints = {joint.get("name"): joint for joint in root.iter("joint")}
    muscles = xml.SubElement(root, "actuator")
    for name, servo in creature.actuators.items():
        spring, joint = creature.springs[name], joints[f"{name}/0"]
        stops = {"limited": "true", "range": numbers((spring.lower, spring.upper))}
        joint.attrib.update({"damping": numbers([spring.damping]), **stops})
        numbers_of = {"kp": servo.stiffness, "kv": servo.damping}
        given = {key: numbers([x]) for key, x in numbers_of.items()}
        given["forcerange"] = numbers((-servo.strength, servo.strength))
        xml.SubElement(muscles, "position", given, joint=f"{name}/0")


def target_path(arrays: TopologyArrays, task: Task, control_steps: int) -> Array:
    """Return the targets at the ends of control steps (control_steps + 1, W, actuators) [rad or m]."""
    drive = Drive(arrays.first.pattern, arrays.first.actuators)
    given = {"pattern": arrays.control, "actuators": arrays.servos}
    memory, found = drive.memory(), list[Array]()
    for frame in range(control_steps):
        memory = drive.decide(given, memory, Senses(frame * task.frame), task.frame)
        found += [] if found else [_row(memory.targets, arrays.count)]
        memory = drive.advanced(memory, task.frame)
        found.append(_row(memory.targets, arrays.count))
    return np.array(found)


def _row(values: Any, count: int) -> Array:
    return np.stack([np.broadcast_to(x, count) for x in values], axis=-1).astype(float)


class MujocoCreatures:
    """Creatures of one topology in MuJoCo, to be simulated for a number of control steps, on several threads."""

    def __init__(self, arrays: TopologyArrays, task: Task, step: float, control_steps: int, threads: int) -> None:
        self.model = mujoco_model(arrays.first, task, step)
        self.data: list[Any] = [mujoco.MjData(self.model) for _ in range(threads)]
        figure = arrays.first.figure
        self.start = mujoco_states(figure, arrays.q.T, np.zeros((figure.nv, arrays.count)))
        ends, often = target_path(arrays, task, control_steps), round(task.frame / step)
        parts = (np.arange(often) + 1.0)[:, None, None] / often
        between = ends[:-1, None] + parts * (ends[1:] - ends[:-1])[:, None]  # control steps, steps, W, actuators
        self.control = np.ascontiguousarray(np.moveaxis(between.reshape(control_steps * often, *ends.shape[1:]), 1, 0))

    def run(self) -> Array:
        """Return states (W, steps, ...) from the native rollout on all threads."""
        return NATIVE_ROLLOUT(self.model, self.data, self.start, self.control)[0]

    def ends(self) -> Array:
        """Return the final positions of the trunks (W, 3) [m]."""
        return np.array(self.run()[:, -1, 1:4], float)
