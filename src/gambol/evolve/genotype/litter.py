"""A litter: many creatures of one structure, grown at once as one creature whose numbers are arrays.

To grow and check one creature takes milliseconds, longer than its life; a litter of hundreds takes as long as a dozen.
A creature's numbers are the same to the last bit in every litter, also in one of its own; from what grown() gives they
may differ by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.genotype.anatomy import links_of, muscles_of
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Control, Genotype, pattern_of
from gambol.evolve.genotype.growth import Grown, angles_of, grown, servos_of, stance_of
from gambol.evolve.genotype.rows import body_numbers, topology, with_numbers
from gambol.evolve.genotype.servos import spring_of
from gambol.figure import Figure, JointSpring
from gambol.figure.measures import remeasured
from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.world import World

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Litter:
    """Creatures of one structure. All numbers are plain where all creatures share them, else arrays (W,).

    first: the first of them, grown by itself. count: how many, W. figure: one of arrays, see remeasured(). springs,
    servos: by the link whose joint they act on, servos as Actuator.numbers(). control: the numbers of the patterns.
    angles: the joints' coordinates at rest, and units: see unit_of(), by link [rad or m]. height: of the trunk's middle
    at the start, and length: from the foremost to the hindmost point of their balls there [m].
    """

    first: Grown
    count: int
    figure: Figure
    springs: Mapping[str, JointSpring]
    servos: Mapping[str, Mapping[str, Scalar]]
    control: Any
    angles: Mapping[str, Scalar]
    units: Mapping[str, Scalar]
    height: Scalar
    length: Scalar

    @property
    def q(self) -> Array:
        """Coordinates (W, nq) where each begins: level above the origin, every joint at rest."""
        columns = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values())
        return np.stack([np.broadcast_to(x, self.count) for x in columns], axis=-1).astype(float)

    def of_same_body(self, genotypes: Sequence[Genotype]) -> Litter:
        """The litter of other genotypes, all with the body that all of these have."""
        driven = Genotype(genotypes[0].body, _stacked_control(genotypes))
        return replace(self, count=len(genotypes), control=pattern_of(driven).numbers())

    def numbers(self, world: World) -> dict[str, Any]:
        """What Engine.numbers() is told to change, of a world of the first of them.

        Raises WorldError for a measure that differs among them and that the world does not name as varied.
        """
        return {
            "measures": world.measures_of(self.figure) if world.varied or self.figure is not world.figure else {},
            "springs": {name: [{"damping": spring.damping}] for name, spring in self.springs.items()},
            "limits": {name: [[spring.lower, spring.upper]] for name, spring in self.springs.items()},
            "actuators": self.servos,
            "control": {"pattern": self.control},
        }


def litter_of(genotypes: Sequence[Genotype], first: Grown | None = None) -> Litter:
    """The creatures of genotypes of one structure, whose genes are within their bounds.

    first: the creature of the first genotype, if it has grown already; of others of this structure the figure does too.
    Raises EvolveError for genotypes of several structures and for none.
    """
    if not genotypes:
        raise EvolveError("a litter of no genotypes cannot grow; give at least one")
    if len({topology(genotype) for genotype in genotypes}) > 1:
        raise EvolveError("genotypes of different structures are no litter; sort them by topology()")
    first = first or grown(genotypes[0])
    body = _stacked_body(genotypes)
    figure = remeasured(first.figure, links_of(body))
    muscles = tuple(muscles_of(body))
    servos, angles = servos_of(figure, body, muscles), angles_of(muscles)
    return Litter(
        first,
        len(genotypes),
        figure,
        {m.link: spring_of(servos[m.link], m.unit) for m in muscles},
        servos,
        pattern_of(Genotype(body, _stacked_control(genotypes))).numbers(),
        angles,
        {m.link: m.unit for m in muscles},
        *stance_of(figure, angles),
    )


def _stacked_body(genotypes: Sequence[Genotype]) -> Body:
    """The body of arrays (W,) of several of one structure; a number that all share stays one."""
    return with_numbers(genotypes[0].body, _columns([body_numbers(one.body) for one in genotypes]))


def _stacked_control(genotypes: Sequence[Genotype]) -> Control:
    """The control of arrays (W,) of several of one structure; a value that all share stays one."""
    control = genotypes[0].control
    values = _columns([one.control.values for one in genotypes])
    shifts = _columns([one.control.shifts for one in genotypes])
    return replace(control, values=tuple(values), shifts=tuple(shifts))


def _columns(rows: Sequence[Sequence[float]]) -> Iterator[Scalar]:
    """The columns of rows of numbers; a plain number where all rows have the same."""
    columns = np.array(rows, dtype=float).T
    shared = (columns == columns[:, :1]).all(axis=1)
    return (float(column[0]) if same else column for column, same in zip(columns, shared, strict=True))
