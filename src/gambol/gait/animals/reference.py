"""Measured gaits of some animals: medians over their strides, with the range where one is known.

Keys of the values are keys of the measures of `gambol measure` (gambol.gait.natural). Lengths are divided by the height
of the hip, forces by the weight. Values that were not measured are absent.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gambol.gait.animals.gaits import GALLOP, TROT, WALK

SPREAD = 1.6
"""Half width, as a factor, of the range of animals if no range is known: two standard deviations of the stride
frequency of walking mice, 2.7 +- 0.7 Hz, on a logarithmic scale.
"""

Range = tuple[float, float]


@dataclass(frozen=True)
class AnimalGait:
    """A gait of an animal.

    values: a median or a range (low, high), by measure. source: source of the values.
    """

    values: Mapping[str, float | Range]
    source: str

    def range_of(self, measure: str) -> Range | None:
        """Return the range of a measure, None if it is not known; for a median m it is from m / SPREAD to m SPREAD."""
        value = self.values.get(measure)
        return value if value is None or isinstance(value, tuple) else spread_of(value)


def spread_of(value: float, factor: float = SPREAD) -> Range:
    """Return the range around a value, from value / factor to value * factor; the value may have either sign."""
    low, high = sorted((value / factor, value * factor))
    return low, high


@dataclass(frozen=True)
class Animal:
    """An animal. mass [kg], None if it is not known; height: height of its hip [m]; gaits: by class, such as WALK."""

    mass: float | None
    height: float | None
    gaits: Mapping[str, AnimalGait]


CAPTURE = "medians and deciles of 65 strides of one dog"
MOUSE = "PMC4469368, figure 1"
HORSE = "trot: J. Exp. Biol. 209:455, Fr 0.5 to 1, PubMed 8467772; walk and canter: Clayton 1994"

ANIMALS: Mapping[str, Animal] = {
    "dog": Animal(
        None,
        0.385,
        {
            WALK: AnimalGait(
                {
                    "stride frequency": (1.18, 1.82),
                    "Froude number": 0.26,
                    "duty factor": (0.46, 0.60),
                    "swing time": 0.33,
                    "stride length": 2.1,
                    "bob": 0.052,
                    "sway": 0.086,
                    "trunk pitch": 6.2,
                    "foot lift": (0.14, 0.25),
                    "speed ripple": 0.49,
                    "trunk smoothness": -5.9,
                    "stride variation": (0.02, 0.09),
                },
                CAPTURE,
            ),
            TROT: AnimalGait(
                {
                    "stride frequency": (1.92, 2.09),
                    "Froude number": 1.01,
                    "duty factor": (0.36, 0.44),
                    "swing time": 0.32,
                    "stride length": 2.6,
                    "bob": 0.092,
                    "sway": 0.060,
                    "trunk pitch": 2.4,
                    "foot lift": (0.18, 0.27),
                    "speed ripple": 0.22,
                    "trunk smoothness": -5.4,
                },
                CAPTURE,
            ),
            GALLOP: AnimalGait(
                {
                    "stride frequency": (2.14, 2.40),
                    "Froude number": 3.09,
                    "duty factor": (0.27, 0.32),
                    "swing time": 0.33,
                    "stride length": 3.9,
                    "bob": 0.105,
                    "sway": 0.045,
                    "trunk pitch": 22.0,
                    "foot lift": (0.49, 0.53),
                    "speed ripple": 0.25,
                    "trunk smoothness": -3.3,
                    "stride variation": (0.02, 0.05),
                },
                CAPTURE,
            ),
        },
    ),
    "horse": Animal(
        500.0,
        1.4,
        {
            WALK: AnimalGait(
                {"stride frequency": (0.86, 0.94), "duty factor": (0.60, 0.65), "humps": (2.0, 2.0)}, HORSE
            ),
            TROT: AnimalGait(
                {
                    "stride frequency": (1.28, 1.39),
                    "Froude number": (0.5, 1.0),
                    "duty factor": (0.39, 0.47),
                    "stride length": (1.43, 1.66),
                    "humps": (1.0, 1.0),
                },
                HORSE,
            ),
            GALLOP: AnimalGait({"stride frequency": 1.59}, HORSE),
        },
    ),
    "mouse": Animal(
        0.03,
        None,
        {
            WALK: AnimalGait({"stride frequency": (2.0, 3.4)}, MOUSE),
            TROT: AnimalGait({"stride frequency": (4.9, 6.9)}, MOUSE),
            GALLOP: AnimalGait({"stride frequency": (9.1, 10.5)}, MOUSE),
        },
    ),
}
"""The animals by name."""
