"""Beer's model of a neuron, and of a pacemaker. [Beer, Chiel and Sterling 1989; Beer 1990, chapters 3 and 4]

    C dV/dt = sum_j w_j F_j + I_intrinsic + I_external - G V          F = clamp(gain (V - threshold), 0, 1)

V: membrane potential above the resting potential [mV]; F: firing frequency, relative to the highest. A pacemaker has
two intrinsic currents: a fast depolarising one, I_H, and a slow hyperpolarising one, I_L, by these rules:

    I_H begins when the cell comes above its threshold or I_L ends, and lasts for a fixed time T_H
    I_L begins when I_H ends, and lasts for a time that falls linearly with the potential: T_L = T_0 - s V_s

V_s = (sum of the synaptic and external currents) / G is the potential to which the other currents drive the cell. In
Kandel's description of such cells, which Beer follows, a pulse of excitation between two bursts triggers a burst, and a
pulse of inhibition ends a burst. So here I_H also ends when the inputs alone hold the cell below its threshold.

The equations are Beer's, written from memory of his papers; his numbers were not at hand. C = 1 nF and G = 0.1 uS,
hence a time constant of 10 ms and currents of a few nA, are the usual scale of later simulators of such cells. The
other numbers are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gambol.lanes import Scalar, clamp, exp, logical_not, maximum, where

CAPACITANCE = 1.0  # nF
PACEMAKER_CAPACITANCE = 5.0
"""Capacitance of a pacemaker [nF]: it recovers from inhibition by neighbours after 50 ms, when their feet stand."""

CONDUCTANCE = 0.1  # uS: 1 nA changes the potential by 10 mV
THRESHOLD = 0.0  # mV
GAIN = 0.05  # 1/mV: the highest frequency is reached 20 mV above the threshold


def potential_after(potential: Scalar, current: Scalar, dt: Scalar, capacitance: float = CAPACITANCE) -> Scalar:
    """Return the potential after a time dt [s] at a constant current [nA]: the exact solution [mV]."""
    target = current / CONDUCTANCE
    return target + (potential - target) * exp(-dt * (CONDUCTANCE / capacitance) * 1e3)


def frequency(potential: Scalar, threshold: Scalar = THRESHOLD) -> Scalar:
    """Return the firing frequency at a potential [mV], from 0 to 1."""
    return clamp(GAIN * (potential - threshold), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Bursts:
    """The state of a pacemaker's intrinsic currents.

    bursting: 1 while I_H flows, 0 while I_L flows. clock: time since the current intrinsic current began [s]. above: 1
    if the cell was above its threshold.
    """

    bursting: Scalar
    clock: Scalar
    above: Scalar


@dataclass(frozen=True, slots=True)
class Pacemaker:
    """The numbers of a pacemaker's intrinsic currents.

    high, low: I_H and I_L [nA]. burst: T_H [s]. interval, slope: T_0 [s] and s [s/mV] of T_L. least_interval: lower
    bound of T_L [s]. block: V_s below which a burst ends, and none begins [mV].
    """

    high: float = 4.0
    low: float = -4.0
    burst: float = 0.4
    interval: float = 2.6
    slope: float = 0.12
    least_interval: float = 0.05
    block: float = -15.0

    def numbers(self) -> dict[str, float]:
        """Return the numbers by name."""
        names = ("high", "low", "burst", "interval", "slope", "least_interval", "block")
        return {name: getattr(self, name) for name in names}


def intrinsic_current(numbers: Mapping[str, Any], bursts: Bursts) -> Scalar:
    """Return the intrinsic current of a pacemaker [nA]."""
    return where(bursts.bursting > 0.5, numbers["high"], numbers["low"])


def bursts_after(numbers: Mapping[str, Any], bursts: Bursts, potential: Scalar, drive: Scalar, dt: Scalar) -> Bursts:
    """Return the state of a pacemaker's currents after a time dt [s].

    potential: potential of the cell now [mV]. drive: V_s, the potential to which all other currents drive the cell
    [mV].
    """
    clock = bursts.clock + dt
    above = potential > THRESHOLD
    rises = above & (bursts.above < 0.5)
    interval = maximum(numbers["interval"] - numbers["slope"] * drive, numbers["least_interval"])
    high = bursts.bursting > 0.5
    ends = high & ((clock >= numbers["burst"]) | (drive < numbers["block"]))
    begins = logical_not(high) & ((rises | (clock >= interval)) & (drive >= numbers["block"]))
    switched = ends | begins
    bursting = where(ends, 0.0, where(begins, 1.0, bursts.bursting))
    return Bursts(bursting, where(switched, 0.0, clock), where(above, 1.0, 0.0))
