"""The first page of a site: pictures with links, names as text, nothing asked for from elsewhere."""

import pytest
from playwright.sync_api import sync_playwright

from gambol.view.zoo import ZooEntry, write_zoo

NAME = "<img src=x onerror='window.harmed = true'>"
PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0"
                      "00000301010018dd8db00000000049454e44ae426082")  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("zoo")
    (folder / "first.html").write_text("<title>first</title>")
    (folder / "first.png").write_bytes(PIXEL)
    entries = [
        ZooEntry("first", "walks", "walkers", "first.html", "simulated", "first.png"),
        ZooEntry(NAME, "stands", "walkers", "second.html"),
        ZooEntry("third", "swims", "swimmers", "third.html"),
    ]
    return write_zoo("all <creatures>", entries, folder / "index.html")


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "dark")])
def test_a_picture_links_to_its_page(site, browser_path, width, scheme):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 700}, color_scheme=scheme)
        requests = []
        page.on("request", lambda request: requests.append(request.url.partition(":")[0]))
        page.goto(site.as_uri())
        assert page.locator("h1").inner_text() == "all <creatures>"
        assert page.locator("h2").all_inner_texts() == ["walkers", "swimmers"]
        assert page.locator("h3").all_inner_texts() == ["first", NAME, "third"]
        assert page.evaluate("document.images[0].naturalWidth") == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        lightness = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]")
        assert (lightness > 128) == (scheme == "light")
        page.click("text=walks")
        assert page.title() == "first"
        assert set(requests) == {"file"}
        browser.close()
