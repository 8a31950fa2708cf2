"""Batching: genotypes are split into groups, each of which one program simulates.

fixed      one body; all its numbers are constants of the program                      the fastest step
topology   bodies of one topology; their parameters are inputs of the program          a slightly slower step
template   bodies of any topology; their trees and parameters are inputs               one program for all bodies
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
from gambol.evolve.genotype.body import driven_by
from gambol.evolve.genotype.bounds import FREE_MARGINS, PLAN_MARGINS
from gambol.evolve.genotype.breeding import GenotypeSpace
from gambol.evolve.genotype.genotype import topology
from gambol.evolve.tasks import Task
from gambol.figure.parameters import parameters

Bodies: TypeAlias = Literal["fixed", "topology", "template"]
"""The ways in which bodies enter programs: as constants, parameters of a topology, or data of a template."""

SAMPLED_BODIES = 256
"""The number of random bodies of a topology that are compared to find the parameters in which they differ."""


@dataclass(frozen=True)
class Batching:
    """The rule by which genotypes are grouped into batches.

    bodies: how bodies enter programs. links: with "template", the largest number of links of a body besides its trunk.
    free: True if bodies may have any structure. Raises EvolveError for an unknown value of bodies.
    """

    bodies: Bodies = "fixed"
    links: int = 9
    free: bool = False

    def __post_init__(self) -> None:
        if self.bodies not in get_args(Bodies):
            hint = did_you_mean(self.bodies, get_args(Bodies))
            raise EvolveError(f'bodies = "{self.bodies}" is unknown; {hint}')

    def key(self, genotype: Genotype) -> Hashable:
        """Return the key of a genotype's batch: genotypes with equal keys share a batch."""
        control = genotype.control
        if self.bodies == "template":
            if genotype.body.sensors:
                raise EvolveError('a template has no sensors; set the option bodies to "topology" or "fixed"')
            return control.kind, control.size, control.slowest, control.fastest, driven_by(genotype.body)
        return topology(genotype), genotype.body if self.bodies == "fixed" else None

    def batch(self, genotype: Genotype, task: Task, device: str = "cpu") -> Batch:
        """Return a new batch for genotypes of the same group; device: see Batch."""
        if self.bodies == "template":
            return Batch(TemplateWorld(genotype, task, self.links), task, device)
        variable = () if self.bodies == "fixed" else self._variable_parameters(genotype)
        return Batch(TopologyWorld(genotype, task, variable), task, device)

    def _variable_parameters(self, genotype: Genotype) -> tuple[str, ...]:
        """Return the names of the parameters in which creatures of one topology differ.

        These are the parameters that vary among SAMPLED_BODIES random creatures, and the positions of the trunk's
        balls: some of these positions differ in so few creatures that the sample may miss it.
        """
        space, rng = GenotypeSpace(genotype, FREE_MARGINS if self.free else PLAN_MARGINS), np.random.default_rng(0)
        arrays = topology_arrays([space.random(rng) for _ in range(SAMPLED_BODIES)])
        ball = f"{arrays.figure.root.name}.part "
        values = parameters(arrays.figure).items()
        return tuple(n for n, x in values if np.ptp(x) > 0.0 or (n.startswith(ball) and ".position." in n))


class Batches:
    """The batches of a task. Each is created for its first genotype; the most recently used ones are cached.

    device: see Batch.
    """

    def __init__(self, task: Task, batching: Batching, device: str = "cpu", capacity: int = 64) -> None:
        self.task, self.batching, self.device, self.capacity = task, batching, device, capacity
        self._batches: dict[Hashable, Batch] = {}

    def split(self, genotypes: Sequence[Genotype]) -> list[tuple[Batch, list[int]]]:
        """Return the batches of genotypes, each with the indices of its genotypes."""
        groups: dict[Hashable, list[int]] = {}
        for k, genotype in enumerate(genotypes):
            groups.setdefault(self.batching.key(genotype), []).append(k)
        return [(self._batch(key, genotypes[members[0]]), members) for key, members in groups.items()]

    def _batch(self, key: Hashable, genotype: Genotype) -> Batch:
        batch = self._batches.pop(key, None) or self.batching.batch(genotype, self.task, self.device)
        self._batches[key] = batch  # moved to the end: the least recently used batch is dropped first
        if len(self._batches) > self.capacity:
            del self._batches[next(iter(self._batches))]
        return batch
