"""Beer's network of 37 neurons for six legs. [Beer, Chiel and Sterling 1989; Chiel and Beer 1988; Beer 1990]

A command neuron C, and for each leg six neurons:

    P     pacemaker, whose bursts are the leg's swings        FT    foot: active, it holds the foot down
    BS    backward swing: drives the leg back, in stance      FS    forward swing
    BAS   backward angle sensor                               FAS   forward angle sensor

C excites P, FT and BS: the leg stands and pushes. The more C fires, the harder the leg pushes, and the more often P
bursts. A burst of P inhibits FT and BS and excites FS: the leg swings. BAS excites P, so that a leg that is far back
swings; FAS inhibits P and FS and excites FT and BS, so that a leg that is far forward stands. Pacemakers of adjacent
legs, along and across the body, inhibit each other. The range of the hind legs is larger, so they step less often by
themselves; the other legs follow them in a wave from back to front.

The neurons and the signs of their connections are Beer's; the strengths are ours, see SYNAPSES.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gambol.creatures.beer.neurons import (
    CAPACITANCE,
    CONDUCTANCE,
    PACEMAKER_CAPACITANCE,
    Bursts,
    Pacemaker,
    bursts_after,
    frequency,
    intrinsic_current,
    potential_after,
)
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp

LEGS = tuple(f"{rank} {side}" for rank in ("front", "middle", "hind") for side in ("left", "right"))
"""The names of the legs."""

LEG_NEURONS = ("P", "FT", "BS", "FS", "BAS", "FAS")
"""The neurons of each leg."""

NEURONS = ("C", *(f"{leg} {neuron}" for leg in LEGS for neuron in LEG_NEURONS))
"""The names of all 37 neurons."""

ADJACENT = (
    *((f"{rank} left", f"{rank} right") for rank in ("front", "middle", "hind")),
    *(
        (f"{a} {side}", f"{b} {side}")
        for a, b in (("front", "middle"), ("middle", "hind"))
        for side in ("left", "right")
    ),
)
"""The pairs of legs with pacemakers that inhibit each other."""

SYNAPSES: Mapping[tuple[str, str], float] = {
    ("C", "P"): 2.0,
    ("C", "FT"): 0.0,
    ("C", "BS"): 2.0,
    ("P", "FT"): -8.0,
    ("P", "BS"): -8.0,
    ("P", "FS"): 4.0,
    ("BAS", "P"): 4.0,
    ("FAS", "P"): -5.0,
    ("FAS", "FS"): -5.0,
    ("FAS", "FT"): 2.0,
    ("FAS", "BS"): 0.5,
}
"""Strengths of the synapses within a leg's circuit, by source and target [nA at the highest frequency].

A current of 2 nA drives a cell from its threshold to its highest frequency. So an inhibition must exceed the sum of the
opposing excitations by 2 nA, and an excitation that triggers a burst must exceed I_L by 2 nA."""

INHIBITION = -8.0
"""Strength of the synapses between adjacent pacemakers [nA at the highest frequency]."""

TONIC: Mapping[str, float] = {"FT": 4.0}
"""External currents of motor neurons [nA]: a foot is held down even without a command."""


@dataclass(frozen=True, slots=True)
class NetworkMemory:
    """Potentials of all neurons, by name [mV], and the intrinsic currents of the pacemakers, by leg."""

    potentials: dict[str, Scalar]
    bursts: dict[str, Bursts]


@dataclass(frozen=True)
class Network:
    """The network, with or without lesions.

    pacemaker: numbers of the pacemakers. lesions: names of NEURONS that are silent. Raises WorldError for unknown
    names.
    """

    pacemaker: Pacemaker = field(default_factory=Pacemaker)
    lesions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.lesions:
            if name not in NEURONS:
                raise WorldError(f'the network has no neuron "{name}"; {did_you_mean(name, NEURONS)}')

    def numbers(self) -> dict[str, Any]:
        """Return the numbers that may differ between worlds.

        They are the numbers of the pacemakers, and 1 for each intact neuron, else 0.
        """
        intact = {name: 0.0 if name in self.lesions else 1.0 for name in NEURONS}
        return {"pacemaker": self.pacemaker.numbers(), "intact": intact}

    def memory(self) -> NetworkMemory:
        """Return the initial memory: all neurons at rest, all pacemakers between two bursts."""
        starts = {leg: Bursts(0.0, 0.0, 0.0) for leg in LEGS}
        return NetworkMemory(dict.fromkeys(NEURONS, 0.0), starts)

    def step(
        self, numbers: Mapping[str, Any], memory: NetworkMemory, inputs: Mapping[str, Scalar], dt: Scalar
    ) -> tuple[dict[str, Scalar], NetworkMemory]:
        """Return the firing frequencies of all neurons by name, and the memory after a time dt [s].

        numbers: in the structure of numbers(). inputs: external currents of neurons by name [nA], 0 for others.
        """
        fires = {
            name: numbers["intact"][name] * frequency(memory.potentials[name])
            for name in NEURONS
        }  # fmt: skip
        currents = _synaptic_currents(fires, inputs)
        bursts = dict(memory.bursts)
        for leg in LEGS:
            cell, drive = f"{leg} P", currents[f"{leg} P"] / CONDUCTANCE
            bursts[leg] = bursts_after(numbers["pacemaker"], bursts[leg], memory.potentials[cell], drive, dt)
            currents[cell] = currents[cell] + intrinsic_current(numbers["pacemaker"], bursts[leg])
        potentials = {
            name: potential_after(memory.potentials[name], currents[name], dt, _capacitance(name)) for name in NEURONS
        }
        return fires, NetworkMemory(potentials, bursts)


def _capacitance(name: str) -> float:
    """Return the capacitance of a neuron [nF]."""
    return PACEMAKER_CAPACITANCE if name.endswith(" P") else CAPACITANCE


def _synaptic_currents(fires: Mapping[str, Scalar], inputs: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Return the synaptic and external current of each neuron, by name [nA]."""
    currents: dict[str, Scalar] = {name: inputs.get(name, 0.0) for name in NEURONS}
    for leg in LEGS:
        for neuron, tonic in TONIC.items():
            currents[f"{leg} {neuron}"] = currents[f"{leg} {neuron}"] + tonic
        for (source, target), strength in SYNAPSES.items():
            presynaptic = "C" if source == "C" else f"{leg} {source}"
            currents[f"{leg} {target}"] = currents[f"{leg} {target}"] + strength * fires[presynaptic]
    for a, b in ADJACENT:
        for source, target in ((a, b), (b, a)):
            currents[f"{target} P"] = currents[f"{target} P"] + INHIBITION * fires[f"{source} P"]
    return currents


@dataclass(frozen=True, slots=True)
class AngleRange:
    """The range of a leg's angle, forward positive [rad].

    back, forward: angles at which its sensors begin to fire. full: angle beyond these at which they fire at the highest
    frequency.
    """

    back: float
    forward: float
    full: float = 0.05


SENSOR_CURRENT = 2.0
"""Current of an angle sensor at the angle `full` beyond its threshold [nA]; it gives the highest frequency."""


def sensor_currents(ranges: Sequence[AngleRange], angles: Sequence[Scalar], command: Scalar) -> dict[str, Scalar]:
    """Return the external currents of the sensors and of the command neuron, by name [nA].

    ranges, angles: ranges and angles of each leg, in the order of LEGS; forward positive [rad]. command: firing
    frequency of C, from 0 to 1.
    """
    inputs: dict[str, Scalar] = {"C": command * SENSOR_CURRENT}
    for leg, reach, angle in zip(LEGS, ranges, angles, strict=True):
        for sensor, beyond in (("BAS", reach.back - angle), ("FAS", angle - reach.forward)):
            inputs[f"{leg} {sensor}"] = SENSOR_CURRENT * clamp(beyond / reach.full, -1.0, 1.0)
    return inputs
