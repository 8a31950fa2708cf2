"""Arrays of one topology hold the numbers of each creature grown alone, to the last bit."""

import numpy as np
import pytest

from gambol.control import Drive
from gambol.errors import EvolveError, WorldError
from gambol.evolve.genotype import PLANS, Control, Phenotype, grow, topology_arrays
from gambol.evolve.genotype.breeding import space_of
from gambol.figure.parameters import parameters, varying
from gambol.world import Engine, Timing, World

COUNT = 7


def world_of(creature: Phenotype) -> World:
    drive = Drive(creature.pattern, creature.actuators, creature.feet)
    return World(creature.figure, creature.springs, controller=drive, contact="stepping", timing=Timing(0.01, 0.002))


@pytest.mark.parametrize("body", PLANS)
def test_parameters_are_those_of_each_creature(body):
    space, rng = space_of(body), np.random.default_rng(0)
    genotypes = [space.random(rng) for _ in range(COUNT)]
    arrays, alone = topology_arrays(genotypes), [grow(genotype) for genotype in genotypes]
    together = parameters(arrays.figure)
    for k, creature in enumerate(alone):
        for name, value in parameters(creature.figure).items():
            assert np.broadcast_to(together[name], COUNT)[k] == pytest.approx(value, rel=1e-14, abs=1e-18), name
    np.testing.assert_allclose(arrays.q, [creature.q for creature in alone], rtol=1e-14)


@pytest.mark.parametrize("body", ["quadruped", "free"])
@pytest.mark.parametrize(
    "kind", ["spectral", "balanced", "sinusoid", "oscillators", "responses", "sensor-actuator", "dataflow", "recurrent"]
)
def test_a_world_has_the_numbers_of_each_creature(body, kind):
    space, rng = space_of(body, Control(kind)), np.random.default_rng(1)
    first = space.random(rng)
    genotypes = [first, *(_near(space, first, rng) for _ in range(COUNT - 1))]
    alone = [grow(genotype) for genotype in genotypes]
    varied = varying([creature.figure for creature in alone])
    worlds = [world_of(creature).parametrised_by(varied) for creature in alone]
    engine, arrays = Engine(worlds[0]), topology_arrays(genotypes, alone[0])
    np.testing.assert_allclose(engine.numbers(**arrays.numbers(worlds[0])), engine.numbers_of(worlds), rtol=1e-13)


def _near(space, genotype, rng):
    """A mutant of the same structure."""
    while True:
        mutant = space.mutated(genotype, 0.5, rng)
        if space.same_structure(genotype, mutant):
            return mutant


@pytest.mark.parametrize("body", PLANS)
def test_a_creature_has_the_same_bits_in_all_arrays(body):
    space, rng = space_of(body), np.random.default_rng(2)
    genotypes = [space.random(rng) for _ in range(COUNT)]
    world = world_of(grow(genotypes[0]))
    world = world.parametrised_by(
        tuple(name for name, x in parameters(topology_arrays(genotypes).figure).items() if np.ndim(x))
    )
    engine = Engine(world)
    together = engine.numbers(**topology_arrays(genotypes).numbers(world))
    for k, genotype in enumerate(genotypes):
        alone = topology_arrays([genotype])
        assert (alone.q[0] == topology_arrays(genotypes).q[k]).all()
        own = engine.numbers(**alone.numbers(world_of(alone.first).parametrised_by(world.parameters)))
        assert (own[:, 0] == together[:, k]).all()


def test_a_parameter_that_is_compiled_in_is_refused():
    space, rng = space_of("quadruped"), np.random.default_rng(3)
    genotypes = [space.random(rng) for _ in range(2)]
    with pytest.raises(WorldError, match=r"name it in World\.parameters"):
        topology_arrays(genotypes).numbers(world_of(grow(genotypes[0])))


def test_creatures_of_several_topologies_are_refused():
    rng = np.random.default_rng(4)
    several = [space_of(body).random(rng) for body in ("quadruped", "biped")]
    with pytest.raises(EvolveError, match="group them by topology"):
        topology_arrays(several)
    with pytest.raises(EvolveError, match="at least one"):
        topology_arrays([])
