"""Body plans that can move as intended."""

import numpy as np
import pytest

from gambol.evolve.evaluate import evaluate_genotypes
from gambol.evolve.genotype import Control, Genotype, plan_named, to_json
from gambol.evolve.runs import Settings

SNAKE = Settings(body="snake", seconds=4.0, options={"task": {"trials": 1, "step": 1 / 1440, "frame": 1 / 120}})
"""A quarter of the usual step: at 2 Hz and more a snake may fall over, depending on errors of large steps."""


def wave(frequency: float, lead: float) -> Genotype:
    """Return a snake whose joints bend up and down, each a part of a cycle ahead of the last one; the neck is still."""
    body = plan_named("snake")
    signals = [(0.0, 0.9 * (k > 0), 0.0, 0.0, lead * k % 1.0, 0.0, 0.0) for k, _ in enumerate(body.limbs[0].segments)]
    return Genotype(body, Control(values=(frequency, *np.ravel(signals).tolist()), shifts=(0.0,)))


@pytest.mark.parametrize("frequency", [1.5, 2.0, 2.5])
def test_a_snake_inches_the_way_in_which_its_bends_run(frequency: float) -> None:
    """Parts of the body that arch up are carried forward, as a caterpillar's: waves towards the head move it ahead."""
    ahead, back = evaluate_genotypes(SNAKE, [to_json(wave(frequency, lead)) for lead in (0.1, -0.1)], [0, 0])
    assert ahead.terms["pace"] > 0.2
    assert back.terms["pace"] < -0.05
    assert ahead.terms["upright"] > 0.5
