"""The law after the procedural walk: its targets, its balance of torques, and when a step ends."""

import pytest

from gambol.control import PhaseMemory, Senses
from gambol.creatures.bruderlin_calvert.law import MIN_STEP_FRACTION, ProceduralWalk, WalkGains, walk_targets
from gambol.creatures.bruderlin_calvert.motion import WalkMotion
from gambol.creatures.bruderlin_calvert.parameters import walk_parameters
from gambol.creatures.people.person import person

FIGURE = person(planar=True)
MOTION = WalkMotion(walk_parameters(velocity=1.2))
WALK = MOTION.walk
PLAIN = WalkGains(lean=0.0, thigh=0.0, knee=0.0, ankle=0.0, push=0.0)
DT = 1e-3


def law(gains: WalkGains = PLAIN) -> ProceduralWalk:
    return ProceduralWalk(FIGURE, MOTION, gains, (0.0, 0.0))


def senses_of_the_walk(t: float, right: float = 0.0) -> Senses:
    """The body in the posture and at the velocity of the procedural walk, the left leg leading, trunk upright."""
    q, v, targets = [0.0] * FIGURE.nq, [0.0] * FIGURE.nv, walk_targets(MOTION, t)
    legs = {"left": (targets.leading, targets.leading_rate), "right": (targets.trailing, targets.trailing_rate)}
    for side, (pose, rate) in legs.items():
        for name, link in {"thigh": "thigh", "knee": "shank", "ankle": "foot"}.items():
            k = FIGURE.link(f"{side} {link}").q.start
            q[k], v[k] = getattr(pose, name), getattr(rate, name)
    v[1] = targets.velocity
    return Senses(0.0, q=q, v=v, contacts=[right, 1.0])


def test_the_rates_of_the_targets_are_slopes_of_the_angles():
    t, h = 0.4, 1e-5
    before, now, after = (walk_targets(MOTION, x) for x in (t - h, t, t + h))
    for name in ("thigh", "knee", "foot"):
        for leg in ("leading", "trailing"):
            slope = (getattr(getattr(after, leg), name) - getattr(getattr(before, leg), name)) / (2.0 * h)
            assert getattr(getattr(now, f"{leg}_rate"), name) == pytest.approx(slope, abs=1e-6)
    assert now.velocity == pytest.approx((MOTION.hips.x(t + h) - MOTION.hips.x(t - h)) / (2.0 * h), abs=1e-6)


@pytest.mark.parametrize("share", [0.4, 0.6, 0.9])
def test_on_the_procedural_walk_nothing_is_corrected(share: float):
    """No torque acts, and the servos have the angles that the legs have."""
    senses = senses_of_the_walk(share * WALK.step)
    commands, _ = law().commands(law().numbers(), PhaseMemory(0.0, share * WALK.step, 1.0), senses, DT)
    assert commands[:3] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    legs = [senses.q[FIGURE.link(f"{side} {link}").q.start] for link in ("shank", "foot") for side in ("right", "left")]
    assert commands[3:7] == pytest.approx(legs, abs=1e-12)


def test_a_walker_that_is_too_fast_swings_the_thigh_further_forward():
    senses = senses_of_the_walk(0.9 * WALK.step)
    senses.v[1] += 0.5
    gains = WalkGains(velocity=0.2, lean=0.0, thigh=0.0)
    commands, _ = law(gains).commands(law(gains).numbers(), PhaseMemory(0.0, 0.9 * WALK.step, 1.0), senses, DT)
    assert commands[1] == pytest.approx(gains.hip[0] * 0.2 * 0.5)
    assert commands[2] == pytest.approx(-commands[1])  # the stance hip bears it


def test_hips_and_lumbar_joint_together_hold_the_pelvis():
    senses, gains = senses_of_the_walk(0.3), WalkGains(lean=-0.05)
    senses.q[0], senses.v[0] = 0.1, 0.4
    commands, _ = law(gains).commands(law(gains).numbers(), PhaseMemory(0.0, 0.3, 1.0), senses, DT)
    stiffness, damping = gains.pelvis
    assert -sum(commands[:3]) == pytest.approx(stiffness * (-0.05 - 0.1) - damping * 0.4)


def test_touchdown_exchanges_the_legs_but_not_too_early():
    for share, side in ((0.9 * MIN_STEP_FRACTION, 1.0), (1.1 * MIN_STEP_FRACTION, -1.0)):
        memory = PhaseMemory(0.0, share * WALK.step, 1.0)
        assert law().commands(law().numbers(), memory, senses_of_the_walk(0.3, right=1.0), DT)[1].side == side
    late = PhaseMemory(0.0, 1.5 * WALK.step, 1.0)
    assert law().commands(law().numbers(), late, senses_of_the_walk(0.3), DT)[1].side == 1.0  # waits for the ground
