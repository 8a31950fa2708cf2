"""A page of several creatures: its contents, and its use in a browser."""

import base64
import gzip
import json
import re
from dataclasses import replace

import pytest
from films import hexapod_film
from playwright.sync_api import sync_playwright

from gambol.errors import GambolError
from gambol.view import GalleryEntry, write_gallery

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip


def entries():
    film = hexapod_film()
    return [
        GalleryEntry("first", "walks <b>", replace(film, name="first"), {"speed": "1.20 m/s"}),
        GalleryEntry("</script>", "stands", replace(film, name="second")),
    ]


def test_the_page_holds_names_facts_and_films(tmp_path):
    text = write_gallery("creatures <1>", entries(), tmp_path / "all.html").read_text()
    encoded = re.search(r'<script id="gallery"[^>]*>([^<]*)<', text).group(1)
    data = json.loads(gzip.decompress(base64.b64decode(encoded)))
    assert [one["name"] for one in data] == ["first", "</script>"]
    assert data[0]["facts"] == {"speed": "1.20 m/s"}
    assert "<title>creatures &lt;1&gt;</title>" in text
    assert len(re.findall(r'id="film\d"', text)) == 2


def test_an_empty_gallery_is_refused(tmp_path):
    with pytest.raises(GambolError, match="needs at least one creature"):
        write_gallery("none", [], tmp_path / "all.html")


def test_a_visitor_chooses_creatures_in_a_browser(tmp_path, browser_path):
    page_file = write_gallery("creatures", entries(), tmp_path / "all.html")
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 1000, "height": 640})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        requests = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(page_file.as_uri())
        page.wait_for_function("window.player && window.player.time > 0")
        assert page.inner_text("#name") == "first"
        assert page.inner_text("#summary") == "walks <b>"
        assert page.inner_text("#facts dd") == "1.20 m/s"
        page.click("nav button:nth-of-type(2)")
        page.wait_for_function("document.getElementById('name').textContent === '</script>' && window.player")
        assert page.get_attribute("nav button:nth-of-type(2)", "aria-pressed") == "true"
        assert page.locator("#facts dd").count() == 0
        page.click("#play")
        page.wait_for_function("window.player.paused")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("Space")
        page.wait_for_function("!window.player.paused")
        assert page.locator("canvas").count() == 1
        browser.close()
    assert errors == []
    assert not [url for url in requests if url.startswith("http")]
