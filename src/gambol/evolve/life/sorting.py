"""Sorting creatures into herds, so that each herd is one program.

fixed      one body: everything of it is compiled in                          the fastest step
measured   bodies of one topology: their measures are numbers of the program  the same step, a little slower
told       bodies of any topology: their trees are numbers too                no body is ever compiled
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype import Genotype, litter_of
from gambol.evolve.genotype.bounds import FAR, NEAR
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.genotype.rows import topology
from gambol.evolve.life.among import CommonHome
from gambol.evolve.life.herd import Herd
from gambol.evolve.life.own import OwnHome
from gambol.evolve.tasks import Task
from gambol.figure.measures import measures

Bodies: TypeAlias = Literal["fixed", "measured", "told"]
"""How bodies enter programs."""

SAMPLES = 256
"""Bodies of a topology that are compared to see in which measures they differ."""


@dataclass(frozen=True)
class Sorting:
    """How creatures are sorted into herds.

    links: on the trunk of a body that is told, at most. free: whether bodies are of any structure.
    Raises EvolveError for an unknown way.
    """

    bodies: Bodies = "fixed"
    links: int = 9
    free: bool = False

    def __post_init__(self) -> None:
        if self.bodies not in get_args(Bodies):
            cure = did_you_mean(self.bodies, get_args(Bodies))
            raise EvolveError(f'bodies cannot enter programs "{self.bodies}"; {cure}')

    def key(self, genotype: Genotype) -> Hashable:
        """What the genotypes of one herd have in common."""
        control = genotype.control
        if self.bodies == "told":
            return control.kind, control.size, control.slowest, control.fastest
        return topology(genotype), genotype.body if self.bodies == "fixed" else None

    def herd(self, genotype: Genotype, task: Task) -> Herd:
        """The herd that a genotype belongs to."""
        if self.bodies == "told":
            return Herd(CommonHome(genotype, task, self.links), task)
        varied = () if self.bodies == "fixed" else self._varied(genotype)
        return Herd(OwnHome(genotype, task, varied), task)

    def _varied(self, genotype: Genotype) -> tuple[str, ...]:
        """The measures in which creatures of one topology differ: those that are not the same in a litter at random.

        And the places of the trunk's balls, which may lie beside its middle in few creatures only.
        """
        space, rng = GenotypeSpace(genotype, FAR if self.free else NEAR), np.random.default_rng(0)
        litter = litter_of([space.random(rng) for _ in range(SAMPLES)])
        ball = f"{litter.figure.root.name}.part "
        found = measures(litter.figure).items()
        return tuple(n for n, x in found if np.ptp(x) > 0.0 or (n.startswith(ball) and ".position." in n))


class Herds:
    """The herds of a task, each made when its first creature comes, the last few kept."""

    def __init__(self, task: Task, sorting: Sorting, most: int = 64) -> None:
        self.task, self.sorting, self.most = task, sorting, most
        self._herds: dict[Hashable, Herd] = {}

    def of(self, genotypes: Sequence[Genotype]) -> list[tuple[Herd, list[int]]]:
        """The herds of some genotypes, each with the places of its own among them."""
        places: dict[Hashable, list[int]] = {}
        for k, genotype in enumerate(genotypes):
            places.setdefault(self.sorting.key(genotype), []).append(k)
        return [(self._herd(key, genotypes[own[0]]), own) for key, own in places.items()]

    def _herd(self, key: Hashable, genotype: Genotype) -> Herd:
        herd = self._herds.pop(key, None) or self.sorting.herd(genotype, self.task)
        self._herds[key] = herd  # the last one used is the last one dropped
        if len(self._herds) > self.most:
            del self._herds[next(iter(self._herds))]
        return herd
