"""A signal shifted in time is the same signal, earlier or later."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.control.controller import Senses
from gambol.evolve.genotype import Control, Genotype, control_genes
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.breeding.coding import phases_of, shift_signal
from gambol.evolve.genotype.genotype import pattern_of, with_neutral_control


@pytest.mark.parametrize("kind", ["spectral", "sinusoid"])
def test_a_signal_is_shifted_and_has_the_same_form(kind):
    rng = np.random.default_rng(0)
    genotype = space_of("snake", Control(kind)).random(rng)
    genes, values = control_genes(genotype.body, genotype.control), genotype.control.values
    moved = shift_signal(genes, values, 1.0, np.random.default_rng(1))
    ahead = 0.1 * float(np.random.default_rng(1).standard_normal())
    signals = [_signals(genotype, values, 50.0), _signals(genotype, moved, 50.0)]
    changed = [k for k in range(len(signals[0])) if signals[0][k] != signals[1][k]]
    assert len(changed) == 1
    number = 0 if kind == "spectral" else [gene.name for gene in genes].index(f"actuator {changed[0]} frequency")
    later = _signals(genotype, values, 50.0 + ahead / values[number])
    assert signals[1][changed[0]] == pytest.approx(later[changed[0]], abs=1e-9)


def _signals(genotype: Genotype, values: tuple[float, ...], time: float) -> list[float]:
    """The signals of a snake with other values of its control, long after its start [s]."""
    other = replace(genotype, control=replace(genotype.control, values=values))
    pattern = pattern_of(other)
    return pattern.signals(pattern.numbers(), pattern.memory(), Senses(time), time, 0.01)[0]


def test_networks_have_no_phases_to_move():
    genotype = with_neutral_control(Genotype(space_of("biped").plan.body, Control("recurrent")))
    genes = control_genes(genotype.body, genotype.control)
    assert phases_of(genes) == {}
    assert shift_signal(genes, genotype.control.values, 1.0, np.random.default_rng(0)) == genotype.control.values
