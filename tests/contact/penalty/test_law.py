"""The forces at one contact point: against their energies, Coulomb's cone, and invalid parameters."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import touch

from gambol.contact import StickyFoot, checked_parameters, checked_sticky_foot
from gambol.contact.penalty.law import (
    bristle_friction,
    regularised_friction,
    smoothstep,
    spring_damper_force,
    sticky_force,
)
from gambol.errors import WorldError
from gambol.spatial import Vector

STEP = 1e-7  # of central differences of energies [m]
EXPONENTIAL = touch(stiffness=0.0, alpha=17.5, beta=3000.0, deepest=0.01)
STICK = StickyFoot(alpha=0.4, beta=3000.0, damping=0.01, restitution=0.5, return_speed=0.1, reach=4e-4)
DEPTHS = st.floats(-0.002, 0.004)
SPEEDS = st.floats(-2.0, 2.0)
VECTORS = st.tuples(SPEEDS, SPEEDS, st.just(0.0)).map(Vector.of)


def test_ground_pushes_by_equation_8():
    assert spring_damper_force(EXPONENTIAL, 0.001, 0.0).force == pytest.approx(17.5 * (math.e**3 - 1.0))
    assert spring_damper_force(EXPONENTIAL, -0.001, 0.0).force == 0.0
    assert spring_damper_force(touch(stiffness=200.0), 0.01, 0.0).force == pytest.approx(2.0)


@given(depth=DEPTHS)
def test_at_rest_the_push_is_the_slope_of_its_energy(depth: float):
    rise = (
        spring_damper_force(EXPONENTIAL, depth + STEP, 0.0).energy
        - spring_damper_force(EXPONENTIAL, depth - STEP, 0.0).energy
    )
    push = spring_damper_force(EXPONENTIAL, depth, 0.0)
    assert push.force == pytest.approx(rise / (2 * STEP), rel=1e-5, abs=0.02)  # 17.5 * 3000 STEP where it begins
    assert push.energy >= -1e-18  # rounding of 1, which e^0 is


def test_beyond_the_deepest_the_push_stays_and_its_energy_is_still_the_work():
    held, deeper = spring_damper_force(EXPONENTIAL, 0.01, 0.0), spring_damper_force(EXPONENTIAL, 0.03, 0.0)
    assert deeper.force == held.force
    assert deeper.energy - held.energy == pytest.approx(0.02 * held.force)


@given(depth=DEPTHS, leaving=SPEEDS, e=st.floats(0.0, 1.0), damping=st.floats(0.0, 10.0))
def test_the_ground_never_pulls_and_never_gives_energy(depth: float, leaving: float, e: float, damping: float):
    numbers = touch(stiffness=3e3, restitution=e, damping=damping)
    push = spring_damper_force(numbers, depth, leaving)
    assert push.force >= 0.0
    assert push.loss >= -1e-12
    stored = 3e3 * max(depth, 0.0)
    assert push.loss == pytest.approx((stored - push.force) * leaving)


def test_restitution_scales_the_push_of_a_point_that_leaves():
    numbers = touch(restitution=0.3, restitution_speed=1e-3)
    full = spring_damper_force(numbers, 0.001, 0.0).force
    assert spring_damper_force(numbers, 0.001, -1.0).force == full
    assert spring_damper_force(numbers, 0.001, 1.0).force == pytest.approx(0.3 * full)


def test_a_switch_without_corners():
    x = np.linspace(-0.5, 1.5, 2001)
    y = smoothstep(x)
    assert (np.diff(y) >= 0.0).all()
    assert (y[0], y[1000], y[-1]) == (0.0, 0.5, 1.0)
    assert np.abs(np.diff(y, 2)).max() < 10 * 1e-3**2  # curvature stays finite: no corner


@given(bend=VECTORS, slip=VECTORS, normal=st.floats(0.0, 10.0))
def test_friction_stays_in_coulombs_cone(bend: Vector, slip: Vector, normal: float):
    numbers = touch(friction=0.7)
    for force in (bristle_friction(numbers, normal, bend, slip)[0], regularised_friction(numbers, normal, slip)[0]):
        assert float(force.length()) <= 0.7 * normal * (1.0 + 1e-12)


@given(bend=VECTORS, slip=VECTORS, normal=st.floats(0.0, 10.0))
def test_friction_takes_what_it_does_not_store(bend: Vector, slip: Vector, normal: float):
    numbers = touch(friction=0.7)
    force, loss = bristle_friction(numbers, normal, bend, slip)
    storing = numbers.bristle_stiffness * bend.dot(slip)
    assert loss == pytest.approx(-force.dot(slip) - storing, abs=1e-6)
    assert regularised_friction(numbers, normal, slip)[1] >= 0.0


def test_regularised_friction_is_viscous_when_slow_and_coulombs_when_fast():
    numbers = touch(friction=0.5, skid_damping=10.0)
    assert list(regularised_friction(numbers, 4.0, Vector(0.01, 0.0, 0.0))[0]) == pytest.approx([-0.1, 0.0, 0.0])
    assert list(regularised_friction(numbers, 4.0, Vector(0.0, 3.0, 0.0))[0]) == pytest.approx([0.0, -2.0, 0.0])


@given(length=st.floats(1e-6, 4e-4), growing=st.floats(-0.5, 0.5))
def test_a_hold_pulls_back_by_its_energy_and_only_loses(length: float, growing: float):
    along = Vector(0.6, 0.0, 0.8)
    force, energy, loss = sticky_force(STICK, along * length, along * growing)
    assert force.dot(along) + 0.01 * growing <= 1e-12
    assert energy >= 0.0
    assert loss >= -1e-9
    still = [sticky_force(STICK, along * (length + d), along * 0.0) for d in (-1e-9, 0.0, 1e-9)]
    slope = (still[2][1] - still[0][1]) / 2e-9
    assert -still[1][0].dot(along) == pytest.approx(slope, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("name", ["stiffness", "friction", "damping", "alpha", "skid_damping"])
@pytest.mark.parametrize("value", [-1.0, math.nan, math.inf])
def test_impossible_touches_are_refused(name: str, value: float):
    with pytest.raises(WorldError, match=name):
        checked_parameters(touch(**{name: value}))


@pytest.mark.parametrize("name", ["deepest", "restitution_speed", "bristle_stiffness"])
def test_touches_that_would_divide_by_zero_are_refused(name: str):
    with pytest.raises(WorldError, match=name):
        checked_parameters(touch(**{name: 0.0}))


def test_a_ground_without_rise_has_no_exponential_spring():
    checked = checked_parameters(touch(alpha=5.0, beta=0.0))
    assert spring_damper_force(checked, 0.01, 0.0).force == pytest.approx(100.0)


@pytest.mark.parametrize(("name", "value"), [("reach", 0.0), ("beta", 0.0), ("alpha", -1.0), ("damping", math.nan)])
def test_invalid_sticky_feet_are_refused(name: str, value: float):
    numbers = {f: getattr(STICK, f) for f in ("alpha", "beta", "damping", "restitution", "return_speed", "reach")}
    with pytest.raises(WorldError, match=name):
        checked_sticky_foot(StickyFoot(**(numbers | {name: value})))
