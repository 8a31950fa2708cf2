"""The tracer: records what a formula does to its scalars as a list of operations.

A traced value is a Real (or a Mask, for the outcome of a comparison). Constants stay Python floats and are folded;
additions of 0 and multiplications by 0 and 1 vanish; equal expressions are recorded once. Zeros vanish even where the
other operand might turn out to be infinite: a structural zero of a figure is zero.
"""

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from gambol.errors import TraceError
from gambol.lanes.ops import ANYTHING, COMMUTES, MASKS, Lifted, Op, Precision


class Trace:
    """A straight list of operations being recorded; bodies of loops and subprograms have a trace each."""

    def __init__(self, precision: Precision, root: "Trace | None" = None) -> None:
        self.precision: Precision = precision
        self.root = root or self
        self.ops: list[Op] = []
        self.inputs: list[int] = []
        self.captured: list[Value] = []
        self.bodies: dict[Any, Body] = {}
        self.seams: list[int] = []
        self._known: dict[Any, int] = {}
        self._capture_of: dict[tuple[int, int], int] = {}

    def input(self) -> "Real":
        """A new input of this trace."""
        self.ops.append(Op("input", (), len(self.inputs)))
        self.inputs.append(len(self.ops) - 1)
        return Real(self, len(self.ops) - 1)

    def local(self, value: "Value | float | bool") -> int:
        """The number here of any value: a constant is recorded, a value of an outer trace is captured."""
        if isinstance(value, bool):
            return self._record("always", (), value)
        if value is ANYTHING:
            return self._record("anything", ())
        if not isinstance(value, Value):
            return self._record("const", (), math.nan if value != value else float(value) + 0.0)  # one NaN for all
        if value.trace is self:
            return value.id
        return self._capture(value)

    def _capture(self, value: "Value") -> int:
        if value.trace.root is not self.root:
            raise TraceError("a traced value was kept and used in another program; make it an input of this one")
        if not within_reach(value):
            raise TraceError(
                "a value made in a loop, branch or subprogram was used outside of it; return it from there"
            )
        if isinstance(value, Mask):
            raise TraceError("a mask cannot be carried into a loop or subprogram; compare again inside it")
        key = (id(value.trace), value.id)
        if key not in self._capture_of:
            self.captured.append(value)
            self._capture_of[key] = len(self.ops)
            self.ops.append(Op("captured", (), len(self.captured) - 1))
        return self._capture_of[key]

    def record(self, name: str, *args: "Value | float | bool", extra: Any = None) -> "Value":
        """Record an operation, or find it where it was recorded before."""
        ids = tuple(self.local(a) for a in args)
        number = self._record(name, ids, extra)
        return Mask(self, number) if name in MASKS else Real(self, number)

    def _record(self, name: str, ids: tuple[int, ...], extra: Any = None) -> int:
        if name in COMMUTES and ids[0] > ids[1]:
            ids = (ids[1], ids[0])
        key = (name, ids, extra)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.ops)
            self.ops.append(Op(name, ids, extra))
        return number

    def record_many(self, name: str, args: Sequence["Value | float"], count: int, extra: Any) -> list["Real"]:
        """Record an operation with several results, such as a call or a loop, or find it where it was recorded."""
        whole = self._record(name, tuple(self.local(a) for a in args), extra)
        return [Real(self, self._record("part", (whole,), k)) for k in range(count)]


@dataclass(eq=False)
class Body:
    """A finished trace: what a loop, a branch, a subprogram or a whole program does; seams: where it may be cut."""

    name: str
    ops: list[Op]
    inputs: int
    outputs: tuple[int, ...]
    captured: list["Value"]
    seams: tuple[int, ...] = ()
    form: Any = None


class Value:
    """A traced value: the trace it belongs to and its number there."""

    __slots__ = ("id", "trace")

    def __init__(self, trace: Trace, number: int) -> None:
        self.trace = trace
        self.id = number

    def __bool__(self) -> NoReturn:
        raise TraceError(
            "a traced value has no truth of its own: it differs from lane to lane. "
            "Instead of `if depth > 0: f = k * depth` write `f = where(depth > 0, k * depth, 0.0)`"
        )

    __hash__ = object.__hash__

    @property
    def op(self) -> Op:
        """The operation that makes this value."""
        return self.trace.ops[self.id]


def _negated(x: Value) -> "Real | None":
    """What x is the negative of, if it is a negation."""
    return Real(x.trace, x.op.args[0]) if x.op.name == "neg" else None


class _Active(threading.local):
    """The traces being recorded by this thread, the innermost last."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []


ACTIVE = _Active()


def current(trace: Trace) -> Trace:
    """The trace being recorded now, of the same program as trace."""
    traces = ACTIVE.traces
    return traces[-1] if traces and traces[-1].root is trace.root else trace


def within_reach(value: Value) -> bool:
    """Whether a value belongs to a trace that is being recorded."""
    return any(trace is value.trace for trace in ACTIVE.traces)


def recorded(name: str, *args: "Value | float", extra: Any = None) -> Any:
    """Record an operation in the trace being recorded now; at least one argument is traced."""
    trace = next(current(a.trace) for a in args if isinstance(a, Value))
    return trace.record(name, *args, extra=extra)


def _has_exact_reciprocal(number: float) -> bool:
    """Whether a number is a power of two whose reciprocal is normal in either precision."""
    half, exponent = math.frexp(number)
    return abs(half) == 0.5 and abs(exponent) < 126


def _same(a: Any, b: Any) -> bool:
    return isinstance(a, Value) and isinstance(b, Value) and a.trace is b.trace and a.id == b.id


def _is(x: Any, number: float) -> bool:
    return not isinstance(x, Value) and x == number


def _add(a: Any, b: Any) -> Any:
    if _is(a, 0.0) or _is(b, 0.0):
        return b if _is(a, 0.0) else a
    if isinstance(b, Value) and (positive := _negated(b)) is not None:
        return _subtract(a, positive)
    if isinstance(a, Value) and (positive := _negated(a)) is not None:
        return _subtract(b, positive)
    return current((a if isinstance(a, Value) else b).trace).record("add", a, b)


def _subtract(a: Any, b: Any) -> Any:
    if _is(b, 0.0):
        return a
    if _is(a, 0.0):
        return -b
    if _same(a, b):
        return 0.0
    if isinstance(b, Value) and (positive := _negated(b)) is not None:
        return _add(a, positive)
    return current((a if isinstance(a, Value) else b).trace).record("sub", a, b)


def _multiply(a: Any, b: Any) -> Any:
    if not isinstance(a, Value):
        return _scaled(b, a)
    if not isinstance(b, Value):
        return _scaled(a, b)
    if (positive := _negated(a)) is not None:
        return -_multiply(positive, b)
    if (positive := _negated(b)) is not None:
        return -_multiply(a, positive)
    return current(a.trace).record("mul", a, b)


def _scaled(x: Any, factor: float) -> Any:
    if factor in (0.0, 1.0):
        return x if factor == 1.0 else 0.0
    if factor < 0.0:
        return -_scaled(x, -factor)
    return current(x.trace).record("mul", x, factor)


def _divide(a: "Real", b: Any) -> Any:
    if not isinstance(b, Value) and _has_exact_reciprocal(b):
        return _multiply(a, 1.0 / b)
    return current(a.trace).record("div", a, b)


_less, _less_or_equal, _equal = (partial(recorded, name) for name in ("lt", "le", "eq"))


def _giving_way(operator: Callable[[Any, Any], Any], swapped: bool = False) -> Callable[[Any, Any], Any]:
    """An operator of traced numbers that leaves it to the other operand where that is lifted."""

    def operate(a: Any, b: Any) -> Any:
        if isinstance(b, Lifted):
            return NotImplemented
        return operator(b, a) if swapped else operator(a, b)

    return operate


class Real(Value):
    """A traced real number."""

    __slots__ = ()
    __add__ = __radd__ = _giving_way(_add)
    __mul__ = __rmul__ = _giving_way(_multiply)
    __sub__ = _giving_way(_subtract)
    __truediv__ = _giving_way(_divide)
    __rsub__ = _giving_way(_subtract, swapped=True)
    __lt__ = _giving_way(_less)
    __gt__ = _giving_way(_less, swapped=True)
    __le__ = _giving_way(_less_or_equal)
    __ge__ = _giving_way(_less_or_equal, swapped=True)
    __eq__ = _giving_way(_equal)
    __ne__ = _giving_way(lambda a, b: ~_equal(a, b))

    def __rtruediv__(self, other: Any) -> Any:
        return 0.0 if other == 0.0 else current(self.trace).record("div", other, self)

    def __neg__(self) -> Any:
        positive = _negated(self)
        return current(self.trace).record("neg", self) if positive is None else positive

    def __pos__(self) -> "Real":
        return self

    def __pow__(self, power: int) -> Any:
        if power not in (2, 3):
            raise TraceError(f"only x**2 and x**3 can be traced, not x**{power}; write the product or use exp and log")
        return self * self if power == 2 else self * self * self

    def __abs__(self) -> Any:
        return current(self.trace).record("abs", self)

    __hash__ = Value.__hash__
    __array_ufunc__ = None

    def __float__(self) -> NoReturn:
        raise TraceError("a traced value has no number yet; write the formula with the functions of gambol.lanes")


class Mask(Value):
    """A traced truth, one for each lane: the outcome of a comparison."""

    __slots__ = ()

    def __and__(self, other: Any) -> Any:
        if isinstance(other, bool):
            return self if other else False
        return current(self.trace).record("and", self, other)

    __rand__ = __and__

    def __or__(self, other: Any) -> Any:
        if isinstance(other, bool):
            return True if other else self
        return current(self.trace).record("or", self, other)

    __ror__ = __or__

    def __invert__(self) -> Any:
        return Mask(self.trace, self.op.args[0]) if self.op.name == "not" else current(self.trace).record("not", self)
