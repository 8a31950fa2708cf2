"""Hills and a medium of a live page: inputs of its programs, with the bits of the processor."""

from dataclasses import replace

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import ball, touch

from gambol import Engine, NoGround, State, SurfaceProperties, Timing, World, start, write_live_page
from gambol.view.live.disturbance import disturbable
from gambol.view.live.hills import LEVEL, SHAPES, hills_below, on_hills
from gambol.view.live.number_file import changed_inputs
from gambol.world.context import LEDGER_SIGNS

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
HEIGHT, STEPS = 0.28, 400  # m, ms


@pytest.fixture(scope="module")
def world():
    feet = tuple(link.name for link in quadruped().links if link.name.endswith("shank"))
    surface = SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet)
    return World(quadruped(), surface=surface, timing=Timing(1e-3, 1.25e-4, "rk4"))


@pytest.fixture(scope="module")
def first(world):
    """It is thrown, so that it leaves the level area."""
    state = start(world, position=(0.3, -0.2, HEIGHT))
    state.rows[world.figure.nq + 3] = 4.0  # m/s
    return state


@pytest.fixture(scope="module")
def opened(open_page, world, first, tmp_path_factory):
    page = open_page(
        write_live_page(world, tmp_path_factory.mktemp("hills") / "quadruped.html", state=first), width=800
    )
    page.page.evaluate(DROP_PAGE)
    page.unfold()
    page.run("pause()", "reset()")
    return page


def native(world, first, steps, **numbers):
    engine, state = Engine(world, lanes=1), State(world, first.rows.copy())
    engine.advance(state, steps, engine.numbers(gravity=(0.0, 0.0, -9.81), **numbers))
    return state.rows[:, 0]


def slide(page, name, value):
    """Move a slider as a finger does."""
    page.page.locator(f'[id="number {name}"]').evaluate("(e, x) => { e.value = x; e.oninput(); }", value)


def test_the_ground_is_level_below_the_first_position(world, first):
    grid = hills_below(world, first)
    rows, columns = grid.heights.shape
    x, y = (grid.spacing * np.arange(n) + o for n, o in ((rows, grid.x0 - 0.3), (columns, grid.y0 + 0.2)))
    inside = np.hypot(x[:, None], y) <= LEVEL * world.size
    assert np.count_nonzero(inside) > 50
    assert not grid.heights[inside].any()
    assert grid.heights.max() == 1.0
    assert grid.heights.min() == 0.0
    assert on_hills(replace(world, ground=NoGround()), first, 0.1) is None


def test_a_slider_raises_hills_and_a_run_on_them_has_the_bits_of_the_processor(opened, world, first):
    opened.run("reset()")
    slide(opened, "hills", 0.08)
    opened.wait("player.scenery.ground.edges !== undefined")
    assert opened.page.evaluate("player.scenery.ground.group.children[0].scale.z") == 0.08
    rows = opened.run(f"step({STEPS})")
    hilly = on_hills(disturbable(world), first, 0.08)
    expected = native(hilly, first, STEPS)
    np.testing.assert_array_equal(rows, expected)
    flat = native(disturbable(world), first, STEPS)
    assert np.abs(flat[4:7] - expected[4:7]).max() > 1e-3  # it met a hill
    opened.page.check("#forces")
    slide(opened, "hills", 0.0)
    opened.wait("player.scenery.ground.edges === undefined")
    opened.run("reset()")
    own = State(world, first.rows.copy())
    Engine(world, lanes=1).advance(own, STEPS)
    np.testing.assert_array_equal(opened.run(f"step({STEPS})"), own.rows[:, 0])


@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_the_ground_rises_below_a_moving_body_without_a_new_start(opened, world, first, shape):
    """It is lifted by the largest change of height below a link; its speed is kept; the ledger has the energy."""
    opened.run("set('hills', 0)", f"set('hills shape', {shape})", "reset()")
    away = opened.run("step(150)")
    lifted = opened.run("set('hills', 0.06)")
    grid = hills_below(world, first, shape)
    assert 0.0 < grid.heights.mean() < grid.heights.max() == 1.0
    seen = Engine(world, lanes=1).observe(State(world, away[:, None].copy()))
    places = np.array(seen.positions, float).reshape(-1, 3)
    table = (0.06 * grid.heights).ravel()
    below = [float(grid.surface(grid.numbers(), table, x, y).height) for x, y, _ in places.tolist()]
    rise = lifted[6] - away[6]
    assert rise == pytest.approx(max(below), abs=1e-12)
    assert rise > 0.005
    assert opened.page.evaluate("gambol.time") == pytest.approx(0.15)
    nq, nv = world.figure.nq, world.figure.nv
    np.testing.assert_array_equal(lifted[nq : nq + nv], away[nq : nq + nv])
    state, before = (State(world, rows[:, None].copy()) for rows in (lifted, away))
    work = [LEDGER_SIGNS["outside"] * float(np.sum(s.step_state.ledger.outside)) for s in (state, before)]
    weight = world.gravity * sum(link.mass_properties.mass for link in world.figure.links)
    assert work[0] - work[1] == pytest.approx(weight * rise, rel=1e-9, abs=1e-12)
    hilly = on_hills(disturbable(world), first, 0.06, shape)
    native_state = State(hilly, lifted[:, None].copy())
    engine = Engine(hilly, lanes=1)
    engine.advance(native_state, 150 + STEPS, engine.numbers(gravity=(0.0, 0.0, -9.81)))
    np.testing.assert_array_equal(opened.run(f"step({STEPS})"), native_state.rows[:, 0])
    opened.run("set('hills', 0)", "set('hills shape', 0)", "reset()")


def test_the_front_mark_lies_on_the_hills(opened, world, first):
    """It is put ahead of a place far from the level area; at points of the grid, the height is that of the grid."""
    slide(opened, "hills", 0.08)
    opened.wait("player.scenery.ground.edges !== undefined")
    opened.page.check("#front")
    place = opened.page.evaluate("""(() => { const { marks } = player, snapshot = new Float64Array(1000);
        snapshot[gambol.about.quaternions] = 1;
        marks.centre = [7.3, -5.1, 1];
        marks.showFront(snapshot);
        return marks.front.position.toArray().map((x) => x * player.film.size); })()""")
    grid, size = hills_below(world, first), opened.page.evaluate("player.film.size")
    i, j = (int(np.floor((p - o) / grid.spacing)) for p, o in zip(place, (grid.x0, grid.y0), strict=False))
    corners = 0.08 * grid.heights[i : i + 2, j : j + 2]
    lift = 0.004 * size  # LIFT of marks.js
    assert corners.min() - 1e-6 <= place[2] - lift <= corners.max() + 1e-6
    assert np.ptp(corners) > 0.0
    assert corners.max() > 0.01
    x, y = (o + k * grid.spacing for o, k in ((grid.x0, i), (grid.y0, j)))
    at_corner = opened.page.evaluate("([x, y]) => player.scenery.ground.heightAt(x, y)", [x / size, y / size]) * size
    assert at_corner == pytest.approx(corners[0, 0], abs=1e-6)
    opened.page.uncheck("#front")
    slide(opened, "hills", 0.0)
    opened.wait("player.scenery.ground.edges === undefined")


def test_the_address_of_hills_opens_them_again(open_page, world, first, tmp_path):
    page = open_page(write_live_page(world, tmp_path / "page.html", state=first), "#hills=0.05")
    page.wait("player.scenery.ground.edges !== undefined")
    assert page.page.evaluate("gambol.numbers[gambol.about.numbers.hills]") == 0.05
    page.page.close()


def test_a_medium_slows_a_body_by_its_drag_and_lifts_it(opened, world, first):
    opened.run("reset()")
    slide(opened, "medium", 500.0)
    opened.wait("gambol.settings.values.get('medium') === 500")
    rows = opened.run(f"step({STEPS})")
    wet = disturbable(world)
    medium = wet.external.medium.numbers() | {"density": 500.0}
    np.testing.assert_array_equal(rows, native(wet, first, STEPS, medium=medium))
    dragged = native(wet, first, STEPS, medium=medium | {"buoyancy": 0.0})
    assert np.abs(rows - dragged).max() > 0.01
    assert rows[world.figure.nq + 3] < 2.0  # m/s, of 4
    assert opened.page.evaluate("player.scene.children.some((one) => one.renderOrder === 1 && one.visible)")
    slide(opened, "medium.surface", 0.2)
    opened.wait("gambol.settings.values.get('medium.surface') === 0.2")
    shallow = native(wet, first, STEPS, medium=medium | {"surface": 0.2})
    np.testing.assert_array_equal(opened.run("reset()", f"step({STEPS})"), shallow)
    assert np.abs(shallow - rows).max() > 0.01
    opened.run("set('medium', 0)")
    opened.wait("!player.scene.children.some((one) => one.renderOrder === 1 && one.visible)")


def test_a_file_of_numbers_has_hills_and_medium(world, first):
    """A ball in water falls at v = sqrt(a / k) tanh(sqrt(a k) t): k = c / m of its box, a: its weight in the medium."""
    free = World(ball(), ground=NoGround(), timing=Timing(1e-3, 1.25e-4, "rk4"))
    state, numbers = changed_inputs(start(free, position=(0.0, 0.0, 50.0)), None, {"medium.density": 1000.0})
    Engine(state.world, lanes=1).advance(state, STEPS, numbers)
    side = np.sqrt(6.0 * 0.4) * 0.05  # of the cube with the inertia of the ball: m b^2 / 6 = 2 m r^2 / 5
    k = 0.5 * 1000.0 * side**2 / 1.0
    a = 9.81 * (1.0 - 1000.0 * side**3)
    speed = np.sqrt(a / k) * np.tanh(np.sqrt(a * k) * STEPS * 1e-3)
    assert state.v[0, 5] == pytest.approx(-speed, rel=1e-6)
    hilly, inputs = changed_inputs(State(world, first.rows.copy()), None, {"hills": 0.08})
    Engine(hilly.world, lanes=1).advance(hilly, STEPS, inputs)
    own = State(hilly.world, first.rows.copy())
    Engine(on_hills(world, first, 0.08), lanes=1).advance(own, STEPS)
    np.testing.assert_array_equal(hilly.rows, own.rows)
