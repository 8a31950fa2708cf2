"""In a notebook, a view is a widget: its page and the program exchange messages through the kernel."""

import json
import math
import time
from importlib.resources import files

import anywidget
import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from gambol.view.served import LiveView
from gambol.view.served.simulation import Simulation
from gambol.view.served.widget import widget_of

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
NOTEBOOK = """async ([script, page]) => {
  const handlers = new Set(), traits = { page, height: 400 };
  const model = { get: (name) => traits[name], on: (_, f) => handlers.add(f), off: (_, f) => handlers.delete(f),
    send: async (content) => {
      const answers = JSON.parse(await window.kernel(JSON.stringify(content)));
      for (const answer of answers) for (const handler of handlers) handler(answer);
    } };
  const widget = (await import(`data:text/javascript,${encodeURIComponent(script)}`)).default;
  window.closeView = widget.render({ model, el: document.body });
}"""


@pytest.fixture
def view(first):
    with LiveView(Simulation(first)) as view:
        yield view


@pytest.fixture
def shown(view, monkeypatch):
    """The widget of the view, and the list of the messages that it sends."""
    made, sent = [], []
    monkeypatch.setattr(anywidget.AnyWidget, "send", lambda self, content, buffers=None: sent.append(content))
    monkeypatch.setattr("gambol.view.served.live_view.widget_of", lambda *a: made.append(widget_of(*a)) or made[-1])
    assert WIDGET_VIEW in view._repr_mimebundle_()[0]
    return made[0], sent


def test_a_message_of_the_page_moves_the_world_and_errors_are_told(view, shown, world):
    widget, sent = shown
    widget._handle_custom_msg({"id": 7, "name": "step", "argument": {"count": 3}}, [])
    assert view.time == pytest.approx(3 * world.timing.control_step)
    widget._handle_custom_msg({"id": 8, "name": "set", "argument": {"name": "charm", "value": 1.0}}, [])
    assert [answer["id"] for answer in sent] == [7, 8]
    assert "columns" in json.loads(sent[0]["text"])
    assert "charm" in json.loads(sent[1]["text"])["error"]


def test_a_poll_does_not_hold_the_kernel(view, shown, monkeypatch):
    """It is answered without the wait for a change that a page of its own has."""
    widget, sent = shown
    widget._handle_custom_msg({"id": 0, "name": "poll", "argument": {"version": 0}}, [])
    version = json.loads(sent[-1]["text"])["version"]
    monkeypatch.setattr("gambol.view.served.live_view.MAX_POLL_TIME", math.inf)
    widget._handle_custom_msg({"id": 1, "name": "poll", "argument": {"version": version}}, [])
    assert json.loads(sent[-1]["text"])["version"] == version


def test_the_widget_and_the_program_move_the_same_world(browser_path, view, shown, world):
    """The page is in a frame of another origin, and sends no request."""
    widget, sent = shown
    script = (files("gambol.view") / "served" / "widget.js").read_text(encoding="utf-8")

    def kernel(text):
        sent.clear()
        widget._handle_custom_msg(json.loads(text), [])
        return json.dumps(sent)

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page, asked, errors = browser.new_page(viewport={"width": 700, "height": 450}), [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.expose_function("kernel", kernel)
        page.evaluate(NOTEBOOK, [script, widget.page])
        until(page, lambda: len(page.frames) > 1 and frame(page).evaluate("!!window.gambol && gambol.version >= 0"))
        view.step(200)
        until(page, lambda: frame(page).evaluate("gambol.time") == pytest.approx(view.time))
        np.testing.assert_array_equal(frame(page).evaluate("Array.from(gambol.state())"), view.state.rows[:, 0])
        frame(page).click("#restart")
        until(page, lambda: view.time == 0.0)
        frame(page).evaluate("gambol.step(20)")
        until(page, lambda: view.time == pytest.approx(20 * world.timing.control_step))
        assert not [url for url in asked if not url.startswith(("data:", "blob:", "about:"))]
        assert not errors
        browser.close()


def frame(page):
    return page.frames[1]


def until(page, condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        page.wait_for_timeout(20)
