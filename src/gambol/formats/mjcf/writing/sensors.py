"""Sensors as MJCF elements, with their sites on the bodies: the inverse of formats/mjcf/sensors.py.

A sensor with several parts becomes one element for each part, with the name of the part after its own.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.figure import IDENTITY, Figure, Matrix3, Part, Sphere
from gambol.figure.rotation import matrix
from gambol.formats.export_report import ExportReport
from gambol.formats.mjcf.writing.bodies import Body
from gambol.formats.mjcf.writing.shapes import geom_element
from gambol.formats.model import Motor
from gambol.formats.sensor_entry import SensorEntry
from gambol.formats.xml_file import Element, numbers_text

MUJOCO_STEP = 0.002
"""The step of files that give none [s]: a delayed sensor of MuJoCo keeps a sample of each step."""

Elements = Iterator[tuple[str, str, dict[str, str]]]
"""The elements of a sensor: tag, end of the name, attributes."""


class NotInMujoco(Exception):
    """A sensor that MuJoCo does not have."""


@dataclass(frozen=True)
class SensorWriter:
    """Writes the sensors of a model.

    figure, motors: its figure and motors. bodies: bodies of the figure; elements: their elements by link number, which
    receive sites. report: receives notes.
    """

    figure: Figure
    motors: Sequence[Motor]
    bodies: Sequence[Body]
    elements: Mapping[int, Element]
    report: ExportReport

    def written(self, entry: SensorEntry) -> list[Element]:
        """Return the elements of a sensor; if MuJoCo has no such sensor, none, and the report receives a note."""
        try:
            if entry.kind not in WRITERS:
                raise NotInMujoco
            found = [*WRITERS[entry.kind](self, entry.name, entry.options)]
            sampling = _sampling(entry)
        except NotInMujoco:
            self.report.note(f'Left out: sensor "{entry.name}" ({entry.kind}), which MuJoCo lacks in this form.')
            return []
        return [Element(tag, {"name": entry.name + end} | sampling | more) for tag, end, more in found]

    def site(self, name: str, options: Mapping[str, Any], prefix: str = "") -> str:
        """Add a site at the frame of a sensor, or of its reference (prefix "reference_"); return its name."""
        link = options.get("reference" if prefix else "link")
        if link and self.figure.link(link).index not in self.elements:
            raise NotInMujoco  # a massless link is merged into its child
        pose = options.get(f"{prefix}position", (0.0, 0.0, 0.0)), options.get(f"{prefix}rotation", IDENTITY)
        zone, name = options.get("zone"), f"{name} {prefix}site"
        geom = geom_element(Part(zone or Sphere(0.005), *pose), name, self.report)
        if geom is None or geom[1] is not None:
            raise NotInMujoco  # neither a hollow shape nor a mesh
        attributes = {"name": name} | {key: geom[0].attributes[key] for key in ("type", "size", "pos", "quat")}
        self.elements[self.figure.link(link).index if link else 0].children.append(Element("site", attributes))
        return name

    def joint(self, options: Mapping[str, Any]) -> str:
        """Return the name of the joint of a sensor whose readings have no factor."""
        found = [j.name for body in self.bodies for j in body.joints if j.link.name == options["link"]]
        if len(found) != 1 or options.get("factor", 1.0) != 1.0 or not 1 <= options.get("width", 1) <= 4:
            raise NotInMujoco
        return found[0]


def _on_site(tag: str) -> Callable[..., Elements]:
    """Return the writer of a sensor with a frame of its own. tag: tag of the element."""

    def write(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
        yield tag, "", {"site": writer.site(name, options)}

    return write


def _parts(tags: Mapping[str, str], default: Sequence[str]) -> Callable[..., Elements]:
    """Return the writer of a sensor on a site with parts. tags: tag of each part; default: parts if none are given."""

    def write(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
        site, parts = writer.site(name, options), options.get("parts", default)
        for part in parts:
            yield tags[part], _end(part, parts), {"site": site}

    return write


def _end(part: str, parts: Sequence[str]) -> str:
    return f" {part}" if len(parts) > 1 else ""


def _frame(tag: str) -> Callable[..., Elements]:
    """Return the writer of a sensor of a frame. tag: its element, with the place of an axis."""

    def write(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
        attributes = {"objtype": "site", "objname": writer.site(name, options)}
        if any(option.startswith("reference") and value is not None for option, value in options.items()):
            attributes |= {"reftype": "site", "refname": writer.site(name, options, "reference_")}
        yield tag.format(axis=options.get("axis", "x")), "", attributes

    return write


def _joint(tag: str, of_ball: str = "") -> Callable[..., Elements]:
    """Return the writer of a sensor of a joint. of_ball: tag for a ball joint."""

    def write(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
        is_ball = options.get("width", 1) > 1
        if is_ball and not of_ball:
            raise NotInMujoco
        yield (of_ball if is_ball else tag), "", {"joint": writer.joint(options)}

    return write


def _joint_limit(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    tags = {"distance": "jointlimitpos", "velocity": "jointlimitvel", "force": "jointlimitfrc"}
    parts = options.get("parts", tuple(tags))
    for part in parts:
        yield tags[part], _end(part, parts), {"joint": writer.joint(options)}


def _tendon(tags: Mapping[str, str], default: Sequence[str] = ()) -> Callable[..., Elements]:
    """Return the writer of the motion of a tendon. tags: tag of each part; default: parts if none are given."""

    def write(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
        parts, spring = options.get("parts", default or tuple(tags)), " spring"
        if not options["actuator"].endswith(spring) or options.get("factor", 1.0) != 1.0:
            raise NotInMujoco
        for part in parts:
            yield tags[part], _end(part, parts), {"tendon": options["actuator"].removesuffix(spring)}

    return write


def _actuator_force(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    motors = {motor.name: motor for motor in writer.motors}
    read = [motors[each] for each in options["actuators"] if each in motors]
    before_gear = tuple(1.0 / m.gear[0] if m.joint and m.law is None else 1.0 for m in read)
    if not read or len(read) < len(options["actuators"]) or (options.get("factors") or before_gear) != before_gear:
        raise NotInMujoco
    if len(read) == 1:
        yield "actuatorfrc", "", {"actuator": read[0].name}
    elif len({motor.tendon for motor in read}) == 1 and read[0].tendon:
        yield "tendonactuatorfrc", "", {"tendon": read[0].tendon}
    else:
        raise NotInMujoco


def _subtree(tag: str) -> Callable[..., Elements]:
    """Return the writer of a quantity of a link and all that it carries."""

    def write(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
        yield tag, "", {"body": options["link"]}

    return write


def _energy(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    tags = {"kinetic": "e_kinetic", "potential": "e_potential"}
    parts = options.get("parts", tuple(tags))
    for part in parts:
        yield tags[part], _end(part, parts), {}


def _clock(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    yield "clock", "", {}


def _imu(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    site = writer.site(name, options)
    yield "accelerometer", " acceleration", {"site": site}
    yield "gyro", " gyro", {"site": site}
    yield "framequat", " orientation", {"objtype": "site", "objname": site}


def _camera_pose(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    site = {"objtype": "site", "objname": writer.site(name, options)}
    yield "framepos", " position", site
    yield "framequat", " orientation", site


def _rangefinder(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    directions = options.get("directions", ((1.0, 0.0, 0.0),))
    for k, direction in enumerate(directions):
        end = f" {k}" if len(directions) > 1 else ""
        site = writer.site(name + end, {**options, "rotation": _looking_along(direction)})
        yield "rangefinder", end, {"site": site, "cutoff": numbers_text([options.get("reach", 1.0)])}


def _looking_along(direction: Sequence[float]) -> Matrix3:
    """Return a rotation whose z axis has a direction."""
    z = np.array(direction) / np.linalg.norm(direction)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return matrix(np.stack([x, np.cross(z, x), z], axis=1))


def _distance(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    tags = {"distance": "distance", "normal": "normal", "points": "fromto"}
    if options.get("part") is not None or options.get("other_part") is not None:
        raise NotInMujoco
    other = {"body2": options["other"]} if options.get("other") else {"geom2": "ground"}
    ends = {"body1": options["link"], **other, "cutoff": numbers_text([options.get("reach", 10.0)])}
    parts = options.get("parts", ("distance",))
    for part in parts:
        yield tags[part], _end(part, parts), ends


def _contact(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    found: dict[str, str] = {}
    for side, end in (("first", 1), ("second", 2)):
        names = options.get(side)
        if names and len(names) > 1:
            raise NotInMujoco
        if names:
            found |= {f"geom{end}": "ground"} if names[0] == "ground" else {f"body{end}": names[0]}
    if options.get("zone") is not None:
        if options.get("first"):
            raise NotInMujoco
        found["site"] = writer.site(name, {**options, "link": options.get("zone_link")})
    fields, count = options.get("fields", ("found",)), str(options.get("count", 1))
    yield "contact", "", found | {"num": count, "data": " ".join(fields), "reduce": options.get("reduce", "none")}


def _inside(writer: SensorWriter, name: str, options: Mapping[str, Any]) -> Elements:
    frame = writer.site(f"{name} frame", {key: x for key, x in options.items() if key != "zone"})
    yield "insidesite", "", {"site": writer.site(name, options, "reference_"), "objtype": "site", "objname": frame}


WRITERS: dict[str, Callable[[SensorWriter, str, Mapping[str, Any]], Elements]] = {
    "accelerometer": _on_site("accelerometer"),
    "gyro": _on_site("gyro"),
    "velocimeter": _on_site("velocimeter"),
    "magnetometer": _on_site("magnetometer"),
    "touch": _on_site("touch"),
    "imu": _imu,
    "camera_pose": _camera_pose,
    "force_torque": _parts({"force": "force", "torque": "torque"}, ("force", "torque")),
    "frame_position": _frame("framepos"),
    "frame_orientation": _frame("framequat"),
    "frame_axis": _frame("frame{axis}axis"),
    "frame_velocity": _frame("framelinvel"),
    "frame_angular_velocity": _frame("frameangvel"),
    "frame_acceleration": _frame("framelinacc"),
    "frame_angular_acceleration": _frame("frameangacc"),
    "joint_position": _joint("jointpos", "ballquat"),
    "joint_velocity": _joint("jointvel", "ballangvel"),
    "joint_torque": _joint("jointactuatorfrc"),
    "joint_limit": _joint_limit,
    "actuator_force": _actuator_force,
    "path_motion": _tendon({"length": "tendonpos", "velocity": "tendonvel"}),
    "path_limit": _tendon(
        {"distance": "tendonlimitpos", "velocity": "tendonlimitvel", "force": "tendonlimitfrc"},
        ("distance", "velocity"),
    ),
    "centre_of_mass": _subtree("subtreecom"),
    "centre_velocity": _subtree("subtreelinvel"),
    "angular_momentum": _subtree("subtreeangmom"),
    "energy": _energy,
    "contact": _contact,
    "clock": _clock,
    "rangefinder": _rangefinder,
    "distance": _distance,
    "inside_zone": _inside,
}
"""The functions that yield the elements of each kind of gambol.sensing that MuJoCo has."""


def _sampling(entry: SensorEntry) -> dict[str, str]:
    """Return noise, cutoff, delay and rate of a sensor as attributes."""
    options, found = entry.options, dict[str, str]()
    if isinstance(options.get("noise", 0.0), tuple):
        raise NotInMujoco
    found |= {
        key: numbers_text([options[key]]) for key in ("noise", "cutoff") if math.isfinite(options.get(key, math.inf))
    }
    if options.get("delay") or options.get("rate"):
        period = 1.0 / options["rate"] if options.get("rate") else 0.0
        delay = float(options.get("delay", 0.0))
        samples = math.ceil(delay / max(period, MUJOCO_STEP)) + 1
        found |= {"delay": numbers_text([delay]), "nsample": str(samples), "interval": numbers_text([period])}
    return found
