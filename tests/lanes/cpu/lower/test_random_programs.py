"""Random programs of nested loops, branches and calls: the same numbers however they are lowered, or in Python."""

import numpy as np
import pytest
from random_programs import INPUTS, function_of, numbers
from tracing import bits

from gambol.lanes import Program, ProgramSpec, Subprogram, jvp
from gambol.lanes.cpu.lower import functions

SEEDS = range(6)


def derivatives_of(seed):
    """The derivatives of a random program along each input, by calls of one subprogram."""
    slope = Subprogram(lambda x, dx: jvp(function_of(seed), x, dx))
    units = np.eye(INPUTS).tolist()
    return lambda x: [y for unit in units for part in slope(x, unit) for y in part]


def compiled(seed, precision="float64", lanes=None, function=function_of):
    spec = ProgramSpec("random", lambda x: (function(seed)(x),), ([0.0] * INPUTS,))
    return Program(spec, precision, lanes)(numbers(seed, precision))[0]


def in_python(seed, function=function_of):
    return np.array([function(seed)(x.tolist()) for x in numbers(seed).T]).T


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_random_programs_give_the_same_bits_in_blocks_in_pieces_and_in_every_width(seed, precision, monkeypatch):
    full = compiled(seed, precision)
    monkeypatch.setattr(functions, "BLOCK_OPERATIONS", 7)
    monkeypatch.setattr(functions, "LONG_BLOCK_OPERATIONS", 7)
    np.testing.assert_array_equal(bits(compiled(seed, precision)), bits(full))
    monkeypatch.setattr("gambol.lanes.cpu.lower.loads.MAX_EAGER_ARGUMENTS", 0)
    np.testing.assert_array_equal(bits(compiled(seed, precision)), bits(full))
    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    np.testing.assert_array_equal(bits(compiled(seed, precision)), bits(full))
    np.testing.assert_array_equal(bits(compiled(seed, precision, lanes=1)), bits(full))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_give_what_plain_python_gives(seed):
    np.testing.assert_allclose(compiled(seed), in_python(seed), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_derivatives_of_random_programs_are_those_of_plain_python(seed, monkeypatch):
    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    np.testing.assert_allclose(
        compiled(seed, function=derivatives_of), in_python(seed, derivatives_of), rtol=1e-8, atol=1e-8
    )
