"""A shown world is posed, tilted and cut, by the program and in its page."""

import time
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import sync_playwright

from gambol import Engine, Medium, State, start, write_live_page
from gambol.errors import GambolError
from gambol.view.live.disturbance import DEPTH, disturbable
from gambol.view.live.hills import hills_below, on_hills
from gambol.view.served import LiveView
from gambol.view.served.simulation import Simulation
from gambol.world.context import LEDGER_SIGNS

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
FOOT, SHANK, SIZE = (0.0, 0.0, -0.1), "right hind shank", 1e-6
PLACE = """link => { const p = player.bodies[0][link].position.clone().project(player.camera), { canvas } = player;
  return [(0.5 + p.x / 2) * canvas.clientWidth, (0.5 - p.y / 2) * canvas.clientHeight]; }"""


def until(condition):
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def advanced(simulation, steps):
    for _ in range(steps):
        simulation.advance()
    return simulation.state.rows


def index_of(world, name):
    return [link.name for link in world.figure.links].index(name)


def place(world, rows, name, point):
    """Position of a point of a link in world axes [m]."""
    seen = Engine(world, lanes=1).observe(State(world, rows.copy()))
    k = index_of(world, name)
    w, *u = np.array(seen.quaternions, float).reshape(-1, 4)[k]
    t = 2.0 * np.cross(u, point)
    return np.array(seen.positions, float).reshape(-1, 3)[k] + point + w * t + np.cross(u, t)


def energy(world, rows):
    seen = Engine(world, lanes=1).observe(State(world, rows.copy()))
    return float(np.sum(seen.kinetic) + np.sum(seen.potential) + np.sum(seen.stored))


def outside(world, rows):
    return LEDGER_SIGNS["outside"] * float(np.sum(State(world, rows.copy()).step_state.ledger.outside))


def test_a_foot_goes_to_its_target_and_the_world_goes_on_with_its_own_bits(world, first):
    simulation = Simulation(first.copied())
    before = advanced(simulation, 50).copy()
    wanted = before.copy()
    for name, angle in (("right hind thigh", 0.5), (SHANK, -0.7)):
        wanted[world.figure.links[index_of(world, name)].q] += angle
    target = place(world, wanted, SHANK, FOOT)
    simulation.pose(SHANK, FOOT, target)
    posed = simulation.state.rows.copy()
    np.testing.assert_allclose(place(world, posed, SHANK, FOOT), target, atol=SIZE)
    assert not simulation.state.v.any()
    leg = [k for link in world.figure.links if link.name.startswith("right hind") for k in range(*link.q.indices(99))]
    assert set(np.flatnonzero(posed[: world.figure.nq] != before[: world.figure.nq])) <= set(leg)
    work = energy(world, posed) - energy(world, before)
    assert outside(world, posed) - outside(world, before) == pytest.approx(work, rel=1e-9)
    native = State(world, posed.copy())
    Engine(world, lanes=1).advance(native, 150)
    np.testing.assert_array_equal(advanced(simulation, 100), native.rows)
    simulation.seek(50 * world.timing.control_step)  # the posture replaces the state of its time
    np.testing.assert_array_equal(simulation.state.rows, posed)


def test_the_pose_is_that_of_a_page_without_a_server(world, first, browser_path, tmp_path):
    """Both search by the same method; their poses are equal up to the distance at which the search ends."""
    target = [0.1, -0.1, 0.2]
    path = write_live_page(world, tmp_path / "page.html", state=first)
    simulation = Simulation(first.copied())
    simulation.pose(SHANK, FOOT, target)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 300, "height": 200})
        page.goto(path.as_uri())
        until(lambda: page.evaluate("!!window.gambol && gambol.fused !== null"))
        page.evaluate("player.renderer.setAnimationLoop(null)")
        calls = f"await gambol.pause(); await gambol.reset(); await gambol.pose('{SHANK}', {list(FOOT)}, {target});"
        rows = page.evaluate(f"(async () => {{ {calls} return Array.from(gambol.state()); }})()")
        browser.close()
    nq = world.figure.nq
    np.testing.assert_allclose(simulation.state.rows[:nq, 0], rows[:nq], atol=1e-6)


def test_a_slope_is_gravity_in_the_axes_of_the_ground(world, first):
    """With a slope the world moves as one whose gravity is a vector, and level again with its own bits."""
    simulation = Simulation(first.copied())
    simulation.set("slope", 10.0)
    angle, g = np.radians(10.0), world.gravity
    tilted = replace(world, gravity=(0.0 - g * np.sin(angle), 0.0, -g * np.cos(angle)))
    native = State(tilted, first.rows.copy())
    engine = Engine(tilted, lanes=1)
    engine.advance(native, 300)
    advanced(simulation, 300)
    np.testing.assert_allclose(simulation.state.q[0], native.q[0], atol=1e-9)
    seen = engine.observe(native)
    (snapshot,) = (simulation.displayed(contacts=False)["snapshot"],)
    rows = simulation.description["energies"]
    assert float(np.sum(snapshot[rows])) == pytest.approx(
        float(np.sum(seen.kinetic) + np.sum(seen.potential) + np.sum(seen.stored)), rel=1e-6
    )
    simulation.set("slope", 0.0)
    simulation.restart()
    level = State(world, first.rows.copy())
    Engine(world, lanes=1).advance(level, 100)
    np.testing.assert_array_equal(advanced(simulation, 100), level.rows)


def test_a_medium_and_a_lost_limb_are_those_of_the_world(world, first):
    limb = "right hind thigh"
    simulation = Simulation(first.copied())
    simulation.set("medium.density", 200.0)
    medium = Medium(200.0, buoyancy=1.0, surface=DEPTH * world.size)  # what a view adds to a world without a medium
    wet = replace(world, external=replace(world.external, medium=medium))
    native = State(wet, first.rows.copy())
    Engine(wet, lanes=1).advance(native, 100)
    advanced(simulation, 100)
    np.testing.assert_allclose(simulation.state.q[0], native.q[0], atol=1e-9)
    external = replace(wet.external, cuts=(limb,))
    cut = Engine(replace(world, external=external), lanes=1)

    def energy_with(cuts):
        state = State(cut.world, simulation.state.rows.copy())
        seen = cut.observe(state, cut.numbers(cuts={limb: cuts}))
        return float(np.sum(seen.kinetic) + np.sum(seen.potential) + np.sum(seen.stored))

    work, lost = outside(wet, simulation.state.rows), energy_with(0.0) - energy_with(1.0)
    simulation.set(f"cuts.{limb}", 1.0)
    assert outside(wet, simulation.state.rows) - work == pytest.approx(-lost, rel=1e-9)
    assert abs(lost) > 0.01


@pytest.mark.parametrize("shape", [0, 2])
def test_the_ground_rises_below_a_moving_world(world, shape):
    """The figure is lifted with the ground; the ledger has the work; then all bits are those of the world on hills."""
    height, first = 0.06, start(world, position=(0.0, 0.0, 0.25))
    first.v[0, 3] = 6.0  # to the hills around the level area
    simulation = Simulation(first.copied())
    before = advanced(simulation, 300).copy()
    simulation.set("hills shape", shape)
    simulation.set("hills", height)
    lifted, grid = simulation.state.rows.copy(), hills_below(world, first, shape)
    seen = Engine(world, lanes=1).observe(State(world, before.copy()))
    table, places = (height * grid.heights).ravel(), np.array(seen.positions, float).reshape(-1, 3)
    below = [float(grid.surface(grid.numbers(), table, x, y).height) for x, y, _ in places.tolist()]
    assert lifted[6, 0] - before[6, 0] == pytest.approx(max(below), abs=1e-12)
    assert max(below) > 0.005
    work = outside(world, lifted) - outside(world, before)
    assert work == pytest.approx(energy(world, lifted) - energy(world, before), rel=1e-9)
    hilly = on_hills(disturbable(world), first, height, shape)
    native, engine = State(hilly, lifted.copy()), Engine(hilly, lanes=1)
    engine.advance(native, 500, engine.numbers(gravity=(0.0, 0.0, -world.gravity)))
    np.testing.assert_array_equal(advanced(simulation, 200), native.rows)
    simulation.set("hills", 0.0)
    simulation.restart()
    level = State(world, first.rows.copy())
    Engine(world, lanes=1).advance(level, 100)
    np.testing.assert_array_equal(advanced(simulation, 100), level.rows)


@pytest.mark.parametrize(("name", "value"), [("hills", -0.1), ("hills shape", 3), ("hills shape", 0.5)])
def test_impossible_hills_are_refused(first, name, value):
    simulation = Simulation(first.copied())
    with pytest.raises(GambolError, match=f"{name} cannot be {value}; give a"):
        simulation.set(name, value)
    assert simulation.values[name] == 0.0


def test_what_cannot_be_posed_is_refused(world, first):
    simulation = Simulation(first.copied())
    for link, point in (("tail", FOOT), (SHANK, (0.0, 0.0)), (SHANK, (0.0, 0.0, np.inf))):
        with pytest.raises(GambolError, match=r"no link that can be posed|three finite numbers"):
            simulation.pose(link, point, FOOT)
    np.testing.assert_array_equal(simulation.state.rows, first.rows)


def test_bodies_are_posed_and_the_ground_tilted_and_raised_in_the_page(browser_path, world, first):
    with LiveView(Simulation(first)) as view, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 700, "height": 500})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(view.address)
        until(lambda: page.evaluate("!!window.gambol && gambol.version !== undefined && !player.stale"))
        page.click("#pose")
        until(lambda: page.evaluate("gambol.frozen"))
        before = view.state.q[0].copy()
        x, y = page.evaluate(PLACE, index_of(world, SHANK))
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 25, y - 10, steps=3)
        until(lambda: np.abs(view.state.q[0] - before).max() > 0.05)
        page.mouse.up()
        assert view.time == 0.0
        assert not view.playing
        page.evaluate("document.querySelectorAll('#panel > details').forEach((one) => { one.open = true; })")
        page.evaluate(
            "((input) => { input.value = 10; input.dispatchEvent(new Event('input')); })"
            "(document.getElementById('number slope'))"
        )
        until(lambda: view.numbers["slope"] == 10.0)
        until(lambda: page.evaluate("player.camera.up.x") > 0.1)
        view.set("hills", 0.05)
        until(lambda: page.evaluate("player.scenery.ground.group.children[0].scale.z") == 0.05)
        assert page.evaluate("+document.getElementById('number hills').value") == 0.05
        view.play()
        until(lambda: not page.evaluate("gambol.frozen"))
        view.pause()
        browser.close()
    assert not errors
