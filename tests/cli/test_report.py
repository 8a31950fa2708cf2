"""Tables and files of measures of a walk."""

import json
import math
from dataclasses import replace

import pytest
from rich.console import Console

from gambol.cli.report import mean_measures, tables, uncalibrated_reflex_notes, write_summary
from gambol.creatures import roach
from gambol.creatures.gait_metrics import Walk

WALK = Walk(
    speed_cm_per_s=8.0,
    body_lengths_per_s=2.7,
    strides=8,
    stride_s=0.1,
    duty_factor={"left": 0.5, "right": 0.6},
    phase={"left": 0.02, "right": 0.5},
    mean_feet=1.1,
    heading_drift_deg_per_s=-3.0,
    sway_mm=1.2,
    sway_per_stride=1.0,
    belly_clearance_mm=3.0,
    motor_work_j=1e-3,
    outside_work_j=0.0,
    damping_loss_j=9e-4,
    impact_loss_j=1e-6,
    sliding_loss_j=1e-5,
    numerical_damping_j=0.0,
    unaccounted_energy_fraction=1e-3,
    steps_taken=100,
    steps_rejected=10,
    realtime_factor=1.5,
)
OTHER = replace(WALK, speed_cm_per_s=6.0, phase={"left": 0.98, "right": 0.6}, sway_mm=math.nan)


def printed(walks):
    console = Console(width=100)
    with console.capture() as capture:
        console.print(tables(walks))
    return capture.get()


def test_one_walk_is_its_own_mean():
    assert mean_measures([WALK])["strides"] == 8
    assert mean_measures([WALK])["phase"] == WALK.phase


def test_means_leave_out_what_is_not_known_and_take_phases_on_the_circle():
    mean = mean_measures([WALK, OTHER])
    assert mean["speed_cm_per_s"] == 7.0
    assert mean["sway_mm"] == 1.2
    assert mean["phase"] == pytest.approx({"left": 0.0, "right": 0.55})
    assert math.isnan(mean_measures([OTHER, OTHER])["sway_mm"])


def test_the_table_shows_numbers_with_units():
    text = printed([WALK])
    assert "8.00" in text
    assert "cm/s" in text
    assert "1000.0" in text  # uJ
    assert "right" in text


def test_several_walks_are_shown_with_their_range():
    text = printed([WALK, OTHER])
    line = next(line for line in text.splitlines() if "cm/s" in line)
    assert line.split() == ["speed", "7.00", "6.00", "8.00", "cm/s"]


def test_what_is_not_known_is_null_in_the_file(tmp_path):
    path = tmp_path / "walk.json"
    write_summary({"a": math.nan, "b": [1.0, math.inf], "c": {"d": 2}}, path)
    assert json.loads(path.read_text()) == {"a": None, "b": [1.0, None], "c": {"d": 2}}


def test_missing_reflexes_are_noted():
    assert uncalibrated_reflex_notes(roach("tuned"), "on") == uncalibrated_reflex_notes(roach("thesis"), "off") == []
    assert "thesis set of the roach has no calibrated reflexes" in uncalibrated_reflex_notes(roach("thesis"), "on")[0]
