"""General motors along a path, as in MuJoCo: activation dynamics, and a force that depends on length and rate.

    w' = u, (u - w) / T or a muscle's        F = gain(l, l') w + bias(l, l')        tau_k = g F dL/dq_k

l = g L: length of the path times the gear g. u: command. w: activation, or u without dynamics. An affine gain or bias
is a + b l + c l'. The gain of a muscle is -F0 A V and its bias is -F0 P, with MuJoCo's curves at the normalised length
r0 + (l - l_short) / l0, l0 = (l_long - l_short) / (r1 - r0). [MuJoCo documentation, "Computation", actuation model]
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, DrawnPath, Numbers
from gambol.actuation.along_arms import along_arms
from gambol.actuation.implicit_force import ImplicitForce
from gambol.actuation.muscle.activation import ACTIVATIONS
from gambol.actuation.muscle.curves.table import CURVES
from gambol.actuation.muscle.path import Path
from gambol.actuation.muscle.path_lines import point_lines
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.formats.motor_law import MUSCLE_PARAMETERS, MotorLaw
from gambol.lanes import Scalar, clamp, exp, jvp, maximum, minimum, where

ACTIVATION = "activation"
CURVE = CURVES["mujoco"]


@dataclass(frozen=True)
class GeneralMotor(Actuator):
    """A motor with a law of MuJoCo's general actuators, along a path over joints; its command is MuJoCo's control.

    joints: joints that the path spans, by names of links. path: the path over these joints. law: see MotorLaw. gear:
    factor of length and force. lower, upper: range of the command. weakest, strongest: limits of the force F [N], which
    may be infinite. Raises WorldError for invalid numbers.
    """

    kind: ClassVar[str] = "general"
    commands: ClassVar[tuple[str, ...]] = ("control",)

    joints: tuple[str, ...]
    path: Path
    law: MotorLaw
    lower: float
    upper: float
    gear: float = 1.0
    weakest: float = -math.inf
    strongest: float = math.inf

    def __post_init__(self) -> None:
        if not -math.inf < self.lower <= self.upper < math.inf:
            raise WorldError(f"a motor cannot have commands from {self.lower} to {self.upper}; give two bounds")
        if not (math.isfinite(self.gear) and self.gear) or not self.weakest <= self.strongest:
            raise WorldError(f"a motor has the gear {self.gear}, and forces from {self.weakest} to {self.strongest}")
        if not self.joints:
            raise WorldError("a general motor needs the joints that its path spans, by names of links: joints=(...)")

    def numbers(self) -> dict[str, Any]:
        """Return its gear, its limits, the parameters of its law, and the numbers of its path."""
        law = self.law
        limits = {"weakest": self.weakest, "strongest": self.strongest, "lowest": law.lowest, "highest": law.highest}
        return {
            "lower": self.lower,
            "upper": self.upper,
            "gear": self.gear,
            **{name: x for name, x in limits.items() if math.isfinite(x)},
            "times": list(law.time_constants),
            "gain": list(law.gain_parameters),
            "bias": list(law.bias_parameters),
            "lengths": [law.shortest, law.longest],
            "path": self.path.numbers(),
        }

    def structure(self) -> tuple[Any, ...]:
        """Return the kinds of its law, the names of its limits, and the structure of its path."""
        law = self.law
        limits = tuple(math.isfinite(x) for x in (self.weakest, self.strongest, law.lowest, law.highest))
        return (law.dynamics, law.gain, law.bias, limits, self.path.structure())

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if its path cannot run over these joints."""
        self.path.check(name, links)

    def initial_state(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return an activation of 0, or an empty mapping without activation dynamics."""
        return {} if self.law.dynamics == "none" else {ACTIVATION: _limited(numbers, 0.0, "lowest", "highest")}

    def derivative(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return the rate of its activation [1/s]; at its limits it can only move back."""
        if not at.state:
            return {}
        w = at.state[ACTIVATION]
        rate = DYNAMICS[self.law.dynamics](numbers["times"], self._command(numbers, at), w)
        if "lowest" in numbers:
            rate = where(w <= numbers["lowest"], maximum(rate, 0.0), rate)
        if "highest" in numbers:
            rate = where(w >= numbers["highest"], minimum(rate, 0.0), rate)
        return {ACTIVATION: rate}

    def advanced(self, numbers: Numbers, at: ActuatorInput, h: Scalar) -> Numbers:
        """Return its activation after a step of h [s]: exactly for filters, else by a linearly implicit Euler step."""
        if not at.state:
            return at.state
        w, u, times = at.state[ACTIVATION], self._command(numbers, at), numbers["times"]
        if self.law.dynamics in ("filter", "filterexact"):
            after = u + (w - u) * exp(-h / maximum(times[0], MIN_TIME))
        else:
            rate = DYNAMICS[self.law.dynamics]
            (value,), (slope,) = jvp(lambda x: [rate(times, u, x[0])], [w], [1.0])
            after = w + h * value / maximum(1.0 - h * slope, 1.0)
        return {ACTIVATION: _limited(numbers, after, "lowest", "highest")}

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its forces on its joints [N m or N]."""
        tension = self.tension(numbers, at)
        return [-numbers["gear"] * arm * tension for arm in self.path.arms(numbers["path"], at)]

    def tension(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return its force along the path before the gear [N], negative where it pulls."""
        length, rate = self.path.motion(numbers["path"], at)
        return self._law(numbers, self._activation(numbers, at), length, rate)

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its forces in a large step of h [s], in which its moment arms are constant.

        The tension depends on the rate s of the path only, directly and through the length at the end of the step.
        """
        length, rate = self.path.motion(numbers["path"], at)
        w = self.advanced(numbers, at, h)[ACTIVATION] if at.state else self._activation(numbers, at)
        arms = self.path.arms(numbers["path"], at)

        def tension(s: list[Scalar]) -> list[Scalar]:
            return [self._law(numbers, w, length + h * s[0], s[0])]

        (value,), (slope,) = jvp(tension, [rate], [1.0])
        return along_arms(at.links, [numbers["gear"] * arm for arm in arms], -value, -slope / numbers["gear"])

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return its activation if it has one, its force [N], and the length [m] and rate [m/s] of its path."""
        length, rate = self.path.motion(numbers["path"], at)
        return {**at.state, "force": self.tension(numbers, at), "length": length, "velocity": rate}

    def drawn_paths(self, numbers: Numbers, at: ActuatorInput) -> Sequence[DrawnPath]:
        """Return the lines of its path, if it has any in space."""
        lines = point_lines(self.path, numbers["path"], at)
        if not lines:
            return ()
        w, largest = self._activation(numbers, at), maximum(abs(numbers["lower"]), abs(numbers["upper"]))
        strength = numbers["gain"][2] if self.law.is_muscle else 0.0
        return (DrawnPath(lines, abs(w) / maximum(largest, 1e-12), -self.tension(numbers, at), strength),)

    def _command(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        return clamp(at.commands[0], numbers["lower"], numbers["upper"])

    def _activation(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        return at.state[ACTIVATION] if at.state else self._command(numbers, at)

    def _law(self, numbers: Numbers, w: Scalar, length: Scalar, rate: Scalar) -> Scalar:
        """Return the force along the path [N]; length, rate: length and rate of the path [m, m/s]."""
        l, l_rate, ends = numbers["gear"] * length, numbers["gear"] * rate, numbers["lengths"]
        gain = GAINS[self.law.gain](numbers["gain"], ends, l, l_rate)
        force = gain * w
        if self.law.bias != "none":
            force = force + BIASES[self.law.bias](numbers["bias"], ends, l, l_rate)
        return _limited(numbers, force, "weakest", "strongest")


MIN_TIME = 1e-15
"""Minimum time constant of a filter [s], as in MuJoCo (mjMINVAL)."""


def _limited(numbers: Numbers, x: Scalar, low: str, high: str) -> Scalar:
    """Return x clamped to the limits with the names low and high, if numbers has them."""
    x = maximum(x, numbers[low]) if low in numbers else x
    return minimum(x, numbers[high]) if high in numbers else x


def _muscle_rate(times: Sequence[Scalar], u: Scalar, w: Scalar) -> Scalar:
    return ACTIVATIONS["mujoco"].rate(dict(zip(("rise", "fall", "smoothing"), times, strict=True)), u, w)


def _filter_rate(times: Sequence[Scalar], u: Scalar, w: Scalar) -> Scalar:
    return (u - w) / maximum(times[0], MIN_TIME)


DYNAMICS: dict[str, Callable[[Sequence[Scalar], Scalar, Scalar], Scalar]] = {
    "integrator": lambda times, u, w: u,
    "filter": _filter_rate,
    "filterexact": _filter_rate,
    "muscle": _muscle_rate,
}
"""Functions of time constants, command and activation that give the activation's rate [1/s], by kind of dynamics."""

Part = Callable[[Sequence[Scalar], Sequence[Scalar], Scalar, Scalar], Scalar]
"""A gain or bias. Arguments: parameters; lengths at the ends of the range; length; rate."""


def _affine(p: Sequence[Scalar], ends: Sequence[Scalar], l: Scalar, rate: Scalar) -> Scalar:
    return p[0] + p[1] * l + p[2] * rate


def _muscle_gain(p: Sequence[Scalar], ends: Sequence[Scalar], l: Scalar, rate: Scalar) -> Scalar:
    named, optimal, x = _normalised(p, ends, l)
    speed = CURVE.velocity(named, rate / (optimal * named["vmax"]), 1.0)
    return -named["force"] * CURVE.active(named, x) * speed


def _muscle_bias(p: Sequence[Scalar], ends: Sequence[Scalar], l: Scalar, rate: Scalar) -> Scalar:
    named, _, x = _normalised(p, ends, l)
    return -named["force"] * CURVE.passive.force(named, x)


def _normalised(p: Sequence[Scalar], ends: Sequence[Scalar], l: Scalar) -> tuple[Numbers, Scalar, Scalar]:
    """Return the parameters by name, the optimal length [m], and the normalised length."""
    named = dict(zip(MUSCLE_PARAMETERS, p, strict=True))
    named |= {"shortest": named["lmin"], "longest": named["lmax"]}
    named |= {"passive_max": named["fpmax"], "eccentric": named["fvmax"]}
    optimal = (ends[1] - ends[0]) / (named["range1"] - named["range0"])
    return named, optimal, named["range0"] + (l - ends[0]) / optimal


GAINS: dict[str, Part] = {"fixed": lambda p, ends, l, rate: p[0], "affine": _affine, "muscle": _muscle_gain}
BIASES: dict[str, Part] = {"affine": _affine, "muscle": _muscle_bias}
"""Functions for gains and biases, by kind."""
