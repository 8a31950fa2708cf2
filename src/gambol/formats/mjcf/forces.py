"""What pushes and drives the joints of a compiled model: springs, dampers, friction, limits, and actuators as data."""

import math
from typing import Any

from gambol.figure import JointSpring, Springs
from gambol.formats.losses import ENDLESS
from gambol.formats.mjcf.compiled import Compiled
from gambol.formats.mjcf.tree import BALL, FREE, HINGE, SLIDE, Names
from gambol.formats.specimen import Motor, MotorKind

ON_JOINT = (0, 1)  # MuJoCo's marks of actuators on joints, in the link's axes and in the parent's
AFFINE = 1  # of a gain or bias that is linear in length and velocity


def springs_of(given: Compiled, names: Names) -> dict[str, Springs]:
    """The springs of all joints that have any; limits come without stiffness."""
    springs: dict[str, Springs] = {}
    for joint in range(given.model.njnt):
        made = _spring(given, joint)
        if made == JointSpring():
            continue
        places = 4 if int(given.model.jnt_type[joint]) == FREE else 1
        springs[names.joints[joint]] = (made,) * places if places > 1 else made
    return springs


def _spring(given: Compiled, joint: int) -> JointSpring:
    """One joint's spring, damper, friction and limits, each of which the model may switch off."""
    model, kind, dof = given.model, int(given.model.jnt_type[joint]), int(given.model.jnt_dofadr[joint])
    held = given.off("CONSTRAINT")
    k = 0.0 if given.off("SPRING") or kind == FREE else float(model.jnt_stiffness[joint])
    b = 0.0 if given.off("DAMPER") else float(model.dof_damping[dof])
    friction = 0.0 if given.off("FRICTIONLOSS") or held else float(model.dof_frictionloss[dof])
    rest = float(model.qpos_spring[model.jnt_qposadr[joint]]) if k and kind in (HINGE, SLIDE) else 0.0
    lower, upper = -math.inf, math.inf
    if model.jnt_limited[joint] and not given.off("LIMIT") and not held:
        lower, upper = _range(True, model.jnt_range[joint])
        lower = -math.inf if kind == BALL else lower
    return JointSpring(stiffness=k, rest=rest, damping=b, friction=friction, lower=lower, upper=upper)


def motors_of(given: Compiled, names: Names, notes: set[str]) -> tuple[Motor, ...]:
    """The actuators on joints as data; notes: grows by those on anything else."""
    model, motors = given.model, list[Motor]()
    taken: set[str] = set()
    for actuator in range(model.nu):
        name = given.name("actuator", actuator) or f"motor{actuator + 1}"
        joint = int(model.actuator_trnid[actuator][0])
        if int(model.actuator_trntype[actuator]) not in ON_JOINT:
            notes.add(f'Left out: actuator "{name}", which does not act on a joint.')
        elif int(model.jnt_type[joint]) == FREE:
            notes.add(f'Left out: actuator "{name}", which acts on a free joint.')
        else:
            while name in taken:
                name += "'"
            taken.add(name)
            motors.append(_motor(model, actuator, name, names.joints[joint]))
    if motors:
        notes.add("Actuators are kept as data: nothing drives them until a controller does.")
    return tuple(motors)


def _motor(model: Any, actuator: int, name: str, link: str) -> Motor:
    gain = model.actuator_gainprm[actuator].tolist()
    bias = model.actuator_biasprm[actuator].tolist()
    kind, note = _kind(model, actuator, gain, bias)
    size = 3 if int(model.jnt_type[int(model.actuator_trnid[actuator][0])]) == BALL else 1
    lower, upper = _range(model.actuator_ctrllimited[actuator], model.actuator_ctrlrange[actuator])
    weakest, strongest = _range(model.actuator_forcelimited[actuator], model.actuator_forcerange[actuator])
    return Motor(
        name,
        link,
        kind,
        tuple(float(x) for x in model.actuator_gear[actuator][:size]),
        gain[0],
        -bias[2] if kind == "position" else 0.0,
        lower,
        upper,
        weakest,
        strongest,
        note,
    )


def _kind(model: Any, actuator: int, gain: list[float], bias: list[float]) -> tuple[MotorKind, str]:
    """Which of our motors an actuator is; one that is none of them says in a note what it is."""
    kinds = (int(model.actuator_dyntype[actuator]), int(model.actuator_gaintype[actuator]))
    biased = int(model.actuator_biastype[actuator])
    if kinds == (0, 0) and biased == 0:
        return "torque", ""
    if kinds == (0, 0) and biased == AFFINE and bias[0] == 0.0:
        if bias[1] == -gain[0]:
            return "position", ""
        if bias[1] == 0.0 and bias[2] == -gain[0]:
            return "velocity", ""
    return "other", f"MuJoCo: dynamics {kinds[0]}, gain {kinds[1]} {gain}, bias {biased} {bias}"


def _range(limited: Any, bounds: Any) -> tuple[float, float]:
    """The two ends of a range; infinite where there is none."""
    low, high = (float(bounds[0]), float(bounds[1])) if limited else (-ENDLESS, ENDLESS)
    return (low if low > -ENDLESS else -math.inf, high if high < ENDLESS else math.inf)
