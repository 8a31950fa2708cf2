"""Beer's neurons: the membrane against its differential equation, and the pacemaker against what is known of it."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gambol.creatures.beer.neurons import (
    CAPACITANCE,
    CONDUCTANCE,
    GAIN,
    THRESHOLD,
    Bursts,
    Pacemaker,
    bursts_after,
    frequency,
    intrinsic_current,
    potential_after,
)

DT = 0.001  # s
CELL = Pacemaker()


def test_a_membrane_follows_its_differential_equation():
    """nA / nF is V/s, so 1e3 mV/s."""
    solved = solve_ivp(
        lambda t, V: 1e3 * (3.0 - CONDUCTANCE * V) / CAPACITANCE, (0.0, 0.02), [-10.0], rtol=1e-10, atol=1e-10
    )
    V = -10.0
    for _ in range(20):
        V = potential_after(V, 3.0, DT)
    assert pytest.approx(solved.y[0, -1], rel=1e-8) == V


def test_a_neuron_fires_in_proportion_above_its_threshold():
    assert frequency(THRESHOLD - 1.0) == 0.0
    assert frequency(THRESHOLD + 5.0) == pytest.approx(5.0 * GAIN)
    assert frequency(THRESHOLD + 1e3) == 1.0


def fired(drive: np.ndarray, V: float = -40.0) -> np.ndarray:
    """The frequency of a pacemaker in time; drive: synaptic current in each step [nA]."""
    bursts, out = Bursts(0.0, 0.0, 0.0), []
    for current in drive:
        out.append(frequency(V))
        bursts = bursts_after(CELL.numbers(), bursts, V, current / CONDUCTANCE, DT)
        V = potential_after(V, current + intrinsic_current(CELL.numbers(), bursts), DT)
    return np.array(out)


def onsets(rate: np.ndarray) -> np.ndarray:
    return DT * np.flatnonzero(np.diff((rate > 0.0).astype(int)) == 1)


@pytest.mark.parametrize("current", [0.0, 0.5, 1.5])
def test_a_pacemaker_bursts_the_more_often_the_more_it_is_excited(current: float):
    """Its period is T_H + T_0 - s V_s, by the definition of the two currents."""
    starts = onsets(fired(np.full(12000, current)))
    expected = CELL.burst + CELL.interval - CELL.slope * current / CONDUCTANCE
    np.testing.assert_allclose(np.diff(starts), expected, atol=3.0 * DT)


def test_a_pulse_between_two_bursts_triggers_one():
    drive = np.full(6000, 0.5)
    usual = onsets(fired(drive))[1]
    drive[(pulse := round(1000 * (usual - 1.0))) : pulse + 50] = 8.0
    assert onsets(fired(drive))[1] == pytest.approx(DT * pulse, abs=0.02)


def test_a_pulse_of_inhibition_ends_a_burst():
    drive = np.full(4000, 0.5)
    first = onsets(fired(drive))[0]
    drive[(pulse := round(1000 * (first + 0.1))) : pulse + 50] = -8.0
    rate = fired(drive)
    ends = DT * np.flatnonzero(np.diff((rate > 0.0).astype(int)) == -1)
    assert ends[0] < first + 0.1 + 0.02 < first + CELL.burst


def test_steady_inhibition_silences_it():
    assert not fired(np.full(8000, -4.0))[2000:].any()
    assert math.isclose(fired(np.full(8000, 0.5)).max(), 1.0)
