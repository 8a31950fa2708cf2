"""Measures of natural motion: one row each, with its value for a gait and its range among animals.

Ranges follow from the mass by scaling laws where these exist, else from the measured animals; each row names its
source. A measure that a gait does not have is NaN, such as the lag of a tail without a tail.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gambol.gait.animals import (
    GALLOP,
    SCALING,
    TROT,
    WALK,
    component_amplitudes,
    energy_phase,
    fluctuation_exponent,
    froude_number,
    gait_class,
    log_dimensionless_jerk,
    pendulum_recovery,
    spread_of,
    stride_length_ratio,
)
from gambol.gait.animals.motion import SPLINE_DEGREE
from gambol.gait.animals.reference import Range
from gambol.gait.animals.scaling import mechanical_power
from gambol.gait.natural.forces import fore_aft_balance, front_load, humps
from gambol.gait.natural.posture import head_pitch, tail_lag, trunk_pitch
from gambol.gait.natural.steady_gait import SteadyGait
from gambol.gait.stances import beginnings

NAN, INF = math.nan, math.inf

MIN_OSCILLATION = 1e-9
"""Minimum vertical oscillation for which harmonics are compared, as a fraction of the height."""


@dataclass(frozen=True)
class Measure:
    """A row of the table.

    name, unit, meaning: texts for readers. value: returns the value for a gait. expected: returns the range among
    animals for a gait and its class; None if there is no range. source: source of the range.
    """

    name: str
    unit: str
    meaning: str
    value: Callable[[SteadyGait], float]
    expected: Callable[[SteadyGait, str], Range | None]
    source: str


def class_of(gait: SteadyGait) -> str:
    """Return the class of a gait: WALK, TROT or GALLOP, see gait_class()."""
    pairs = [pair for pair in gait.pairs if len(pair) == 2]
    lags = [_mean_lag(gait, left, right) for left, right in pairs]
    flight = float((~gait.stance[:-1].any(axis=1)).mean())
    return gait_class(duty_factors(gait), [lag for lag in lags if math.isfinite(lag)], flight)


def duty_factors(gait: SteadyGait) -> list[float]:
    """Return the fraction of time in which each foot stands (n)."""
    return [float(x) for x in gait.stance[:-1].mean(axis=0)]


def _mean_lag(gait: SteadyGait, first: int, second: int) -> float:
    """Return the mean lag of a foot's landing behind the landing of another foot [cycles], in [0, 1)."""
    means = [np.exp(2j * math.pi * gait.phases(foot)).sum() for foot in (first, second)]
    if any(abs(mean) == 0.0 for mean in means):
        return NAN
    return float(np.angle(means[1] / means[0]) / (2.0 * math.pi)) % 1.0


def _alternation(gait: SteadyGait) -> float:
    """Return the largest distance of the landings of a pair from half a stride [cycles]."""
    lags = [_mean_lag(gait, left, right) for left, right in (pair for pair in gait.pairs if len(pair) == 2)]
    known = [abs(lag - 0.5) for lag in lags if math.isfinite(lag)]
    return max(known) if known else NAN


def _landings(gait: SteadyGait) -> float:
    """Return the mean number of landings in a stride, of the foot that lands most often."""
    return max(len(beginnings(stance)) for stance in gait.stance.T) / gait.strides


def _limb_phase(gait: SteadyGait) -> float:
    """Return the landing of a fore foot after that of the hind foot of its side, of four feet [cycles]."""
    if [len(pair) for pair in gait.pairs] != [2, 2]:
        return NAN
    lags = [_mean_lag(gait, hind, fore) for fore, hind in zip(*gait.pairs, strict=True)]
    mean = np.mean([np.exp(2j * math.pi * lag) for lag in lags])
    return float(np.angle(mean) / (2.0 * math.pi)) % 1.0 if np.isfinite(mean) else NAN


def _duty(gait: SteadyGait) -> float:
    return float(np.mean(duty_factors(gait)))


def _swing_time(gait: SteadyGait) -> float:
    return (1.0 - _duty(gait)) / gait.frequency


def _froude(gait: SteadyGait) -> float:
    return froude_number(gait.speed, gait.height)


def _stride_length(gait: SteadyGait) -> float:
    return gait.speed / gait.frequency / gait.height


def _range_per_stride(gait: SteadyGait, axis: int) -> float:
    """Return the mean excursion of the centre of mass from the line between the ends of a stride [h]."""
    x, time, ranges = gait.centre[:, axis], gait.time, list[float]()
    for a, b in pairwise(gait.edges):
        line = np.interp(time[a : b + 1], time[[a, b]], x[[a, b]])
        ranges.append(float(np.ptp(x[a : b + 1] - line)))
    return float(np.mean(ranges)) / gait.height


def _bobs(gait: SteadyGait) -> float:
    first, second = component_amplitudes(gait.time, gait.centre[:, 2], gait.frequency, 2)
    return second / (first + second) if first + second > MIN_OSCILLATION * gait.height else NAN


def _speed_ripple(gait: SteadyGait) -> float:
    velocity = np.gradient(gait.centre[:, 0], gait.time)
    return float(np.mean([np.ptp(velocity[a : b + 1]) for a, b in pairwise(gait.edges)])) / abs(gait.speed)


def _energies(gait: SteadyGait) -> tuple[np.ndarray, np.ndarray]:
    """Return kinetic and potential energy of the centre of mass (F,) [J]."""
    velocity = np.gradient(gait.centre, gait.time, axis=0)
    return 0.5 * gait.mass * (velocity**2).sum(axis=1), gait.weight * gait.centre[:, 2]


def _smoothness(gait: SteadyGait) -> float:
    velocity = np.gradient(gait.centre, gait.time, axis=0)
    parts = [slice(a, b + 1) for a, b in pairwise(gait.edges) if b - a >= SPLINE_DEGREE]
    return float(np.mean([log_dimensionless_jerk(gait.time[k], velocity[k]) for k in parts])) if parts else NAN


def _foot_lift(gait: SteadyGait) -> float:
    lifts = np.where(gait.stance, -INF, gait.foot_positions[..., 2]).max(axis=0)
    ground = np.where(gait.stance, gait.foot_positions[..., 2], 0.0).sum(axis=0) / np.maximum(
        gait.stance.sum(axis=0), 1
    )
    rises = (lifts - ground)[np.isfinite(lifts)]
    return float(rises.mean()) / gait.height if len(rises) else NAN


def _foot_slide(gait: SteadyGait) -> float:
    if gait.slide is None:
        return NAN
    return float(gait.slide.mean()) / abs(gait.distance)


def _variation(gait: SteadyGait) -> float:
    periods = np.diff(gait.time[gait.edges])
    return float(periods.std(ddof=1) / periods.mean()) if len(periods) > 1 else NAN


def _memory(gait: SteadyGait) -> float:
    return fluctuation_exponent(np.diff(gait.time[gait.edges]))


def _asymmetry(gait: SteadyGait) -> float:
    duty = duty_factors(gait)
    each = [abs(duty[left] - duty[right]) for left, right in (pair for pair in gait.pairs if len(pair) == 2)]
    return max(each) if each else NAN


def _power(gait: SteadyGait) -> float:
    if gait.power is None:
        return NAN
    work = float(np.trapezoid(gait.power, gait.time))
    return work / gait.duration / gait.mass if work else NAN


def _by_class(
    walk: Range | None, trot: Range | None, gallop: Range | None
) -> Callable[[SteadyGait, str], Range | None]:
    """Return ranges that depend on the class of the gait only."""
    table = {WALK: walk, TROT: trot, GALLOP: gallop}
    return lambda _, kind: table[kind]


def _frequency_range(gait: SteadyGait, kind: str) -> Range:
    """Return the range of stride frequencies of animals of the mass [Hz]."""
    walk, change = SCALING["walk frequency"](gait.mass), SCALING["trot-gallop frequency"](gait.mass)
    if kind == WALK:
        return spread_of(walk)
    return (walk, change) if kind == TROT else (0.9 * change, 1.6 * change)


def _swing_range(gait: SteadyGait, _: str) -> Range:
    return spread_of(SCALING["walk swing time"](gait.mass))


def _stride_range(gait: SteadyGait, _: str) -> Range:
    return spread_of(stride_length_ratio(_froude(gait)), 1.4)


def _power_range(gait: SteadyGait, _: str) -> Range:
    return spread_of(mechanical_power(abs(gait.speed)))


MEASURES: tuple[Measure, ...] = (
    Measure("stride frequency", "Hz", "strides in a second", lambda g: g.frequency, _frequency_range,
            "scaling laws of walks and of the trot-gallop transition, by mass"),
    Measure("Froude number", "", "v^2 / (g h)", _froude, _by_class((0.0, 0.5), (0.35, 2.5), (2.0, INF)),
            "walk to run near 0.5, of horses at 0.35; trot to gallop near 2.5"),
    Measure("duty factor", "", "fraction of the stride in which a foot stands", _duty,
            _by_class((0.5, 0.8), (0.3, 0.5), (0.15, 0.4)), "dogs, horses, mammals from 30 g to 500 kg"),
    Measure("swing time", "s", "time of a foot in the air", _swing_time, _swing_range,
            "scaling law of walks; nearly the same at all speeds"),
    Measure("stride length", "h", "length of a stride divided by the height", _stride_length, _stride_range,
            "2.3 Fr^0.3 [Alexander 1976], within 40 %"),
    Measure("bob", "h", "rise and fall of the centre of mass in a stride", lambda g: _range_per_stride(g, 2),
            _by_class((0.02, 0.09), (0.03, 0.15), (0.05, 0.2)), "one dog, within the factor of animals of one kind"),
    Measure("bobs twice", "", "share of the second harmonic in the bob: above 0.5 if it bobs twice a stride", _bobs,
            _by_class((0.5, 1.0), (0.5, 1.0), (0.0, 0.5)), "one dog: twice in walk and trot, once in canter"),
    Measure("sway", "h", "motion of the centre of mass from side to side in a stride",
            lambda g: _range_per_stride(g, 1), _by_class((0.0, 0.14), (0.0, 0.1), (0.0, 0.08)), "one dog"),
    Measure("speed ripple", "v", "change of the forward speed in a stride", _speed_ripple,
            _by_class((0.1, 0.6), (0.05, 0.4), (0.1, 0.4)), "one dog"),
    Measure("trunk pitch", "deg", "pitch of the trunk in a stride, peak to peak", trunk_pitch,
            _by_class((0.0, 10.0), (0.0, 7.0), (5.0, 35.0)), "one dog; horses up to 20"),
    Measure("energy phase", "", "correlation of kinetic and potential energy", lambda g: energy_phase(*_energies(g)),
            _by_class((-1.0, 0.0), (0.0, 1.0), None), "a walk is a pendulum, a run bounces"),
    Measure("pendulum recovery", "", "exchange of kinetic and potential energy",
            lambda g: pendulum_recovery(*_energies(g)), _by_class((0.2, 0.75), (0.0, 0.2), None),
            "cats, dogs, elephants, tortoises, humans"),
    Measure("humps", "", "humps of the vertical force in a stance", humps,
            _by_class((1.5, 3.0), (1.0, 1.5), (1.0, 1.5)), "horses: two in the walk, one in the trot"),
    Measure("front load", "", "fraction of the weight on the front feet, for four feet", front_load,
            _by_class((0.5, 0.65), (0.5, 0.65), (0.3, 0.65)), "dogs 0.6; galloping cheetahs 0.3"),
    Measure("fore-aft balance", "", "(forward force on the hind feet - that on the front feet) / weight",
            fore_aft_balance, _by_class((0.0, INF), (0.0, INF), (0.0, INF)), "front limbs brake, hind limbs drive"),
    Measure("foot slide", "", "distance that standing feet slide / distance covered", _foot_slide,
            _by_class((0.0, 0.02), (0.0, 0.02), (0.0, 0.02)), "feet of animals hardly slide"),
    Measure("foot lift", "h", "highest lift of a foot in its swing", _foot_lift,
            _by_class((0.05, 0.3), (0.1, 0.4), (0.1, 0.7)), "one dog; humans lift feet less"),
    Measure("trunk smoothness", "", "log dimensionless jerk of the centre of mass in a stride", _smoothness,
            _by_class((-7.0, 0.0), (-7.0, 0.0), (-5.5, 0.0)), "one dog"),
    Measure("stride variation", "", "standard deviation / mean of the stride times", _variation,
            _by_class((0.01, 0.09), (0.01, 0.09), (0.01, 0.09)), "humans 0.04, dogs 0.02 to 0.09"),
    Measure("stride memory", "", "exponent of the detrended fluctuations of the stride times, of 256 strides or more",
            _memory, _by_class((0.6, 1.0), (0.6, 1.0), (0.6, 1.0)), "humans 0.83; 0.5 without memory"),
    Measure("asymmetry", "", "largest difference of left and right duty factors", _asymmetry,
            _by_class((0.0, 0.05), (0.0, 0.05), None), "up to 0.05 is not noticed"),
    Measure("alternation", "cycle", "landings of left and right feet, from half a stride apart", _alternation,
            _by_class((0.0, 0.06), (0.0, 0.06), None), "trotting animals 0.44 to 0.56 apart"),
    Measure("landings", "", "landings of a foot in a stride, of the foot that lands most often", _landings,
            _by_class((0.9, 1.1), (0.9, 1.1), (0.9, 1.1)), "once in a stride; the first and the last may be cut off"),
    Measure("limb phase", "cycle", "landing of a fore foot after that of the hind foot of its side", _limb_phase,
            _by_class((0.15, 0.42), (0.44, 0.56), None), "horses 0.20 to 0.25; diagonal couplets of newts later"),
    Measure("power", "W/kg", "positive power of all motors / mass", _power, _power_range,
            "mechanical power of animals of any size, by speed"),
    Measure("head pitch", "deg", "pitch of the head in a stride, peak to peak", head_pitch,
            _by_class((0.0, 20.0), (0.0, 20.0), (0.0, 20.0)), "horses"),
    Measure("tail lag", "cycle", "lag of the tail's yaw behind the trunk's", tail_lag,
            _by_class((0.0, 0.5), (0.0, 0.5), (0.0, 0.5)), "passive parts lag behind"),
)  # fmt: skip
"""The measures, in the order of the report."""
