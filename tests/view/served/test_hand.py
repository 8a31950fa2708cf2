"""Bodies of a shown world are pulled, by the program and by the mouse in its page."""

import time

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from gambol import Box, Engine, Figure, Joint, Link, NoGround, Part, State, World, start
from gambol.errors import GambolError
from gambol.view.served import LiveView
from gambol.view.served.simulation import Simulation
from gambol.world.context import LEDGER_SIGNS, ledger_entries

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
EDGE, DENSITY = 0.1, 500.0
PLACE = """(() => { const p = player.bodies[0][0].position.clone().project(player.camera), { canvas } = player;
  return [(0.5 + p.x / 2) * canvas.clientWidth, (0.5 - p.y / 2) * canvas.clientHeight]; })()"""


def until(condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_body_hangs_from_the_hand_and_the_books_note_its_work():
    """The spring carries the weight at rest, and its work is the change of potential energy.

    At rest the force f of (1 + (h c + h^2 k) / m) f = k (x - p), with c = 2 m w and k = m w^2, is m g at the
    extension (g / w^2) (1 + h w)^2.
    """
    link = Link("cube", None, Joint("free"), (Part(Box((EDGE,) * 3), density=DENSITY),))
    cube = World(Figure("cube", (link,)), ground=NoGround())
    simulation = Simulation(start(cube))
    hand, mass = simulation.hand, DENSITY * EDGE**3
    target = np.array([0.02, -0.01, 0.1])
    simulation.hand.grab("cube", (0.0, 0.0, 0.0), target)
    rate = np.sqrt(hand.spring["stiffness"] / mass)
    for _ in range(round(30.0 / rate / cube.timing.control_step)):  # critically damped: e^-30 is left
        simulation.advance()
    sag = cube.gravity / rate**2 * (1.0 + cube.timing.control_step * rate) ** 2
    place = simulation.state.q[0, 4:7]
    np.testing.assert_allclose(place, target - [0.0, 0.0, sag], atol=1e-9)
    ledger = dict(zip(LEDGER_SIGNS, ledger_entries(simulation.state.step_state.ledger), strict=True))
    lifted = mass * cube.gravity * place[2]
    assert LEDGER_SIGNS["outside"] * float(ledger["outside"][0]) == pytest.approx(lifted, rel=1e-6)


def test_a_world_that_was_let_go_has_the_bits_of_its_own_program(world, first):
    simulation = Simulation(first.copied())
    simulation.hand.grab(world.figure.root.name, (0.0, 0.0, 0.0), (0.0, 0.0, 0.5))
    for _ in range(20):
        simulation.advance()
    simulation.hand.release()
    state = State(world, simulation.state.rows.copy())
    Engine(world, lanes=1).advance(state, 60)
    for _ in range(40):
        simulation.advance()
    np.testing.assert_array_equal(simulation.state.rows, state.rows)


@pytest.mark.parametrize(("link", "point"), [("tail", (0.0, 0.0, 0.0)), (None, (0.0, 0.0)), (None, (0.0, 0.0, np.inf))])
def test_what_cannot_be_grabbed_is_refused(world, first, link, point):
    with pytest.raises(GambolError, match=r"no link that can be grabbed|three finite numbers"):
        Simulation(first.copied()).hand.grab(link or world.figure.root.name, point, (0.0, 0.0, 0.5))


def test_the_mouse_lifts_the_figure_in_the_page(browser_path, world, first):
    with LiveView(Simulation(first)) as view, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 500, "height": 400})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(view.address)
        until(lambda: page.evaluate("!!window.gambol && gambol.version !== undefined && !player.stale"))
        x, y = page.evaluate(PLACE)
        page.mouse.move(x, y)
        page.mouse.down()
        until(lambda: page.evaluate("gambol.hand !== null"))
        page.mouse.move(x, y - 80)
        height = float(view.state.q[0, 6])
        until(lambda: page.evaluate("gambol.hand.target[2]") > height + 0.05)
        view.step(1000)
        assert float(view.state.q[0, 6]) > height + 0.02  # else it would have fallen
        page.mouse.up()
        until(lambda: page.evaluate("gambol.hand === null"))
        browser.close()
    assert not errors
