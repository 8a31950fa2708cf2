"""The page of `gambol walk NAME --live`: the creature lives, with the film of its walk."""

import webbrowser

from invoked import invoke


def test_a_walk_can_live_and_coincides_with_its_film(open_page, tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(webbrowser, "open", shown.append)
    result = invoke("walk", "passive-walker", "--live", "--open", "--seconds", "0.2", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    path = tmp_path / "passive-walker.live.html"
    assert f"wrote {path}" in result.output
    assert shown == [path.resolve().as_uri()]
    page = open_page(path)
    page.page.evaluate("player.renderer.setAnimationLoop(null)")
    page.run("pause()", "reset()")
    page.page.evaluate("gambol.step(Math.round(0.15 / gambol.dt))")
    gap = """(() => {
      const { recorded } = player, metres = (film, body) => body.position.clone().multiplyScalar(film.size);
      recorded.show(gambol.time, true);
      player.draw(0);
      const lived = player.bodies[0].map((body) => metres(player.film, body));
      const gaps = recorded.bodies[0].map((body, l) => metres(recorded.film, body).distanceTo(lived[l]));
      return Math.max(...gaps) / player.film.size;
    })()"""
    assert page.page.evaluate(gap) < 2.0**-15  # the resolution of films in pages
    assert page.page.evaluate("player.recorded.figures.group.visible")
    assert not page.errors
    page.page.close()


def test_a_page_of_all_creatures_does_not_live(tmp_path):
    result = invoke("walk", "--all", "--live", "--out", tmp_path)
    assert result.exit_code == 2
    assert "--all: videos, exports, plots and live pages are of one creature" in result.output
    assert not list(tmp_path.iterdir())
