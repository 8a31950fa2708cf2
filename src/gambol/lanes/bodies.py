"""Bodies of operations: tracing of a function to one, and the bodies that operations run.

Tracing removes dead code. It fuses multiplies and adds to fma here, and not in the compiler, so that results are the
same on every processor.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, cast

from gambol.lanes.ops import Op, Precision
from gambol.lanes.trace import ACTIVE, Body, Trace, Value

CONTROL = frozenset({"call", "when", "loop", "scan", "fori"})
"""Operations that run bodies."""

MEMORY = frozenset({"array", "view", "load", "store"})
"""Operations on arrays, see arrays.py."""


def bodies_of(op: Op) -> tuple[Body, ...]:
    """Return the bodies that an operation runs, the last of which gives its results; none if it is not in CONTROL."""
    if op.name not in CONTROL:
        return ()
    extra: Any = op.extra.body if op.name == "scan" else op.extra
    items = cast("tuple[Any, ...]", extra if isinstance(extra, tuple) else (extra,))
    return tuple(x for x in items if isinstance(x, Body))


def changes_arrays(op: Op) -> bool:
    """Return True for an operation that changes an array, or runs a body that does."""
    return op.name == "store" or (op.name in CONTROL and any(body.stores for body in bodies_of(op)))


def changed_captures(body: Body) -> set[tuple[int, int]]:
    """Return the captured arrays that a body changes, by trace and index."""
    changed: set[tuple[int, int]] = set()
    for op in body.ops:
        if op.name == "store":
            array = body.ops[op.args[0]]
            changed |= {_key(captured(body, array))} if array.name == "captured" else set()
        for inner in bodies_of(op):
            changed |= changed_captures(inner) if inner.stores else set()
    return changed & set(map(_key, body.captured))


def _key(value: Value) -> tuple[int, int]:
    return id(value.trace), value.id


def captured(body: Body, op: Op) -> Value:
    """Return the value of an operation "captured" of a body."""
    number: int = op.extra
    return body.captured[number]


def trace_body(
    name: str,
    precision: Precision,
    root: Trace | None,
    count: int,
    function: Callable[..., Any],
    kind: type[Trace] = Trace,
) -> Body:
    """Trace a function of flat inputs to a body of operations.

    name: name of the body; precision: precision of its numbers; root: the trace of the enclosing program, None for a
    program itself; count: the number of inputs; function: takes `count` Reals, returns a flat list of scalars. kind:
    the type of its trace. Returns a Body of the live operations, in order, with multiplies and adds fused.
    """
    trace = kind(precision, root)
    ACTIVE.traces.append(trace)
    try:
        inputs = [trace.input() for _ in range(count)]
        outputs = tuple(trace.index_of(x) for x in function(*inputs))
    finally:
        ACTIVE.traces.pop()
    return _finish(name, trace, outputs)


class HoistingTrace(Trace):
    """The trace of a body that leaves to the surroundings what depends on captured values only.

    So these operations are recorded once, as without the body, and fused alike: a product that all calls use is fused
    with no sum. Values that no operation of the body uses are not captured, since a capture counts as a use.
    """

    def record(self, name: str, *args: Value | float | bool, extra: Any = None) -> Value:
        """Record an operation, here or in the surroundings, and return its result there."""
        if name not in HOISTED or any(isinstance(x, Value) and x.trace is self for x in args):
            return super().record(name, *args, extra=extra)
        return ACTIVE.traces[ACTIVE.traces.index(self) - 1].record(name, *args, extra=extra)


HOISTED = frozenset({"add", "sub", "mul", "div", "neg", "abs", "sqrt"})
"""Operations that a HoistingTrace leaves to its surroundings."""


def _finish(name: str, trace: Trace, outputs: tuple[int, ...]) -> Body:
    """Return the body of a trace: the operations that its outputs need, renumbered, with multiplies and adds fused."""
    ops = trace.ops
    stores = list(map(changes_arrays, ops))
    uses = _use_counts(ops, outputs, stores)
    fused = [_fused(op, ops, uses) if uses[i] else op for i, op in enumerate(ops)]
    uses = _use_counts(fused, outputs, stores)
    new_index: dict[int, int] = {}
    live, captured_values = list[Op](), list[Value]()
    for i, op in enumerate(fused):
        if not uses[i] and (op.name != "captured" or isinstance(trace, HoistingTrace)) and op.name != "input":
            continue
        extra = op.extra
        if op.name == "captured":
            extra = len(captured_values)
            captured_values.append(trace.captured[cast("int", op.extra)])
        new_index[i] = len(live)
        live.append(Op(op.name, tuple(new_index[a] for a in op.args), extra))
    kept_indices = sorted(new_index)
    split_points = tuple(bisect_left(kept_indices, point) for point in trace.split_points)
    body = Body(name, live, len(trace.inputs), tuple(new_index[o] for o in outputs), captured_values, split_points)
    body.stores = any(stores)  # these are live
    body.alike = tuple(
        tuple(new_index[i] for i in group) for group in trace.alike if all(i in new_index for i in group)
    )
    return body


def _use_counts(ops: list[Op], outputs: tuple[int, ...], stores: list[bool]) -> list[int]:
    """Return the number of uses of each operation by live operations, plus 1 for an operation that changes arrays.

    stores: True for operations that change arrays.
    """
    uses = list(map(int, stores))
    for o in outputs:
        uses[o] += 1
    for i in range(len(ops) - 1, -1, -1):
        if uses[i]:
            for a in ops[i].args:
                uses[a] += 1
    return uses


def _fused(op: Op, ops: list[Op], uses: list[int]) -> Op:
    """Return an add or subtract as a fused multiply-add if an operand is a product without other uses, else as is."""
    if op.name not in ("add", "sub"):
        return op
    left, right = op.args
    if _is_single_use_product(left, ops, uses):
        return Op("fma" if op.name == "add" else "fms", (*ops[left].args, right))
    if _is_single_use_product(right, ops, uses):
        return Op("fma" if op.name == "add" else "fnma", (*ops[right].args, left))
    return op


def _is_single_use_product(i: int, ops: list[Op], uses: list[int]) -> bool:
    return ops[i].name == "mul" and uses[i] == 1
