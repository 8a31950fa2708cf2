"""Motors with tendons and delays in grown bodies: their numbers, arrays and rollouts."""

import json

import numpy as np
import pytest

from gambol.actuation import ElasticServo
from gambol.evolve.evaluate import Batches, Batching, film_rollout, outcomes_of
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.evaluate.options import search_space, task_of
from gambol.evolve.evaluate.topology_world import TopologyWorld
from gambol.evolve.genotype import Genotype, grow, of_json, plan_named, to_json, topology_arrays
from gambol.evolve.genotype.body import driven_by, with_motors
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.template_arrays import template_arrays
from gambol.evolve.runs import Settings
from gambol.figure.template import any_tree
from gambol.lanes import leaves
from gambol.world import Engine

COUNT = 4


def creatures(body: str, seed: int = 0) -> list[Genotype]:
    space, rng = space_of(body, motor="elastic"), np.random.default_rng(seed)
    return [space.random(rng) for _ in range(COUNT)]


def grown(motor: str) -> dict[str, dict[str, float]]:
    creature = grow(with_neutral_control(Genotype(with_motors(plan_named("quadruped"), motor))))
    return {link: dict(actuator.numbers()) for link, actuator in creature.actuators.items()}


def test_tendons_stretch_and_muscles_delay_as_those_of_animals():
    """At its strength, a tendon of 4 moment arms is strained by 4.9 %. Half the delay of a reflex is that of muscle."""
    hill, elastic = grown("hill"), grown("elastic")
    mass = grow(with_neutral_control(Genotype(plan_named("quadruped")))).figure.mass
    shrew, elephant = 0.010, 0.180  # of 5 g and 5,000 kg [s]
    for link, numbers in elastic.items():
        assert hill[link].items() <= numbers.items()
        assert numbers["strength"] / numbers["tendon_stiffness"] == pytest.approx(0.049 * 4.0)
        assert 0.5 * shrew < numbers["rise"] < 0.5 * elephant
        position = np.log(mass / 0.005) / np.log(5000.0 / 0.005)  # on a straight line of logarithms
        expected = 0.5 * shrew * (elephant / shrew) ** position
        assert numbers["rise"] == pytest.approx(expected, rel=0.02)


def test_files_keep_them_and_search_too():
    space, rng = space_of("free", motor="elastic"), np.random.default_rng(4)
    parents = [space.random(rng) for _ in range(6)]
    for _ in range(40):
        a, b = (parents[int(k)] for k in rng.integers(6, size=2))
        child = space.mutated(space.crossed(a, b, rng), 1.0, rng)
        assert driven_by(child.body) == "elastic servos"
        assert of_json(json.loads(json.dumps(to_json(child)))) == child
        parents[int(rng.integers(6))] = child


def test_arrays_and_worlds_have_the_numbers_of_each_creature():
    same, free = creatures("quadruped"), creatures("free", seed=2)
    arrays = topology_arrays(same)
    template = any_tree(10, balls=1, root_balls=4)
    packed = template_arrays(free, template)
    links = [link.name for link in template.links[1:]]
    for k in range(COUNT):
        for link, servo in grow(same[k]).actuators.items():
            for name, value in servo.numbers().items():
                assert np.broadcast_to(arrays.servos[link][name], COUNT)[k] == pytest.approx(value, rel=1e-13)
        for link, servo in zip(links, grow(free[k]).actuators.values(), strict=False):
            assert isinstance(servo, ElasticServo)
            for name, value in servo.numbers().items():
                assert np.broadcast_to(packed.servos[link][name], COUNT)[k] == pytest.approx(value, rel=1e-12), name
    task = task_of(Settings(options={"motor": "elastic"}))
    batch_world, alone = TopologyWorld(same[0], task), world_of(grow(same[0]), task)
    inputs = batch_world.batch_inputs(Engine(batch_world.world, "float64"), same[:1])
    np.testing.assert_allclose(inputs.numbers[:, 0], leaves(alone.numbers()), rtol=1e-13)


@pytest.mark.parametrize("bodies", ["topology", "template"])
def test_a_rollout_has_the_same_bits_beside_others_and_films_as_it_was_evaluated(bodies: str):
    settings = Settings(seconds=2.0, trials=1, options={"motor": "elastic", "bodies": bodies})
    space, rng = search_space(settings), np.random.default_rng(1)
    genotypes = [space.random(rng) for _ in range(5)]
    batches = Batches(task_of(settings), Batching())
    together = outcomes_of(genotypes, batches, [0] * 5)
    assert outcomes_of(genotypes[3:4], batches, [0]) == together[3:4]
    film = film_rollout(settings, to_json(genotypes[3]))
    assert film.time[-1] == pytest.approx(2.0)
    assert np.isfinite(film.signals["centre"]).all()
