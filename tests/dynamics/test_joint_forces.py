"""Springs, dampers, limits and bias of a joint: forces against the energies they come from."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambol.dynamics.joint_forces import exponential_spring, joint_force, spring_numbers
from gambol.figure import JointSpring

STEP = 1e-6  # central differences: error about STEP^2 f''' + 1e-16 / STEP, 1e-9 of forces of order 1
ANGLES = st.floats(-2.0, 2.0)

SPRINGS = {
    "linear": JointSpring(stiffness=2.0),
    "exponential": JointSpring(alpha=0.3, beta=6.0),
    "both": JointSpring(stiffness=0.5, alpha=0.1, beta=3.0),
    "limits": JointSpring(limit_stiffness=4.0, lower=-0.5, upper=0.7),
    "all": JointSpring(stiffness=0.5, alpha=0.1, beta=3.0, limit_stiffness=4.0, lower=-0.5, upper=0.7),
}


@pytest.mark.parametrize("name", SPRINGS)
@given(q=ANGLES, rest=st.floats(-0.5, 0.5))
def test_springs_push_down_their_energy(name: str, q: float, rest: float):
    numbers = spring_numbers(SPRINGS[name])
    force = joint_force(numbers, q, 0.0, rest)
    uphill = [joint_force(numbers, q + dq, 0.0, rest).energy for dq in (-STEP, STEP)]
    slope = (uphill[1] - uphill[0]) / (2 * STEP)
    # a kink within STEP of q (the rest angle, a limit) smooths the difference by stiffness times STEP
    assert force.total == pytest.approx(-slope, rel=1e-6, abs=1e-5)
    assert force.energy >= -1e-15  # rounding of 1, which e^0 is


@pytest.mark.parametrize(("x", "alpha", "beta"), [(0.1, 2.0, 6.0), (-0.3, 1.0, 16.0), (0.0, 1.0, 5.0)])
def test_exponential_spring_is_equation_8(x: float, alpha: float, beta: float):
    force, energy = exponential_spring(x, alpha, beta)
    assert abs(force) == pytest.approx(alpha * (math.exp(beta * abs(x)) - 1.0), rel=1e-13)
    assert force * x <= 0.0
    area = np.trapezoid(alpha * np.expm1(beta * np.linspace(0.0, abs(x), 20001)), dx=abs(x) / 20000)
    assert energy == pytest.approx(area, rel=1e-6)


def test_exponential_spring_is_held_where_it_would_overflow():
    force, energy = exponential_spring(1e3, 1.0, 16.0)
    nearer, less = exponential_spring(9e2, 1.0, 16.0)
    assert force == nearer
    assert energy - less == pytest.approx(-force * 1e2)  # still the work that it takes


def test_small_displacements_feel_less_than_a_line_through_the_same_end():
    end, _ = exponential_spring(0.5, 1.0, 6.0)
    middle, _ = exponential_spring(0.25, 1.0, 6.0)
    assert abs(middle) < 0.5 * abs(end)


@given(q=ANGLES, v=st.floats(-5.0, 5.0))
def test_dampers_take_power_and_never_give_it(q: float, v: float):
    spring = JointSpring(damping=0.7, limit_damping=0.4, limit_stiffness=1.0, lower=-0.5, upper=0.5)
    force = joint_force(spring_numbers(spring), q, v, 0.0)
    beyond = abs(q) > 0.5
    assert -force.lost * v == pytest.approx((0.7 + (0.4 if beyond else 0.0)) * v * v)


def test_limits_act_beyond_them_only():
    numbers = spring_numbers(JointSpring(lower=-0.5, upper=0.7, limit_stiffness=4.0, limit_damping=1.0))
    assert joint_force(numbers, 0.6, 3.0, 0.0).total == 0.0
    assert joint_force(numbers, 0.9, 0.0, 0.0).limit == pytest.approx(-0.8)
    assert joint_force(numbers, -1.0, 0.0, 0.0).limit == pytest.approx(2.0)


def test_limits_are_no_springs_that_a_moving_rest_angle_works_against():
    numbers = spring_numbers(JointSpring(upper=0.2, limit_stiffness=4.0, stiffness=1.0))
    force = joint_force(numbers, 0.5, 0.0, 0.1)
    assert force.spring == pytest.approx(-0.4)
    assert force.total == pytest.approx(-0.4 - 1.2)


def test_bias_is_a_constant_motor():
    force = joint_force(spring_numbers(JointSpring(bias=0.3)), 0.4, 1.0, 0.0)
    assert (force.total, force.bias, force.energy) == (0.3, 0.3, 0.0)


def test_terms_that_are_absent_leave_no_numbers():
    assert spring_numbers(JointSpring()) == {}
    assert set(spring_numbers(JointSpring(alpha=1.0, beta=2.0, damping=0.1))) == {"alpha", "beta", "damping"}


def test_arrays_of_joints_give_what_each_gives():
    numbers = spring_numbers(SPRINGS["all"])
    q, v = np.linspace(-1.5, 1.5, 31), np.linspace(2.0, -2.0, 31)
    together = joint_force(numbers, q, v, 0.1)
    alone = [joint_force(numbers, float(a), float(b), 0.1).total for a, b in zip(q, v, strict=True)]
    np.testing.assert_allclose(together.total, alone, rtol=1e-14)
