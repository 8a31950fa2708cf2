"""Pace: the position of a point along a curve at each time, with speed and acceleration.

    ease:  the speed rises linearly for a fraction a of the time, is constant, and falls linearly for a fraction b
           v_0 = 1 / (1 - a / 2 - b / 2)        s = v_0 t^2 / (2 a),  v_0 (t - a / 2),  1 - v_0 (1 - t)^2 / (2 b)

s and t are fractions of the length and of the duration. [Parent 2012, section 3.3.3: constant acceleration]
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError
from gambol.spatial import Curve

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Ease:
    """Constant acceleration, constant speed, constant deceleration.

    ease_in, ease_out: fractions of the time, with a sum of at most 1; 0 for none. Raises GambolError for invalid
    fractions.
    """

    ease_in: float = 0.25
    ease_out: float = 0.25

    def __post_init__(self) -> None:
        if not (self.ease_in >= 0.0 and self.ease_out >= 0.0 and self.ease_in + self.ease_out <= 1.0):
            raise GambolError(
                f"an ease has the fractions {self.ease_in:g} and {self.ease_out:g}; give two numbers from 0 to 1 "
                "whose sum is at most 1"
            )

    def motion(self, t: Array) -> tuple[Array, Array, Array]:
        """Return s, ds/dt and d2s/dt2 at fractions t of the time."""
        a, b = self.ease_in, self.ease_out
        v, t = 1.0 / (1.0 - 0.5 * (a + b)), np.clip(t, 0.0, 1.0)
        rising, falling = t < a, t > 1.0 - b
        safe_a, safe_b = a or 1.0, b or 1.0
        s = np.where(rising, v * t * t / (2.0 * safe_a), v * (t - 0.5 * a))
        s = np.where(falling, 1.0 - v * (1.0 - t) ** 2 / (2.0 * safe_b), s)
        speed = np.where(rising, v * t / safe_a, np.where(falling, v * (1.0 - t) / safe_b, v))
        return s, speed, np.where(rising, v / safe_a, np.where(falling, -v / safe_b, 0.0))


@dataclass(frozen=True)
class SineEase:
    """A pace without jumps of acceleration from rest to rest: s = t - sin(2 pi t) / (2 pi). [Cycloidal motion]"""

    def motion(self, t: Array) -> tuple[Array, Array, Array]:
        """Return s, ds/dt and d2s/dt2 at fractions t of the time."""
        x = 2.0 * np.pi * np.clip(t, 0.0, 1.0)
        return (x - np.sin(x)) / (2.0 * np.pi), 1.0 - np.cos(x), 2.0 * np.pi * np.sin(x)


@dataclass(frozen=True)
class SpeedProfile:
    """A pace given by speeds at times; between them the speed follows a monotone cubic (no overshoot).

    times (n): increasing times. speeds (n): 0 or more. Only their ratios matter, since a paced curve has a given
    duration and length. Raises GambolError for invalid times or speeds.
    """

    times: ArrayLike
    speeds: ArrayLike

    def __post_init__(self) -> None:
        t, v = np.asarray(self.times, float), np.asarray(self.speeds, float)
        if t.ndim != 1 or t.shape != v.shape or len(t) < 2 or not (np.diff(t) > 0.0).all():
            raise GambolError("a speed profile takes two or more increasing times, and as many speeds")
        if not ((v >= 0.0).all() and v.any() and np.isfinite(v).all()):
            raise GambolError("a speed profile has speeds that are negative, or all 0; give 0 or more")

    def motion(self, t: Array) -> tuple[Array, Array, Array]:
        """Return s, ds/dt and d2s/dt2 at fractions t of the time."""
        from scipy.interpolate import PchipInterpolator  # pyright: ignore[reportMissingTypeStubs]

        times = np.asarray(self.times, float)
        span = times[-1] - times[0]
        speed: Any = PchipInterpolator((times - times[0]) / span, np.asarray(self.speeds, float))
        distance = speed.antiderivative()
        whole, t = float(distance(1.0)), np.clip(t, 0.0, 1.0)
        return distance(t) / whole, speed(t) / whole, speed.derivative()(t) / whole


Pace = Ease | SineEase | SpeedProfile
"""The position of a point along a curve over time."""


@dataclass(frozen=True)
class PacedCurve:
    """A curve that a point follows from its start to its end at a pace.

    duration [s]. start: time at which it begins [s]; before, the point rests at the start, and afterwards at the end.
    Raises GambolError for a duration that is not positive.
    """

    curve: Curve
    duration: float
    pace: Pace = Ease()
    start: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.duration < np.inf:
            raise GambolError(f"a paced curve has a duration of {self.duration:g} s; give a positive one")

    def motion(self, times: ArrayLike) -> tuple[Array, Array, Array]:
        """Return position [m], velocity [m/s] and acceleration [m/s2] at times (n) [s]: (n, 3) each."""
        t = (np.asarray(times, float) - self.start) / self.duration
        moving = ((t >= 0.0) & (t <= 1.0)).astype(float)[..., None]
        s, speed, acceleration = (
            (x * self.curve.length / self.duration**k)[..., None] for k, x in enumerate(self.pace.motion(t))
        )
        position, tangent, curvature = self.curve.frame(s[..., 0])
        return position, moving * speed * tangent, moving * (acceleration * tangent + speed**2 * curvature)

    def position(self, times: ArrayLike) -> Array:
        """Return the position at times (n) [s]: (n, 3) [m]."""
        return self.motion(times)[0]
