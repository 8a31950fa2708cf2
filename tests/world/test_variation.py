"""Random inputs by name: worlds weigh, slide and fall as their own numbers say."""

import math

import numpy as np
import pytest

import gambol
from gambol.errors import FigureError, WorldError
from gambol.figure import Box, Figure, Joint, Link, MassProperties, Part
from gambol.sensing import ContactForce
from gambol.world import Engine, input_names, mass_parameters, run, start, varied_numbers

PART = Part(Box((0.4, 0.3, 0.2)), density=500.0)
BLOCK = Figure("block", (Link("block", None, Joint("free"), (PART,)),))
WORLDS = 6


def test_worlds_weigh_and_slide_by_numbers_of_their_own():
    """The ground carries m g of each world, and a block that slides on it decelerates by mu g."""
    names = mass_parameters(BLOCK)
    assert names[:2] == ("block.mass", "block.inertia.xx")
    world = gambol.make_world(BLOCK, parameters=names, sensors={"push": ContactForce("block")})
    factors = {"parameters.block.*": (0.5, 2.0), "touch.friction": (0.25, 1.0)}
    numbers = varied_numbers(world, WORLDS, factors, seed=3)
    engine = Engine(world)
    mass = numbers[engine.number_rows["parameters"]["block.mass"]]
    friction = numbers[engine.number_rows["touch"].friction]
    assert (mass >= 0.5 * BLOCK.mass).all()
    assert (mass <= 2.0 * BLOCK.mass).all()
    assert len(set(mass)) == WORLDS
    film = run(world, start(world, WORLDS), 0.5, rate=10.0, numbers=numbers)
    np.testing.assert_allclose(film.signals["sensor push"][-1, :, 2], mass * 9.81, rtol=1e-3)
    sliding = start(world, WORLDS, v=[0.0, 0.0, 0.0, 3.0, 0.0, 0.0])
    run(world, sliding, 0.3, rate=20.0, numbers=numbers)
    np.testing.assert_allclose(sliding.v[:, 3], 3.0 - friction * 9.81 * 0.3, atol=5e-3)  # 0.2 percent of the speed


def test_single_steps_take_the_numbers_of_each_world():
    """A step is the same as that of run() with these numbers; commands are set in addition."""
    world = gambol.make_world(BLOCK)
    numbers = varied_numbers(world, WORLDS, {"touch.friction": (0.25, 1.0)}, seed=3)
    state = sliding = start(world, WORLDS, v=[0.0, 0.0, 0.0, 3.0, 0.0, 0.0])
    for _ in range(24):
        state = gambol.step(world, state, numbers=numbers)
    run(world, sliding, 0.1, rate=20.0, numbers=numbers)
    np.testing.assert_array_equal(state.v, sliding.v)
    assert len(set(state.v[:, 3])) == WORLDS
    with pytest.raises(WorldError, match="varied_numbers"):
        gambol.step(world, state, numbers=numbers[:-1])


def test_the_same_seed_gives_the_same_numbers_and_other_inputs_stay():
    world = gambol.make_world(BLOCK)
    one, again, other = (varied_numbers(world, WORLDS, {"touch.friction": (0.5, 1.0)}, seed=k) for k in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    row = Engine(world).number_rows["touch"].friction
    assert (one[row] != other[row]).all()
    unchanged = np.delete(one, row, axis=0)
    np.testing.assert_array_equal(unchanged, np.repeat(unchanged[:, :1], WORLDS, axis=1))
    assert "touch.friction" in input_names(world)


def test_a_given_mass_varies_with_its_inertia():
    inertia = ((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.2))
    given = Figure(
        "given", (Link("given", None, Joint("free"), (PART,), MassProperties(2.0, (0.0, 0.0, 0.0), inertia)),)
    )
    names = mass_parameters(given, "given")
    assert names[:2] == ("given.mass", "given.inertia.xx")
    world = gambol.make_world(given, parameters=names)
    numbers = varied_numbers(world, 3, {"parameters.given.*": (0.5, 1.5)})
    rows = Engine(world).number_rows["parameters"]
    np.testing.assert_allclose(numbers[rows["given.inertia.xx"]] / 0.1, numbers[rows["given.mass"]] / 2.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("factors", "text"),
    [
        ({"touch.frictoin": (0.5, 1.0)}, 'no input "touch.frictoin" that may vary; did you mean "touch.friction"'),
        ({"touch.friction": (1.0, 0.5)}, "are from 1.0 to 0.5; give two finite numbers in order"),
        ({"touch.friction": (0.5, math.inf)}, "give two finite numbers"),
    ],
)
def test_impossible_variations_are_refused(factors: dict[str, tuple[float, float]], text: str):
    with pytest.raises(WorldError, match=text):
        varied_numbers(gambol.make_world(BLOCK), 2, factors)


def test_unknown_links_and_no_worlds_are_refused():
    with pytest.raises(FigureError, match='"blok"'):
        mass_parameters(BLOCK, "blok")
    with pytest.raises(WorldError, match="give at least one"):
        varied_numbers(gambol.make_world(BLOCK), 0, {})
