"""The sensors of a compiled MJCF model, as entries with the kinds of gambol.sensing.

[MuJoCo documentation, XML reference, "sensor"]
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.figure import Matrix3, Triple, rotated
from gambol.figure.rotation import triple
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.geoms import PRIMITIVES
from gambol.formats.mjcf.motors import JOINT_TRANSMISSIONS
from gambol.formats.mjcf.tree import HINGE, SLIDE, Names, rotation_of
from gambol.formats.sensor_entry import SensorEntry

Options = dict[str, Any]

RANGE = 100.0
"""Reach of a range finder without a cutoff [m]."""

POSES = {"body": "body_i", "xbody": "", "geom": "geom_", "site": "site_", "camera": "cam_"}
"""Prefix of the names of the arrays with the poses of objects in their bodies, by kind; "xbody" is the body's frame."""


@dataclass(frozen=True)
class MjcfSensor:
    """A sensor of a compiled model, with the inputs of its reader."""

    mjcf: CompiledMjcf
    names: Names
    number: int

    def value(self, field: str) -> int:
        """Return an integer of the sensor by the name of its array, such as "objid"."""
        return int(getattr(self.mjcf.model, f"sensor_{field}")[self.number])

    def object_kind(self, field: str) -> str:
        """Return the name of a kind of object; field: "objtype" or "reftype"."""
        return self.mjcf.kinds["object"][str(self.value(field))]

    def frame(self, kind: str, number: int) -> tuple[int, Triple, Matrix3]:
        """Return body, position in its link (or in the world), and rotation of an object's frame."""
        model, prefix = self.mjcf.model, POSES[kind]
        body = number if kind in ("body", "xbody") else int(getattr(model, f"{prefix}bodyid")[number])
        if kind == "xbody":
            return body, self.names.position_in_link(body, (0.0, 0.0, 0.0)), rotation_of((1.0, 0.0, 0.0, 0.0))
        position, quaternion = getattr(model, f"{prefix}pos")[number], getattr(model, f"{prefix}quat")[number]
        return body, self.names.position_in_link(body, position), rotation_of(quaternion)

    def mount(self) -> Options | None:
        """Return the options link, position and rotation of the sensor's object; None for a sensor in the world."""
        body, position, rotation = self.frame(self.object_kind("objtype"), self.value("objid"))
        if body == 0:
            return None
        return {"link": self.names.bodies[body], "position": position, "rotation": rotation}

    def reference(self) -> Options:
        """Return the options of the frame relative to which the sensor measures; empty for the world."""
        if self.value("refid") < 0:
            return {}
        body, position, rotation = self.frame(self.object_kind("reftype"), self.value("refid"))
        return {
            "reference": self.names.bodies[body] if body else None,
            "reference_position": position,
            "reference_rotation": rotation,
        }


Reader = Callable[[MjcfSensor], Options | None]
"""Returns the options of a sensor without its kind, or None if gambol has no such sensor."""


def _relative(sensor: MjcfSensor) -> Options | None:
    mount = sensor.mount()
    return None if mount is None else mount | sensor.reference()


def _joint(width: int) -> Reader:
    """Return the reader of a sensor of a joint. width: number of the joint's coordinates or velocities."""
    return lambda sensor: {"link": sensor.names.joints[sensor.value("objid")]} | ({"width": width} if width > 1 else {})


def _actuated_joint(sensor: MjcfSensor) -> tuple[str, float] | None:
    """Return the link and the gear of an actuator at a hinge or slide, else None."""
    model, actuator = sensor.mjcf.model, sensor.value("objid")
    joint = int(model.actuator_trnid[actuator][0])
    if int(model.actuator_trntype[actuator]) not in JOINT_TRANSMISSIONS or int(model.jnt_type[joint]) not in (
        HINGE,
        SLIDE,
    ):
        return None
    return sensor.names.joints[joint], float(model.actuator_gear[actuator][0])


def _actuator_motion(sensor: MjcfSensor) -> Options | None:
    found = _actuated_joint(sensor)
    return None if found is None else {"link": found[0], "factor": found[1]}


def _actuator_force(sensor: MjcfSensor) -> Options | None:
    """Return the options of the force of an actuator that is alone at its joint."""
    found, model = _actuated_joint(sensor), sensor.mjcf.model
    joint = model.actuator_trnid[sensor.value("objid")][0]
    at_joints = np.isin(model.actuator_trntype, JOINT_TRANSMISSIONS)
    is_alone = int(np.sum(at_joints & (model.actuator_trnid[:, 0] == joint))) == 1 and not model.ntendon
    return None if found is None or found[1] == 0.0 or not is_alone else {"link": found[0], "factor": 1.0 / found[1]}


def _touch(sensor: MjcfSensor) -> Options | None:
    mount, model, site = sensor.mount(), sensor.mjcf.model, sensor.value("objid")
    make = PRIMITIVES.get(int(model.site_type[site]))
    if mount is None or make is None:
        return None
    return mount | {"zone": make([float(x) for x in model.site_size[site]])}


def _rangefinder(sensor: MjcfSensor) -> Options | None:
    mount = sensor.mount() if sensor.object_kind("objtype") == "site" else None
    if mount is None or sensor.value("dim") != 1:
        return None
    cutoff = float(sensor.mjcf.model.sensor_cutoff[sensor.number])
    direction = rotated(mount.pop("rotation"), (0.0, 0.0, 1.0))
    return mount | {"directions": (direction,), "reach": cutoff or RANGE}


def _subtree(sensor: MjcfSensor) -> Options | None:
    body, model = sensor.value("objid"), sensor.mjcf.model
    roots = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0]
    if body == 0 and len(roots) != 1:
        return None
    return {"link": sensor.names.bodies[body or roots[0]]}


def _magnetometer(sensor: MjcfSensor) -> Options | None:
    mount = sensor.mount()
    return None if mount is None else mount | {"field": triple(sensor.mjcf.model.opt.magnetic)}


def _of_link(sensor: MjcfSensor) -> Options | None:
    return sensor.mount()


READERS: dict[str, tuple[str, Reader, Options]] = {
    "accelerometer": ("accelerometer", _of_link, {}),
    "gyro": ("gyro", _of_link, {}),
    "velocimeter": ("velocimeter", _of_link, {}),
    "force": ("force_torque", _of_link, {"parts": ("force",)}),
    "torque": ("force_torque", _of_link, {"parts": ("torque",)}),
    "touch": ("touch", _touch, {}),
    "rangefinder": ("rangefinder", _rangefinder, {}),
    "jointpos": ("joint_position", _joint(1), {}),
    "jointvel": ("joint_velocity", _joint(1), {}),
    "ballquat": ("joint_position", _joint(4), {}),
    "ballangvel": ("joint_velocity", _joint(3), {}),
    "jointactfrc": ("joint_torque", _joint(1), {}),
    "actuatorpos": ("joint_position", _actuator_motion, {}),
    "actuatorvel": ("joint_velocity", _actuator_motion, {}),
    "actuatorfrc": ("joint_torque", _actuator_force, {}),
    "framepos": ("frame_position", _relative, {}),
    "framequat": ("frame_orientation", _relative, {}),
    "framexaxis": ("frame_axis", _relative, {"axis": "x"}),
    "frameyaxis": ("frame_axis", _relative, {"axis": "y"}),
    "framezaxis": ("frame_axis", _relative, {"axis": "z"}),
    "framelinvel": ("frame_velocity", _relative, {}),
    "frameangvel": ("frame_angular_velocity", _relative, {}),
    "framelinacc": ("frame_acceleration", _of_link, {}),
    "frameangacc": ("frame_angular_acceleration", _of_link, {}),
    "subtreecom": ("centre_of_mass", _subtree, {}),
    "subtreelinvel": ("centre_velocity", _subtree, {}),
    "subtreeangmom": ("angular_momentum", _subtree, {}),
    "e_potential": ("energy", lambda sensor: {}, {"parts": ("potential",)}),
    "e_kinetic": ("energy", lambda sensor: {}, {"parts": ("kinetic",)}),
    "clock": ("clock", lambda sensor: {}, {}),
    "magnetometer": ("magnetometer", _magnetometer, {}),
}
"""For each kind of MuJoCo: the kind in gambol.sensing, the reader of its options, and further options."""


def sensors_of(mjcf: CompiledMjcf, names: Names, notes: set[str]) -> tuple[SensorEntry, ...]:
    """Return the sensors of a model that gambol supports. notes: receives sentences on all other sensors."""
    entries: list[SensorEntry] = []
    used: set[str] = set()
    for number in range(mjcf.model.nsensor):
        kind = mjcf.kinds["sensor"][str(int(mjcf.model.sensor_type[number]))]
        name = mjcf.name("sensor", number) or f"{kind} {number}"
        while name in used:
            name += "'"
        used.add(name)
        gambol_kind, reader, more = READERS.get(kind, ("", lambda sensor: None, {}))
        options = reader(MjcfSensor(mjcf, names, number))
        if options is None:
            notes.add(f'Left out: sensor "{name}" ({kind}), which gambol does not have.')
            continue
        entries.append(SensorEntry(name, gambol_kind, options | more | _sampling(mjcf.model, number, gambol_kind)))
    return tuple(entries)


def _sampling(model: Any, number: int, kind: str) -> Options:
    """Return noise, delay, rate and cutoff of a sensor, if it has any; kind: its kind in gambol.sensing."""
    noise, cutoff = float(model.sensor_noise[number]), float(model.sensor_cutoff[number])
    options = {"noise": noise} if noise > 0.0 else {}
    if cutoff > 0.0 and kind != "rangefinder":  # the cutoff of a rangefinder is its reach
        options["cutoff"] = cutoff
    if hasattr(model, "sensor_delay"):  # older releases lack it
        delay, period = float(model.sensor_delay[number]), float(model.sensor_interval[number][0])
        options |= {"delay": delay} if delay > 0.0 else {}
        options |= {"rate": 1.0 / period} if period > 0.0 else {}
    return options
