"""A stride of each animal: the stances of a known walk are found, and the page shows every animal."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gambol.creatures.animals import ANIMALS, TROTTERS
from gambol.gait.mammals import GAITS
from validation.strides import KNOWN, PICTURES, four_legs, known_spans, middle_stride, spans_of

PERIOD, RATE = 0.5, 200.0
LIMBS = four_legs(0.25, 0.6, 0.55)


def a_walk() -> Any:
    """Return a walk of 4 s with the landings and duty factors of LIMBS."""
    time = np.arange(0.0, 4.0, 1.0 / RATE)
    stance = [((time / PERIOD - phase) % 1.0) < duty - 1e-9 for phase, duty in LIMBS.values()]
    feet = tuple(f"{limb} 3" for limb in LIMBS)
    return SimpleNamespace(time=time, stance=np.array(stance).T, feet=feet, frequency=1.0 / PERIOD)


def test_a_stride_has_the_landings_and_duty_factors_of_its_walk():
    stride = middle_stride(a_walk(), "hind left")
    assert stride.end - stride.start == pytest.approx(PERIOD)
    for limb, (phase, duty) in LIMBS.items():
        assert abs((stride.landing(limb) - phase + 0.5) % 1.0 - 0.5) <= 1.0 / (RATE * PERIOD)
        assert stride.duty(limb) == pytest.approx(duty, abs=1.0 / (RATE * PERIOD))
        drawn = spans_of(stride, limb)
        known = sorted(known_spans(phase, duty))
        assert len(drawn) == len(known)
        np.testing.assert_allclose(drawn, known, atol=2.0 / (RATE * PERIOD))


def test_known_stances_are_cut_at_the_end_of_a_stride():
    assert known_spans(0.25, 0.5) == [(0.25, 0.5)]
    np.testing.assert_allclose(known_spans(0.75, 0.5), [(0.75, 0.25), (0.0, 0.25)])


def test_walk_and_trot_of_dogs_are_those_of_the_table_of_gaits():
    """The offsets of Hildebrand's classes, to within those of his plots."""
    for name, gait in (("hound", GAITS["walk"]), ("greyhound", GAITS["trot"])):
        limbs = ("hind left", "fore left", "hind right", "fore right")
        found = [KNOWN[name].limbs[limb][0] for limb in limbs]
        np.testing.assert_allclose(found, gait.offsets, atol=0.03)


def test_the_page_shows_every_animal():
    page = (PICTURES.parent / "validation" / "strides.md").read_text()
    assert set(KNOWN) == set(ANIMALS | TROTTERS)
    for name, animal in (ANIMALS | TROTTERS).items():
        assert {f"{leg} {side}" for leg in animal.legs for side in ("left", "right")} >= set(KNOWN[name].limbs)
        assert f"stride-{name}.png" in page
        assert (PICTURES / f"stride-{name}.png").exists()
