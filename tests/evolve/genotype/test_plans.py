"""Body plans that can move as intended."""

import numpy as np
import pytest

from gambol.evolve.evaluate import evaluate_genotypes
from gambol.evolve.genotype import Control, Genotype, plan_named, to_json
from gambol.evolve.runs import Settings


def snake(steps: int) -> Settings:
    """Return the settings of a snake with a number of steps a second; the usual one is 360."""
    return Settings(body="snake", seconds=4.0, options={"task": {"trials": 1, "step": 1 / steps, "frame": 1 / 120}})


def wave(frequency: float, lead: float) -> Genotype:
    """Return a snake whose joints bend up and down, each a part of a cycle ahead of the last one; the neck is still."""
    body = plan_named("snake")
    signals = [(0.0, 0.9 * (k > 0), 0.0, 0.0, lead * k % 1.0, 0.0, 0.0) for k, _ in enumerate(body.limbs[0].segments)]
    return Genotype(body, Control(values=(frequency, *np.ravel(signals).tolist()), shifts=(0.0,)))


@pytest.mark.parametrize(("frequency", "steps"), [(1.5, 1440), (2.0, 1440), (2.5, 11520)])
def test_a_snake_inches_the_way_in_which_its_bends_run(frequency: float, steps: int) -> None:
    """Parts of the body that arch up are carried forward, as a caterpillar's: waves towards the head move it ahead.

    At 2.5 Hz errors of larger steps decide whether it falls over.
    """
    genotypes = [to_json(wave(frequency, lead)) for lead in (0.1, -0.1)]
    ahead, back = evaluate_genotypes(snake(steps), genotypes, [0, 0])
    assert ahead.terms["pace"] > 0.2
    assert back.terms["pace"] < -0.05
    assert ahead.terms["upright"] > 0.5
