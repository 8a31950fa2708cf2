"""The page of `gambol walk` and `gambol run`: it simulates a creature with a small program, and plays its film."""

import math
import re
import webbrowser
from importlib.resources import files
from pathlib import Path

import pytest
from invoked import invoke

from gambol.cli import pages
from gambol.world import Film

MODEL = Path(__file__).parents[3] / "examples" / "figures" / "monopod.toml"
RESOLUTION = 2.0**-15  # of films in pages, in figure sizes
DROP_PAGE = "player.renderer.setAnimationLoop(null)"


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("walked")
    result = invoke("walk", "passive-walker", "--seconds", "0.2", "--out", folder)
    assert result.exit_code == 0, result.output
    assert "plays the film only" not in result.output
    return folder / "passive-walker.html"


@pytest.fixture(scope="module")
def page(open_page, walked):
    return open_page(walked, width=900, height=500)


def test_a_live_walk_coincides_with_its_film(page):
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()")
    page.page.evaluate("gambol.step(Math.round(0.15 / gambol.dt))")
    assert page.gap() < RESOLUTION
    page.wait("player.recorded.figures.group.visible")  # from the next frame that the browser draws
    assert page.page.inner_text("h1").startswith("passive-walker: 0.20 s")
    assert not page.errors


def test_the_film_plays_alone_and_the_world_continues_from_where_it_was(page):
    """Two of its frames are those of the film, to the resolution of both."""
    page.run("pause()", "reset()", "step(40)")
    held = page.page.evaluate("gambol.time")
    page.page.select_option("#shown", "film")
    page.wait("player.showsFilm === true && player.recorded.playing")
    page.page.evaluate("player.recorded.draw(0.05)")
    assert page.page.evaluate("player.recorded.time") == pytest.approx(0.05)
    page.page.keyboard.press("r")
    page.page.keyboard.press(".")
    assert page.page.evaluate("player.recorded.time * player.recorded.film.rate") == pytest.approx(1.0)
    assert page.page.evaluate("player.recorded.playing") is False
    page.page.evaluate("player.recorded.draw(0); player.draw(0)")
    page.page.locator("#scrub").evaluate("(e) => { e.max = 1; e.value = 0.15; e.oninput({ target: e }); }")
    page.page.evaluate("player.recorded.draw(0); player.draw(0)")
    shown = page.page.evaluate("player.bodies[0].map((body) => body.position.toArray()).flat()")
    page.page.select_option("#shown", "live")
    page.wait("player.showsFilm === false && gambol.playing")
    assert page.page.evaluate("gambol.time") == held
    page.run("pause()", "reset()", "step(Math.round(0.15 / gambol.dt))")
    page.page.evaluate("player.draw(0)")
    lived = page.page.evaluate("player.bodies[0].map((body) => body.position.toArray()).flat()")
    assert lived == pytest.approx(shown, abs=2.0 * RESOLUTION)
    assert not page.errors


def test_the_numbers_that_a_page_saves_are_run(open_page, walked, tmp_path):
    """The film of the run has the motion of the page with the changed numbers."""
    page = open_page(walked, width=900, height=500)
    page.page.evaluate(DROP_PAGE)
    page.unfold()
    page.run("pause()", "reset()", "set('touch.friction', 0.05)", "step(Math.round(0.2 / gambol.dt))")
    with page.page.expect_download() as download:
        page.page.click("#numbers")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    result = invoke("run", saved, "--seconds", "0.2", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    page.page.evaluate("player.draw(0)")
    seen = page.page.evaluate(
        "player.bodies[0].map((body) => body.position.toArray().map((x) => x * player.film.size))"
    )
    film = Film.load(tmp_path / "passive-walker-changed.npz")
    assert seen == pytest.approx(film.position[-1, 0], abs=RESOLUTION * page.page.evaluate("player.film.size"))
    page.page.close()


def test_arrow_keys_steer_the_walk_of_the_roach_without_an_option(open_page, tmp_path):
    result = invoke("walk", "roach", "--seconds", "0.3", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    page = open_page(tmp_path / "roach.html", width=600, height=400)
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()", "step(Math.round(0.25 / gambol.dt))")
    assert page.gap() < RESOLUTION  # it walks as in the film
    page.page.keyboard.down("ArrowLeft")
    page.wait("gambol.settings.valueOf('turn') > 0")
    before = page.run("step(0)")
    after = page.run("step(Math.round(0.2 / gambol.dt))")
    page.page.keyboard.up("ArrowLeft")
    page.wait("gambol.settings.valueOf('turn') === 0")
    headings = [2.0 * math.atan2(rows[3], rows[0]) for rows in (before, after)]
    assert headings[1] - headings[0] > 0.05
    assert not page.errors
    page.page.close()


def test_arrow_keys_steer_a_machine_whose_law_follows_a_course(open_page, tmp_path):
    """The page begins with the motion of the film; then it hops back, and the slider moves it to the side."""
    result = invoke("walk", "raibert-hopper-3d", "--speed", "0.5", "--seconds", "0.3", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    page = open_page(tmp_path / "raibert-hopper-3d.html", width=600, height=400)
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()", "step(Math.round(0.25 / gambol.dt))")
    assert page.gap() < RESOLUTION
    for _ in range(6):
        page.page.keyboard.press("ArrowDown")
    page.wait("gambol.settings.valueOf('speed') < -1")
    rows = [page.run("set('sideways', 1)", "step(Math.round(6 / gambol.dt))") for _ in range(2)]
    way = [rows[1][k] - rows[0][k] for k in (4, 5)]
    assert way[0] < -3.0  # in 6 s, at -1 m/s or faster
    assert way[1] > 3.0
    assert not page.errors
    page.page.close()


def test_a_figure_from_a_file_is_simulated_in_the_page_of_its_run(open_page, tmp_path):
    result = invoke("run", MODEL, "--seconds", "0.3", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    page = open_page(tmp_path / "monopod.html")
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()", "step(Math.round(0.25 / gambol.dt))")
    assert page.gap() < RESOLUTION
    page.page.close()


def test_an_evolved_creature_is_simulated_in_the_page_of_its_run(open_page, tmp_path):
    """In float32, with the numbers that its genes give to the program of its batch."""
    result = invoke("run", files("gambol.evolve.zoo") / "walker.toml", "--seconds", "0.3", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    page = open_page(tmp_path / "walker.html")
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()", "step(Math.round(0.25 / gambol.dt))")
    assert page.gap() < RESOLUTION
    page.page.close()


def test_a_page_can_be_opened_and_play_the_film_only(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    result = invoke("walk", "passive-walker", "--film", "--open", "--seconds", "0.1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    path = tmp_path / "passive-walker.html"
    assert shown == [path.resolve().as_uri()]
    assert 'id="live"' not in path.read_text()


@pytest.mark.parametrize(
    ("limit", "options", "reason"),
    [
        ("MAX_OPERATIONS", (), "operations, and its page is large; --live writes a page that simulates"),
        ("MAX_BYTES", (), r"it would have 0\.[56] MB; --live writes it"),
        (None, ("--camera", "orbit"), "it has the camera of --camera"),
        (None, ("--lanes", "2"), "a live page has one creature"),
    ],
)
def test_a_page_that_only_plays_the_film_has_a_note_with_the_reason(tmp_path, monkeypatch, limit, options, reason):
    if limit:
        monkeypatch.setattr(pages, limit, 1000)
    result = invoke("walk", "passive-walker", *options, "--seconds", "0.1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "passive-walker.html plays the film only: " in result.output
    assert re.search(reason, result.output)
    assert 'id="live"' not in (tmp_path / "passive-walker.html").read_text()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("walk", "--all"), "--all: videos, exports, plots and live pages are of one creature"),
        (("walk", "passive-walker", "--lanes", "2"), "--live: a live page has one creature; leave out --lanes"),
    ],
)
def test_what_cannot_live_is_refused_before_any_work(tmp_path, words, reason):
    result = invoke(*words, "--live", "--out", tmp_path)
    assert result.exit_code == 2
    assert reason in result.output
    assert not list(tmp_path.iterdir())
