"""Signed constant factors: the same values, and the same operations for constants of either sign."""

import numpy as np
import pytest

from gambol.lanes.bodies import trace_body
from gambol.lanes.signs import with_signed_factors


def body_of(formula):
    return trace_body("signs", "float64", None, 3, lambda *x: formula(*x))


def names(body):
    """Return the remaining operations, in order, and their constants."""
    ops = with_signed_factors(body_of(body)).ops
    return [op.name for op in ops if op.name not in ("input", "const")]


def value_of(body, *inputs):
    """The results of a body on floats."""
    values = []
    for op in body.ops:
        values.append(inputs[op.extra] if op.name == "input" else op.extra if op.name == "const" else None)
    for number, op in enumerate(body.ops):
        if values[number] is None:
            values[number] = RULES[op.name](*(values[a] for a in op.args))
    return [values[number] for number in body.outputs]


RULES = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "neg": lambda a: -a,
    "fma": lambda a, b, c: np.longdouble(a) * b + c,
    "fms": lambda a, b, c: np.longdouble(a) * b - c,
    "fnma": lambda a, b, c: c - np.longdouble(a) * b,
}

FORMULAS = [
    lambda x, y, z, k: [x * k + y],
    lambda x, y, z, k: [x * k + y, x * k * z],
    lambda x, y, z, k: [x * k + y, y - x * k, z + x * k],
    lambda x, y, z, k: [y - x * k, x * k + z, y * z - x * k],
    lambda x, y, z, k: [-(x * k), y + x * k],
    lambda x, y, z, k: [y + x * k, (z + x * k) * (y - z * k), z * k + y],
    lambda x, y, z, k: [x * k, y - x * k],
]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("k", [0.3, -0.3])
def test_values_stay(formula, k):
    body = body_of(lambda x, y, z: formula(x, y, z, k))
    inputs = np.random.default_rng(0).normal(size=3)
    assert value_of(with_signed_factors(body), *inputs) == value_of(body, *inputs)


@pytest.mark.parametrize("formula", [FORMULAS[0], FORMULAS[2], FORMULAS[3]])
def test_constants_of_both_signs_do_the_same(formula):
    assert names(lambda x, y, z: formula(x, y, z, 0.3)) == names(lambda x, y, z: formula(x, y, z, -0.3))


def test_outputs_have_their_sign():
    assert names(lambda x, y, z: [-(x * 0.3)]) == ["mul", "neg"]
