"""A view shows the world of the running program in a browser; the program and the page move the same state."""

import http.client
import json
import time
import webbrowser

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

import gambol
from gambol import (
    Box,
    Engine,
    Figure,
    Joint,
    Link,
    NoGround,
    Part,
    State,
    Timing,
    TorqueMotor,
    World,
    make_world,
    roach,
    start,
)
from gambol.control import ConstantLaw, FeedbackController
from gambol.errors import GambolError, WorldError
from gambol.view.live.setting_values import numbers_of
from gambol.view.served import LiveView, opened
from gambol.view.served.simulation import Simulation

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
MAX_WAIT = 60.0  # s to wait for a page on a busy machine
STATE = "Array.from(gambol.state())"


@pytest.fixture
def view(world, first):
    with LiveView(Simulation(first)) as view:
        yield view


def until(condition):
    end = time.monotonic() + MAX_WAIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def ask(view, name, argument=None, path="ask", **headers):
    """Send a message as a page does; return the status and the answer."""
    host, _, token = view.address.removeprefix("http://").rstrip("/").partition("/")
    connection = http.client.HTTPConnection(host, timeout=30)
    body = json.dumps({"name": name, "argument": {} if argument is None else argument})
    connection.request("POST", f"/{token}/{path}", body, {"Content-Type": "application/json"} | headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, json.loads(text)


def test_the_program_steps_its_own_state(world, first, view):
    engine, expected = Engine(world, lanes=1), State(world, first.rows.copy())
    engine.advance(expected, 300, engine.numbers())
    view.step(300)
    np.testing.assert_array_equal(view.state.rows, expected.rows)
    np.testing.assert_array_equal(first.rows, expected.rows)  # the caller's state moves, too
    assert view.time == pytest.approx(300 * world.timing.control_step)
    view.reset()
    assert view.time == 0.0


def test_it_plays_until_a_pause_and_then_nothing_moves(view):
    view.play()
    assert view.playing
    until(lambda: view.time > 0.0)
    view.pause()
    held = view.time
    time.sleep(0.2)
    assert view.time == held
    assert not view.playing


def test_playing_keeps_the_time_of_the_wall_clock(view):
    """A quadruped costs a hundredth of real time: the clock, not the computation, decides. A late look is made up
    for, so the motion may lack one look, MAX_SLEEP, and what a busy machine takes away.
    """
    view.speed = 0.5
    begin = time.perf_counter()
    view.play()
    until(lambda: view.time > 0.4)
    assert time.perf_counter() - begin >= 0.4 / 0.5 - 0.01
    view.speed = 0.01
    before, begin = view.time, time.perf_counter()
    time.sleep(0.5)
    moved, passed = view.time - before, time.perf_counter() - begin
    assert moved <= 0.01 * (passed + 0.25) + 0.5 * 0.25  # what was owed at the old speed, at most


def test_a_state_that_is_edited_is_shown_from_there(view):
    state = view.state
    state.q[0, 6] = 1.0  # the height of the root
    view.state = state
    assert view.state.q[0, 6] == 1.0
    view.step(1)
    with pytest.raises(GambolError, match="a state of this world has rows of shape"):
        view.state = start(make_world("passive-walker"))


def test_what_the_page_sends_is_checked(view):
    assert ask(view, "step", {"count": 5})[0] == 200
    held = view.state.rows
    wrong = [
        ("close", {}), ("__init__", {}), ("step", {"count": -1}), ("step", {"count": 1.5}), ("step", {"count": 10**9}),
        ("step", {}), ("step", [1]), ("set", {"name": "gravity"}), ("set", {"name": "nothing", "value": 1}),
        ("set", {"name": "gravity", "value": "a"}), ("speed", {"speed": 0}), ("seek", {"time": None}),
        ("push", {"force": [1, 2], "seconds": 1}), ("poll", {"version": "a"}),
    ]  # fmt: skip
    for name, argument in wrong:
        status, answer = ask(view, name, argument)
        assert status == 409, (name, argument)
        assert answer["error"]
    np.testing.assert_array_equal(view.state.rows, held)
    assert ask(view, "pause", path="other")[0] == 404
    assert ask(view, "pause", Origin="http://evil.example")[0] == 404
    assert ask(view, "pause", Host="evil.example")[0] == 404


def test_an_answer_waits_for_a_change(view):
    _, answer = ask(view, "load")
    begin = time.perf_counter()
    _, same = ask(view, "poll", {"version": answer["version"]})
    assert same["version"] == answer["version"]
    assert time.perf_counter() - begin > 0.5
    view.set("gravity", 1.62)
    _, other = ask(view, "poll", {"version": answer["version"]})
    assert other["version"] > answer["version"]
    assert other["changed"] == {"gravity": 1.62}


def arm_world():
    """A pendulum with a motor, and its angle at the start."""
    bar = Part(Box((0.04, 0.04, 0.3)), (0.0, 0.0, -0.15))
    figure = Figure("arm", (Link("bar", None, Joint("revolute", (0.0, 1.0, 0.0)), (bar,)),))
    control = FeedbackController(ConstantLaw((0.0,)), {"bar": TorqueMotor(-20.0, 20.0)})
    timing = Timing(1e-3, 1e-3, "semi-implicit euler")
    return World(figure, ground=NoGround(), contact="stepping", controller=control, timing=timing)


def test_a_control_function_of_the_program_holds_the_pendulum():
    world = arm_world()

    def compensate(t, q, v):
        return gambol.inverse_dynamics(world.figure, q, np.zeros(1), np.zeros(1))

    with gambol.show(world, start(world, q=[0.5]), control=compensate, open_page=False) as view:
        view.step(300)
        assert view.state.q[0, 0] == pytest.approx(0.5, abs=1e-12)
    with gambol.show(world, start(world, q=[0.5]), open_page=False) as limp:
        limp.step(300)
        assert limp.state.q[0, 0] < 0.3


def test_a_control_function_that_fails_pauses_the_world_and_its_error_is_told():
    def broken(t, q, v):
        return [1.0] if t < 0.02 else [float("nan")]

    world = arm_world()
    with gambol.show(world, control=broken, open_page=False, speed=1.0) as view:
        view.play()
        until(lambda: not view.playing)
        assert view.time == pytest.approx(0.02)
        assert "returned nan for command 0" in ask(view, "load")[1]["failure"]
        with pytest.raises(WorldError, match="returned nan for command 0"):
            view.wait()


def test_only_notebooks_of_this_machine_may_embed_the_page(view):
    host, _, token = view.address.removeprefix("http://").rstrip("/").partition("/")
    connection = http.client.HTTPConnection(host, timeout=30)
    connection.request("GET", f"/{token}/")
    policy = connection.getresponse().getheader("Content-Security-Policy")
    connection.close()
    assert "frame-ancestors http://127.0.0.1:* http://localhost:*" in policy
    assert "default-src 'none'" in policy
    assert view.address in view._repr_html_()


def test_without_a_browser_the_address_is_printed(world, first, monkeypatch, capsys):
    def nothing(*_):
        raise webbrowser.Error("none")

    monkeypatch.setattr(webbrowser, "get", nothing)
    with gambol.show(world, first) as view:
        assert capsys.readouterr().out == f"quadruped: open {view.address}\n"
        assert not view.playing
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    assert not opened("http://127.0.0.1/")  # it would take the terminal of the program


def test_a_browser_is_opened_and_nothing_printed(world, first, monkeypatch, capsys):
    addresses = []

    class Browser:
        def open(self, address):
            addresses.append(address)
            return True

    monkeypatch.setattr(webbrowser, "get", Browser)
    with gambol.show(world, first) as view:
        assert addresses == [view.address]
    assert not capsys.readouterr().out
    view.step(1)  # the world remains
    with pytest.raises(OSError, match="refused"):
        ask(view, "load")


def test_impossible_options_are_refused(world, first):
    for speed in (0.0, -1.0, float("nan")):
        with pytest.raises(GambolError, match="it must be positive"):
            LiveView(Simulation(first), speed)
    with pytest.raises(WorldError, match="a control function commands the actuators"):
        gambol.show(world, first, control=lambda t, q, v: [], open_page=False)


def test_the_program_and_the_page_move_the_same_world(browser_path, view, world):
    """Steps, numbers and states of the program are seen in the page; its buttons move the state of the program."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 900, "height": 500})
        asked, errors = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(view.address)
        until(lambda: page.evaluate("!!window.gambol && gambol.version !== undefined"))

        view.step(200)
        until(lambda: page.evaluate("gambol.time") == pytest.approx(view.time))
        np.testing.assert_array_equal(page.evaluate(STATE), view.state.rows[:, 0])
        height = "player.bodies[0][0].position.z * player.film.size"
        until(lambda: page.evaluate(height) == pytest.approx(float(view.state.q[0, 6]), abs=1e-6))

        view.set("gravity", 1.62)
        until(lambda: page.evaluate("document.getElementById('number gravity').value") == "1.62")
        page.evaluate("gambol.set('touch.friction', 0.1)")
        until(lambda: view.numbers["touch.friction"] == 0.1)

        page.evaluate("gambol.step(50)")
        until(lambda: view.time == pytest.approx(250 * world.timing.control_step))
        page.click("#play")
        until(lambda: view.playing and page.evaluate("gambol.playing"))
        view.pause()
        until(lambda: not page.evaluate("gambol.playing"))
        page.click("#restart")
        until(lambda: view.time == 0.0)
        view.speed = 0.25
        until(lambda: page.evaluate("document.getElementById('rate').value") == "0.25")
        state = view.state
        state.q[0, 6] = 0.9
        view.state = state
        until(lambda: page.evaluate("player.bodies[0][0].position.z * player.film.size") > 0.8)
        until(lambda: page.evaluate("player.canvas.width === player.canvas.clientWidth"))  # still: not coarse

        view.close()
        until(lambda: "has ended" in page.inner_text("#status"))
        browser.close()
    assert not errors
    assert all(url.startswith((view.address, "data:", "blob:")) or url.endswith("favicon.ico") for url in asked)


def test_the_page_and_the_program_compute_the_same_numbers_from_settings(browser_path):
    """Each setting of the roach at both its ends, alone and after a leg was lamed."""
    world = make_world(roach())
    simulation = Simulation(start(world))
    with LiveView(simulation) as view, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 300, "height": 200})
        page.goto(view.address)
        until(lambda: page.evaluate("!!window.gambol && gambol.version !== undefined"))
        page.evaluate("player.renderer.setAnimationLoop(null)")
        settings = [one for one in simulation.description["settings"] if one["name"] != "leg back left"]
        for one in settings:
            for value in (one["low"], one["high"]):
                for lamed in (False, True):
                    change = "(c, [n, x]) => { c.values.clear(); LAME; return c.change(n, x); }".replace(
                        "LAME", "c.change('leg back left', 0)" if lamed else ""
                    )
                    rows = page.evaluate(f"(pair) => ({change})(gambol.settings, pair)", [one["name"], value])
                    changed = ({"leg back left": 0.0} if lamed else {}) | {one["name"]: value}
                    changed = changed if value != one["value"] else {k: x for k, x in changed.items() if k[0] == "l"}
                    values = numbers_of(simulation.description["settings"], changed, one["name"])
                    assert dict(map(tuple, rows)) == pytest.approx(
                        {simulation.description["numbers"][name]: x for name, x in values.items()}, rel=1e-15
                    ), (one["name"], value, lamed)
        browser.close()
