"""Joint forces of a compiled MJCF model: springs, dampers, friction, limits; and its actuators as motors."""

import math
from typing import Any

from gambol.figure import JointSpring, Springs
from gambol.formats.export_report import UNLIMITED
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.tree import BALL, FREE, HINGE, SLIDE, Names
from gambol.formats.model import Motor, MotorKind

JOINT_TRANSMISSIONS = (0, 1)  # mjtTrn of actuators on joints: mjTRN_JOINT, mjTRN_JOINTINPARENT
AFFINE = 1  # mjBIAS_AFFINE: a bias of the force that is linear in length and velocity


def springs_of(mjcf: CompiledMjcf, names: Names) -> dict[str, Springs]:
    """Return the springs of the joints that have any, by link name; joint limits have no stiffness."""
    springs: dict[str, Springs] = {}
    for joint in range(mjcf.model.njnt):
        spring = _spring(mjcf, joint)
        if spring == JointSpring():
            continue
        count = 4 if int(mjcf.model.jnt_type[joint]) == FREE else 1  # an orientation and x, y, z
        springs[names.joints[joint]] = (spring,) * count if count > 1 else spring
    return springs


def _spring(mjcf: CompiledMjcf, joint: int) -> JointSpring:
    """Return a joint's spring, damper, friction and limits, except those that the model disables."""
    model, kind, dof = mjcf.model, int(mjcf.model.jnt_type[joint]), int(mjcf.model.jnt_dofadr[joint])
    no_constraints = mjcf.is_disabled("CONSTRAINT")
    k = 0.0 if mjcf.is_disabled("SPRING") or kind == FREE else float(model.jnt_stiffness[joint])
    b = 0.0 if mjcf.is_disabled("DAMPER") else float(model.dof_damping[dof])
    friction = 0.0 if mjcf.is_disabled("FRICTIONLOSS") or no_constraints else float(model.dof_frictionloss[dof])
    rest = float(model.qpos_spring[model.jnt_qposadr[joint]]) if k and kind in (HINGE, SLIDE) else 0.0
    lower, upper = -math.inf, math.inf
    if model.jnt_limited[joint] and not mjcf.is_disabled("LIMIT") and not no_constraints:
        lower, upper = _limits(True, model.jnt_range[joint])
        lower = -math.inf if kind == BALL else lower
    return JointSpring(stiffness=k, rest=rest, damping=b, friction=friction, lower=lower, upper=upper)


def motors_of(mjcf: CompiledMjcf, names: Names, notes: set[str]) -> tuple[Motor, ...]:
    """Return the actuators on joints as motors. names: of the links. notes: receives sentences on omitted actuators."""
    model, motors = mjcf.model, list[Motor]()
    used: set[str] = set()
    for actuator in range(model.nu):
        name = mjcf.name("actuator", actuator) or f"motor{actuator + 1}"
        joint = int(model.actuator_trnid[actuator][0])
        if int(model.actuator_trntype[actuator]) not in JOINT_TRANSMISSIONS:
            notes.add(f'Left out: actuator "{name}", which does not act on a joint.')
        elif int(model.jnt_type[joint]) == FREE:
            notes.add(f'Left out: actuator "{name}", which acts on a free joint.')
        else:
            while name in used:
                name += "'"
            used.add(name)
            motors.append(_motor(model, actuator, name, names.joints[joint]))
    if motors:
        notes.add("Actuators are kept as data: nothing drives them until a controller does.")
    return tuple(motors)


def _motor(model: Any, actuator: int, name: str, link: str) -> Motor:
    gain = model.actuator_gainprm[actuator].tolist()
    bias = model.actuator_biasprm[actuator].tolist()
    kind, note = _motor_kind(model, actuator, gain, bias)
    gear_count = 3 if int(model.jnt_type[int(model.actuator_trnid[actuator][0])]) == BALL else 1
    lower, upper = _limits(model.actuator_ctrllimited[actuator], model.actuator_ctrlrange[actuator])
    weakest, strongest = _limits(model.actuator_forcelimited[actuator], model.actuator_forcerange[actuator])
    return Motor(
        name,
        link,
        kind,
        tuple(float(x) for x in model.actuator_gear[actuator][:gear_count]),
        gain[0],
        -bias[2] if kind == "position" else 0.0,
        lower,
        upper,
        weakest,
        strongest,
        note,
    )


def _motor_kind(model: Any, actuator: int, gain: list[float], bias: list[float]) -> tuple[MotorKind, str]:
    """Return the kind of motor of an actuator, and a note: its parameters for the kind "other", else empty."""
    types = (int(model.actuator_dyntype[actuator]), int(model.actuator_gaintype[actuator]))
    bias_type = int(model.actuator_biastype[actuator])
    if types == (0, 0) and bias_type == 0:
        return "torque", ""
    if types == (0, 0) and bias_type == AFFINE and bias[0] == 0.0:
        if bias[1] == -gain[0]:
            return "position", ""
        if bias[1] == 0.0 and bias[2] == -gain[0]:
            return "velocity", ""
    return "other", f"MuJoCo: dynamics {types[0]}, gain {types[1]} {gain}, bias {bias_type} {bias}"


def _limits(limited: Any, bounds: Any) -> tuple[float, float]:
    """Return the lower and upper limit; infinite if there is no limit."""
    low, high = (float(bounds[0]), float(bounds[1])) if limited else (-UNLIMITED, UNLIMITED)
    return (low if low > -UNLIMITED else -math.inf, high if high < UNLIMITED else math.inf)
