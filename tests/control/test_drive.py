"""Drives alone, step by step: targets follow the pattern's signals, from the middle of each actuator's range."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drives import FULL_TURN, JOINTS, RECORDER, SERVO, SINUSOID, ConstantPattern, SinusoidPattern

from gambol.actuation import Servo
from gambol.control import Drive, Senses
from gambol.errors import WorldError

DT = 0.02  # s
NARROW = Servo(0.1, 0.5, stiffness=10.0)


def frames(drive: Drive, count: int) -> Any:
    """The memory during each of some frames."""
    memory, numbers = drive.memory(), drive.numbers()
    for k in range(count):
        memory = drive.decide(numbers, memory, Senses(k * DT), DT)
        yield k * DT, memory
        memory = drive.advanced(memory, DT)


def test_targets_are_the_signals_at_the_end_of_every_control_step():
    drive = Drive(SinusoidPattern((0.0, 1.0), 1.5), {"here": SERVO, "there": NARROW})
    for time, memory in frames(drive, 100):
        signals = [math.sin(FULL_TURN * 1.5 * (time + DT) + phase) for phase in (0.0, 1.0)]
        ends = [drive.commands(memory, joint, DT)[0] for joint in drive.joints]
        np.testing.assert_allclose(ends, [0.4 * signals[0], 0.3 + 0.2 * signals[1]], rtol=0, atol=1e-13)


def test_targets_follow_a_smooth_signal_to_second_order():
    """The error of a chord of a sine is at most a dt^2 w^2 / 8."""
    drive, w = Drive(SinusoidPattern((0.0,), 1.5), {"here": SERVO}), FULL_TURN * 1.5
    most = 0.4 * (w * DT) ** 2 / 8.0
    for time, memory in frames(drive, 100):
        for part in (0.0, 0.3, 0.5, 0.9):
            (target,) = drive.commands(memory, "here", part * DT)
            assert abs(target - 0.4 * math.sin(w * (time + part * DT))) <= most * (1.0 + 1e-9)
            assert target == memory.targets[0] + memory.rates[0] * (part * DT)  # at a constant rate in a control step


def test_targets_begin_in_the_middle_of_each_worlds_own_range():
    drive = Drive(ConstantPattern((1.0,)), {"here": SERVO})
    assert drive.memory().targets == [0.0]
    numbers = drive.numbers() | {"actuators": {"here": SERVO.numbers() | {"lower": np.array([-0.4, 0.2, 0.8])}}}
    memory = drive.decide(numbers, drive.memory(), Senses(0.0), DT)
    np.testing.assert_allclose(memory.targets[0], [0.0, 0.3, 0.6])
    np.testing.assert_allclose(drive.advanced(memory, DT).targets[0], 0.4)
    later = drive.decide(numbers, drive.advanced(memory, DT), Senses(DT), DT)
    np.testing.assert_allclose(later.rates[0], 0.0, atol=1e-13)


def test_a_pattern_receives_the_senses_and_the_time_of_its_signals():
    drive = Drive(RECORDER, dict.fromkeys(JOINTS, SERVO))
    readings = {name: 7.0 if name == "height" else [float(k)] * 4 for k, name in enumerate(RECORDER.required_senses)}
    assert drive.required_senses == RECORDER.required_senses
    memory = drive.decide(drive.numbers(), drive.memory(), Senses(0.3, **readings), DT)
    assert memory.inner == readings | {"time": 0.3}


def test_the_structure_distinguishes_drives():
    drive = Drive(SINUSOID, dict.fromkeys(JOINTS, SERVO), ("left shank",))
    faster = replace(drive, pattern=replace(SINUSOID, frequency=3.0), actuators=dict.fromkeys(JOINTS, NARROW))
    assert drive.structure() == faster.structure()
    others = [
        replace(drive, actuators=dict.fromkeys(JOINTS[::-1], SERVO)),
        replace(drive, feet=()),
        replace(drive, pattern=ConstantPattern((0.0,) * 4)),
        replace(drive, pattern=SinusoidPattern((0.0, 1.0))),
    ]
    assert all(other.structure() != drive.structure() for other in others)


def test_a_drive_needs_an_actuator_and_a_signal_for_each():
    with pytest.raises(WorldError, match="at least one actuator"):
        Drive(SINUSOID, {})
    drive = Drive(SINUSOID, {"here": SERVO})
    with pytest.raises(WorldError, match="4 signals; 1 actuators have 1 commands"):
        drive.decide(drive.numbers(), drive.memory(), Senses(0.0), DT)
