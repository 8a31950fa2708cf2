"""All creatures by name: their rows, and worlds in which they start."""

import numpy as np
import pytest

from gambol.creatures.table import CREATURES
from gambol.world import start


@pytest.mark.parametrize("entry", CREATURES.values(), ids=CREATURES.keys())
def test_every_creature_starts_upright_in_a_world_of_its_own(entry):
    world = entry.world()
    state = start(world)
    assert np.isfinite(state.q).all()
    assert world.controller is not None or entry.name == "passive-walker"
    assert world.initial.q
    assert entry.trunk in {link.name for link in world.figure.links}
    assert len(entry.summary) > 20


def test_names_are_lower_case_words():
    assert all(name == name.lower() and name.replace("-", "").isalnum() for name in CREATURES)
