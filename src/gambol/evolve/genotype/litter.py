"""A litter: many creatures of one structure, grown at once as one creature whose numbers are arrays.

To grow and check one creature takes milliseconds, as long as its life; a litter of hundreds takes no longer than some.
What it gives differs from what grown() gives by rounding only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.genotype.anatomy import links_of, muscles_of
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import Genotype, pattern_of
from gambol.evolve.genotype.growth import Grown, angles_of, grown, height_of, servos_of
from gambol.evolve.genotype.rows import body_numbers, topology, with_numbers
from gambol.evolve.genotype.servos import spring_of
from gambol.figure import Figure, JointSpring
from gambol.figure.measures import remeasured
from gambol.lanes import Scalar, leaves, rebuilt

if TYPE_CHECKING:
    from gambol.world import World

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Litter:
    """Creatures of one structure. All numbers are plain where all creatures share them, else arrays (W,).

    first: the first of them, grown by itself. count: how many, W. figure: one of arrays, see remeasured(). springs,
    servos: by the link whose joint they act on, servos as Actuator.numbers(). control: the numbers of the patterns.
    angles: the joints' coordinates at rest, by link [rad or m]; height: of the trunk's middle at the start [m].
    """

    first: Grown
    count: int
    figure: Figure
    springs: Mapping[str, JointSpring]
    servos: Mapping[str, Mapping[str, Scalar]]
    control: Any
    angles: Mapping[str, Scalar]
    height: Scalar

    @property
    def q(self) -> Array:
        """Coordinates (W, nq) where each begins: level above the origin, every joint at rest."""
        columns = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values())
        return np.stack([np.broadcast_to(x, self.count) for x in columns], axis=-1).astype(float)

    def numbers(self, world: World) -> dict[str, Any]:
        """What Engine.numbers() is told to change, of a world of the first of them.

        Raises WorldError for a measure that differs among them and that the world does not name as varied.
        """
        return {
            "measures": world.measures_of(self.figure),
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
    body = stacked([genotype.body for genotype in genotypes])
    figure = remeasured(first.figure, links_of(body))
    muscles = tuple(muscles_of(body))
    servos, angles = servos_of(figure, body, muscles), angles_of(muscles)
    return Litter(
        first,
        len(genotypes),
        figure,
        {m.link: spring_of(servos[m.link], m.unit) for m in muscles},
        servos,
        _control(genotypes),
        angles,
        height_of(figure, angles),
    )


def stacked(bodies: Sequence[Body]) -> Body:
    """One body of arrays (W,) of several of one structure; a number that all share stays one."""
    columns = np.array([body_numbers(body) for body in bodies]).T
    shared = (columns == columns[:, :1]).all(axis=1)
    return with_numbers(bodies[0], (float(row[0]) if same else row for row, same in zip(columns, shared, strict=True)))


def _control(genotypes: Sequence[Genotype]) -> Any:
    """The numbers of the patterns, as arrays."""
    numbers = [pattern_of(genotype).numbers() for genotype in genotypes]
    return rebuilt(numbers[0], iter(np.array([leaves(one) for one in numbers]).T))
