"""Measures of natural motion, from signals in time: smoothness, exchange of energies, harmonics of a stride, humps."""

import math
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SPLINE_DEGREE = 5
"""Degree of the splines that are differentiated: their second derivatives are smooth."""

HUMP_HARMONICS = 5
"""Number of harmonics of a force over its stance that are used: with two humps, two or three are large."""

SHORTEST_WINDOW, WINDOWS_PER_OCTAVE = 4, 4
"""Shortest window of a fluctuation analysis, in values, and the number of its windows in an octave."""

MIN_VALUES = 256
"""Minimum number of values of a fluctuation analysis: with fewer, series without memory often have 0.6 and more."""

MIN_PROMINENCE = 0.05
"""Minimum height of a hump above the adjacent valley, as a fraction of the peak."""


def log_dimensionless_jerk(time: Array, velocity: Array) -> float:
    """Return the log dimensionless jerk of a motion: the nearer to 0, the smoother. [Balasubramanian et al. 2015]

        -ln( (t2 - t1)^3 / v_peak^2 int |d^2 v / dt^2|^2 dt )

    time (F,): increasing times [s], at least six samples. velocity (F,) or (F, axes): a component, or the vector [m/s].
    Use it for one stride; over n strides the result is smaller by ln n^4. Returns infinity for a motion without jerk,
    and NaN for a motion without velocity.
    """
    columns = velocity.reshape(len(time), -1)
    peak = float(np.linalg.norm(columns, axis=1).max())
    if peak == 0.0:
        return math.nan
    spline: Any = import_module("scipy.interpolate").make_interp_spline(time, columns, k=SPLINE_DEGREE)
    jerk: Array = spline.derivative(2)(time)
    squared = float(np.trapezoid((jerk**2).sum(axis=1), time))
    cost = float(time[-1] - time[0]) ** 3 / peak**2 * squared
    return -math.log(cost) if cost > 0.0 else math.inf


def pendulum_recovery(kinetic: Array, potential: Array) -> float:
    """Return the fraction of energy that kinetic and potential energy exchange in a stride, from 0 to 1.

        1 - W / (W_k + W_p)        W: sum of the increases of an energy        [Cavagna, Thys and Zamboni 1976]

    kinetic, potential (F,): kinetic and potential energy of the centre of mass, over whole strides [J]. NaN if neither
    changes.
    """
    separate = _increases(kinetic) + _increases(potential)
    return 1.0 - _increases(kinetic + potential) / separate if separate > 0.0 else math.nan


def _increases(energy: Array) -> float:
    return float(np.maximum(np.diff(energy), 0.0).sum())


def energy_phase(kinetic: Array, potential: Array) -> float:
    """Return the correlation of kinetic and potential energy: near -1 in a pendulum's walk, near 1 in a bouncing run.

    kinetic, potential (F,): as for pendulum_recovery(). NaN if one of them does not change.
    """
    spread = float(np.std(kinetic) * np.std(potential))
    covariance = float(np.mean((kinetic - np.mean(kinetic)) * (potential - np.mean(potential))))
    return covariance / spread if spread > 0.0 else math.nan


def component(time: Array, values: Array, frequency: float) -> complex:
    """Return the component of a signal at a frequency, as amplitude times exp(i phase).

    time (F,), values (F,): times and values over whole periods. frequency [Hz]. The trend between both ends is
    subtracted first.
    """
    fraction = (time - time[0]) / (time[-1] - time[0])
    level = values - values[0] - fraction * (values[-1] - values[0])
    wave = np.exp(-2j * math.pi * frequency * (time - time[0]))
    return complex(2.0 * np.trapezoid(level * wave, time) / (time[-1] - time[0]))


def component_amplitudes(time: Array, values: Array, frequency: float, count: int) -> list[float]:
    """Return the amplitudes of a signal at a frequency and its multiples up to count. Arguments: as for component()."""
    return [abs(component(time, values, n * frequency)) for n in range(1, count + 1)]


def hump_count(force: Array) -> int:
    """Return the number of humps of a force over a stance.

    force (F,): mean over stances, at equal time intervals from touchdown to lift-off; it is near 0 at both ends. Only
    the first sine harmonics over the stance are used, so sampling and chatter cause no humps.
    """
    x = np.linspace(0.0, math.pi, len(force))
    waves = [np.sin(n * x) for n in range(1, HUMP_HARMONICS + 1)]
    smooth = sum((2.0 / math.pi * float(np.trapezoid(force * wave, x)) * wave for wave in waves), np.zeros(len(x)))
    find_peaks: Any = import_module("scipy.signal").find_peaks
    return len(find_peaks(smooth, prominence=MIN_PROMINENCE * float(smooth.max(initial=0.0)) or None)[0])


def fluctuation_exponent(values: Array) -> float:
    """Return the exponent a of the detrended fluctuations of a series: 0.5 without memory, 1 for 1/f noise.

        y_k = sum_(i <= k) (x_i - mean x)      F(n)^2: mean square of y about its lines in windows of n      F ~ n^a

    [Peng et al. 1994]. values (N,): such as successive stride times. The windows have 4 to N / 4 values. NaN for fewer
    than MIN_VALUES values, and for constant ones.
    """
    if len(values) < MIN_VALUES or np.ptp(values) <= 1e-9 * np.abs(values).max():
        return math.nan
    profile = np.cumsum(values - values.mean())
    octaves = math.log2(len(values) / 4 / SHORTEST_WINDOW)
    exponents = np.linspace(0.0, octaves, 1 + math.floor(octaves * WINDOWS_PER_OCTAVE))
    lengths = np.unique(np.round(SHORTEST_WINDOW * 2.0**exponents).astype(int))
    fluctuations = [_fluctuation(profile, int(length)) for length in lengths]
    return float(np.polyfit(np.log(lengths), np.log(fluctuations), 1)[0])


def _fluctuation(profile: Array, length: int) -> float:
    """Return the root mean square of a profile about its lines in windows of a length, from both ends."""
    count = len(profile) // length
    windows = np.concatenate([profile[: count * length], profile[-count * length :]]).reshape(-1, length).T
    x = np.linspace(-0.5 * (length - 1), 0.5 * (length - 1), length)
    level: Array = windows - windows.mean(axis=0)
    slopes: Array = x @ level / float(x @ x)
    return float(np.sqrt(np.mean((level - x[:, None] * slopes) ** 2)))
