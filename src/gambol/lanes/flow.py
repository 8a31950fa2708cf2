"""Control flow over generic scalars: subprograms, loops and branches that every lane may take differently."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gambol.errors import TraceError
from gambol.lanes.fusion import traced
from gambol.lanes.ops import ANYTHING, Lifted
from gambol.lanes.trace import ACTIVE, Body, Mask, Real, Trace, Value, current, within_reach
from gambol.lanes.tree import Packing, leaves, mapped, rebuilt


def _recording(*nests: Any) -> Trace | None:
    """The trace being recorded, if any value of the nests is traced or a trace is active."""
    if ACTIVE.traces:
        return ACTIVE.traces[-1]
    for nest in nests:
        for leaf in Packing.of(nest).flat(nest):
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
        given = Packing.of(nests)
        body = _body(trace, self, given)
        parts = trace.record_many("call", [*given.flat(nests), *body.captured], len(body.outputs), body)
        return body.form.nest(parts)


def subprogram(function: Callable[..., Any]) -> Subprogram:
    """Mark a function to be recorded once and called, instead of unrolled at every use."""
    return Subprogram(function)


def _body(trace: Trace, program: Subprogram, given: Packing, result: Packing | None = None) -> Body:
    """The body of a subprogram for arguments of this packing: recorded at the first call.

    It is recorded again where it would use a value of a loop or branch that is over.
    """
    key = (program, given.terms, result and result.terms)
    body = trace.root.bodies.get(key)
    if body is None or not all(within_reach(value) for value in body.captured):
        body = trace.root.bodies[key] = _record_body(trace, program.name, program.function, given, result)
    return body


def _record_body(
    trace: Trace, name: str, function: Callable[..., Any], given: Packing, result: Packing | None = None
) -> Body:
    """The body of a function of the nests that are packed in `given`; result: how to pack what it returns."""
    form: list[Packing] = []

    def flat(*values: Real) -> list[Any]:
        made = function(*given.nest(values))
        if any(isinstance(leaf, (Mask, bool)) for leaf in leaves(made)):
            raise TraceError(f"{name} returns a truth; return where(truth, 1.0, 0.0) and compare that")
        form.append(result or Packing.of(made))
        return form[0].flat(made)

    body = traced(name, trace.precision, trace.root, given.size, flat)
    body.form = form[0]
    return body


def tracing() -> bool:
    """Whether a program is being traced: whether what formulas do is recorded, to be done many times."""
    return bool(ACTIVE.traces)


def seam() -> None:
    """Mark a place where a long program may be cut, such as between links: equal pieces then share their code.

    It changes no number. Where nothing is being traced it does nothing.
    """
    if ACTIVE.traces:
        ACTIVE.traces[-1].seams.append(len(ACTIVE.traces[-1].ops))


def when(condition: Any, function: Callable[..., Any] | Subprogram, *nests: Any, otherwise: Any = None) -> Any:
    """function(*nests) where the condition holds, otherwise (a nest of the same form, or None for zeros) elsewhere.

    ANYTHING in an `otherwise`, or in a tuple that is one, stands for a part whose numbers nobody looks at elsewhere:
    what is not made then need not be kept in memory. Where nothing is being traced they are 0.
    The work is skipped when no lane needs it, which changes no number. condition: a truth, a mask array or a Mask.
    Raises TraceError for a condition that is none of these, and for an otherwise of another form.
    """
    if isinstance(condition, (bool, np.bool_)):
        if condition or _is_open(otherwise):
            result = function(*nests)
            return result if condition else _closed(otherwise, result)
        return otherwise
    if isinstance(condition, np.ndarray):
        result = function(*nests)
        return _chosen(condition, result, _closed(otherwise, result))
    trace = _recording(condition)
    if trace is None:
        raise TraceError(f"`when` needs a truth, not {type(condition).__name__}; compare something first")
    program = function if isinstance(function, Subprogram) else Subprogram(function)
    given = Packing.of(nests)
    body = _body(trace, program, given)
    others = _spread(otherwise, body.form.form)
    form = _common(body.form, others)
    if form.terms != body.form.terms:
        body = _body(trace, program, given, form)
    args = [condition, *form.flat(others), *given.flat(nests), *body.captured]
    return form.nest(trace.record_many("when", args, len(body.outputs), body))


def _is_open(otherwise: Any) -> bool:
    """Whether it takes the form of what a branch returns to say what stands in its place."""
    parts = cast("tuple[Any, ...]", otherwise) if isinstance(otherwise, tuple) else (otherwise,)
    return otherwise is None or any(part is ANYTHING for part in parts)


def _spread(otherwise: Any, form: Any) -> Any:
    """What stands in the place of a form: with as many zeros, or numbers that may be any, as are asked for."""
    if otherwise is None or otherwise is ANYTHING:
        each = 0.0 if otherwise is None else ANYTHING
        return mapped(lambda _: each, form)
    return tuple(map(_spread, otherwise, form)) if _is_open(otherwise) else otherwise


def _closed(otherwise: Any, form: Any) -> Any:
    """The same, in which what may be any is 0."""
    return mapped(lambda x: 0.0 if x is ANYTHING else x, _spread(otherwise, form)) if _is_open(otherwise) else otherwise


def _common(form: Packing, others: Any) -> Packing:
    """A packing for what a branch returns and for what stands in its place otherwise."""
    other = Packing.of(others)
    if len(other.terms) != len(form.terms):
        raise TraceError(f"`when` gives {len(form.terms)} numbers, but {len(other.terms)} otherwise")
    return form.joined(other)


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
    return rebuilt(old, iter([_choice(mask, n, o) for n, o in zip(leaves(new), leaves(old), strict=True)]))


def _choice(mask: Any, new: Any, old: Any) -> Any:
    lifted = next((x for x in (new, old) if isinstance(x, Lifted)), None)
    return cast("Any", np.where)(mask, new, old) if lifted is None else lifted.applied("where", mask, new, old)


def _traced_loop(trace: Trace, condition: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
    carried, body = _loop_body(trace, step, Packing.of(state))
    test = _record_test(trace, condition, carried)
    args = [*carried.flat(state), *test.captured, *body.captured]
    return carried.nest(trace.record_many("loop", args, len(body.outputs), (test, body)))


def _loop_body(trace: Trace, step: Callable[[Any], Any], carried: Packing) -> tuple[Packing, Body]:
    """The body of a loop, and how its state is packed: with all that the steps add to lifted scalars."""
    name, result = getattr(step, "__name__", "step"), None
    while True:
        body = _record_body(trace, name, step, Packing((carried.form,), carried.terms), result)
        made: Packing = body.form
        if len(made.terms) != len(carried.terms):
            raise TraceError(
                f"a loop's step must return the form it takes: {len(carried.terms)} numbers, not {len(made.terms)}"
            )
        if made.terms == carried.terms:
            return carried, body
        wider = carried.joined(made)
        carried, result = wider, carried if wider.terms == carried.terms else None


def _record_test(trace: Trace, condition: Callable[[Any], Any], state: Packing) -> Body:
    def flat(*given: Real) -> list[Any]:
        holds = condition(state.nest(given))
        if not isinstance(holds, (Mask, bool)):
            raise TraceError(f"a loop's condition must be a comparison, not {type(holds).__name__}")
        return [holds]

    return traced("while", trace.precision, trace.root, state.size, flat)


def repeat(count: Any, step: Callable[[Any], Any], state: Any) -> Any:
    """state = step(state), count times (count may be traced and differ between lanes)."""

    def counted(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        return pair[0] + 1.0, step(pair[1])

    return loop(lambda pair: pair[0] < count, counted, (0.0, state))[1]
