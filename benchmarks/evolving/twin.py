"""A grown creature in MuJoCo: its balls on a plane, or afloat, its joints' dampers and stops, and servos.

Servos have no limit of power in MuJoCo, so the compared creatures have none here either. What a controller asks for
between its decisions goes straight from target to target, step by step.
"""

import xml.etree.ElementTree as xml
from typing import Any

import mujoco
import numpy as np
from mujoco import rollout
from numpy.typing import NDArray

from benchmarks.contact.twin import full_states
from benchmarks.mjcf import mjcf, numbers
from gambol.control import Drive, Senses
from gambol.evolve.genotype import Grown, Litter
from gambol.evolve.tasks import Task

Array = NDArray[np.float64]
NATIVE_ROLLOUT: Any = rollout.rollout


def twin_of(creature: Grown, task: Task, step: float) -> Any:
    """MuJoCo's model of a creature on a task's ground or in its medium. step [s]."""
    root = xml.fromstring(mjcf(creature.figure, step))
    option = root.find("option")
    assert option is not None
    option.remove(option[0])  # the flags that switch off what an airborne figure has none of
    option.set("integrator", "implicitfast")
    if task.medium:
        option.attrib |= {"gravity": "0 0 0"} | {name: repr(x) for name, x in task.medium.numbers().items()}
    else:
        _stand(root, creature, task.friction)
    _drive(root, creature)
    return mujoco.MjModel.from_xml_string(xml.tostring(root, encoding="unicode"))


def _stand(root: Any, creature: Grown, friction: float) -> None:
    """Give the world a floor, and the creature balls that touch it."""
    rough = {"friction": f"{friction} 0 0", "condim": "3"}
    xml.SubElement(root.find("worldbody"), "geom", rough, type="plane", size="0 0 1")
    bodies = {body.get("name"): body for body in root.iter("body")}
    for link in creature.figure.links:
        for point in link.contact_points():
            ball = {"contype": "0", "conaffinity": "1", "mass": "0", "size": numbers([point.radius])}
            xml.SubElement(bodies[link.name], "geom", {**rough, **ball}, pos=numbers(point.position))


def _drive(root: Any, creature: Grown) -> None:
    """Give the joints their dampers, stops and servos."""
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


def targets_of(litter: Litter, task: Task, frames: int) -> Array:
    """Where targets are when frames begin and end (frames + 1, W, actuators) [rad or m]."""
    drive = Drive(litter.first.pattern, litter.first.actuators)
    given = {"pattern": litter.control, "actuators": litter.servos}
    memory, found = drive.memory(), list[Array]()
    for frame in range(frames):
        memory = drive.decide(given, memory, Senses(frame * task.frame), task.frame)
        found += [] if found else [_row(memory.targets, litter.count)]
        memory = drive.advanced(memory, task.frame)
        found.append(_row(memory.targets, litter.count))
    return np.array(found)


def _row(values: Any, count: int) -> Array:
    return np.stack([np.broadcast_to(x, count) for x in values], axis=-1).astype(float)


class Theirs:
    """Creatures of a litter in MuJoCo, about to live for a number of frames, on so many threads."""

    def __init__(self, litter: Litter, task: Task, step: float, frames: int, threads: int) -> None:
        self.model = twin_of(litter.first, task, step)
        self.data: list[Any] = [mujoco.MjData(self.model) for _ in range(threads)]
        figure = litter.first.figure
        self.start = full_states(figure, litter.q.T, np.zeros((figure.nv, litter.count)))
        ends, often = targets_of(litter, task, frames), round(task.frame / step)
        parts = (np.arange(often) + 1.0)[:, None, None] / often
        between = ends[:-1, None] + parts * (ends[1:] - ends[:-1])[:, None]  # frames, steps, W, actuators
        self.control = np.ascontiguousarray(np.moveaxis(between.reshape(frames * often, *ends.shape[1:]), 1, 0))

    def run(self) -> Array:
        """States (W, steps, ...) by the native rollout on all threads."""
        return NATIVE_ROLLOUT(self.model, self.data, self.start, self.control)[0]

    def ends(self) -> Array:
        """Where trunks end (W, 3) [m]."""
        return np.array(self.run()[:, -1, 1:4], float)
