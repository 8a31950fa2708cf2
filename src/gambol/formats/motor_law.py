"""The force law of a general motor of MJCF, as data: activation dynamics, gain and bias.

    force = gain(length, velocity) w + bias(length, velocity)       w: activation, or the command without dynamics

[MuJoCo documentation, "Computation", actuation model]
"""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gambol.errors import FigureError

Dynamics: TypeAlias = Literal["none", "integrator", "filter", "filterexact", "muscle"]
Gain: TypeAlias = Literal["fixed", "affine", "muscle"]
Bias: TypeAlias = Literal["none", "affine", "muscle"]

MUSCLE_PARAMETERS = ("range0", "range1", "force", "lmin", "lmax", "vmax", "fpmax", "fvmax")
"""Parameters of a muscle, as MuJoCo names them: its range in optimal lengths, peak force [N], and its curves."""


@dataclass(frozen=True, slots=True)
class MotorLaw:
    """Activation dynamics, gain and bias of a motor, with MuJoCo's parameters.

    dynamics, gain, bias: their kinds. time_constants: time constants of the dynamics [s]; for a muscle: activation,
    deactivation, and the width of the smooth change between them. gain_parameters, bias_parameters: a, b, c of a + b
    length + c velocity for the kind affine; MUSCLE_PARAMETERS for muscles. shortest, longest: lengths of the actuator
    at the ends of its range, for muscles. lowest, highest: limits of the activation; infinite for none.
    """

    dynamics: Dynamics = "none"
    gain: Gain = "fixed"
    bias: Bias = "none"
    time_constants: tuple[float, ...] = ()
    gain_parameters: tuple[float, ...] = (1.0,)
    bias_parameters: tuple[float, ...] = ()
    shortest: float = 0.0
    longest: float = 0.0
    lowest: float = -math.inf
    highest: float = math.inf

    def __post_init__(self) -> None:
        expected = {
            "time_constants": {"none": 0, "integrator": 0, "filter": 1, "filterexact": 1, "muscle": 3}[self.dynamics],
            "gain_parameters": {"fixed": 1, "affine": 3, "muscle": len(MUSCLE_PARAMETERS)}[self.gain],
            "bias_parameters": {"none": 0, "affine": 3, "muscle": len(MUSCLE_PARAMETERS)}[self.bias],
        }
        for name, count in expected.items():
            numbers = getattr(self, name)
            if len(numbers) != count or not all(map(math.isfinite, numbers)):
                raise FigureError(f"a motor's {name} are {numbers}; give {count} finite numbers")
        if min(self.time_constants, default=0.0) < 0.0:
            raise FigureError(f"a motor's time constants are {self.time_constants} s; give 0 or more")
        if "muscle" in (self.gain, self.bias):
            range_ends = self.gain_parameters[:2] if self.gain == "muscle" else self.bias_parameters[:2]
            if not self.shortest < self.longest or not range_ends[0] < range_ends[1]:
                lengths = f"from {self.shortest} to {self.longest} m, its range from {range_ends[0]} to {range_ends[1]}"
                raise FigureError(f"a muscle's lengths go {lengths}; the second must be larger")

    @property
    def is_muscle(self) -> bool:
        """True if its gain is that of a muscle."""
        return self.gain == "muscle"
