"""Functions of floats, taken of every number of an array."""

import math

import numpy as np

from gambol.lanes import each


def test_a_number_has_the_same_bits_alone_and_among_others():
    x = np.random.default_rng(0).uniform(-10.0, 10.0, 1000)
    for function in (math.sin, math.cos, math.exp):
        assert each(function, x).tolist() == [each(function, float(value)) for value in x]


def test_a_float_stays_a_float():
    assert each(math.sin, 0.5) == math.sin(0.5)
