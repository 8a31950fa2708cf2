"""Loops over alike pieces of short programs: the same bits as the usual program, with the operations of one piece."""

from functools import partial

import numpy as np
import pytest
from node_programs import run_in_node

from gambol.lanes import Program, ProgramSpec, array, cos, declare_alike, fori, is_short, sin, sqrt, when, where
from gambol.lanes.program_spec import trace_program
from gambol.lanes.wasm import wasm_module

PIECES, JOINTS = 6, 3
NUMBERS = np.random.default_rng(3).uniform(-2.0, 2.0, (PIECES * JOINTS + 1, 24))


def limb(trunk, angles, k):
    """Numbers of a limb whose constants have the sign of its side, and some zeros only in some limbs."""
    side, length = (-1.0) ** k, 0.3 + 0.1 * k
    x, y, total = trunk, side * length * trunk, 0.0
    for n, angle in enumerate(angles):
        c, s = cos(angle), sin(angle)
        x, y = c * x - side * s * y + length, side * s * x + c * y - 0.25 * (k - 2.0) * s
        total = total + sqrt(x * x + y * y) * where(y > 0.1 * n, side * x, y - length)
    return x, y, total


def spider(numbers):
    """A sum from the last limb to the first, one from the first to the last, and what all limbs do with both."""
    trunk, *angles = numbers
    limbs = [angles[JOINTS * k : JOINTS * (k + 1)] for k in range(PIECES)]
    if is_short():
        declare_alike(limbs, shared=[trunk])
    found = [limb(trunk, each, k) for k, each in enumerate(limbs)]
    inward, outward = trunk, 1.0
    for x, y, total in reversed(found):
        inward = inward - x * total
        inward = inward + y * y * 0.5
    for x, _, _ in found:
        outward = outward * 0.5 + x
    after = [limb(inward * 0.1, [x * outward, y, total * 0.01], k) for k, (x, y, total) in enumerate(found)]
    return (inward, outward, [x for row in after for x in row])


def branches(numbers):
    """Branches and subprograms of limbs, an array in between, and a loop that uses the numbers of all limbs."""
    trunk, *angles = numbers
    limbs = [angles[JOINTS * k : JOINTS * (k + 1)] for k in range(PIECES)]
    if is_short():
        declare_alike(limbs, shared=[trunk])
    found = [
        when(each[0] > 0.0, partial(limb, trunk, k=2), [each[1], each[2], each[0]], otherwise=(1.0, trunk, each[2]))
        for each in limbs
    ]
    memory = array([x for row in found for x in row])

    def step(i, total):
        memory[3 * i] = memory[3 * i] + total
        return total + sum(limb(total * 0.01, each, k)[2] * memory[3 * i + 1] for k, each in enumerate(limbs))

    end = fori(0, PIECES, step, trunk)
    return ([end, *(memory[k] for k in range(3 * PIECES))],)


def specs(function):
    return [ProgramSpec(function.__name__, function, ([0.0] * len(NUMBERS),), short=short) for short in (False, True)]


@pytest.mark.parametrize(("function", "share"), [(spider, 0.6), (branches, 0.75)])
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_loops_over_pieces_have_the_same_bits(function, share, precision):
    usual, short = (Program(spec, precision) for spec in specs(function))
    given = NUMBERS.astype(precision)
    for a, b in zip(usual(given), short(given), strict=True):
        np.testing.assert_array_equal(a, b)
    assert short.operations < share * usual.operations


@pytest.mark.parametrize("function", [spider, branches])
def test_a_page_computes_the_same_bits(function):
    usual, short = specs(function)
    answer = run_in_node(wasm_module(short), [NUMBERS])
    for a, b in zip(Program(usual)(NUMBERS), answer.outputs, strict=True):
        np.testing.assert_array_equal(a, b)


def test_two_pieces_are_no_loop():
    def pair(numbers):
        if is_short():
            declare_alike([[x] for x in numbers])
        return ([sqrt(x + 2.0) for x in numbers],)

    body, _ = trace_program(ProgramSpec("pair", pair, ([0.0] * 2,), short=True), "float64")
    assert [op.name for op in body.ops if op.name in ("sqrt", "scan")] == ["sqrt"] * 2
