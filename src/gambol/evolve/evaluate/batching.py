"""Batching: genotypes are grouped such that each group is simulated by one program.

fixed      one body: everything of it is compiled in                               the fastest step
measured   bodies of one topology: their parameters are numbers of the program     the same step, a little slower
told       bodies of any topology: their trees are packed as numbers, too          no body is ever compiled
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.evaluate.batch import Batch
from gambol.evolve.evaluate.template_world import TemplateWorld
from gambol.evolve.evaluate.topology_world import TopologyWorld
from gambol.evolve.genotype import Genotype, topology_arrays
from gambol.evolve.genotype.bounds import FAR, NEAR
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.genotype.rows import topology
from gambol.evolve.tasks import Task
from gambol.figure.parameters import parameters

Bodies: TypeAlias = Literal["fixed", "measured", "told"]
"""The ways in which bodies enter programs."""

SAMPLES = 256
"""The number of bodies of a topology that are compared to find the parameters in which they differ."""


@dataclass(frozen=True)
class Batching:
    """The rule by which genotypes are grouped into batches.

    bodies: how they enter programs. links: the most on the trunk of a body that is packed as data. free: True for
    bodies of any structure. Raises EvolveError for an unknown value of bodies.
    """

    bodies: Bodies = "fixed"
    links: int = 9
    free: bool = False

    def __post_init__(self) -> None:
        if self.bodies not in get_args(Bodies):
            hint = did_you_mean(self.bodies, get_args(Bodies))
            raise EvolveError(f'bodies cannot enter programs as "{self.bodies}"; {hint}')

    def key(self, genotype: Genotype) -> Hashable:
        """Return what the genotypes of one batch have in common."""
        control = genotype.control
        if self.bodies == "told":
            return control.kind, control.size, control.slowest, control.fastest
        return topology(genotype), genotype.body if self.bodies == "fixed" else None

    def batch(self, genotype: Genotype, task: Task) -> Batch:
        """Return a new batch for genotypes like this one."""
        if self.bodies == "told":
            return Batch(TemplateWorld(genotype, task, self.links), task)
        variable = () if self.bodies == "fixed" else self._variable_parameters(genotype)
        return Batch(TopologyWorld(genotype, task, variable), task)

    def _variable_parameters(self, genotype: Genotype) -> tuple[str, ...]:
        """Return the parameters in which creatures of one topology differ: those that vary among random ones.

        With them the positions of the trunk's balls, which lie beside its middle in few creatures only.
        """
        space, rng = GenotypeSpace(genotype, FAR if self.free else NEAR), np.random.default_rng(0)
        arrays = topology_arrays([space.random(rng) for _ in range(SAMPLES)])
        ball = f"{arrays.figure.root.name}.part "
        values = parameters(arrays.figure).items()
        return tuple(n for n, x in values if np.ptp(x) > 0.0 or (n.startswith(ball) and ".position." in n))


class Batches:
    """The batches of a task, each made when its first genotype comes; the most recently used are cached."""

    def __init__(self, task: Task, batching: Batching, capacity: int = 64) -> None:
        self.task, self.batching, self.capacity = task, batching, capacity
        self._batches: dict[Hashable, Batch] = {}

    def split(self, genotypes: Sequence[Genotype]) -> list[tuple[Batch, list[int]]]:
        """Return the batches of genotypes, each with the indices of its genotypes."""
        groups: dict[Hashable, list[int]] = {}
        for k, genotype in enumerate(genotypes):
            groups.setdefault(self.batching.key(genotype), []).append(k)
        return [(self._batch(key, genotypes[members[0]]), members) for key, members in groups.items()]

    def _batch(self, key: Hashable, genotype: Genotype) -> Batch:
        batch = self._batches.pop(key, None) or self.batching.batch(genotype, self.task)
        self._batches[key] = batch  # the last one used is the last one dropped
        if len(self._batches) > self.capacity:
            del self._batches[next(iter(self._batches))]
        return batch
