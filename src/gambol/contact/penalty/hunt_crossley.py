"""Penalty contact of round bodies: Hertz's spring with damping that grows with depth, and smooth friction.

    normal    F = k d^(3/2) (1 - 3/2 a v_n)            [Hunt and Crossley 1975]     never less than 0
    friction  F_t = -mu F v_t / sqrt(v_t^2 + s^2)

d: depth; v_n: speed out of the ground; s: stiction speed. The force begins and ends at 0, without the jump of a plain
damper, and a slow impact at speed v rebounds with e = 1 - a v. There is no true stiction: under a fraction p of mu F a
contact slides at p s / sqrt(1 - p^2).
"""

from dataclasses import dataclass, fields

from gambol.contact.penalty.law import NormalForce
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, maximum, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class HuntCrossley:
    """Contact parameters of one contact point.

    stiffness k [N/m^1.5]; dissipation a [s/m]; friction mu; stiction_speed s [m/s]; deepest: depth beyond which the
    spring force is constant [m].
    """

    stiffness: Scalar
    dissipation: Scalar = 0.0
    friction: Scalar = 0.0
    stiction_speed: Scalar = 1e-3
    deepest: Scalar = 1.0

    @property
    def restitution(self) -> float:
        """Restitution for contact methods on velocities: 0, since dissipation acts only with the spring."""
        return 0.0

    @property
    def alpha(self) -> float:
        """Strength of the exponential spring: 0, since there is none."""
        return 0.0

    def check(self) -> None:
        """Raise WorldError where one of the numbers is invalid."""
        for f in fields(self):
            value = getattr(self, f.name)
            if not 0.0 <= value < float("inf") or (value == 0.0 and f.name in ("stiction_speed", "deepest")):
                expected = "more than 0" if f.name in ("stiction_speed", "deepest") else "0 or more"
                raise WorldError(f"the ground's {f.name} is {value}; it must be {expected}, and finite")


def hertz_force(parameters: HuntCrossley, depth: Scalar, separation_speed: Scalar) -> NormalForce:
    """Return the normal force of the ground.

    parameters: parameters of the contact; depth [m], negative above the ground; separation_speed: speed out of the
    ground [m/s].
    """
    d = clamp(depth, 0.0, parameters.deepest)
    spring = parameters.stiffness * d * sqrt(d)
    energy = 0.4 * spring * d + spring * (maximum(depth, 0.0) - d)
    force = where(depth > 0.0, maximum(spring * (1.0 - 1.5 * parameters.dissipation * separation_speed), 0.0), 0.0)
    return NormalForce(force, energy, (spring - force) * separation_speed)


def smooth_friction(parameters: HuntCrossley, normal_force: Scalar, slip: Vector) -> tuple[Vector, Scalar]:
    """Return the friction force [N], and its power loss [W].

    parameters: parameters of the contact; normal_force [N]; slip: velocity along the ground [m/s].
    """
    force = slip * (
        -parameters.friction
        * normal_force
        / sqrt(slip.dot(slip) + parameters.stiction_speed * parameters.stiction_speed)
    )
    return force, -force.dot(slip)
