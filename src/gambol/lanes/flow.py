"""Control flow over generic scalars: subprograms, loops and branches that every lane may take differently."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gambol.errors import TraceError
from gambol.lanes.trace import ACTIVE, Body, Real, Trace, Value, current, traced
from gambol.lanes.tree import leaves, mapped, rebuilt


def _recording(*nests: Any) -> Trace | None:
    """The trace being recorded, if any value of the nests is traced or a trace is active."""
    if ACTIVE:
        return ACTIVE[-1]
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
    """The body of a subprogram for arguments of this form: recorded at the first call."""
    count = len(leaves(nests))
    key = (program, count)
    if key not in trace.root.bodies:
        trace.root.bodies[key] = _record_body(trace, program.name, program.function, nests)
    return trace.root.bodies[key]


def _record_body(trace: Trace, name: str, function: Callable[..., Any], nests: tuple[Any, ...]) -> Body:
    form: list[Any] = []

    def flat(*given: Real) -> list[Any]:
        result = function(*rebuilt(nests, iter(given)))
        form.append(mapped(lambda _: 0.0, result))
        return leaves(result)

    body = traced(name, trace.precision, trace.root, len(leaves(nests)), flat)
    body.form = form[0]
    return body


def when(condition: Any, function: Callable[..., Any] | Subprogram, *nests: Any) -> Any:
    """function(*nests) where the condition holds, zeros where it does not.

    The work is skipped when no lane needs it, which changes no number. condition: a truth, a mask array or a Mask.
    """
    if isinstance(condition, (bool, np.bool_)):
        result = function(*nests)
        return result if condition else mapped(lambda _: 0.0, result)
    if isinstance(condition, np.ndarray):
        mask = cast("np.ndarray[Any, Any]", condition)
        return mapped(lambda x: np.where(mask, x, 0.0), function(*nests))
    trace = _recording(condition)
    if trace is None:
        raise TraceError(f"`when` needs a truth, not {type(condition).__name__}; compare something first")
    program = function if isinstance(function, Subprogram) else Subprogram(function)
    body = _body(trace, program, nests)
    args = [condition, *leaves(nests), *body.captured]
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
    pairs = zip(leaves(new), leaves(old), strict=True)
    return rebuilt(old, iter([np.where(mask, n, o) for n, o in pairs]))


def _traced_loop(trace: Trace, condition: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
    test = _record_body(trace, "while", condition, (state,))
    body = _record_body(trace, getattr(step, "__name__", "step"), step, (state,))
    carried = leaves(state)
    if len(body.outputs) != len(carried):
        raise TraceError(
            f"a loop's step must return the form it takes: {len(carried)} numbers, not {len(body.outputs)}"
        )
    args = [*carried, *test.captured, *body.captured]
    return rebuilt(state, iter(trace.record_many("loop", args, len(carried), (test, body))))


def repeat(count: Any, step: Callable[[Any], Any], state: Any) -> Any:
    """state = step(state), count times (count may be traced and differ between lanes)."""

    def counted(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        return pair[0] + 1.0, step(pair[1])

    return loop(lambda pair: pair[0] < count, counted, (0.0, state))[1]
