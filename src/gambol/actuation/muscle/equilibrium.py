"""The equilibrium of fibre and tendon, solved by the method of Halley or Newton within a bracket.

    F(a, l, v) cos(alpha) = T(e)        e = (L - l cos(alpha) l0) / l_s - 1        l sin(alpha) = sin(alpha0)

L: length of the muscle with its tendon [m]. l0: optimal length of the fibre [m], l: its length divided by l0, alpha:
its pennation; its thickness is constant. l_s: slack length of the tendon [m]. [Zajac 1989; Millard et al. 2013]

To differentiate a solution, Newton steps are taken from it: each step doubles the order up to which derivatives are
exact.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.actuation.actuator import Numbers
from gambol.actuation.muscle.curves.curve_set import CurveSet
from gambol.lanes import Scalar, clamp, jvp, leaves, loop, maximum, sin, sqrt, tree_map, where, working_precision
from gambol.lanes.ops import CompositeScalar

MAX_ITERATIONS = 60
"""Limit of iterations: bisection alone needs 55 for the last bit of float64, Halley's method about 4."""

TOLERANCE = {"float64": 1e-7, "float32": 1e-4}
"""The iteration ends after a step of the unknown (of order 1) below this size; the error is at most its square."""

STEP_TOLERANCE = 1e-3
"""TOLERANCE of the fibre's rate over its maximal speed, for implicit steps in time: they are of first order, so that an
error of its square does not count."""

BISECTION_TOLERANCE = 1e-6
"""Width of the bracket, divided by the tolerance, at which bisection ends if steps lead out of the bracket."""

MIN_COSINE = 0.1
"""Minimum cosine of the pennation: a fibre with a smaller cosine does not shorten further. [Millard et al. 2013]"""

MIN_LENGTH = 0.01
"""Minimum length of a fibre, in optimal lengths."""

MAX_SPEED = 20.0
"""Bound of a fibre's rate divided by its maximal speed: far above real rates, and beyond the range of all curves."""

INITIAL_MAX_STEP = 2.0
"""First bound of a step in the rate of a fibre, divided by the maximal speed, for velocity curves that are quotients: a
longer step from the shortening branch leads beyond the lengthening branch, where the imbalance may decrease."""

MIN_SLOPE = 1e-9
"""Minimum slope of a residual in a step: below it, the step leads out of the bracket."""

INITIAL_RATE = 1e-9
"""Initial rate of iterations: an almost resting fibre that shortens, so that iterations begin on the shortening branch.
"""


def root(
    residual: Callable[[Scalar, Any], Scalar],
    inputs: Any,
    start: Scalar,
    bounds: tuple[Scalar, Scalar],
    *,
    reach: Scalar | None = None,
    tolerance: Scalar = 0.0,
) -> Scalar:
    """Return x with residual(x, inputs) = 0, or the bound at which the residual is nearest to 0.

    residual: rises through 0 between the bounds. inputs: a pytree of scalars, on which the result depends. start,
    bounds: first x, and lower and upper bound; derivatives of x with respect to them are 0. reach: distance within
    which the residual is nearly linear. Newton's method is then used; its steps are limited, first to this distance and
    then to longer ones. None: Halley's method. tolerance: size of the last step; TOLERANCE if that is larger.
    """
    lower, upper = bounds
    plain, accuracy = tree_map(_plain, inputs), maximum(_plain(tolerance), TOLERANCE[working_precision()])
    first, last = _plain(lower), _plain(upper)

    def iterate(state: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
        x, low, high, _, count = state
        value, newton, step = _steps(lambda z: residual(z, plain), x, reach is not None)
        if reach is not None:
            longest = _plain(reach) * (1.0 + count * count)
            step = clamp(step, -longest, longest)
        low, high = where(value > 0.0, low, x), where(value > 0.0, x, high)
        target = x + step
        inside, middle = (target >= low) & (target <= high), 0.5 * (low + high)
        beyond = where(target <= low, where(low == first, low, middle), where(high == last, high, middle))
        converged = abs(newton) <= accuracy  # rounding may put it a bit beyond the bracket
        new = where(inside | converged, target, beyond)
        return new, low, high, where(inside | converged, abs(newton), (high - low) / BISECTION_TOLERANCE), count + 1.0

    initial = (clamp(_plain(start), first, last), first, last, last - first, 0.0)
    x = loop(lambda s: (s[3] > accuracy) & (s[4] < MAX_ITERATIONS), iterate, tuple(1.0 * y for y in initial))[0]
    for _ in range(max((_order(leaf) for leaf in leaves(inputs)), default=0)):
        (value,), (slope,) = jvp(lambda z: [residual(z[0], inputs)], [x], [1.0])
        x = clamp(x - value / where(slope == 0.0, 1.0, slope), first, last)
    return x


def _derivatives(function: Callable[[Scalar], Scalar], x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return the value of a function at x, and its first and second derivative."""

    def with_slope(z: list[Scalar]) -> list[Scalar]:
        (value,), (slope,) = jvp(lambda y: [function(y[0])], z, [1.0])
        return [value, slope]

    (value, slope), (_, curvature) = jvp(with_slope, [x], [1.0])
    return value, slope, curvature


def _steps(function: Callable[[Scalar], Scalar], x: Scalar, nearly_linear: bool) -> tuple[Scalar, Scalar, Scalar]:
    """Return the value of a function at x, Newton's step and Halley's step.

    Halley's step is replaced by Newton's where it is not finite, and for a function that is nearly linear. Where the
    slope is not above 0, both are long. Halley's step is exact for hyperbolas, such as the velocity curves of Hill and
    Thelen.
    """
    if nearly_linear:
        (value,), (slope,) = jvp(lambda y: [function(y[0])], [x], [1.0])
        newton = -value / maximum(slope, MIN_SLOPE)
        return value, newton, newton
    value, slope, curvature = _derivatives(function, x)
    inverse = 1.0 / maximum(slope, MIN_SLOPE)
    newton = -value * inverse
    factor = 1.0 + 0.5 * newton * curvature * inverse
    return value, newton, newton / where((factor > 0.0) & (slope > MIN_SLOPE), factor, 1.0)


def _plain(x: Scalar) -> Scalar:
    """Return the value of a scalar, without derivatives."""
    return x.terms()[()] if isinstance(x, CompositeScalar) else x


def _order(x: Scalar) -> int:
    """Return the number of nested differentiations of a scalar."""
    return max((len(key) for key in x.terms()), default=0) if isinstance(x, CompositeScalar) else 0


@dataclass(frozen=True, slots=True)
class FibreTendon:
    """A fibre and its tendon at one time.

    curves: curves of the model. pennate: True if the fibre is pennate. numbers: numbers of the muscle. activation: a.
    length: length of fibre and tendon together, L [m].
    """

    curves: CurveSet
    pennate: bool
    numbers: Numbers
    activation: Scalar
    length: Scalar

    @property
    def thickness(self) -> Scalar:
        """Thickness of the muscle, in optimal lengths."""
        return sin(self.numbers["pennation"]) if self.pennate else 0.0

    def along(self, fibre: Scalar) -> Scalar:
        """Return the length of a fibre along the tendon, in optimal lengths.

        fibre: length of the fibre in the same unit.
        """
        return sqrt(maximum(fibre * fibre - self.thickness * self.thickness, 0.0)) if self.pennate else fibre

    def cosine(self, fibre: Scalar) -> Scalar:
        """Return the cosine of the pennation."""
        return self.along(fibre) / fibre if self.pennate else 1.0

    def strain(self, fibre: Scalar) -> Scalar:
        """Return the strain of the tendon."""
        tendon = self.length - self.numbers["optimal_length"] * self.along(fibre)
        return tendon * (1.0 / self.numbers["slack_length"]) - 1.0

    def tendon_force(self, fibre: Scalar) -> Scalar:
        """Return the force of the tendon divided by F0."""
        assert self.curves.tendon is not None
        return self.curves.tendon.force(self.numbers["curves"], self.strain(fibre))

    def fibre_force(self, fibre: Scalar, rate: Scalar) -> Scalar:
        """Return the force of the fibre divided by F0; rate: rate of the fibre divided by its maximal speed."""
        force = self.curves.fibre(self.numbers["curves"], self.activation, fibre, rate)
        return force + self.numbers["damping"] * rate

    def imbalance(self, fibre: Scalar, rate: Scalar) -> Scalar:
        """Return the force of the fibre along the tendon minus the force of the tendon, divided by F0.

        If the velocity curve is a quotient, the result is multiplied by the denominator, which makes it nearly linear.
        """
        force, denominator = self.curves.fibre_quotient(self.numbers["curves"], self.activation, fibre, rate)
        force = force + self.numbers["damping"] * rate * denominator
        return force * self.cosine(fibre) - self.tendon_force(fibre) * denominator

    def _reach(self, distance: Scalar) -> Scalar | None:
        """Return the distance if the imbalance is nearly linear within it, else None."""
        return None if self.curves.velocity_quotient is None else distance

    def rigid_fibre(self, speed: Scalar) -> tuple[Scalar, Scalar]:
        """Return length and rate of the fibre of a rigid tendon; speed: rate of L [m/s].

        If the tendon is slack, the fibre is at rest.
        """
        optimal = self.numbers["optimal_length"]
        taut = (self.length - self.numbers["slack_length"]) / optimal
        along = maximum(taut, MIN_LENGTH)
        fibre = sqrt(along * along + self.thickness * self.thickness) if self.pennate else along
        rate = speed / (optimal * self.numbers["max_velocity"]) * (along / fibre)
        return fibre, where(taut > MIN_LENGTH, rate, 0.0)

    def at(self, activation: Scalar, length: Scalar) -> "FibreTendon":
        """Return the same muscle at another activation and length [m]."""
        return FibreTendon(self.curves, self.pennate, self.numbers, activation, length)

    def _with_inputs(self, inputs: Any) -> "FibreTendon":
        numbers, activation, length = inputs[:3]
        return FibreTendon(self.curves, self.pennate, numbers, activation, length)

    @property
    def shortest(self) -> Scalar:
        """The least length of the fibre, in optimal lengths."""
        if not self.pennate:
            return MIN_LENGTH
        return maximum(self.thickness * (1.0 / (1.0 - MIN_COSINE * MIN_COSINE) ** 0.5), MIN_LENGTH)

    @property
    def _inputs(self) -> tuple[Any, ...]:
        names = ("optimal_length", "slack_length", "damping", "curves", "pennation")
        return {name: self.numbers[name] for name in names if name in self.numbers}, self.activation, self.length

    def _longest(self, start: Scalar) -> Scalar:
        """Return a length of the fibre at which the tendon is slack, in optimal lengths."""
        taut = (self.length - self.numbers["slack_length"]) / self.numbers["optimal_length"]
        return maximum(taut, start) + 1.0

    def rate(self, fibre: Scalar) -> Scalar:
        """Return the rate of a fibre at which its forces balance, divided by the maximal speed, within +-MAX_SPEED."""
        inputs = (*self._inputs, fibre)
        return root(
            lambda v, x: self._with_inputs(x).imbalance(x[3], v),
            inputs,
            -INITIAL_RATE,
            (-MAX_SPEED, MAX_SPEED),
            reach=self._reach(INITIAL_MAX_STEP),
        )

    def after(self, fibre: Scalar, h: Scalar, expected: Scalar | None = None) -> Scalar:
        """Return the length of a fibre after an implicit Euler step of h [s].

        Activation and L are the values at the end. expected: an estimate of the result, from which the solution is
        found in fewer iterations.
        """

        def imbalance(new: Scalar, x: Any) -> Scalar:
            return self._with_inputs(x).imbalance(new, (new - x[3]) * x[4])

        inputs = (*self._inputs, fibre, 1.0 / (h * self.numbers["max_velocity"]))
        start = fibre - INITIAL_RATE if expected is None else expected
        bounds = self.shortest, self._longest(fibre)
        unit = h * self.numbers["max_velocity"]
        reach = self._reach(INITIAL_MAX_STEP * unit)
        return root(imbalance, inputs, start, bounds, reach=reach, tolerance=STEP_TOLERANCE * unit)

    def at_rest(self) -> Scalar:
        """Return the length of a fibre that rests in equilibrium, in optimal lengths."""
        inputs = self._inputs
        return root(
            lambda x, given: self._with_inputs(given).imbalance(x, 0.0),
            inputs,
            1.0,
            (self.shortest, self._longest(1.0)),
        )
