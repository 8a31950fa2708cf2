"""Phases of gaits: they keep a gait, and relax to another one at the rate of their coupling."""

import math

import numpy as np
import pytest

from gambol.gait import GAITS, advanced_phases
from gambol.gait.phases import shifted_offsets

DT = 1e-3


def phases_after(phases: list[float], offsets: list[float], coupling: float, seconds: float) -> np.ndarray:
    for _ in range(round(seconds / DT)):
        phases = advanced_phases(phases, offsets, 1.5, coupling, DT)
    return np.array(phases)


def spread(phases: np.ndarray, offsets: list[float]) -> float:
    """Return the largest difference of a leg's lead from that of leg 0 [cycles]."""
    leads = phases + np.array(offsets)
    return float(np.abs((leads - leads[0] + 0.5) % 1.0 - 0.5).max())


@pytest.mark.parametrize("name", GAITS)
def test_a_gait_stays(name: str):
    offsets = list(GAITS[name].offsets)
    start = [-offset % 1.0 for offset in offsets]
    end = phases_after(start, offsets, 6.0, 2.0)
    assert spread(end, offsets) < 1e-12
    assert np.abs((end[0] - 3.0 + 0.5) % 1.0 - 0.5) < 1e-9  # 1.5 Hz for 2 s


def test_a_small_disturbance_decays_with_the_coupling():
    """Linearised, the difference of a lead from the mean decays by exp(-K t)."""
    offsets, coupling, seconds, off = list(GAITS["walk"].offsets), 4.0, 0.5, 1e-4
    start = [-offset % 1.0 for offset in offsets]
    start[1] += off
    leads = phases_after(start, offsets, coupling, seconds) + np.array(offsets)
    from_first = (leads[1] - leads[0] + 0.5) % 1.0 - 0.5
    steps = seconds / DT
    assert from_first == pytest.approx(off * (1.0 - coupling * DT) ** steps, rel=1e-5)
    assert from_first == pytest.approx(off * math.exp(-coupling * seconds), rel=coupling**2 * DT * seconds)


def test_a_trot_becomes_a_pace_through_a_walk():
    trot, walk, pace = (list(GAITS[name].offsets) for name in ("trot", "walk", "pace"))
    after = shifted_offsets(trot, pace)
    middle = [0.5 * (a + b) for a, b in zip(trot, after, strict=True)]
    assert [x % 1.0 for x in after] == pace
    assert [x % 1.0 for x in middle] == walk
