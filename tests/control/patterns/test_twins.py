"""Mirrored sides that share genes: the right side repeats the left one, a fraction of a cycle ahead."""

from typing import Any

import numpy as np
import pytest
from random_patterns import DT, random_pattern, random_senses

from gambol.control.controller import Senses
from gambol.control.patterns import NO_FOOT, Pattern, PatternShape

LEFT = PatternShape(actuators=2, feet=4, foot_of=(0, 2))
BOTH = PatternShape(actuators=4, feet=4, foot_of=(0, 1, 2, 3))
KINDS = ("spectral", "sinusoid", "oscillators")


def doubled(kind: str, shift: float) -> tuple[Any, Pattern]:
    """Return a pattern of the left legs of a quadruped, and that of all legs: left, right, left, right."""
    one: Any = random_pattern(kind, 0, LEFT)
    return one, one.with_twins((0, 0, 1, 1), (0.0, shift, 0.0, shift), BOTH)


def no_touch(time: np.ndarray) -> Senses:
    return Senses(time, contacts=[0.0 * time] * 4, loads=[0.0 * time] * 4)


@pytest.mark.parametrize("shift", [0.0, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_the_twin_is_ahead_by_its_shift(kind: str, shift: float):
    one, pattern = doubled(kind, shift)
    for left, right in ((0, 1), (2, 3)):
        frequency = getattr(one, "frequency", None) or one.waves[left // 2].frequency
        time = np.linspace(1.0 / frequency, 9.0, 401)
        late, early = (
            pattern.signals(pattern.numbers(), pattern.memory(), no_touch(t), t, DT)[0]
            for t in (time, time + shift / frequency)
        )
        np.testing.assert_allclose(late[right], early[left], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_twins_share_a_program(kind: str):
    one, pattern = doubled(kind, 0.3)
    assert pattern.structure() == random_pattern(kind, 1, BOTH).structure()
    assert pattern.required_senses == random_pattern(kind, 1, BOTH).required_senses == one.required_senses


def test_an_oscillator_of_the_other_side_senses_its_own_foot():
    _, pattern = doubled("oscillators", 0.5)
    senses = Senses(0.0, contacts=[0.0, 1.0, 0.0, 0.0], loads=[0.0] * 4)
    _, after = pattern.signals(pattern.numbers(), pattern.memory(), senses, 0.0, DT)
    assert after.in_contact == [0.0, 1.0, 0.0, 0.0]
    still = pattern.signals(pattern.numbers(), pattern.memory(), no_touch(np.zeros(1)), 0.0, DT)[1]
    moved = [abs(float(a) - float(b[0])) for a, b in zip(after.lead, still.lead, strict=True)]
    assert moved[1] > 0.0
    assert moved[0] == moved[2] == moved[3] == 0.0


def test_an_actuator_in_the_middle_may_have_no_twin():
    one: Any = random_pattern("oscillators", 0, PatternShape(actuators=2, feet=2, foot_of=(NO_FOOT, 0)))
    spine = PatternShape(actuators=3, feet=2, foot_of=(NO_FOOT, 0, 1))
    pattern = one.with_twins((0, 1, 1), (0.0, 0.0, 0.5), spine)
    readings = random_senses(np.random.default_rng(0), 1.0, spine)
    signals, _ = pattern.signals(pattern.numbers(), pattern.memory(), readings, 1.0, DT)
    assert len(signals) == 3
    assert pattern.oscillators[0] == one.oscillators[0]
