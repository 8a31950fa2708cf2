"""The outputs of an element and their derivatives with respect to its own unknowns, instance by instance."""

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import jvp
from gambol.lanes.tape import Tape, replay
from gambol.plan.program import Element
from gambol.plan.solver.evaluation import element_inputs, element_outputs, tape_of
from gambol.plan.solver.lanes.compiled_element import CompiledElement, FunctionSpecs

Array = NDArray[np.float64]


def local_jacobians(element: Element, unknowns: Array, *, compiled: bool) -> tuple[Array, Array]:
    """Return the outputs (instances, outputs) of an element, and their derivatives (instances, outputs, inputs).

    unknowns: the unknowns of the program (n). compiled: True to use the functions that the backend "lanes" compiles for
    the element, False to evaluate its tape by NumPy.
    """
    if not compiled:
        return element_outputs(element, unknowns), _by_numpy(tape_of(element), element, unknowns)
    functions = FunctionSpecs.of(element)
    compiled_element, entries = CompiledElement(element, functions), functions.jacobian_entries
    values = compiled_element.values(unknowns).T.copy()
    derivatives = np.zeros((*values.shape, element.unknowns.shape[1]))
    rows, columns = np.array(entries, np.intp).reshape(-1, 2).T
    derivatives[:, rows, columns] = compiled_element.jacobian(unknowns).T
    return values, derivatives


def _by_numpy(tape: Tape, element: Element, unknowns: Array) -> Array:
    """Return the derivatives: one direction for each row of an array, one instance for each column."""
    instances, count = element.unknowns.shape
    inputs = list(element_inputs(element, unknowns))
    directions = [*np.eye(count)[:, :, None], *([0.0] * (len(inputs) - count))]
    products = jvp(lambda x: replay(tape, x), inputs, directions)[1]
    full = [np.broadcast_to(np.asarray(product, float), (count, instances)) for product in products]
    return np.stack(full).transpose(2, 0, 1)
