"""A browser for live pages."""

import time

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip

GAP = """(() => {
  const { recorded } = player, metres = (film, body) => body.position.clone().multiplyScalar(film.size);
  recorded.show(gambol.time, true);
  player.draw(0);
  const simulated = player.bodies[0].map((body) => metres(player.film, body));
  const gaps = recorded.bodies[0].map((body, l) => metres(recorded.film, body).distanceTo(simulated[l]));
  return Math.max(...gaps) / player.film.size;
})()"""


class Opened:
    """A page in a browser. The page's policy forbids the waiting functions of playwright, so we ask again and again."""

    def __init__(self, page, path, fragment):
        self.page, self.requests, self.errors = page, [], []
        page.on("request", lambda request: self.requests.append(request.url.partition(":")[0]))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(path.as_uri() + fragment)
        self.wait("!!window.gambol && gambol.fused !== null")

    def wait(self, condition):
        end = time.monotonic() + 60.0
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, (condition, self.errors, self.page.inner_text("#error"))
            time.sleep(0.02)

    def unfold(self):
        """Open all panels, and show all buttons: both are folded on small screens."""
        self.page.evaluate("document.querySelectorAll('#panel > details').forEach((one) => { one.open = true; })")
        more = self.page.locator("#unfold")
        if more.is_visible() and more.get_attribute("aria-expanded") == "false":
            more.click()

    def gap(self):
        """Largest distance between a simulated link and that of the film, in figure sizes."""
        return self.page.evaluate(GAP)

    def run(self, *calls):
        """Await calls of window.gambol one after the other; return the state."""
        body = "".join(f"await gambol.{call};" for call in calls)
        return np.array(self.page.evaluate(f"(async () => {{ {body} return Array.from(gambol.state()); }})()"))


@pytest.fixture(scope="module")
def browser(browser_path):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def open_page(browser):
    """A function that opens a page: path, fragment of the address, and options of the browser's page."""

    def opened(path, fragment="", *, width=500, height=400, **options):
        return Opened(browser.new_page(viewport={"width": width, "height": height}, **options), path, fragment)

    return opened
