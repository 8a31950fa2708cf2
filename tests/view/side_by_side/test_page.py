"""Creatures side by side in a page: each has the bits of its own world, in its place and its size."""

import time

import numpy as np
import pytest
from playwright.sync_api import sync_playwright
from quadrupeds import quadruped
from worlds import touch

from gambol import Engine, State, SurfaceProperties, World, random_hills, start
from gambol.errors import GambolError
from gambol.view.live.hand import with_wrenches
from gambol.view.side_by_side import PlacedCreature, write_side_by_side

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
HEIGHTS = {"low": 0.25, "high": 0.3}
SCALE, PLACE = 3.0, (0.5, 2.0)
"""Of the creature "high"."""


@pytest.fixture(scope="module")
def world():
    figure = quadruped()
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    return World(figure, surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet))


@pytest.fixture(scope="module")
def creatures(world):
    places = {"low": (1.0, (0.0, 0.0)), "high": (SCALE, PLACE)}
    return {
        name: PlacedCreature(start(world, position=(0.0, 0.0, height)), *places[name])
        for name, height in HEIGHTS.items()
    }


@pytest.fixture(scope="module")
def page(browser_path, creatures, tmp_path_factory):
    path = write_side_by_side("both", creatures, tmp_path_factory.mktemp("page") / "both.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 600, "height": 500})
        errors, requests = [], []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url.partition(":")[0]))
        page.goto(path.as_uri())
        wait(page, "!!window.gambol && gambol.fused !== null")
        yield page
        assert not errors
        assert set(requests) <= {"file", "blob", "data"}
        browser.close()


def wait(page, condition):
    end = time.monotonic() + 60.0
    while not page.evaluate(condition):
        assert time.monotonic() < end, (condition, page.inner_text("#error"))
        time.sleep(0.05)


def run(page, *calls):
    """Await calls of window.gambol; return the states of all creatures by name."""
    body = "".join(f"await gambol.{call};" for call in calls)
    names = ", ".join(f"{name}: Array.from(gambol.state('{name}'))" for name in HEIGHTS)
    return {
        name: np.array(rows)
        for name, rows in page.evaluate(f"(async () => {{ {body} return {{ {names} }}; }})()").items()
    }


def native(creature, steps):
    """Rows of a creature's state after some control steps, computed by the processor in one lane."""
    engine = Engine(with_wrenches(creature.state.world), lanes=1)
    state = State(engine.world, creature.state.rows.copy())
    engine.advance(state, steps, engine.numbers())
    return state.rows[:, 0]


def test_all_creatures_move_and_a_pause_stops_them(page):
    wait(page, "gambol.time > 0")
    held = run(page, "pause()")
    time.sleep(0.3)
    again = run(page)
    for name in HEIGHTS:
        np.testing.assert_array_equal(held[name], again[name])
    page.click("#play")
    wait(page, f"gambol.time > {page.evaluate('gambol.time')}")


def test_each_creature_has_the_bits_of_the_processor(page, creatures):
    rows = run(page, "pause()", "reset()", "step(400)")
    for name, creature in creatures.items():
        expected = native(creature, 400)
        np.testing.assert_array_equal(rows[name], expected)
        assert np.sum(State(creature.state.world, expected[:, None]).step_state.ledger.impact) > 0.0  # it has landed


def test_a_time_can_be_returned_to_and_goes_on_with_the_same_bits(page, creatures):
    later = run(page, "pause()", "reset()", "step(300)")
    dt = creatures["low"].state.world.timing.control_step
    earlier = run(page, f"seek({100 * dt})")
    for name, creature in creatures.items():
        np.testing.assert_array_equal(earlier[name], native(creature, 100))
    assert page.evaluate("gambol.latestTime") == pytest.approx(300 * dt)
    again = run(page, "step(200)")
    for name in HEIGHTS:
        np.testing.assert_array_equal(again[name], later[name])


def test_a_creature_is_drawn_in_its_size_at_its_place(page, creatures, world):
    rows = run(page, "pause()", "reset()", "step(50)")
    page.evaluate("player.draw(0)")
    links = len(world.figure.links)
    for name, first in (("low", 0), ("high", links)):
        each = creatures[name]
        state = State(world, rows[name][:, None])
        root = np.array(Engine(world).observe(state).positions, float).reshape(-1, 3)[0]
        drawn = page.evaluate(f"player.bodies[0][{first}].position.toArray().map((x) => x * player.film.size)")
        np.testing.assert_allclose(drawn, each.scale * root + np.array([*each.place, 0.0]), atol=1e-6)


def test_the_hand_pulls_one_creature_in_lengths_of_the_scene_and_the_others_do_not_notice(page, creatures, world):
    trunk = world.figure.links[0].name
    target = (PLACE[0], PLACE[1], SCALE * 0.6)
    rows = run(page, "pause()", "reset()", f"grab('high/{trunk}', [0, 0, 0], {list(target)})", "step(600)")
    np.testing.assert_array_equal(rows["low"], native(creatures["low"], 600))
    hand = page.evaluate("gambol.hand")
    np.testing.assert_allclose(hand["target"], target)
    assert hand["link"] == len(world.figure.links)
    state = State(world, rows["high"][:, None])
    root = np.array(Engine(world).observe(state).positions, float).reshape(-1, 3)[0]
    sag = 0.05 * 0.6  # the spring sinks by 0.05 of the figure's size, which is at most this high
    np.testing.assert_allclose(root, [0.0, 0.0, 0.6], atol=2.0 * sag)
    run(page, "release()")
    assert page.evaluate("gambol.hand") is None


def test_a_push_moves_the_chosen_creature_only(page, creatures):
    still = native(creatures["low"], 60)
    page.click("#names button:nth-child(2)")
    assert page.locator("#names button[aria-pressed='true']").inner_text() == "high"
    run(page, "pause()", "reset()")
    page.click("#push")
    rows = run(page, "step(60)")
    np.testing.assert_array_equal(rows["low"], still)
    assert not np.array_equal(rows["high"], native(creatures["high"], 60))
    page.click("#reset")
    assert page.locator("#names button[aria-pressed='true']").count() == 0


def test_all_creatures_are_in_the_picture_with_their_names(page):
    run(page, "pause()", "reset()")
    page.click("#reset")
    page.evaluate("player.draw(0)")
    inside = """player.bodies[0].every((body) => {
      const point = body.position.clone().project(player.camera);
      return Math.abs(point.x) < 1 && Math.abs(point.y) < 1;
    })"""
    assert page.evaluate(inside)
    assert page.locator("#labels span").all_inner_texts() == list(HEIGHTS)


def test_impossible_pages_are_refused_before_any_work(world, creatures, tmp_path):
    hills = World(world.figure, ground=random_hills(0.02, wavelength=0.2, half_width=2.0))
    for wrong, message in (
        ({}, "at least one creature"),
        ({"two": PlacedCreature(start(world, 2), 1.0, (0.0, 0.0))}, "2 worlds"),
        ({"one": PlacedCreature(start(world), 0.0, (0.0, 0.0))}, "more than 0"),
        ({"one": PlacedCreature(start(hills), 1.0, (0.0, 0.0))}, "not on level ground"),
    ):
        with pytest.raises(GambolError, match=message):
            write_side_by_side("wrong", wrong, tmp_path / "page.html")
    assert not list(tmp_path.iterdir())
