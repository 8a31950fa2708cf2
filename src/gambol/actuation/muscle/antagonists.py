"""Antagonists: two muscles that hold a joint at a rest angle with a stiffness, as a spring with a moving rest angle.

Both muscles have the moment arm r, rigid tendons, and the fibre length w at the middle of their range, on the ascending
limb of the active curve A. With activations a+ and a-, fibre lengths l+ and l-, and maximal speed V,

    tau = r F0 (a+ A(l+) - a- A(l-))                                  l+- = w -+ r (q - middle) / l0
    tau = 0 at q = rest       if  a+ : a- = A(l-) : A(l+), lengths at rest
    -dtau/dq = K at q = rest  if  a+- = k A(l-+) / (A(l+) A'(l-) + A(l-) A'(l+)),  k = K l0 / (r^2 F0)

Both are exact for every curve without passive forces below w. In the middle, a+ = a- = k / (2 A'(w)) = a, the
co-contraction. The fibres follow from a and the reach d, the distance from the middle to an end of the range. d is such
that the tangent of A at w reaches 0 at the end of the range:

    l0 = r d A'(w) / A(w)        F0 = K l0 / (2 a A'(w) r^2)        B = K V'(0) A(w) / (A'(w) max_velocity)

B is the damping of the pair in the middle. With MuJoCo's curve and w = 0.75, A = 0.5, A' = 4 and V' = 2: l0 = 8 r d, F0
= K l0 / (8 a r^2), B = K / (4 max_velocity). The derivation is ours.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.curve_set import CurveSet
from gambol.actuation.muscle.curves.table import curves_named
from gambol.actuation.muscle.muscle import Muscle
from gambol.actuation.muscle.path import Pulley, PulleyPath
from gambol.errors import WorldError
from gambol.lanes import Scalar, jvp


@dataclass(frozen=True, slots=True)
class Antagonists:
    """Two muscles at a joint with one degree of freedom, designed for a stiffness and a range of rest angles.

    joint: name of its link. stiffness: K, at every rest angle [N m/rad]. middle: middle of the range of rest angles
    [rad]. reach: distance from the middle to either end of the range [rad]. radius: moment arm of both [m].
    co_contraction: activation of both in the middle. max_velocity: velocity of shortening [optimal lengths per second].
    rise: time of the activation dynamics of first order [s]. working_length: working length of the fibres in the middle
    [optimal lengths]. curves: a row of CURVES; its active curve must rise at the working length. positive, negative:
    the muscles that pull towards greater and smaller q. Raises WorldError for invalid numbers, and for excitations
    above 1 within the reach.
    """

    joint: str
    stiffness: float
    middle: float
    reach: float
    radius: float
    co_contraction: float = 0.25
    max_velocity: float = 10.0
    rise: float = 0.01
    working_length: float = 0.75
    curves: str = "mujoco"
    positive: Muscle = field(init=False)
    negative: Muscle = field(init=False)

    def __post_init__(self) -> None:
        for name in ("stiffness", "reach", "radius", "co_contraction", "rise"):
            if not 0.0 < getattr(self, name) < math.inf:
                value = getattr(self, name)
                raise WorldError(f'antagonists at "{self.joint}" have the {name} {value}; it must be more than 0')
        object.__setattr__(self, "positive", self._muscle(1.0))
        object.__setattr__(self, "negative", self._muscle(-1.0))
        for rest in (self.middle - self.reach, self.middle, self.middle + self.reach):
            if max(activations := self.excitations(self.numbers(), rest)) > 1.0:
                raise WorldError(
                    f'antagonists at "{self.joint}" need the excitation {max(activations):.3g} to rest at {rest:.3g} '
                    "rad; give less co_contraction, or a greater reach"
                )

    @property
    def damping(self) -> float:
        """Damping of the joint by both muscles, at rest in the middle of the range [N m s/rad]."""
        curves = curves_named(self.curves)
        active, slope = self._active(curves.numbers, self.working_length)
        _, (speed_slope,) = jvp(lambda v: [curves.velocity(curves.numbers, v[0], 1.0)], [0.0], [1.0])
        return float(self.stiffness * speed_slope * active / (slope * self.max_velocity))

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of both muscles, and k = K l0 / (r^2 F0), as inputs of excitations()."""
        _, slope = self._active(curves_named(self.curves).numbers, self.working_length)
        relative = 2.0 * self.co_contraction * slope
        return {"positive": self.positive.numbers(), "negative": self.negative.numbers(), "stiffness": relative}

    def excitations(self, numbers: Mapping[str, Any], rest: Scalar) -> tuple[Scalar, Scalar]:
        """Return the excitations of the positive and the negative muscle that hold the joint at a rest angle [rad].

        numbers: as for numbers(). At constant excitations, the activations tend to the excitations.
        """
        active, other = (
            self._active(muscle["curves"], fibre_length(muscle, rest))
            for muscle in (numbers["positive"], numbers["negative"])
        )
        return balancing_excitations(active, other, numbers["stiffness"])

    def starting_at(self, rest: float) -> tuple[Muscle, Muscle]:
        """Return both muscles with the initial activations that hold the joint at a rest angle [rad]."""
        a, b = (min(max(float(x), 0.0), 1.0) for x in self.excitations(self.numbers(), rest))
        return replace(self.positive, initial_activation=a), replace(self.negative, initial_activation=b)

    def _active(self, numbers: Numbers, length: Scalar) -> tuple[Scalar, Scalar]:
        """Return A and A' of the curves at a fibre length [optimal lengths]."""
        return active_with_slope(curves_named(self.curves), numbers, length)

    def _muscle(self, sign: float) -> Muscle:
        """Return the muscle that pulls towards greater q (sign 1) or smaller q (-1)."""
        active, slope = self._active(curves_named(self.curves).numbers, self.working_length)
        if not slope > 0.0:
            raise WorldError(
                f'the active curve of "{self.curves}" does not rise at the fibre length {self.working_length}, so that '
                "antagonists there would not hold a joint; give a working_length on its ascending limb"
            )
        optimal = self.radius * self.reach * slope / active
        arm = sign * self.radius
        return Muscle(
            joints=(self.joint,),
            path=PulleyPath((Pulley(arm, self.middle - (1.0 - self.working_length) * optimal / arm),)),
            max_force=self.stiffness * optimal / (2.0 * self.co_contraction * slope * self.radius * self.radius),
            optimal_length=optimal,
            slack_length=0.0,
            max_velocity=self.max_velocity,
            curves=self.curves,
            activation_dynamics="first order",
            activation_numbers={"time": self.rise},
            rigid_tendon=True,
        )


def fibre_length(numbers: Numbers, q: Scalar) -> Scalar:
    """Return the fibre length of a muscle of a pair at a joint angle q [optimal lengths].

    numbers: numbers of the muscle.
    """
    ((radius, reference, *_),) = numbers["path"]["pulleys"]
    return 1.0 - radius * (q - reference) / numbers["optimal_length"]


def active_with_slope(curves: CurveSet, numbers: Numbers, length: Scalar) -> tuple[Scalar, Scalar]:
    """Return A and A' of curves at a fibre length [optimal lengths]; numbers: numbers of the curves."""
    (active,), (slope,) = jvp(lambda x: [curves.active(numbers, x[0])], [length], [1.0])
    return active, slope


def balancing_excitations(
    positive: tuple[Scalar, Scalar], negative: tuple[Scalar, Scalar], stiffness: Scalar
) -> tuple[Scalar, Scalar]:
    """Return a+ and a- at which the torques of a pair balance, with its stiffness.

    positive, negative: A and A' of each muscle at this length. stiffness: k = K l0 / (r^2 F0).
    """
    (gain, rise), (other_gain, other_rise) = positive, negative
    scale = stiffness / (gain * other_rise + other_gain * rise)
    return scale * other_gain, scale * gain
