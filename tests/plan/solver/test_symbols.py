"""Formulas of physics as functions of CasADi: values against floats, derivatives against Duals."""

import math
import sys
from dataclasses import replace

import casadi as ca
import numpy as np
import pytest
from figures import random_sample
from random_formulas import random_formula

from gambol.contact.penalty.hunt_crossley import HuntCrossley, hertz_force, smooth_friction
from gambol.dynamics import aba, centre_of_mass, kinematics, kinetic_energy, mass_matrix, rnea
from gambol.dynamics.loops import closed_dynamics
from gambol.errors import PlanError, TraceError
from gambol.figure import Closure, random_figure
from gambol.lanes import atan2, floor, gather, is_finite, jacobian, leaves, log, logical_not, sqrt, when, where
from gambol.plan import casadi_function
from gambol.spatial import Vector
from gambol.spatial.rotation import Quaternion

KINDS = ("revolute", "prismatic", "spherical", "universal", "free")


def tree(seed):
    return random_figure(seed, 5, root="free", rotors=0.3, kinds=KINDS)


def tied(seed):
    figure = random_figure(seed, 5, kinds=("revolute", "universal"))
    names = [link.name for link in figure.links]
    return replace(figure, constraints=(Closure("point", names[-1], names[1], (0.1, 0.0, 0.2)),))


FORMULAS = {
    "aba": (tree, lambda f, q, v, u: aba(kinematics(f, q, v), u)),
    "rnea": (tree, lambda f, q, v, u: rnea(kinematics(f, q, v), u)),
    "mass matrix": (tree, lambda f, q, v, u: mass_matrix(kinematics(f, q, v))),
    "kinematics": (tree, lambda f, q, v, u: _motions(kinematics(f, q, v))),
    "energy": (tree, lambda f, q, v, u: kinetic_energy(kinematics(f, q, v))),
    "centre of mass": (tree, lambda f, q, v, u: centre_of_mass(kinematics(f, q, v))),
    "loops": (tied, lambda f, q, v, u: closed_dynamics(kinematics(f, q, v), u).a),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FORMULAS)
def test_dynamics_run_on_symbols(name, seed):
    make, formula = FORMULAS[name]
    figure = make(seed)
    sample = random_sample(figure, seed)
    sizes = figure.nq, figure.nv, figure.nv
    point = [*sample.q, *sample.v, *sample.tau]

    def of_list(x):
        q, v, u = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
        return formula(figure, *([x[i] for i in part] for part in (q, v, u)))

    check(of_list, point)


def _motions(state):
    return leaves([state.poses, state.velocities, state.velocity_products])


def test_contact_and_rotations_run_on_symbols():
    ground = HuntCrossley(2e4, 0.3, 0.8, 1e-2, 0.1)

    def touch(x):
        force = hertz_force(ground, x[0], x[1])
        return [force, smooth_friction(ground, force.force, Vector(x[2], x[3], 0.0))]

    for depth in (0.02, -0.01, 0.3):
        check(touch, [depth, -0.4, 0.2, -0.1])
    check(lambda x: Quaternion(*x).rotation() @ Vector(1.0, -2.0, 0.5), [0.5, -0.1, 0.7, 0.5])
    check(lambda x: Quaternion.exponential(Vector(*x)).components(), [0.3, -0.2, 0.9])
    check(lambda x: Quaternion(*x).logarithm(), [0.5, -0.1, 0.7, 0.5])


@pytest.mark.parametrize("seed", range(20))
def test_random_formulas_run_on_symbols(seed):
    for x in np.random.default_rng(seed).normal(size=(3, 4)).tolist():
        check(random_formula(seed), x)


def test_conditions_run_on_symbols():
    def formula(x):
        a, b = x
        odd = (floor(a) > 1.0) & logical_not(b > 3.0) | (a == b)
        picked = when(odd, lambda y: (y * y, y), b, otherwise=(a, 0.0))
        return [*picked, gather((5.0, 7.0, 9.0), a) * b, where(is_finite(a) & (a != b), a * b, -1.0)]

    for x in ([2.5, 1.0], [0.5, 1.0], [2.5, 4.0], [4.0, 4.0], [-3.0, 0.5]):
        check(formula, x)


def test_the_lengths_of_nothing_have_derivative_zero():
    check(lambda x: [sqrt(x[0] * x[0] + x[1] * x[1]), atan2(x[0], x[1])], [0.0, 0.0])
    function = casadi_function("f", lambda x: [where(x[0] > 0.0, log(x[0]), 2.0 * x[0])], [0.0])
    assert slopes(function, [0.0]) == [[2.0]]


def check(formula, x):
    """Values are those of floats, and the Jacobian is that of Duals; the same from MX."""
    function = casadi_function("f", formula, x)
    expected, rows = jacobian(formula, x)
    expected, rows = np.array(expected, float), np.array(rows, float).reshape(len(expected), len(x))
    values = np.array(function(x)).ravel()
    np.testing.assert_allclose(values, expected, rtol=1e-11, atol=1e-11 * (1 + np.abs(expected).max()))
    np.testing.assert_allclose(slopes(function, x), rows, rtol=1e-10, atol=1e-10 * (1 + np.abs(rows).max()))


def slopes(function, x):
    point = ca.MX.sym("x", len(x))
    return np.array(ca.Function("J", [point], [ca.jacobian(function(point), point)])(x)).tolist()


def test_arguments_have_their_order():
    function = casadi_function("f", lambda a, b: {"sum": a["x"] + 2.0 * b[0], "y": b[1]}, {"x": 0.0}, (0.0, 0.0))
    assert np.array(function(1.0, [2.0, 5.0])).ravel().tolist() == [5.0, 5.0]


def test_formulas_that_branch_on_values_are_refused():
    with pytest.raises(TraceError, match="where"):
        casadi_function("f", lambda x: math.pi if x[0] > 0.0 else 0.0, [0.0])


def test_the_error_without_casadi_names_the_package_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(PlanError, match=r"pip install 'gambol\[plan\]'"):
        casadi_function("f", lambda x: x, [0.0])
