"""Forces of an actuator in a large step: linearly implicit, and explicit as far as a step allows.

With the gains k and d of a servo, its force in a step from v to v+ acts on the position and the velocity

    F = k (r - q - h a v+) - d ((1 - b) v + b v+)        a: 0 to 1        b: 1/2 to 1

where r - q is the error in the middle of the step, and r of a moving target is taken h a later. With a = b = 1 it is
implicit: a force of first order, which is stable for any gain. With a = 0 and b = 1/2 it is explicit: the force at the
middle of the step and at the mean of the velocities, of second order. A gain counts for the stability of a step like a
spring and a damper (contact/stepping/implicit_part.py), which finds the least a and b of each joint. By the midpoint
rule a share m of k acts at the mean of the positions before and after the step: F also has the term
-k h m (v+ - v) / 4.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class Gains:
    """The gains of an actuator at one velocity of its joints.

    stiffness: k, decrease of its force per position [N m/rad or N/m]. damping: d, decrease per velocity [N m s/rad or N
    s/m]. Both are 0 or more.
    """

    stiffness: Scalar
    damping: Scalar


@dataclass(frozen=True, slots=True)
class ImplicitShares:
    """The shares of a servo's gains that are implicit in a large step. stiffness: a. damping: b. midpoint: m."""

    stiffness: Scalar = 1.0
    damping: Scalar = 1.0
    midpoint: Scalar = 0.0

    def damping_of(self, gains: Gains, h: Scalar) -> tuple[Scalar, Scalar]:
        """Return damping and mean_damping of an ImplicitForce in a step of h [s].

        They are h (a + m / 4) k + b d, and 2 (1 - b) d.
        """
        share = self.stiffness if is_constant(self.midpoint, 0.0) else self.stiffness + 0.25 * self.midpoint
        decrease = share * h * gains.stiffness + self.damping * gains.damping
        return decrease, 2.0 * (1.0 - self.damping) * gains.damping


IMPLICIT = ImplicitShares()
"""The shares of an actuator that is implicit as a whole."""


@dataclass(frozen=True, slots=True)
class ImplicitForce:
    """Forces of an actuator in a large step, one for each velocity of its joints.

    tau: at constant velocity [N m or N]: at the end of the step, or for a servo with ImplicitShares a share a of a step
    after its middle. damping: decrease per velocity at the end of the step, 0 or more [N m s/rad or N s/m]. arms: r of
    a path whose tension decreases by c = path_damping per rate of the path, 0 or more [N s/m], so that the forces
    decrease by the matrix r c r^T per velocity; empty: 0. expected: takes the velocities at the end, returns an
    estimate of the rates of its state in the step [1/s]; None: there is none. mean_damping: the decrease per mean
    velocity of the step that is in both; a landing within the step divides it, see contact/stepping/landing.py; empty:
    0.
    """

    tau: Sequence[Scalar]
    damping: Sequence[Scalar]
    arms: Sequence[Scalar] = ()
    path_damping: Scalar = 0.0
    expected: Callable[[Sequence[Scalar]], Mapping[str, Scalar]] | None = None
    mean_damping: Sequence[Scalar] = ()

    def at_end(self, v_start: Sequence[Scalar], v_end: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces of a step [N m or N]; v_start, v_end: velocities at the start and the end."""
        changes = [b - a for a, b in zip(v_start, v_end, strict=True)]
        forces = [f - B * dv for f, B, dv in zip(self.tau, self.damping, changes, strict=True)]
        if not self.arms:
            return forces
        decrease = self.path_damping * sum((r * dv for r, dv in zip(self.arms, changes, strict=True)), 0.0)
        return [f - r * decrease for f, r in zip(forces, self.arms, strict=True)]
