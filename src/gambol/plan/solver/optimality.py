"""Residuals of the Karush-Kuhn-Tucker conditions of optimality of a solution, and its violated constraints.

    grad f + J' lambda + z = 0,   lower <= g <= upper,   lambda = 0 or g at its bound      [Nocedal & Wright 2006, 12.1]

The derivatives are Duals of the elements' functions on arrays, for any solver.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import jacobian
from gambol.plan.program import Element, NonlinearProgram, ProgramSolution
from gambol.plan.solver.evaluation import distances, element_inputs, element_outputs, violation_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class KktResidual:
    """Residuals of the conditions of optimality; all are 0 at an exact solution.

    stationarity: largest entry of the Lagrangian's gradient, except at unknowns whose bounds are equal. violation:
    largest distance of an output or unknown from its bounds. complementarity: largest product of a multiplier and the
    distance to its bound; for a multiplier without a finite bound, the multiplier itself.
    """

    stationarity: float
    violation: float
    complementarity: float


def kkt_residual(program: NonlinearProgram, solution: ProgramSolution) -> KktResidual:
    """Return the residuals of the conditions of optimality at a solution, in the units of the program."""
    x = solution.unknowns
    gradient = solution.bound_multipliers.copy()
    for element in program.costs:
        gradient += _gradient(element, x, np.ones((len(element.unknowns), 1)))
    products = [_complementarity(x, program.lower, program.upper, solution.bound_multipliers)]
    for element, multipliers in zip(program.constraints, solution.multipliers, strict=True):
        gradient += _gradient(element, x, multipliers)
        outputs = element_outputs(element, x)
        products.append(_complementarity(outputs, element.lower, element.upper, multipliers))
    free = program.lower < program.upper
    stationarity = float(np.abs(gradient[free]).max(initial=0.0))
    return KktResidual(stationarity, violation_of(program, x), max(products))


def _gradient(element: Element, x: Array, weights: Array) -> Array:
    """Return the gradient of an element's outputs times weights (instances, outputs or 1), for all unknowns."""
    inputs = list(element_inputs(element, x))
    unknowns, constants = inputs[: element.unknowns.shape[1]], inputs[element.unknowns.shape[1] :]
    with np.errstate(all="ignore"):
        _, rows = jacobian(lambda values: element.function(values, constants), unknowns)
    gradient = np.zeros(x.size)
    for k, row in enumerate(rows):
        weight = weights[:, min(k, weights.shape[1] - 1)]
        for column, entry in enumerate(row):
            if np.any(entry):
                gradient += np.bincount(element.unknowns[:, column], weight * entry, x.size)
    return gradient


def _complementarity(values: Array, lower: Array, upper: Array, multipliers: Array) -> float:
    """Return the largest product of a multiplier and the distance to its bound.

    That is the upper bound if the multiplier is positive.
    """
    distance = np.where(multipliers > 0.0, upper - values, values - lower)
    distance = np.where(np.isfinite(distance), np.abs(distance), 1.0)
    return float(np.abs(multipliers * distance).max(initial=0.0))


@dataclass(frozen=True)
class Violation:
    """A violated constraint: output of the element, time, and violation.

    name: name of the element, or "bounds of the unknowns". time: time of the instance [s]; NaN for bounds of unknowns.
    instance, output: their indices; for an unknown, its index and 0. amount: distance from the nearer bound, negative
    below the lower. value, lower, upper: value and bounds of the output.
    """

    name: str
    time: float
    instance: int
    output: int
    amount: float
    value: float
    lower: float
    upper: float

    def __str__(self) -> str:
        at = f" at {self.time:.4g} s" if np.isfinite(self.time) else f", unknown {self.instance},"
        side = "below its lower" if self.amount < 0 else "above its upper"
        bound = self.lower if self.amount < 0 else self.upper
        return f'"{self.name}"{at} is {self.value:.6g}, {abs(self.amount):.3g} {side} bound of {bound:.6g}'


def worst_violations(program: NonlinearProgram, solution: ProgramSolution, count: int = 5) -> list[Violation]:
    """Return the worst violation of each constraint element that is not met exactly, the greatest first.

    count: largest number of results.
    """
    x = solution.unknowns
    no_times = np.full(x.size, np.nan)
    columns = x[:, None], program.lower[:, None], program.upper[:, None]
    violations = [_worst("bounds of the unknowns", no_times, *columns)]
    violations += [_worst(e.name, e.times, element_outputs(e, x), e.lower, e.upper) for e in program.constraints]
    present = [violation for violation in violations if violation is not None]
    return sorted(present, key=lambda violation: -abs(violation.amount))[:count]


def _worst(name: str, times: Array, values: Array, lower: Array, upper: Array) -> Violation | None:
    amounts = distances(values, lower, upper)
    if not np.any(amounts):
        return None
    i, j = (int(k) for k in np.unravel_index(np.nanargmax(np.abs(amounts)), amounts.shape))
    numbers = (float(a[i, j]) for a in (amounts, values, lower, upper))
    return Violation(name, float(times[i]), i, j, *numbers)
