"""Formulas for tests of all targets: every function of lanes, special numbers, and arrays."""

import numpy as np
from array_formulas import cholesky, diverging, kept_in_scan, read_in_subprograms, shifted_twice, summed_records

from gambol.lanes import atan2, cos, exp, floor, fma, gather, log, sin, sqrt, when

SPECIAL = (0.0, -0.0, 1.0, -1.5, 0.1, 3e5, -2e-7, np.inf, -np.inf, np.nan, 1e-310, 2.5, 3.5, -0.5)


def functions_of(x, y):
    """Every function of lanes, of two numbers."""
    return (
        [x + y, x - y, x * y, x / y, -x, abs(x), sqrt(x), sin(x), cos(x), exp(x), log(x), atan2(x, y), floor(x)],
        [fma(x, y, x), x * y - x, y - x * y, when((x < y) | ~(x <= 2.0), lambda a: a * 3.0, y, otherwise=x)],
        [gather((3.0, 1.0, 4.0, 1.5, 9.0), x), gather((2.0,), y)],
    )


def arrays(x, y):
    """Formulas with arrays, of two numbers."""
    of_loops = [cholesky(x, y, 4), diverging(x), shifted_twice(y), read_in_subprograms(x), summed_records(y)]
    return ([*of_loops, kept_in_scan(y)],)
