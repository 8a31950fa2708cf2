"""Errors for invalid input before any work."""

from dataclasses import replace

import numpy as np
import pytest
from nonlinear_programs import element, hock_schittkowski_71

from gambol.errors import PlanError
from gambol.lanes import log
from gambol.plan import solve_program


def program(**changes):
    return replace(hock_schittkowski_71(), **changes)


def first(**changes):
    made = hock_schittkowski_71()
    return replace(made, constraints=(replace(made.constraints[0], **changes),))


def wrong_cost(function):
    made = element("steep", function, [[0, 1], [2, 3]])
    return replace(hock_schittkowski_71(), costs=(made,))


CASES = {
    "shape of bounds": (program(lower=np.zeros(3)), "lower must be an array of 4"),
    "no unknowns": (program(initial=np.zeros(0), lower=np.zeros(0), upper=np.zeros(0)), "at least one unknown"),
    "first guess": (program(initial=np.array([1.0, np.nan, 1, 1])), "first guess of unknown 1 is nan"),
    "crossed bounds": (program(lower=np.array([0.0, 0, 6, 0])), "unknown 2 has the bounds 6.0 and 5.0"),
    "crossed bounds of outputs": (first(lower=np.array([[9.0]]), upper=np.array([[8.0]])), '"product".*0, 0'),
    "NaN in bounds": (first(lower=np.array([[np.nan]])), "bounds nan"),
    "index": (first(unknowns=np.array([[0, 1, 2, 4]])), '"product": unknowns must be indices from 0 to 3'),
    "negative index": (first(unknowns=np.array([[0, 1, 2, -1]])), "indices"),
    "index that is no integer": (first(unknowns=np.array([[0.0, 1, 2, 3]])), "indices"),
    "constants": (first(constants=np.zeros((2, 1))), '"product": constants must have the shape'),
    "infinite constant": (first(constants=np.array([[np.inf]])), "a constant is not finite"),
    "times": (first(times=np.zeros(3)), "times must have the shape"),
    "outputs": (first(lower=np.zeros((1, 2)), upper=np.zeros((1, 2))), r"lower must have the shape \(1, 1\)"),
    "no instance": (
        first(unknowns=np.zeros((0, 4), np.intp), constants=np.zeros((0, 0)), times=np.zeros(0)),
        '"product" has no instance',
    ),
    "infinite cost": (wrong_cost(lambda x, c: [log(5.0 - x[0])]), 'the cost "steep" is -inf .* at 1 s'),
    "undefined cost": (wrong_cost(lambda x, c: [1.0, log(x[1] - 6.0)]), "is nan .* output 1 at 0 s"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_named(name):
    made, message = CASES[name]
    with pytest.raises(PlanError, match=message):
        solve_program(made)
