"""Tracing of a function to a body of operations, with dead code removed and multiply-adds fused.

Multiplies and adds are fused to fma here and not by the compiler, so that results are the same on every processor.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from gambol.lanes.body_tree import changes_arrays
from gambol.lanes.ops import Op, Precision
from gambol.lanes.trace import ACTIVE, Body, Trace


def trace_body(name: str, precision: Precision, root: Trace | None, count: int, function: Callable[..., Any]) -> Body:
    """Trace a function of flat inputs to a body of operations.

    name: name of the body; precision: precision of its numbers; root: the trace of the enclosing program, None for a
    program itself; count: the number of inputs; function: takes `count` Reals, returns a flat list of scalars. Returns
    a Body of the live operations, in order, with multiplies and adds fused.
    """
    trace = Trace(precision, root)
    ACTIVE.traces.append(trace)
    try:
        inputs = [trace.input() for _ in range(count)]
        outputs = tuple(trace.index_of(x) for x in function(*inputs))
    finally:
        ACTIVE.traces.pop()
    return _finish(name, trace, outputs)


def _finish(name: str, trace: Trace, outputs: tuple[int, ...]) -> Body:
    """Return the body of a trace: the operations that its outputs need, renumbered, with multiplies and adds fused."""
    ops = trace.ops
    uses = _use_counts(ops, outputs)
    fused = [_fused(op, ops, uses) if uses[i] else op for i, op in enumerate(ops)]
    uses = _use_counts(fused, outputs)
    new_index: dict[int, int] = {}
    live: list[Op] = []
    for i, op in enumerate(fused):
        if uses[i] or op.name in ("input", "captured"):
            new_index[i] = len(live)
            live.append(Op(op.name, tuple(new_index[a] for a in op.args), op.extra))
    kept_indices = sorted(new_index)
    split_points = tuple(bisect_left(kept_indices, point) for point in trace.split_points)
    body = Body(name, live, len(trace.inputs), tuple(new_index[o] for o in outputs), trace.captured, split_points)
    body.stores = any(map(changes_arrays, live))
    return body


def _use_counts(ops: list[Op], outputs: tuple[int, ...]) -> list[int]:
    """Return the number of uses of each operation by live operations, plus 1 for an operation that changes arrays."""
    uses = [int(changes_arrays(op)) for op in ops]
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
