"""An element compiled: values, Jacobian entries and Hessian entries of all its instances, one in each lane."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.lanes.cache import key_of
from gambol.plan.program import Element
from gambol.plan.solver.evaluation import tape_of
from gambol.plan.solver.lanes.colouring import colours_of, symmetric
from gambol.plan.solver.lanes.derivatives import ElementDerivatives

Array = NDArray[np.float64]

WRITTEN_OUT = 6000
"""Operations up to which all entries of a Jacobian or Hessian are written out: about a second of compilation."""


@dataclass(frozen=True)
class _Recipe:
    """A program by its key: what it computes and the digest of its tape."""

    key: str
    spec: ProgramSpec = field(compare=False)


@lru_cache(maxsize=256)
def _program(recipe: _Recipe) -> Program:
    return Program(recipe.spec)


class CompiledElement:
    """The compiled functions of an element. All return arrays (rows, instances), which the next call overwrites.

    jacobian_entries: (output, unknown) of the rows of jacobian(). hessian_entries: (i, j), j <= i, of those of
    hessian(). colours: directional derivatives for the Jacobian and for the Hessian; 0 where all is written out.
    """

    def __init__(self, element: Element) -> None:
        tape = tape_of(element)
        self.derivatives = ElementDerivatives.of(tape, element.unknowns.shape[1])
        self.jacobian_entries = self.derivatives.jacobian_entries
        self.hessian_entries = self.derivatives.hessian_entries
        self.outputs = len(tape.outputs)
        self._element = element
        self._digest = key_of([(op.name, op.args, op.extra) for op in tape.ops], tape.outputs)
        self._values = self._kernel("values", self.derivatives.values)
        self._jacobian = self._make_jacobian()
        self._hessian = self._make_hessian()

    @property
    def colours(self) -> tuple[int, int]:
        """The numbers of directional derivatives for Jacobian and Hessian."""
        return self._jacobian.colours, self._hessian.colours

    def set_constants(self, constants: Array) -> None:
        """Take other constants (instances, constants)."""
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

    def _make_jacobian(self) -> "_Kernel":
        derived, work = self.derivatives, self.derivatives.jacobian_work()
        if work <= WRITTEN_OUT:
            return self._kernel("Jacobian", derived.jacobian)
        entries = self.jacobian_entries
        columns = sorted({column for _, column in entries})
        plan = _Colouring.of(entries, entries, columns, derived.unknowns)

        def product(z: list[Scalar], d: list[Scalar]) -> list[Scalar]:
            return derived.jacobian_product(z, _spread(d, columns, derived.unknowns))

        return self._kernel("Jacobian product", product, plan)

    def _make_hessian(self) -> "_Kernel":
        derived, work = self.derivatives, self.derivatives.hessian_work()
        if work <= WRITTEN_OUT:
            return self._kernel("Hessian", derived.hessian, weighted=True)
        entries = symmetric(self.hessian_entries)
        columns = sorted({column for _, column in entries})
        plan = _Colouring.of(self.hessian_entries, entries, columns, derived.unknowns)

        def product(z: list[Scalar], w: list[Scalar], d: list[Scalar]) -> list[Scalar]:
            return derived.hessian_product(z, w, _spread(d, columns, derived.unknowns))

        return self._kernel("Hessian product", product, plan, weighted=True)

    def _kernel(
        self, what: str, function: Callable[..., list[Scalar]], plan: "_Colouring | None" = None, weighted: bool = False
    ) -> "_Kernel":
        """Return the kernel of a function of inputs, weights if it is weighted, and a direction if it has a plan."""

        def outputs(*arrays: list[Scalar]) -> tuple[list[Scalar]]:
            return (function(*arrays),)

        structures = [[0.0] * self.derivatives.tape.inputs]
        structures += [[0.0] * self.outputs] if weighted else []
        structures += [[0.0] * len(plan.seeds)] if plan else []
        key = key_of(what, self._digest, plan and plan.columns, self.derivatives.unknowns)
        spec = ProgramSpec(f"{what} of an element of a plan", outputs, tuple(structures), key=key)
        return _Kernel(_program(_Recipe(key, spec)), self._element, plan, weighted)


@dataclass(frozen=True)
class _Colouring:
    """Directions that tell the columns of a sparse matrix apart.

    columns: those with entries. seeds (columns, colours): 1 for the columns of each colour. rows, colours: where each
    wanted entry is in the product of the matrix with the directions.
    """

    columns: list[int]
    seeds: Array
    rows: NDArray[np.intp]
    colours: NDArray[np.intp]

    @staticmethod
    def of(
        wanted: Sequence[tuple[int, int]], entries: Sequence[tuple[int, int]], columns: list[int], unknowns: int
    ) -> "_Colouring":
        """Return the directions for a matrix of `entries`, of which some are wanted."""
        colours = colours_of(entries, unknowns)
        chosen = np.array([colours[column] for column in columns], np.intp)
        seeds = np.eye(max(colours, default=0) + 1)[chosen]
        rows = np.array([row for row, _ in wanted], np.intp)
        return _Colouring(columns, seeds, rows, np.array([colours[column] for _, column in wanted], np.intp))


def _spread(direction: Sequence[Scalar], columns: Sequence[int], unknowns: int) -> list[Scalar]:
    """Return a direction of all unknowns that is 0 outside of some columns."""
    spread: list[Scalar] = [0.0] * unknowns
    for column, x in zip(columns, direction, strict=True):
        spread[column] = x
    return spread


class _Kernel:
    """A program bound to arrays for the instances of an element, padded to whole blocks, once for each colour."""

    def __init__(self, program: Program, element: Element, plan: _Colouring | None, weighted: bool) -> None:
        instances, unknowns = element.unknowns.shape
        width = -(-instances // program.lanes) * program.lanes
        colours = plan.seeds.shape[1] if plan else 1
        order: NDArray[np.intp] = np.arange(width, dtype=np.intp).clip(max=instances - 1)  # the last instance fills the block
        self._index = np.tile(element.unknowns[order].T, colours)
        self._inputs = np.empty((unknowns + element.constants.shape[1], width * colours))
        self._unknowns = self._inputs[:unknowns]
        self._constants = self._inputs[unknowns:].reshape(-1, colours, width)
        self._order, self._instances, self._plan = order, instances, plan
        self.colours = colours if plan else 0
        arrays = [self._inputs]
        self._weights = np.empty((program.rows[1] if weighted else 0, width * colours))
        arrays += [self._weights] if weighted else []
        arrays += [np.repeat(plan.seeds, width, axis=1)] if plan else []
        self._output = np.empty((program.outputs[0], width * colours))
        self._run = program.bind(*arrays, out=[self._output])
        self.set_constants(element.constants)

    def set_constants(self, constants: Array) -> None:
        """Take other constants (instances, constants)."""
        self._constants[:] = constants[self._order].T[:, None]

    def run(self, x: Array, weights: Array | None = None) -> Array:
        """Return the program's output rows (rows, instances), those of a coloured matrix entry by entry."""
        np.take(x, self._index, out=self._unknowns, mode="clip")
        if weights is not None:
            self._weights.reshape(len(weights), -1, self._order.size)[:] = weights[:, None, self._order]
        self._run()
        if self._plan is None:
            return self._output[:, : self._instances]
        products = self._output.reshape(len(self._output), -1, self._order.size)
        return products[self._plan.rows, self._plan.colours, : self._instances]
