"""Replay of a tape: its operations on other scalars."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gambol.lanes.functions import atan2, cos, exp, floor, gather, is_finite, log, logical_not, sin, sqrt, where
from gambol.lanes.ops import Scalar
from gambol.lanes.tape.recording import Tape


def _operator(name: str) -> Callable[..., Scalar]:
    return getattr(operator, name)


Operations = Mapping[str, Callable[..., Scalar]]

OPERATIONS: dict[str, Callable[..., Scalar]] = {
    "add": _operator("add"),
    "sub": _operator("sub"),
    "mul": _operator("mul"),
    "div": _operator("truediv"),
    "neg": _operator("neg"),
    "abs": abs,
    "lt": _operator("lt"),
    "le": _operator("le"),
    "eq": _operator("eq"),
    "and": _operator("and_"),
    "or": _operator("or_"),
    "not": logical_not,
    "sqrt": sqrt,
    "sin": sin,
    "cos": cos,
    "exp": exp,
    "log": log,
    "floor": floor,
    "atan2": atan2,
    "where": where,
    "is_finite": is_finite,
}
"""The operations of a tape on generic scalars, by name."""


def replay(tape: Tape, inputs: Sequence[Scalar], operations: Operations = OPERATIONS) -> list[Scalar]:
    """Return the outputs of a tape for other inputs.

    inputs: as many scalars as the tape has inputs. operations: the function of each operation; by default, functions of
    generic scalars. An operation "gather" in it takes a table and an index.
    """
    values = replayed_values(tape, inputs, operations)
    return [values[index] for index in tape.outputs]


def replayed_values(tape: Tape, inputs: Sequence[Scalar], operations: Operations = OPERATIONS) -> list[Scalar]:
    """Return the results of all operations of a tape for other inputs; 0 for operations that no output needs."""
    values: list[Any] = []
    for op, used in zip(tape.ops, tape.live(), strict=True):
        if op.name == "input":
            values.append(inputs[op.extra])
        elif op.name in ("const", "always"):
            values.append(op.extra)
        elif not used:
            values.append(0.0)
        elif op.name == "gather":
            values.append(operations.get("gather", gather)(op.extra, values[op.args[0]]))
        else:
            values.append(operations[op.name](*(values[a] for a in op.args)))
    return values
