"""Control flow over generic scalars: subprograms, and loops and branches that may differ from lane to lane."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gambol.errors import TraceError
from gambol.lanes.arrays import STORE_MASKS, Counter, Index, select_leaf
from gambol.lanes.bodies import changed_captures, trace_body
from gambol.lanes.ops import UNDEFINED, CompositeScalar
from gambol.lanes.trace import ACTIVE, Body, Mask, Real, Trace, Value, current_trace, in_scope, is_array
from gambol.lanes.tree import Packing, leaves, tree_map, unflatten


def active_trace(*trees: Any) -> Trace | None:
    """Return the active trace, else the trace of the first traced scalar in the pytrees, else None."""
    if ACTIVE.traces:
        return ACTIVE.traces[-1]
    for tree in trees:
        for leaf in Packing.of(tree).flatten(tree):
            if isinstance(leaf, Value):
                return current_trace(leaf.trace)
    return None


class Subprogram:
    """A function that is recorded once and called at every use.

    function: takes and returns pytrees of scalars; it may capture traced values and constants. rarity: 1 or more for
    the branch of a `when` that few lanes take, at a high cost, and higher for the rarer of two. If the whole program
    is one loop, lanes that take this branch wait until they fill a block, which then computes this step of the loop.
    Results do not depend on the rarity. kind: the type of its trace.
    """

    def __init__(self, function: Callable[..., Any], rarity: int = 0, kind: type[Trace] = Trace) -> None:
        self.function = function
        self.rarity = rarity
        self.kind = kind
        self.name: str = getattr(function, "__name__", "subprogram")

    def __call__(self, *trees: Any) -> Any:
        """Record a call while a program is being traced, else run the function. trees: its arguments, pytrees."""
        trace = active_trace(*trees)
        if trace is None:
            return self.function(*trees)
        arguments = Packing.of(trees)
        body = _checked(_body(trace, self, arguments))
        results = trace.record_many("call", [*arguments.flatten(trees), *body.captured], len(body.outputs), body)
        return body.packing.unflatten(results)


def subprogram(function: Callable[..., Any]) -> Subprogram:
    """Return a function as a Subprogram, which is recorded once and called at every use instead of inlined."""
    return Subprogram(function)


def _body(trace: Trace, program: Subprogram, arguments: Packing, result: Packing | None = None) -> Body:
    """Return the body of a subprogram for arguments of a layout; the first call records it.

    arguments: the layout of the arguments; result: structure of the result, None to take it from the function. The body
    is recorded again if it captured a value of a loop or branch that has ended.
    """
    key = (program, arguments.terms, result and result.terms)
    body = trace.root.bodies.get(key)
    if body is None or not all(in_scope(value) for value in body.captured):
        body = record_body(trace, program.name, program.function, arguments, result, program.kind)
        trace.root.bodies[key], body.rarity = body, program.rarity
    return body


def _checked(body: Body) -> Body:
    """Return the body of a subprogram. Raises TraceError if it captured an index, or changes a captured array."""
    if any(isinstance(value, Counter) for value in body.captured):
        raise TraceError(f"the subprogram {body.name} uses an index of its surroundings; make it an argument")
    if any(map(is_array, body.captured)) and changed_captures(body):
        raise TraceError(f"the subprogram {body.name} changes an array of its surroundings; return its new numbers")
    return body


def record_body(
    trace: Trace,
    name: str,
    function: Callable[..., Any],
    arguments: Packing,
    result: Packing | None = None,
    kind: type[Trace] = Trace,
) -> Body:
    """Record and return the body of a function; kind: the type of its trace; for the others see _body()."""
    packing: list[Packing] = []

    def flat_function(*values: Real) -> list[Any]:
        tree = function(*arguments.unflatten(values))
        if any(isinstance(leaf, (Mask, bool)) for leaf in leaves(tree)):
            raise TraceError(f"{name} returns a mask; return where(mask, 1.0, 0.0) and compare the result")
        packing.append(result or Packing.of(tree))
        return packing[0].flatten(tree)

    body = trace_body(name, trace.precision, trace.root, arguments.size, flat_function, kind)
    body.packing = packing[0]
    return body


def is_tracing() -> bool:
    """Return True while a program is being traced, that is, while formulas are recorded to be compiled."""
    return bool(ACTIVE.traces)


def is_short() -> bool:
    """Return True while a program is traced that shall be short rather than fast, see ProgramSpec.short.

    Formulas then take loops over alike pieces, and one subprogram for several uses, where code that is written out is a
    little faster. Results are the same to the bit.
    """
    return bool(ACTIVE.traces) and ACTIVE.is_short


def split_point() -> None:
    """Mark a point where a long program may be split, such as between links. Equal pieces then share their code.

    The mark does not change results, and has no effect outside a trace.
    """
    if ACTIVE.traces:
        ACTIVE.traces[-1].split_points.append(len(ACTIVE.traces[-1].ops))


def when(condition: Any, function: Callable[..., Any] | Subprogram, *trees: Any, otherwise: Any = None) -> Any:
    """Return function(*trees) where a condition is True, and `otherwise` where it is False.

    condition: a bool, a mask array or a Mask. function: a function, skipped if the condition is False in all lanes of a
    block; trees: its arguments. otherwise: a pytree with the structure of the function's result, or None for zeros.
    UNDEFINED, as `otherwise` or as an item of its tuple, marks values that are never used: they need no memory, and
    outside a trace they are 0. Raises TraceError for a condition of another type, and for an `otherwise` of another
    structure.
    """
    if isinstance(condition, (bool, np.bool_)):
        if condition or _is_incomplete(otherwise):
            result = _masked(bool(cast("Any", condition)), function, *trees)
            return result if condition else _zero_filled(otherwise, result)
        return otherwise
    if isinstance(condition, (np.ndarray, CompositeScalar)):
        result = _masked(condition, function, *trees)
        return _select(condition, result, _zero_filled(otherwise, result))
    trace = active_trace(condition)
    if trace is None:
        raise TraceError(f"the condition of `when` must be a comparison, not {type(condition).__name__}")
    program = function if isinstance(function, Subprogram) else Subprogram(function)
    arguments = Packing.of(trees)
    body = _body(trace, program, arguments)
    if program is function:
        _checked(body)
    alternative = _completed(otherwise, body.packing.structure)
    packing = _common_packing(body.packing, alternative)
    if packing.terms != body.packing.terms:
        body = _body(trace, program, arguments, packing)
    args = [condition, *packing.flatten(alternative), *arguments.flatten(trees), *body.captured]
    return packing.unflatten(trace.record_many("when", args, len(body.outputs), body))


def _is_incomplete(otherwise: Any) -> bool:
    """Return True if an `otherwise` is None or contains UNDEFINED; its structure is then that of the result."""
    items = cast("tuple[Any, ...]", otherwise) if isinstance(otherwise, tuple) else (otherwise,)
    return otherwise is None or any(item is UNDEFINED for item in items)


def _completed(otherwise: Any, structure: Any) -> Any:
    """Return an `otherwise` as a pytree of this structure: None becomes zeros, UNDEFINED is repeated for each leaf."""
    if otherwise is None or otherwise is UNDEFINED:
        leaf = 0.0 if otherwise is None else UNDEFINED
        return tree_map(lambda _: leaf, structure)
    return tuple(map(_completed, otherwise, structure)) if _is_incomplete(otherwise) else otherwise


def _zero_filled(otherwise: Any, structure: Any) -> Any:
    """Return an `otherwise` as a pytree of this structure: None and UNDEFINED become zeros."""
    if not _is_incomplete(otherwise):
        return otherwise
    return tree_map(lambda x: 0.0 if x is UNDEFINED else x, _completed(otherwise, structure))


def _common_packing(result: Packing, alternative: Any) -> Packing:
    """Return a layout for both the result of a branch and its alternative, a pytree."""
    other = Packing.of(alternative)
    if len(other.terms) != len(result.terms):
        raise TraceError(
            f"the function of `when` returns {len(result.terms)} numbers, its `otherwise` has {len(other.terms)}"
        )
    return result.merged(other)


def loop(condition: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
    """Repeat state = step(state) while condition(state). Each lane stops when its own condition becomes False.

    condition: takes the state, returns a bool or mask. step: takes the state, returns a state of the same structure.
    state: a pytree of scalars. Returns the last state of each lane.
    Raises TraceError if step returns another structure.
    """
    trace = active_trace(state)
    if trace is not None:
        return _traced_loop(trace, condition, step, state)
    holds = condition(state)
    while holds if isinstance(holds, CompositeScalar) else np.any(holds):
        if isinstance(holds, (bool, np.bool_)):
            state = step(state)
        else:
            state = _select(holds, _masked(holds, step, state), state)
        holds = holds & condition(state)
    return state


def _masked(mask: Any, function: Callable[..., Any], *trees: Any) -> Any:
    """Return function(*trees), which changes arrays only where a mask holds."""
    STORE_MASKS.masks.append(mask)
    try:
        return function(*trees)
    finally:
        STORE_MASKS.masks.pop()


def _select(mask: Any, new: Any, old: Any) -> Any:
    return unflatten(old, iter([select_leaf(mask, n, o) for n, o in zip(leaves(new), leaves(old), strict=True)]))


def _traced_loop(trace: Trace, condition: Callable[[Any], Any], step: Callable[[Any], Any], state: Any) -> Any:
    carried, body = _loop_body(trace, step, Packing.of(state))
    test = _record_test(trace, condition, carried)
    args = [*carried.flatten(state), *test.captured, *body.captured]
    return carried.unflatten(trace.record_many("loop", args, len(body.outputs), (test, body)))


def _loop_body(trace: Trace, step: Callable[[Any], Any], carried: Packing) -> tuple[Packing, Body]:
    """Return the layout of a loop's state, including terms that steps add to composite scalars, and the loop's body."""
    name, result = getattr(step, "__name__", "step"), None
    while True:
        body = record_body(trace, name, step, Packing((carried.structure,), carried.terms), result)
        returned: Packing = body.packing
        if len(returned.terms) != len(carried.terms):
            counts = f"{len(carried.terms)} numbers, not {len(returned.terms)}"
            raise TraceError(f"the step of a loop must return a state of the same structure: {counts}")
        if returned.terms == carried.terms:
            return carried, body
        merged = carried.merged(returned)
        result = carried if merged.terms == carried.terms else None
        carried = merged


def _record_test(trace: Trace, condition: Callable[[Any], Any], state: Packing) -> Body:
    def flat_function(*values: Real) -> list[Any]:
        holds = condition(state.unflatten(values))
        if not isinstance(holds, (Mask, bool)):
            raise TraceError(f"a loop's condition must be a comparison, not {type(holds).__name__}")
        return [holds]

    return trace_body("while", trace.precision, trace.root, state.size, flat_function)


def repeat(count: Any, step: Callable[[Any], Any], state: Any) -> Any:
    """Return the state after `count` repetitions of state = step(state).

    count: a number, which may be traced and differ between lanes; step: takes the state, returns a state of the same
    structure; state: a pytree of scalars.
    """

    def counted(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        return pair[0] + 1.0, step(pair[1])

    return loop(lambda pair: pair[0] < count, counted, (0.0, state))[1]


def fori(
    lower: int | Index, upper: int | Index, step: Callable[[Any, Any], Any], state: Any = (), *, rolled: bool = True
) -> Any:
    """Compute state = step(i, state) for i from lower to upper - 1; return the last state. [fori_loop of JAX]

    step: takes the index and the state, and returns a state of the same structure, or None if the state is empty. It
    may change arrays. rolled: in a trace, True records one step and a loop over it, False records a copy of the step
    for each index.
    """
    trace, first, last = active_trace(state), Index.of(lower), Index.of(upper)
    if not first.terms and not last.terms and first.constant >= last.constant:
        return state
    if trace is None or not rolled:
        if first.terms or last.terms:
            raise TraceError("the bounds of an unrolled loop must be constant")
        for i in range(first.constant, last.constant):
            result = step(i, state)
            state = state if result is None else result
        return state
    bounds, carried = (first, last), Packing.of(state)

    def flat_function(counter: Real, *values: Real) -> list[Any]:
        result = step(Index(((Counter(counter.trace, counter.id), 1),)), carried.unflatten(values))
        return carried.flatten(() if result is None else result)

    name = getattr(step, "__name__", "step")
    body = trace_body(name, trace.precision, trace.root, 1 + carried.size, flat_function)
    counters = [counter for bound in bounds for counter in bound.counters]
    args = [*counters, *carried.flatten(state), *body.captured]
    extra = (*(bound.affine for bound in bounds), body)
    return carried.unflatten(trace.record_many("fori", args, len(body.outputs), extra))
