"""Motors as strong as muscles in grown bodies: their numbers, files, arrays, search; and frequencies by mass."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from gambol.actuation import HillServo, Servo
from gambol.errors import EvolveError, GambolError
from gambol.evolve.evaluate import Batches, Batching, film_rollout, outcomes_of
from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.evaluate.options import search_space, task_of
from gambol.evolve.evaluate.topology_world import TopologyWorld
from gambol.evolve.genotype import (
    Genotype,
    check_body,
    genotype_text,
    grow,
    of_json,
    plan_named,
    read_genotype,
    to_json,
    topology_arrays,
    write_genotype,
)
from gambol.evolve.genotype.anatomy import mass_of
from gambol.evolve.genotype.body import driven_by, with_motors
from gambol.evolve.genotype.breeding import GenotypeSpace, space_of, topology
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.template_arrays import template_arrays
from gambol.evolve.runs import Settings
from gambol.figure.template import any_tree
from gambol.lanes import leaves
from gambol.world import Engine

COUNT = 4


def creatures(body: str, seed: int = 0) -> list[Genotype]:
    space, rng = space_of(body, motor="hill"), np.random.default_rng(seed)
    return [space.random(rng) for _ in range(COUNT)]


def test_the_speed_of_largest_power_is_that_of_the_trot_gallop_frequency():
    """At f, a sine through the whole reach has the peak speed 2 pi f reach; there tau v is largest."""
    creature = grow(with_neutral_control(Genotype(with_motors(plan_named("quadruped"), "hill"))))
    frequency = 4.48 * creature.figure.mass**-0.14
    for servo in creature.actuators.values():
        assert isinstance(servo, HillServo)
        peak = 2.0 * math.pi * frequency * 0.6
        x = np.array([0.99, 1.0, 1.01]) * peak / servo.max_speed
        powers = x * (1.0 - x) / (1.0 + 4.0 * x)
        assert powers.argmax() == 1
        assert powers[1] < servo.power / (servo.strength * servo.max_speed)
    assert sum(servo.power for servo in creature.actuators.values() if isinstance(servo, HillServo)) == pytest.approx(
        100.0 * creature.figure.mass
    )


def test_all_other_numbers_are_those_of_servos():
    plain = grow(with_neutral_control(Genotype(plan_named("biped"))))
    hill = grow(with_neutral_control(Genotype(with_motors(plan_named("biped"), "hill"))))
    for link, servo in plain.actuators.items():
        assert isinstance(servo, Servo)
        shared = servo.numbers().items() & hill.actuators[link].numbers().items()
        assert {name for name, _ in shared} == {"lower", "upper", "stiffness", "damping", "strength"}
    assert hill.springs == plain.springs


def test_files_and_archives_keep_motors_and_bodies_without_them_are_written_as_before(tmp_path: Path):
    for genotype in creatures("free"):
        assert of_json(json.loads(json.dumps(to_json(genotype)))) == genotype
        write_genotype(genotype, tmp_path / "a.toml")
        assert read_genotype(tmp_path / "a.toml") == genotype
    plain = with_neutral_control(Genotype(plan_named("quadruped")))
    assert "motor" not in genotype_text(plain)
    assert topology(plain) != topology(Genotype(with_motors(plain.body, "hill")))


def test_an_unknown_motor_is_refused(tmp_path: Path):
    text = genotype_text(with_neutral_control(Genotype(with_motors(plan_named("quadruped"), "hill"))))
    (tmp_path / "a.toml").write_text(text.replace('"hill"', '"hil"', 1))
    with pytest.raises(GambolError, match=r'a\.toml.*"hil" is not allowed; did you mean "hill"'):
        read_genotype(tmp_path / "a.toml")
    with pytest.raises(EvolveError, match='limb1 has a segment1 with a motor "hil"; did you mean "hill"'):
        check_body(with_motors(plan_named("quadruped"), "hil"))
    with pytest.raises(EvolveError, match='no motor is called "hil"; did you mean "hill"'):
        space_of("quadruped", motor="hil")


@pytest.mark.parametrize("body", ["quadruped", "free"])
def test_search_keeps_motors(body: str):
    space, rng = space_of(body, motor="hill"), np.random.default_rng(4)
    parents = [space.random(rng) for _ in range(6)]
    for _ in range(40):
        a, b = (parents[int(k)] for k in rng.integers(6, size=2))
        child = space.mutated(space.crossed(a, b, rng), 1.0, rng)
        check_body(child.body)
        assert driven_by(child.body) == "hill servos"
        parents[int(rng.integers(6))] = child


def test_arrays_have_the_numbers_of_each_creature():
    same = creatures("quadruped")
    arrays = topology_arrays(same)
    free = creatures("free", seed=2)
    template = any_tree(10, balls=1, root_balls=4)
    packed = template_arrays(free, template)
    for k in range(COUNT):
        for link, servo in grow(same[k]).actuators.items():
            for name, value in servo.numbers().items():
                assert np.broadcast_to(arrays.servos[link][name], COUNT)[k] == pytest.approx(value, rel=1e-13)
        links = [link.name for link in template.links[1:]]
        for link, servo in zip(links, grow(free[k]).actuators.values(), strict=False):
            for name, value in servo.numbers().items():
                assert np.broadcast_to(packed.servos[link][name], COUNT)[k] == pytest.approx(value, rel=1e-12), name
    with pytest.raises(EvolveError, match="must have the same kind of actuator"):
        template_arrays([*free, space_of("free").random(np.random.default_rng(0))], template)


def test_a_rollout_has_the_same_bits_beside_others_and_films_as_it_was_evaluated():
    settings = Settings(seconds=2.0, trials=1, options={"motor": "hill"})
    space, rng = search_space(settings), np.random.default_rng(1)
    genotypes = [space.random(rng) for _ in range(5)]
    batches = Batches(task_of(settings), Batching())
    together = outcomes_of(genotypes, batches, [0] * 5)
    assert outcomes_of(genotypes[3:4], batches, [0]) == together[3:4]
    film = film_rollout(settings, to_json(genotypes[3]))
    moved = float(film.signals["centre"][-1, 0, 0] - film.signals["centre"][0, 0, 0])
    assert np.isfinite(moved)
    assert film.time[-1] == pytest.approx(2.0)


def test_the_world_of_a_rollout_has_the_numbers_of_the_grown_creature():
    """Each number of a program under its own name: max_speed and power were exchanged here."""
    task = task_of(Settings(options={"motor": "hill"}))
    for genotype in creatures("quadruped"):
        batch_world, alone = TopologyWorld(genotype, task), world_of(grow(genotype), task)
        inputs = batch_world.batch_inputs(Engine(batch_world.world, "float64"), [genotype])
        np.testing.assert_allclose(inputs.numbers[:, 0], leaves(alone.numbers()), rtol=1e-13)


def test_frequencies_follow_from_the_mass_of_the_plan():
    space = search_space(Settings(body="hexapod", options={"frequencies": "mass"}))
    assert isinstance(space, GenotypeSpace)
    mass = float(mass_of(plan_named("hexapod")))
    control = space.plan.control
    assert (control.slowest, control.fastest) == pytest.approx((0.81 * mass**-0.15, 4.48 * mass**-0.14))
    (gene,) = (gene for gene in space.genes if gene.name == "frequency")
    assert (gene.lower, gene.upper) == (control.slowest, control.fastest)
    walk = search_space(Settings(body="hexapod", options={"frequencies": "walk"})).plan.control  # type: ignore[union-attr]
    assert (walk.slowest, walk.fastest) == pytest.approx((control.slowest, 1.6 * 1.62 * mass**-0.15))
    assert search_space(Settings(body="hexapod")).plan.control.fastest == 4.0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"frequencies": "size"}, 'frequencies is \'size\'; give "mass" or "walk", or leave it out'),
        ({"frequencies": "mass", "control": {"fastest": 2.0}}, "give fastest of the control, or the option"),
        ({"motor": "hil"}, 'no motor is called "hil"'),
        ({"motor": 3}, 'no motor is called "3"'),
    ],
)
def test_wrong_options_are_refused(changes: dict[str, object], message: str):
    with pytest.raises(EvolveError, match=message):
        search_space(Settings(options=changes))
    with pytest.raises(EvolveError, match="free bodies have no mass before they grow"):
        search_space(Settings(body="free", options={"frequencies": "mass"}))
