"""Arrays of a template hold the numbers of creatures grown and packed one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.actuation import Servo
from gambol.control import Drive
from gambol.control.patterns import PatternShape, Spectral
from gambol.dynamics import kinematics
from gambol.dynamics.forward import mass_matrix
from gambol.dynamics.rnea import rnea
from gambol.errors import EvolveError
from gambol.evolve.genotype import Control, Genotype, grow
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.template_arrays import template_arrays
from gambol.figure import JointSpring
from gambol.figure.parameters import parameters, with_values
from gambol.figure.template import any_tree, pack
from gambol.spatial import Vector
from gambol.world import Engine, Timing, World

LINKS = 9
TEMPLATE = any_tree(LINKS + 1, balls=1, root_balls=4)


def creatures(seed: int, count: int, kind: str = "spectral") -> list[Genotype]:
    """Free bodies, some of them after many changes of their structure."""
    space, rng = space_of("free", Control(kind), links=LINKS), np.random.default_rng(seed)
    several = [space.random(rng) for _ in range(count)]
    for k in range(0, count, 2):
        for _ in range(8):
            several[k] = space.mutated(several[k], 1.0, rng)
    return several


def one_of(numbers, k: int) -> dict:
    """The numbers of one creature among those of all."""
    return {name: float(x[k] if np.ndim(x) else x) for name, x in numbers.items()}


@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_they_have_the_dynamics_of_each_by_itself(seed):
    genotypes = creatures(seed, 5)
    arrays, rng = template_arrays(genotypes, TEMPLATE), np.random.default_rng(seed)
    numbers = parameters(arrays.figure)
    for k, genotype in enumerate(genotypes):
        creature = grow(genotype)
        packed = pack(creature.figure, TEMPLATE)
        assert arrays.mass[k] == pytest.approx(creature.figure.mass)
        assert arrays.height[k] == pytest.approx(creature.height)
        assert arrays.length[k] == pytest.approx(creature.length)
        np.testing.assert_allclose(arrays.q[k], packed.coordinates(creature.q), atol=1e-14)
        q, v = np.concatenate([[1.0], 0.3 * rng.normal(size=5 + LINKS + 1)]), rng.normal(size=6 + LINKS)
        q[:4] /= np.linalg.norm(q[:4])
        states = [kinematics(with_values(TEMPLATE, m), q, v) for m in (one_of(numbers, k), parameters(packed.figure))]
        mine, theirs = (np.array(mass_matrix(state)) for state in states)
        there = [*range(6), *(6 + i for i, place in enumerate(packed.source_joints) if place is not None)]
        scale = np.sqrt(np.outer(np.diag(theirs), np.diag(theirs)))
        assert np.abs((mine - theirs) / scale).max() < 1e-12
        forces = [np.array(rnea(state, [0.0] * len(v))[0])[there] for state in states]
        np.testing.assert_allclose(forces[0], forces[1], atol=1e-10 * np.abs(forces[1]).max())
        balls = [
            sorted(
                (round(point.radius, 12), *np.round([*(state.poses[link.index] @ Vector(*point.position))], 10))
                for link in state.figure.links
                for point in link.contact_points()
                if point.radius > 0.0
            )
            for state in states
        ]
        np.testing.assert_allclose(balls[0], balls[1], atol=1e-9)


@pytest.mark.parametrize("kind", ["spectral", "sinusoid"])
def test_they_have_the_muscles_and_signals_of_each_by_itself(kind):
    genotypes = creatures(1, 6, kind)
    arrays = template_arrays(genotypes, TEMPLATE)
    for k, genotype in enumerate(genotypes):
        creature = grow(genotype)
        for slot, (name, actuator) in enumerate(creature.actuators.items()):
            link = TEMPLATE.links[slot + 1].name
            for field, value in actuator.numbers().items():
                assert arrays.servos[link][field][k] == pytest.approx(value, rel=1e-10, abs=1e-15)
            spring = creature.springs[name]
            for field in ("damping", "lower", "upper"):
                assert getattr(arrays.springs[link], field)[k] == pytest.approx(
                    getattr(spring, field), rel=1e-10, abs=1e-15
                )
        signals = creature.pattern.numbers()
        for field in ("offset", "sine", "cosine", "amplitude", "phase"):
            if field in signals:
                mine = np.array(arrays.control[field])[: len(creature.actuators), ..., k]
                np.testing.assert_allclose(mine, signals[field], atol=1e-15)
        assert [list(creature.actuators)[foot] for foot in arrays.feet[k]] == list(creature.feet)


def test_a_creature_has_the_same_bits_in_all_arrays():
    genotypes = creatures(2, 7)
    pattern = _pattern()
    names = [link.name for link in TEMPLATE.links[1:]]
    first = template_arrays(genotypes, TEMPLATE)
    world = World(
        with_values(TEMPLATE, one_of(parameters(first.figure), 0)),
        {name: JointSpring(damping=1.0, lower=-1.0, upper=1.0) for name in names},
        controller=Drive(pattern, {name: Servo(-1.0, 1.0, 1.0, 1.0) for name in names}, ()),
        contact="stepping",
        timing=Timing(0.01, 0.002),
    ).parametrised_by(tuple(parameters(TEMPLATE)))
    engine = Engine(world)
    together = engine.numbers(**first.numbers(world))
    for k, genotype in enumerate(genotypes):
        alone = template_arrays([genotype], TEMPLATE)
        assert (alone.q[0] == first.q[k]).all()
        assert (engine.numbers(**alone.numbers(world))[:, 0] == together[:, k]).all()


def _pattern() -> Spectral:
    genes = Spectral.genes_of(PatternShape(LINKS))
    return Spectral.of_genes(PatternShape(LINKS), [gene.lower for gene in genes])


def test_a_body_that_does_not_fit_is_refused():
    rng = np.random.default_rng(3)
    with pytest.raises(EvolveError, match="12 links does not fit in 9 slots"):
        template_arrays([space_of("hexapod").random(rng)], TEMPLATE)
    with pytest.raises(EvolveError, match="take one of spectral, sinusoid"):
        template_arrays(creatures(4, 1, "recurrent"), TEMPLATE)
    with pytest.raises(EvolveError, match="group them by both"):
        template_arrays([*creatures(5, 1), *creatures(5, 1, "sinusoid")], TEMPLATE)
