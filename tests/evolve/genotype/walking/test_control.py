"""The control stride: signals of whole bodies, the same bits in arrays, and a walk at the first try."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.control.patterns import Balanced
from gambol.errors import EvolveError
from gambol.evolve.evaluate import evaluate_genotypes
from gambol.evolve.evaluate.options import search_space
from gambol.evolve.genotype import Control, Genotype, grow, plan_named, to_json, topology_arrays
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import control_genes, pattern_of, with_neutral_control
from gambol.evolve.genotype.plans import ANIMALS
from gambol.evolve.genotype.walking.stride import Stride
from gambol.evolve.runs import Settings
from gambol.lanes import leaves


def pattern(body: str) -> Balanced:
    found = pattern_of(with_neutral_control(Genotype(plan_named(body), Control("stride"))))
    assert isinstance(found, Balanced)
    return found


@pytest.mark.parametrize("body", ANIMALS)
def test_right_limbs_are_half_a_cycle_later_with_mirrored_feedback(body: str):
    found, creature = pattern(body), grow(with_neutral_control(Genotype(plan_named(body))))
    names = list(creature.actuators)
    assert len(found.waves) == len(names)
    for name, one in zip(names, found.waves, strict=True):
        assert abs(one.wave.offset) + sum(one.wave.amplitudes) <= 1.0 + 1e-12
        if " left" in name:
            other = found.waves[names.index(name.replace(" left", " right"))]
            assert other.gains == (*one.gains[:2], *(-gain for gain in one.gains[2:]))
            shifts = [(b - a) % 1.0 for a, b in zip(one.wave.phases, other.wave.phases, strict=True)]
            assert [abs((shift + 0.25) % 1.0 - 0.25) for shift in shifts] == pytest.approx([0.5, 0.0, 0.5], abs=1e-9)


def test_signals_follow_the_trunk_and_stay_within_one():
    found = pattern("bird")
    numbers = found.numbers()

    def signals(up: tuple[float, float, float], velocity: tuple[float, float, float]) -> np.ndarray:
        return np.array(found.signals(numbers, (), Senses(1.3, up=up, velocity=velocity), 1.3, 0.01)[0])

    rest = signals((0.0, 0.0, 1.0), (found.speed, 0.0, 0.0))
    tilted = signals((0.01, -0.02, 1.0), (found.speed + 0.03, 0.04, 0.0))
    gains = np.array([one.gains for one in found.waves])
    inside = (np.abs(rest) < 0.7) & (np.abs(tilted) < 1.0)
    np.testing.assert_allclose((tilted - rest)[inside], (gains @ [0.01, 0.03, -0.02, 0.04])[inside], atol=1e-12)
    assert inside.sum() > len(rest) // 2
    assert np.abs(signals((9.0, 9.0, 0.0), (99.0, 99.0, 0.0))).max() == 1.0


def test_a_creature_has_the_same_bits_in_arrays_and_beside_other_bodies():
    space, rng = space_of("dog", Control("stride"), fixed=True), np.random.default_rng(0)
    genotypes = [space.random(rng) for _ in range(5)]
    wider = space_of("dog", Control("stride"))
    others = [wider.mutated(genotypes[2], 0.5, rng) for _ in range(2)]
    alone = leaves(pattern_of(genotypes[2]).numbers())
    for row, k in ((genotypes, 2), ([genotypes[2], *others], 0)):
        together = leaves(topology_arrays(row).control)
        assert [float(np.broadcast_to(x, len(row))[k]) for x in together] == alone


def test_feet_of_a_trot_stand_for_half_the_stride_or_less_and_land_in_diagonal_pairs():
    """Feet of a pair land half a stride apart, so with a lag of half a stride those of a diagonal land together."""
    space, rng = space_of("dog", Control("trot"), fixed=True), np.random.default_rng(1)
    for _ in range(20):
        genotype = space.random(rng)
        stride = Stride(*genotype.control.values)
        assert stride.duty <= 0.52
        assert abs(stride.lag - 0.5) <= 0.06 + 1e-12
        assert isinstance(pattern_of(genotype), Balanced)


def test_a_trot_needs_two_pairs_of_legs():
    with pytest.raises(EvolveError, match='the control "trot" needs two pairs of legs; this body has 3'):
        control_genes(plan_named("beetle"), Control("trot"))


def test_a_body_without_a_pair_of_legs_is_refused():
    with pytest.raises(EvolveError, match='the control "stride" needs a pair of legs'):
        control_genes(plan_named("snake"), Control("stride"))


def test_the_middle_of_all_genes_walks_a_lizard_with_feet_that_take_turns():
    options = {"motor": "hill", "frequencies": "walk"}
    settings = Settings("natural", "lizard", "stride", seconds=5.0, trials=2, options=options)
    space = search_space(settings)
    genotype = with_neutral_control(replace(space.plan))
    (outcome,) = evaluate_genotypes(settings, [to_json(genotype)], [1])
    assert outcome.valid
    assert outcome.terms["upright"] > 0.98
    assert outcome.terms["at_froude"] > 0.2
    assert outcome.terms["animal alternation"] == outcome.terms["animal duty factor"] == 1.0
    assert outcome.terms["dragging"] < 0.05
