"""Sparsity of the derivatives of a tape: the entries of Jacobian and Hessian that can differ from 0.

The sets of inputs on which values depend are passed through the tape; a value that is non-linear in its operands
couples their inputs [Griewank & Walther 2008, sections 7.1 and 7.4]. Sets are integers with a bit for each input.
"""

from collections.abc import Iterable, Iterator

from gambol.lanes.ops import MASKS
from gambol.lanes.tape.recording import Tape

WITHOUT_DERIVATIVE = MASKS | {"const", "floor", "gather", "is_finite"}
NONLINEAR = frozenset({"sqrt", "sin", "cos", "exp", "log", "atan2"})


def jacobian_pattern(tape: Tape) -> list[tuple[int, int]]:
    """Return the entries (output, input) of the Jacobian that can differ from 0, by rows."""
    sets = _input_sets(tape)
    return [(row, column) for row, index in enumerate(tape.outputs) for column in _members(sets[index])]


def hessian_pattern(tape: Tape) -> list[tuple[int, int]]:
    """Return the entries (i, j), j <= i, of the Hessian of the outputs' sum that can differ from 0, by rows."""
    sets = _input_sets(tape)
    rows = [0] * tape.inputs
    pairs: set[tuple[int, int]] = set()
    for op, live in zip(tape.ops, tape.live(), strict=True):
        if not live:
            continue
        if op.name in ("mul", "div"):
            x, y = (sets[a] for a in op.args)
            pairs |= {(x, y)} if op.name == "mul" else {(x, y), (y, y)}
        elif op.name in NONLINEAR:
            both = _union(sets[a] for a in op.args)
            pairs.add((both, both))
    for x, y in pairs:
        for i in _members(x):
            rows[i] |= y
        for j in _members(y):
            rows[j] |= x
    return [(i, j) for i, row in enumerate(rows) for j in _members(row) if j <= i]


def jacobian_work(tape: Tape, count: int) -> int:
    """Return the approximate number of operations of derivatives by Duals with respect to the first `count` inputs."""
    counts = [(inputs & (1 << count) - 1).bit_count() for inputs in _input_sets(tape)]
    return sum(1 + 2 * n for op, n, live in zip(tape.ops, counts, tape.live(), strict=True) if live and op.args)


def hessian_work(tape: Tape, count: int) -> int:
    """Return the approximate number of operations of second derivatives by Duals in the reverse pass.

    Derivatives are with respect to the first `count` inputs.
    """
    sets, mask = _input_sets(tape), (1 << count) - 1
    adjoints = [0] * len(sets)  # the inputs on which the adjoint of each operation depends
    work = jacobian_work(tape, count)
    for index in range(len(sets) - 1, -1, -1):
        op = tape.ops[index]
        if not sets[index] or not op.args:
            continue
        # the inputs on which the derivatives of a non-linear operation depend
        derivative_inputs = sets[index] if op.name in NONLINEAR or op.name == "div" else 0
        for k, a in enumerate(op.args):
            factor_inputs = sets[op.args[1 - k]] if op.name == "mul" else derivative_inputs
            contribution = (adjoints[index] | factor_inputs) & mask
            if sets[a]:
                adjoints[a] |= contribution
                work += 2 + 3 * contribution.bit_count()
    return work


def _input_sets(tape: Tape) -> list[int]:
    """Return the set of inputs of each operation with respect to which it has a derivative."""
    sets: list[int] = []
    for op in tape.ops:
        if op.name == "input":
            sets.append(1 << op.extra)
        elif op.name in WITHOUT_DERIVATIVE:
            sets.append(0)
        else:
            sets.append(_union(sets[a] for a in op.args))
    return sets


def _union(sets: Iterable[int]) -> int:
    union = 0
    for inputs in sets:
        union |= inputs
    return union


def _members(inputs: int) -> Iterator[int]:
    """Yield the members of a set, in order."""
    while inputs:
        lowest = inputs & -inputs
        yield lowest.bit_length() - 1
        inputs ^= lowest
