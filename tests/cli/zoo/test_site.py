"""The command zoo: pages of creatures, those that live and those that play films, and the page that leads to them."""

import time

import numpy as np
from invoked import invoke
from playwright.sync_api import sync_playwright

from gambol import Engine, State
from gambol.cli.pages import MAX_BYTES
from gambol.cli.zoo.creatures import site_creatures
from gambol.cli.zoo.side_by_side import first_state
from gambol.creatures.animals import ANIMALS
from gambol.creatures.table import CREATURES
from gambol.evolve.zoo import CREATURES as EVOLVED
from gambol.view import opengl
from gambol.view.live.hand import with_wrenches


def test_the_zoo_has_all_creatures_that_come_with_gambol():
    names = [one.name for one in site_creatures()]
    assert {"roach", *CREATURES, *EVOLVED} <= set(names)
    assert len(names) == len(set(names))


def test_a_site_has_pages_that_live(tmp_path, monkeypatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    names = ("passive-walker", "robot-dog", "flag", "trampoline")
    result = invoke("zoo", *names, "--seconds", "0.1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "1 of 4: passive-walker" in result.output
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", *(f"{name}.html" for name in names)}
    assert all(path.stat().st_size < MAX_BYTES for path in tmp_path.iterdir())
    simulated = ['id="live"' in (tmp_path / f"{name}.html").read_text() for name in names]
    assert all(simulated)
    index = (tmp_path / "index.html").read_text()
    assert index.index("passive-walker.html") < index.index("trampoline.html")
    assert index.count("simulates, ") == len(names)
    assert "plays a film" not in index


def test_unknown_names_and_impossible_times_are_refused_before_any_work(tmp_path):
    for words, message in (
        (("roch",), 'NAME: "roch" is not in the zoo; did you mean "roach"'),
        (("roach", "--seconds", "0"), "--seconds: 0 is not possible"),
    ):
        result = invoke("zoo", *words, "--out", tmp_path / "site")
        assert result.exit_code == 2
        assert message in result.output
    assert not list(tmp_path.iterdir())


def test_animals_live_side_by_side_on_one_page(tmp_path, browser_path):
    """Each takes the steps of its own world with the bits of the processor."""
    result = invoke("zoo", "hound", "--side-by-side", "--seconds", "0.5", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert {path.name for path in tmp_path.iterdir()} == {"side-by-side.html"}
    steps = 120
    with sync_playwright() as play:
        page = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"]).new_page()
        page.goto((tmp_path / "side-by-side.html").as_uri())
        end = time.monotonic() + 60.0
        while not page.evaluate("!!window.gambol && gambol.fused !== null"):
            assert time.monotonic() < end, page.inner_text("#error")
            time.sleep(0.05)
        page.evaluate("player.renderer.setAnimationLoop(null)")  # to draw takes the time of the computation
        call = f"(async () => {{ await gambol.pause(); await gambol.reset(); await gambol.step({steps}); }})()"
        page.evaluate(call)
        rows = {name: np.array(page.evaluate(f"Array.from(gambol.state('{name}'))")) for name in ("hound",)}
    for name, found in rows.items():
        first = first_state(name)
        engine = Engine(with_wrenches(first.world), lanes=1)
        state = State(engine.world, first.rows.copy())
        engine.advance(state, steps, engine.numbers())
        np.testing.assert_array_equal(found, state.rows[:, 0])
        assert state.q[0, 4] - first.q[0, 4] > 0.1 * ANIMALS[name].height  # it walks


def test_only_animals_live_side_by_side(tmp_path):
    result = invoke("zoo", "roach", "--side-by-side", "--out", tmp_path)
    assert result.exit_code == 2
    assert 'NAME: "roach" is no animal that walks' in result.output
