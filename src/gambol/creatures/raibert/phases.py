"""The state machine of a running machine that stands on one (virtual) leg at a time. [Raibert 1986, chapter 2]

    flight -> loading      the foot touches the ground
    loading -> compression the leg is shortened by more than the threshold
    compression -> thrust  the leg begins to lengthen
    thrust -> unloading    the leg is shortened by less than the threshold
    unloading -> flight    the foot leaves the ground; the next leg becomes active

If a foot loses contact while loading, the phase returns to flight. Phases are numbers, so that they can be traced.
"""

from typing import Any

from gambol.lanes import Scalar, where

FLIGHT, LOADING, COMPRESSION, THRUST, UNLOADING = 0.0, 1.0, 2.0, 3.0, 4.0
PHASES = ("flight", "loading", "compression", "thrust", "unloading")
"""Names of the phases, by number."""


def next_phase(phase: Scalar, touching: Scalar, compression: Scalar, rate: Scalar, threshold: Scalar) -> Scalar:
    """Return the phase after an observation.

    touching: True if a foot of the active leg touches the ground. compression: rest length of the leg less its length
    [m]; rate: rate of the compression [m/s]. threshold: compression at which loading ends and unloading begins [m].
    """
    loaded = compression > threshold
    after_loading = where(loaded, COMPRESSION, where(touching, LOADING, FLIGHT))
    after_compression = where(loaded, where(rate < 0.0, THRUST, COMPRESSION), UNLOADING)
    after_thrust = where(loaded, THRUST, UNLOADING)
    after_unloading = where(touching, UNLOADING, FLIGHT)
    return where(
        phase < 0.5,
        where(touching, LOADING, FLIGHT),
        where(
            phase < 1.5,
            after_loading,
            where(phase < 2.5, after_compression, where(phase < 3.5, after_thrust, after_unloading)),
        ),
    )


def is_phase(phase: Scalar, *phases: float) -> Any:
    """Return True where the phase is one of some consecutive phases, given in ascending order."""
    return (phase > phases[0] - 0.5) & (phase < phases[-1] + 0.5)
