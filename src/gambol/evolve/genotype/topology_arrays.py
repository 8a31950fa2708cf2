"""Arrays of one topology: many creatures, grown together as one creature with arrays as numbers.

Growing one creature takes milliseconds, longer than its rollout; growing hundreds in arrays takes as long as growing a
dozen one by one. To the last bit, a creature's numbers are independent of the other creatures in the arrays; they may
differ from those of grow() by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.genotype.anatomy import links_of, placed_freedoms
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.genotype import (
    BODY_CONTROLS,
    Control,
    Genotype,
    body_numbers,
    pattern_of,
    topology,
    with_numbers,
)
from gambol.evolve.genotype.growth import Phenotype, grow, rest_angles, servos_of, springs_of, stance_of
from gambol.evolve.genotype.muscle_mass import with_muscle_mass
from gambol.figure import Figure, JointSpring
from gambol.figure.parameters import with_parameters
from gambol.lanes import Scalar, leaves
from gambol.lanes.tree import unflatten

if TYPE_CHECKING:
    from gambol.world import World

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TopologyArrays:
    """Creatures of one topology. A number that all creatures share is a float, any other number is an array (W,).

    first: any phenotype of this topology. count: W. figure: a figure with arrays as numbers, see with_parameters().
    springs, servos: springs and servos by the name of the link with their joint; servos in the form of Servo.numbers().
    control: numbers of the patterns. angles: rest coordinates of joints; units: see unit_of(); both by link [rad or m].
    height: initial height of the trunk's centre [m]. length: distance from the foremost to the hindmost point of the
    balls at rest [m].
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
        return np.stack([np.broadcast_to(x, self.count) for x in self.coordinates], axis=-1).astype(float)

    @property
    def coordinates(self) -> list[Scalar]:
        """The initial coordinates, each a number or an array (W,)."""
        return [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.height, *self.angles.values()]

    def with_controls(self, genotypes: Sequence[Genotype]) -> TopologyArrays:
        """Return the arrays of other genotypes, all with the body that these creatures share."""
        stacked = Genotype(genotypes[0].body, _stacked_control(genotypes))
        return replace(self, count=len(genotypes), control=pattern_of(stacked).numbers())

    def numbers(self, world: World) -> dict[str, Any]:
        """Return the keyword arguments of Engine.numbers() for a world of the creature `first`.

        Raises WorldError if creatures differ in a parameter that is not among world.parameters.
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
    """Return the creatures of genotypes of one topology. Genes must be within their bounds.

    genotypes: one genotype or more. first: any phenotype of this topology; None: the first genotype is grown, which
    takes milliseconds. Raises EvolveError for an empty list and for genotypes of several topologies.
    """
    if not genotypes:
        raise EvolveError("there are no genotypes; give at least one")
    if len({topology(genotype) for genotype in genotypes}) > 1:
        raise EvolveError("genotypes of different topologies cannot share arrays; group them by topology()")
    body = with_muscle_mass(_stacked_body(genotypes))
    return _arrays(first or grow(genotypes[0]), len(genotypes), body, _pattern_numbers(genotypes, body))


def arrays_of_one(genotype: Genotype, first: Phenotype) -> TopologyArrays:
    """Return the numbers of one creature, whose genes may be traced. first: any phenotype of its topology."""
    return _arrays(first, 1, with_muscle_mass(genotype.body), pattern_of(genotype).numbers())


def _arrays(first: Phenotype, count: int, body: Body, control: Any) -> TopologyArrays:
    """Return the arrays of `count` creatures. body: with the mass of its muscles; control: numbers of the pattern."""
    figure = with_parameters(first.figure, links_of(body))
    freedoms = tuple(placed_freedoms(body))
    servos, angles = servos_of(figure, body, freedoms), rest_angles(freedoms)
    return TopologyArrays(
        first,
        count,
        figure,
        springs_of(figure, freedoms, servos),
        servos,
        control,
        angles,
        {p.link: p.unit for p in freedoms},
        *stance_of(figure, angles),
    )


def _stacked_body(genotypes: Sequence[Genotype]) -> Body:
    """Return one body with the numbers of several as arrays (W,); a number that all share stays a float."""
    return with_numbers(genotypes[0].body, _columns([body_numbers(genotype.body) for genotype in genotypes]))


def _pattern_numbers(genotypes: Sequence[Genotype], body: Body) -> Any:
    """Return the numbers of the patterns of genotypes, with arrays (W,) as leaves; body: their bodies as one."""
    of_one_body = len({genotype.body for genotype in genotypes}) == 1
    if genotypes[0].control.kind not in BODY_CONTROLS or of_one_body:
        first = genotypes[0].body if of_one_body else body
        return pattern_of(Genotype(first, _stacked_control(genotypes))).numbers()
    trees = [pattern_of(genotype).numbers() for genotype in genotypes]
    columns = zip(*(leaves(tree) for tree in trees), strict=True)
    return unflatten(trees[0], iter([np.array(column, dtype=float) for column in columns]))


def _stacked_control(genotypes: Sequence[Genotype]) -> Control:
    """Return one control with the values of several as arrays (W,); a value that all share stays a float."""
    control = genotypes[0].control
    values = _columns([genotype.control.values for genotype in genotypes])
    shifts = _columns([genotype.control.shifts for genotype in genotypes])
    return replace(control, values=tuple(values), shifts=tuple(shifts))


def _columns(rows: Sequence[Sequence[float]]) -> Iterator[Scalar]:
    """Return the columns of rows of numbers; a column of equal numbers as a float."""
    columns = np.array(rows, dtype=float).T
    shared = (columns == columns[:, :1]).all(axis=1)
    return (float(column[0]) if same else column for column, same in zip(columns, shared, strict=True))
