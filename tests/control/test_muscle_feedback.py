"""Reflexes against the sums that they stand for."""

import pytest

from gambol.control import Senses
from gambol.control.reflexes import Afferent, DelayedFeedback, Signal
from gambol.control.reflexes.muscle_feedback import (
    afferents_of,
    delay_lines,
    excitations,
    force_feedback,
    length_feedback,
)
from gambol.errors import WorldError

SENSES = Senses(0.0, actuator_outputs={"SOL": {"force": 1000.0, "fibre_length": 0.9}, "TA": {"fibre_length": 0.6}})


def arrived_now(*rows: DelayedFeedback) -> dict[Afferent, float]:
    return {a: a.signal.value(SENSES, (), ()) for a in afferents_of(rows)}


def test_force_is_sent_in_isometric_forces_and_length_counts_beyond_the_offset() -> None:
    for row, expected in (
        (force_feedback("SOL", 1.2, 4000.0, 0.02), 1.2 * 0.25),
        (length_feedback("SOL", 1.1, 0.72, 0.02), 1.1 * 0.18),
        (length_feedback("TA", 1.1, 0.72, 0.02), 0.0),  # never below 0
    ):
        u = excitations([row], [row.gain], arrived_now(row), {row.actuator: 0.0})
        assert u[row.actuator] == pytest.approx(expected, abs=1e-15)


def test_excitations_add_up_over_rows() -> None:
    rows = (
        force_feedback("SOL", 1.2, 4000.0, 0.02),
        force_feedback("TA", -0.4, 4000.0, 0.02, source="SOL"),
        length_feedback("TA", 1.1, 0.5, 0.02),
    )
    arrived = arrived_now(*rows)
    assert len(arrived) == 2  # two rows share the tendon organ of SOL
    u = excitations(rows, [row.gain for row in rows], arrived, {"SOL": 0.01, "TA": 0.02})
    assert u["SOL"] == pytest.approx(0.01 + 1.2 * 0.25)
    assert u["TA"] == pytest.approx(0.02 - 0.4 * 0.25 + 1.1 * 0.1)


def test_a_delayed_ramp_arrives_late_by_the_delay() -> None:
    afferent = Afferent(Signal("actuator_outputs", "SOL", "force"), 0.005)
    (line,) = delay_lines([afferent], 0.001)
    samples = line.memory()
    for k in range(20):
        samples = line.pushed(samples, float(k), 0.001)
        if k >= 5:
            assert line.read(samples, afferent.delay) == k - 5


def test_an_unknown_muscle_or_output_is_named() -> None:
    with pytest.raises(WorldError, match='no actuator "VAS" has an output "force"'):
        Signal("actuator_outputs", "VAS", "force").value(SENSES, (), ())
    with pytest.raises(WorldError, match='"TA" has an output "force"'):
        Signal("actuator_outputs", "TA", "force").value(SENSES, (), ())


def test_a_zero_unit_is_refused() -> None:
    with pytest.raises(WorldError, match=r"in units of 0\.0; give more than 0"):
        force_feedback("SOL", 1.2, 0.0, 0.02)
