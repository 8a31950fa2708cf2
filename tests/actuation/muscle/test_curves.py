"""Muscle curves, against published values, and numbers worked out from the formulas as their sources print them.

Stored energies are compared with quadrature, and Bezier curves with the evaluation of their control points by SciPy.
"""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import BPoly
from scipy.optimize import brentq

from gambol.actuation.muscle import CURVES, add_curves, millard_curves
from gambol.actuation.muscle.curves import bezier, curves_named, millard
from gambol.errors import WorldError

DGF, THELEN, MUJOCO = "de groote-fregly 2016", "thelen 2003", "mujoco"
GEYER_2010, GEYER_2003, MILLARD = "geyer-herr 2010", "geyer 2003", "millard 2012"

X = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
FL = ".025541 .054112 .302103 .684233 .836440 .937123 1.000000 .953159 .793690 .581189 .380243 .226149 .124255"
ACTIVE = {
    DGF: dict(zip(X, map(float, FL.split()), strict=True)),
    THELEN: {0.5: 0.573753, 1.5: 0.573753, 0.8: 0.914947, 1.2: 0.914947},
    MUJOCO: {0.6: 0.08, 0.75: 0.5, 0.9: 0.92, 1.15: 0.875, 1.3: 0.5, 1.45: 0.125, 0.4: 0.0, 1.7: 0.0},
    GEYER_2010: {0.44: 0.05, 0.6: 0.335632, 0.8: 0.872435, 1.0: 1.0, 1.2: 0.872435, 1.56: 0.05},
}
VELOCITY = {
    DGF: {-1.0: 0.0, -0.75: 0.096484, -0.5: 0.234036, -0.25: 0.470826, -0.1: 0.745172, 0.0: 1.0, 0.1: 1.206509}
    | {0.25: 1.400766, 0.5: 1.588423, 0.75: 1.707414, 1.0: 1.794343},
    MUJOCO: {-0.75: 0.0625, -0.5: 0.25, -0.25: 0.5625, 0.0: 1.0, 0.1: 1.15, 0.2: 1.2, 0.5: 1.2, -1.5: 0.0},
    GEYER_2010: {-1.0: 0.0, -0.5: 1 / 7, -0.25: 1 / 3, -0.1: 0.6, 0.0: 1.0, 0.05: 1.252604, 0.1: 1.341549}
    | {0.25: 1.433036, 0.5: 1.475490, 1.0: 1.5},
    GEYER_2003: {-0.5: 1 / 7, 0.0: 1.0, 0.1: 1.405858, 0.25: 1.464115, 0.5: 1.487437, 1.0: 1.5},
}
PASSIVE = {
    DGF: {0.2: 0.0, 1.2: 0.069401, 1.4: 0.263532, 1.6: 1.0},
    THELEN: {0.9: 0.0, 1.2: 0.029132, 1.4: 0.183373, 1.6: 1.0},
    MUJOCO: {0.9: 0.0, 1.1: 0.072222, 1.3: 0.65, 1.6: 1.95},
    GEYER_2010: {0.9: 0.0, 1.28: 0.25, 1.56: 1.0},
    MILLARD: {1.0: 0.0, 1.7: 1.0},
}
TENDON = {
    DGF: {0.0: 0.0, 0.01: 0.088295, 0.02: 0.215569, 0.03: 0.399031, 0.04: 0.663486, 0.049: 1.0},
    THELEN: {-0.01: 0.0, 0.01: 0.042001, 0.02: 0.186028, 0.03: 0.572032, 0.04: 1.0},
    GEYER_2010: {-0.01: 0.0, 0.01: 0.0625, 0.02: 0.25, 0.04: 1.0},
    MILLARD: {-0.01: 0.0, 0.049: 1.0, 0.049 * (1 - (1 / 3) / 1.375): 2 / 3},
}


def found(curves: str, curve: str, x: float) -> float:
    row = CURVES[curves]
    if curve == "velocity":
        return row.velocity(row.numbers, x, 1.0)
    return row.active(row.numbers, x) if curve == "active" else getattr(row, curve).force(row.numbers, x)


@pytest.mark.parametrize(
    ("curve", "values"), [("active", ACTIVE), ("velocity", VELOCITY), ("passive", PASSIVE), ("tendon", TENDON)]
)
def test_curves_have_their_published_values(curve: str, values: dict[str, dict[float, float]]):
    """The last digit of the tables is 1e-6."""
    for curves, table in values.items():
        for x, y in table.items():
            assert found(curves, curve, x) == pytest.approx(y, abs=6e-7), (curves, x)


def test_the_marks_of_opensims_own_test():
    assert found(DGF, "passive", 1.0) == pytest.approx(0.0182288, abs=1e-7)
    assert found(DGF, "tendon", 0.049) == pytest.approx(1.0, abs=1e-10)
    assert found(DGF, "velocity", 1.0) == pytest.approx(1.794, abs=1e-3)
    slope = (found(THELEN, "tendon", 0.035) - found(THELEN, "tendon", 0.03)) / 0.005
    assert slope == pytest.approx(42.7968, abs=1e-4)


@pytest.mark.parametrize("a", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("force", [0.02, 0.5, 0.99, 1.01, 1.2, 1.32])
def test_thelens_velocity_curve_is_the_inverse_of_his_equation(a: float, force: float):
    """v = (0.25 + 0.75 a)(F - a fl) / b, with fl = 1 and F = a V."""
    F, shape, most = a * force, 0.25, 1.4
    b = a + F / shape if force < 1.0 else (2.0 + 2.0 / shape) * (a * most - F) / (most - 1.0)
    v = (0.25 + 0.75 * a) * (F - a) / b
    row = CURVES[THELEN]
    assert row.velocity(row.numbers, v, a) == pytest.approx(force, abs=1e-12)


def test_millards_curves_have_the_marks_of_their_parameters():
    assert found(MILLARD, "active", 1.0) == pytest.approx(1.0, abs=1e-12)
    assert [found(MILLARD, "active", x) for x in (0.3, 0.4441, 1.8123, 2.0)] == pytest.approx([0.1] * 4, abs=1e-12)
    velocities = [found(MILLARD, "velocity", x) for x in (-2.0, -1.0, -0.9, 0.0, 0.9, 1.0, 3.0)]
    assert velocities == pytest.approx([0.0, 0.0, 0.0125, 1.0, 1.3925, 1.4, 1.4], abs=1e-12)
    assert found(MILLARD, "tendon", 0.06) == pytest.approx(1.0 + 0.011 * 1.375 / 0.049, abs=1e-12)


KNOTS = [millard.active_knots, millard.velocity_knots, millard.passive_knots, millard.tendon_knots]


@pytest.mark.parametrize("knots", KNOTS)
def test_tabled_curves_are_the_bezier_curves_of_their_control_points(knots: Any):
    """SciPy's BPoly has the Bernstein basis; u of x is found by bisection."""
    points, curviness = knots()
    curve = bezier.TabledCurve.of(points, curviness)
    for (start, end), c in zip(pairwise(points), curviness, strict=True):
        control = bezier.corner(start, end, c)
        x_of, y_of = (BPoly(control[:, [k]], [0.0, 1.0]) for k in range(2))
        for x in np.linspace(start[0], end[0], 23)[1:-1]:
            u = brentq(lambda u, x=x, x_of=x_of: float(x_of(u)) - x, 0.0, 1.0, xtol=1e-15)
            assert curve.value(float(x)) == pytest.approx(float(y_of(u)), abs=1e-9)


@pytest.mark.parametrize("name", sorted(CURVES))
def test_stored_energy_is_the_integral_of_force(name: str):
    row, lengths, strains = CURVES[name], (0.25, 0.4, 0.9, 1.1, 1.35, 1.75), (-0.01, 0.005, 0.02, 0.045, 0.06)
    corners = [0.44, 1.0, 1.02, 1.03, 1.3, 1.7]
    for a, b in pairwise(lengths):
        area, _ = quad(lambda x: row.elastic(row.numbers, x), a, b, points=corners, epsabs=1e-13)
        assert row.stored(row.numbers, b) - row.stored(row.numbers, a) == pytest.approx(area, abs=1e-9)
    tendon = row.tendon
    for a, b in pairwise(strains) if tendon else ():
        assert tendon is not None
        area, _ = quad(lambda e: tendon.force(row.numbers, e), a, b, limit=200, epsabs=1e-13)
        assert tendon.energy(row.numbers, b) - tendon.energy(row.numbers, a) == pytest.approx(area, abs=1e-9)


@pytest.mark.parametrize("name", sorted(CURVES))
def test_velocity_curves_never_fall_and_are_continuous(name: str):
    """At the joints of their branches, values on both sides differ by the slope times the distance only."""
    row, v = CURVES[name], np.linspace(-3.0, 3.0, 6001)
    values = np.array([row.velocity(row.numbers, float(x), 1.0) for x in v])
    steps = np.diff(values)
    assert (steps >= -1e-12).all()
    assert steps.max() < 1e-3 * 25.0  # the steepest, Geyer's of 2003, has the slope 19.4 at v = 0


def test_arrays_have_the_same_curves_as_floats():
    x = np.linspace(0.3, 1.9, 33)
    for row in CURVES.values():
        forces = row.fibre(row.numbers, 0.5, x, np.full(33, -0.2))
        np.testing.assert_allclose(forces, [row.fibre(row.numbers, 0.5, float(y), -0.2) for y in x], rtol=1e-12)


def test_unknown_curves_and_taken_names_are_refused():
    with pytest.raises(WorldError, match='no muscle curves "millard 2013"; did you mean "millard 2012"'):
        curves_named("millard 2013")
    with pytest.raises(WorldError, match="already"):
        add_curves(millard_curves("millard 2012", greatest=1.6))


def test_own_curves_are_added():
    row = millard_curves("mylab strong", greatest=1.8, tendon_strain=0.1)
    add_curves(row)
    try:
        assert found("mylab strong", "velocity", 1.0) == pytest.approx(1.8)
        assert found("mylab strong", "tendon", 0.1) == pytest.approx(1.0)
        assert math.isclose(found("mylab strong", "active", 0.9), found(MILLARD, "active", 0.9))
    finally:
        del CURVES["mylab strong"]
