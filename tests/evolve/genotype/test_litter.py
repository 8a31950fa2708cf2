"""A litter grows what its creatures would grow alone, to the last bit."""

import numpy as np
import pytest

from gambol.control import Drive
from gambol.errors import EvolveError, WorldError
from gambol.evolve.genotype import PLANS, Control, Grown, grown, litter_of
from gambol.evolve.genotype.breeding import space_of
from gambol.figure.measures import measures, varying
from gambol.world import Engine, Timing, World

COUNT = 7


def home(creature: Grown) -> World:
    drive = Drive(creature.pattern, creature.actuators, creature.feet)
    return World(creature.figure, creature.springs, controller=drive, contact="stepping", timing=Timing(0.01, 0.002))


@pytest.mark.parametrize("body", PLANS)
def test_measures_are_those_of_each_creature(body):
    space, rng = space_of(body), np.random.default_rng(0)
    genotypes = [space.random(rng) for _ in range(COUNT)]
    litter, alone = litter_of(genotypes), [grown(genotype) for genotype in genotypes]
    together = measures(litter.figure)
    for k, creature in enumerate(alone):
        for name, value in measures(creature.figure).items():
            assert np.broadcast_to(together[name], COUNT)[k] == pytest.approx(value, rel=1e-14, abs=1e-18), name
    np.testing.assert_allclose(litter.q, [creature.q for creature in alone], rtol=1e-14)


@pytest.mark.parametrize("body", ["quadruped", "free"])
@pytest.mark.parametrize(
    "kind", ["spectral", "sinusoid", "oscillators", "responses", "sensor-actuator", "dataflow", "recurrent"]
)
def test_a_world_is_told_the_numbers_of_each_creature(body, kind):
    space, rng = space_of(body, Control(kind)), np.random.default_rng(1)
    first = space.random(rng)
    genotypes = [first, *(_near(space, first, rng) for _ in range(COUNT - 1))]
    alone = [grown(genotype) for genotype in genotypes]
    varied = varying([creature.figure for creature in alone])
    worlds = [home(creature).varying(varied) for creature in alone]
    engine, litter = Engine(worlds[0]), litter_of(genotypes, alone[0])
    np.testing.assert_allclose(engine.numbers(**litter.numbers(worlds[0])), engine.numbers_of(worlds), rtol=1e-13)


def _near(space, genotype, rng):
    """A mutant of the same structure."""
    while True:
        mutant = space.mutated(genotype, 0.5, rng)
        if space.kin(genotype, mutant):
            return mutant


@pytest.mark.parametrize("body", PLANS)
def test_a_creature_has_the_same_bits_in_every_litter(body):
    space, rng = space_of(body), np.random.default_rng(2)
    genotypes = [space.random(rng) for _ in range(COUNT)]
    world = home(grown(genotypes[0]))
    world = world.varying(tuple(name for name, x in measures(litter_of(genotypes).figure).items() if np.ndim(x)))
    engine = Engine(world)
    together = engine.numbers(**litter_of(genotypes).numbers(world))
    for k, genotype in enumerate(genotypes):
        alone = litter_of([genotype])
        assert (alone.q[0] == litter_of(genotypes).q[k]).all()
        own = engine.numbers(**alone.numbers(home(alone.first).varying(world.varied)))
        assert (own[:, 0] == together[:, k]).all()


def test_a_measure_that_is_compiled_in_is_told():
    space, rng = space_of("quadruped"), np.random.default_rng(3)
    genotypes = [space.random(rng) for _ in range(2)]
    with pytest.raises(WorldError, match="let `varied` name it"):
        litter_of(genotypes).numbers(home(grown(genotypes[0])))


def test_creatures_of_several_structures_are_no_litter():
    rng = np.random.default_rng(4)
    several = [space_of(body).random(rng) for body in ("quadruped", "biped")]
    with pytest.raises(EvolveError, match="sort them by topology"):
        litter_of(several)
    with pytest.raises(EvolveError, match="at least one"):
        litter_of([])
