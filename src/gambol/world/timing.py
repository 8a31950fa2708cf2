"""The time steps of a world, and its method of integration."""

import math
from dataclasses import dataclass

from gambol.errors import WorldError, did_you_mean
from gambol.integrate import ALIASES, INTEGRATORS, Integrator, integrator
from gambol.lanes import Precision
from gambol.world.former_names import refusing_former_names

TIME_TOLERANCE = 1e-5
"""Fraction of a control step below which times count as equal: far above rounding, in single precision too."""

MIN_PUSH_STEPS = 1e-3
"""Minimum duration of a push, as a fraction of a control step. The errors of its start and its end, up to 2
TIME_TOLERANCE each, are then at most 4 % of the duration."""

MIN_PUSH_ROUNDINGS = 100.0
"""Minimum duration of a push, in units of the rounding of its times: its impulse is then accurate to 1 %."""

MIN_TOLERANCE = {"float64": 1e-12, "float32": 1e-5}
"""Minimum tolerance of integration, due to rounding: some hundred times the spacing of numbers near 1."""


@refusing_former_names
@dataclass(frozen=True, slots=True)
class Timing:
    """Time steps and the method of integration.

    control_step: time between two decisions of the controller [s]. step: length of the first step, or of all steps if
    they are fixed [s]. method: name of an integrator, or "rkf" or "euler" for the thesis' methods. tolerance: maximum
    estimated error of a step, in sizes of the figure for lengths, in radians for angles, and in these units per control
    step for velocities. min_step: a world stops when its step falls below this [s].
    """

    control_step: float = 1.0 / 2400.0
    step: float = 1.0 / 30000.0
    method: str = "rkf"
    tolerance: float = 1e-3
    min_step: float = 1e-9

    @property
    def resolution(self) -> float:
        """Difference below which times count as equal [s]."""
        return TIME_TOLERANCE * self.control_step

    @property
    def integrator(self) -> Integrator:
        """The integrator of this method."""
        return integrator(self.method)


def check_timing(timing: Timing) -> None:
    """Raise WorldError for an unknown integrator and for times that are not positive and finite."""
    if timing.method not in (*INTEGRATORS, *ALIASES):
        advice = did_you_mean(timing.method, [*INTEGRATORS, *ALIASES])
        raise WorldError(f'integration method "{timing.method}" is unknown; {advice}')
    for name in ("control_step", "step", "tolerance", "min_step"):
        value = getattr(timing, name)
        if not 0.0 < value < math.inf:
            raise WorldError(f"the timing's {name} is {value}; it must be more than 0, and finite")


def check_tolerance(timing: Timing, precision: Precision) -> None:
    """Raise WorldError for a tolerance that steps with error control cannot meet in a precision."""
    least = MIN_TOLERANCE[precision]
    if timing.integrator.adaptive and timing.tolerance < least:
        raise WorldError(
            f"a tolerance of {timing.tolerance:g} cannot be reached in {precision}; give {least:g} or more"
            + (", or float64" if precision == "float32" else "")
        )
