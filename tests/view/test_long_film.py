"""A page of ten minutes of walking: its size, and its pose at any time."""

import time

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from gambol import write_page
from gambol.cli.walk.creature import prepare_walk, simulate
from gambol.cli.walk.creature_request import CreatureRequest

MAX_BYTES = 10_000_000
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.mark.slow  # the walk takes 7 s of processor time, and its page some more
def test_ten_minutes_of_a_walk_are_less_than_ten_megabytes_and_any_time_is_shown(tmp_path, browser_path):
    film, _ = simulate(prepare_walk(CreatureRequest("cat", seconds=600.0)), lambda done, frames: None)
    assert film.time[-1] == 600.0
    path = write_page(film, tmp_path / "long.html")
    assert path.stat().st_size < MAX_BYTES
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 300, "height": 200})
        page.goto(path.as_uri())
        end = time.monotonic() + 120.0
        while not page.evaluate("!!window.player"):
            assert time.monotonic() < end
            time.sleep(0.1)
        page.evaluate("player.renderer.setAnimationLoop(null)")
        unit, rate, frames = page.evaluate("[player.film.unit, player.film.rate, player.film.frames]")
        assert rate > 10.0  # frames/s: long films have fewer
        for frame in (frames - 1, 7, frames // 3, frames // 2):  # unit: of the whole numbers in the page [m]
            page.evaluate(f"player.seek({frame / rate}); player.draw(0);")
            places = page.evaluate(
                "player.bodies[0].map((body) => body.position.toArray().map((x) => x * player.film.size))"
            )
            expected = film.at_times(np.array([frame / rate])).position[0, 0]
            np.testing.assert_allclose(places, expected, atol=unit)
        browser.close()
