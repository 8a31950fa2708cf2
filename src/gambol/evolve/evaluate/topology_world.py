"""The batch world of creatures of one topology. It has their figure; bodies are equal or differ in parameters."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from gambol.evolve.evaluate.batch_world import (
    Array,
    BatchInputs,
    LimbEnds,
    Randomization,
    friction_row,
    limb_numbers,
    world_of,
)
from gambol.evolve.fitness.trajectory import OF_LINKS
from gambol.evolve.genotype import Genotype, TopologyArrays, grow, topology_arrays
from gambol.evolve.genotype.anatomy import last_end
from gambol.evolve.genotype.growth import balls_of
from gambol.evolve.tasks import Task
from gambol.lanes import Scalar, total
from gambol.spatial import Vector
from gambol.world import Engine, World


class TopologyWorld:
    """A batch world for creatures of one topology.

    first: genotype of one of the creatures; its topology is compiled. task: task of the rollouts. variable: names of
    the parameters in which the creatures may differ, see World.parametrised_by(); if empty, all creatures have the body
    of `first`.
    """

    def __init__(self, first: Genotype, task: Task, variable: tuple[str, ...] = ()) -> None:
        self.first = grow(first)
        self.world: World = world_of(self.first, task).parametrised_by(variable)
        self._friction, self._friction_row = task.friction, friction_row(self.world)
        self._shared_arrays = (
            None if variable else replace(topology_arrays([first], self.first), figure=self.first.figure)
        )

    def batch_inputs(self, engine: Engine, genotypes: Sequence[Genotype]) -> BatchInputs:
        """Return the program's inputs for genotypes, in their order. engine: engine of the world."""
        shared = self._shared_arrays
        arrays = shared.with_controls(genotypes) if shared else topology_arrays(genotypes, self.first)
        count, feet = arrays.count, self.first.standing
        rows = engine.numbers(**arrays.numbers(self.world))
        return BatchInputs(
            np.ascontiguousarray(np.broadcast_to(rows, (len(rows), count))),
            arrays.q,
            (feet,) * count,
            {
                name: LimbEnds((last_end(genotypes[0].body, name),), np.eye(3)[None]).repeated(count)
                for name in OF_LINKS
            },
            np.tile([0, *limb_numbers(arrays.figure).values()], (count, 1)),
            np.broadcast_to(arrays.length, count).astype(float),
            np.broadcast_to(arrays.height, count).astype(float),
            np.broadcast_to(_mass(arrays), count).astype(float),
            np.full(count, self._friction),
            Randomization(_units(arrays), partial(_balls, arrays), self._friction_row),
        )

    def figure_coordinates(self, genotype: Genotype, q: Array) -> Array:
        """Return q unchanged: the batch world has the figure that is grown from a genotype."""
        return q


def _units(arrays: TopologyArrays) -> Array:
    """Return the size of one unit of the genes middle and reach of each joint [rad or m] (W, joints)."""
    return np.stack([np.broadcast_to(unit, arrays.count) for unit in arrays.units.values()], axis=-1).astype(float)


def _balls(arrays: TopologyArrays, q: Sequence[Scalar]) -> list[tuple[Scalar, Vector]]:
    """Return radius and position of each ball in the trunk's frame [m] with the joints at coordinates q (joints, W)."""
    return balls_of(arrays.figure, dict(zip(arrays.angles, q, strict=True)))


def _mass(arrays: TopologyArrays) -> Scalar:
    """Return the masses of creatures [kg]."""
    return total(link.mass_properties.mass for link in arrays.figure.links)
