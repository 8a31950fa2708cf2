"""The model that a file describes: a figure, its springs and motors, gravity, medium, and initial state."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from gambol.errors import FigureError, GambolError, did_you_mean
from gambol.figure import JOINTS, Figure, Springs, Triple, resolve_springs
from gambol.formats.matter_tables import MatterTables
from gambol.formats.motor_law import MotorLaw
from gambol.formats.sensor_entry import SensorEntry, check_entries
from gambol.formats.tendon import Tendon, check_tendons

Hold: TypeAlias = bool | Sequence[float] | Mapping[str, Sequence[float]]
"""True for gains from the masses; stiffness and damping for all servos, or for some servos by name; False: none."""

MotorKind: TypeAlias = Literal["torque", "position", "velocity", "muscle", "general", "other"]

UNIT_TOLERANCE = 1e-9  # largest deviation of a quaternion's length from 1; longer and shorter ones are rejected

MAX_LINKS = 2000  # per file: reading them takes seconds, and compiling their program far longer

EARTH_GRAVITY: Triple = (0.0, 0.0, -9.81)


@dataclass(frozen=True, slots=True)
class Motor:
    """An actuator at a joint or along a tendon, as data: it does nothing until a controller uses it.

    joint: name of the link whose joint it moves; empty for a motor along a tendon. tendon: name of the tendon, or
    empty. Below, q and v are the position and velocity of the joint, or the length of the tendon and its rate. kind:
    "torque" (force = gear gain u), "position" (force = gear (gain (u - gear q) - damping gear v)), "velocity" (force =
    gear gain (u - gear v)), "muscle" and "general" (with the force of its law at length gear q), or "other", described
    by its note. gear: one number for each velocity of the joint. u: the command, with the limits lower and upper. gain:
    gain of the kinds torque, position and velocity [N m, N m/rad, N m s/rad; N, N/m, N s/m at a prismatic joint].
    damping [N m s/rad or N s/m]. weakest, strongest: lower and upper limit of the signed force before the gear [N m or
    N]. delay: time after which a command reaches the motor [s].
    """

    name: str
    joint: str
    kind: MotorKind = "torque"
    gear: tuple[float, ...] = (1.0,)
    gain: float = 1.0
    damping: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    weakest: float = -math.inf
    strongest: float = math.inf
    note: str = ""
    tendon: str = ""
    law: MotorLaw | None = None
    delay: float = 0.0


@dataclass(frozen=True)
class Model:
    """The content of a figure file, URDF or MJCF, independent of the format.

    springs: springs by link name, as for World. motors: the actuators of the file. q (nq), v (nv): initial positions
    and velocities; empty: every joint at its rest position, without motion. tendons, sensors: tendons and sensors of
    the file. gravity: acceleration in world axes [m/s2]. ground: True if the file has a ground, the plane z = 0. notes:
    sentences on approximations and omissions. density [kg/m3], viscosity [Pa s]: properties of the medium in which the
    figure moves, 0 for none. matter: cloth, ropes, meshes and particles, as tables. hold: gains with which the
    motors hold the initial pose, see Hold and held_model(). Raises FigureError for inconsistent fields.
    """

    figure: Figure
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    motors: tuple[Motor, ...] = ()
    q: tuple[float, ...] = ()
    v: tuple[float, ...] = ()
    gravity: Triple = EARTH_GRAVITY
    ground: bool = False
    notes: tuple[str, ...] = ()
    density: float = 0.0
    viscosity: float = 0.0
    tendons: tuple[Tendon, ...] = ()
    sensors: tuple[SensorEntry, ...] = ()
    matter: MatterTables | None = None
    hold: Hold = False

    def __post_init__(self) -> None:
        resolve_springs(self.figure, self.springs)
        springs = {name: s[0] if isinstance(s, tuple) and len(s) == 1 else s for name, s in self.springs.items()}
        object.__setattr__(self, "springs", springs)
        rest = tuple(x for link in self.figure.links for x in JOINTS[link.joint.kind].rest)
        object.__setattr__(self, "q", _state_vector(self.q, rest, "positions q"))
        object.__setattr__(self, "v", _state_vector(self.v, (0.0,) * self.figure.nv, "velocities v"))
        for link in self.figure.links:
            length = math.hypot(*self.q[link.q.start : link.q.start + 4])
            if JOINTS[link.joint.kind].has_quaternion and abs(length - 1.0) > UNIT_TOLERANCE:
                raise FigureError(f'"{link.name}" starts with a quaternion of length {length:g}; its length must be 1')
        if len(self.gravity) != 3 or not all(map(math.isfinite, self.gravity)):
            raise FigureError(f"gravity is {self.gravity} m/s2; give three finite numbers")
        if not (0.0 <= self.density < math.inf and 0.0 <= self.viscosity < math.inf):
            raise FigureError(
                f"the medium has a density of {self.density} kg/m3 and a viscosity of {self.viscosity} Pa s; "
                "give 0 or more, and finite"
            )
        check_tendons(self.tendons, self.figure)
        _check_motors(self.motors, self.figure, {tendon.name for tendon in self.tendons})
        check_entries(self.sensors)


def check_size(links: int, where: str) -> None:
    """Raise GambolError for too many links. links: number of links. where: the file, for the message."""
    if links > MAX_LINKS:
        raise GambolError(f"{where}: it has {links} links or bodies; {MAX_LINKS} at most are read")


def _state_vector(values: Iterable[float], rest: tuple[float, ...], name: str) -> tuple[float, ...]:
    """Return values as floats, or rest if there are none. name: name of the values, for the message.

    Raises FigureError for a wrong count of values, or a value that is not finite.
    """
    numbers = tuple(float(x) for x in values) or rest
    if len(numbers) != len(rest) or not all(map(math.isfinite, numbers)):
        raise FigureError(f"the initial state has {len(numbers)} {name}; give {len(rest)} finite numbers")
    return numbers


def _check_motors(motors: tuple[Motor, ...], figure: Figure, tendons: Collection[str]) -> None:
    """Raise FigureError for duplicate names, unknown joints or tendons, and impossible numbers."""
    names: set[str] = set()
    for motor in motors:
        label = f'the motor "{motor.name}"'
        if motor.name in names:
            raise FigureError(f"{label} is defined twice; give one of them another name")
        names.add(motor.name)
        if motor.kind not in get_args(MotorKind):
            raise FigureError(f'{label} is of kind "{motor.kind}"; {did_you_mean(motor.kind, get_args(MotorKind))}')
        if (motor.kind in ("muscle", "general")) != (motor.law is not None):
            raise FigureError(f'{label} is of kind "{motor.kind}"; only muscles and general motors have a law')
        _check_transmission(motor, label, figure, tendons)
        if not all(map(math.isfinite, (*motor.gear, motor.gain, motor.damping))):
            raise FigureError(f"{label} has a gear, gain or damping that is not finite")
        if not 0.0 <= motor.delay < math.inf:
            raise FigureError(f"{label} has a delay of {motor.delay} s; give 0 or more")
        if not (motor.lower <= motor.upper and motor.weakest <= motor.strongest):
            raise FigureError(f"{label} has a range whose lower end lies above its upper end")


def _check_transmission(motor: Motor, label: str, figure: Figure, tendons: Collection[str]) -> None:
    """Raise FigureError unless a motor has a joint with a gear for each velocity, or a tendon with one gear."""
    if motor.tendon:
        if motor.tendon not in tendons:
            raise FigureError(f'{label} pulls at the tendon "{motor.tendon}"; {did_you_mean(motor.tendon, tendons)}')
        if motor.joint or len(motor.gear) != 1:
            raise FigureError(f"{label} has a tendon; give it one gear, and no joint")
        return
    link = figure.link(motor.joint)
    if len(motor.gear) != link.v.stop - link.v.start:
        raise FigureError(
            f'{label} has {len(motor.gear)} gears; the {link.joint.kind} joint of "{link.name}" takes '
            f"{link.v.stop - link.v.start}, one for each of its velocities"
        )
