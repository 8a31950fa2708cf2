"""Ropes and nets as chains of links are simulated in their pages, with the bits of the processor."""

from pathlib import Path

import numpy as np
import pytest

from gambol import Engine, make_world, start, write_live_page

FIGURES = Path(__file__).parents[3] / "examples" / "figures"
STEPS = 200


@pytest.mark.parametrize("name", ["rope", "net"])
def test_a_page_has_the_bits_of_the_processor(open_page, tmp_path, name):
    world = make_world(FIGURES / f"{name}.toml")
    page = open_page(write_live_page(world, tmp_path / f"{name}.html", grab=False))
    state = start(world)
    Engine(world, lanes=1).advance(state, STEPS)
    np.testing.assert_array_equal(page.run("pause()", "reset()", f"step({STEPS})"), state.rows[:, 0])
    assert not page.errors
