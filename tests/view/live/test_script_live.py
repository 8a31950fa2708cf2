"""The page of a script simulates its last segment, after the last command that changes its world or its state."""

import numpy as np
import pytest
from invoked import invoke

from gambol import Engine, read_script
from gambol.world import State

SCRIPT = """
addworld room
ground off
dt 0.001
iter 5
addcorpus arm
get shoulder unit_cube
scale shoulder 0.1 0.1 0.1
addbody shoulder shoulder 0 0 1 rotary 1000
setroot shoulder
get upper unit_cube
scale upper 0.04 0.04 0.3
move upper 0 0 -0.15
addbody upper upper 0 1 0 rotary 1000
linkbodies shoulder upper
corpusinit
rootmotion fixed
joint upper ea 4
joint upper eB 3
joint upper b 0.2
joint upper e_q -1
"""
TIMED = "alarm 0.1 joint upper e_q -0.5\ngo 10\ngo 50\n"
DROP_PAGE = "player.renderer.setAnimationLoop(null)"
RESOLUTION = 2.0**-15  # of films in pages, in figure sizes


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("script") / "arm.corpus"
    path.write_text(SCRIPT + TIMED)
    return path


@pytest.fixture(scope="module")
def page(open_page, script):
    result = invoke("run", script, "--out", script.parent)
    assert result.exit_code == 0, result.output
    assert "plays the film only" not in result.output
    return open_page(script.parent / "arm.html", width=900, height=500)


def test_the_page_begins_after_the_last_command_that_changes_the_world(page):
    """That at 0.1 s; the second "go" changes nothing, so it begins no segment."""
    page.run("pause()", "reset()")
    assert page.page.evaluate("gambol.time") == pytest.approx(0.1, abs=1e-12)
    assert "the page simulates from 0.1 s on" in page.page.inner_text("#facts")
    assert not page.errors


def test_it_has_the_bits_of_the_run_and_coincides_with_its_film(page, script):
    _, first = read_script(script).run_with_start(script.parent / "again")
    state = State(first.world, first.rows.copy())
    Engine(first.world, lanes=1).advance(state, 300)
    page.page.evaluate(DROP_PAGE)
    np.testing.assert_array_equal(page.run("pause()", "reset()", "step(200)"), state.rows[:, 0])
    assert page.gap() < 2.0 * RESOLUTION


def test_the_film_shows_what_was_before_and_continues_in_the_simulation(page):
    page.page.reload()
    page.wait("!!window.gambol && document.getElementById('scrub').max > 0.1")
    page.page.evaluate("""{
      const scrub = document.getElementById("scrub");
      scrub.value = 0.05;
      scrub.dispatchEvent(new Event("input"));
    }""")
    page.wait(
        "player.showsFilm === true && player.recorded.time === 0.05 && !player.recorded.playing && !gambol.playing"
    )
    bend = "2 * Math.acos(Math.abs(player.bodies[0][1].quaternion.w))"
    before = page.page.evaluate(bend)
    page.page.click("#play")
    page.wait("!player.showsFilm && gambol.playing && gambol.time > 0.1")
    assert page.page.evaluate("document.getElementById('shown').value") == "live"
    assert page.page.evaluate(bend) != before
    assert not page.errors


def test_a_script_without_timed_commands_lives_from_its_start(tmp_path):
    path = tmp_path / "arm.corpus"
    path.write_text(SCRIPT + "go 5\ngo 5\n")
    film, first = read_script(path).run_with_start(tmp_path)
    assert first.time[0] == 0.0
    assert film.duration == pytest.approx(0.05)


def test_a_script_with_a_command_that_sets_a_state_begins_there(tmp_path):
    path = tmp_path / "arm.corpus"
    path.write_text(SCRIPT + "go 5\njoint upper q 0.3\ngo 5\n")
    _, first = read_script(path).run_with_start(tmp_path)
    assert first.time[0] == pytest.approx(0.025)
    assert first.q[0].tolist() == [0.3]
