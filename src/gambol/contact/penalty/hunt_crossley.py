"""Penalty contact of round bodies: Hertz's spring with damping that grows with depth, and friction without a corner.

    normal    F = k d^(3/2) (1 - 3/2 a v_n)            [Hunt and Crossley 1975]     never less than 0
    friction  F_t = -mu F v_t / sqrt(v_t^2 + s^2)

d: depth; v_n: speed out of the ground. The force begins and ends at 0, without the jump of a plain damper, and a slow
impact at speed v rebounds with e = 1 - a v. Friction creeps: under a part p of mu F it slides at p s / sqrt(1 - p^2).
"""

from dataclasses import dataclass, fields

from gambol.contact.penalty.law import Push
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, maximum, sqrt, where
from gambol.spatial import Vector


@dataclass(frozen=True, slots=True)
class HuntCrossley:
    """The numbers of a touch at one contact point.

    stiffness k [N/m^1.5]; dissipation a [s/m]; friction mu; creep s [m/s]; deepest: depth beyond which the spring grows
    no more [m].
    """

    stiffness: Scalar
    dissipation: Scalar = 0.0
    friction: Scalar = 0.0
    creep: Scalar = 1e-3
    deepest: Scalar = 1.0

    @property
    def restitution(self) -> float:
        """Of methods on velocities, which have no springs: what lands stays."""
        return 0.0

    @property
    def alpha(self) -> float:
        """There is no exponential spring."""
        return 0.0

    def check(self) -> None:
        """Raise WorldError where one of the numbers cannot be."""
        for f in fields(self):
            value = getattr(self, f.name)
            if not 0.0 <= value < float("inf") or (value == 0.0 and f.name in ("creep", "deepest")):
                least = "more than 0" if f.name in ("creep", "deepest") else "0 or more"
                raise WorldError(f"the ground's {f.name} is {value}; it must be {least}, and finite")


def hertz_push(touch: HuntCrossley, depth: Scalar, leaving: Scalar) -> Push:
    """What the ground does along its normal; depth [m], negative above it; leaving: speed out of the ground [m/s]."""
    d = clamp(depth, 0.0, touch.deepest)
    spring = touch.stiffness * d * sqrt(d)
    energy = 0.4 * spring * d + spring * (maximum(depth, 0.0) - d)
    force = where(depth > 0.0, maximum(spring * (1.0 - 1.5 * touch.dissipation * leaving), 0.0), 0.0)
    return Push(force, energy, (spring - force) * leaving)


def smooth_pull(touch: HuntCrossley, push: Scalar, slip: Vector) -> tuple[Vector, Scalar]:
    """Friction under a push [N] at a slip [m/s], and the power it takes [W]."""
    force = slip * (-touch.friction * push / sqrt(slip.dot(slip) + touch.creep * touch.creep))
    return force, -force.dot(slip)
