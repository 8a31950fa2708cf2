"""Formulas as functions of CasADi. [Andersson et al. 2019]

A formula over generic scalars is recorded as a tape, and the tape is replayed on CasADi's symbols. The formula itself
and lanes do not depend on CasADi. Derivatives agree with tapes: at 0 for sqrt and log, and at (0, 0) for atan2, they
are 0.
"""

import importlib
import math
from collections.abc import Callable
from typing import Any

from gambol.errors import PlanError
from gambol.lanes import leaves, unflatten
from gambol.lanes.ops import Scalar
from gambol.lanes.tape import OPERATIONS, Tape, record_tape, replay


def import_casadi() -> Any:
    """Return the module casadi. Raises PlanError if it is not installed."""
    try:
        return importlib.import_module("casadi")
    except ImportError as error:
        raise PlanError("plans are solved by CasADi and IPOPT: pip install 'gambol[plan]'") from error


def casadi_function(name: str, function: Callable[..., Any], *structures: Any) -> Any:
    """Return a formula as a casadi.Function of SX, which accepts numbers, SX and MX.

    name: name of the function, an identifier. function: takes pytrees of scalars, returns a pytree of scalars.
    structures: a pytree for each argument. The function of CasADi has a column vector for each argument and one for the
    result. Raises PlanError without CasADi, and TraceError for formulas that branch on values.
    """
    counts = [len(leaves(tree)) for tree in structures]

    def of_lists(*lists: list[Scalar]) -> Any:
        return function(*(unflatten(tree, iter(flat)) for tree, flat in zip(structures, lists, strict=True)))

    return function_of_tape(name, record_tape(of_lists, *counts), *counts)


def function_of_tape(name: str, tape: Tape, *counts: int) -> Any:
    """Return a tape as a casadi.Function of SX.

    counts: the lengths of its arguments, whose sum is the number of the tape's inputs.
    """
    ca = import_casadi()
    arguments = [ca.SX.sym(f"x{k}", count) for k, count in enumerate(counts)]
    inputs = [x for argument in arguments for x in ca.vertsplit(argument)]
    outputs = replay(tape, inputs, casadi_operations(ca))
    return ca.Function(name, arguments, [ca.vertcat(*outputs)])


def casadi_operations(ca: Any) -> dict[str, Callable[..., Any]]:
    """Return the operations of a tape on CasADi's symbols, SX or MX. ca: the module casadi."""

    def sqrt(x: Any) -> Any:
        return ca.if_else(x == 0, 0, ca.sqrt(ca.if_else(x == 0, 1, x)))

    def log(x: Any) -> Any:
        return ca.if_else(x == 0, -math.inf, ca.log(ca.if_else(x == 0, 1, x)))

    def atan2(y: Any, x: Any) -> Any:
        at_zero = ca.logic_and(x == 0, y == 0)
        return ca.if_else(at_zero, 0, ca.atan2(y, ca.if_else(at_zero, 1, x)))

    def gather(table: tuple[float, ...], index: Any) -> Any:
        last = len(table) - 1
        clamped = ca.if_else(index < last, ca.if_else(index > 0, ca.floor(index), 0), last)
        return sum(ca.if_else(clamped == k, entry, 0) for k, entry in enumerate(table))

    def is_finite(x: Any) -> Any:
        return ca.fabs(x) < math.inf

    names = "sin", "cos", "exp", "floor"
    return {
        **OPERATIONS,
        **{name: getattr(ca, name) for name in names},
        "abs": ca.fabs,
        "and": ca.logic_and,
        "or": ca.logic_or,
        "not": ca.logic_not,
        "where": ca.if_else,
        "is_finite": is_finite,
        "sqrt": sqrt,
        "log": log,
        "atan2": atan2,
        "gather": gather,
    }
