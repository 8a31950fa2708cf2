"""The derivatives of an element's tape as formulas: of all entries together, or along one direction.

Jacobian: forward Duals, or the reverse pass for each output if there are fewer outputs than inputs. Hessian of the
weighted sum of outputs: Duals through the reverse pass [Griewank & Walther 2008, section 5.1]. "Together" writes the
code of every entry, without zeros; its length grows with the number of entries. "Along one direction" is a few times as
long as the formula itself, and is run once for each colour of columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gambol.lanes import Scalar, jacobian, jvp
from gambol.lanes.tape import (
    Tape,
    hessian_pattern,
    hessian_work,
    jacobian_pattern,
    jacobian_work,
    replay,
    weighted_gradient,
)

Entries = list[tuple[int, int]]


@dataclass(frozen=True)
class ElementDerivatives:
    """The formulas of an element's derivatives with respect to its unknowns, the first inputs of its tape.

    jacobian_entries: (output, unknown). hessian_entries: (i, j), j <= i: the lower triangle. jacobian_work,
    hessian_work: approximate numbers of operations if all entries are written out.
    """

    tape: Tape
    unknowns: int
    jacobian_entries: Entries
    hessian_entries: Entries
    jacobian_work: int
    hessian_work: int

    @staticmethod
    @lru_cache(maxsize=256)
    def of(tape: Tape, unknowns: int) -> "ElementDerivatives":
        """Return the formulas of a tape; its first inputs are unknowns, the others are constants."""
        first = [(row, column) for row, column in jacobian_pattern(tape) if column < unknowns]
        second = [(i, j) for i, j in hessian_pattern(tape) if i < unknowns]
        work = jacobian_work(tape, unknowns), hessian_work(tape, unknowns)
        return ElementDerivatives(tape, unknowns, first, second, *work)

    def values(self, inputs: Sequence[Scalar]) -> list[Scalar]:
        """Return the outputs."""
        return replay(self.tape, inputs)

    def jacobian(self, inputs: Sequence[Scalar]) -> list[Scalar]:
        """Return the entries of the Jacobian."""
        outputs = len(self.tape.outputs)
        if outputs * REVERSE_COST < self.unknowns:
            rows = [self.gradient(inputs, [float(k == row) for k in range(outputs)]) for row in range(outputs)]
        else:
            constants = list(inputs[self.unknowns :])
            _, rows = jacobian(lambda x: replay(self.tape, [*x, *constants]), inputs[: self.unknowns])
        return [rows[row][column] for row, column in self.jacobian_entries]

    def gradient(self, inputs: Sequence[Scalar], weights: Sequence[Scalar]) -> list[Scalar]:
        """Return the gradient of the weighted sum of outputs with respect to the unknowns."""
        return weighted_gradient(self.tape, inputs, weights)[1][: self.unknowns]

    def hessian(self, inputs: Sequence[Scalar], weights: Sequence[Scalar]) -> list[Scalar]:
        """Return the entries of the Hessian of the weighted sum of outputs."""
        constants = list(inputs[self.unknowns :])
        _, rows = jacobian(lambda x: self.gradient([*x, *constants], weights), inputs[: self.unknowns])
        return [rows[i][j] for i, j in self.hessian_entries]

    def jacobian_product(self, inputs: Sequence[Scalar], direction: Sequence[Scalar]) -> list[Scalar]:
        """Return the Jacobian times a direction of the unknowns: a number for each output."""
        constants = list(inputs[self.unknowns :])
        return jvp(lambda x: replay(self.tape, [*x, *constants]), inputs[: self.unknowns], direction)[1]

    def hessian_product(
        self, inputs: Sequence[Scalar], weights: Sequence[Scalar], direction: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return the Hessian of the weighted sum of outputs times a direction: a number for each unknown."""
        constants = list(inputs[self.unknowns :])
        return jvp(lambda x: self.gradient([*x, *constants], weights), inputs[: self.unknowns], direction)[1]


REVERSE_COST = 3
"""Cost of a reverse pass relative to one direction of Duals."""
