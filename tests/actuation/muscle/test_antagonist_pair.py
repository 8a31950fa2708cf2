"""A pair of antagonists as one actuator, against two muscles, against angles and against a free oscillation."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import ConstantPattern

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import AntagonistPair, Antagonists
from gambol.actuation.muscle.antagonist_pair import pair_stiffness
from gambol.collide import NoGround
from gambol.control import Drive
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.world import Timing, World, run, start

ANTAGONISTS = Antagonists("arm", stiffness=30.0, middle=0.2, reach=0.5, radius=0.03, co_contraction=0.2, rise=0.02)
PAIR = AntagonistPair(
    lower=-0.3,
    upper=0.7,
    radius=0.03,
    max_force=ANTAGONISTS.positive.max_force,
    optimal_length=ANTAGONISTS.positive.optimal_length,
    tone=0.2,
    rise=0.02,
)
"""The same pair: its middle is 0.2 rad."""


def torque(q: float, v: float, activations: tuple[float, float]) -> float:
    state = dict(zip(("positive", "negative"), activations, strict=True))
    return PAIR.force(PAIR.numbers(), ActuatorInput(0.0, [q], [v], [0.2], state))[0]


@pytest.mark.parametrize("q", [-0.3, 0.1, 0.2, 0.6])
@pytest.mark.parametrize("v", [-1.0, 0.0, 2.0])
def test_a_pair_pulls_as_two_muscles_of_the_same_numbers(q: float, v: float):
    numbers, expected = ANTAGONISTS.numbers(), 0.0
    for name, a in (("positive", 0.7), ("negative", 0.4)):
        muscle, at = getattr(ANTAGONISTS, name), ActuatorInput(0.0, [q], [v], [a], {"activation": a})
        expected += muscle.force(numbers[name], at)[0]
    assert torque(q, v, (0.7, 0.4)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.2, 0.3])
def test_the_excitations_hold_the_angle_with_the_stiffness(angle: float):
    wanted, step = PAIR.excitations(PAIR.numbers(), angle), 1e-5
    assert tuple(wanted.values()) == pytest.approx(ANTAGONISTS.excitations(ANTAGONISTS.numbers(), angle), rel=1e-12)
    held = wanted["positive"], wanted["negative"]
    slope = (torque(angle + step, 0.0, held) - torque(angle - step, 0.0, held)) / (2.0 * step)
    assert torque(angle, 0.0, held) == pytest.approx(0.0, abs=1e-13 * PAIR.max_force)
    assert -slope == pytest.approx(30.0, rel=1e-4)
    assert pair_stiffness(PAIR.numbers()) == pytest.approx(30.0, rel=1e-12)


def test_excitations_never_pass_1():
    strong = replace(PAIR, tone=0.3, optimal_length=2.2 * PAIR.radius)
    wanted = [strong.excitations(strong.numbers(), angle) for angle in np.linspace(-0.3, 0.7, 11)]
    assert max(max(u.values()) for u in wanted) == 1.0
    assert all(math.isfinite(u) and u >= 0.0 for each in wanted for u in each.values())


def arm(pair: AntagonistPair, signal: float, contact: str, h: float = 1e-3) -> World:
    """An arm of 1 kg at 0.3 m, without weight, on a pair with a constant signal."""
    link = Link(
        "arm", None, Joint("revolute", (0.0, 1.0, 0.0)), (Part(Sphere(0.05), (0.0, 0.0, -0.3), density=1910.0),)
    )
    drive = Drive(ConstantPattern((signal,)), {"arm": pair})
    method = "rkf45" if contact == "penalty" else "semi-implicit euler"
    timing = Timing(1e-3, h, method, 1e-9) if contact == "penalty" else Timing(1e-3, h)
    return World(
        Figure("arm", (link,)), ground=NoGround(), controller=drive, gravity=0.0, contact=contact, timing=timing
    )


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_an_arm_comes_to_rest_at_the_angle_of_its_signal_and_the_ledger_closes(contact: str):
    """The work at the joint is all that the pair gives, so that the books close to the error of the steps."""
    world = arm(PAIR, 0.2, contact)  # 0.2 of the half range of 0.5 from the middle of 0.2
    film = run(world, start(world), 4.0, rate=100.0)
    assert film.signals["kinetic"][-1, 0] < 1e-9
    assert abs(film.signals["unaccounted"][-1, 0]) < (1e-8 if contact == "penalty" else 1e-12)
    angle = 2.0 * math.atan2(film.quaternion[-1, 0, 0, 2], film.quaternion[-1, 0, 0, 0])
    assert angle == pytest.approx(0.3, abs=1e-6)


def test_the_muscle_that_turns_the_arm_shortens_and_both_are_drawn_beside_it():
    """A muscle that pulls with the torque r F shortens by r for each radian, so that its work is that of its torque."""
    world = arm(PAIR, 1.0, "stepping")
    state = start(world)
    state.q[:, 0] = -0.3
    film = run(world, state, 1.0, rate=100.0)
    assert [each.name for each in film.matter] == ["arm positive", "arm negative"]
    lengths = [np.linalg.norm(np.diff(each.points, axis=1), axis=2).sum(axis=1) for each in film.matter]
    angle = 2.0 * np.arctan2(film.quaternion[:, 0, 0, 2], film.quaternion[:, 0, 0, 0])
    assert np.ptp(angle) > 0.5
    for each, length, sign in zip(film.matter, lengths, (-1.0, 1.0), strict=True):
        assert np.all(sign * np.diff(length) * np.sign(np.diff(angle)) > -1e-6)
        np.testing.assert_allclose(np.linalg.norm(each.points[:, 1], axis=1), 1.1 * PAIR.radius, rtol=1e-4)
        assert np.all((each.activation >= 0.0) & (each.activation <= 1.0))
    assert film.matter[0].activation.max() > film.matter[1].activation.max()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lower": 1.0}, "cannot hold angles from 1.0 to 0.7"),
        ({"tone": 1.5}, "tone of antagonists is 1.5; it is an activation"),
        ({"tone": 0.0}, "tone of antagonists is 0.0; it must be more than 0"),
        ({"max_force": math.nan}, "max_force of antagonists is nan"),
        (
            {"optimal_length": 0.05},
            "cannot hold angles from -0.3 to 0.7: .* give an optimal_length of more than 0.06 m",
        ),
    ],
)
def test_impossible_pairs_are_refused(changes: dict[str, Any], message: str):
    with pytest.raises(WorldError, match=message):
        replace(PAIR, **changes)
