"""The tracer: records the operations of a formula on scalars as a list.

A traced value is a Real (or a Mask, for the result of a comparison). Constants stay Python floats and are folded;
additions of 0 and multiplications by 0 and 1 are removed; equal expressions are recorded once. Zeros are removed even
where the other operand might be infinite at run time: a structural zero of a figure is zero.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from gambol.errors import TraceError
from gambol.lanes.ops import COMMUTATIVE, MASKS, UNDEFINED, CompositeScalar, Op, Precision, has_exact_reciprocal


class Trace:
    """A list of operations being recorded for a program, a loop or a subprogram; root: the program's trace."""

    def __init__(self, precision: Precision, root: "Trace | None" = None) -> None:
        self.precision: Precision = precision
        self.root = root or self
        self.ops, self.inputs = list[Op](), list[int]()
        self.captured: list[Value] = []
        self.bodies: dict[Any, Body] = {}
        self.split_points, self.alike = list[int](), list[tuple[int, ...]]()
        self.epoch = 0  # changes of arrays so far; part of the key of a load, so that it is repeated after a store
        self.columns: dict[Any, Any] = {}  # of records, in the program's trace: the memory of values, see records.py
        self._recorded: dict[Any, int] = {}
        self._captured_index: dict[tuple[int, int], int] = {}

    def input(self) -> "Real":
        """Add an input to this trace and return it."""
        self.ops.append(Op("input", (), len(self.inputs)))
        self.inputs.append(len(self.ops) - 1)
        return Real(self, len(self.ops) - 1)

    def index_of(self, value: "Value | float | bool") -> int:
        """Return the index of a value in this trace; record a constant, and capture a value of an outer trace."""
        if isinstance(value, Value):  # the most frequent case
            return value.id if value.trace is self else self._capture(value)
        if isinstance(value, bool):
            return self._record("always", (), value)
        if value is UNDEFINED:
            return self._record("undefined", ())
        if value == 0.0 and math.copysign(1.0, value) < 0.0:  # as a key of operations it would equal 0
            return self._record("neg", (self._record("const", (), 0.0),))
        return self._record("const", (), math.nan if value != value else float(value))  # one key for all NaNs

    def _capture(self, value: "Value") -> int:
        if value.trace.root is not self.root:
            raise TraceError("a traced value was stored and used in another program; make it an input of this one")
        if not in_scope(value):
            raise TraceError(
                "a value computed in a loop, branch or subprogram was used outside of it; return it from there"
            )
        if isinstance(value, Mask):
            raise TraceError("a mask cannot be carried into a loop or subprogram; compare again inside it")
        key = (id(value.trace), value.id)
        if key not in self._captured_index:
            self.captured.append(value)
            self._captured_index[key] = len(self.ops)
            self.ops.append(Op("captured", (), len(self.captured) - 1))
        return self._captured_index[key]

    def record(self, name: str, *args: "Value | float | bool", extra: Any = None) -> "Value":
        """Record an operation and return its result. Equal operations are recorded once."""
        index = self._record(name, tuple(self.index_of(a) for a in args), extra)
        return Mask(self, index) if name in MASKS else Real(self, index)

    def _record(self, name: str, ids: tuple[int, ...], extra: Any = None) -> int:
        key = name, tuple(sorted(ids)) if name in COMMUTATIVE else ids, extra
        if key not in self._recorded:
            self._recorded[key] = len(self.ops)
            self.ops.append(Op(*key))
        return self._recorded[key]

    def record_many(self, name: str, args: Sequence["Value | float"], count: int, extra: Any) -> list["Real"]:
        """Record an operation with `count` results, such as a call or a loop, and return the results; see record()."""
        self.epoch += 1
        ids = tuple(self.index_of(a) for a in args)
        if any(map(is_array, args)):  # an array may have changed since an equal operation
            self._recorded.pop((name, ids, extra), None)
        operation = self._record(name, ids, extra)
        return [Real(self, self._record("part", (operation,), k)) for k in range(count)]


@dataclass(eq=False)
class Body:
    """The operations of a loop, branch, subprogram or program, after tracing.

    inputs: the number of inputs. outputs, split_points, alike: indices of operations. captured: values of outer traces
    that it uses. packing: layout of its results. rarity: see flow.Subprogram. stores: True if it changes outer arrays.
    """

    name: str
    ops: list[Op]
    inputs: int
    outputs: tuple[int, ...]
    captured: list["Value"]
    split_points: tuple[int, ...] = ()
    packing: Any = None
    rarity: int = 0
    stores: bool = False
    alike: tuple[tuple[int, ...], ...] = ()


class Value:
    """A traced value: its trace, and its index among the operations of that trace."""

    __slots__ = ("id", "trace")

    def __init__(self, trace: Trace, index: int) -> None:
        self.trace = trace
        self.id = index

    def __bool__(self) -> NoReturn:
        raise TraceError(
            "a traced value has no single truth value: it differs from lane to lane. "
            "Instead of `if depth > 0: f = k * depth` write `f = where(depth > 0, k * depth, 0.0)`"
        )

    __hash__ = object.__hash__

    @property
    def op(self) -> Op:
        """The operation that computes this value."""
        return self.trace.ops[self.id]


def _negation_operand(x: Value) -> "Real | None":
    """Return y if x is -y, else None."""
    return Real(x.trace, x.op.args[0]) if x.op.name == "neg" else None


class _Active(threading.local):
    """The traces being recorded in this thread, innermost last. is_short: ProgramSpec.short of their program."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self.is_short = False


ACTIVE = _Active()


def current_trace(trace: Trace) -> Trace:
    """Return the innermost trace being recorded if it belongs to the same program as trace, else trace."""
    traces = ACTIVE.traces
    return traces[-1] if traces and traces[-1].root is trace.root else trace


def is_array(value: Any) -> bool:
    """Return True for the memory of an array, see arrays.py."""
    return isinstance(value, Value) and value.op.name in ("array", "view")


def in_scope(value: Value) -> bool:
    """Return True if the trace of a value is still being recorded."""
    return any(trace is value.trace for trace in ACTIVE.traces)


def record(name: str, *args: "Value | float", extra: Any = None) -> Any:
    """Record an operation in the innermost trace and return its result; at least one argument must be traced."""
    trace = next(current_trace(a.trace) for a in args if isinstance(a, Value))
    return trace.record(name, *args, extra=extra)


def _equals(x: Any, constant: float) -> bool:
    return not isinstance(x, Value) and x == constant


def _add(a: Any, b: Any) -> Any:
    if _equals(a, 0.0) or _equals(b, 0.0):
        return b if _equals(a, 0.0) else a
    if isinstance(b, Value) and (positive := _negation_operand(b)) is not None:
        return _subtract(a, positive)
    if isinstance(a, Value) and (positive := _negation_operand(a)) is not None:
        return _subtract(b, positive)
    return current_trace((a if isinstance(a, Value) else b).trace).record("add", a, b)


def _subtract(a: Any, b: Any) -> Any:
    if _equals(b, 0.0):
        return a
    if _equals(a, 0.0):
        return -b
    if isinstance(a, Value) and isinstance(b, Value) and a.trace is b.trace and a.id == b.id:
        return 0.0
    if isinstance(b, Value) and (positive := _negation_operand(b)) is not None:
        return _add(a, positive)
    return current_trace((a if isinstance(a, Value) else b).trace).record("sub", a, b)


def _multiply(a: Any, b: Any) -> Any:
    if not isinstance(a, Value):
        return _scaled(b, a)
    if not isinstance(b, Value):
        return _scaled(a, b)
    if (positive := _negation_operand(a)) is not None:
        return -_multiply(positive, b)
    if (positive := _negation_operand(b)) is not None:
        return -_multiply(a, positive)
    return current_trace(a.trace).record("mul", a, b)


def _scaled(x: Any, factor: float) -> Any:
    if factor in (0.0, 1.0):
        return x if factor == 1.0 else 0.0
    if factor < 0.0:
        return -_scaled(x, -factor)
    return current_trace(x.trace).record("mul", x, factor)


def _divide(a: "Real", b: Any) -> Any:
    if not isinstance(b, Value) and has_exact_reciprocal(b):
        return _multiply(a, 1.0 / b)
    return current_trace(a.trace).record("div", a, b)


_less, _less_or_equal, _equal = (partial(record, name) for name in ("lt", "le", "eq"))


def _deferring(operator: Callable[[Any, Any], Any], swapped: bool = False) -> Callable[[Any, Any], Any]:
    """Return an operator of traced numbers that leaves a composite second operand to the operand's own method."""

    def operate(a: Any, b: Any) -> Any:
        return NotImplemented if isinstance(b, CompositeScalar) else operator(b, a) if swapped else operator(a, b)

    return operate


class Real(Value):
    """A traced real number."""

    __slots__ = ()
    __add__ = __radd__ = _deferring(_add)
    __mul__ = __rmul__ = _deferring(_multiply)
    __sub__ = _deferring(_subtract)
    __truediv__ = _deferring(_divide)
    __rsub__ = _deferring(_subtract, swapped=True)
    __lt__ = _deferring(_less)
    __gt__ = _deferring(_less, swapped=True)
    __le__ = _deferring(_less_or_equal)
    __ge__ = _deferring(_less_or_equal, swapped=True)
    __eq__ = _deferring(_equal)
    __ne__ = _deferring(lambda a, b: ~_equal(a, b))

    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if other == 0.0 else current_trace(self.trace).record("div", other, self)

    def __neg__(self) -> Any:
        positive = _negation_operand(self)
        return current_trace(self.trace).record("neg", self) if positive is None else positive

    def __pos__(self) -> "Real":
        return self

    def __pow__(self, power: int) -> Any:
        if power not in (2, 3):
            raise TraceError(f"only x**2 and x**3 can be traced, not x**{power}; write the product or use exp and log")
        return self * self if power == 2 else self * self * self

    def __abs__(self) -> Any:
        return current_trace(self.trace).record("abs", self)

    __hash__ = Value.__hash__
    __array_ufunc__ = None

    def __float__(self) -> NoReturn:
        raise TraceError("a traced value is not a number; write the formula with the functions of gambol.lanes")


class Mask(Value):
    """A traced truth value, one for each lane: the result of a comparison."""

    __slots__ = ()

    def __and__(self, other: Any) -> Any:
        if isinstance(other, bool):
            return self if other else False
        return current_trace(self.trace).record("and", self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if isinstance(other, bool):
            return True if other else self
        return current_trace(self.trace).record("or", self, other)

    __ror__ = __or__

    def __invert__(self) -> Any:
        if self.op.name == "not":
            return Mask(self.trace, self.op.args[0])
        return current_trace(self.trace).record("not", self)
