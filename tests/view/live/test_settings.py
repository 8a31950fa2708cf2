"""Settings of a live page: sliders, switches and arrow keys set inputs of the program, and all of them come back."""

from dataclasses import replace

import numpy as np
import pytest
from quadrupeds import quadruped
from worlds import block, touch

from gambol import Engine, State, SurfaceProperties, Timing, World, make_world, roach, start, write_live_page
from gambol.gait import Steering
from gambol.gait.reflex import UNREACHABLE
from gambol.view.live.disturbance import disturbable
from gambol.view.live.numbers import number_names
from gambol.view.live.settings import settings, tilted_gravity

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
SLOPE, FRICTION = 0.2, 0.1  # rad
LARGE = Timing(control_step=1 / 240, step=1 / 240)


def numbers_of(world):
    engine = Engine(world)
    return dict(zip(number_names(engine.numbers_template), engine.numbers()[:, 0].tolist(), strict=True))


@pytest.fixture(scope="module")
def creature():
    return disturbable(make_world(roach(), speed=1.0, turn=0.4))


@pytest.fixture(scope="module")
def offered(creature):
    return {setting["name"]: setting for setting in settings(creature, numbers_of(creature))}


def test_a_roach_has_a_setting_for_each_thing_that_its_program_takes_as_input(offered):
    legs = {f"leg {rank} {side}" for rank in ("front", "middle", "back") for side in ("left", "right")}
    legs |= {name.replace("leg", "attached") for name in legs}
    surroundings = {"gravity", "slope", "touch.friction", "medium", "medium.surface", "medium.buoyancy"}
    assert (
        offered.keys() == surroundings | {"slowness", "step height", "stroke", "turn", "stiffness", "reflexes"} | legs
    )
    for setting in offered.values():
        assert setting["low"] <= setting["value"] <= setting["high"]


def test_a_world_is_tilted_only_where_the_ground_makes_a_slope():
    flying = World(quadruped(), gravity=0.0)
    assert tilted_gravity(flying) is flying
    sideways = World(quadruped(), gravity=(0.0, 1.0, -9.0))
    assert tilted_gravity(sideways) is sideways


def test_the_first_values_of_settings_are_those_of_the_world(creature, offered):
    values = numbers_of(creature)
    for setting in offered.values():
        for one in setting["sets"]:
            assert one["first"] == values[one["name"]]
            assert len(one.keys() & {"slope", "power", "off"}) == 1


def test_the_step_height_scales_the_lift_of_each_leg(creature, offered):
    gait, values = creature.controller, numbers_of(creature)
    assert len(offered["step height"]["sets"]) == len(gait.legs)
    for leg, one in zip(gait.legs, offered["step height"]["sets"], strict=True):
        targets = [command.target for command in leg.step if command.joint == leg.links[1]]
        doubled = one["first"] + one["slope"]
        assert doubled - targets[-1] == pytest.approx(2.0 * (targets[0] - targets[-1]))
        assert values[one["name"]] == targets[0]


def test_the_step_height_leaves_out_legs_with_one_joint(creature, offered):
    gait, values = creature.controller, numbers_of(creature)
    first = gait.legs[0]
    upper = first.links[:1]
    short = replace(
        first,
        links=upper,
        step=tuple(c for c in first.step if c.joint in upper),
        stance=tuple(c for c in first.stance if c.joint in upper),
        load_joint="",
    )
    short_legged = replace(creature, controller=replace(gait, legs=(short, *gait.legs[1:])))
    rows = {one["name"]: one for one in settings(short_legged, values)}
    assert rows["step height"]["sets"] == offered["step height"]["sets"][1:]
    one_jointed = replace(creature, controller=replace(gait, legs=(short,), reflexes=(), modifiers=()))
    assert "step height" not in {one["name"] for one in settings(one_jointed, values)}


def test_a_lamed_leg_is_limp_and_never_steps(creature, offered):
    """Without reflexes and springs: its damping stays, and a load below 0 always keeps it from stepping."""
    off = {one["name"]: one["off"] for one in offered["leg front left"]["sets"]}
    links = creature.controller.legs[0].links
    sprung = {name for name in numbers_of(creature) if name.startswith(tuple(f"springs.{link}[" for link in links))}
    assert {name for name, value in off.items() if value == 0.0} == {
        n for n in sprung if not n.endswith(("beta", "damping"))
    }
    assert off["control.load[0]"] < 0.0 < UNREACHABLE == off["control.bent_back[0]"]


@pytest.fixture(scope="module")
def world():
    """A block on slippery ground."""
    return World(block(), surface=SurfaceProperties(touch(friction=FRICTION)), contact="stepping", timing=LARGE)


@pytest.fixture(scope="module")
def first(world):
    return start(world, position=(0.0, 0.0, 0.01))


@pytest.fixture(scope="module")
def path(world, first, tmp_path_factory):
    return write_live_page(world, tmp_path_factory.mktemp("settings") / "block.html", state=first)


@pytest.fixture(scope="module")
def page(open_page, path):
    page = open_page(path, "#slope=5", width=390, height=700, has_touch=True, is_mobile=True)
    page.page.evaluate(DROP_PAGE)
    return page


def slide(page, name, value):
    """Move a slider as a finger does."""
    page.page.locator(f'[id="number {name}"]').evaluate("(e, x) => { e.value = x; e.oninput(); }", value)


def test_panels_of_a_phone_are_folded_and_leave_two_thirds_of_it_to_the_figure(page):
    box = page.page.locator("#controls").bounding_box()
    assert box["height"] < 700 / 3
    assert not page.page.locator('[id="number gravity"]').is_visible()
    assert not page.page.locator("#step").is_visible()
    page.page.tap("#unfold")
    assert page.page.locator("#step").is_visible()
    page.page.tap("#settings-panel summary")
    assert page.page.locator('[id="number gravity"]').is_visible()


def test_a_block_slides_down_a_slope_by_its_weight_less_its_friction(page):
    """x = -g (sin s - mu cos s) t^2 / 2; the picture is tilted."""
    page.run("pause()", "reset()")
    slide(page, "gravity", 4.0)
    slide(page, "slope", np.degrees(SLOPE))
    rows = page.run("step(120)")
    t = 120 * LARGE.control_step
    fall = 4.0 * (np.sin(SLOPE) - FRICTION * np.cos(SLOPE)) * t**2 / 2.0
    assert rows[4] == pytest.approx(-fall, rel=1e-4)
    assert abs(rows[5]) < 1e-6
    up = page.page.evaluate("player.camera.up.toArray()")
    np.testing.assert_allclose(up, [np.sin(SLOPE), 0.0, np.cos(SLOPE)], atol=1e-12)
    level = page.run("set('gravity', 9.81)", "set('slope', 0)", "reset()", "step(100)")
    np.testing.assert_allclose(level[4:6], 0.0, atol=1e-6 * fall)
    assert page.page.evaluate("gambol.settings.values.size") == 0


def test_the_address_of_a_slope_opens_it_again(page, open_page, path):
    slide(page, "slope", 10.0)
    page.wait("location.hash === '#slope=10'")
    again = open_page(path, page.page.evaluate("location.hash"))
    again.wait("document.getElementById('number slope').value === '10'")
    assert again.page.evaluate("gambol.settings.slope") == pytest.approx(np.radians(10.0))
    again.page.close()


@pytest.fixture(scope="module")
def walking(open_page, creature, tmp_path_factory):
    world = make_world(roach(), speed=1.0, turn=1e-9, contact="stepping")
    page = open_page(write_live_page(world, tmp_path_factory.mktemp("roach") / "roach.html"))
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()")
    return page, world


def heading(rows):
    w, x, y, z = rows[:4]
    return np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))


@pytest.mark.slow
def test_arrow_keys_turn_the_roach_while_they_are_held(walking):
    page, world = walking
    assert any(isinstance(one, Steering) for one in world.controller.modifiers)
    steps = round(0.5 / world.timing.control_step)
    ends = []
    for key in ("ArrowLeft", "ArrowRight"):
        page.page.keyboard.down(key)
        page.wait("Math.abs(gambol.settings.valueOf('turn')) === 1.5")
        ends.append(heading(page.run("reset()", f"step({steps})")))
        page.page.keyboard.up(key)
        page.wait("!gambol.settings.values.has('turn')")
    assert ends[0] > 0.2
    assert ends[1] < -0.2


def test_a_lamed_leg_stands_still_while_others_step(walking):
    """And the others still do when the stiffness is changed, which shares numbers with the switch."""
    page, world = walking
    engine, steps = Engine(world), round(0.4 / world.timing.control_step)
    page.run("reset()", "set('leg middle left', 0)", "set('stiffness', 1.5)")
    lifts = np.zeros(6)
    for _ in range(40):
        rows = page.run(f"step({steps // 40})")
        memory = State(world, rows[:, None]).step_state.memory.control
        lifts = np.maximum(lifts, [float(np.ravel(x)[0]) for x in memory.state])
    names = [leg.name for leg in world.controller.legs]
    assert lifts[names.index("middle left")] < 1.5
    assert (np.delete(lifts, names.index("middle left")) > 1.5).all()
    link = world.controller.legs[names.index("middle left")].links[1]
    row = list(number_names(engine.numbers_template)).index(f"springs.{link}[0].alpha")
    assert page.page.evaluate(f"gambol.numbers[gambol.about.numbers['springs.{link}[0].alpha']]") == 0.0
    page.run("set('leg middle left', 1)", "set('stiffness', 1)")
    assert (
        page.page.evaluate(f"gambol.numbers[gambol.about.numbers['springs.{link}[0].alpha']]")
        == engine.numbers()[row, 0]
    )
    assert page.page.evaluate("gambol.settings.values.size") == 0
