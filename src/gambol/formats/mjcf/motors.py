"""The actuators of a compiled MJCF model as motors, at joints and along tendons."""

from collections.abc import Mapping
from typing import Any

from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.forces import limits_of
from gambol.formats.mjcf.tree import BALL, FREE, Names
from gambol.formats.model import Motor, MotorKind
from gambol.formats.motor_law import Bias, Dynamics, Gain, MotorLaw

JOINT_TRANSMISSIONS = (0, 1)  # mjtTrn of actuators on joints: mjTRN_JOINT, mjTRN_JOINTINPARENT
TENDON = 3  # mjTRN_TENDON
AFFINE = 1  # mjBIAS_AFFINE: a bias of the force that is linear in length and velocity

DYNAMICS: Mapping[int, Dynamics] = {0: "none", 1: "integrator", 2: "filter", 3: "filterexact", 4: "muscle"}
GAINS: Mapping[int, Gain] = {0: "fixed", 1: "affine", 2: "muscle"}
BIASES: Mapping[int, Bias] = {0: "none", 1: "affine", 2: "muscle"}
"""The kinds of mjtDyn, mjtGain and mjtBias that gambol simulates."""

TIME_CONSTANT_COUNTS = {"filter": 1, "filterexact": 1, "muscle": 3}  # by kind of dynamics; 0 for the others
PARAMETER_COUNTS = {"none": 0, "fixed": 1, "affine": 3}  # by kind of gain or bias

PASSIVE_ACTUATORS = "Actuators are kept as data: nothing drives them until a controller does."
"""The note that the motors of a file are not driven."""


def motors_of(mjcf: CompiledMjcf, names: Names, tendons: Mapping[int, str], notes: set[str]) -> tuple[Motor, ...]:
    """Return the actuators on joints and tendons as motors.

    names: names of the links. tendons: names of tendons by number. notes: receives sentences on omitted actuators.
    """
    model, motors = mjcf.model, list[Motor]()
    used: set[str] = set()
    for actuator in range(model.nu):
        name = mjcf.name("actuator", actuator) or f"motor{actuator + 1}"
        target, transmission = int(model.actuator_trnid[actuator][0]), int(model.actuator_trntype[actuator])
        if transmission not in (*JOINT_TRANSMISSIONS, TENDON):
            notes.add(f'Left out: actuator "{name}", which acts on neither a joint nor a tendon.')
        elif transmission != TENDON and int(model.jnt_type[target]) == FREE:
            notes.add(f'Left out: actuator "{name}", which acts on a free joint.')
        else:
            while name in used:
                name += "'"
            used.add(name)
            along = transmission == TENDON
            ends = ("", tendons[target]) if along else (names.joints[target], "")
            if bool(model.actuator_actearly[actuator]):
                notes.add(
                    f'The force of actuator "{name}" follows from the activation at the start of a step (no actearly).'
                )
            is_ball = not along and int(model.jnt_type[target]) == BALL
            motors.append(_motor(model, actuator, name, ends, 3 if is_ball else 1))
    if motors:
        notes.add(PASSIVE_ACTUATORS)
    return tuple(motors)


def _motor(model: Any, actuator: int, name: str, ends: tuple[str, str], gears: int) -> Motor:
    """Return a motor. ends: the names of its link and of its tendon, one of them empty. gears: number of its gears."""
    gain = model.actuator_gainprm[actuator].tolist()
    bias = model.actuator_biasprm[actuator].tolist()
    kind, note, law = _motor_kind(model, actuator, gain, bias)
    lower, upper = limits_of(model.actuator_ctrllimited[actuator], model.actuator_ctrlrange[actuator])
    weakest, strongest = limits_of(model.actuator_forcelimited[actuator], model.actuator_forcerange[actuator])
    return Motor(
        name,
        ends[0],
        kind,
        tuple(float(x) for x in model.actuator_gear[actuator][:gears]),
        gain[0] if law is None else 1.0,
        -bias[2] if kind == "position" else 0.0,
        lower,
        upper,
        weakest,
        strongest,
        note,
        ends[1],
        law,
    )


def _motor_kind(
    model: Any, actuator: int, gain: list[float], bias: list[float]
) -> tuple[MotorKind, str, MotorLaw | None]:
    """Return the kind of motor of an actuator, a note, and a law.

    For the kind "other", the note gives MuJoCo's parameters; for all other kinds it is empty. The kinds "general" and
    "muscle" have a law; for all other kinds it is None.
    """
    types = (int(model.actuator_dyntype[actuator]), int(model.actuator_gaintype[actuator]))
    bias_type = int(model.actuator_biastype[actuator])
    if types == (0, 0) and bias_type == 0:
        return "torque", "", None
    if types == (0, 0) and bias_type == AFFINE and bias[0] == 0.0:
        if bias[1] == -gain[0]:
            return "position", "", None
        if bias[1] == 0.0 and bias[2] == -gain[0]:
            return "velocity", "", None
    if types[0] in DYNAMICS and types[1] in GAINS and bias_type in BIASES:
        law = _law(model, actuator, gain, bias)
        return ("muscle" if law.is_muscle else "general"), "", law
    return "other", f"MuJoCo: dynamics {types[0]}, gain {types[1]} {gain}, bias {bias_type} {bias}", None


def _law(model: Any, actuator: int, gain: list[float], bias: list[float]) -> MotorLaw:
    """Return the law of a general actuator. The flag actearly is ignored."""
    dynamics = DYNAMICS[int(model.actuator_dyntype[actuator])]
    gain_kind, bias_kind = GAINS[int(model.actuator_gaintype[actuator])], BIASES[int(model.actuator_biastype[actuator])]
    times = tuple(float(x) for x in model.actuator_dynprm[actuator][: TIME_CONSTANT_COUNTS.get(dynamics, 0)])
    acc0 = float(model.actuator_acc0[actuator])
    shortest, longest = (float(x) for x in model.actuator_lengthrange[actuator])
    lowest, highest = limits_of(model.actuator_actlimited[actuator], model.actuator_actrange[actuator])
    return MotorLaw(
        dynamics,
        gain_kind,
        bias_kind,
        times,
        _parameters(gain_kind, gain, acc0),
        _parameters(bias_kind, bias, acc0),
        shortest,
        longest,
        lowest,
        highest,
    )


def _parameters(kind: str, numbers: list[float], acc0: float) -> tuple[float, ...]:
    """Return the parameters of a gain or a bias.

    A muscle with a negative force parameter has the force scale / acc0. acc0: its acceleration per unit force at qpos0.
    """
    if kind != "muscle":
        return tuple(numbers[: PARAMETER_COUNTS[kind]])
    low, high, force, scale, *curves = numbers[:9]
    return (low, high, force if force >= 0.0 else scale / max(acc0, MIN_ACCELERATION), *curves)


MIN_ACCELERATION = 1e-15
"""Minimum acceleration by which MuJoCo divides (mjMINVAL)."""
