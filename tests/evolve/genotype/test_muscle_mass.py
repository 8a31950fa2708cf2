"""The mass and the metabolism of evolved muscles: in bodies, in arrays of many, in files, and in the ledger."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from worlds import energy_balance

from gambol.actuation.actuator import ActuatorInput
from gambol.actuation.muscle import AntagonistPair, Metabolism
from gambol.control import Drive
from gambol.errors import EvolveError
from gambol.evolve.genotype import (
    Genotype,
    MusclePair,
    Phenotype,
    genotype_text,
    grow,
    muscled,
    of_json,
    plan_named,
    read_genotype,
    to_json,
    topology_arrays,
)
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.plain_data import fast_genotype
from gambol.evolve.genotype.template_arrays import template_arrays
from gambol.figure.template import any_tree
from gambol.world import Engine, Timing, World, start

DENSITY, TENSION = 1059.7, 250e3
"""Of vertebrate muscle [kg/m3, Pa]. [Umberger et al. 2003]"""


def quadruped(metabolism: str | None) -> Genotype:
    return with_neutral_control(Genotype(muscled(plan_named("quadruped"), MusclePair(metabolism=metabolism))))


def pairs_of(creature: Phenotype) -> dict[str, AntagonistPair]:
    pairs = {name: each for name, each in creature.actuators.items() if isinstance(each, AntagonistPair)}
    assert len(pairs) == len(creature.actuators)
    return pairs


def mass_of(pair: AntagonistPair) -> float:
    """Return the mass of a pair: two muscles of a cross-section F0 / tension, as long as their fibres."""
    return 2.0 * DENSITY * (pair.max_force / TENSION) * pair.optimal_length


def test_each_link_of_a_joint_has_half_of_its_muscles():
    light, heavy = grow(quadruped(None)), grow(quadruped("umberger 2003"))
    more = {
        link.name: heavy.figure.link(link.name).mass_properties.mass - link.mass_properties.mass
        for link in light.figure.links
    }
    expected = dict.fromkeys(more, 0.0)
    for name, pair in pairs_of(light).items():
        for end in (name, light.figure.links[light.figure.link(name).parent_index - 1].name):
            expected[end] += 0.5 * mass_of(pair)
    assert more == pytest.approx(expected, rel=1e-9)
    assert heavy.figure.mass / light.figure.mass > 1.1


def test_muscles_with_mass_are_as_strong_as_without():
    light, heavy = (pairs_of(grow(quadruped(model))) for model in (None, "umberger 2003"))
    for name, pair in heavy.items():
        assert pair.numbers() == pytest.approx(light[name].numbers(), rel=1e-12)


@pytest.mark.parametrize("body", ["quadruped", "free"])
def test_many_creatures_in_arrays_have_the_same_masses_and_muscles(body: str):
    space, rng = space_of(body, muscles=True, metabolism="umberger 2003"), np.random.default_rng(3)
    genotypes = [space.random(rng) for _ in range(3)]
    arrays = template_arrays(genotypes, any_tree(10, 1, 4))
    for k, genotype in enumerate(genotypes):
        grown = grow(genotype)
        assert arrays.mass[k] == pytest.approx(grown.figure.mass, rel=1e-12)
        forces = [arrays.servos[link.name]["max_force"][k] for link in arrays.figure.links[1:]]
        expected = [pair.max_force for pair in pairs_of(grown).values()]
        np.testing.assert_allclose(forces[: len(expected)], expected, rtol=1e-12)
        of_topology = topology_arrays([genotype, genotype])
        masses = [float(np.broadcast_to(link.mass_properties.mass, 2)[0]) for link in of_topology.figure.links]
        np.testing.assert_allclose(masses, [link.mass_properties.mass for link in grown.figure.links], rtol=1e-12)


def test_files_and_archives_keep_the_metabolism(tmp_path: Path):
    genotype = quadruped("bhargava 2004")
    data = json.loads(json.dumps(to_json(genotype)))
    assert fast_genotype(data) == of_json(data) == genotype
    path = tmp_path / "muscled.toml"
    path.write_text(genotype_text(genotype))
    assert read_genotype(path) == genotype
    path.write_text(genotype_text(genotype).replace("bhargava 2004", "bargava 2004"))
    with pytest.raises(EvolveError, match='"bargava 2004", which does not exist; did you mean "bhargava 2004"'):
        read_genotype(path)


def test_the_heat_of_held_muscles_is_that_of_the_papers():
    """Without motion the heat depends on activation and length alone: two closed sums for half slow fibres."""
    pair = next(iter(pairs_of(grow(quadruped("umberger 2003"))).values()))
    middle, tone, mass = 0.5 * (pair.lower + pair.upper), pair.tone, mass_of(pair)
    at = ActuatorInput(0.0, [middle], [0.0], [middle], {"positive": tone, "negative": tone})
    umberger = mass * 1.5 * tone**0.6 * (25.0 + 128.0 * 0.5)
    assert pair.heat(pair.numbers(), at) == pytest.approx(umberger, rel=1e-6)
    slow, fast = 0.5 * np.sin(0.5 * np.pi * tone), 0.5 * (1.0 - np.cos(0.5 * np.pi * tone))
    bhargava = mass * (40.0 * slow + 133.0 * fast + 0.75 * (74.0 * slow + 111.0 * fast))
    other = replace(pair, metabolism=Metabolism("bhargava 2004"))
    assert other.heat(other.numbers(), at) == pytest.approx(bhargava, rel=1e-9)


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_the_ledger_has_the_heat_of_muscles_and_the_motion_stays(contact: str):
    """With a metabolism, the source supplies the work at the joints and the heat, and the heat is dissipated."""
    grown = grow(quadruped("umberger 2003"))
    ends: list[tuple[float, ...]] = []
    for model in (None, Metabolism()):
        actuators = {name: replace(pair, metabolism=model) for name, pair in pairs_of(grown).items()}
        drive = Drive(grown.pattern, actuators, grown.feet)
        timing = Timing(0.01, 0.001, "rk4" if contact == "penalty" else "semi-implicit euler")
        engine = Engine(World(grown.figure, grown.springs, controller=drive, contact=contact, timing=timing))
        state = start(engine.world, q=grown.q)
        before = energy_balance(engine, state)
        engine.advance(state, 20)
        ledger, error = state.step_state.ledger, energy_balance(engine, state) - before
        ends.append((state.q[0, 6].item(), ledger.motors.item(), ledger.damping.item(), error.item()))
    (height, work, damped, error), (same_height, source, lost, same_error) = ends
    heat = lost - damped
    assert same_height == height
    assert heat > 0.5 * abs(work)
    assert source - work == pytest.approx(heat, rel=1e-3)
    assert same_error == pytest.approx(error, abs=1e-3 * heat)
