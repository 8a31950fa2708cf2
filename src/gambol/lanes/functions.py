"""Generic scalar functions: the one vocabulary in which every formula of gambol is written.

A formula uses + - * / and comparisons, and these functions. It then runs on Python floats, on NumPy arrays and on
traced Reals, which become machine code; and on lifted scalars made of these, such as dual numbers.
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
from gambol.lanes.ops import Lifted, Precision, Scalar
from gambol.lanes.trace import ACTIVE, Mask, Real, Value, current, recorded

P = ParamSpec("P")


def _for_lifted_too(function: Callable[P, Scalar]) -> Callable[P, Scalar]:
    """The function, which asks a lifted scalar among its arguments, if there is one, what it makes of it."""

    @wraps(function)
    def generic(*args: P.args, **kwargs: P.kwargs) -> Scalar:
        for x in args:
            if isinstance(x, Lifted):
                return x.applied(function.__name__, *args, **kwargs)
        return function(*args, **kwargs)

    return generic


def _dispatched(x: Scalar, of_float: Callable[[float], float], traced: Callable[[Real], Scalar], name: str) -> Scalar:
    if isinstance(x, (int, float)):
        return of_float(x)
    if isinstance(x, Real):
        return traced(x)
    return getattr(np, name)(x)


@_for_lifted_too
def sqrt(x: Scalar) -> Scalar:
    """Square root, correctly rounded; NaN below 0."""
    return _dispatched(x, lambda v: math.sqrt(v) if v >= 0.0 else math.nan, lambda v: recorded("sqrt", v), "sqrt")


@_for_lifted_too
def sin(x: Scalar) -> Scalar:
    """Sine of an angle [rad]; within 2 ulp for every finite angle when traced."""
    return _dispatched(x, lambda v: math.sin(v) if math.isfinite(v) else math.nan, elementary.sin, "sin")


@_for_lifted_too
def cos(x: Scalar) -> Scalar:
    """Cosine of an angle [rad]; within 2 ulp for every finite angle when traced."""
    return _dispatched(x, lambda v: math.cos(v) if math.isfinite(v) else math.nan, elementary.cos, "cos")


@_for_lifted_too
def exp(x: Scalar) -> Scalar:
    """e to the power x; infinite above the largest number, 0 below the smallest."""
    return _dispatched(x, _exp_of_float, elementary.exp, "exp")


LOG_OF_LARGEST = 709.782712893384


def _exp_of_float(x: float) -> float:
    return math.inf if x > LOG_OF_LARGEST else math.exp(x)


@_for_lifted_too
def log(x: Scalar) -> Scalar:
    """Natural logarithm; minus infinity at 0, NaN below."""
    return _dispatched(x, _log_of_float, elementary.log, "log")


def _log_of_float(x: float) -> float:
    if x == 0.0:
        return -math.inf
    return math.log(x) if x > 0.0 else math.nan


@_for_lifted_too
def floor(x: Scalar) -> Scalar:
    """The largest whole number not above x, as a real number."""
    return _dispatched(x, lambda v: float(np.floor(v)), lambda v: recorded("floor", v), "floor")


@_for_lifted_too
def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle of the point (x, y) from the x axis [rad], in [-pi, pi]."""
    if isinstance(y, Real) or isinstance(x, Real):
        return elementary.atan2(y, x)
    return math.atan2(y, x) if _plain(y, x) else np.arctan2(y, x)


def _plain(*values: Scalar) -> bool:
    return all(isinstance(v, (int, float)) for v in values)


@_for_lifted_too
def where(condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    """yes where the condition holds, no elsewhere. Both are computed."""
    if isinstance(condition, Mask):
        same = yes is no if isinstance(yes, Value) or isinstance(no, Value) else yes == no
        return yes if same else current(condition.trace).record("select", condition, yes, no)
    if isinstance(condition, (bool, np.bool_)):
        return yes if condition else no
    return cast("Any", np.where)(condition, yes, no)


def negated(condition: Scalar) -> Scalar:
    """Where a condition does not hold."""
    return not condition if isinstance(condition, bool) else ~condition


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """a where a < b, else b: of zeros of two signs, and where one is NaN, the second."""
    return where(a < b, a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """a where a > b, else b: of zeros of two signs, and where one is NaN, the second."""
    return where(a > b, a, b)


def total(values: Iterable[Scalar], start: Scalar = 0.0) -> Scalar:
    """A start and values, one after the other: sum() rounds otherwise where all are floats, from Python 3.12 on."""
    return reduce(add, values, start)


def clamp(x: Scalar, lower: Scalar, upper: Scalar) -> Scalar:
    """x held within [lower, upper]."""
    return minimum(maximum(x, lower), upper)


@_for_lifted_too
def fma(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
    """a b + c, rounded once when traced and twice on floats and arrays."""
    return recorded("fma", a, b, c) if any(isinstance(v, Value) for v in (a, b, c)) else a * b + c


@_for_lifted_too
def is_finite(x: Scalar) -> Scalar:
    """Whether x is neither infinite nor NaN: x - x is 0 only then."""
    if isinstance(x, Real):
        return recorded("lt", recorded("abs", x), math.inf)
    return math.isfinite(x) if isinstance(x, (int, float)) else np.isfinite(x)


@_for_lifted_too
def gather(table: Any, index: Scalar) -> Scalar:
    """table[index], the index held within the table.

    table: a one-dimensional array of constants, or a table input of the program being traced; index: a whole number
    held as a real one (below 2**24 in float32); what is below 0 or NaN takes the first entry.
    Raises TraceError for a table that is empty or has more than one dimension.
    """
    if isinstance(index, Real):
        slot = table.slot if isinstance(table, TableInput) else _entries(table)
        return current(index.trace).record("gather", index, extra=slot)
    values = cast("NDArray[np.float64]", np.asarray(table))
    found = values[np.clip(np.nan_to_num(np.asarray(index, float)), 0, len(values) - 1).astype(np.int64)]
    return found if isinstance(index, np.ndarray) else float(found)


def each(function: Callable[[float], float], x: Scalar) -> Scalar:
    """A function of Python's floats, of a float or of every number of an array: to the same bit in both.

    NumPy's functions may differ from Python's in the last bit, and with what stands beside a number. Nothing traced.
    """
    return function(x) if isinstance(x, (int, float)) else np.array([function(value) for value in x.tolist()])


def _entries(table: Any) -> tuple[float, ...]:
    values = np.asarray(table, float)
    if values.ndim != 1 or not values.size:
        raise TraceError(f"a table has one dimension and at least one entry, not the shape {values.shape}")
    return tuple(values.tolist())


def working_precision() -> Precision:
    """The precision in which a formula is worked out: that of the program being traced, float64 outside of one."""
    return ACTIVE.traces[-1].precision if ACTIVE.traces else "float64"


class TableInput:
    """A table that a traced program is given when it runs: which of its tables it is."""

    def __init__(self, slot: int) -> None:
        self.slot = slot
