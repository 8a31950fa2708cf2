"""Plans can carry themselves: with constant signals, they land from just above the ground and stand there."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.contact import SurfaceProperties
from gambol.contact.surface import NO_TOUCH
from gambol.control import Drive
from gambol.evolve.genotype import Genotype, control_genes, grow, plan_named
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.world import Engine, Timing, World, start

STEP = 1.0 / 480.0


def still(name: str) -> Genotype:
    """Return a plan whose signals are constant."""
    genotype = with_neutral_control(Genotype(plan_named(name)))
    genes = control_genes(genotype.body, genotype.control)
    pairs = zip(genes, genotype.control.values, strict=True)
    values = tuple(0.0 if "amplitude" in gene.name else value for gene, value in pairs)
    return replace(genotype, control=replace(genotype.control, values=values))


@pytest.mark.parametrize("name", ["quadruped", "biped"])
def test_a_plan_stands_where_it_was_put(name):
    """For a second. Knees yield by less than RATED_ERROR / 3: a muscle is three times as strong as needed."""
    creature = grow(still(name))
    world = World(
        creature.figure,
        creature.springs,
        surface=SurfaceProperties(replace(NO_TOUCH, stiffness=1.0, friction=0.9, restitution=0.0)),
        controller=Drive(creature.pattern, creature.actuators, creature.feet),
        timing=Timing(4.0 * STEP, STEP),
        contact="stepping",
    )
    state = start(world)
    state.rows[: creature.figure.nq, 0] = creature.q
    Engine(world).advance(state, 120)
    q, v = state.q[0], state.v[0]
    assert abs(q[0]) > 0.999
    assert np.abs(q[4:6]).max() < 0.1 * creature.height
    assert 0.95 * creature.height < q[6] < creature.height
    assert np.abs(q[7:] - np.array(creature.q[7:])).max() < 0.2 / 3.0
    assert np.abs(v[3:6]).max() < 0.05
