"""Dual numbers: derivatives against closed forms and high-precision differences, nested, on arrays and compiled."""

import math
import operator

import mpmath
import numpy as np
import pytest
from tracing import PRECISIONS, body_of, evaluated, names_of

from gambol import lanes
from gambol.errors import TraceError
from gambol.lanes import (
    Dual,
    Program,
    ProgramSpec,
    atan2,
    clamp,
    cos,
    exp,
    floor,
    fma,
    gather,
    hessian,
    is_finite,
    jacobian,
    jvp,
    log,
    loop,
    maximum,
    minimum,
    repeat,
    sin,
    sqrt,
    subprogram,
    when,
    where,
)

EPS = np.finfo(float).eps


def slope(function, x):
    """The derivative of a function of one scalar."""
    return jacobian(lambda y: function(y[0]), [x])[1][0][0]


CLOSED = {
    "sqrt": (sqrt, lambda x: 0.5 / mpmath.sqrt(x)),
    "sin": (sin, mpmath.cos),
    "cos": (cos, lambda x: -mpmath.sin(x)),
    "exp": (exp, mpmath.exp),
    "log": (log, lambda x: 1 / mpmath.mpf(x)),
    "square": (lambda x: x * x, lambda x: 2 * mpmath.mpf(x)),
    "cube": (lambda x: x**3, lambda x: 3 * mpmath.mpf(x) ** 2),
    "reciprocal": (lambda x: 2.0 / x, lambda x: -2 / mpmath.mpf(x) ** 2),
    "size": (lambda x: abs(-x) - 3.0 * x + 1.0, lambda x: -2),
    "ratio": (lambda x: (1.0 - x) / (1.0 + x), lambda x: -2 / (1 + mpmath.mpf(x)) ** 2),
    "fma": (lambda x: fma(x, 3.0, fma(2.0, x, x)), lambda x: 6),
    "angle": (lambda x: atan2(x, 2.0) + atan2(3.0, x), lambda x: 2 / (4 + mpmath.mpf(x) ** 2) - 3 / (9 + x * x)),
}


@pytest.mark.parametrize("name", CLOSED)
@pytest.mark.parametrize("x", [0.3, 1.0, 7.5])
def test_derivatives_in_closed_form(name, x):
    function, derivative = CLOSED[name]
    np.testing.assert_allclose(slope(function, x), float(derivative(x)), rtol=4 * EPS)
    np.testing.assert_allclose(evaluated(lambda y: slope(function, y), [x]), float(derivative(x)), rtol=8 * EPS)


def mixture(x):
    """A formula with every operation, of three scalars."""
    a, b, c = x
    angle = atan2(a * b, 1.0 + c * c)
    rise = exp(minimum(a, 2.0)) / sqrt(1.0 + b * b) - log(2.0 + sin(c))
    return [
        angle * rise,
        where(a > b, a * c, b / (3.0 + c)),
        clamp(a, -1.0, 1.0) + maximum(b, c) + cos(abs(a - c)) ** 2,
    ]


def mixture_in_mpmath(x):
    a, b, c = x
    angle = mpmath.atan2(a * b, 1 + c * c)
    rise = mpmath.exp(min(a, 2)) / mpmath.sqrt(1 + b * b) - mpmath.log(2 + mpmath.sin(c))
    third = max(min(a, 1), -1) + max(b, c) + mpmath.cos(abs(a - c)) ** 2
    return [angle * rise, a * c if a > b else b / (3 + c), third]


POINTS = np.random.default_rng(0).normal(scale=1.5, size=(20, 3))


def high_precision_jacobian(x):
    """Central differences with 50 digits and a step of 1e-20: true to 1e-30."""
    with mpmath.workdps(50):
        step, at = mpmath.mpf("1e-20"), [mpmath.mpf(v) for v in x]
        columns = []
        for k in range(len(x)):
            ahead, behind = ([v + s * step * (i == k) for i, v in enumerate(at)] for s in (1, -1))
            pairs = zip(mixture_in_mpmath(ahead), mixture_in_mpmath(behind), strict=True)
            columns.append([float((p - m) / (2 * step)) for p, m in pairs])
    return np.array(columns).T


def test_jacobian_of_a_mixture_against_high_precision_differences():
    for x in POINTS:
        values, rows = jacobian(mixture, x.tolist())
        np.testing.assert_array_equal(values, mixture(x.tolist()))
        np.testing.assert_allclose(rows, high_precision_jacobian(x), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_compiled_and_array_jacobians_are_those_of_floats(precision):
    spec = ProgramSpec("mixture", lambda x: (jacobian(mixture, x)[1],), ([0.0] * 3,))
    (compiled,) = Program(spec, precision)(POINTS.T)
    _, rows = jacobian(mixture, POINTS.T.astype(precision))
    arrays = np.array([np.broadcast_to(entry, len(POINTS)) for row in rows for entry in row])
    floats = np.array([np.ravel(jacobian(mixture, x)[1]) for x in POINTS.astype(precision).tolist()]).T
    tolerance = 100 * np.finfo(precision).eps
    np.testing.assert_allclose(compiled, floats, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(arrays, floats, rtol=tolerance, atol=tolerance)


def test_what_a_value_does_not_depend_on_costs_nothing():
    def pairs(x):
        return [x[0] * x[1], sin(x[2]), x[1] - x[1], 5.0, floor(x[0]), gather((1.0, 2.0), x[1])]

    _, rows = jacobian(pairs, [2.0, 3.0, 0.5])
    assert rows == [[3.0, 2.0, 0.0], [0.0, 0.0, math.cos(0.5)], *([0.0] * 3 for _ in range(4))]
    body = body_of(lambda *x: np.ravel(jacobian(lambda y: [y[k] * y[k] for k in range(3)], x)[1]), 3)
    assert names_of(body) == {"add": 3}  # 2 x on the diagonal, zeros elsewhere


def test_derivatives_at_kinks_are_those_of_the_branch_taken():
    assert slope(abs, 0.0) == 1.0
    assert slope(lambda x: maximum(x, 0.0), 0.0) == 0.0
    assert slope(lambda x: minimum(x, 0.0), -1e-300) == 1.0
    assert slope(lambda x: where(x >= 1.0, 3.0 * x, x), 1.0) == 3.0


@pytest.mark.parametrize("run", [slope, lambda f, x: evaluated(lambda y: slope(f, y), [x])[0]])
def test_lengths_and_angles_of_nothing_have_derivative_zero(run):
    assert run(lambda x: sqrt(x * x), 0.0) == 0.0
    assert run(lambda x: atan2(x, x), 0.0) == 0.0
    assert run(log, 0.0) == math.inf
    assert math.isnan(run(sqrt, -1.0))


def test_what_is_not_chosen_leaves_no_nan():
    def guarded(x):
        return where(x > 0.0, 1.0 / where(x > 0.0, x, 1.0), 0.0) + where(x > 0.0, log(x), x)

    np.testing.assert_array_equal(evaluated(lambda x: slope(guarded, x), [0.0, 2.0]), [1.0, 0.25])


def test_hessian_in_closed_form():
    value, gradient, rows = hessian(lambda x: x[0] ** 2 * sin(x[1]) + x[2], [2.0, 0.7, 5.0])
    s, c = math.sin(0.7), math.cos(0.7)
    np.testing.assert_allclose([value, *gradient], [4.0 * s + 5.0, 4.0 * s, 4.0 * c, 1.0], rtol=2 * EPS)
    np.testing.assert_allclose(rows, [[2.0 * s, 4.0 * c, 0.0], [4.0 * c, -4.0 * s, 0.0], [0.0] * 3], rtol=2 * EPS)


def test_nested_differentiations_do_not_mix():
    # d/dx (x d/dy (x + y)) is 1; one level for both would give 2
    assert slope(lambda x: x * slope(lambda y: x + y, 1.0), 1.0) == 1.0
    # d/dx d/dy (x y^2) at y = x is d/dx (2 x y) with y constant, plus d/dy of it: 4 x
    assert slope(lambda x: slope(lambda y: x * y * y, x), 3.0) == 12.0


def test_directional_derivative_is_the_jacobian_times_the_direction():
    x, dx = POINTS[3].tolist(), [0.3, -2.0, 0.0]
    values, rates = jvp(mixture, x, dx)
    assert values == mixture(x)
    np.testing.assert_allclose(rates, np.array(jacobian(mixture, x)[1]) @ dx, rtol=8 * EPS)


def newton_root(x):
    """The square root by Newton's iteration, as a loop whose state gains derivatives as it runs."""

    def step(state):
        guess, _ = state
        better = 0.5 * (guess + x / guess)
        return better, abs(better - guess)

    return loop(lambda state: state[1] > 1e-15, step, (1.0, 1.0))[0]


def test_derivative_of_a_loop():
    x = np.array([0.5, 2.0, 9.0])
    expected = 0.5 / np.sqrt(x)
    # the last step that was taken sets the derivative, whose error is the square of that of the step before
    for result in (evaluated(lambda y: slope(newton_root, y), x), [slope(newton_root, v) for v in x.tolist()]):
        np.testing.assert_allclose(result, expected, rtol=1e-12)
    np.testing.assert_allclose(slope(newton_root, x), expected, rtol=1e-12)
    second = [slope(lambda y: slope(newton_root, y), v) for v in x.tolist()]
    np.testing.assert_allclose(second, -0.25 * x**-1.5, rtol=1e-10)
    np.testing.assert_allclose(evaluated(lambda y: slope(lambda z: slope(newton_root, z), y), x), second, rtol=1e-12)


def branches(x):
    """Return a branch with derivatives along other inputs than its `otherwise`."""
    a, b, c = x
    first, second = when(a > 0.0, lambda u, w: (u * w, u), a, b, otherwise=(c * c, 7.0))
    return [first, second, when(b > 0.0, sin, b * c), repeat(3.0, lambda u: u * a, c)]


def test_derivative_of_branches():
    points = np.array([[2.0, 3.0, 5.0], [-2.0, -3.0, 5.0]])
    s = math.cos(15.0)
    expected = np.array(
        [
            [[3.0, 2.0, 0.0], [1.0, 0.0, 0.0], [0.0, 5.0 * s, 3.0 * s], [60.0, 0.0, 8.0]],
            [[0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [60.0, 0.0, -8.0]],
        ]
    )
    floats = [jacobian(branches, x)[1] for x in points.tolist()]
    np.testing.assert_allclose(floats, expected, rtol=8 * EPS)
    _, rows = jacobian(branches, points.T)
    arrays = [[np.broadcast_to(entry, 2) for entry in row] for row in rows]
    np.testing.assert_allclose(np.moveaxis(arrays, 2, 0), expected, rtol=8 * EPS)
    spec = ProgramSpec("branches", lambda x: (jacobian(branches, x)[1],), ([0.0] * 3,))
    compiled = Program(spec)(points.T)[0].T.reshape(2, 4, 3)
    np.testing.assert_allclose(compiled, expected, rtol=8 * EPS)


def test_subprogram_is_recorded_for_each_pattern_of_derivatives():
    @subprogram
    def wave(x, y):
        return sin(x) * y, x + 1.0

    def formula(x):
        product, shifted = wave(x[0], x[1])
        return [wave(shifted, 2.0)[0] + product, wave(3.0, x[1])[1]]

    x = np.array([[0.4, 1.0], [2.0, -3.0]])
    floats = [jacobian(formula, list(at))[1] for at in x.T.tolist()]
    compiled = Program(ProgramSpec("formula", lambda y: (jacobian(formula, y)[1],), ([0.0] * 2,)))(x)[0]
    np.testing.assert_allclose(compiled.T.reshape(2, 2, 2), floats, rtol=8 * EPS)
    assert floats[0][1] == [0.0, 0.0]


def test_comparisons_and_truth_see_values():
    x, one = Dual(1.0, {0: 5.0}), Dual(1.0, {1: 2.0})
    assert [x == one, x <= one, x >= 1.0, x != one, x < one, x > 2.0] == [True] * 3 + [False] * 3
    assert [operator.gt(2.0, x), operator.ge(0.5, x)] == [True, False]
    assert bool(x)
    assert is_finite(x)
    assert lanes.logical_not(is_finite(x * math.inf))


def test_powers():
    x = Dual(3.0, {0: 1.0})
    assert x**0 == 1.0
    assert x**1 is x
    assert ((x**4).value, (x**4).partials[0]) == (81.0, 108.0)
    assert ((+x) ** -1.0).partials[0] == pytest.approx(-1.0 / 9.0)


def test_a_dual_is_not_silently_a_number():
    with pytest.raises(TraceError, match="take its value"):
        float(Dual(1.0, {0: 1.0}))
    assert repr(Dual(1.0, {0: 2.0}, 3)) == "Dual(1.0, {0: 2.0}, level=3)"
