"""The meaning of words on the command line."""

import math

import numpy as np
import pytest

from gambol.cli.choices import Gait, ramp_times, read_gait, read_ground, read_reflexes, walk_duration
from gambol.collide import HeightGrid, Plane
from gambol.creatures import roach
from gambol.creatures.creature_world import SETTLING_TIME
from gambol.errors import GambolError
from gambol.gait import gait_times

CREATURE = roach("thesis")


@pytest.mark.parametrize(
    ("word", "gait"),
    [
        ("tripod", Gait(1.0, 1.0)),
        ("Wave", Gait(3.0, 3.0)),
        ("2.5", Gait(2.5, 2.5)),
        ("3:1", Gait(3.0, 1.0)),
        ("wave:tripod", Gait(3.0, 1.0)),
    ],
)
def test_gaits_are_names_factors_or_changes(word, gait):
    assert read_gait(word) == gait


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("tripd", 'did you mean "tripod"'),
        ("0.9", "give 1"),
        ("inf", "give 1"),
        ("nan", "give 1"),
        ("3:wav", 'did you mean "wave"'),
        ("3:", "speed factor"),
        ("", '"tripod", "wave"'),
    ],
)
def test_impossible_gaits_are_refused(word, hint):
    with pytest.raises(GambolError, match=hint):
        read_gait(word)


@pytest.mark.parametrize("gait", [Gait(1.0, 1.0), Gait(3.0, 3.0), Gait(6.0, 1.0), Gait(1.0, 2.5)])
def test_a_walk_has_ten_strides(gait):
    seconds = walk_duration(gait, CREATURE)
    start, end = ramp_times(seconds)
    t = np.linspace(SETTLING_TIME, seconds, 20001)
    factor = np.interp(t, (start, end), (gait.start, gait.end))
    frequency = 1.0 / np.array([gait_times(CREATURE.gait.protraction, f).cycle for f in factor])
    assert np.trapezoid(frequency, t) == pytest.approx(10.0, rel=1e-6)


def test_a_walk_shorter_than_settling_still_has_a_ramp():
    start, end = ramp_times(0.02)
    assert SETTLING_TIME < start < end


def test_grounds_are_words_or_files(tmp_path):
    assert read_ground("flat", CREATURE, 0, 0.005) == Plane()
    hills = [read_ground("hills", CREATURE, seed, 0.005) for seed in (1, 1, 2)]
    assert np.array_equal(hills[0].heights, hills[1].heights)
    assert not np.array_equal(hills[0].heights, hills[2].heights)
    (tmp_path / "steps.csv").write_text("0, 0, 0\n0.001, 0.001, 0.001\n")
    grid = read_ground(str(tmp_path / "steps.csv"), CREATURE, 0, 0.01)
    assert isinstance(grid, HeightGrid)
    assert (grid.x0, grid.y0, grid.spacing) == (-0.005, -0.01, 0.01)  # the origin is in the middle


@pytest.mark.parametrize(
    ("word", "hint"), [("hils", 'did you mean "hills"'), ("sand", '"flat", "hills"'), ("x.npy", "no height file")]
)
def test_missing_grounds_are_refused(word, hint):
    with pytest.raises(GambolError, match=hint):
        read_ground(word, CREATURE, 0, 0.005)


@pytest.mark.parametrize("spacing", [0.0, -1.0, math.inf, math.nan])
def test_a_spacing_must_be_a_length(spacing, tmp_path):
    (tmp_path / "flat.csv").write_text("0,0\n0,0\n")
    with pytest.raises(GambolError, match="--spacing"):
        read_ground(str(tmp_path / "flat.csv"), CREATURE, 0, spacing)


def test_reflexes_are_on_off_or_named():
    assert (read_reflexes("on"), read_reflexes(" OFF ")) == (True, False)
    assert read_reflexes("step, stable,elevator") == ("step", "stable", "elevator")
    with pytest.raises(GambolError, match='--reflexes: "elevater" is unknown; did you mean "elevator"'):
        read_reflexes("step,elevater")
