"""Checks of a program before work is done: shapes, bounds, and finite numbers at the first guess."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError
from gambol.plan.program import Element, NonlinearProgram
from gambol.plan.solver.evaluation import element_outputs, tape_of

Array = NDArray[np.float64]


def check_program(program: NonlinearProgram) -> None:
    """Raise PlanError for a program that cannot be solved.

    Such programs have arrays of different sizes, contradictory bounds, a first guess that is not finite, or costs or
    constraints that are infinite or NaN at it. The message names the element and the time of the instance.
    """
    count = program.initial.size
    for name, array in (("initial", program.initial), ("lower", program.lower), ("upper", program.upper)):
        if array.shape != (count,):
            raise PlanError(f"{name} must be an array of {count} numbers, as initial is, not of shape {array.shape}")
    if not count:
        raise PlanError("a program must have at least one unknown")
    if not np.isfinite(program.initial).all():
        index = int(np.flatnonzero(~np.isfinite(program.initial))[0])
        raise PlanError(f"the first guess of unknown {index} is {program.initial[index]}; it must be finite")
    _check_bounds("unknown", program.lower, program.upper)
    for element in program.costs:
        _check_element(element, count, is_cost=True)
    for element in program.constraints:
        _check_element(element, count, is_cost=False)
    for kind, elements in (("cost", program.costs), ("constraint", program.constraints)):
        _check_finite(kind, elements, program.initial)


def _check_bounds(subject: str, lower: Array, upper: Array) -> None:
    wrong = np.isnan(lower) | np.isnan(upper) | (lower > upper) | (lower == np.inf) | (upper == -np.inf)
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        place = ", ".join(map(str, index))
        raise PlanError(f"{subject} {place} has the bounds {lower[index]} and {upper[index]}, which contain no number")


def _check_element(element: Element, count: int, is_cost: bool) -> None:
    """Raise PlanError if the arrays of an element do not fit each other or its function."""
    name, instances = element.name, len(element.unknowns)
    for subject, array in (("unknowns", element.unknowns), ("constants", element.constants)):
        if array.ndim != 2 or len(array) != instances:
            raise PlanError(f'"{name}": {subject} must have the shape ({instances}, inputs), not {array.shape}')
    if not instances:
        raise PlanError(f'"{name}" has no instance; leave the element out')
    indices = element.unknowns
    if indices.dtype.kind not in "iu" or not ((indices >= 0) & (indices < count)).all():
        raise PlanError(f'"{name}": unknowns must be indices from 0 to {count - 1}')
    if element.times.shape != (instances,):
        raise PlanError(f'"{name}": times must have the shape ({instances},), not {element.times.shape}')
    if not np.isfinite(element.constants).all():
        instance = int(np.argwhere(~np.isfinite(element.constants))[0][0])
        raise PlanError(f'"{name}" at {element.times[instance]:.6g} s: a constant is not finite')
    if is_cost:
        return
    shape = (instances, len(tape_of(element).outputs))
    for subject, array in (("lower", element.lower), ("upper", element.upper)):
        if array.shape != shape:
            raise PlanError(f'"{name}": {subject} must have the shape {shape}, not {array.shape}')
    _check_bounds(f'"{name}": instance, output', element.lower, element.upper)


def _check_finite(kind: str, elements: Iterable[Element], unknowns: Array) -> None:
    for element in elements:
        outputs = element_outputs(element, unknowns)
        if not np.isfinite(outputs).all():
            instance, output = (int(i) for i in np.argwhere(~np.isfinite(outputs))[0])
            raise PlanError(
                f'the {kind} "{element.name}" is {outputs[instance, output]} at the first guess, in output {output} at '
                f"{element.times[instance]:.6g} s; give a first guess where it is finite"
            )
