"""A browser for the pages of cloth."""

import time

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
DROP_PAGE = "player.renderer.setAnimationLoop(null)"  # to draw in software takes the time of the computation


class OpenedCloth:
    """A page of a cloth in a browser, which does not draw unless it is asked to."""

    def __init__(self, page, path, fragment):
        self.page, self.requests, self.errors = page, [], []
        page.on("request", lambda request: self.requests.append(request.url.partition(":")[0]))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(path.as_uri() + fragment)
        self.wait("!!window.gambol && gambol.fused !== null && !!player.firstPath")
        page.evaluate(DROP_PAGE)

    def wait(self, condition):
        end = time.monotonic() + 60.0
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, (condition, self.errors, self.page.inner_text("#error"))
            time.sleep(0.02)

    def run(self, *calls):
        """Await calls of window.gambol one after the other; return the state without its clock."""
        body = "".join(f"await gambol.{call};" for call in calls)
        return np.array(self.page.evaluate(f"(async () => {{ {body} return Array.from(gambol.state()); }})()"))[:-2]


@pytest.fixture(scope="module")
def open_cloth(browser_path):
    """A function that opens a page of a cloth: path, and fragment of the address."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)

        def opened(path, fragment=""):
            return OpenedCloth(browser.new_page(viewport={"width": 1000, "height": 640}), path, fragment)

        yield opened
        browser.close()
