"""A page computes the motion of a world with the bits of the processor, is driven by window.gambol, and asks nobody."""

import time
from dataclasses import replace

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import Engine, State, SurfaceProperties, World, random_hills, start, write_live_page
from gambol.errors import GambolError
from gambol.view.live.disturbance import disturbable
from gambol.view.live.numbers import number_names

STEPS = 1000
NAME = 'quad <img src=x onerror="window.harmed = true">'
HEIGHT = 0.3  # [m] of the root at the start: it falls, and touches the ground after 0.15 s
DROP_PAGE = "player.renderer.setAnimationLoop(null)"  # to draw in software takes the time of the computation


@pytest.fixture(scope="module")
def world():
    figure = replace(quadruped(), name=NAME)
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    return World(figure, surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet))


@pytest.fixture(scope="module")
def first(world):
    state = start(world, position=(0.0, 0.0, HEIGHT))
    state.rows[:4] = np.array([[1.0], [0.05], [0.02], [0.0]]) / np.sqrt(1.0029)
    return state


def native(world, first, steps, **changes):
    """Rows of the state after some control steps, computed by the processor in one lane."""
    engine, state = Engine(world, lanes=1), State(world, first.rows.copy())
    engine.advance(state, steps, engine.numbers(**changes))
    return state.rows[:, 0]


@pytest.fixture(scope="module")
def path(world, first, tmp_path_factory):
    return write_live_page(world, tmp_path_factory.mktemp("live") / "quadruped.html", state=first)


@pytest.fixture(scope="module")
def opened(open_page, path):
    return open_page(path)


def test_the_world_moves_without_requests_to_a_server(opened):
    opened.wait("gambol.time > 0")
    assert set(opened.requests) <= {"file", "blob", "data"}
    answer = "fetch('https://example.org').then(() => 'sent', () => 'refused')"
    assert opened.page.evaluate(answer) == "refused"
    assert not opened.errors


def test_a_pause_stops_the_time_and_the_button_continues(opened):
    opened.run("pause()")
    held = opened.page.evaluate("gambol.time")
    time.sleep(0.3)
    assert opened.page.evaluate("gambol.time") == held
    opened.page.click("#play")
    opened.wait(f"gambol.time > {held}")


def test_a_picture_of_a_paused_world_has_the_resolution_of_the_screen(opened):
    """While the world moves, a slow machine draws coarser pictures."""
    opened.run("pause()")
    opened.wait("player.canvas.width === Math.floor(player.canvas.clientWidth * devicePixelRatio)")
    opened.page.click("#play")
    opened.wait("gambol.playing")
    opened.run("pause()")
    opened.wait("player.canvas.width === Math.floor(player.canvas.clientWidth * devicePixelRatio)")


@pytest.mark.parametrize("fragment", ["", "#software-fma"])
def test_a_thousand_steps_have_the_bits_of_the_processor(open_page, path, world, first, fragment):
    """Also on a machine that does not fuse multiplication and addition."""
    page = open_page(path, fragment, width=100, height=100)
    page.page.evaluate(DROP_PAGE)
    rows = page.run("pause()", "reset()", f"step({STEPS})")
    expected = native(world, first, STEPS)
    assert page.page.evaluate("gambol.fused") == (fragment == "")
    np.testing.assert_array_equal(rows, expected)
    assert np.sum(State(world, expected[:, None]).step_state.ledger.impact) > 0.0  # it fell, and touched the ground
    assert page.page.evaluate("gambol.time") == pytest.approx(STEPS * world.timing.control_step)
    page.page.close()


def test_a_page_that_was_pulled_and_tilted_has_the_bits_of_its_world_again(opened, world, first):
    """Only while a body is pulled or the ground tilted the other program takes the steps."""
    disturbed = opened.run("pause()", "reset()", "set('slope', 5)", "step(300)")
    gravity = opened.page.evaluate(
        "['x', 'y', 'z'].map((axis) => gambol.numbers[gambol.about.numbers[`gravity.${axis}`]])"
    )
    angle = np.radians(5.0)
    np.testing.assert_allclose(gravity, [-9.81 * np.sin(angle), 0.0, -9.81 * np.cos(angle)], rtol=1e-15)
    np.testing.assert_array_equal(disturbed, native(disturbable(world), first, 300, gravity=tuple(gravity)))
    opened.run("grab('trunk', [0, 0, 0], [0, 0, 1])", "step(10)", "release()", "set('slope', 0)")
    np.testing.assert_array_equal(opened.run("reset()", "step(300)"), native(world, first, 300))
    pushed = opened.run("reset()", "push([3, 0, 0], 0.05)", "step(300)", "set('push[0]', 0)", "set('push[4]', 0)")
    push = world.numbers()["push"]
    push[0], push[4] = 3.0, 0.05
    np.testing.assert_array_equal(pushed, native(world, first, 300, push=push))


def test_a_world_on_hills_has_the_bits_of_the_processor(open_page, world, tmp_path):
    """The heights of the ground are a table in the memory of both programs."""
    hilly = replace(world, ground=random_hills(0.02, wavelength=0.2, half_width=2.0, seed=3))
    first = start(hilly, position=(0.3, 0.2, HEIGHT))
    path = write_live_page(hilly, tmp_path / "hills.html", state=first)
    page = open_page(path, width=100, height=100)
    page.page.evaluate(DROP_PAGE)
    np.testing.assert_array_equal(page.run("pause()", "reset()", "step(500)"), native(hilly, first, 500))
    page.page.close()


def test_a_number_that_is_set_changes_the_future_as_on_the_processor(opened, world, first):
    rows = opened.run("pause()", "reset()", "set('gravity', 3.5)", "step(400)")
    np.testing.assert_array_equal(rows, native(world, first, 400, gravity=3.5))
    rows = opened.run("set('gravity', 9.81)", "reset()", "step(0)")
    np.testing.assert_array_equal(rows, first.rows[:, 0])
    assert opened.page.evaluate("gambol.time") == 0


def test_a_slider_sets_its_number(opened, world, first):
    opened.run("pause()", "reset()")
    opened.unfold()
    opened.page.locator('[id="number gravity"]').fill("1.25")
    rows = opened.run("step(200)")
    np.testing.assert_array_equal(rows, native(world, first, 200, gravity=1.25))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("set('gravitas', 1)", '"gravitas" is not a number of this world; they are gravity'),
        ("set('gravity', NaN)", "gravity cannot be NaN"),
        ("step(-1)", "give a number of control steps"),
        ("step(1.5)", "give a number of control steps"),
    ],
)
def test_the_error_of_a_bad_call_names_what_would_be_right(opened, call, message):
    assert message in opened.page.evaluate(f"gambol.{call}.catch((error) => error.message)")


def test_the_name_of_a_figure_is_text(opened):
    assert opened.page.inner_text("h1") == NAME
    assert opened.page.evaluate("window.harmed === undefined")


def test_bad_arguments_are_refused_before_anything_is_written(world, first, tmp_path):
    two = State(world, np.repeat(first.rows, 2, axis=1))
    cases = (({"speed": 0.0}, "speed is 0.0"), ({"state": two}, "one world; this state has 2"),
              ({"numbers": np.zeros((3, 1))}, r"have shape \(\d+, 1\), not \(3, 1\)"))  # fmt: skip
    for options, match in cases:
        with pytest.raises(GambolError, match=match):
            write_live_page(world, tmp_path / "page.html", **options)
    assert not list(tmp_path.iterdir())


def test_numbers_are_named_in_the_order_of_their_rows():
    tree = {"gravity": 1.0, "push": [2.0, 3.0], "none": None, "joints": {"hip left": [{"k": 4.0}]}}
    assert list(number_names(tree)) == ["gravity", "push[0]", "push[1]", "joints.hip left[0].k"]
