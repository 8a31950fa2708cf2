"""Copies of a figure beside it: they keep their settings, have the figure's time, and the bits of the processor."""

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import Engine, State, SurfaceProperties, World, start, write_live_page

HEIGHT = 0.3  # m
COPY = "Array.from(player.beside.copies[{}].live.state())"


@pytest.fixture(scope="module")
def world():
    feet = tuple(link.name for link in quadruped().links if link.name.endswith("shank"))
    return World(quadruped(), surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet))


@pytest.fixture(scope="module")
def opened(open_page, world, tmp_path_factory):
    path = tmp_path_factory.mktemp("beside") / "quadruped.html"
    page = open_page(write_live_page(world, path, state=start(world, position=(0.0, 0.0, HEIGHT))), width=900)
    page.unfold()
    return page


def native(world, steps):
    state = start(world, position=(0.0, 0.0, HEIGHT))
    Engine(world, lanes=1).advance(state, steps)
    return state.rows[:, 0]


def at_time_of(page, k):
    page.wait(f"player.beside.copies[{k}]?.busy === false")
    page.wait(f"player.beside.copies[{k}].live.controlSteps === gambol.controlSteps")
    return np.array(page.page.evaluate(COPY.format(k)))


def test_a_copy_keeps_its_settings_and_the_bits_of_the_processor(opened, world):
    opened.run("pause()", "reset()", "step(50)")
    opened.page.click("#beside")
    opened.wait("player.beside.copies.length === 1")
    opened.run("set('gravity', 1.62)")
    changed = opened.run("step(350)")
    copied = at_time_of(opened, 0)
    np.testing.assert_array_equal(copied, native(world, 400))
    assert np.abs(changed - copied).max() > 0.01
    assert opened.page.inner_text("#copies") == "left 1: first settings"
    opened.page.click("#beside")
    opened.wait("player.beside.copies.length === 2")
    assert "right 1: gravity = 1.62" in opened.page.inner_text("#copies")
    following = opened.run("step(100)")
    np.testing.assert_array_equal(at_time_of(opened, 1), following)
    drawn = "({ figures }) => figures.bodies[0][0].position.toArray().map((x) => x * player.film.size)"
    places = opened.page.evaluate(f"player.beside.copies.map({drawn})")
    beside = np.array(places)[:, :2] - np.array([State(world, r[:, None]).q[0, 4:6] for r in (copied, following)])
    assert np.linalg.norm(beside[0] - beside[1]) > 2.0 * opened.page.evaluate("player.film.size")


def test_copies_follow_a_new_start_and_go_away(opened, world):
    opened.run("pause()", "reset()")
    first = at_time_of(opened, 0)
    np.testing.assert_array_equal(first, native(world, 0))
    opened.run("step(30)")
    np.testing.assert_array_equal(at_time_of(opened, 0), native(world, 30))
    opened.page.click("#alone")
    assert opened.page.evaluate("player.beside.copies.length") == 0
    assert opened.page.inner_text("#copies") == ""
    assert not opened.errors
    assert set(opened.requests) <= {"file", "blob", "data"}
