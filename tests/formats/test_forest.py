"""Models combined into a forest: each accelerates as it does alone."""

from dataclasses import replace

import numpy as np
import pytest
from link_accelerations import accelerations
from model_files import random_model

from gambol.errors import FigureError
from gambol.figure import make_forest
from gambol.formats import Model, combine_models


def loose(seed: int) -> Model:
    """Return a random model without loops, which no random initial state would close."""
    given = random_model(seed)
    return replace(given, figure=replace(given.figure, constraints=()), gravity=(0.1, 0.2, -9.0))


def test_links_accelerate_as_they_do_alone():
    members = {"a": loose(1), "b": loose(2), "c": loose(1)}
    forest = accelerations(combine_models("forest", members))
    for key, member in members.items():
        for name, alone in accelerations(member).items():
            np.testing.assert_allclose(forest[f"{key}/{name}"], alone, rtol=1e-9, atol=1e-9)


def test_springs_motors_and_starts_follow_their_links():
    one, other = loose(1), loose(2)
    forest = combine_models("forest", (one, other))
    first, second = one.figure.name, other.figure.name
    assert forest.figure == make_forest("forest", (one.figure, other.figure))
    assert {f"{first}/{name}": s for name, s in one.springs.items()}.items() <= forest.springs.items()
    assert (forest.q, forest.v) == (one.q + other.q, one.v + other.v)
    assert [motor.name for motor in forest.motors][-1] == f"{second}/{other.motors[-1].name}"
    assert forest.motors[0].joint == f"{first}/{one.motors[0].joint}"
    assert forest.ground == (one.ground or other.ground)


def test_members_move_through_one_medium():
    wet, dry = (replace(loose(1), density=density) for density in (1000.0, 0.0))
    assert combine_models("forest", (wet, wet)).density == 1000.0
    with pytest.raises(FigureError, match='members of "forest" have different media'):
        combine_models("forest", (wet, dry))


def test_members_with_different_gravity_are_refused():
    with pytest.raises(FigureError, match='members of "forest" have different gravity'):
        combine_models("forest", (loose(1), random_model(2)))
