"""A non-linear program as a sum of elements: small functions, each evaluated for many sets of unknowns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Scalar

ElementFunction = Callable[[Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]
"""A function of (unknowns, constants) that returns the outputs of one instance."""


@dataclass(frozen=True)
class OutputText:
    """The texts by which messages name the outputs of an element.

    scales, units (outputs): an output times its scale is in its unit. names (outputs or 0), instances (instances or 0):
    texts after the name of the element, such as 'of "knee"'.
    """

    scales: tuple[float, ...] = ()
    units: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()


@dataclass(frozen=True)
class Element:
    """One function, and the indices in the vector of unknowns with which it is evaluated.

    A collocation defect, for example, is one element with an instance for each interval. name: name in messages, such
    as "defect of the dynamics". function: function of one instance, over generic scalars. unknowns (instances, inputs):
    indices into the vector of unknowns. constants (instances, constants): numbers of each instance. lower, upper
    (instances, outputs): bounds of the outputs; equal for an equation; empty for a cost. times (instances): times for
    messages [s]. text: see OutputText.
    """

    name: str
    function: ElementFunction
    unknowns: NDArray[np.intp]
    constants: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    times: NDArray[np.float64]
    text: OutputText = OutputText()


@dataclass(frozen=True)
class NonlinearProgram:
    """Minimise the sum of the outputs of costs, subject to bounds on the unknowns and on the outputs of constraints.

    initial, lower, upper (unknowns): first guess and bounds, infinite if there are none.
    """

    initial: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    costs: tuple[Element, ...]
    constraints: tuple[Element, ...]


@dataclass(frozen=True)
class ProgramSolution:
    """The unknowns found (n), their cost, and their violation of constraints.

    multipliers: one array (instances, outputs) for each constraint element. bound_multipliers (n): multipliers of the
    bounds on the unknowns, positive if the upper bound is active. violation: largest distance of an output or unknown
    from its bounds. status: status text of the solver. solved: True if the solver's tolerance was met. interrupted:
    True if it was stopped.
    """

    unknowns: NDArray[np.float64]
    cost: float
    violation: float
    iterations: int
    seconds: float
    solved: bool
    interrupted: bool
    status: str
    multipliers: tuple[NDArray[np.float64], ...]
    bound_multipliers: NDArray[np.float64]
