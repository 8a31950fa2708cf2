"""The numbers of springs, limits and motors of a figure's joints in a pile, from those of a figure."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from gambol.actuation import Servo
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure, JointSpring, Springs, resolve_springs
from gambol.figure.link import PlacedLink
from gambol.rigid.joint_laws import LawNumbers
from gambol.rigid.pile_joints import without_laws

Array = NDArray[Any]

COORDINATES: dict[str, tuple[int, ...]] = {
    "fixed": (),
    "revolute": (2,),
    "prismatic": (5,),
    "cylindrical": (2, 5),
    "universal": (0, 1),
    "planar": (2, 3, 4),
    "spherical": (0, 1, 2),
}
"""The row of each velocity of a joint, see joint_point.py."""

BALL_AXIS = 2
"""The row of a spherical joint along its rotation vector."""


def joint_numbers(
    figure: Figure,
    links: Sequence[PlacedLink],
    springs: Mapping[str, Springs],
    servos: Mapping[str, Servo],
    *,
    always: bool,
) -> Array | None:
    """Return the numbers of joints (fields of LawNumbers, 6, joints); None if there are none.

    links: the links of the joints; springs, servos: see linked_bodies(). always: True for numbers in any case. Raises
    WorldError for springs and servos at joints without coordinates or of unknown links; for exponential springs,
    friction at an orientation, and a rest angle or a limit of a rotation beyond half a turn; and for servos with a
    power, or at joints with several coordinates.
    """
    names = [link.name for link in links]
    for name in (*springs, *servos):
        if name not in names:
            figure.link(name)  # raises FigureError for an unknown one
            raise WorldError(f'"{name}" has springs or a servo, but no joint in a pile; {did_you_mean(name, names)}')
    numbers = without_laws(len(links))
    for link, spring_list in ((figure.link(name), each) for name, each in resolve_springs(figure, springs).items()):
        rows = COORDINATES[link.joint.kind]
        column = names.index(link.name)
        if link.joint.kind == "spherical":
            _set_ball(numbers[:, :, column], link.name, spring_list[0])
            continue
        for row, spring in zip(rows, spring_list, strict=True):
            _set_row(numbers[:, row, column], _of_spring(link.name, spring, turns=row < BALL_AXIS + 1))
    for name, servo in servos.items():
        rows = COORDINATES[figure.link(name).joint.kind]
        if len(rows) != 1:
            raise WorldError(f'"{name}" has a servo at a joint with {len(rows)} coordinates; a servo needs one')
        _set_row(numbers[:, rows[0], names.index(name)], _of_servo(name, servo))
    rotors = [link.joint.armature for link in links]
    for column, (link, rotor) in enumerate(zip(links, rotors, strict=True)):
        for row in COORDINATES[link.joint.kind]:
            _set_row(numbers[:, row, column], {"rotor": rotor})
    return numbers if springs or servos or always or any(rotors) else None


def _set_row(row: Array, values: Mapping[str, float]) -> None:
    """Set the numbers of one motion."""
    for name, value in values.items():
        row[LawNumbers._fields.index(name)] = value


def _set_ball(rows: Array, name: str, spring: JointSpring) -> None:
    """Set the numbers of a spherical joint (fields, 6): the spring acts along the rotation vector."""
    if spring.friction:
        raise WorldError(f'the joint of "{name}" has friction at an orientation; a pile has none, give a damping')
    numbers = _of_spring(name, spring, turns=True) | {"lower": -math.inf, "soft_lower": -math.inf}
    _set_row(rows[:, BALL_AXIS], numbers)
    for row in range(BALL_AXIS):
        _set_row(rows[:, row], {key: numbers[key] for key in ("stiffness", "damping")})


def _of_spring(name: str, spring: JointSpring, *, turns: bool) -> dict[str, float]:
    """Return the numbers of a spring; turns: whether its coordinate is an angle."""
    if spring.alpha and spring.beta:
        raise WorldError(f'the joint of "{name}" has an exponential spring; a pile has linear ones only')
    ends = [x for x in (spring.lower, spring.upper) if math.isfinite(x)]
    if turns and any(abs(x) >= math.pi for x in (spring.rest, *ends)):
        raise WorldError(
            f'the joint of "{name}" has a rest angle or limits of {[spring.rest, *ends]} rad; angles of a pile lie '
            "between -pi and pi"
        )
    soft = bool(spring.limit_stiffness or spring.limit_damping)
    lower, upper = ("soft_lower", "soft_upper") if soft else ("lower", "upper")
    same = ("stiffness", "rest", "damping", "friction", "bias", "limit_stiffness", "limit_damping")
    return (
        {key: getattr(spring, key) for key in same}
        | {lower: spring.lower, upper: spring.upper}
        | {
            key: -math.inf if "lower" in key else math.inf
            for key in ("lower", "upper", "soft_lower", "soft_upper")
            if key not in (lower, upper)
        }
    )


def _of_servo(name: str, servo: Servo) -> dict[str, float]:
    """Return the numbers of a servo."""
    if math.isfinite(servo.power):
        raise WorldError(
            f'the servo of "{name}" has a power of {servo.power} W; a pile has servos without a limit of it'
        )
    return {
        "servo_stiffness": servo.stiffness,
        "servo_damping": servo.damping,
        "strength": servo.strength,
        "target_lower": servo.lower,
        "target_upper": servo.upper,
    }
