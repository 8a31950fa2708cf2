"""Generic scalar functions, in which all formulas of gambol are written.

A formula that uses only + - * /, comparisons and these functions runs on Python floats, on NumPy arrays, on traced
Reals (which become machine code), and on composite scalars, such as dual numbers.
"""

import math
from collections.abc import Callable, Iterable
from functools import reduce, wraps
from operator import add
from typing import Any, ParamSpec, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import TraceError
from gambol.lanes import elementary
from gambol.lanes.ops import CompositeScalar, Precision, Scalar, is_same_constant
from gambol.lanes.scan import SharedProgram
from gambol.lanes.trace import ACTIVE, Mask, Real, Value, current_trace, record

P = ParamSpec("P")


def _dispatching_composites(function: Callable[P, Scalar]) -> Callable[P, Scalar]:
    """Decorate a function so that the first composite scalar among its arguments, if any, computes the result."""

    @wraps(function)
    def generic(*args: P.args, **kwargs: P.kwargs) -> Scalar:
        for x in args:
            if isinstance(x, CompositeScalar):
                return x.apply(function.__name__, *args, **kwargs)
        return function(*args, **kwargs)

    return generic


def _apply_by_type(
    x: Scalar, of_float: Callable[[float], float], of_traced: Callable[[Real], Scalar], name: str
) -> Scalar:
    """Apply the implementation for the type of x: a float, a traced Real, or an array.

    x: the scalar; of_float, of_traced: the functions of a float and of a Real; name: NumPy's function of arrays.
    """
    if isinstance(x, (int, float)):
        return of_float(x)
    if isinstance(x, Real):
        return of_traced(x)
    return getattr(np, name)(x)


@_dispatching_composites
def sqrt(x: Scalar) -> Scalar:
    """Return the square root, correctly rounded; NaN below 0."""
    return _apply_by_type(x, lambda v: math.sqrt(v) if v >= 0.0 else math.nan, lambda v: record("sqrt", v), "sqrt")


@_dispatching_composites
def sin(x: Scalar) -> Scalar:
    """Return the sine of an angle [rad]; within 2 ulp for every finite angle when traced."""
    return _apply_by_type(x, lambda v: math.sin(v) if math.isfinite(v) else math.nan, elementary.sin, "sin")


@_dispatching_composites
def cos(x: Scalar) -> Scalar:
    """Return the cosine of an angle [rad]; within 2 ulp for every finite angle when traced."""
    return _apply_by_type(x, lambda v: math.cos(v) if math.isfinite(v) else math.nan, elementary.cos, "cos")


@_dispatching_composites
def exp(x: Scalar) -> Scalar:
    """Return e to the power x; infinite on overflow, 0 on underflow."""
    return _apply_by_type(x, _exp_of_float, elementary.exp, "exp")


MAX_EXP_ARGUMENT = 709.782712893384  # log of the largest float64; exp overflows above it


def _exp_of_float(x: float) -> float:
    return math.inf if x > MAX_EXP_ARGUMENT else math.exp(x)


@_dispatching_composites
def log(x: Scalar) -> Scalar:
    """Return the natural logarithm; minus infinity at 0, NaN below."""
    return _apply_by_type(x, _log_of_float, elementary.log, "log")


def _log_of_float(x: float) -> float:
    if x == 0.0:
        return -math.inf
    return math.log(x) if x > 0.0 else math.nan


@_dispatching_composites
def floor(x: Scalar) -> Scalar:
    """Return the largest integer not above x, as a real number."""
    return _apply_by_type(x, lambda v: float(np.floor(v)), lambda v: record("floor", v), "floor")


@_dispatching_composites
def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Return the angle of the point (x, y) from the x axis [rad], in [-pi, pi]."""
    if isinstance(y, Real) or isinstance(x, Real):
        return elementary.atan2(y, x)
    return math.atan2(y, x) if _are_floats(y, x) else np.arctan2(y, x)


def _are_floats(*values: Scalar) -> bool:
    return all(isinstance(v, (int, float)) for v in values)


@_dispatching_composites
def where(condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    """Return yes where the condition holds, no elsewhere. Both are computed.

    condition: a bool, a mask array or a Mask; yes, no: scalars.
    """
    if isinstance(condition, Mask):
        equal = yes is no if isinstance(yes, Value) or isinstance(no, Value) else is_same_constant(yes, no)
        return yes if equal else current_trace(condition.trace).record("select", condition, yes, no)
    if isinstance(condition, (bool, np.bool_)):
        return yes if condition else no
    return cast("Any", np.where)(condition, yes, no)


def logical_not(condition: Scalar) -> Scalar:
    """Return the negation of a condition: a bool, a mask array or a Mask."""
    return not condition if isinstance(condition, bool) else ~condition


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """Return a where a < b, else b. Hence the result is b if a or b is NaN, and if they are zeros of different sign."""
    return where(a < b, a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """Return a where a > b, else b. Hence the result is b if a or b is NaN, and if they are zeros of different sign."""
    return where(a > b, a, b)


def total(values: Iterable[Scalar], start: Scalar = 0.0) -> Scalar:
    """Return start plus the values, added in order. (From Python 3.12 on, sum() of floats rounds differently.)"""
    return reduce(add, values, start)


def clamp(x: Scalar, lower: Scalar, upper: Scalar) -> Scalar:
    """Return x clamped to [lower, upper]."""
    return minimum(maximum(x, lower), upper)


@_dispatching_composites
def fma(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
    """Return a b + c, rounded once when traced and twice on floats and arrays."""
    return record("fma", a, b, c) if any(isinstance(v, Value) for v in (a, b, c)) else a * b + c


@_dispatching_composites
def is_finite(x: Scalar) -> Scalar:
    """Return True where x is finite: not infinite and not NaN."""
    if isinstance(x, Real):
        return record("lt", record("abs", x), math.inf)
    return math.isfinite(x) if isinstance(x, (int, float)) else np.isfinite(x)


@_dispatching_composites
def gather(table: Any, index: Scalar) -> Scalar:
    """Return table[index], with the index clamped to the table.

    table: a one-dimensional array of constants, or a TableInput of the program being traced. index: an integer
    stored as a real number (below 2**24 in float32). A negative index or NaN selects the first entry.
    Raises TraceError for a table that is empty or has more than one dimension.
    """
    if isinstance(index, Real):
        source = table.slot if isinstance(table, TableInput) else _table_entries(table)
        return current_trace(index.trace).record("gather", index, extra=source)
    values = cast("NDArray[np.float64]", np.asarray(table))
    entries = values[np.clip(np.nan_to_num(np.asarray(index, float)), 0, len(values) - 1).astype(np.int64)]
    return entries if isinstance(index, np.ndarray) else float(entries)


GENERIC: dict[Callable[[float], float], Callable[[Scalar], Scalar]] = {math.sin: sin, math.cos: cos}
"""Generic functions of scalars by the functions of floats that they extend."""


def is_traced(x: Any) -> bool:
    """Return True for a value that is only known when a program runs."""
    return isinstance(x, Value)


def elementwise(function: Callable[[float], float], x: Scalar) -> Scalar:
    """Apply a function of Python floats to a float or to every element of an array, with the same result bits.

    function: function of a float; x: a float or an array. NumPy's vectorised functions may differ from Python's in the
    last bit, and may depend on the neighbouring elements. A traced value is given to the generic function of the same
    name, for math.sin and math.cos only. Raises TraceError for other functions of traced values.
    """
    if is_traced(x):
        if function not in GENERIC:
            raise TraceError("this function of floats cannot be traced; write it with the functions of gambol.lanes")
        return GENERIC[function](x)
    return function(x) if isinstance(x, (int, float)) else np.array([function(value) for value in x.tolist()])


def _table_entries(table: Any) -> tuple[float, ...]:
    """Return the entries of a constant table. Raises TraceError for a wrong shape."""
    values = np.asarray(table, float)
    if values.ndim != 1 or not values.size:
        raise TraceError(f"a table must have one dimension and at least one entry, not shape {values.shape}")
    return tuple(values.tolist())


def working_precision() -> Precision:
    """Return the precision of the program being traced; float64 outside a trace."""
    return ACTIVE.traces[-1].precision if ACTIVE.traces else "float64"


def shared(function: Callable[P, Any]) -> Callable[P, Any]:
    """Decorate a function so that short programs have it once, as a subprogram that is called at every use.

    function: takes and returns pytrees of scalars; the structure of its result follows from their number. Results are
    the same to the bit, see map_alike(), if no argument is a product that the function would fuse with a sum.
    """
    program = SharedProgram(function)

    @wraps(function)
    def called(*trees: P.args, **named: P.kwargs) -> Any:
        return program(*trees) if ACTIVE.is_short else function(*trees, **named)

    return called


class TableInput:
    """A table that is an input of a traced program; slot: its index among the program's tables."""

    def __init__(self, slot: int) -> None:
        self.slot = slot
