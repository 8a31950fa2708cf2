"""Creatures in worlds of their own figure: those of one body, or those of one structure with other measures."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from gambol.evolve.genotype import Genotype, Litter, grown, litter_of
from gambol.evolve.genotype.growth import stance_of
from gambol.evolve.life.home import Array, Lodged, Play, chains_of, friction_row, world_of
from gambol.evolve.tasks import Task
from gambol.lanes import Scalar, total
from gambol.world import Engine, World


class OwnHome:
    """A home for creatures of one structure.

    first: one of them, whose structure is compiled. varied: the measures in which they may differ, as of World; without
    any all have one body.
    """

    def __init__(self, first: Genotype, task: Task, varied: tuple[str, ...] = ()) -> None:
        self.first = grown(first)
        self.world: World = world_of(self.first, task).varying(varied)
        self._friction, self._friction_row = task.friction, friction_row(self.world)
        self._shared = None if varied else replace(litter_of([first], self.first), figure=self.first.figure)

    def lodged(self, engine: Engine, genotypes: Sequence[Genotype]) -> Lodged:
        """Such creatures, in their order."""
        litter = self._shared.of_same_body(genotypes) if self._shared else litter_of(genotypes, self.first)
        count, feet = litter.count, tuple(range(len(self.first.feet)))
        rows = engine.numbers(**litter.numbers(self.world))
        return Lodged(
            np.ascontiguousarray(np.broadcast_to(rows, (len(rows), count))),
            litter.q,
            (feet,) * count,
            np.tile([0, *chains_of(litter.figure).values()], (count, 1)),
            np.broadcast_to(litter.length, count).astype(float),
            np.broadcast_to(litter.height, count).astype(float),
            np.broadcast_to(_mass(litter), count).astype(float),
            np.full(count, self._friction),
            Play(_units(litter), partial(_height, litter), self._friction_row),
        )

    def own_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """The same coordinates: it is a world of its own figure."""
        return q


def _units(litter: Litter) -> Array:
    """One unit of the genes of each joint (W, joints)."""
    return np.stack([np.broadcast_to(unit, litter.count) for unit in litter.units.values()], axis=-1).astype(float)


def _height(litter: Litter, q: Sequence[Scalar]) -> Scalar:
    """The height of the trunks of a litter with its joints elsewhere."""
    return stance_of(litter.figure, dict(zip(litter.angles, q, strict=True)))[0]


def _mass(litter: Litter) -> Scalar:
    return total(link.mass_properties.mass for link in litter.figure.links)
