"""Noise, delay, rate and cutoff of sensors: readings from measurements in this control step and in earlier ones.

    y(t) = x(t - delay)        x(k h) = clamp(measured, cutoff) + noise, or x((k - 1) h) between measurements

Past readings are stored in the memory of a world, as in a delay line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gambol.control.delay import DelayLine
from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, floor, where
from gambol.sensing import Sensor
from gambol.sensing.noise import normal_numbers

MAX_SEED = 4093**2 - 1
"""Maximum seed of a sensor: noise is exact in single precision up to it."""

RATE_TOLERANCE = 1e-6
"""Relative difference of rates below which they are the same: above rounding."""


@dataclass(frozen=True, slots=True)
class SensorMemory:
    """The memory of the sensors of a world between control steps.

    world: index of the world in start(), on which its noise depends. samples: the last values of each reading, the
    newest first, by name of the sensor; then a list of one value for each that the sensor remembers.
    """

    world: Scalar
    samples: Mapping[str, Sequence[Sequence[Scalar]]]


def is_sampled(sensor: Sensor) -> bool:
    """Return True if the memory of a world stores readings of a sensor.

    It does for a noise, a delay or a rate, and for a sensor that remembers values.
    """
    return _has_noise(sensor) or sensor.delay > 0.0 or sensor.rate is not None or sensor.remembered > 0


def _has_noise(sensor: Sensor) -> bool:
    return any(noise_of(sensor))


def noise_of(sensor: Sensor) -> tuple[float, ...]:
    """Return the standard deviation of the noise of each reading."""
    count = len(sensor.readings)
    return sensor.noise if isinstance(sensor.noise, tuple) else (float(sensor.noise),) * count


def steps_between(sensor: Sensor, control_step: float) -> int:
    """Return the number of control steps between two measurements of a sensor; control_step: length of one [s]."""
    return 1 if sensor.rate is None else round(1.0 / (sensor.rate * control_step))


def sampling_numbers(sensor: Sensor) -> dict[str, Any]:
    """Return noise, seed and delay as inputs of a program, which may differ between worlds.

    Delays may only be shortened.
    """
    noise = {"noise": list(noise_of(sensor)), "seed": float(sensor.seed)} if _has_noise(sensor) else {}
    return noise | ({"delay": sensor.delay} if sensor.delay > 0.0 else {})


def sampling_structure(sensor: Sensor) -> tuple[Any, ...]:
    """Return the properties of the sampling that are compiled into a program; empty for a sensor without sampling."""
    if not is_sampled(sensor) and sensor.cutoff == math.inf:
        return ()
    return _has_noise(sensor), sensor.delay, sensor.rate, sensor.cutoff


def sensor_memory(sensors: Mapping[str, Sensor], control_step: float) -> SensorMemory | None:
    """Return the memory of sensors before the first control step [s]; None if no sensor has samples."""
    sampled = {name: sensor for name, sensor in sensors.items() if is_sampled(sensor)}
    if not sampled:
        return None
    lines = {name: DelayLine(x.delay, control_step) for name, x in sampled.items()}
    remembered = {name: [[0.0]] * x.remembered for name, x in sampled.items()}
    rows = {name: [lines[name].memory() for _ in x.readings] for name, x in sampled.items()}
    return SensorMemory(0.0, {name: row + remembered[name] for name, row in rows.items()})


@dataclass(frozen=True, slots=True)
class Sampling:
    """The sampling of one sensor of a world.

    numbers: numbers in the structure of sampling_numbers(). control_step: length of the world's control steps [s].
    """

    name: str
    sensor: Sensor
    numbers: Mapping[str, Any]
    control_step: float

    @property
    def line(self) -> DelayLine:
        """The delay line of each reading."""
        return DelayLine(self.sensor.delay, self.control_step)

    def limited(self, readings: Sequence[Scalar]) -> list[Scalar]:
        """Return readings within the cutoff."""
        cutoff = self.sensor.cutoff
        return list(readings) if cutoff == math.inf else [clamp(x, -cutoff, cutoff) for x in readings]

    def pushed(
        self,
        samples: Sequence[Sequence[Scalar]],
        readings: Sequence[Scalar],
        remembered: Sequence[Scalar],
        world: Scalar,
        step: Scalar,
    ) -> list[list[Scalar]]:
        """Return the samples as a control step begins.

        samples: samples of the previous control step. readings: present measurements. remembered: values that the
        sensor remembers of them. world: number of the world. step: number of the control step.
        """
        values = self.limited(readings)
        if "noise" in self.numbers:
            draws = normal_numbers(len(values), self.name, self.numbers["seed"], world, step)
            rows = zip(values, self.numbers["noise"], draws, strict=True)
            values = [x + deviation * draw for x, deviation, draw in rows]
        between, is_first = float(steps_between(self.sensor, self.control_step)), step < 0.5
        if between > 1.0:
            is_due = step - between * floor((step + 0.5) / between) < 0.5
            values = [where(is_due, x, old[0]) for x, old in zip(values, samples, strict=False)]
            remembered = [where(is_due, x, old[0]) for x, old in zip(remembered, samples[len(values) :], strict=True)]
        rows = zip(values, samples, strict=False)
        return [self.line.pushed(old, x, self.control_step, is_first) for x, old in rows] + [[x] for x in remembered]

    def last(self, samples: Sequence[Sequence[Scalar]], step: Scalar) -> dict[str, Any]:
        """Return what the sensor remembers of its last measurement, see Sensor.remember(); empty if nothing.

        samples: samples of the previous control step; empty before the first. step: number of the control step.
        """
        if not self.sensor.remembered:
            return {}
        values = [row[0] for row in samples[len(self.sensor.readings) :]] or [0.0] * self.sensor.remembered
        since = steps_between(self.sensor, self.control_step) * self.control_step
        return {"last": values, "since": since, "is_first": step < 0.5 if samples else True}

    def read(self, samples: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        """Return the readings: the values one delay ago, interpolated linearly between samples."""
        delay = self.numbers.get("delay", 0.0)
        return [self.line.read(row, delay) for row in samples[: len(self.sensor.readings)]]


def check_sampling(name: str, sensor: Sensor, control_step: float) -> None:
    """Raise WorldError for invalid noise, seeds, delays, rates and cutoffs of a sensor.

    name: name of the sensor, for messages. control_step: control step of the world [s].
    """
    label, deviations = f'the sensor "{name}"', noise_of(sensor)
    if len(deviations) != len(sensor.readings) or not all(0.0 <= x < math.inf for x in deviations):
        raise WorldError(
            f"{label} has the noise {sensor.noise}; give 0 or more, or {len(sensor.readings)} such numbers"
        )
    if not 0 <= sensor.seed <= MAX_SEED or sensor.seed != int(sensor.seed):
        raise WorldError(f"{label} has the seed {sensor.seed}; give a whole number from 0 to {MAX_SEED}")
    try:
        DelayLine(sensor.delay, control_step)
    except WorldError as error:
        raise WorldError(f"{label}: {error}") from error
    if not sensor.cutoff > 0.0:
        raise WorldError(f"{label} has a cutoff of {sensor.cutoff}; give more than 0")
    if sensor.rate is None:
        return
    highest = 1.0 / control_step
    between = max(round(highest / sensor.rate), 1) if 0.0 < sensor.rate < math.inf else 0
    if not between or abs(highest / between - sensor.rate) > RATE_TOLERANCE * sensor.rate:
        raise WorldError(
            f"{label} cannot measure {sensor.rate:g} times per second: there are {highest:g} control steps per second, "
            f"and measurements are held for a whole number of them; {highest / max(between, 1):g} is possible"
        )
