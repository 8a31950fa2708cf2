"""Procedures: steps in their order, branches and loops on numbers that programs write; blocks that all blocks share."""

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.lanes import DoWhile, If, Procedure, Program, ProgramSpec, where


def one(name, function, *examples, precision="float64", lanes=1):
    return Program(ProgramSpec(name, function, examples), precision, lanes)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("start", [1, 6, 7, 27, 97])
def test_a_procedure_counts_the_steps_of_collatz(precision, start):
    """Loops with a branch in them: halve even numbers, else 3 n + 1, until 1."""
    from gambol.lanes import floor

    n, odd, more, count = (np.zeros((1, 1), precision) for _ in range(4))
    n[:] = start

    def judged(n, count):
        is_odd = where(n - 2.0 * floor(0.5 * n) > 0.5, 1.0, 0.0)
        return is_odd, where(n > 1.5, 1.0, 0.0), count + where(n > 1.5, 1.0, 0.0)

    judge = one("judged", judged, 0.0, 0.0, precision=precision).bind(n, count, out=[odd, more, count])
    triple = one("triple", lambda n: (6.0 * n + 2.0,), 0.0, precision=precision).bind(n, out=[n])
    half = one("half", lambda n: (0.5 * n,), 0.0, precision=precision).bind(n, out=[n])
    Procedure([judge, If(more, [DoWhile([If(odd, [triple]), half, judge], more)])], precision)()
    expected, k = 0, start
    while k > 1:
        k, expected = (3 * k + 1 if k % 2 else k // 2), expected + 1
    assert count[0, 0] == expected
    assert n[0, 0] == 1.0


def test_stages_are_resized_and_divided_wherever_they_stand():
    x = np.zeros((1, 12))
    add = one("add", lambda x: (x + 1.0,), 0.0, lanes=4).bind(x, out=[x])
    procedure = Procedure([add, add], "float64")
    procedure.resize(add, 2)
    procedure()
    assert x[0].tolist() == [2.0] * 8 + [0.0] * 4
    procedure.resize_places(procedure.places([add]), 1)
    procedure()
    assert x[0].tolist() == [4.0] * 4 + [2.0] * 4 + [0.0] * 4
    procedure.divide(add, [(2, 3), (1, 2), (2, 3)])
    procedure()
    assert x[0].tolist() == [4.0] * 8 + [4.0] * 4
    Procedure([procedure.as_stage()], "float64")()
    assert x[0].tolist() == [4.0] * 4 + [6.0] * 4 + [8.0] * 4


def test_a_number_of_a_condition_must_be_one_of_the_precision():
    with pytest.raises(GambolError, match="the number of a condition must be one of float64, not 1 of float32"):
        Procedure([If(np.zeros(1, np.float32), [])], "float64")
    with pytest.raises(GambolError, match="must be one of float64, not 2 of float64"):
        Procedure([DoWhile([], np.zeros(2))], "float64")


@pytest.mark.parametrize("lanes", [1, 4])
def test_a_block_that_all_blocks_share_carries_sums(lanes):
    x, sums = np.arange(32.0)[None], np.zeros((1, lanes))
    one("sum", lambda x, s: (s + x,), 0.0, 0.0, lanes=lanes).bind(x, sums, out=[sums])()
    assert sums[0].tolist() == np.arange(32.0).reshape(-1, lanes).sum(axis=0).tolist()
