"""From a function to the body of its operations: what it does is traced, what is dead goes, products meet their sums.

Which multiply and add become one fma is decided here, once, for every kind of machine code, so that the numbers do not
depend on the compiler.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from gambol.lanes.ops import Op, Precision
from gambol.lanes.trace import ACTIVE, Body, Trace


def traced(name: str, precision: Precision, root: Trace | None, count: int, function: Callable[..., Any]) -> Body:
    """Trace a function of flat inputs to the body of its operations.

    count: how many inputs; function: takes that many Reals, returns a flat list of scalars.
    Returns a Body whose ops are alive, in order, with multiplies and adds fused.
    """
    trace = Trace(precision, root)
    ACTIVE.traces.append(trace)
    try:
        given = [trace.input() for _ in range(count)]
        outputs = tuple(trace.local(x) for x in function(*given))
    finally:
        ACTIVE.traces.pop()
    return _finished(name, trace, outputs)


def _finished(name: str, trace: Trace, outputs: tuple[int, ...]) -> Body:
    """The body of a trace: only what its outputs need, multiplies fused into adds, numbered anew."""
    ops = trace.ops
    uses = _uses(ops, outputs)
    fused = [_fused(op, ops, uses) if uses[i] else op for i, op in enumerate(ops)]
    uses = _uses(fused, outputs)
    renumber: dict[int, int] = {}
    kept: list[Op] = []
    for i, op in enumerate(fused):
        if uses[i] or op.name in ("input", "captured"):
            renumber[i] = len(kept)
            kept.append(Op(op.name, tuple(renumber[a] for a in op.args), op.extra))
    alive = sorted(renumber)
    seams = tuple(bisect_left(alive, seam) for seam in trace.seams)
    return Body(name, kept, len(trace.inputs), tuple(renumber[o] for o in outputs), trace.captured, seams)


def _uses(ops: list[Op], outputs: tuple[int, ...]) -> list[int]:
    """How often each operation's result is used by those that are alive."""
    uses = [0] * len(ops)
    for o in outputs:
        uses[o] += 1
    for i in range(len(ops) - 1, -1, -1):
        if uses[i]:
            for a in ops[i].args:
                uses[a] += 1
    return uses


def _fused(op: Op, ops: list[Op], uses: list[int]) -> Op:
    """a b + c, a b - c or c - a b as one operation where the product is used nowhere else."""
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
