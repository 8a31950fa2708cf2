"""The report of a creature's measures, compared with animals of its mass, or with one animal."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from gambol.creatures.natural.steady_gait import steady_gait
from gambol.errors import GambolError, did_you_mean
from gambol.gait.animals import ANIMALS, AnimalGait
from gambol.gait.natural import MEASURES, Measure, SteadyGait, class_of
from gambol.world import Film


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A measure, compared with animals.

    value: NaN if the creature does not have this measure; low, high: range of animals, NaN if not known.
    """

    measure: str
    unit: str
    meaning: str
    value: float
    low: float
    high: float
    source: str

    @property
    def applies(self) -> bool:
        """True if there is a value, and a range to compare it with."""
        return math.isfinite(self.value) and not math.isnan(self.low)

    @property
    def within(self) -> bool:
        """True if the value is in the range of animals."""
        return self.applies and self.low <= self.value <= self.high


@dataclass(frozen=True)
class NaturalReport:
    """Measures of a creature, compared with animals.

    name: name of the film; beside: the animal, or "animals of its mass". gait: WALK, TROT or GALLOP. mass [kg], height
    [m], speed [m/s], strides: mass, height, speed and number of strides of the creature.
    """

    name: str
    beside: str
    gait: str
    mass: float
    height: float
    speed: float
    strides: int
    rows: tuple[ReportRow, ...]

    @property
    def applicable(self) -> int:
        """The number of measures that can be compared."""
        return sum(row.applies for row in self.rows)

    @property
    def within(self) -> int:
        """The number of measures in the range of animals."""
        return sum(row.within for row in self.rows)

    def as_data(self) -> dict[str, Any]:
        """Return the report as plain data; numbers that are not finite are None."""
        head = {"name": self.name, "beside": self.beside, "gait": self.gait, "mass_kg": self.mass}
        head |= {"height_m": self.height, "speed_m_per_s": self.speed, "strides": self.strides}
        rows = [_finite(asdict(row)) | {"applies": row.applies, "within": row.within} for row in self.rows]
        return {**head, "applicable": self.applicable, "within": self.within, "measures": rows}


def _finite(data: dict[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(x, float) and not math.isfinite(x) else x for k, x in data.items()}


def natural_report(film: Film, *, beside: str = "", world: int = 0) -> NaturalReport:
    """Return the measures of a walk, compared with animals.

    film: film of a walk over level ground, see steady_gait(); for a film by run(..., contacts=True), braking and
    driving are also measured. beside: name of an animal, see gambol.gait.animals.ANIMALS; empty for animals of the
    creature's mass. If no value of this animal is known, the range for animals of the mass is used. world: index of the
    world. Raises GambolError for an unknown animal, and as steady_gait() does.
    """
    if beside and beside not in ANIMALS:
        raise GambolError(f'no measures of "{beside}" are known; {did_you_mean(beside, ANIMALS)}')
    gait = steady_gait(film, world)
    kind = class_of(gait)
    animal = ANIMALS[beside].gaits.get(kind) if beside else None
    rows = tuple(_row(measure, gait, kind, animal, beside) for measure in MEASURES)
    return NaturalReport(
        film.name, beside or "animals of its mass", kind, gait.mass, gait.height, gait.speed, gait.strides, rows
    )


def _row(measure: Measure, gait: SteadyGait, kind: str, animal: AnimalGait | None, name: str) -> ReportRow:
    """Return the row of a measure. animal: None for animals of the mass. name: name of the animal."""
    known = animal.range_of(measure.name) if animal else None
    expected, source = measure.expected(gait, kind), measure.source
    if known is not None and animal is not None:
        expected, source = known, f"{name}: {animal.source}"
    low, high = expected or (math.nan, math.nan)
    return ReportRow(measure.name, measure.unit, measure.meaning, measure.value(gait), low, high, source)
