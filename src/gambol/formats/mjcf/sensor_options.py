"""The options of the sensors of a compiled MJCF model, as gambol.sensing has them.

[MuJoCo documentation, XML reference, "sensor"]
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.figure import Figure, Matrix3, Triple, rotated
from gambol.figure.rotation import triple
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.geoms import PRIMITIVES, ground_geom, pose_of
from gambol.formats.mjcf.motors import JOINT_TRANSMISSIONS, TENDON
from gambol.formats.mjcf.tree import HINGE, SLIDE, Names, rotation_of
from gambol.formats.tendon import Tendon

Options = dict[str, Any]

RANGE = 100.0
"""Reach of a range finder without a cutoff [m]."""

POSES = {"body": "body_i", "xbody": "", "geom": "geom_", "site": "site_", "camera": "cam_"}
"""Prefix of the names of the arrays with the poses of objects in their bodies, by kind; "xbody" is the body's frame."""


@dataclass(frozen=True)
class MjcfSensor:
    """A sensor of a compiled model, with the inputs of its reader: names, figure, and tendons by number."""

    mjcf: CompiledMjcf
    names: Names
    figure: Figure
    tendons: Mapping[int, Tendon]
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


Reader = Callable[[MjcfSensor], Options | str]
"""Returns the options of a sensor without its kind, or the reason why gambol cannot read it."""

IN_WORLD, UNDRIVEN = "is fixed to the world", "acts on neither a hinge, a slide nor a tendon"
NO_ZONE = "is fixed to the world, or its site has no volume"
"""Reasons."""


def relative(sensor: MjcfSensor) -> Options | str:
    """Return the options of a sensor of a frame relative to another one."""
    mount = sensor.mount()
    return IN_WORLD if mount is None else mount | sensor.reference()


def of_joint(width: int) -> Reader:
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


def _motor_name(sensor: MjcfSensor, actuator: int) -> str:
    return sensor.mjcf.name("actuator", actuator) or f"motor{actuator + 1}"


def actuator_motion(part: str) -> Reader:
    """Return the reader of the motion of an actuator. part: "length" or "velocity", for an actuator along a tendon."""

    def read(sensor: MjcfSensor) -> Options | str:
        model, actuator = sensor.mjcf.model, sensor.value("objid")
        if int(model.actuator_trntype[actuator]) == TENDON:
            spring = f"{sensor.tendons[int(model.actuator_trnid[actuator][0])].name} spring"
            return {"kind": "path_motion", "actuator": spring, "parts": (part,), "factor": _gear(model, actuator)}
        found = _actuated_joint(sensor)
        return UNDRIVEN if found is None else {"link": found[0], "factor": found[1]}

    return read


def _gear(model: Any, actuator: int) -> float:
    return float(model.actuator_gear[actuator][0])


def actuator_force(sensor: MjcfSensor) -> Options | str:
    """Return the options of the force of an actuator before its gear: where it is alone at a joint, that of the joint.

    The force of a motor at a joint is that after the gear, unless it has a law of its own, see actuators_of().
    """
    model, actuator, found = sensor.mjcf.model, sensor.value("objid"), _actuated_joint(sensor)
    along = int(model.actuator_trntype[actuator]) == TENDON
    if not along and (found is None or found[1] == 0.0):
        return f"{UNDRIVEN}, or its gear is 0"
    joint, at_joints = model.actuator_trnid[actuator][0], np.isin(model.actuator_trntype, JOINT_TRANSMISSIONS)
    is_alone = int(np.sum(at_joints & (model.actuator_trnid[:, 0] == joint))) == 1 and not model.ntendon
    if found is not None and is_alone:
        return {"link": found[0], "factor": 1.0 / found[1]}
    has_law = any(int(x) for x in (model.actuator_dyntype[actuator], model.actuator_gaintype[actuator]))
    factor = 1.0 if found is None or has_law else 1.0 / found[1]
    return {"kind": "actuator_force", "actuators": (_motor_name(sensor, actuator),), "factors": (factor,)}


def tendon_motion(sensor: MjcfSensor) -> Options | str:
    """Return the options of the length or velocity of a tendon."""
    return {"actuator": f"{sensor.tendons[sensor.value('objid')].name} spring"}


def tendon_limit(sensor: MjcfSensor) -> Options | str:
    """Return the options of the distance or velocity of a tendon at its limit."""
    tendon = sensor.tendons[sensor.value("objid")]
    return {"actuator": f"{tendon.name} spring", "lower": tendon.lower, "upper": tendon.upper}


def tendon_force(sensor: MjcfSensor) -> Options | str:
    """Return the options of the sum of the forces of all actuators along a tendon, before their gears."""
    model, tendon = sensor.mjcf.model, sensor.value("objid")
    along = (model.actuator_trntype == TENDON) & (model.actuator_trnid[:, 0] == tendon)
    pulling = [int(k) for k in np.flatnonzero(along)]
    if not pulling:
        return "is of a tendon without an actuator"
    return {"actuators": tuple(_motor_name(sensor, k) for k in pulling)}


def distance(sensor: MjcfSensor) -> Options | str:
    """Return the options of a distance between two bodies, or two geoms."""
    ends = [_distance_end(sensor, f"{which}type", f"{which}id") for which in ("obj", "ref")]
    first, second = ends
    if isinstance(first, str) or isinstance(second, str):
        return next(end for end in ends if isinstance(end, str))
    if first[0] is None:
        return "begins at the world; exchange the two"
    reach = float(sensor.mjcf.model.sensor_cutoff[sensor.number])
    if not reach > 0.0:
        return "has no cutoff, so it measures overlaps only"
    return {"link": first[0], "part": first[1], "other": second[0], "other_part": second[1], "reach": reach}


def _distance_end(sensor: MjcfSensor, kind_field: str, field: str) -> tuple[str | None, int | None] | str:
    """Return the link (None for the ground) and the part of one end of a distance; or a reason."""
    model, number = sensor.mjcf.model, sensor.value(field)
    if sensor.object_kind(kind_field) != "geom":
        return "is of the world" if number == 0 else (sensor.names.bodies[number], None)
    if number == ground_geom(sensor.mjcf, set()):
        return None, None
    body, kind = int(model.geom_bodyid[number]), int(model.geom_type[number])
    if body == 0 or kind not in PRIMITIVES:
        return "is of a mesh, or of a shape that is fixed to the world"
    link, shape = sensor.names.bodies[body], PRIMITIVES[kind](model.geom_size[number].tolist())
    place = pose_of(model, number, sensor.names.origins[body])
    parts = enumerate(sensor.figure.link(link).parts)
    found = [k for k, part in parts if (part.shape, (part.position, part.rotation)) == (shape, place)]
    return (link, found[0]) if found else "is of a shape that is only drawn"


def inside(sensor: MjcfSensor) -> Options | str:
    """Return the options of a sensor of a frame inside the volume of a site."""
    mount, site = sensor.mount(), sensor.value("refid")
    zone = zone_of(sensor, site)
    if mount is None or zone is None:
        return NO_ZONE
    return mount | sensor.reference() | {"zone": zone}


def zone_of(sensor: MjcfSensor, site: int) -> Any:
    """Return the volume of a site; None if it has none."""
    model = sensor.mjcf.model
    make = PRIMITIVES.get(int(model.site_type[site]))
    return None if make is None else make([float(x) for x in model.site_size[site]])


def projection(sensor: MjcfSensor) -> Options | str:
    """Return the options of the pixel at which a camera sees a site."""
    model, camera, mount = sensor.mjcf.model, sensor.value("refid"), sensor.mount()
    if mount is None:
        return IN_WORLD
    size, chip = model.cam_resolution[camera], model.cam_sensorsize[camera]
    focal = np.full(2, 0.5 * size[1] / np.tan(np.radians(model.cam_fovy[camera]) / 2.0))
    if chip.all():
        focal = model.cam_intrinsic[camera][:2] / chip * size.astype(np.float32)  # single precision, as in MuJoCo
    return mount | sensor.reference() | {"size": tuple(size.tolist()), "focal": tuple(focal.tolist())}


def touch(sensor: MjcfSensor) -> Options | str:
    """Return the options of the normal forces in a zone."""
    mount, zone = sensor.mount(), zone_of(sensor, sensor.value("objid"))
    return (
        "is fixed to the world, or its site has no volume" if mount is None or zone is None else mount | {"zone": zone}
    )


def rangefinder(sensor: MjcfSensor) -> Options | str:
    """Return the options of a ray along the z axis of a site, which hits all links but its own."""
    mount = sensor.mount() if sensor.object_kind("objtype") == "site" else None
    if mount is None or sensor.value("dim") != 1:
        return "is fixed to the world, is of a camera, or reads other numbers than a distance"
    cutoff = float(sensor.mjcf.model.sensor_cutoff[sensor.number])
    direction = rotated(mount.pop("rotation"), (0.0, 0.0, 1.0))
    sees = tuple(link.name for link in sensor.figure.links if link.parts and link.name != mount["link"])
    return mount | {"directions": (direction,), "reach": cutoff or RANGE, "sees": sees}


def subtree(sensor: MjcfSensor) -> Options | str:
    """Return the options of a quantity of a body and all that it carries."""
    body, model = sensor.value("objid"), sensor.mjcf.model
    roots = [b for b in range(1, model.nbody) if model.body_parentid[b] == 0]
    if body == 0 and len(roots) != 1:
        return "is of the world, which has several trees"
    return {"link": sensor.names.bodies[body or roots[0]]}


def magnetometer(sensor: MjcfSensor) -> Options | str:
    """Return the options of the constant magnetic field."""
    mount = sensor.mount()
    return IN_WORLD if mount is None else mount | {"field": triple(sensor.mjcf.model.opt.magnetic)}


def of_link(sensor: MjcfSensor) -> Options | str:
    """Return the options of a sensor with a frame on a link."""
    return sensor.mount() or IN_WORLD
