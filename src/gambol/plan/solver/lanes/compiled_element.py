"""An element compiled: values, Jacobian entries and Hessian entries of all its instances, one in each lane."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.lanes.cache import key_of
from gambol.lanes.tape import Tape
from gambol.plan.program import Element
from gambol.plan.solver.evaluation import tape_of
from gambol.plan.solver.lanes.colouring import colours_of, symmetric
from gambol.plan.solver.lanes.derivatives import ElementDerivatives

Array = NDArray[np.float64]

MAX_UNROLLED_OPERATIONS = 6000
"""Operations up to which all entries of a Jacobian or Hessian are written out: about a second of compilation."""


@dataclass(frozen=True)
class FunctionSpec:
    """One function of an element, before it is compiled; functions of equal keys are the same program.

    colouring: the directions of the function, if it has any. weighted: True if it takes weights of the outputs.
    """

    key: str
    spec: ProgramSpec = field(compare=False)
    colouring: "Colouring | None" = field(compare=False)
    weighted: bool = field(compare=False)


@lru_cache(maxsize=512)
def program_of(function: FunctionSpec) -> Program:
    """Return the compiled program of a function."""
    return Program(function.spec)


@dataclass(frozen=True)
class FunctionSpecs:
    """The functions of an element that are to be compiled, and the positions of their rows.

    jacobian_entries: (output, unknown) of the rows of the Jacobian. hessian_entries: (i, j), j <= i, of the entries of
    the Hessian.
    """

    values: FunctionSpec
    jacobian: FunctionSpec
    hessian: FunctionSpec
    outputs: int
    jacobian_entries: Sequence[tuple[int, int]]
    hessian_entries: Sequence[tuple[int, int]]

    @staticmethod
    def of(element: Element) -> "FunctionSpecs":
        """Return the functions of an element."""
        return _functions(tape_of(element), element.unknowns.shape[1])

    def all(self) -> tuple[FunctionSpec, FunctionSpec, FunctionSpec]:
        """Return the three functions."""
        return self.values, self.jacobian, self.hessian


@lru_cache(maxsize=256)
def _functions(tape: Tape, unknowns: int) -> FunctionSpecs:
    derived = ElementDerivatives.of(tape, unknowns)
    values = _function(derived, "values", derived.values)
    functions_of_element = values, _jacobian_function(derived), _hessian_function(derived)
    return FunctionSpecs(*functions_of_element, len(tape.outputs), derived.jacobian_entries, derived.hessian_entries)


def _jacobian_function(derived: ElementDerivatives) -> FunctionSpec:
    if derived.jacobian_work <= MAX_UNROLLED_OPERATIONS:
        return _function(derived, "Jacobian", derived.jacobian)
    colouring = Colouring.of(derived.jacobian_entries, derived.jacobian_entries, derived.unknowns)

    def product(z: list[Scalar], d: list[Scalar]) -> list[Scalar]:
        return derived.jacobian_product(z, colouring.spread(d, derived.unknowns))

    return _function(derived, "Jacobian product", product, colouring)


def _hessian_function(derived: ElementDerivatives) -> FunctionSpec:
    if derived.hessian_work <= MAX_UNROLLED_OPERATIONS:
        return _function(derived, "Hessian", derived.hessian, weighted=True)
    colouring = Colouring.of(derived.hessian_entries, symmetric(derived.hessian_entries), derived.unknowns)

    def product(z: list[Scalar], w: list[Scalar], d: list[Scalar]) -> list[Scalar]:
        return derived.hessian_product(z, w, colouring.spread(d, derived.unknowns))

    return _function(derived, "Hessian product", product, colouring, weighted=True)


def _function(
    derived: ElementDerivatives,
    function_name: str,
    function: Callable[..., list[Scalar]],
    colouring: "Colouring | None" = None,
    weighted: bool = False,
) -> FunctionSpec:
    """Return a function of inputs, of weights if it is weighted, and of a direction if it is coloured."""

    def outputs(*arrays: list[Scalar]) -> tuple[list[Scalar]]:
        return (function(*arrays),)

    structures = [[0.0] * derived.tape.inputs]
    structures += [[0.0] * len(derived.tape.outputs)] if weighted else []
    structures += [[0.0] * len(colouring.columns)] if colouring else []
    key = key_of(function_name, derived.tape.digest(), derived.unknowns, MAX_UNROLLED_OPERATIONS)
    spec = ProgramSpec(f"{function_name} of an element of a plan", outputs, tuple(structures), key=key)
    return FunctionSpec(key, spec, colouring, weighted)


class CompiledElement:
    """The compiled functions of an element. All return arrays (rows, instances), which the next call overwrites."""

    def __init__(self, element: Element, functions: FunctionSpecs) -> None:
        self.functions = functions
        self._values, self._jacobian, self._hessian = (_Kernel(function, element) for function in functions.all())

    @property
    def colours(self) -> tuple[int, int]:
        """The numbers of directional derivatives for Jacobian and Hessian; 0 if all entries are written out."""
        return self._jacobian.colours, self._hessian.colours

    def set_constants(self, constants: Array) -> None:
        """Set other constants (instances, constants)."""
        for kernel in (self._values, self._jacobian, self._hessian):
            kernel.set_constants(constants)

    def values(self, x: Array) -> Array:
        """Return the outputs for the unknowns of the program."""
        return self._values.run(x)

    def jacobian(self, x: Array) -> Array:
        """Return the entries of the Jacobian."""
        return self._jacobian.run(x)

    def hessian(self, x: Array, weights: Array) -> Array:
        """Return the entries of the Hessian of the weighted sum of outputs. weights (outputs, instances)."""
        return self._hessian.run(x, weights)


@dataclass(frozen=True)
class Colouring:
    """Directions that separate the columns of a sparse matrix.

    columns: columns with entries. seeds (columns, colours): 1 for the columns of each colour. rows, colours: position
    of each requested entry in the product of the matrix with the directions.
    """

    columns: list[int]
    seeds: Array
    rows: NDArray[np.intp]
    colours: NDArray[np.intp]

    @staticmethod
    def of(requested: Sequence[tuple[int, int]], entries: Sequence[tuple[int, int]], unknowns: int) -> "Colouring":
        """Return the directions for some requested entries of a matrix of `entries`."""
        columns = sorted({column for _, column in entries})
        colours = colours_of(entries, unknowns)
        chosen = np.array([colours[column] for column in columns], np.intp)
        seeds = np.eye(max(colours, default=0) + 1)[chosen]
        rows = np.array([row for row, _ in requested], np.intp)
        return Colouring(columns, seeds, rows, np.array([colours[column] for _, column in requested], np.intp))

    def spread(self, direction: Sequence[Scalar], unknowns: int) -> list[Scalar]:
        """Return a direction of the columns as a direction of all unknowns, 0 for the others."""
        spread: list[Scalar] = [0.0] * unknowns
        for column, x in zip(self.columns, direction, strict=True):
            spread[column] = x
        return spread


class _Kernel:
    """A program bound to arrays for the instances of an element, padded to whole blocks, once for each colour."""

    def __init__(self, function: FunctionSpec, element: Element) -> None:
        program, colouring, weighted = program_of(function), function.colouring, function.weighted
        instances, unknowns = element.unknowns.shape
        width = -(-instances // program.lanes) * program.lanes
        colours = colouring.seeds.shape[1] if colouring else 1
        order: NDArray[np.intp] = np.arange(width, dtype=np.intp).clip(max=instances - 1)  # the last one is repeated
        self._index = np.tile(element.unknowns[order].T, colours)
        self._inputs = np.empty((unknowns + element.constants.shape[1], width * colours))
        self._unknowns = self._inputs[:unknowns]
        self._constants = self._inputs[unknowns:].reshape(-1, colours, width)
        self._order, self._instances, self._colouring = order, instances, colouring
        self.colours = colours if colouring else 0
        arrays = [self._inputs]
        self._weights = np.empty((program.rows[1] if weighted else 0, width * colours))
        arrays += [self._weights] if weighted else []
        arrays += [np.repeat(colouring.seeds, width, axis=1)] if colouring else []
        self._output = np.empty((program.outputs[0], width * colours))
        self._run = program.bind(*arrays, out=[self._output])
        self.set_constants(element.constants)

    def set_constants(self, constants: Array) -> None:
        """Set other constants (instances, constants)."""
        self._constants[:] = constants[self._order].T[:, None]

    def run(self, x: Array, weights: Array | None = None) -> Array:
        """Return the program's output rows (rows, instances), for a coloured matrix entry by entry."""
        np.take(x, self._index, out=self._unknowns, mode="clip")
        if weights is not None:
            self._weights.reshape(len(weights), -1, self._order.size)[:] = weights[:, None, self._order]
        self._run()
        if self._colouring is None:
            return self._output[:, : self._instances]
        products = self._output.reshape(len(self._output), -1, self._order.size)
        return products[self._colouring.rows, self._colouring.colours, : self._instances]
