"""A page repeats control steps with more contacts than the capacity, as a run does.

If twice the capacity is not enough, it says so.
"""

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import Engine, State, Stepping, SurfaceProperties, World, start, write_live_page
from gambol.view.live.disturbance import disturbable
from gambol.world.capacity import GrowingCapacity

NOTE = "more contacts than this program has capacity for"
CAPACITY = 2


def falling(capacity):
    """The state of a quadruped that falls on its four feet. They touch the ground after 0.15 s."""
    figure = quadruped()
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    world = World(figure, surface=SurfaceProperties(touch(), feet), contact=Stepping(capacity))
    return start(world, position=(0.0, 0.0, 0.3))


@pytest.mark.parametrize(("capacity", "is_said"), [(1, True), (2, False), (4, False)])
def test_feet_that_land_without_capacity_are_told(open_page, tmp_path, capacity, is_said):
    """A program with twice the capacity is enough for four feet if the capacity is two."""
    state = falling(capacity)
    page = open_page(write_live_page(state.world, tmp_path / "page.html", state=state, grab=False))
    page.run("pause()", "reset()")
    page.wait(f"!document.getElementById('status').textContent.includes('{NOTE}')")  # in the air
    page.run(f"step({round(0.3 / state.world.timing.control_step)})")
    assert page.page.evaluate("gambol.rows[gambol.about.overCapacity] > 0") == is_said
    page.wait(f"document.getElementById('status').textContent.includes('{NOTE}') === {str(is_said).lower()}")


@pytest.fixture(scope="module")
def first():
    return falling(CAPACITY)


@pytest.fixture(scope="module")
def opened(open_page, first, tmp_path_factory):
    return open_page(write_live_page(first.world, tmp_path_factory.mktemp("capacity") / "page.html", state=first))


def test_repeated_steps_have_the_bits_of_a_run(opened, first):
    state = State(first.world, first.rows.copy())
    engine = Engine(first.world, lanes=1)
    GrowingCapacity(engine, engine.numbers()).advance(state, 1000)
    assert "with_more_contacts" in vars(engine), "no step exceeded the capacity"
    assert np.array_equal(opened.run("pause()", "reset()", "step(1000)"), state.rows[:, 0])


def test_a_pulled_figure_has_the_bits_of_the_same_wrenches(opened, first):
    """The trunk is pulled down and forward while the feet land, so that the disturbed program must repeat steps."""
    wrenches, rows = opened.page.evaluate("""(async () => {
      await gambol.pause();
      await gambol.reset();
      await gambol.grab("trunk", [0, 0, 0], [0.1, 0, 0.1]);
      const wrenches = [];
      for (let k = 0; k < 400; k++) {
        await gambol.step(1);
        wrenches.push(gambol.hand.wrench);
      }
      return [wrenches, Array.from(gambol.state())]; })()""")
    pulled = disturbable(first.world)
    engine, state = Engine(pulled, lanes=1), State(pulled, first.rows.copy())
    for k, wrench in enumerate(wrenches, start=1):
        pull = {**pulled.numbers()["wrenches"], "trunk": wrench}
        numbers = engine.numbers(wrenches=pull, gravity=(0.0, 0.0, -first.world.gravity))
        GrowingCapacity(engine, numbers).advance(state, k)
    assert "with_more_contacts" in vars(engine), "no step exceeded the capacity"
    np.testing.assert_array_equal(rows, state.rows[:, 0])
