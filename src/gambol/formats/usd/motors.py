"""Drives of USD Physics as motors: force = stiffness (target - q) + damping (target velocity - v), at most its maximum.

A drive becomes a motor of kind "position", whose command is the target, or "velocity" if it has no stiffness, or
"torque" if it has neither stiffness nor damping. [UsdPhysics, PhysicsDriveAPI]
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from gambol.errors import GambolError
from gambol.formats.model import Motor
from gambol.formats.usd.joints import Freedom
from gambol.formats.usd.links import LinkFreedom
from gambol.formats.usd.stage import Prim, Stage

MAX_FORCE = 1e30  # N, N m: largest force of a drive with a maximum (float32 ends at 3e38)


def motors_of(stage: Stage, link_freedoms: Iterable[LinkFreedom], notes: set[str]) -> tuple[Motor, ...]:
    """Return a motor for each drive of a tree's joints. notes: receives sentences on omitted features.

    Raises GambolError for drives with negative or infinite numbers.
    """
    motors: dict[str, Motor] = {}
    for entry in link_freedoms:
        drives = entry.joint.prim["drives"]
        drive = drives.get(entry.freedom.dof) or drives.get("angular" if entry.freedom.is_angle else "linear")
        if entry.freedom.kind == "spherical":
            if drives:
                notes.add("Left out: drives of joints that turn about three axes.")
        elif drive is not None:
            motor = _motor(stage, entry, drive)
            motors[motor.name] = motor
    if any(motor.note for motor in motors.values()):
        notes.add("The targets of drives are not commands: motors are off until a controller gives commands.")
    return tuple(motors.values())


def _motor(stage: Stage, entry: LinkFreedom, drive: Prim) -> Motor:
    """Return the motor of a drive."""
    unit, effort = _units(stage, entry.freedom)
    numbers = {name: float(drive.get(name, default)) for name, default in DEFAULTS.items()}
    stiffness, damping, maximum = (numbers[name] for name in ("stiffness", "damping", "maxForce"))
    if not (0.0 <= stiffness < math.inf and 0.0 <= damping < math.inf and maximum >= 0.0):
        raise GambolError(
            f'{stage.file}: joint "{entry.joint.path}" has a drive with stiffness {stiffness:g}, damping {damping:g} '
            f"and largest force {maximum:g}; give 0 or more, and finite ones"
        )
    strongest = maximum * effort if maximum < MAX_FORCE else math.inf
    several = len(entry.joint.freedoms) > 1
    name = f"{entry.joint.prim['name']} {entry.freedom.dof}" if several else str(entry.joint.prim["name"])
    note = "; ".join(
        f"{text} in the file: {numbers[key] * unit:g} {si}"
        for key, text, si in (("targetPosition", "target", "rad or m"), ("targetVelocity", "target velocity", "1/s"))
        if numbers[key]
    )
    if drive["type"] != "force":
        return Motor(name, entry.link, "other", note="a drive that sets an acceleration, independent of the moved mass")
    motor = Motor(name, entry.link, note=note, weakest=-strongest, strongest=strongest)
    if stiffness:
        return replace(motor, kind="position", gain=stiffness * effort / unit, damping=damping * effort / unit)
    return replace(motor, kind="velocity", gain=damping * effort / unit) if damping else motor


def _units(stage: Stage, freedom: Freedom) -> tuple[float, float]:
    """Return the units of a freedom's coordinate [rad or m] and of its force [N m or N]."""
    if freedom.is_angle:
        return math.pi / 180.0, stage.units.torque
    return stage.units.length, stage.units.force


DEFAULTS = {"stiffness": 0.0, "damping": 0.0, "targetPosition": 0.0, "targetVelocity": 0.0, "maxForce": math.inf}
"""The numbers of a drive that a file does not state."""
