"""A program compiled: cost, gradient, constraints, sparse Jacobian, and sparse Hessian of the Lagrangian."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from gambol.plan.program import Element, NonlinearProgram
from gambol.plan.solver.lanes.compiled_element import CompiledElement, FunctionSpecs, program_of

Array = NDArray[np.float64]
Index = NDArray[np.intp]


class CompiledProgram:
    """The functions of a program of n unknowns and m constraint outputs, which are ordered as constraint_values().

    jacobian_rows, jacobian_columns: row and column of each entry of jacobian(), without repetitions. hessian_rows,
    hessian_columns: rows and columns of hessian(), the lower triangle.
    """

    def __init__(self, program: NonlinearProgram) -> None:
        self.unknowns = program.initial.size
        self._last_unknowns = self._last_outputs = np.zeros(0)
        compiled = compile_elements((*program.costs, *program.constraints))
        self._costs, self._constraints = compiled[: len(program.costs)], compiled[len(program.costs) :]
        sizes = [e.lower.size for e in program.constraints]
        self._offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
        self.outputs = int(self._offsets[-1])
        self._gradient_at = [
            _entry_indices(c.functions.jacobian_entries, e, 0)[1]
            for c, e in zip(self._costs, program.costs, strict=True)
        ]
        self._jacobian = _SummedEntries(self.unknowns, *self._jacobian_indices(program))
        self._hessian = _SummedEntries(self.unknowns, *self._hessian_indices(program))
        self.jacobian_rows, self.jacobian_columns = self._jacobian.rows, self._jacobian.columns
        self.hessian_rows, self.hessian_columns = self._hessian.rows, self._hessian.columns

    def set_constants(self, program: NonlinearProgram) -> None:
        """Set the constants to the constants of a program of the same elements."""
        elements = (*program.costs, *program.constraints)
        for compiled, element in zip((*self._costs, *self._constraints), elements, strict=True):
            compiled.set_constants(element.constants)
        self._last_unknowns = np.zeros(0)

    def cost(self, x: Array) -> float:
        """Return the cost."""
        return float(sum(c.values(x).sum() for c in self._costs))

    def gradient(self, x: Array) -> Array:
        """Return the gradient of the cost (n)."""
        gradient = np.zeros(self.unknowns)
        for compiled, at in zip(self._costs, self._gradient_at, strict=True):
            gradient += np.bincount(at, compiled.jacobian(x).ravel(), self.unknowns)
        return gradient

    def constraints(self, x: Array) -> Array:
        """Return the outputs of the constraints (m). The last ones are stored: IPOPT and progress ask for the same."""
        if not np.array_equal(x, self._last_unknowns):
            self._last_unknowns = x.copy()
            self._last_outputs = np.concatenate([c.values(x).T.ravel() for c in self._constraints] or [np.zeros(0)])
        return self._last_outputs

    def jacobian(self, x: Array) -> Array:
        """Return the entries of the constraints' Jacobian."""
        return self._jacobian([c.jacobian(x) for c in self._constraints])

    def hessian(self, x: Array, cost_factor: float, multipliers: Array) -> Array:
        """Return the entries of the Hessian of cost_factor * cost + multipliers (m) * constraints."""
        entries: list[Array] = []
        for compiled, at in zip(self._costs, self._gradient_at, strict=True):
            instances = at.size // max(1, len(compiled.functions.jacobian_entries))
            entries.append(compiled.hessian(x, np.full((compiled.functions.outputs, instances), cost_factor)))
        for k, compiled in enumerate(self._constraints):
            weights = multipliers[self._offsets[k] : self._offsets[k + 1]].reshape(-1, compiled.functions.outputs).T
            entries.append(compiled.hessian(x, weights))
        return self._hessian(entries)

    def _jacobian_indices(self, program: NonlinearProgram) -> tuple[list[Index], list[Index], list[Array]]:
        pairs = zip(self._constraints, program.constraints, self._offsets, strict=False)
        positions = [_entry_indices(c.functions.jacobian_entries, e, int(offset)) for c, e, offset in pairs]
        return (
            [rows for rows, _ in positions],
            [columns for _, columns in positions],
            [np.ones(r.size) for r, _ in positions],
        )

    def _hessian_indices(self, program: NonlinearProgram) -> tuple[list[Index], list[Index], list[Array]]:
        rows: list[Index] = []
        columns: list[Index] = []
        factors: list[Array] = []
        elements = (*program.costs, *program.constraints)
        for compiled, element in zip((*self._costs, *self._constraints), elements, strict=True):
            i, j = np.array(compiled.functions.hessian_entries, np.intp).reshape(-1, 2).T
            first, second = element.unknowns.T[i].ravel(), element.unknowns.T[j].ravel()
            twice = (first == second) & np.repeat(i != j, len(element.unknowns))
            rows.append(np.maximum(first, second))
            columns.append(np.minimum(first, second))
            factors.append(np.where(twice, 2.0, 1.0))  # one unknown as two inputs: both halves are on the diagonal
        return rows, columns, factors


def compile_elements(elements: Sequence[Element]) -> list[CompiledElement]:
    """Return elements compiled, several programs at once: one on each core."""
    functions = [FunctionSpecs.of(element) for element in elements]
    programs = {function for of_element in functions for function in of_element.all()}
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        for _ in pool.map(program_of, programs):
            pass
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C, nothing more is begun
    return [CompiledElement(*pair) for pair in zip(elements, functions, strict=True)]


def _entry_indices(entries: Sequence[tuple[int, int]], element: Element, offset: int) -> tuple[Index, Index]:
    """Return rows and columns of an element's Jacobian entries, for all instances, in the program's Jacobian."""
    row, column = np.array(entries, np.intp).reshape(-1, 2).T
    outputs = element.lower.shape[1]  # 0 for a cost, whose rows do not matter
    rows = offset + np.arange(len(element.unknowns)) * outputs + row[:, None]
    return rows.ravel(), element.unknowns.T[column].ravel()


class _SummedEntries:
    """Entries of a sparse matrix; entries at the same position are summed. rows, columns: the positions."""

    def __init__(self, width: int, rows: list[Index], columns: list[Index], factors: list[Array]) -> None:
        empty = np.zeros(0, np.intp)
        position = np.concatenate([*rows, empty]) * width + np.concatenate([*columns, empty])
        positions, self._target = np.unique(position, return_inverse=True)
        self.rows, self.columns = positions // width, positions % width
        all_factors = np.concatenate([*factors, np.zeros(0)])
        self._factors = all_factors if (all_factors != 1.0).any() else None

    def __call__(self, entries: list[Array]) -> Array:
        """Return the summed entries; entries: an array for each element."""
        values = np.concatenate([*(e.ravel() for e in entries), np.zeros(0)])
        if self._factors is not None:
            values = values * self._factors
        return np.bincount(self._target, values, self.rows.size).astype(float, copy=False)
