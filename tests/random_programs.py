"""Random programs of nested loops, branches and calls, over generic scalars."""

from dataclasses import dataclass, replace

import numpy as np

from gambol.lanes import Subprogram, logical_not, loop, maximum, scan, sin, split_point, sqrt, when, where

INPUTS, WORLDS = 5, 11


@dataclass(frozen=True)
class Statement:
    """One statement: its operation, the distances back to its operands, a number and an inner block."""

    does: str
    back: tuple[int, ...] = ()
    number: float = 0.0
    block: "tuple[Statement, ...]" = ()


def random_block(random, known, length, depth):
    """Statements that read each other's values and the `known` ones before them."""
    block = []
    while len(block) < length:
        does = str(random.choice([*SIMPLE, *INNER, "again"] if depth else [*SIMPLE]))
        if does == "again":
            block += again(random, block[-4:])
            continue
        back = tuple(int(k) for k in random.integers(1, known + len(block) + 1, 3))
        inside = known + len(block) + 3
        inner = random_block(random, inside, random.integers(4, 8), depth - 1) if does in INNER else ()
        block.append(Statement(does, back, float(random.normal()), inner))
    return tuple(block)


def again(random, few):
    """Return a few statements repeated twice between split points, with other numbers: pieces of one pattern."""
    split = Statement("split", (1, 1, 1))
    first, second = ([replace(s, number=float(random.normal())) for s in few] for _ in range(2))
    return [split, *first, split, *second, split]


def bounded(x):
    """A number of moderate size."""
    return x / (1.0 + abs(x) * 0.25)


def after_split(c, x, *_):
    """Return a value, after a split point."""
    split_point()
    return x


SIMPLE = {
    "sum": lambda c, a, b, d: bounded(a + b - d * c),
    "product": lambda c, a, b, d: bounded(a * b + d),
    "scaled": lambda c, a, b, d: bounded(a * c - b * 2.5),
    "wave": lambda c, a, b, d: sin(a + c) * b,
    "ratio": lambda c, a, b, d: a / (1.0 + b * b),
    "root": lambda c, a, b, d: sqrt(a * a + b * b + 0.1) - maximum(d, c),
    "choice": lambda c, a, b, d: where((a > b) & logical_not(d > c), a, where(a <= c, b, d)),
    "constant": lambda c, a, b, d: c,
    "split": after_split,
}


def run_block(block, values):
    """The values and, after them, those of the block's statements."""
    values = list(values)
    for statement in block:
        operands = [values[-k] for k in statement.back]
        if statement.does in INNER:
            values.append(INNER[statement.does](statement, values, *operands))
        else:
            values.append(SIMPLE[statement.does](statement.number, *operands))
    return values


def looped(statement, values, a, b, c):
    def goes_on(state):
        return (state[0] * (1.25 + statement.number * statement.number) + values[0] * values[1] < 4.0) & (
            state[3] < 3.5
        )

    def step(state):
        end = run_block(statement.block, [*values, *state[:3]])
        return end[-1], bounded(end[-2] + state[0]), state[1], state[3] + 1.0

    state = loop(goes_on, step, (a, b, c, 0.0))
    return bounded(state[0] + state[1] * 0.5 - state[3] * 0.1)


def branched(statement, values, a, b, c):
    def branch(*own):
        end = run_block(statement.block, [*values, *own])
        return end[-1], end[-2]

    first, second = when(a * statement.number < b, branch, a, b, c, otherwise=(c, 0.5))
    return bounded(first - second)


def called(statement, values, a, b, c):
    program = Subprogram(lambda *own: run_block(statement.block, [*values, *own])[-1])
    return bounded(program(a, b, c) + program(b, 0.25, a))


def scanned(statement, values, a, b, c):
    """Three items of traced numbers, constants and what they share; a carry that is replaced, exchanged, kept."""
    items = [(a, statement.number, b, c), (b, 0.5, b, c), (values[0], statement.number, a, c)]

    def step(carry, item):
        x, old, first, second = carry
        end = run_block(statement.block, [*values, x, item[0], item[3] - item[2] * item[1]])
        first, second = when(
            end[-1] < item[1],
            lambda u, v: (bounded(v + end[-2]), u),
            first,
            second,
            otherwise=(first, second),
        )
        return (bounded(old - end[-1]), x, first, second), (end[-2], item[2])

    carry, results = scan(step, (a, b, c, 0.5), items)
    (last, _), _ = scan(lambda sums, result: ((sums[1] + result[0], sums[0] - result[1]), None), (c, a), results)
    return bounded(last + carry[0] * 0.5 - carry[1] + carry[2] * carry[3])


INNER = {"loop": looped, "branch": branched, "call": called, "scan": scanned}


def function_of(seed):
    """The random program of a seed, as a function of a list of numbers."""
    random = np.random.default_rng(seed)
    block = random_block(random, INPUTS, 40, 3)
    return lambda x: run_block(block, x)[-12:]


def numbers(seed, precision="float64"):
    return np.random.default_rng(1000 + seed).normal(scale=2.0, size=(INPUTS, WORLDS)).astype(precision)
