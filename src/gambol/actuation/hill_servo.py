"""Servos with the force-velocity curve of muscles: their strength falls with the speed of the joint.

    tau = k (target - q) - d v, clamped to +-limit      limit = min(strength V(s), power / |v|)

    driving, tau v >= 0   s = -|v| / max_speed, V = (1 + s) / (1 - K s), 0 below s = -1                  [Hill 1938]
    braking, tau v < 0    s = |v| / max_speed,  V = N + (N - 1) (s - 1) / (7.56 K s + 1); no power limit

V is the curve of Geyer, Seyfarth and Blickhan 2003, see muscle/curves/geyer_herr.py. With K = 4, the joint delivers its
largest power, 0.095 strength max_speed, at 0.31 max_speed. The ledger counts all work as motor work.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, Numbers
from gambol.actuation.implicit_force import Gains, ImplicitForce
from gambol.actuation.limited_force import implicit_limited, limit_in_step, limited_force
from gambol.actuation.muscle.curves.geyer_herr import velocity_2003
from gambol.actuation.servo import Servo
from gambol.errors import WorldError
from gambol.lanes import Scalar, jacobian, maximum, where

CURVE = {"eccentric": 1.5, "curvature": 4.0}
"""N: strength of a lengthening muscle divided by its strength at rest. K: F0 / a of Hill's hyperbola; a / F0 of
vertebrate muscles is near 1/4. [Hill 1938; Zajac 1989]"""

PEAK_POWER = (math.sqrt(1.0 + CURVE["curvature"]) - 1.0) ** 2 / CURVE["curvature"] ** 2
"""Largest power divided by strength times max_speed: the maximum of s (1 - s) / (1 + K s)."""

MIN_SPEED_FRACTION = 1e-9
"""The least speed of a driving joint divided by max_speed, so that a joint at rest has the slope of shortening
muscles."""

UNLIMITED_POWER = 1e30
"""A power above that of any joint, which is finite in float32 [W]."""


@dataclass(frozen=True, slots=True)
class HillServo(Actuator):
    """A servo at a joint with one degree of freedom, as strong as a muscle at each speed. Its command is the target.

    lower, upper, stiffness, damping, joints: as for a Servo. strength: largest torque or force at rest [N m or N].
    max_speed: speed of the joint at which its driving force is 0 [rad/s or m/s]. power: largest power while it drives
    [W]. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "hill servo"
    commands: ClassVar[tuple[str, ...]] = ("target",)
    held: ClassVar[bool] = False

    lower: float
    upper: float
    stiffness: float
    damping: float
    strength: float
    max_speed: float
    power: float = UNLIMITED_POWER
    joints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        Servo(self.lower, self.upper, self.stiffness, self.damping, self.strength, self.power)  # the same checks
        for name in ("strength", "max_speed", "power"):
            if not 0.0 < (value := getattr(self, name)) < math.inf:
                raise WorldError(f"an actuator's {name} is {value}; it must be more than 0, and finite")

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its torque or force [N m or N]."""
        unlimited = _unlimited_force(numbers, at.commands[0] - at.q[0], at.v[0])
        return [limited_force(_limits(numbers, unlimited, at.v[0])[0], unlimited, at.v[0]).tau]

    def gains(self, numbers: Numbers) -> Gains:
        """Return its stiffness and damping."""
        return Gains(numbers["stiffness"], numbers["damping"])

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its force in a large step, like a servo with the limits at the start of the step.

        While the curve limits the force, the slope of the curve is added to the damping.
        """
        v, shares = at.v[0], at.implicit
        unlimited = _unlimited_force(numbers, at.commands[0] - at.q[0] - shares.stiffness * h * v, v)
        limits, slope = _limits(numbers, unlimited, v)
        force = limited_force(limits, unlimited, v)
        damping = shares.damping_of(self.gains(numbers), h)
        implicit = implicit_limited(limits, force, damping, v, inertias[0], h)
        return replace(implicit, damping=[implicit.damping[0] + where(force.saturated, slope, 0.0)])

    @property
    def has_limit(self) -> bool:
        """True: its force is limited by its curve and its power."""
        return True

    def force_limit(self, numbers: Numbers, at: ActuatorInput, direction: Scalar, v_end: Scalar) -> Scalar:
        """Return its limit in a large step: the larger strength of those at both ends, within its power."""
        start, end = (_limits(numbers, direction, v)[0]["strength"] for v in (at.v[0], v_end))
        power = _limits(numbers, direction, at.v[0] + v_end)[0]["power"]
        return limit_in_step({"strength": maximum(start, end), "power": power}, at.v[0], v_end)


def _unlimited_force(numbers: Numbers, error: Scalar, v: Scalar) -> Scalar:
    """Return the torque or force without limits [N m or N]; arguments: as for servo()."""
    return numbers["stiffness"] * error - numbers["damping"] * v


def _limits(numbers: Numbers, unlimited: Scalar, v: Scalar) -> tuple[Numbers, Scalar]:
    """Return strength and power at a velocity, and the slope of the strength [N m s/rad or N s/m], 0 or more.

    unlimited: torque or force without limits; its sign says whether the joint is driven.
    """
    drives, speed = unlimited * v >= 0.0, abs(v) / numbers["max_speed"]
    s = where(drives, -maximum(speed, MIN_SPEED_FRACTION), speed)
    (V,), ((slope,),) = jacobian(lambda x: [velocity_2003(CURVE, x[0], 1.0)], [s])
    limits = {
        "strength": numbers["strength"] * maximum(V, 0.0),
        "power": where(drives, numbers["power"], UNLIMITED_POWER),
    }
    return limits, where(V > 0.0, slope, 0.0) * numbers["strength"] / numbers["max_speed"]
