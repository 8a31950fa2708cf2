"""The procedural walk: its formulas against hand values, the pendulum against its equation, feet on the ground."""

import math

import numpy as np
import pytest

from gambol.creatures.bruderlin_calvert.motion import STANCE_KNEE, STRIKE_KNEE, LegPose, WalkMotion
from gambol.creatures.bruderlin_calvert.parameters import walk_parameters
from gambol.creatures.people.planar_figure import SOLE_RADIUS
from gambol.errors import WorldError

SPEEDS = (0.7, 1.2, 1.7)


def balls(motion: WalkMotion, t: float, pose: LegPose) -> list[tuple[float, float]]:
    """Return x from the hips and height of heel and toe ball, by angles that add up along the leg."""
    leg, shank, foot = motion.leg, pose.thigh + pose.knee, pose.foot
    x = leg.thigh * math.sin(pose.thigh) + leg.shank * math.sin(shank)
    z = motion.hips.height(t) + leg.ankle - leg.thigh * math.cos(pose.thigh) - leg.shank * math.cos(shank)
    c, s, below = math.cos(foot), math.sin(foot), SOLE_RADIUS - leg.ankle
    return [(x + ball * c - below * s, z + ball * s + below * c) for ball in (leg.heel, leg.toe)]


def test_the_parameters_are_those_of_hand_calculations():
    walk = walk_parameters(step_frequency=100.0, height=1.75)
    assert walk.step_length == pytest.approx(0.7)
    assert walk.velocity == pytest.approx(0.7 * 100.0 / 60.0)
    assert walk.double_support == pytest.approx(0.1308 * 1.2)
    assert walk.duty_factor == pytest.approx(0.5 + 0.1308)
    for given in ({"velocity": walk.velocity}, {"step_length": 0.7}, {"velocity": walk.velocity, "step_length": 0.7}):
        assert walk_parameters(**given).step_frequency == pytest.approx(100.0)


def test_impossible_walks_are_refused():
    with pytest.raises(WorldError, match="0 parameters are given"):
        walk_parameters()
    with pytest.raises(WorldError, match="velocity of -1 is impossible"):
        walk_parameters(velocity=-1.0)
    with pytest.raises(WorldError, match="people run"):
        walk_parameters(velocity=5.0)


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_hips_obey_the_pendulum_and_repeat_every_step(speed: float):
    motion = WalkMotion(walk_parameters(velocity=speed))
    hips, walk, h = motion.hips, motion.walk, 1e-4
    for t in (0.3 * walk.double_support, 0.9 * walk.double_support, 0.5 * walk.step, 0.9 * walk.step):
        p = hips.pivot + min(walk.step_length * (t / walk.double_support - 1.0), 0.0)
        second = (hips.x(t + h) - 2.0 * hips.x(t) + hips.x(t - h)) / h**2
        assert second == pytest.approx(9.81 / hips.z * (hips.x(t) - p), abs=1e-5)
    assert hips.x(walk.step) - hips.x(0.0) == pytest.approx(walk.step_length, abs=1e-12)
    rates = [(hips.x(t + h) - hips.x(t - h)) / (2.0 * h) for t in (h, walk.step - h)]
    assert rates[0] == pytest.approx(rates[1], abs=3e-3)


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_standing_foot_neither_slips_nor_sinks_and_the_swinging_one_clears_the_ground(speed: float):
    motion = WalkMotion(walk_parameters(velocity=speed))
    walk, leg = motion.walk, motion.leg
    for t in np.linspace(0.0, walk.step, 50):
        pose = motion.leading(t)
        for ball, (x, z) in zip((leg.heel, leg.toe), balls(motion, t, pose), strict=True):
            assert z > SOLE_RADIUS - 1e-9
            if z < SOLE_RADIUS + 1e-9:  # a ball that touches has rolled by its radius times its turn
                assert x + motion.hips.x(t) == pytest.approx(ball - SOLE_RADIUS * pose.foot, abs=1e-9)
        assert min(z for _, z in balls(motion, t, motion.trailing(t))) > SOLE_RADIUS - 1e-9
    assert motion.leading(0.0).knee == pytest.approx(STRIKE_KNEE, abs=1e-6)
    assert motion.leading(motion.hips.middle).knee == pytest.approx(STANCE_KNEE, abs=1e-6)


def test_legs_exchange_their_angles_at_the_heel_strike():
    motion = WalkMotion(walk_parameters(velocity=1.2))
    before, after = motion.trailing(motion.walk.step), motion.leading(0.0)
    assert (before.thigh, before.knee, before.foot) == pytest.approx((after.thigh, after.knee, after.foot))
    before, after = motion.leading(motion.walk.step), motion.trailing(0.0)
    assert (before.thigh, before.knee, before.foot) == pytest.approx((after.thigh, after.knee, after.foot))
