"""The sensors of a compiled MJCF model, as entries with the kinds of gambol.sensing.

[MuJoCo documentation, XML reference, "sensor"]
"""

from collections.abc import Mapping
from typing import Any

from gambol.figure import Figure
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.sensor_options import (
    MjcfSensor,
    Options,
    Reader,
    actuator_force,
    actuator_motion,
    distance,
    inside,
    magnetometer,
    of_joint,
    of_link,
    projection,
    rangefinder,
    relative,
    subtree,
    tendon_force,
    tendon_limit,
    tendon_motion,
    touch,
)
from gambol.formats.mjcf.sensors_of_contacts import contact
from gambol.formats.mjcf.tree import Names
from gambol.formats.sensor_entry import SensorEntry
from gambol.formats.tendon import Tendon

READERS: dict[str, tuple[str, Reader | None, Options]] = {
    "accelerometer": ("accelerometer", of_link, {}),
    "gyro": ("gyro", of_link, {}),
    "velocimeter": ("velocimeter", of_link, {}),
    "force": ("force_torque", of_link, {"parts": ("force",)}),
    "torque": ("force_torque", of_link, {"parts": ("torque",)}),
    "touch": ("touch", touch, {}),
    "rangefinder": ("rangefinder", rangefinder, {}),
    "jointpos": ("joint_position", of_joint(1), {}),
    "jointvel": ("joint_velocity", of_joint(1), {}),
    "ballquat": ("joint_position", of_joint(4), {}),
    "ballangvel": ("joint_velocity", of_joint(3), {}),
    "jointactfrc": ("joint_torque", of_joint(1), {}),
    "actuatorpos": ("joint_position", actuator_motion("length"), {}),
    "actuatorvel": ("joint_velocity", actuator_motion("velocity"), {}),
    "actuatorfrc": ("joint_torque", actuator_force, {}),
    "framepos": ("frame_position", relative, {}),
    "framequat": ("frame_orientation", relative, {}),
    "framexaxis": ("frame_axis", relative, {"axis": "x"}),
    "frameyaxis": ("frame_axis", relative, {"axis": "y"}),
    "framezaxis": ("frame_axis", relative, {"axis": "z"}),
    "framelinvel": ("frame_velocity", relative, {}),
    "frameangvel": ("frame_angular_velocity", relative, {}),
    "framelinacc": ("frame_acceleration", of_link, {}),
    "frameangacc": ("frame_angular_acceleration", of_link, {}),
    "subtreecom": ("centre_of_mass", subtree, {}),
    "subtreelinvel": ("centre_velocity", subtree, {}),
    "subtreeangmom": ("angular_momentum", subtree, {}),
    "e_potential": ("energy", lambda sensor: {}, {"parts": ("potential",)}),
    "e_kinetic": ("energy", lambda sensor: {}, {"parts": ("kinetic",)}),
    "jointlimitpos": ("joint_limit", of_joint(1), {"parts": ("distance",)}),
    "jointlimitvel": ("joint_limit", of_joint(1), {"parts": ("velocity",)}),
    "jointlimitfrc": ("joint_limit", of_joint(1), {"parts": ("force",)}),
    "tendonpos": ("path_motion", tendon_motion, {"parts": ("length",)}),
    "tendonvel": ("path_motion", tendon_motion, {"parts": ("velocity",)}),
    "tendonlimitpos": ("path_limit", tendon_limit, {"parts": ("distance",)}),
    "tendonlimitvel": ("path_limit", tendon_limit, {"parts": ("velocity",)}),
    "tendonlimitfrc": ("path_limit", tendon_limit, {"parts": ("force",)}),
    "tendonactfrc": ("actuator_force", tendon_force, {}),
    "geomdist": ("distance", distance, {"parts": ("distance",)}),
    "geomnormal": ("distance", distance, {"parts": ("normal",)}),
    "geomfromto": ("distance", distance, {"parts": ("points",)}),
    "insidesite": ("inside_zone", inside, {}),
    "contact": ("contact", contact, {}),
    "camprojection": ("camera_projection", projection, {}),
    "clock": ("clock", lambda sensor: {}, {}),
    "magnetometer": ("magnetometer", magnetometer, {}),
}
"""For each kind of MuJoCo: the kind in gambol.sensing, the reader of its options, and further options."""

REFUSED = {
    "user": "gets its readings from a function in the program that simulates the file",
    "plugin": "gets its readings from a plugin",
    "tactile": "reads overlaps with shapes of the kind SDF, which gambol does not have; see contact_points",
}
"""For each kind that gambol does not have, the reason, or what does instead."""


WITHOUT_CUTOFF = ("rangefinder", "distance", "contact")
"""Kinds of gambol.sensing without a cutoff: that of the first two is their reach, and contacts have none."""


def sensors_of(
    mjcf: CompiledMjcf, names: Names, figure: Figure, tendons: Mapping[int, Tendon], notes: set[str]
) -> tuple[SensorEntry, ...]:
    """Return the sensors of a model that gambol supports.

    names: names of the links. figure, tendons: figure and tendons of the model. notes: receives sentences on all other
    sensors, with reasons.
    """
    entries: list[SensorEntry] = []
    used: set[str] = set()
    for number in range(mjcf.model.nsensor):
        kind = mjcf.kinds["sensor"][str(int(mjcf.model.sensor_type[number]))]
        name = mjcf.name("sensor", number) or f"{kind} {number}"
        while name in used:
            name += "'"
        used.add(name)
        gambol_kind, reader, more = READERS.get(kind, ("", None, {}))
        sensor = MjcfSensor(mjcf, names, figure, tendons, number)
        options = reader(sensor) if reader is not None else REFUSED.get(kind, "is unknown")
        if isinstance(options, str):
            notes.add(f'Left out: sensor "{name}" ({kind}), which {options}.')
            continue
        gambol_kind = options.pop("kind", gambol_kind)
        entries.append(SensorEntry(name, gambol_kind, more | options | _sampling(mjcf.model, number, gambol_kind)))
    return tuple(entries)


def _sampling(model: Any, number: int, kind: str) -> Options:
    """Return noise, delay, rate and cutoff of a sensor, if it has any; kind: its kind in gambol.sensing."""
    noise, cutoff = float(model.sensor_noise[number]), float(model.sensor_cutoff[number])
    options = {"noise": noise} if noise > 0.0 else {}
    if cutoff > 0.0 and kind not in WITHOUT_CUTOFF:
        options["cutoff"] = cutoff
    if hasattr(model, "sensor_delay"):  # older releases lack it
        delay, period = float(model.sensor_delay[number]), float(model.sensor_interval[number][0])
        options |= {"delay": delay} if delay > 0.0 else {}
        options |= {"rate": 1.0 / period} if period > 0.0 else {}
    return options
