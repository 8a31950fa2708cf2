"""Reflex triggers read from undisturbed walking."""

import numpy as np
import pytest

from gambol.errors import WorldError
from gambol.gait import ReflexTriggers, calibrated_triggers
from gambol.gait.reflex import UNREACHABLE, bears_too_much, steps_by_reflex

TIME = np.linspace(0.0, 4.0, 400, endpoint=False)
STEPPING = np.column_stack([TIME % 1.0 > 0.5, (TIME + 0.5) % 1.0 > 0.5]).astype(float)
ANGLES = np.column_stack([0.3 * np.sin(2 * np.pi * TIME), 0.1 + 0.2 * np.cos(2 * np.pi * TIME)])
TORQUES = np.column_stack([np.where(STEPPING[:, 0] > 0, 9.0, 2.0 + TIME % 1.0), np.full(len(TIME), -3.0)])


def test_triggers_lie_beyond_the_reach_of_walking_by_the_margin():
    left, right = calibrated_triggers(ANGLES, TORQUES, (1.0, -1.0), STEPPING, 0.2)
    assert left.bent_back == pytest.approx(0.3 + 0.2 * 0.6, rel=1e-3)
    assert right.bent_back == pytest.approx(0.1 + 0.2 * 0.4, rel=1e-3)
    assert not steps_by_reflex(left, left.bent_back, ANGLES[:, 0]).any()
    assert not steps_by_reflex(right, right.bent_back, ANGLES[:, 1]).any()
    assert steps_by_reflex(right, right.bent_back, -0.2)


def test_loads_are_read_where_a_step_begins():
    left, right = calibrated_triggers(ANGLES, TORQUES, (1.0, -1.0), STEPPING, 0.2)
    assert left.load == pytest.approx(1.2 * 2.5, rel=0.02)  # not the 9 of a leg in the air
    assert right.load == pytest.approx(1.2 * 3.0)


def test_loads_count_either_way():
    assert bears_too_much(2.0, -3.0)
    assert bears_too_much(2.0, 3.0)
    assert not bears_too_much(2.0, -1.0)


def test_triggers_not_calibrated_never_act():
    assert not steps_by_reflex(ReflexTriggers(), UNREACHABLE, 1e6)
    assert not bears_too_much(ReflexTriggers().load, 1e6)


def test_a_leg_that_never_stepped_cannot_be_calibrated():
    with pytest.raises(WorldError, match="leg 1"):
        calibrated_triggers(ANGLES, TORQUES, (1.0, -1.0), STEPPING * np.array([1.0, 0.0]), 0.2)
