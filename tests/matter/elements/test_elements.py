"""Formulas of elements against dual numbers and geometry."""

import numpy as np
import pytest

from gambol.lanes import jacobian
from gambol.matter.elements.contact import FrictionHold, Touch, contact_force
from gambol.matter.elements.hinge import Bend, bend_forces, hinge_angle, hinge_gradient
from gambol.matter.elements.spring import Spring, spring_force, spring_matrix
from gambol.matter.elements.triangle import Wind, wind_force
from gambol.spatial import Vector

RNG = np.random.default_rng(5)
ROUNDING_TOLERANCE = 1e-9


def vectors(rows):
    return [Vector(*(float(x) for x in row)) for row in rows]


def split(numbers):
    return [Vector(*numbers[k : k + 3]) for k in range(0, len(numbers), 3)]


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_of_a_hinge_is_that_of_dual_numbers(seed):
    rng = np.random.default_rng(seed)
    x = np.array([[0.0, 0, 0], [1, 0, 0], [0.4, 0.8, 0], [0.5, -0.7, 0]]) + 0.3 * rng.standard_normal((4, 3))
    _, (expected,) = jacobian(lambda y: [hinge_angle(*split(y))], x.ravel().tolist())
    found = [float(c) for g in hinge_gradient(*vectors(x)) for c in g]
    assert np.allclose(found, [float(c) for c in expected], atol=ROUNDING_TOLERANCE)


def test_a_folded_square_has_the_angle_between_its_halves_positive_for_a_ridge():
    for fold in (-2.0, -0.5, 0.0, 0.3, 1.5, 3.0):
        x = vectors([[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [0.5, -np.cos(fold), -np.sin(fold)]])
        assert hinge_angle(*x) == pytest.approx(fold, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_the_force_of_a_bend_is_minus_the_gradient_of_its_energy(seed):
    rng = np.random.default_rng(seed)
    x = np.array([[0.0, 0, 0], [1, 0, 0], [1.7, 0.8, 0.1]]) + 0.1 * rng.standard_normal((3, 3))
    bend = Bend(1.0, 1.1, 0.7)
    _, (gradient,) = jacobian(lambda y: [bend_forces(bend, split(y)).energy], x.ravel().tolist())
    force = [float(c) for f in bend_forces(bend, vectors(x)).forces for c in f]
    assert np.allclose(force, [-float(c) for c in gradient], atol=ROUNDING_TOLERANCE)


def test_a_bend_stores_the_energy_of_an_arc():
    # an arc of radius R holds E I/(2 R^2) per length; its polygon of segments l turns by 2 asin(l/2R) at each point
    R, l, EI = 3.0, 0.05, 0.7
    turn = 2.0 * np.arcsin(l / (2.0 * R))
    x = vectors([[0, 0, 0], [l, 0, 0], [l + l * np.cos(turn), l * np.sin(turn), 0]])
    assert bend_forces(Bend(l, l, EI), x).energy == pytest.approx(EI * l / (2.0 * R * R), rel=(l / R) ** 2)


def test_the_matrix_of_a_stretched_spring_is_the_derivative_of_its_force():
    h, spring = 0.01, Spring(0.8, 50.0, 2.0, 0.0, 0.0)
    r = [0.7, -0.4, 0.6]
    zero = Vector(0.0, 0.0, 0.0)
    _, K = jacobian(lambda y: list(spring_force(spring, Vector(*y), zero, zero).force), r)
    _, D = jacobian(lambda y: list(spring_force(spring, Vector(*r), Vector(*y), zero).force), [0.0] * 3)
    m = spring_matrix(spring, Vector(*r), zero, h)
    e = np.array(list(m.e), float)
    expected = -h * h * np.array(K, float) - h * np.array(D, float)
    assert np.allclose(m.a * np.eye(3) + np.outer(e, e), expected, atol=ROUNDING_TOLERANCE)


def test_a_contact_pushes_only_and_friction_obeys_coulomb():
    touch, n = Touch(1000.0, 0.0, 0.4, 0.0), Vector(0.0, 0.0, 1.0)
    u = Vector(0.3, -0.4, 0.0)
    pressed = contact_force(touch, -0.01, n, u, (-0.01, u), 0.0, FrictionHold(np.inf, 0.0)).force
    assert list(pressed) == pytest.approx([-0.4 * 10.0 * 0.6, 0.4 * 10.0 * 0.8, 10.0])
    assert list(contact_force(touch, 0.01, n, u, (0.01, u), 0.0, FrictionHold(np.inf, 0.0)).force) == [0.0, 0.0, 0.0]


def test_wind_pushes_a_facing_plate_by_its_dynamic_pressure_and_lifts_a_slanted_one():
    wind = Wind(Vector(3.0, 0.0, 0.0), 1.2, 1.1, 0.9)
    still = [Vector(0.0, 0.0, 0.0)] * 3
    facing = wind_force(wind, vectors([[0, 0, 0], [0, 1, 0], [0, 0, 1]]), still)
    assert [3.0 * c for c in facing] == pytest.approx([0.5 * 1.2 * 1.1 * 9.0 * 0.5, 0.0, 0.0])
    slanted = wind_force(wind, vectors([[0, 0, 0], [0, 1, 0], [-1, 0, 1]]), still)  # its normal is (1, 0, 1)/sqrt 2
    q, area, c = 0.5 * 1.2 * 9.0, 0.5 * 2**0.5, 0.5**0.5
    assert 3.0 * slanted.x == pytest.approx(1.1 * q * area * c)
    assert 3.0 * slanted.z == pytest.approx(0.9 * q * area * c * c)
    along = wind_force(wind, vectors([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), still)
    assert [float(x) for x in along] == pytest.approx([0.0, 0.0, 0.0])
