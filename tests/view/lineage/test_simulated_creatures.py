"""A page of ancestors simulates its creatures, with the film of the run over them."""

import time
from dataclasses import replace

import numpy as np
import pytest
from playwright.sync_api import sync_playwright
from quadrupeds import quadruped
from worlds import touch

from gambol import Engine, State, SurfaceProperties, World, run, start
from gambol.view.lineage import Generation, Individual, Lineage, write_lineage
from gambol.view.live.disturbance import disturbable
from gambol.view.live.hills import on_hills
from gambol.view.live.numbers import number_names
from gambol.world.context import LEDGER_SIGNS
from gambol.world.events.ledger import RELATIVE_TOLERANCE

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
HEIGHTS = {1: 0.3, 2: 0.25}  # [m] at the start
REASON = "plays a film: it is too large"


@pytest.fixture(scope="module")
def world():
    figure = quadruped()
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    return World(figure, surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet))


@pytest.fixture(scope="module")
def page(browser_path, world, tmp_path_factory):
    """The page of two creatures that live and of one with a film only, in a browser under the page's own policy."""
    people, numbers = [], Engine(world).numbers()
    for number, height in HEIGHTS.items():
        state = start(world, position=(0.0, 0.0, height))
        film = run(world, state.copied(), 0.4, rate=60.0)
        people.append(Individual(number, number - 1, (number - 1,), "mutated", 1.0, film=film, start=(state, numbers)))
    people.append(replace(people[1], number=3, start=None, motion_note=REASON))
    lineage = Lineage("falls", {}, (Generation(1.0, 1.0, 1.0, 1.0),) * 2, tuple(people), (1, 2))
    path = write_lineage(lineage, tmp_path_factory.mktemp("page") / "lineage.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1000, "height": 700})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        yield page
        assert not errors
        browser.close()


def wait(page, condition):
    end = time.monotonic() + 60.0
    while not page.evaluate(condition):
        assert time.monotonic() < end, (condition, page.inner_text("#error"))
        time.sleep(0.05)


def choose(page, number):
    page.locator(f'.node[data-number="{number}"]').click()
    wait(page, f"document.getElementById('who').textContent.startsWith('Creature {number}') && !!window.player")


def steps(page, *calls):
    body = "".join(f"await gambol.{call};" for call in calls)
    return np.array(page.evaluate(f"(async () => {{ {body} return Array.from(gambol.state()); }})()"))


@pytest.mark.parametrize("number", [2, 1])
def test_each_creature_moves_by_itself_with_the_bits_of_the_processor(page, world, number):
    if number == 1:
        choose(page, 1)
    wait(page, "!!window.gambol && gambol.time > 0")
    state = start(world, position=(0.0, 0.0, HEIGHTS[number]))
    Engine(world, lanes=1).advance(state, 50)
    np.testing.assert_array_equal(steps(page, "pause()", "reset()", "step(50)"), state.rows[:, 0])
    assert page.evaluate("gambol.fused")


def test_a_visitor_goes_back_in_time_and_on_again(page):
    choose(page, 1)
    steps(page, "pause()", "reset()", "step(60)")
    until = page.evaluate("gambol.time")
    wait(page, f"+document.getElementById('scrub').max >= {until}")
    page.evaluate(f"""const scrub = document.getElementById('scrub');
        scrub.value = {0.5 * until}; scrub.dispatchEvent(new Event('input'))""")
    wait(page, f"gambol.time <= {0.5 * until} && gambol.time > 0")
    assert page.evaluate("gambol.latestTime") == until
    page.click("#play")
    wait(page, f"gambol.time > {0.6 * until} && gambol.playing")


def test_the_film_of_the_run_is_where_the_creature_is(page):
    choose(page, 1)
    steps(page, "pause()", "reset()", "step(240)")  # 0.1 s: the sixth picture of the film
    page.check("#filmed")
    shown = "page.moving.recorded.figures.group"
    wait(page, f"{shown}.visible")
    places = "bodies => bodies.map((body) => body.position.toArray())"
    lived = np.array(page.evaluate(f"({places})(player.bodies[0])"))
    filmed = np.array(page.evaluate(f"({places})(page.moving.recorded.bodies[0])"))
    np.testing.assert_allclose(lived, filmed, atol=3 * 2.0**-15)  # figure sizes: the film's lengths are in such steps
    page.uncheck("#filmed")
    wait(page, f"!{shown}.visible")


def test_a_creature_that_cannot_live_plays_its_film_and_says_why(page):
    choose(page, 3)
    assert page.inner_text("#motion-note") == REASON
    wait(page, "player.time > 0")
    assert page.evaluate("window.gambol") is None
    assert not page.locator("#filmed").is_visible()
    choose(page, 2)
    assert page.inner_text("#motion-note") == ""


def test_worlds_of_one_program_store_it_once(world, tmp_path):
    numbers, many = Engine(world).numbers(), []
    for count in (1, 2):
        states = [start(world, position=(0.0, 0.0, height)) for height in list(HEIGHTS.values())[:count]]
        films = [run(world, state.copied(), 0.05) for state in states]
        people = tuple(
            Individual(k, k, (), "random", 1.0, film=film, start=(state, numbers))
            for k, (film, state) in enumerate(zip(films, states, strict=True))
        )
        lineage = Lineage("falls", {}, (), people, (0,))
        many.append(write_lineage(lineage, tmp_path / f"{count}.html").stat().st_size)
    assert many[1] - many[0] < 40_000  # a film and a description; the program has 65 kB in base64


def test_a_setting_changes_the_creature_that_is_shown(page, world):
    choose(page, 1)
    assert page.locator("#settings-panel").is_visible()
    page.click("#settings-panel summary")
    steps(page, "pause()", "reset()")
    page.evaluate("""const friction = document.getElementById('number touch.friction');
        friction.value = 0; friction.dispatchEvent(new Event('input'))""")
    wait(page, "gambol.numbers[gambol.about.numbers['touch.friction']] === 0")
    state, engine = start(world, position=(0.0, 0.0, HEIGHTS[1])), Engine(world, lanes=1)
    engine.advance(state, 600, engine.numbers(touch=replace(world.numbers()["touch"], friction=0.0)))
    np.testing.assert_array_equal(steps(page, "step(600)"), state.rows[:, 0])
    choose(page, 3)
    assert not page.locator("#settings-panel").is_visible()
    choose(page, 2)
    assert page.evaluate("+document.getElementById('number touch.friction').value > 0")  # each has its own


def test_a_body_is_pulled_and_the_ledger_has_the_work(page, world):
    choose(page, 2)
    steps(page, "pause()", "reset()")
    box = page.locator("#stage canvas").bounding_box()
    at = page.evaluate("""(() => { player.draw(0); player.camera.updateMatrixWorld();
        const p = player.bodies[0][0].position.clone().project(player.camera);
        return [(p.x + 1) / 2, (1 - p.y) / 2]; })()""")
    x, y = box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]
    page.mouse.move(x, y)
    page.mouse.down()
    wait(page, "gambol.hand !== null")
    page.mouse.move(x, y - 60.0)
    wait(page, "gambol.hand.target[2] > 0.3")
    engine, rows = Engine(world, lanes=1), [steps(page, f"step({count})") for count in (0, 600)]
    seen = [engine.observe(State(world, each[:, None].copy())) for each in rows]
    energies = [float(np.sum(each.kinetic) + np.sum(each.potential) + np.sum(each.stored)) for each in seen]
    ledgers = [State(world, each[:, None].copy()).step_state.ledger for each in rows]
    changes = {name: float(np.sum(getattr(ledgers[1], name) - getattr(ledgers[0], name))) for name in LEDGER_SIGNS}
    exchanged = abs(energies[1] - energies[0]) + sum(map(abs, changes.values()))
    left = energies[1] - energies[0] - sum(LEDGER_SIGNS[name] * x for name, x in changes.items())
    assert abs(left) < RELATIVE_TOLERANCE * exchanged < abs(changes["outside"])
    page.mouse.up()
    wait(page, "gambol.hand === null")


def test_hills_rise_below_the_creature_that_is_shown(page, world):
    """It is pushed from the level area around its first position to the hills; all bits are those of the processor."""
    page.evaluate("window.gambol = null")
    choose(page, 1)
    wait(page, "!!window.gambol && gambol.time > 0")
    push = [60.0, 0.0, 0.0]
    rows = steps(
        page, "pause()", "reset()", "set('hills', 0.05)", "set('hills shape', 2)", f"push({push}, 0.2)", "step(900)"
    )
    wait(page, "player.scenery.ground.edges !== undefined")
    assert page.evaluate("player.scenery.ground.group.children[0].scale.z") == 0.05
    first = start(world, position=(0.0, 0.0, HEIGHTS[1]))
    found = []
    for ground in (on_hills(disturbable(world), first, 0.05, 2), disturbable(world)):
        state, engine = State(ground, first.rows.copy()), Engine(ground, lanes=1)
        numbers = engine.numbers(gravity=(0.0, 0.0, -9.81))
        names = list(number_names(engine.numbers_template))
        for k, x in enumerate([*push, 0.0, 0.2]):
            numbers[names.index(f"push[{k}]")] = x
        engine.advance(state, 900, numbers)
        found.append(state.rows[:, 0])
    np.testing.assert_array_equal(rows, found[0])
    assert np.abs(found[0][4:7] - found[1][4:7]).max() > 1e-3  # it met a hill
    steps(page, "set('hills', 0)", "set('hills shape', 0)", "reset()")
    wait(page, "player.scenery.ground.edges === undefined")
