"""Evaluation of a program's elements by NumPy: their outputs, and the distances from their bounds."""

import functools
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.tape import Tape, record_tape, replay
from gambol.plan.program import Element, ElementFunction, NonlinearProgram

Array = NDArray[np.float64]


def tape_of(element: Element) -> Tape:
    """Return the tape of an element's function: its inputs are the unknowns of one instance, then the constants."""
    return _tape(element.function, element.unknowns.shape[1], element.constants.shape[1])


@functools.lru_cache(maxsize=256)
def _tape(function: ElementFunction, unknowns: int, constants: int) -> Tape:
    tape = record_tape(function, unknowns, constants)
    return _EQUAL_TAPES.setdefault((tape.digest(), unknowns), tape)


_EQUAL_TAPES: WeakValueDictionary[tuple[str, int], Tape] = WeakValueDictionary()
"""Tapes by content, so that equal functions, such as functions of one plan on two meshes, share one tape."""


def element_inputs(element: Element, unknowns: Array) -> Array:
    """Return the inputs of an element's instances, (inputs, instances): unknowns, then constants."""
    return np.concatenate([unknowns[element.unknowns], element.constants], axis=1).T


def element_outputs(element: Element, unknowns: Array) -> Array:
    """Return the outputs of an element, (instances, outputs), for the unknowns of the program (n)."""
    count = len(element.unknowns)
    with np.errstate(all="ignore"):
        outputs = replay(tape_of(element), list(element_inputs(element, unknowns)))
    return np.stack([np.broadcast_to(np.asarray(x, float), (count,)) for x in outputs], axis=1)


def cost_of(program: NonlinearProgram, unknowns: Array) -> float:
    """Return the cost of a program at unknowns (n)."""
    return float(sum(element_outputs(element, unknowns).sum() for element in program.costs))


def distances(values: Array, lower: Array, upper: Array) -> Array:
    """Return the distances of values outside their bounds: negative below the lower, positive above the upper, or 0."""
    return np.maximum(values - upper, 0.0) - np.maximum(lower - values, 0.0)


def constraint_values(program: NonlinearProgram, unknowns: Array) -> Array:
    """Return the outputs of all constraint elements, one after the other, instance by instance (m)."""
    return np.concatenate([element_outputs(e, unknowns).ravel() for e in program.constraints] or [np.zeros(0)])


def constraint_bounds(program: NonlinearProgram) -> tuple[Array, Array]:
    """Return the lower and the upper bounds of all constraint elements, in the order of constraint_values() (m)."""
    lower = np.concatenate([e.lower.ravel() for e in program.constraints] or [np.zeros(0)])
    return lower, np.concatenate([e.upper.ravel() for e in program.constraints] or [np.zeros(0)])


def violation_of(program: NonlinearProgram, unknowns: Array, values: Array | None = None) -> float:
    """Return the largest distance of an output or unknown from its bounds.

    unknowns (n). values: constraint_values() at the unknowns, if they are known.
    """
    outputs = constraint_values(program, unknowns) if values is None else values
    of_outputs = distances(outputs, *constraint_bounds(program))
    of_unknowns = distances(unknowns, program.lower, program.upper)
    return float(max(np.abs(of_outputs).max(initial=0.0), np.abs(of_unknowns).max(initial=0.0)))


def split_by_element(program: NonlinearProgram, flat: Array) -> tuple[Array, ...]:
    """Return a number for each constraint output (m) as an array (instances, outputs) for each constraint element."""
    sizes = np.cumsum([e.lower.size for e in program.constraints])[:-1]
    parts = np.split(flat, sizes) if program.constraints else []
    return tuple(part.reshape(e.lower.shape).copy() for part, e in zip(parts, program.constraints, strict=True))
