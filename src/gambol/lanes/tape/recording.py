"""Recording of a formula as a tape: a list of operations on scalars, each computed from earlier ones.

A tape keeps every function of lanes as one operation, unlike the trace of a program, which contains the polynomials of
sin and cos, and the bodies of loops. Hence a tape can be replayed on other scalars (floats, arrays, traced Reals,
CasADi's symbols) and differentiated in reverse. Equal operations are recorded once; constants are folded; additions of
0 and multiplications by 0 and 1 are removed, as in a trace. Both sides of a branch are recorded. A loop can be recorded
only if the number of its iterations does not depend on the inputs.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, cast

import numpy as np

from gambol.errors import TraceError
from gambol.lanes.cache import key_of
from gambol.lanes.ops import COMMUTATIVE, CompositeScalar, Op, Scalar
from gambol.lanes.tree import leaves


class Tape:
    """A list of operations.

    ops: operations in order of computation; inputs: number of inputs; outputs: indices of operations.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.inputs = 0
        self.outputs: tuple[int, ...] = ()
        self._recorded: dict[Any, int] = {}

    def input(self) -> "Recorded":
        """Add an input and return it."""
        self.ops.append(Op("input", (), self.inputs))
        self.inputs += 1
        return Recorded(self, len(self.ops) - 1)

    def index_of(self, value: Scalar) -> int:
        """Return the index of a recorded value, or of a number, which becomes a constant.

        Raises TraceError for a scalar of another kind, and for a value of another tape.
        """
        if isinstance(value, Recorded):
            if value.tape is not self:
                raise TraceError("a recorded value was used in another tape; make it an input of this one")
            return value.index
        if isinstance(value, (bool, np.bool_)):
            return self._record("always", (), bool(cast("Any", value)))
        if not isinstance(value, (int, float, np.floating, np.integer)):
            raise TraceError(f"a tape records numbers and its own values, not {type(value).__name__}")
        value = cast("Any", value)
        return self._record("const", (), math.nan if value != value else float(value) + 0.0)

    def record(self, name: str, *args: Scalar, extra: Any = None) -> "Recorded":
        """Record an operation and return its result. Equal operations are recorded once."""
        return Recorded(self, self._record(name, tuple(self.index_of(a) for a in args), extra))

    def _record(self, name: str, ids: tuple[int, ...], extra: Any) -> int:
        if name in COMMUTATIVE and ids[0] > ids[1]:
            ids = (ids[1], ids[0])
        key = (name, ids, math.copysign(1.0, extra) if name == "const" else None, extra)
        index = self._recorded.get(key)
        if index is None:
            index = self._recorded[key] = len(self.ops)
            self.ops.append(Op(name, ids, extra))
        return index

    def digest(self) -> str:
        """Return a digest of the operations and outputs; tapes of equal digests compute the same."""
        return key_of([(op.name, op.args, op.extra) for op in self.ops], self.outputs)

    def live(self) -> list[bool]:
        """Return a mask of the operations: True if an output depends on it."""
        used = [False] * len(self.ops)
        for index in self.outputs:
            used[index] = True
        for index in range(len(self.ops) - 1, -1, -1):
            if used[index]:
                for a in self.ops[index].args:
                    used[a] = True
        return used


def record_tape(function: Callable[..., Any], *counts: int) -> Tape:
    """Return the tape of a function.

    function: takes a list of scalars for each count, returns a pytree of scalars, the outputs. counts: the lengths of
    the lists. Raises TraceError for formulas that branch on values, and for loops whose end depends on values.
    """
    tape = Tape()
    inputs = [[tape.input() for _ in range(count)] for count in counts]
    tape.outputs = tuple(tape.index_of(x) for x in leaves(function(*inputs)))
    return tape


def _is_number(x: Scalar, value: float) -> bool:
    return isinstance(x, (int, float)) and x == value


def _tape_of(a: Scalar, b: Scalar) -> Tape:
    return a.tape if isinstance(a, Recorded) else b.tape


def _same(a: Scalar, b: Scalar) -> bool:
    return isinstance(a, Recorded) and isinstance(b, Recorded) and a.index == b.index and a.tape is b.tape


def _add(a: Scalar, b: Scalar) -> Scalar:
    if _is_number(a, 0.0) or _is_number(b, 0.0):
        return b if _is_number(a, 0.0) else a
    return _tape_of(a, b).record("add", a, b)


def _subtract(a: Scalar, b: Scalar) -> Scalar:
    if _is_number(b, 0.0):
        return a
    if _is_number(a, 0.0):
        return -b
    return 0.0 if _same(a, b) else _tape_of(a, b).record("sub", a, b)


def _multiply(a: Scalar, b: Scalar) -> Scalar:
    for x, y in ((a, b), (b, a)):
        if _is_number(x, 0.0):
            return 0.0
        if _is_number(x, 1.0) or _is_number(x, -1.0):
            return y if x == 1.0 else -y
    return _tape_of(a, b).record("mul", a, b)


def _divide(a: Scalar, b: Scalar) -> Scalar:
    if _is_number(a, 0.0):
        return 0.0
    return a if _is_number(b, 1.0) else _tape_of(a, b).record("div", a, b)


def _comparison(name: str) -> Callable[[Scalar, Scalar], Scalar]:
    return lambda a, b: _tape_of(a, b).record(name, a, b)


def _select(condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    if isinstance(condition, (bool, np.bool_)):
        return yes if condition else no
    if _same(yes, no) or not (isinstance(yes, Recorded) or isinstance(no, Recorded) or yes != no):
        return yes
    return condition.tape.record("where", condition, yes, no)


def _gather(table: Any, index: "Recorded") -> Scalar:
    entries = np.asarray(table)
    if entries.ndim != 1 or not entries.size or entries.dtype == object:
        raise TraceError("a tape records tables of constants, of one dimension and at least one entry")
    return index.tape.record("gather", index, extra=tuple(entries.astype(float).tolist()))


def _fma(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
    return a * b + c


FUNCTIONS: dict[str, Callable[..., Scalar]] = {"where": _select, "gather": _gather, "fma": _fma}
"""Functions of lanes that are more than one operation with the same arguments."""


def _operator(operate: Callable[[Scalar, Scalar], Scalar], swapped: bool = False) -> Callable[[Any, Any], Any]:
    """Return an operator of recorded values that leaves another composite operand to the operand's own method."""

    def method(a: Any, b: Any) -> Any:
        if isinstance(b, CompositeScalar) and not isinstance(b, Recorded):
            return NotImplemented
        return operate(b, a) if swapped else operate(a, b)

    return method


class Recorded(CompositeScalar):
    """A number or truth value of a tape; index: index of the operation that computes it."""

    __slots__ = ("index", "tape")
    __add__ = __radd__ = _operator(_add)
    __mul__ = __rmul__ = _operator(_multiply)
    __sub__ = _operator(_subtract)
    __truediv__ = _operator(_divide)
    __rsub__ = _operator(_subtract, swapped=True)
    __rtruediv__ = _operator(_divide, swapped=True)
    __lt__ = _operator(_comparison("lt"))
    __gt__ = _operator(_comparison("lt"), swapped=True)
    __le__ = _operator(_comparison("le"))
    __ge__ = _operator(_comparison("le"), swapped=True)
    __eq__ = _operator(_comparison("eq"))
    __ne__ = _operator(lambda a, b: ~_comparison("eq")(a, b))
    __hash__ = object.__hash__

    def __init__(self, tape: Tape, index: int) -> None:
        self.tape = tape
        self.index = index

    def apply(self, name: str, *args: Scalar) -> Scalar:
        """Record the function `name` of gambol.lanes and return its result."""
        other = next((x for x in args if isinstance(x, CompositeScalar) and not isinstance(x, Recorded)), None)
        if other is not None:
            return other.apply(name, *args)
        return FUNCTIONS[name](*args) if name in FUNCTIONS else self.tape.record(name, *args)

    def terms(self) -> dict[Any, Scalar]:
        """Return this value as its only term."""
        return {(): self}

    @classmethod
    def of_terms(cls, terms: Mapping[Any, Scalar]) -> Scalar:
        """Return the only term."""
        return terms[()]

    @property
    def op(self) -> Op:
        """The operation that computes this value."""
        return self.tape.ops[self.index]

    def __bool__(self) -> NoReturn:
        raise TraceError(
            "a recorded value has no truth value yet, so it can neither choose a branch nor end a loop. "
            "Instead of `if depth > 0: f = k * depth` write `f = where(depth > 0, k * depth, 0.0)`"
        )

    def __float__(self) -> NoReturn:
        raise TraceError("a recorded value is not a number; write the formula with the functions of gambol.lanes")

    def __neg__(self) -> Scalar:
        return Recorded(self.tape, self.op.args[0]) if self.op.name == "neg" else self.tape.record("neg", self)

    def __pos__(self) -> "Recorded":
        return self

    def __abs__(self) -> Scalar:
        return self.tape.record("abs", self)

    def __pow__(self, power: int) -> Scalar:
        if power != int(power) or power < 0:
            raise TraceError(f"only x**n with a whole n of at least 0 can be recorded, not x**{power}; use exp and log")
        result: Scalar = 1.0
        for _ in range(int(power)):
            result = result * self
        return result

    def __invert__(self) -> Scalar:
        return Recorded(self.tape, self.op.args[0]) if self.op.name == "not" else self.tape.record("not", self)

    def __and__(self, other: Scalar) -> Scalar:
        if isinstance(other, (bool, np.bool_)):
            return self if other else False
        return self.tape.record("and", self, other)

    __rand__ = __and__

    def __or__(self, other: Scalar) -> Scalar:
        if isinstance(other, (bool, np.bool_)):
            return True if other else self
        return self.tape.record("or", self, other)

    __ror__ = __or__
