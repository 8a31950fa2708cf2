"""Sides that share genes: the right does what the left does, a part of a cycle later or earlier."""

import numpy as np
import pytest
from bred import DT, drawn, feelings

from gambol.control.controller import Senses
from gambol.control.patterns import NO_FOOT, Mirrored, Pattern, Shape
from gambol.errors import WorldError

QUADRUPED = Shape(actuators=4, feet=4, foot_of=(0, 1, 2, 3))
MIRRORS = (0, 0, 2, 2)
KINDS = ("spectral", "sinusoid", "oscillators")


def mirrored(kind: str, shift: float, seed: int = 0) -> Mirrored:
    rng = np.random.default_rng(seed)
    genes = Mirrored.genes_of(kind, QUADRUPED, MIRRORS)
    values = [float(rng.uniform(g.lower, g.upper)) for g in genes[:-1]]
    return Mirrored.of_genes(kind, QUADRUPED, MIRRORS, [*values, shift])


@pytest.mark.parametrize("shift", [0.0, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_the_mirrored_side_is_ahead_by_its_shift(kind, shift):
    pattern = mirrored(kind, shift)
    for left, right in ((0, 1), (2, 3)):
        frequency = getattr(pattern.own, "frequency", None) or pattern.own.swings[left // 2].frequency
        time = np.linspace(1.0 / frequency, 9.0, 401)
        late, early = (
            pattern.signals(pattern.numbers(), pattern.memory(), no_touch(t), t, DT)[0]
            for t in (time, time + shift / frequency)
        )
        np.testing.assert_allclose(late[right], early[left], rtol=0.0, atol=1e-12)


def no_touch(time: np.ndarray) -> Senses:
    return Senses(time, contacts=[0.0 * time] * 4, loads=[0.0 * time] * 4)


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_half_the_genes_and_comes_back_from_them(kind):
    pattern = mirrored(kind, 0.3)
    again = Mirrored.of_genes(kind, QUADRUPED, MIRRORS, pattern.values())
    assert again == pattern
    assert pattern.genes() == Mirrored.genes_of(kind, QUADRUPED, MIRRORS)
    whole = drawn(kind, 0, QUADRUPED)
    shared = len(whole.genes()) - 2 * (len(whole.genes()) - len(pattern.own.genes()))
    assert len(pattern.genes()) == shared + (len(whole.genes()) - shared) // 2 + 1
    assert isinstance(pattern, Pattern)
    assert pattern.structure() == whole.structure()
    assert pattern.wants == whole.wants


def test_an_oscillator_of_the_mirrored_side_feels_its_own_foot():
    pattern = mirrored("oscillators", 0.5)
    senses = Senses(0.0, contacts=[0.0, 1.0, 0.0, 0.0], loads=[0.0] * 4)
    _, after = pattern.signals(pattern.numbers(), pattern.memory(), senses, 0.0, DT)
    assert after.touched == [0.0, 1.0, 0.0, 0.0]
    still = pattern.signals(pattern.numbers(), pattern.memory(), no_touch(np.zeros(1)), 0.0, DT)[1]
    moved = [abs(float(a) - float(b[0])) for a, b in zip(after.ahead, still.ahead, strict=True)]
    assert moved[1] > 0.0
    assert moved[0] == moved[2] == moved[3] == 0.0


def test_an_actuator_in_the_middle_has_no_twin():
    spine = Shape(actuators=3, feet=2, foot_of=(NO_FOOT, 0, 1))
    genes = Mirrored.genes_of("oscillators", spine, (0, 1, 1))
    pattern = Mirrored.of_genes("oscillators", spine, (0, 1, 1), [g.lower for g in genes])
    assert pattern.own.shape.foot_of == (NO_FOOT, 0)
    signals, _ = pattern.signals(
        pattern.numbers(), pattern.memory(), feelings(np.random.default_rng(0), 1.0, spine), 1.0, DT
    )
    assert len(signals) == 3


def test_what_cannot_be_mirrored_is_refused():
    with pytest.raises(WorldError, match=r'"recurrent" has no phase .* take one of \[\'spectral\''):
        Mirrored.genes_of("recurrent", QUADRUPED, MIRRORS)
    with pytest.raises(WorldError, match="actuator 2 cannot mirror 1"):
        Mirrored.genes_of("spectral", QUADRUPED, (0, 0, 1, 2))
    with pytest.raises(WorldError, match="need as many mirrors, not 2"):
        Mirrored.genes_of("spectral", QUADRUPED, (0, 0))
    with pytest.raises(WorldError, match="3 actuators mirror none, but there are 2 signals"):
        Mirrored(mirrored("spectral", 0.5).own, (0, 1, 2), 0.5)
