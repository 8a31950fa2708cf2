"""Bodies of a live page are grabbed, pushed and put back in time, by mouse, fingers, keys and scripts."""

import base64
import gzip
import json
import re
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import Engine, External, State, SurfaceProperties, World, run, start, write_live_page
from gambol.errors import GambolError
from gambol.view.live.disturbance import disturbable
from gambol.view.live.hand import with_wrenches
from gambol.world.context import LEDGER_SIGNS
from gambol.world.events.ledger import RELATIVE_TOLERANCE

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
HEIGHT = 0.3  # [m] of the trunk at the start, above the ground
SCREEN_PLACE = """link => {
  const place = player.bodies[0][link].position.clone().project(player.camera);
  const { clientWidth, clientHeight } = player.canvas;
  return [((place.x + 1) / 2) * clientWidth, ((1 - place.y) / 2) * clientHeight];
}"""
SHANK = "right hind shank"


@pytest.fixture(scope="module")
def world():
    return World(quadruped(), surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0)))


@pytest.fixture(scope="module")
def first(world):
    return start(world, position=(0.0, 0.0, HEIGHT))


@pytest.fixture(scope="module")
def path(world, first, tmp_path_factory):
    return write_live_page(world, tmp_path_factory.mktemp("touch") / "quadruped.html", state=first)


@pytest.fixture(scope="module")
def opened(open_page, path):
    """A page that moves only by steps of the test."""
    page = open_page(path)
    page.wait("gambol.playing")
    page.page.evaluate(DROP_PAGE)
    return page


def evaluate(opened, calls):
    """Await calls of window.gambol; return the value of the last expression."""
    return opened.page.evaluate(f"(async () => {{ {calls} }})()")


def redraw(opened):
    opened.page.evaluate("player.resetView(); player.draw(0); player.camera.updateMatrixWorld()")


def ledger_of(world, rows):
    """Energy and the ledger's entries of a state in rows [J]."""
    state = State(world, rows[:, None].copy())
    seen, ledger = Engine(world, lanes=1).observe(state), state.step_state.ledger
    energy = float(np.sum(seen.kinetic) + np.sum(seen.potential) + np.sum(seen.stored))
    return energy, {name: float(np.sum(getattr(ledger, name))) for name in LEDGER_SIGNS}


def grabbed_place(world, rows, hand):
    """The grabbed point in world axes [m]."""
    seen = Engine(world, lanes=1).observe(State(world, rows[:, None].copy()))
    w, *u = np.array(seen.quaternions, float).reshape(-1, 4)[hand["link"]]
    place, p = np.array(seen.positions, float).reshape(-1, 3)[hand["link"]], np.array(hand["point"])
    t = 2.0 * np.cross(u, p)
    return place + p + w * t + np.cross(u, t)


def test_a_dragged_body_follows_the_pointer_and_the_ledger_has_the_work(opened, world, first):
    """Energy that the hand gives is that of the ledger's work from outside, to the ledger's own tolerance."""
    opened.run("pause()", "reset()")
    redraw(opened)
    x, y = opened.page.evaluate(SCREEN_PLACE, 0)
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.wait("gambol.hand !== null")
    opened.page.mouse.move(x + 20, y - 60, steps=4)
    opened.wait("Math.hypot(...gambol.hand.target.map((t, k) => t - [0, 0, 0.3][k])) > 0.05")
    before, hand = opened.run("step(0)"), opened.page.evaluate("gambol.hand")
    after = opened.run("step(2000)")
    target, held = np.array(hand["target"]), with_wrenches(world)
    gap = [np.linalg.norm(target - grabbed_place(world, rows, hand)) for rows in (before, after)]
    assert hand["link"] == 0
    assert gap[1] < 0.5 * gap[0]
    (e0, _), (e1, ledger) = ledger_of(held, before), ledger_of(held, after)
    exchanged = abs(e1 - e0) + sum(map(abs, ledger.values()))
    assert abs(e1 - e0 - sum(LEDGER_SIGNS[name] * x for name, x in ledger.items())) < RELATIVE_TOLERANCE * exchanged
    mass = sum(link.mass_properties.mass for link in world.figure.links)
    assert ledger["outside"] > 0.3 * mass * 9.81 * (target[2] - HEIGHT)  # it was lifted, not only moved
    opened.page.mouse.up()
    opened.wait("gambol.hand === null")
    assert opened.page.evaluate("player.following")


def test_a_finger_grabs_and_a_drag_beside_the_body_turns_the_view(open_page, path, world):
    page = open_page(path, width=390, height=700, has_touch=True, is_mobile=True, device_scale_factor=2)
    page.run("pause()", "reset()")
    page.page.evaluate(DROP_PAGE)
    redraw(page)
    session = page.page.context.new_cdp_session(page.page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    view = page.page.evaluate("player.camera.position.toArray()")
    x, y = page.page.evaluate(SCREEN_PLACE, 0)
    touch("touchStart", (x, y))
    page.wait("gambol.hand !== null")
    touch("touchMove", (x + 5, y - 40))
    page.wait("gambol.hand.target[2] > 0.32")
    page.page.evaluate("player.draw(0)")
    assert page.page.evaluate("player.camera.position.toArray()") == pytest.approx(view, abs=1e-9)
    held = page.run("step(800)")[6]  # [m] height of the trunk
    touch("touchEnd")
    page.wait("gambol.hand === null")
    assert held > page.run("reset()", "step(800)")[6] + 0.1
    touch("touchStart", (10, 330))
    touch("touchMove", (90, 330))
    touch("touchEnd")
    page.page.evaluate("player.draw(0)")
    assert page.page.evaluate("gambol.hand") is None
    assert np.linalg.norm(np.subtract(page.page.evaluate("player.camera.position.toArray()"), view)) > 0.05
    page.page.close()


def test_the_pull_has_the_bits_of_the_same_wrenches_on_the_processor(opened, world, first):
    wrenches, rows = evaluate(opened, f"""
      await gambol.reset();
      await gambol.grab({json.dumps(SHANK)}, [0, 0, -0.1], [0.1, 0.2, 0.5]);
      const wrenches = [];
      for (let k = 0; k < 200; k++) {{
        await gambol.step(1);
        wrenches.push(gambol.hand.wrench);
      }}
      return [wrenches, Array.from(gambol.state())];""")  # fmt: skip
    held, gravity = disturbable(world), (0.0, 0.0, -world.gravity)
    engine, state = Engine(held, lanes=1), State(held, first.rows.copy())
    for k, wrench in enumerate(wrenches, start=1):
        pull = {**held.numbers()["wrenches"], SHANK: wrench}
        engine.advance(state, k, engine.numbers(wrenches=pull, gravity=gravity))
    np.testing.assert_array_equal(rows, state.rows[:, 0])
    assert opened.run("release()", "reset()", "step(300)").tolist() == opened.run("reset()", "step(300)").tolist()


def test_a_light_link_carries_the_figure_without_shaking(opened, world):
    """The spring is scaled to the whole mass; the light shank takes it since the force is that of an implicit step.

    The impulse of the hand is the change of momentum and that of gravity; centre speeds are differences of one step.
    """
    opened.run("reset()", f"grab({json.dumps(SHANK)}, [0, 0, -0.12], [0, 0, 1.2])", "step(6000)")
    forces, ends = evaluate(opened, """
      const forces = [], ends = [];
      for (let k = 0; k < 600; k++) {
        if (k < 2 || k > 598) ends.push(Array.from(gambol.state()));
        await gambol.step(1);
        forces.push(gambol.hand.wrench.slice(3));
      }
      ends.push(Array.from(gambol.state()));
      return [forces, ends];""")  # fmt: skip
    held, dt = with_wrenches(world), world.timing.control_step
    rows, engine = np.array(ends).T, Engine(with_wrenches(world), lanes=1)
    centres = np.array([engine.observe(State(held, rows[:, [k]].copy())).centre for k in range(4)], float).reshape(4, 3)
    mass = sum(link.mass_properties.mass for link in world.figure.links)
    gain = mass * (centres[3] - centres[2] - centres[1] + centres[0]) / dt
    weight = np.array([0.0, 0.0, mass * 9.81])
    impulse = dt * np.sum(forces[1:], axis=0)
    np.testing.assert_allclose(impulse, gain + weight * 599 * dt, atol=0.01 * weight[2] * 599 * dt)
    assert (
        np.linalg.norm(np.diff(forces, axis=0), axis=1).max() < 0.25 * weight[2]
    )  # unstable, it would alternate between ten weights
    gap = np.linalg.norm([0.0, 0.0, 1.2] - grabbed_place(world, rows[:, 3], opened.page.evaluate("gambol.hand")))
    assert gap < opened.page.evaluate("player.film.size")
    opened.run("release()")


def test_a_push_is_that_of_the_world(opened, world, first):
    rows = opened.run("reset()", "step(40)", "push([3, -2, 1], 0.05)", "step(300)")
    begin = 40 * world.timing.control_step
    engine, state = Engine(world, lanes=1), State(world, first.rows.copy())
    engine.advance(state, 40)
    engine.advance(state, 340, engine.numbers(push=[3.0, -2.0, 1.0, begin, begin + 0.05]))
    np.testing.assert_array_equal(rows, state.rows[:, 0])
    opened.page.click("#push")
    opened.run("reset()", "step(0)")


def test_a_recorded_state_continues_with_the_same_bits(opened):
    dt = opened.page.evaluate("gambol.dt")
    early = opened.run("reset()", "step(150)")
    late = opened.run("step(250)")
    assert opened.run(f"seek({150 * dt})").tolist() == early.tolist()
    assert opened.page.evaluate("gambol.latestTime") == pytest.approx(400 * dt)
    assert opened.run("step(250)").tolist() == late.tolist()
    opened.page.locator("#scrub").evaluate(
        "(e, t) => { e.max = 1; e.value = t; e.oninput({ target: e }); }", 150.5 * dt
    )
    assert opened.run("step(0)").tolist() == early.tolist()
    opened.run("step(10)")
    assert opened.page.evaluate("gambol.latestTime") == pytest.approx(160 * dt)  # the future that was left is forgotten


def test_recorded_states_need_bounded_memory(opened):
    """With room for four states, every second, then every fourth is kept; time goes back to the start."""
    script = (files("gambol.view") / "live" / "history.js").read_text()
    kept = opened.page.evaluate(f"""(() => {{
      {script}
      const state = (k) => new Float64Array(2 ** 20).fill(k), history = new History(state(0), (rows) => rows[7]);
      for (let k = 1; k <= 9; k++) history.add(state(k));
      const seen = [0, 3, 4, 6, 8, 9].map((time) => history.at(time)[7]);
      return [history.capacity, history.rows.length, seen, history.latest];
    }})()""")
    assert kept == [4, 4 * 2**20, [0, 0, 4, 4, 8, 8], 8]


def test_an_address_sets_numbers_and_speed_and_follows_what_is_changed(open_page, path, world, first):
    page = open_page(path, "#gravity=3.5&speed=0.1&nonsense=1&push[0]=x")
    page.wait("document.getElementById('status').textContent.includes('nonsense')")
    assert "push[0]" in page.page.inner_text("#status")
    page.page.evaluate(DROP_PAGE)
    rows = page.run("pause()", "reset()", "step(400)")
    engine, state = Engine(world, lanes=1), State(world, first.rows.copy())
    engine.advance(state, 400, engine.numbers(gravity=3.5))
    np.testing.assert_array_equal(rows, state.rows[:, 0])
    assert page.page.locator("#rate").input_value() == "0.1"
    assert page.page.locator('[id="number gravity"]').input_value() == "3.5"
    page.unfold()
    page.page.locator('[id="number gravity"]').fill("1.5")
    page.page.locator("#rate").select_option("0.01")
    page.run("set('touch.friction', 0.25)", "step(0)")
    page.page.locator('[id="number gravity"]').fill("1.25")
    page.wait("location.hash.includes('1.25')")
    shared = page.page.evaluate("location.hash")
    again = open_page(path, shared)
    again.page.evaluate(DROP_PAGE)
    assert again.page.locator("#rate").input_value() == "0.01"
    rows = again.run("pause()", "reset()", "step(600)")
    state = State(world, first.rows.copy())
    touch = replace(world.surface.parameters, friction=0.25)
    engine.advance(state, 600, engine.numbers(gravity=1.25, touch=touch))
    np.testing.assert_array_equal(rows, state.rows[:, 0])
    for each in (page, again):
        each.page.close()


def test_keys_do_what_buttons_do_and_every_control_has_a_name(open_page, path):
    page = open_page(path)
    page.wait("gambol.playing")
    page.page.keyboard.press("Space")
    page.wait("!gambol.playing")
    page.run("pause()", "reset()")
    dt = page.page.evaluate("gambol.dt")
    for key, steps in ((".", 1), (".", 2), (",", 1), (".", 2), ("r", 0)):
        page.page.keyboard.press(key)
        page.wait(f"Math.abs(gambol.time - {steps * dt}) < 1e-9")
    page.page.keyboard.press("[")
    page.wait("location.hash === '#speed=0.5'")
    page.page.keyboard.press("]")
    page.wait("location.hash === ''")
    page.page.keyboard.press("p")
    pushed = "await gambol.step(400); return gambol.state()[5]"
    assert evaluate(page, pushed) > 0.005  # to the left, along y
    page.wait("document.getElementById('play').textContent === 'play'")
    page.unfold()
    for role, name in (("button", "play"), ("button", "back"), ("button", "step"), ("button", "push"),
                       ("button", "restart"), ("button", "reset view"), ("combobox", "speed"), ("checkbox", "follow"),
                       ("slider", "simulated time"), ("slider", "gravity")):  # fmt: skip
        assert page.page.get_by_role(role, name=name).first.is_visible(), name
    assert not page.errors
    page.page.close()


def test_the_film_of_the_run_coincides_until_something_is_touched(open_page, world, first, tmp_path):
    """Positions are stored in the film in units of the figure's size over 2^15, and so are the bodies' coordinates."""
    film = run(world, State(world, first.rows.copy()), 0.3, rate=240.0)
    page = open_page(write_live_page(world, tmp_path / "page.html", state=first, film=film))
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()")
    gaps = """(() => {
      player.recorded.show(gambol.time, true);
      player.draw(0);
      return player.recorded.bodies[0].map((body, l) => body.position.distanceTo(player.bodies[0][l].position));
    })()"""
    for frame in range(0, 73, 12):
        page.run(f"step({0 if frame == 0 else 120})")
        assert max(page.page.evaluate(gaps)) < 2.0**-15, frame
        assert page.page.evaluate("player.recorded.figures.group.visible")
    page.run("reset()", "push([0, 40, 0], 0.1)", "step(480)")
    assert max(page.page.evaluate(gaps)) > 0.02
    page.run("step(600)")
    page.page.evaluate(gaps)
    assert not page.page.evaluate("player.recorded.figures.group.visible")  # the film is over
    page.unfold()
    assert page.page.get_by_role("checkbox", name="film of the run").is_visible()
    page.page.close()


def test_a_film_of_other_links_is_refused(world, film, tmp_path):
    with pytest.raises(GambolError, match="the links of the world are trunk, "):
        write_live_page(world, tmp_path / "page.html", film=film)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("grab('tail', [0, 0, 0], [0, 0, 1])", '"tail" is no link that can be grabbed; they are trunk'),
        ("grab('trunk', [0, 0], [0, 0, 1])", "0,0 must be an array of three numbers"),
        ("aim([0, 0, NaN])", "must be an array of three numbers"),
        ("push([1, 0, 0], 0)", "push(0): give a positive time"),
        ("push([1, 0, 0], 1e-9)", "a shorter push is an impulse"),
        ("seek(NaN)", "seek(NaN): give a time in seconds"),
    ],
)
def test_the_error_of_a_bad_call_names_what_would_be_right(opened, call, message):
    assert message in opened.page.evaluate(f"gambol.{call}.catch((error) => error.message)")


def test_a_page_whose_bodies_are_not_grabbed_has_the_program_of_the_world(world, first, tmp_path):
    text = write_live_page(world, tmp_path / "page.html", state=first, grab=False).read_text()
    content = gzip.decompress(base64.b64decode(re.search(r'<script id="live"[^>]*>(.*?)</script>', text)[1]))
    about = json.loads(content[4 : 4 + int.from_bytes(content[:4], "little")])
    assert len(about["numbers"]) == len(Engine(world).numbers())
    assert about["hand"] is None
    assert "respond" not in about


def test_given_numbers_have_their_names_beside_the_wrenches(open_page, world, first, tmp_path):
    """A wrench of the world itself goes on while a hand pulls at the same link, and after it."""
    own = replace(world, external=External(wrenches=("trunk",)))
    given = Engine(own).numbers(gravity=2.0, wrenches={"trunk": [0.0, 0.0, 0.0, 1.0, 0.0, 3.0]})
    page = open_page(write_live_page(own, tmp_path / "page.html", state=State(own, first.rows.copy()), numbers=given))
    page.page.evaluate(DROP_PAGE)
    calls = ("pause()", "reset()", "grab('trunk', [0, 0, 0], [0, 0, 0])", "release()", "step(300)")
    engine, state = Engine(own, lanes=1), State(own, first.rows.copy())
    engine.advance(state, 300, given)
    np.testing.assert_array_equal(page.run(*calls), state.rows[:, 0])
    page.page.close()
