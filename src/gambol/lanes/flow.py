"""Control flow over generic scalars: subprograms, loops and branches that every lane may take differently."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gambol.errors import TraceError
from gambol.lanes.fusion import traced
from gambol.lanes.trace import ACTIVE, Body, Mask, Real, Trace, Value, current, within_reach
from gambol.lanes.tree import leaves, mapped, rebuilt


def _recording(*nests: Any) -> Trace | None:
    """The trace being recorded, if any value of the nests is traced or a trace is active."""
    if ACTIVE.traces:
        return ACTIVE.traces[-1]
    for nest in nests:
        for leaf in leaves(nest):
            if isinstance(leaf, Value):
                return current(leaf.trace)
    return None


class Subprogram:
    """A function whose operations are recorded once and called wherever it is used.

    function: takes and returns nests of scalars; what it takes from outside must be traced values or constants.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name: str = getattr(function, "__name__", "subprogram")

    def __call__(self, *nests: Any) -> Any:
        """Call it: a call is recorded where something is being traced, else the function just runs."""
        trace = _recording(*nests)
        if trace is None:
            return self.function(*nests)
        body = _body(trace, self, nests)
        parts = trace.record_many("call", [*leaves(nests), *body.captured], len(body.outputs), body)
        return rebuilt(body.form, iter(parts))


def subprogram(function: Callable[..., Any]) -> Subprogram:
    """Mark a function to be recorded once and called, instead of unrolled at every use."""
    return Subprogram(function)


def _body(trace: Trace, program: Subprogram, nests: tuple[Any, ...]) -> Body:
    """The body of a subprogram for arguments of this form: recorded at the first call.

    It is recorded again where it would use a value of a loop or branch that is over.
    """
    key = (program, len(leaves(nests)))
    body = trace.root.bodies.get(key)
    if body is None or not all(within_reach(value) for value in body.captured):
        body = trace.root.bodies[key] = _record_body(trace, program.name, program.function, nests)
    return body


def _record_body(trace: Trace, name: str, function: Callable[..., Any], nests: tuple[Any, ...]) -> Body:
    form: list[Any] = []

    def flat(*given: Real) -> list[Any]:
        result = function(*rebuilt(nests, iter(given)))
        if any(isinstance(leaf, (Mask, bool)) for leaf in leaves(result)):
            raise TraceError(f"{name} returns a truth; return where(truth, 1.0, 0.0) and compare that")
        form.append(mapped(lambda _: 0.0, result))
        return leaves(result)

    body = traced(name, trace.precision, trace.root, len(leaves(nests)), flat)
    body.form = form[0]
    return body


def when(condition: Any, function: Callable[..., Any] | Subprogram, *nests: Any, otherwise: Any = None) -> Any:
    """function(*nests) where the condition holds, otherwise (a nest of the same form, or None for zeros) elsewhere.

    The work is skipped when no lane needs it, which changes no number. condition: a truth, a mask array or a Mask.
    Raises TraceError for a condition that is none of these, and for an otherwise of another form.
    """
    if isinstance(condition, (bool, np.bool_)):
        result = function(*nests) if condition or otherwise is None else otherwise
        return result if condition or otherwise is not None else mapped(lambda _: 0.0, result)
    if isinstance(condition, np.ndarray):
        result = function(*nests)
        return _chosen(condition, result, mapped(lambda _: 0.0, result) if otherwise is None else otherwise)
    trace = _recording(condition)
    if trace is None:
        raise TraceError(f"`when` needs a truth, not {type(condition).__name__}; compare something first")
    program = function if isinstance(function, Subprogram) else Subprogram(function)
    body = _body(trace, program, nests)
    others = [0.0] * len(body.outputs) if otherwise is None else leaves(otherwise)
    if len(others) != len(body.outputs):
        raise TraceError(f"`when` gives {len(body.outputs)} numbers, but {len(others)} otherwise")
    args = [condition, *others, *leaves(nests), *body.captured]
    return rebuilt(body.form, iter(trace.record_many("when", args, len(body.outputs), body)))


def loop(condition: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
    """state = step(state) while condition(state), for each lane as long as its own condition holds.

    condition: takes the state, returns a truth; step: takes the state, returns one of the same form.
    """
    trace = _recording(state)
    if trace is not None:
        return _traced_loop(trace, condition, step, state)
    holds = condition(state)
    while np.any(holds):
        new = step(state)
        state = new if isinstance(holds, (bool, np.bool_)) else _chosen(holds, new, state)
        holds = holds & condition(state)
    return state


def _chosen(mask: Any, new: Any, old: Any) -> Any:
    choose = cast("Any", np.where)
    return rebuilt(old, iter([choose(mask, n, o) for n, o in zip(leaves(new), leaves(old), strict=True)]))


def _traced_loop(trace: Trace, condition: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
    test = _record_test(trace, condition, state)
    body = _record_body(trace, getattr(step, "__name__", "step"), step, (state,))
    carried = leaves(state)
    if len(body.outputs) != len(carried):
        raise TraceError(
            f"a loop's step must return the form it takes: {len(carried)} numbers, not {len(body.outputs)}"
        )
    args = [*carried, *test.captured, *body.captured]
    return rebuilt(state, iter(trace.record_many("loop", args, len(carried), (test, body))))


def _record_test(trace: Trace, condition: Callable[[Any], Any], state: Any) -> Body:
    def flat(*given: Real) -> list[Any]:
        holds = condition(rebuilt(state, iter(given)))
        if not isinstance(holds, (Mask, bool)):
            raise TraceError(f"a loop's condition must be a comparison, not {type(holds).__name__}")
        return [holds]

    return traced("while", trace.precision, trace.root, len(leaves(state)), flat)


def repeat(count: Any, step: Callable[[Any], Any], state: Any) -> Any:
    """state = step(state), count times (count may be traced and differ between lanes)."""

    def counted(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        return pair[0] + 1.0, step(pair[1])

    return loop(lambda pair: pair[0] < count, counted, (0.0, state))[1]
