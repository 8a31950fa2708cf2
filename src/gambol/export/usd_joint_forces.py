"""Limits, springs, dampers and motors of joints in USD Physics. [OpenUSD, UsdPhysics: LimitAPI, DriveAPI]

A drive gives the force stiffness (target - q) + damping (target velocity - v), within its maximum. It is written for a
spring, whose target is its rest position, or for a motor:

    position    stiffness g^2 gain, damping g^2 damping        velocity    damping g^2 gain        torque    neither

with g the gear. A joint has one drive for each axis, so a motor replaces a spring. USD Physics has no dampers without a
spring, no friction and no rotors; they are written as attributes "newton:...". Angles are in degrees. In a file whose
lengths are scaled by s, forces are scaled by s and torques by s^2.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gambol.export.usd_library import usd_modules
from gambol.figure import JOINTS, JointSpring, PlacedLink, resolve_springs
from gambol.figure.springs import spring_slices
from gambol.formats import Model, Motor

SINGLE = {"revolute": "angular", "prismatic": "linear"}
"""The name of the drive of joints with one axis, by kind."""

FREE_AXES = {
    "cylindrical": ("rotX", "transX"),
    "universal": ("rotX", "rotY"),
    "planar": ("rotX", "transY", "transZ"),
}
"""For other kinds, the axes of a joint of six axes that are its coordinates; the frame of the joint in the file has the
joint's axis as x and `across` as y. Kinds with coupled freedoms are in neither table; they become joints that are free
along all six axes.
"""


@dataclass(frozen=True)
class AxisForces:
    """Forces at one coordinate of a joint. axis: its name in USD, such as "angular" or "transX"."""

    axis: str
    is_angle: bool
    spring: JointSpring
    motor: Motor | None


def joint_forces_of(model: Model) -> dict[str, list[AxisForces]]:
    """Return limits, springs and motors of the joints that can have them in USD, by the name of their link."""
    springs, motors = resolve_springs(model.figure, model.springs), _single_motors(model)
    found: dict[str, list[AxisForces]] = {}
    for link in model.figure.links:
        axes = FREE_AXES.get(link.joint.kind, (SINGLE[link.joint.kind],) if link.joint.kind in SINGLE else ())
        link_springs = springs.get(link.name) or (JointSpring(),) * len(axes)
        units = JOINTS[link.joint.kind].q_units
        if axes:
            rows = zip(axes, units, link_springs, motors.get(link.name, (None,) * len(axes)), strict=True)
            found[link.name] = [AxisForces(axis, unit == "rad", spring, motor) for axis, unit, spring, motor in rows]
    return found


def _single_motors(model: Model) -> dict[str, tuple[Motor | None, ...]]:
    """Return for each coordinate the last motor that a drive can represent, or None; by the name of the link."""
    found: dict[str, tuple[Motor | None, ...]] = {}
    for motor in model.motors:
        if motor.kind in ("torque", "position", "velocity") and not motor.tendon:
            before = found.get(motor.joint, (None,) * len(motor.gear))
            gears = zip(motor.gear, before, strict=True)
            found[motor.joint] = tuple(motor if gear and _is_alone(motor) else other for gear, other in gears)
    return found


def _is_alone(motor: Motor) -> bool:
    return sum(gear != 0.0 for gear in motor.gear) == 1


def add_joint_forces(prim: Any, forces: list[AxisForces], rotor: float, scale: float) -> None:
    """Add limits, drives and Newton's attributes to the prim of a joint.

    rotor: inertia of the rotor at each coordinate [kg m2 or kg]. scale: scale of lengths.
    """
    (UsdPhysics,) = usd_modules("UsdPhysics")

    for axis_forces in forces:
        length = math.degrees(1.0) if axis_forces.is_angle else scale  # 1 rad or 1 m in the unit of the file
        force = scale**2 if axis_forces.is_angle else scale
        _add_limits(prim, axis_forces, length)
        values = _drive(axis_forces, length, force)
        if values:
            drive = UsdPhysics.DriveAPI.Apply(prim, axis_forces.axis)
            drive.CreateTypeAttr(UsdPhysics.Tokens.force)
            for name, value in values.items():
                getattr(drive, f"Create{name}Attr")(value)
    if forces:
        _add_newton_attributes(prim, forces[0], rotor, scale)


def _add_limits(prim: Any, axis_forces: AxisForces, length: float) -> None:
    UsdPhysics = usd_modules("UsdPhysics")[0]

    bounds = {"lower": axis_forces.spring.lower * length, "upper": axis_forces.spring.upper * length}
    if axis_forces.axis in SINGLE.values():
        joint = UsdPhysics.RevoluteJoint(prim) if axis_forces.is_angle else UsdPhysics.PrismaticJoint(prim)
        setters = {"lower": joint.CreateLowerLimitAttr, "upper": joint.CreateUpperLimitAttr}
    elif all(map(math.isinf, bounds.values())):
        return
    else:
        limit = UsdPhysics.LimitAPI.Apply(prim, axis_forces.axis)
        setters = {"lower": limit.CreateLowAttr, "upper": limit.CreateHighAttr}
    for side, bound in bounds.items():
        if math.isfinite(bound):
            setters[side](bound)


def _drive(axis_forces: AxisForces, length: float, force: float) -> dict[str, float]:
    """Return the numbers of a drive in units of the file, by name; empty for none."""
    motor, spring = axis_forces.motor, axis_forces.spring
    if motor is not None:
        gear = next(g for g in motor.gear if g)
        gains = {"position": (motor.gain, motor.damping), "velocity": (0.0, motor.gain)}.get(motor.kind, (0.0, 0.0))
        values = {"Stiffness": gear**2 * gains[0] * force / length, "Damping": gear**2 * gains[1] * force / length}
        max_force = _max_force(motor) * abs(gear) * force
        return values | ({"MaxForce": max_force} if math.isfinite(max_force) else {})
    stiffness = spring.stiffness + spring.alpha * spring.beta
    if not stiffness:
        return {}
    values = {"Stiffness": stiffness * force / length, "Damping": spring.damping * force / length}
    return values | {"TargetPosition": spring.rest * length}


def _max_force(motor: Motor) -> float:
    """Return the maximum absolute force before the gear [N m or N], from the limits of force and of torque commands."""
    commanded = motor.gain * max(-motor.lower, motor.upper) if motor.kind == "torque" else math.inf
    return min(max(-motor.weakest, motor.strongest), commanded)


def _add_newton_attributes(prim: Any, first: AxisForces, rotor: float, scale: float) -> None:
    """Add damper, friction and rotor, which USD Physics lacks, as attributes of Newton.

    first: the forces at the joint's first axis, whose damper and friction are written.
    """
    (Sdf,) = usd_modules("Sdf")

    force, length = (scale**2, math.degrees(1.0)) if first.is_angle else (scale, scale)
    in_drive = first.spring.stiffness + first.spring.alpha * first.spring.beta and not first.motor
    values = {
        "damping": 0.0 if in_drive else first.spring.damping * force / length,
        "friction": first.spring.friction * force,
        "armature": rotor * (scale**2 if first.is_angle else 1.0),
    }
    for name, value in values.items():
        if value:
            prim.CreateAttribute(f"newton:{name}", Sdf.ValueTypeNames.Float).Set(value)


def efforts_left_out(model: Model) -> Iterator[str]:
    """Yield a text for each kind of forces at joints of a model that the file leaves out."""
    springs, forces = resolve_springs(model.figure, model.springs), joint_forces_of(model)
    every = [spring for row in springs.values() for spring in row]
    written = {axis_forces.motor.name for row in forces.values() for axis_forces in row if axis_forces.motor}
    others = [motor.name for motor in model.motors if motor.name not in written]
    if others:
        yield f"motors other than torque, position and velocity motors of one axis: {', '.join(others)}"
    if any(e.motor and e.spring.stiffness + e.spring.alpha for row in forces.values() for e in row):
        yield "springs of joints with a motor"
    if any(spring.alpha for spring in every):
        yield "the exponential rise of springs; they have their stiffness at rest"
    if any(spring.bias for spring in every):
        yield "constant forces at joints"
    if any(len(row) > 1 and any(e.spring.damping or e.spring.friction for e in row) for row in forces.values()):
        yield "dampers and friction of joints with several axes, except those of the first axis"
    if any(_has_any(springs, link) for link in model.figure.links if link.name not in forces):
        yield "limits, springs and dampers of ball joints and free joints"


def _has_any(springs: Mapping[str, tuple[JointSpring, ...]], link: PlacedLink) -> bool:
    row = springs.get(link.name, (JointSpring(),) * len(spring_slices(link.joint.kind)))
    return any(spring != JointSpring() for spring in row)
