"""The equilibrium of fibre and tendon, against SciPy's root finding on formulas written here."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import CURVES, Muscle, Pulley, PulleyPath
from gambol.actuation.muscle.equilibrium import STEP_TOLERANCE, FibreTendon
from gambol.lanes import jacobian

PATH = PulleyPath((Pulley(0.05),))
SOL = Muscle(("ankle",), PATH, max_force=4000.0, optimal_length=0.04, slack_length=0.26, max_velocity=6.0)
COMPLIANT = sorted(name for name, row in CURVES.items() if row.tendon)


def muscle_of(name: str, **changes: Any) -> Muscle:
    return replace(SOL, curves=name, **changes)


def fibre_tendon(muscle: Muscle, a: Any, length: Any) -> FibreTendon:
    return FibreTendon(muscle.curve_set, muscle.pennation != 0.0, muscle.numbers(), a, length)


def balance(muscle: Muscle, a: float, length: float, fibre: float, rate: float) -> float:
    """F cos(alpha) - T, from the curves alone."""
    row, p = muscle.curve_set, {**muscle.curve_set.numbers, **muscle.curve_numbers}
    cosine = math.sqrt(1.0 - (math.sin(muscle.pennation) / fibre) ** 2)
    strain = (length - muscle.optimal_length * fibre * cosine) / muscle.slack_length - 1.0
    assert row.tendon is not None
    force = row.fibre(p, a, fibre, rate) + muscle.viscosity * rate
    return force * cosine - row.tendon.force(p, strain)


@pytest.mark.parametrize("pennation", [0.0, 0.4])
@pytest.mark.parametrize("name", COMPLIANT)
def test_fibres_at_rest_are_where_scipy_finds_them(name: str, pennation: float):
    muscle = muscle_of(name, pennation=pennation)
    for a in (0.05, 0.5, 1.0):
        for length in (0.30, 0.31):
            fibre = fibre_tendon(muscle, a, length).at_rest()
            shortest = math.sin(pennation) / math.sqrt(0.99) + 1e-9 if pennation else 0.01
            expected = brentq(lambda x, a=a, L=length: balance(muscle, a, L, x, 0.0), shortest, 2.0, xtol=1e-14)
            assert fibre == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("pennation", [0.0, 0.4])
@pytest.mark.parametrize("name", COMPLIANT)
def test_velocities_and_implicit_steps_solve_the_balance(name: str, pennation: float):
    """Rates balance the forces to 1e-10; the rate of a step is within STEP_TOLERANCE squared of it.

    Pennate muscles are shorter by what their fibres stand aslant, so that tendons are as taut.
    """
    muscle = muscle_of(name, pennation=pennation)
    for a, whole, fibre in ((0.05, 0.3, 0.95), (0.6, 0.305, 1.1), (1.0, 0.29, 0.8), (1.0, 0.304, 0.9)):
        length = whole - 0.04 * (fibre - math.sqrt(fibre**2 - math.sin(pennation) ** 2))
        moment, h = fibre_tendon(muscle, a, length), 1e-3
        rate = moment.rate(fibre)
        assert abs(rate) < 20.0
        assert balance(muscle, a, length, fibre, rate) == pytest.approx(0.0, abs=1e-10)

        def after(new: float, a: float = a, length: float = length, fibre: float = fibre, h: float = h) -> float:
            return balance(muscle, a, length, new, (new - fibre) / (h * muscle.max_velocity))

        exact = brentq(after, fibre - 0.1, fibre + 0.1, xtol=1e-14)
        assert moment.after(fibre, h) == pytest.approx(exact, abs=STEP_TOLERANCE**2 * h * muscle.max_velocity)


@pytest.mark.parametrize("load", [0.02, 0.3, 0.59, 0.75])
def test_a_loaded_fibre_moves_as_the_closed_inverse_of_its_curve(load: float):
    """Isotonic, at l = 1 and a = 0.6: Hill's hyperbola of Geyer and Herr, and the sinh of De Groote and Fregly."""
    a, ratio = 0.6, load / 0.6
    for name in ("geyer-herr 2010", "geyer 2003", "de groote-fregly 2016"):
        muscle = muscle_of(name)
        row, p = muscle.curve_set, muscle.curve_set.numbers
        assert row.tendon is not None
        strain = brentq(lambda e, row=row, p=p: row.tendon.force(p, e) - load, 0.0, 0.06, xtol=1e-15)
        rate = fibre_tendon(muscle, a, 0.04 + 0.26 * (1.0 + strain)).rate(1.0)
        if name.startswith("de"):
            f = (load - row.passive.force(p, 1.0)) / a
            d1, d2, d3, d4 = -0.3211346127989808, -8.149, -0.374, 0.8825327733249912
            assert rate == pytest.approx((math.sinh((f - d4) / d1) - d3) / d2, abs=1e-10)
        elif ratio <= 1.0:
            assert rate == pytest.approx((ratio - 1.0) / (1.0 + 5.0 * ratio), abs=1e-10)
        else:
            c, N = 7.56 * 5.0, 1.5  # ratio = N + (N - 1)(v - 1)/(c v + 1), or with t = N - ratio, t/(t - 1) of 2010
            y = (ratio - N) / (N - 1.0) if name == "geyer 2003" else (N - ratio) / (N - ratio - 1.0)
            assert rate == pytest.approx((1.0 + y) / (1.0 - c * y), abs=1e-10)


def test_the_implicit_step_of_2010_fulfils_its_balance_and_not_that_of_2003():
    """The passive force is scaled by the velocity curve in 2010 only, so stretched fibres tell them apart."""
    new, old, h = muscle_of("geyer-herr 2010"), muscle_of("geyer 2003"), 1e-3
    fibre, a, length = 1.4, 0.5, 0.318
    moved = fibre_tendon(new, a, length).after(fibre, h)
    rate = (moved - fibre) / (h * new.max_velocity)
    assert abs(balance(new, a, length, moved, rate)) < 1e-5
    assert abs(balance(old, a, length, moved, rate)) > 0.05


@pytest.mark.parametrize("a", [0.3, 1.0])
@pytest.mark.parametrize("length", [0.20, 0.25])
def test_below_the_slack_length_the_tendon_is_slack_and_the_buffer_stops_the_fibre(a: float, length: float):
    """Of 2010: T = 0, and A f_l = B: active force and buffer balance."""
    moment = fibre_tendon(SOL, a, length)
    fibre = moment.at_rest()
    assert moment.tendon_force(fibre) == 0.0

    def buffered(x: float) -> float:
        return a * math.exp(math.log(0.05) * abs((x - 1.0) / 0.56) ** 3) - ((0.44 - x) / 0.28) ** 2

    assert fibre == pytest.approx(brentq(buffered, 0.01, 0.44, xtol=1e-14), abs=1e-10)


def test_derivatives_of_solutions_are_those_of_differences():
    """The implicit function theorem, by Newton steps on dual numbers, against central differences."""

    def solved(x: list[Any]) -> list[Any]:
        moment = fibre_tendon(SOL, x[0], x[1])
        return [moment.after(x[2], 1e-3), moment.rate(x[2]), moment.at_rest()]

    at = [0.6, 0.305, 1.05]
    values, rows = jacobian(solved, at)
    np.testing.assert_allclose(values, solved(at), rtol=1e-12)
    for j, h in enumerate((1e-6, 1e-8, 1e-6)):
        ends = [solved([x + s * h if j == k else x for k, x in enumerate(at)]) for s in (1.0, -1.0)]
        slopes = (np.array(ends[0]) - np.array(ends[1])) / (2.0 * h)
        np.testing.assert_allclose([row[j] for row in rows], slopes, rtol=1e-4, atol=1e-5)


def test_arrays_are_solved_as_floats_are():
    a, fibre = np.array([0.1, 0.5, 1.0]), np.array([0.9, 1.0, 1.2])
    together = fibre_tendon(SOL, a, 0.303).after(fibre, 1e-3)
    alone = [fibre_tendon(SOL, float(x), 0.303).after(float(y), 1e-3) for x, y in zip(a, fibre, strict=True)]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_the_force_of_a_rigid_tendon_is_the_closed_form():
    """F = F0 f_v (f_pe + A f_l), at the path's own length and rate."""
    rigid, q, v, a = replace(SOL, rigid_tendon=True), -0.2, 0.7, 0.6
    at = ActuatorInput(0.0, [q], [v], [0.5], {"activation": a})
    fibre, rate = 1.0 - 0.05 * q / 0.04, -0.05 * v / (0.04 * 6.0)
    f_l, f_pe = math.exp(math.log(0.05) * abs((fibre - 1.0) / 0.56) ** 3), ((fibre - 1.0) / 0.56) ** 2
    expected = 4000.0 * (1.0 + rate) / (1.0 - 5.0 * rate) * (f_pe + a * f_l)
    assert rigid.tension(rigid.numbers(), at) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(rigid.force(rigid.numbers(), at), [0.05 * expected], rtol=1e-12)
