"""Legs that are cut off in a live page: they vanish, and the rest moves as a figure that never had this leg."""

import json
from functools import partial

import numpy as np
import pytest
from quadrupeds import quadruped, with_light_leg, without_leg
from worlds import touch

from gambol import Engine, State, SurfaceProperties, Timing, World, make_world, roach, start, write_live_page
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.view.live.disturbance import disturbable
from gambol.view.live.limbs import limbs_of
from gambol.view.live.number_file import changed_inputs
from gambol.world.context import LEDGER_SIGNS
from gambol.world.cuts import REMAINS

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
LEG, LIMB, SWITCH = "right fore thigh", "right fore", '[id="number attached right fore"]'
TIMES, ROUNDING = 2.0**10, 1e-12  # see tests/world/test_cuts.py
FLIGHT, STEPS, HEIGHT = 20, 160, 0.28  # ms; it lands after 40 ms
HIDDEN = "player.figures.bodies[0].map((body, link) => (body.visible ? -1 : link)).filter((link) => link >= 0)"


def world_of(figure):
    feet = tuple(x.name for x in figure.links if x.name.endswith("shank") and x.parts[0].colliding)
    surface = SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet)
    return World(figure, surface=surface, timing=Timing(1e-3, 1.25e-4, "rk4"))


@pytest.fixture(scope="module")
def world():
    return world_of(quadruped())


@pytest.fixture(scope="module")
def opened(open_page, world, tmp_path_factory):
    first = start(world, position=(0.0, 0.0, HEIGHT))
    page = open_page(write_live_page(world, tmp_path_factory.mktemp("cut") / "quadruped.html", state=first), width=800)
    page.page.evaluate(DROP_PAGE)
    page.unfold()
    page.run("pause()", "reset()")
    return page


def native(world, steps, numbers=None):
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, HEIGHT))
    engine.advance(state, steps, numbers)
    return state


def leg_energy(world):
    """The energy of the leg while all of the figure falls freely from rest: that of its height at the start [J]."""
    energies = [
        np.sum(Engine(w, lanes=1).observe(native(w, 0)).potential)
        for w in (world, world_of(without_leg(quadruped(), LEG)))
    ]
    return float(energies[0] - energies[1])


def without_ledger(world, rows):
    """The rows of a state of world.figure without those of the ledger."""
    state = State(world, np.arange(float(len(rows)))[:, None]).step_state
    return np.delete(rows, [int(getattr(state.ledger, name)[0]) for name in LEDGER_SIGNS])


def test_limbs_are_legs_of_a_gait_or_what_hangs_on_a_trunk():
    assert limbs_of(make_world(roach()))["middle left"] == "leg_ml0"
    assert limbs_of(world_of(quadruped())) == {
        f"{side} {end}": f"{side} {end} thigh" for side in ("left", "right") for end in ("fore", "hind")
    }


def test_limbs_without_shared_words_have_the_name_of_their_first_link():
    part = (Part(Sphere(0.1), density=1e3),)
    hip = Joint("revolute", (0.0, 1.0, 0.0))
    links = [Link("trunk", None, Joint("free"), part)]
    for upper, lower in (("arm 1", "arm 2"), ("arm 3", "arm 4"), ("thigh", "shank"), ("tail 1", "tail 2")):
        links += [Link(upper, "trunk", hip, part), Link(lower, upper, hip, part)]
    assert limbs_of(World(Figure("walker", tuple(links)))) == {
        "arm 1": "arm 1",
        "arm 3": "arm 3",
        "thigh": "thigh",
        "tail": "tail 1",
    }


def test_a_leg_that_is_cut_off_vanishes_and_carries_nothing(opened, world):
    """The bits are those of the processor; the ledger has the energy that goes with the leg."""
    opened.run("reset()", f"step({FLIGHT})")
    opened.page.locator(SWITCH).uncheck()
    opened.wait(f"{HIDDEN}.length > 0")
    links = [link.index - 1 for link in world.figure.subtree(world.figure.link(LEG).index)]
    assert opened.page.evaluate(HIDDEN) == links
    cut = disturbable(world)
    engine, moved = Engine(cut, lanes=1), State(cut, native(world, FLIGHT).rows.copy())
    rows = opened.run("step(0)")
    gained = float(State(cut, rows[:, None]).step_state.ledger.outside[0] - moved.step_state.ledger.outside[0])
    assert gained == pytest.approx(-leg_energy(world), rel=1.0 / TIMES)
    numbers = engine.numbers(gravity=(0.0, 0.0, -9.81), cuts={**cut.numbers()["cuts"], LEG: 1.0})
    engine.advance(moved, STEPS, numbers)
    rows = opened.run(f"step({STEPS - FLIGHT})")
    np.testing.assert_array_equal(without_ledger(cut, rows), without_ledger(cut, moved.rows[:, 0]))


def test_the_rest_moves_as_a_figure_without_this_leg(opened, world):
    """To what is left of the leg's mass: a leg of a thousand times this mass, made without cuts, changes as much."""
    less, light = (
        world_of(make(quadruped(), LEG)) for make in (without_leg, partial(with_light_leg, fraction=TIMES * REMAINS))
    )
    expected, lightest, rows = (
        native(less, STEPS),
        native(light, STEPS),
        opened.run("reset()", f"set({json.dumps('attached ' + LIMB)}, 0)", f"step({STEPS})"),
    )
    here, there = (
        [k for link in less.figure.links for k in range(*w.figure.link(link.name).q.indices(99))] for w in (world, less)
    )
    difference = np.abs(lightest.q[0, here] - expected.q[0, there]).max()
    np.testing.assert_allclose(rows[here], expected.q[0, there], rtol=0.0, atol=2.0 * difference / TIMES + ROUNDING)
    assert abs(rows[6] - native(world, STEPS).q[0, 6]) > 1e-3


def test_a_limb_can_be_put_back(opened, world):
    opened.page.locator(SWITCH).check()
    opened.wait(f"gambol.settings.values.size === 0 && {HIDDEN}.length === 0")
    np.testing.assert_array_equal(opened.run("reset()", "step(100)"), native(world, 100).rows[:, 0])


def test_the_file_of_numbers_of_a_page_cuts_the_leg_off_a_world_of_its_own(world):
    state, numbers = changed_inputs(start(world, position=(0.0, 0.0, HEIGHT)), None, {f"cuts.{LEG}": 1.0})
    Engine(state.world, lanes=1).advance(state, STEPS, numbers)
    whole = native(world, STEPS)
    assert abs(state.q[0, 6] - whole.q[0, 6]) > 1e-3
