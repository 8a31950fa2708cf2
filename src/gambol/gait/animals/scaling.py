"""Scaling laws of the walks of animals with mass, speed and leg length.

A law is y = c M^p, with the mass M in kg. The numbers are from the papers that each row names.
"""

from dataclasses import dataclass

from gambol.dynamics import STANDARD_GRAVITY


@dataclass(frozen=True, slots=True)
class ScalingLaw:
    """A power law of the mass. unit: unit of its values; source: source of its numbers."""

    coefficient: float
    exponent: float
    unit: str
    source: str

    def __call__(self, mass: float) -> float:
        """Return its value at a mass [kg]."""
        return self.coefficient * mass**self.exponent


PREFERRED = "Scientific Reports 6, 28825 (2016), figure 2"
HEGLUND = "Heglund, Taylor and McMahon 1974, as others quote it"
TAYLOR = "Taylor, Heglund and Maloiy 1982"
MORE = "More and Donelan 2018: the exponent; the coefficient: 10 ms of a shrew of 5 g, 180 ms of an elephant of 5 t"

SCALING = {
    "walk frequency": ScalingLaw(1.62, -0.15, "Hz", PREFERRED),
    "walk duty factor": ScalingLaw(0.62, 0.02, "", PREFERRED),
    "walk stance time": ScalingLaw(0.38, 0.17, "s", PREFERRED),
    "walk swing time": ScalingLaw(0.25, 0.11, "s", PREFERRED),
    "trot-gallop frequency": ScalingLaw(4.48, -0.14, "Hz", HEGLUND),
    "trot-gallop speed": ScalingLaw(1.53, 0.24, "m/s", HEGLUND),
    "metabolic power per speed": ScalingLaw(10.7, -0.316, "J/(kg m)", TAYLOR),
    "metabolic power at rest": ScalingLaw(6.03, -0.303, "W/kg", TAYLOR),
    "reflex delay": ScalingLaw(0.030, 0.21, "s", MORE),
}
"""Laws of mammals by name: "walk" is at the preferred speed, "trot-gallop" is at the change from trot to gallop."""


def mechanical_power(speed: float) -> float:
    """Return the mechanical power of limbs and body per mass, of animals of any size [W/kg].

    speed [m/s]. [Heglund, Fedak, Taylor and Cavagna 1982, part IV]
    """
    return 0.478 * speed**1.53 + 0.685 * speed + 0.072


def froude_number(speed: float, height: float, gravity: float = STANDARD_GRAVITY) -> float:
    """Return v^2 / (g h). speed [m/s]; height: height of the hip [m]; gravity [m/s2]."""
    return speed * speed / (gravity * height)


def stride_length_ratio(froude: float) -> float:
    """Return the length of a stride, as a multiple of the height of the hip: 2.3 Fr^0.3. [Alexander 1976]"""
    return 2.3 * froude**0.3
