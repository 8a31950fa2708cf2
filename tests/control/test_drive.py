"""Drives alone, frame by frame: targets run along the pattern's signals, from the middle of each actuator's range."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import DIARY, FULL_TURN, HUM, JOINTS, SERVO, Held, Hum

from gambol.control import Actuator, Drive, Senses
from gambol.errors import WorldError

DT = 0.02  # s
NARROW = Actuator(0.1, 0.5, stiffness=10.0)


def frames(drive: Drive, count: int) -> Any:
    """The memory during each of some frames."""
    memory, numbers = drive.memory(), drive.numbers()
    for k in range(count):
        memory = drive.decide(numbers, memory, Senses(k * DT), DT)
        yield k * DT, memory
        memory = drive.advanced(memory, DT)


def test_targets_meet_the_signals_at_every_frames_end():
    drive = Drive(Hum((0.0, 1.0), 1.5), {"here": SERVO, "there": NARROW})
    for time, memory in frames(drive, 100):
        signals = [math.sin(FULL_TURN * 1.5 * (time + DT) + phase) for phase in (0.0, 1.0)]
        ends = [drive.rest_angle(memory, joint, DT)[0] for joint in drive.joints]
        np.testing.assert_allclose(ends, [0.4 * signals[0], 0.3 + 0.2 * signals[1]], rtol=0, atol=1e-13)


def test_targets_follow_a_smooth_signal_to_second_order():
    """A chord of a sine leaves it by at most a dt^2 w^2 / 8."""
    drive, w = Drive(Hum((0.0,), 1.5), {"here": SERVO}), FULL_TURN * 1.5
    most = 0.4 * (w * DT) ** 2 / 8.0
    for time, memory in frames(drive, 100):
        for part in (0.0, 0.3, 0.5, 0.9):
            target, rate = drive.rest_angle(memory, "here", part * DT)
            assert abs(target - 0.4 * math.sin(w * (time + part * DT))) <= most * (1.0 + 1e-9)
            assert rate == memory.rates[0]  # the same all through the frame


def test_targets_begin_in_the_middle_of_each_worlds_own_range():
    drive = Drive(Held((1.0,)), {"here": SERVO})
    assert drive.memory().targets == [0.0]
    numbers = drive.numbers() | {"actuators": {"here": SERVO.numbers() | {"lower": np.array([-0.4, 0.2, 0.8])}}}
    memory = drive.decide(numbers, drive.memory(), Senses(0.0), DT)
    np.testing.assert_allclose(memory.targets[0], [0.0, 0.3, 0.6])
    np.testing.assert_allclose(drive.advanced(memory, DT).targets[0], 0.4)
    later = drive.decide(numbers, drive.advanced(memory, DT), Senses(DT), DT)
    np.testing.assert_allclose(later.rates[0], 0.0, atol=1e-13)


def test_a_pattern_is_told_what_is_felt_and_the_time_of_its_signals():
    drive = Drive(DIARY, dict.fromkeys(JOINTS, SERVO))
    told = {name: 7.0 if name == "height" else [float(k)] * 4 for k, name in enumerate(DIARY.wants)}
    assert drive.wants == DIARY.wants
    memory = drive.decide(drive.numbers(), drive.memory(), Senses(0.3, **told), DT)
    assert memory.pattern == told | {"time": 0.3}


def test_what_is_compiled_in_tells_drives_apart():
    drive = Drive(HUM, dict.fromkeys(JOINTS, SERVO), ("left shank",))
    faster = replace(drive, pattern=replace(HUM, frequency=3.0), actuators=dict.fromkeys(JOINTS, NARROW))
    assert drive.structure() == faster.structure()
    others = [
        replace(drive, actuators=dict.fromkeys(JOINTS[::-1], SERVO)),
        replace(drive, feet=()),
        replace(drive, pattern=Held((0.0,) * 4)),
        replace(drive, pattern=Hum((0.0, 1.0))),
    ]
    assert all(other.structure() != drive.structure() for other in others)


def test_a_drive_needs_an_actuator_and_a_signal_for_each():
    with pytest.raises(WorldError, match="at least one actuator"):
        Drive(HUM, {})
    drive = Drive(HUM, {"here": SERVO})
    with pytest.raises(WorldError, match="4 signals for 1 actuators"):
        drive.decide(drive.numbers(), drive.memory(), Senses(0.0), DT)
