"""The numbers of the walker's reflexes.

Gains, prestimulations, offsets and delays are from the author's file nms_model_ControlInit.m (H. Geyer, 5 October
2006); the connections of signals are those of his model of the same date. [Geyer and Herr 2010] has the same reflexes
with slightly different gains.
"""

from collections.abc import Mapping
from typing import Any

from gambol.control.reflexes import DelayedFeedback
from gambol.control.reflexes.muscle_feedback import force_feedback, length_feedback
from gambol.creatures.geyer_herr.figure import DEGREE, SIDES, TRUNK_MASS
from gambol.creatures.geyer_herr.muscles import MUSCLES, muscle_name

ANKLE_DELAY, KNEE_DELAY, HIP_DELAY = 0.020, 0.010, 0.005
"""Delays of signals from and to the muscles of a joint, both ways together [s]."""

TA_OFFSET, HFL_OFFSET, HAM_OFFSET = 1.0 - 0.5 * 0.56, 0.65, 0.85
"""Lengths of fibres above which spindles send a signal [optimal lengths]."""

MIN_EXCITATION, MAX_EXCITATION = 0.01, 1.0
"""Bounds of excitations."""

STANCE = {"SOL": 0.01, "TA": 0.01, "GAS": 0.01, "VAS": 0.08, "HAM": 0.0, "GLU": 0.0, "HFL": 0.0}
"""Prestimulation of the muscles of a standing leg; muscles of the hip have hip_tone of NUMBERS times the leg's load."""

SWING = {"SOL": 0.01, "TA": 0.01, "GAS": 0.01, "VAS": 0.0, "HAM": 0.01, "GLU": 0.01, "HFL": 0.01}
"""Prestimulation of the muscles of a swinging leg."""

NUMBERS = {
    "hip_tone": 0.05,
    "lean": 6.0 * DEGREE,  # of the trunk, forward [rad]
    "lean_gain": 1.0 / (30.0 * DEGREE),  # [1/rad]
    "lean_rate_gain": 0.2,  # [s/rad]
    "glu_share": 0.7,  # HAM's excitation contains this fraction of GLU's
    "swing_start": 0.25,  # added to HFL and taken from GLU of the rear leg in double support
    "knee_gain": 2.0,  # inhibition of VAS by a knee that extends beyond knee_angle [1/rad]
    "knee_angle": -10.0 * DEGREE,  # the source's 170 degrees [rad]
    "takeoff_lean_gain": 0.02 / DEGREE,  # of HFL in swing, by the lean at take-off [1/rad]
    "bone_load": (80.0 - 1.25 - 3.5 - 0.8 * 8.5) / TRUNK_MASS,
    "load_time": 0.020,
}
"""The other numbers of the law, before the factors TUNED.

bone_load: force in the upper thigh of the standing leg, divided by the load of the foot, while the foot carries the
whole weight. The source measures this force by a spring in the thigh, at four fifths of its length, and passes it
through a filter of load_time [s]. Here it is replaced by the load of the foot times this number, which is exact at
rest."""

TUNED: Mapping[str, float | tuple[float, ...]] = {
    "hip_tone": 1.17,
    "lean": 1.06,
    "lean_gain": 0.8,
    "lean_rate_gain": 1.53,
    "glu_share": 0.91,
    "knee_gain": 1.2,
    "takeoff_lean_gain": 0.99,
    "bone_load": 1.36,
    "stance": (2.26, 0.62, 1.27, 1.2, 1.79),
    "swing": (0.65, 0.76, 0.71, 0.87, 1.45),
}
"""Factors of NUMBERS, and of the gains of the rows of both tables of reflexes, in their order; not from the source.

With the source's numbers the walker walks on the source's soft ground, but falls after some steps on the rigid ground
of a method on velocities. These factors are from a search by an evolution strategy (CMA-ES) near 1.3 m/s: first over
one ground with steps of up to 4 cm, then over a new random ground in each of 32 generations, with steps of up to 2.4
cm, and pushes of 150 N for 0.1 s, in walks of 14 s.
"""


def stance_reflexes(side: str) -> tuple[DelayedFeedback, ...]:
    """Return the reflexes of a standing leg that depend on the signal of one muscle, as rows."""
    return (
        _force(side, "SOL", 1.2, ANKLE_DELAY),
        _force(side, "TA", -0.4, ANKLE_DELAY, "SOL"),
        _length(side, "TA", 1.1, TA_OFFSET, ANKLE_DELAY),
        _force(side, "GAS", 1.1, ANKLE_DELAY),
        _force(side, "VAS", 1.2, KNEE_DELAY),
    )


def swing_reflexes(side: str) -> tuple[DelayedFeedback, ...]:
    """Return the reflexes of a swinging leg that depend on the signal of one muscle, as rows."""
    return (
        _length(side, "TA", 1.1, TA_OFFSET, ANKLE_DELAY),
        _length(side, "HFL", 0.5, HFL_OFFSET, HIP_DELAY),
        _length(side, "HFL", -4.0, HAM_OFFSET, HIP_DELAY, "HAM"),
        _force(side, "HAM", 0.65, HIP_DELAY),
        _force(side, "GLU", 0.5, HIP_DELAY),
    )


def _force(side: str, target: str, gain: float, delay: float, source: str = "") -> DelayedFeedback:
    source = source or target
    return force_feedback(muscle_name(side, target), gain, MUSCLES[source].max_force, delay, muscle_name(side, source))


def _length(side: str, target: str, gain: float, offset: float, delay: float, source: str = "") -> DelayedFeedback:
    return length_feedback(muscle_name(side, target), gain, offset, delay, muscle_name(side, source or target))


def source_numbers() -> dict[str, Any]:
    """Return NUMBERS, and the gains of both tables of reflexes as "stance" and "swing"."""
    tables = {"stance": stance_reflexes(SIDES[0]), "swing": swing_reflexes(SIDES[0])}
    return {**NUMBERS, **{name: [row.gain for row in rows] for name, rows in tables.items()}}


def tuned_numbers() -> dict[str, Any]:
    """Return the numbers of source_numbers() with the factors of TUNED."""
    result = source_numbers()
    for name, factor in TUNED.items():
        x = result[name]
        result[name] = [a * b for a, b in zip(x, factor, strict=True)] if isinstance(factor, tuple) else x * factor
    return result
