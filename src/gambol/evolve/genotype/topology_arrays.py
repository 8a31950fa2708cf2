"""Arrays of one topology: many creatures of one topology, grown at once as one creature whose numbers are arrays.

Growing and checking one creature takes milliseconds, longer than its rollout; hundreds in arrays take as long as a
dozen. A creature's numbers are the same to the last bit in all such arrays, also alone; those of grow() may differ by
rounding.
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
from gambol.evolve.genotype.growth import Phenotype, grow, rest_angles, servos_of, stance_of
from gambol.evolve.genotype.rows import body_numbers, topology, with_numbers
from gambol.evolve.genotype.servos import spring_of
from gambol.figure import Figure, JointSpring
from gambol.figure.parameters import with_parameters
from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.world import World

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TopologyArrays:
    """Creatures of one topology. Numbers that all creatures share are plain, all others arrays (W,).

    first: the first of them, grown by itself. count: how many, W. figure: one of arrays, see with_parameters().
    springs, servos: by the link whose joint they act on, servos as Actuator.numbers(). control: the numbers of the
    patterns. angles: the joints' rest coordinates, and units: see unit_of(), by link [rad or m]. height: of the trunk's
    middle at the start, and length: from the foremost to the hindmost point of their balls there [m].
    """

    first: Phenotype
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
        """The initial coordinates (W, nq): level above the origin, every joint at rest."""
        columns = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values())
        return np.stack([np.broadcast_to(x, self.count) for x in columns], axis=-1).astype(float)

    def with_controls(self, genotypes: Sequence[Genotype]) -> TopologyArrays:
        """Return the arrays of other genotypes with the same body as all of these."""
        driven = Genotype(genotypes[0].body, _stacked_control(genotypes))
        return replace(self, count=len(genotypes), control=pattern_of(driven).numbers())

    def numbers(self, world: World) -> dict[str, Any]:
        """Return the changes for Engine.numbers(), for a world of the first of them.

        Raises WorldError for a parameter that differs among them and that the world does not name.
        """
        return {
            "parameters": world.parameters_of(self.figure)
            if world.parameters or self.figure is not world.figure
            else {},
            "springs": {name: [{"damping": spring.damping}] for name, spring in self.springs.items()},
            "limits": {name: [[spring.lower, spring.upper]] for name, spring in self.springs.items()},
            "actuators": self.servos,
            "control": {"pattern": self.control},
        }


def topology_arrays(genotypes: Sequence[Genotype], first: Phenotype | None = None) -> TopologyArrays:
    """Return the creatures of genotypes of one topology, whose genes are within their bounds.

    genotypes: at least one. first: the phenotype of the first, if it is there already; of others of this topology the
    figure does, too. Raises EvolveError for genotypes of several topologies and for none.
    """
    if not genotypes:
        raise EvolveError("there are no genotypes; give at least one")
    if len({topology(genotype) for genotype in genotypes}) > 1:
        raise EvolveError("genotypes of different topologies cannot share arrays; group them by topology()")
    first = first or grow(genotypes[0])
    body = _stacked_body(genotypes)
    figure = with_parameters(first.figure, links_of(body))
    muscles = tuple(muscles_of(body))
    servos, angles = servos_of(figure, body, muscles), rest_angles(muscles)
    return TopologyArrays(
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
    """Return the body of arrays (W,) of several of one topology; a number that all share stays one."""
    return with_numbers(genotypes[0].body, _columns([body_numbers(genotype.body) for genotype in genotypes]))


def _stacked_control(genotypes: Sequence[Genotype]) -> Control:
    """Return the control of arrays (W,) of several of one topology; a value that all share stays one."""
    control = genotypes[0].control
    values = _columns([genotype.control.values for genotype in genotypes])
    shifts = _columns([genotype.control.shifts for genotype in genotypes])
    return replace(control, values=tuple(values), shifts=tuple(shifts))


def _columns(rows: Sequence[Sequence[float]]) -> Iterator[Scalar]:
    """Return the columns of rows of numbers; a plain number where all rows have the same."""
    columns = np.array(rows, dtype=float).T
    shared = (columns == columns[:, :1]).all(axis=1)
    return (float(column[0]) if same else column for column, same in zip(columns, shared, strict=True))
