"""One way to make a world, of a creature, a model, a figure or a file; it starts as its source does."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gambol.collide import NoGround
from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.make_world import make_world
from gambol.creatures.models import initial_state, world_of_model
from gambol.creatures.table import creature_entry
from gambol.errors import GambolError, WorldError
from gambol.figure import Box, Figure, Joint, Link, Part
from gambol.formats import read_figure
from gambol.world import start

FIGURES = Path(__file__).parents[2] / "examples" / "figures"


def test_a_creature_stands_as_in_a_world_of_its_own():
    creature = roach()
    state = start(make_world(creature), 3, jitter=0.01, seed=2)
    np.testing.assert_array_equal(state.rows, standing_state(creature, world_of(creature), 3, jitter=0.01, seed=2).rows)


def test_options_of_the_creature_and_of_the_world_are_accepted():
    world = make_world(roach(), speed=3.0, feet="sticky", gravity=3.7)
    assert world == replace(
        world_of(roach(), speed=3.0, feet="sticky"),
        gravity=3.7,
        initial=replace(world_of(roach(), speed=3.0, feet="sticky").initial, q=world.initial.q),
    )


@pytest.mark.parametrize("name", ["trapeze.toml", "four_bar.toml", "monopod.toml"])
def test_a_file_starts_as_its_model_does(name):
    model = read_figure(FIGURES / name)
    world = make_world(FIGURES / name)
    np.testing.assert_allclose(start(world).q, initial_state(model, world_of_model(model)).q, atol=1e-15)
    np.testing.assert_array_equal(start(world).v[0], model.v)


def test_a_figure_has_a_ground_and_stands_on_it_or_above():
    block = Figure("block", (Link("block", None, Joint("free"), (Part(Box((0.2, 0.2, 0.2))),)),))
    world = make_world(block)
    assert world.has_ground
    assert start(world).q[0][6] == pytest.approx(0.1)  # half its height
    assert isinstance(make_world(block, ground=NoGround()).ground, NoGround)


def test_unknown_options_are_refused():
    with pytest.raises(WorldError, match='there is no option "sped" of this world; did you mean "speed"'):
        make_world(roach(), sped=2.0)
    with pytest.raises(WorldError, match='there is no option "speed"'):
        make_world(FIGURES / "monopod.toml", speed=2.0)


def test_a_script_has_no_single_model():
    with pytest.raises(GambolError, match="is a script"):
        make_world(FIGURES.parent / "scripts" / "walk.corpus")


def test_creatures_are_known_by_their_names():
    world = make_world("raibert-hopper", speed=3.0, gravity=9.0)
    assert world.gravity == 9.0
    assert world.figure.name == creature_entry("raibert-hopper").world().figure.name
    assert make_world("roach").figure == make_world(roach()).figure
    with pytest.raises(WorldError, match='there is no option "sped" of this world; did you mean "speed"'):
        make_world("raibert-hopper", sped=1.0)


def test_a_name_that_no_creature_has_is_refused_with_a_similar_one():
    with pytest.raises(WorldError, match='no creature "geyer-her"; did you mean "geyer-herr"'):
        make_world("geyer-her")
    with pytest.raises(GambolError, match="there is no file"):
        make_world("roach.toml")
