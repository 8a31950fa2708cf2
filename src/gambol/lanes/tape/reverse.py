"""Differentiation of a tape in reverse: all derivatives of one number for a few times its cost.

    u_k = df/dv_k + sum over results j of operation k:  u_j dv_j/dv_k        [Griewank & Walther 2008, table 3.5]

Every operation is visited once, from last to first, and adds its contribution to the adjoints u of its operands. If the
values are Duals, the gradient is a Dual, too; its partials are rows of the Hessian (forward over reverse).
"""

from collections.abc import Callable, Sequence

from gambol.lanes.dual import DERIVATIVES
from gambol.lanes.functions import where
from gambol.lanes.ops import Op, Scalar
from gambol.lanes.tape.recording import Tape
from gambol.lanes.tape.replay import replayed_values


def weighted_gradient(
    tape: Tape, inputs: Sequence[Scalar], weights: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the outputs of a tape, and the gradient of their weighted sum with respect to its inputs.

    inputs: as many scalars as the tape has inputs; weights: as many as it has outputs. The derivatives of branches,
    |x|, sqrt at 0 and atan2 at (0, 0) are as in Dual; the derivative of log at 0 is 0, so that a side of a branch that
    is not taken produces no NaN. An entry is exactly 0.0 where the sum does not depend on the input.
    """
    values = replayed_values(tape, inputs)
    adjoints: list[Scalar] = [0.0] * len(values)
    for index, weight in zip(tape.outputs, weights, strict=True):
        adjoints[index] = adjoints[index] + weight
    gradient: list[Scalar] = [0.0] * tape.inputs
    for index in range(len(values) - 1, -1, -1):
        op, adjoint = tape.ops[index], adjoints[index]
        if op.name == "input":
            gradient[op.extra] = adjoint
        elif not _is_zero(adjoint):
            operands = [values[a] for a in op.args]
            for a, contribution in zip(op.args, _contributions(op, adjoint, values[index], operands), strict=True):
                adjoints[a] = contribution if _is_zero(adjoints[a]) else adjoints[a] + contribution
    return [values[index] for index in tape.outputs], gradient


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, (int, float)) and x == 0.0


def _contributions(op: Op, adjoint: Scalar, result: Scalar, operands: Sequence[Scalar]) -> Sequence[Scalar]:
    """Return the contribution of an operation to the adjoint of each operand."""
    if op.name in SHARES:
        return SHARES[op.name](adjoint, result, *operands)
    if op.name in DERIVATIVES:
        return [adjoint * factor for factor in DERIVATIVES[op.name](result, *operands)]
    return [0.0] * len(operands)  # floor, gather and comparisons


def _of_sum(u: Scalar, result: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, ...]:
    return u, u


def _of_difference(u: Scalar, result: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, ...]:
    return u, -u


def _of_product(u: Scalar, result: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, ...]:
    return u * y, u * x


def _of_quotient(u: Scalar, quotient: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, ...]:
    by_numerator = u / y
    return by_numerator, -by_numerator * quotient


def _of_negation(u: Scalar, result: Scalar, x: Scalar) -> tuple[Scalar, ...]:
    return (-u,)


def _of_abs(u: Scalar, result: Scalar, x: Scalar) -> tuple[Scalar, ...]:
    return (where(x < 0.0, -u, u),)


def _of_log(u: Scalar, result: Scalar, x: Scalar) -> tuple[Scalar, ...]:
    is_zero = x == 0.0
    return (where(is_zero, 0.0, u / where(is_zero, 1.0, x)),)


def _of_where(u: Scalar, result: Scalar, condition: Scalar, yes: Scalar, no: Scalar) -> tuple[Scalar, ...]:
    return 0.0, where(condition, u, 0.0), where(condition, 0.0, u)


SHARES: dict[str, Callable[..., Sequence[Scalar]]] = {
    "add": _of_sum,
    "sub": _of_difference,
    "mul": _of_product,
    "div": _of_quotient,
    "neg": _of_negation,
    "abs": _of_abs,
    "log": _of_log,
    "where": _of_where,
}
"""The contribution of an operation to the adjoints of its operands: a function of adjoint u, result and operands."""
