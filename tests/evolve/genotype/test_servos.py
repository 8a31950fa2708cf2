"""Servos suit their load: equally fast and damped in any body, and equally strong relative to its weight."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.dynamics import Dynamics
from gambol.evolve.genotype import PLANS, Body, Freedom, Genotype, Limb, Phenotype, Segment, Trunk, grow
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.servos import MAX_SERVO_FREQUENCY, RATED_ERROR, SLIDE_UNIT, WEIGHT_PER_MASS, joint_inertias


def of(body: Body) -> Phenotype:
    return grow(with_neutral_control(Genotype(body)))


def legged(scale: float = 1.0, **freedom) -> Body:
    segment = Segment(0.2 * scale, 0.03 * scale, 0.02 * scale, freedoms=(Freedom(**freedom),))
    trunk = Trunk(0.5 * scale, 0.2 * scale, 0.12 * scale)
    return Body(trunk, (Limb((0.5, 1.0, 0.0), True, (segment, segment)),))


@pytest.mark.parametrize("body", [*PLANS, "free"])
def test_what_a_joint_carries_is_its_entry_of_the_mass_matrix(body):
    creature = grow(space_of(body).random(np.random.default_rng(5)))
    q = [1.0, *[0.0] * (creature.figure.nq - 1)]
    diagonal = np.diag(Dynamics(creature.figure).mass_matrix(q))[6:]
    np.testing.assert_allclose([*joint_inertias(creature.figure).values()], diagonal, rtol=1e-10)


@pytest.mark.parametrize("body", [*PLANS, "free"])
def test_servos_are_critically_damped_and_none_is_quicker_than_it_may(body):
    creature = grow(space_of(body).random(np.random.default_rng(6)))
    for name, I in joint_inertias(creature.figure).items():
        servo = creature.actuators[name]
        assert servo.damping**2 == pytest.approx(4.0 * servo.stiffness * I)
        assert servo.stiffness / I < MAX_SERVO_FREQUENCY**2


def test_a_leg_can_lift_a_share_of_the_weight_at_its_length():
    creature = of(legged(strength=0.7))
    weight = creature.figure.mass * WEIGHT_PER_MASS
    strengths = [actuator.strength for actuator in creature.actuators.values()]
    np.testing.assert_allclose(strengths, [0.7 * weight * 0.4, 0.7 * weight * 0.2] * 2)


def test_a_servo_works_as_hard_as_it_can_at_the_same_error_everywhere():
    for actuator in of(legged()).actuators.values():
        assert actuator.strength / actuator.stiffness == pytest.approx(RATED_ERROR)


def test_the_range_of_a_slide_is_relative_to_its_segment():
    creature = of(legged(kind="prismatic", middle=0.5, reach=1.0, strength=0.6))
    actuator = creature.actuators["limb1 left 1"]
    assert (actuator.lower, actuator.upper) == pytest.approx((-0.5 * SLIDE_UNIT * 0.2, 1.5 * SLIDE_UNIT * 0.2))
    assert actuator.strength == pytest.approx(0.6 * creature.figure.mass * WEIGHT_PER_MASS / SLIDE_UNIT)
    assert creature.angles["limb1 left 1"] == pytest.approx(0.5 * SLIDE_UNIT * 0.2)


def test_a_creature_twice_as_large_is_as_nimble_for_its_size():
    """Scaling by s: masses s^3, torques s^4, powers s^3.5 and times s^0.5, except motors that gain on limbs by s."""
    small, large = of(legged()), of(legged(2.0))
    for name, actuator in small.actuators.items():
        other = large.actuators[name]
        assert other.strength == pytest.approx(16.0 * actuator.strength)
        assert other.stiffness == pytest.approx(16.0 * actuator.stiffness)
        assert other.power == pytest.approx(2.0**3.5 * actuator.power)
        slower = [(actuator.stiffness / actuator.damping) for actuator in (actuator, other)]
        assert 1.0 < slower[0] / slower[1] < 2.0**0.5


def test_a_light_limb_is_not_shaken():
    body = legged()
    thin = replace(body.limbs[0].segments[1], upper_radius=0.008, lower_radius=0.008, density=200.0, length=0.04)
    light = Body(body.trunk, (replace(body.limbs[0], segments=(body.limbs[0].segments[0], thin)),))
    creature = of(light)
    servo, inertia = creature.actuators["limb1 left 2"], joint_inertias(creature.figure)["limb1 left 2"]
    assert 0.9 * MAX_SERVO_FREQUENCY < (servo.stiffness / inertia) ** 0.5 < MAX_SERVO_FREQUENCY
