"""Functions of floats, applied to every element of an array."""

import math

import numpy as np

from gambol.lanes import elementwise


def test_a_number_has_the_same_bits_alone_and_among_others():
    x = np.random.default_rng(0).uniform(-10.0, 10.0, 1000)
    for function in (math.sin, math.cos, math.exp):
        assert elementwise(function, x).tolist() == [elementwise(function, float(value)) for value in x]


def test_a_float_stays_a_float():
    assert elementwise(math.sin, 0.5) == math.sin(0.5)
