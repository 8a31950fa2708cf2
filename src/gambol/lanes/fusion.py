"""Tracing of a function to a body of operations, with dead code removed and multiply-adds fused.

Which multiply and add become one fma is decided here, once for all target processors, so that results do not depend on
the compiler.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from gambol.lanes.ops import Op, Precision
from gambol.lanes.trace import ACTIVE, Body, Trace


def trace_body(name: str, precision: Precision, root: Trace | None, count: int, function: Callable[..., Any]) -> Body:
    """Trace a function of flat inputs to a body of operations.

    name: of the body; precision: of its numbers; root: the trace of the program it is part of, None for a program;
    count: the number of inputs; function: takes that many Reals, returns a flat list of scalars.
    Returns a Body of the live operations, in order, with multiplies and adds fused.
    """
    trace = Trace(precision, root)
    ACTIVE.traces.append(trace)
    try:
        inputs = [trace.input() for _ in range(count)]
        outputs = tuple(trace.local(x) for x in function(*inputs))
    finally:
        ACTIVE.traces.pop()
    return _finish(name, trace, outputs)


def _finish(name: str, trace: Trace, outputs: tuple[int, ...]) -> Body:
    """Return the body of a trace: the operations that its outputs need, renumbered, with multiplies and adds fused."""
    ops = trace.ops
    uses = _uses(ops, outputs)
    fused = [_fused(op, ops, uses) if uses[i] else op for i, op in enumerate(ops)]
    uses = _uses(fused, outputs)
    renumber: dict[int, int] = {}
    live: list[Op] = []
    for i, op in enumerate(fused):
        if uses[i] or op.name in ("input", "captured"):
            renumber[i] = len(live)
            live.append(Op(op.name, tuple(renumber[a] for a in op.args), op.extra))
    alive = sorted(renumber)
    split_points = tuple(bisect_left(alive, point) for point in trace.split_points)
    return Body(name, live, len(trace.inputs), tuple(renumber[o] for o in outputs), trace.captured, split_points)


def _uses(ops: list[Op], outputs: tuple[int, ...]) -> list[int]:
    """Return the number of uses of each operation's result by live operations."""
    uses = [0] * len(ops)
    for o in outputs:
        uses[o] += 1
    for i in range(len(ops) - 1, -1, -1):
        if uses[i]:
            for a in ops[i].args:
                uses[a] += 1
    return uses


def _fused(op: Op, ops: list[Op], uses: list[int]) -> Op:
    """Return a b + c, a b - c or c - a b as one operation where the product has no other use."""
    if op.name not in ("add", "sub"):
        return op
    left, right = op.args
    if _single_product(left, ops, uses):
        return Op("fma" if op.name == "add" else "fms", (*ops[left].args, right))
    if _single_product(right, ops, uses):
        return Op("fma" if op.name == "add" else "fnma", (*ops[right].args, left))
    return op


def _single_product(i: int, ops: list[Op], uses: list[int]) -> bool:
    return ops[i].name == "mul" and uses[i] == 1
