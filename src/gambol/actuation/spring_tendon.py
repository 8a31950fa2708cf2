"""Springs, dampers and limits along a path: the passive forces of a tendon.

    F = -k x - b L'        x = L - longest above, L - shortest below, 0 between
    with limits:           F = -k_s y - b_s L' beyond them by y, only towards the range

The spring is slack between the two rest lengths. A tendon that only pulls is slack below the longest rest length, and
its damper never makes it push: F = -max(k x + b L', 0) where x > 0, else 0. tau_k = F dL/dq_k. [MuJoCo documentation,
spatial tendons]

In a large step, x and y are means of both ends of the step while the spring is stretched at both ends:

    x = (x_start + x_end) / 2        the force then does exactly the work that the spring stores
    x = x_end                        where it becomes taut or slack, or a limit is reached or left

with x_end linear in the rate of the path at the end of the step. The second row loses energy, since 1/2 k x^2 is
convex, and never gains any: k x_end (x_end - x_start) >= 1/2 k (x_end^2 - x_start^2). The ledger has this loss.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, DrawnPath, Numbers
from gambol.actuation.implicit_force import ImplicitForce
from gambol.actuation.muscle.path import Path
from gambol.actuation.muscle.path_lines import point_lines
from gambol.actuation.step_energy import StepEnergy
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, jvp, maximum, minimum, where


@dataclass(frozen=True)
class SpringTendon(Actuator):
    """The passive forces along a path over joints. It has no command.

    joints: joints that the path spans, by names of links. path: the path over these joints. stiffness [N/m], damping [N
    s/m]. shortest, longest: range of rest lengths [m]. lower, upper: limits of the length [m], which may be infinite.
    limit_stiffness [N/m], limit_damping [N s/m]: stiffness and damping beyond the limits. pulls_only: True for a cord
    or an animal's tendon, which never pushes; `longest` is its rest length. Raises WorldError for invalid numbers, and
    for a path without an absolute length or with a gear.
    """

    kind: ClassVar[str] = "spring tendon"

    joints: tuple[str, ...]
    path: Path
    stiffness: float = 0.0
    damping: float = 0.0
    shortest: float = 0.0
    longest: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    limit_stiffness: float = 0.0
    limit_damping: float = 0.0
    pulls_only: bool = False

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping", "limit_stiffness", "limit_damping"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise WorldError(f"a tendon's {name} is {getattr(self, name)}; it must be 0 or more, and finite")
        if not self.shortest <= self.longest or not self.lower < self.upper:
            raise WorldError("a tendon's rest lengths or limits have their lower end above their upper end")
        if not self.joints:
            raise WorldError("a tendon needs the joints that its path spans, by names of links: joints=(...)")
        if self.path.relative:
            raise WorldError("the path of a spring tendon needs a length of its own: PulleyPath(..., length=...)")
        if self.path.geared:
            raise WorldError("a spring tendon over a pulley with a scale would create energy; use Pulley(scale=1)")

    def numbers(self) -> dict[str, Any]:
        """Return its numbers (only finite limits) and the numbers of its path."""
        names = ("stiffness", "damping", "shortest", "longest", "limit_stiffness", "limit_damping", "lower", "upper")
        values = {name: getattr(self, name) for name in names}
        return {**{n: x for n, x in values.items() if math.isfinite(x)}, "path": self.path.numbers()}

    def structure(self) -> tuple[Any, ...]:
        """Return the names of its limits, True if it only pulls, and the structure of its path."""
        return (math.isfinite(self.lower), math.isfinite(self.upper), self.pulls_only, self.path.structure())

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if its path cannot run over these joints."""
        self.path.check(name, links)

    def bounds(self, numbers: Numbers) -> Sequence[tuple[Scalar, Scalar]]:
        """Return no bounds, because it has no commands."""
        return ()

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its forces on its joints [N m or N]."""
        tension = -self._force_at(numbers, *self.path.motion(numbers["path"], at))
        return [arm * tension for arm in self.path.arms(numbers["path"], at)]

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its forces in a large step of h [s], in which its moment arms are constant."""
        length, rate = self.path.motion(numbers["path"], at)

        def tension(rates: list[Scalar]) -> list[Scalar]:
            return [-self._force(numbers, *self._step_stretches(numbers, length, (rate, rates[0]), h), rates[0])]

        (value,), (slope,) = jvp(tension, [rate], [1.0])
        arms = self.path.arms(numbers["path"], at)
        return ImplicitForce([arm * value for arm in arms], [0.0] * len(arms), arms, maximum(slope, 0.0))

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return 0: it has no source."""
        return 0.0

    def heat(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power that its dampers dissipate [W]."""
        length, rate = self.path.motion(numbers["path"], at)
        return -self._damper(numbers, self._stretch(numbers, length), _beyond(numbers, length), rate) * rate

    def step_energy(
        self, numbers: Numbers, at: ActuatorInput, end: ActuatorInput, h: Scalar, work: Scalar
    ) -> StepEnergy:
        """Return the loss of its dampers in a large step, and what its work leaves besides: the numerical loss."""
        length, rate = self.path.motion(numbers["path"], at)
        arms, changes = self.path.arms(numbers["path"], at), zip(at.v, end.v, strict=True)
        rate_end = rate - sum((r * (b - a) for r, (a, b) in zip(arms, changes, strict=True)), 0.0)
        stretches = self._step_stretches(numbers, length, (rate, rate_end), h)
        damped = -0.5 * h * self._damper(numbers, *stretches, rate_end) * (rate + rate_end)
        ends = length - 0.5 * h * rate, length + 0.5 * h * rate_end
        before, after = (self._stored(numbers, each) for each in ends)
        return StepEnergy(0.0, damped, before - after - work - damped)

    def energy(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the energy that its springs store [J]."""
        return self._stored(numbers, self.path.motion(numbers["path"], at)[0])

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return its tension [N], and the length [m] and rate [m/s] of its path."""
        length, rate = self.path.motion(numbers["path"], at)
        return {"force": -self._force_at(numbers, length, rate), "length": length, "velocity": rate}

    def limit_force(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the force of the stop that acts, towards the range of lengths [N]; 0 within the range."""
        length, rate = self.path.motion(numbers["path"], at)
        return abs(self._stop_force(numbers, _beyond(numbers, length), rate))

    def drawn_paths(self, numbers: Numbers, at: ActuatorInput) -> Sequence[DrawnPath]:
        """Return the lines of its path, if it has any in space."""
        lines = point_lines(self.path, numbers["path"], at)
        return (DrawnPath(lines, 0.0, self.outputs(numbers, at)["force"], 0.0),) if lines else ()

    def _stretch(self, numbers: Numbers, length: Scalar) -> Scalar:
        """Return the stretch of the spring [m], negative if it is compressed."""
        stretch = maximum(length - numbers["longest"], 0.0)
        return stretch if self.pulls_only else stretch + minimum(length - numbers["shortest"], 0.0)

    def _step_stretches(
        self, numbers: Numbers, length: Scalar, rates: tuple[Scalar, Scalar], h: Scalar
    ) -> tuple[Scalar, Scalar]:
        """Return the stretch of the spring and of the stops that act in a large step of h [s] [m].

        length: length in mid-step [m]. rates: rates of the path at the start and the end [m/s].
        """
        lengths = length - 0.5 * h * rates[0], length + 0.5 * h * rates[1]
        x, y = ([f(each) for each in lengths] for f in (partial(self._stretch, numbers), partial(_beyond, numbers)))
        stays_stretched = x[0] * x[1] > 0.0
        if not self.pulls_only:
            stays_stretched = stays_stretched | (numbers["longest"] <= numbers["shortest"])
        return _step_mean(x, stays_stretched), _step_mean(y, y[0] * y[1] > 0.0)

    def _force_at(self, numbers: Numbers, length: Scalar, rate: Scalar) -> Scalar:
        """Return the force along the path at one time [N], negative where it pulls."""
        return self._force(numbers, self._stretch(numbers, length), _beyond(numbers, length), rate)

    def _force(self, numbers: Numbers, x: Scalar, y: Scalar, rate: Scalar) -> Scalar:
        """Return the force along the path [N], negative where it pulls. x, y: stretch of spring and stops [m]."""
        force = -numbers["stiffness"] * x - numbers["damping"] * rate
        if self.pulls_only:
            force = where(x > 0.0, minimum(force, 0.0), 0.0)
        return force + self._stop_force(numbers, y, rate)

    def _stop_force(self, numbers: Numbers, y: Scalar, rate: Scalar) -> Scalar:
        """Return the force of the stops along the path [N]. Arguments: as for _force()."""
        force: Scalar = 0.0
        push = numbers["limit_stiffness"] * y
        damped = push + numbers["limit_damping"] * rate
        if "upper" in numbers:
            force = force - where(push > 0.0, maximum(damped, 0.0), 0.0)
        if "lower" in numbers:
            force = force - where(push < 0.0, minimum(damped, 0.0), 0.0)
        return force

    def _damper(self, numbers: Numbers, x: Scalar, y: Scalar, rate: Scalar) -> Scalar:
        """Return the part of the force that is not that of spring and stops [N]. Arguments: as for _force()."""
        return self._force(numbers, x, y, rate) + numbers["stiffness"] * x + numbers["limit_stiffness"] * y

    def _stored(self, numbers: Numbers, length: Scalar) -> Scalar:
        """Return the energy that spring and stops store at a length [J]."""
        x, y = self._stretch(numbers, length), _beyond(numbers, length)
        return 0.5 * (numbers["stiffness"] * x * x + numbers["limit_stiffness"] * y * y)


def _beyond(numbers: Numbers, length: Scalar) -> Scalar:
    """Return the excess of the length over a limit [m], negative below the lower limit."""
    above = maximum(length - numbers["upper"], 0.0) if "upper" in numbers else 0.0
    return above + (minimum(length - numbers["lower"], 0.0) if "lower" in numbers else 0.0)


def _step_mean(ends: Sequence[Scalar], stays_stretched: Scalar) -> Scalar:
    """Return the stretch that acts in a large step [m]. ends: stretch at its start and its end [m]."""
    start, end = ends
    return end + where(stays_stretched, 0.5 * (start - end), 0.0)
