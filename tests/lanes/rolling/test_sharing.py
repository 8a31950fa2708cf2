"""Equal pieces of short programs become subprograms and loops: the bits of the usual program, with fewer operations."""

from itertools import pairwise

import numpy as np
import pytest
from node_programs import run_in_node

from gambol.lanes import Program, ProgramSpec, array, fori, sin, sqrt, when, where
from gambol.lanes.bodies import bodies_of
from gambol.lanes.program_spec import trace_program
from gambol.lanes.wasm import wasm_module

COUNT = 8
NUMBERS = np.random.default_rng(5).uniform(0.2, 2.0, (COUNT, 24))


def chain(x, y, length=10):
    """Two operations for each unit of length."""
    for k in range(length):
        x = sqrt(x * y + (0.5 + k))
    return x


def everywhere(numbers):
    """Chains of operations in the program, in two branches, and in a loop with an array; one has another constant."""
    a, b, c, d, *others = numbers
    first = chain(a, b) - chain(b, 0.75)
    second = when(a > 1.0, lambda x: chain(x, c) * 2.0, d, otherwise=first)
    third = when(b > 1.0, lambda x: chain(c, x) + x, first, otherwise=second)
    memory = array(others)

    def step(i, total):
        memory[i] = chain(total, memory[i])
        return total * 0.5 + memory[i]

    end = fori(0, len(others), step, third)
    return ([first, second, third, end, sin(a), sin(end), *(memory[k] for k in range(len(others)))],)


def masks(numbers):
    """Masks of a chain that choose in it, and also outside of it, in some instances."""

    def choice(x, y):
        end = chain(x, y, 6)
        is_large = (end > 1.2) & (x < y)
        return where(is_large, chain(end, x, 6), chain(y, end, 6)), is_large

    found = [choice(x, y) for x, y in pairwise(numbers)]
    return ([x for x, _ in found] + [where(mask, x, 3.0) for (x, mask) in found[:3]],)


def crossed(numbers):
    """Two pieces that need each other's results, so that there is no order of their calls.

    Each computes a number, and two results from it. The second result of the first one needs a result of the second
    one, which needs the first result of the first one. Elsewhere the pieces are apart.
    """
    a, b, c, d, *others = numbers

    def first(x):
        u = sqrt(chain(x, 2.0, 6) / 7.0)
        return lambda y: chain(y + u, u, 5)

    def second(x):
        u = 9.0 - chain(x * x, 5.0, 6)
        return lambda y: abs(1.0 / chain(u - y, u, 4))

    one, other = first(a), second(b)
    begin = one(c)
    middle = other(begin)
    end = one(other(d))
    apart = [f(y) for k in (0, 1) for f in (first(others[k]), second(others[k])) for y in others[2:]]
    return ([begin, middle, end, *apart],)


def items(numbers):
    """Eight alike items that need nothing of each other: constants differ, and one number belongs to all.

    Each item has a mask of its own. What follows needs all of them, and is written out: a sum in order.
    """
    common = numbers[0] + numbers[1]
    found = []
    for k, x in enumerate(numbers):
        y = sqrt(x * common + (0.25 + k)) / (x + 1.5)
        found.append(where(y > x, sqrt(y) - x, sqrt(x + 2.0 + k)))
    total = common
    for x in found:
        total = total * 0.5 + x
    return ([*found, total],)


def specs(function):
    return [ProgramSpec(function.__name__, function, ([0.0] * COUNT,), short=short) for short in (False, True)]


FIRST, SECOND = 7 + 5 + 5, 6 + 4 + 4
"""Square roots of the pieces in crossed(): of their number, and of their two results."""

ROOTS = {
    everywhere: (5 * 10, 2 * 10),  # five chains, of which the one with a constant cannot be shared
    masks: (7 * 18, 18),  # seven pairs, of three chains each
    crossed: (3 * (FIRST + SECOND), FIRST + 3 * SECOND),  # only one of the pieces can be shared
    items: (COUNT * 3, 3),
}
"""Square roots that are written in the usual and in the short program, by function."""


def roots(spec, precision):
    """Return the number of square roots in all bodies of a program."""
    bodies = [trace_program(spec, precision)[0]]
    for body in bodies:
        for inner in (inner for op in body.ops for inner in bodies_of(op)):
            if not any(inner is known for known in bodies):
                bodies.append(inner)
    return sum(op.name == "sqrt" for body in bodies for op in body.ops)


@pytest.mark.parametrize("function", ROOTS)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_shared_pieces_have_the_same_bits(function, precision):
    usual, short = (Program(spec, precision) for spec in specs(function))
    given = NUMBERS.astype(precision)
    np.testing.assert_array_equal(short(given)[0], usual(given)[0])
    assert short.operations < usual.operations
    assert tuple(roots(spec, precision) for spec in specs(function)) == ROOTS[function]


@pytest.mark.parametrize("function", [everywhere, masks, crossed, items])
def test_a_page_computes_the_same_bits(function):
    usual, short = specs(function)
    found = run_in_node(wasm_module(short), [NUMBERS]).outputs[0]
    np.testing.assert_array_equal(found, Program(usual)(NUMBERS)[0])


def test_alike_items_of_one_body_are_a_loop():
    body, _ = trace_program(specs(items)[1], "float64")
    names = [op.name for op in body.ops]
    assert names.count("scan") == 1
    assert "sqrt" not in names
    assert [op.extra.count for op in body.ops if op.name == "scan"] == [COUNT]


def test_items_that_need_each_other_are_no_loop():
    """Each item begins with the result of the one before, through operations outside of the items."""

    def steps(numbers):
        x = 1.0
        for k, y in enumerate(numbers):
            x = sqrt(sqrt(sqrt(x + y + k) + y) + y) / (y + 3.0)
            x = abs(x - 0.5) if k % 2 else x * x
        return ([x],)

    usual, short = specs(steps)
    body, _ = trace_program(short, "float64")
    assert "scan" not in [op.name for op in body.ops]
    np.testing.assert_array_equal(Program(short)(NUMBERS)[0], Program(usual)(NUMBERS)[0])
