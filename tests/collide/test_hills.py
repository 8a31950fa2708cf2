"""Random hills."""

import numpy as np
import pytest

from gambol.collide.hills import random_hills
from gambol.errors import WorldError

HILLS = random_hills(0.004, wavelength=0.03, half_width=0.3, level=0.05, seed=3)


def distances_from_origin(grid):
    x = grid.x0 + grid.spacing * np.arange(grid.heights.shape[0])
    return np.hypot(x[:, None], x)


def test_hills_reach_from_zero_to_their_height():
    assert HILLS.heights.min() == 0.0
    assert HILLS.heights.max() == pytest.approx(0.004, rel=1e-12)


def test_hills_have_the_given_width_and_are_centred():
    assert HILLS.heights.shape[0] == HILLS.heights.shape[1]
    assert -0.3 - HILLS.spacing <= HILLS.x0 <= -0.3
    assert HILLS.x0 + HILLS.spacing * (HILLS.heights.shape[0] - 1) == pytest.approx(-HILLS.x0)


def test_the_middle_is_level():
    assert not HILLS.heights[distances_from_origin(HILLS) <= 0.05].any()
    assert HILLS.heights[distances_from_origin(HILLS) > 0.08].std() > 0.0004


def test_there_are_no_waves_shorter_than_the_shortest():
    grid = random_hills(0.01, wavelength=0.04, half_width=0.4, seed=1)
    part = grid.heights[10:70, 10:70]  # away from the level place
    window = np.hanning(60)
    power = np.abs(np.fft.rfft2((part - part.mean()) * window[:, None] * window)) ** 2
    k = np.hypot(np.fft.fftfreq(60)[:, None], np.fft.rfftfreq(60)) / grid.spacing
    assert power[k > 1.3 / 0.04].sum() < 1e-3 * power.sum()  # a window of 60 cells blurs by a few thirtieths


def test_a_seed_chooses_the_hills():
    repeated = random_hills(0.004, wavelength=0.03, half_width=0.3, level=0.05, seed=3)
    other = random_hills(0.004, wavelength=0.03, half_width=0.3, level=0.05, seed=4)
    assert np.array_equal(HILLS.heights, repeated.heights)
    assert np.abs(HILLS.heights - other.heights).max() > 0.001


@pytest.mark.parametrize(
    ("change", "cure"),
    [
        ({"height": 0.0}, "height of 0"),
        ({"wavelength": -1.0}, "wavelength"),
        ({"half_width": np.inf}, "half width"),
        ({"level": 0.29}, "two wavelengths"),
        ({"wavelength": 1e-5}, "cells along an edge"),
    ],
)
def test_impossible_hills_are_refused(change, cure):
    inputs = {"height": 0.004, "wavelength": 0.03, "half_width": 0.3, "level": 0.05} | change
    with pytest.raises(WorldError, match=cure):
        random_hills(inputs.pop("height"), **inputs)
