"""Displays of a live page besides the figure: forces, centre of mass, feet, signals; and its saved files."""

import json
from importlib.resources import files

import numpy as np
import pytest
from worlds import block, touch

from gambol import State, SurfaceProperties, Timing, World, make_world, start, write_live_page
from gambol.world import contacts
from gambol.world.context import LEDGER_SIGNS

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
LARGE = Timing(control_step=1 / 240, step=1 / 240)
WEIGHT = 9.81  # N of a block of 1 kg
CONTACTS = (files("gambol.view") / "live" / "contacts.js").read_text()
FORCES = """async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { contactForces, hullOf, contains } = await import(address);
  const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
  let seen = null;
  const update = player.marks.update.bind(player.marks);
  player.marks.update = (answer) => { seen = answer; update(answer); };
  await gambol.step(0);
  const forces = contactForces(gambol.about, seen.contacts, seen.state);
  return [forces, hullOf([...square, [0.5, 0.5], [1, 0.5]]), contains(square, [0.5, 0.2])];
}"""


def page_of(open_page, world, folder, state):
    page = open_page(write_live_page(world, folder / "page.html", state=state), width=800, height=500)
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()")
    page.unfold()
    return page


@pytest.fixture(scope="module")
def resting(open_page, tmp_path_factory):
    """A block that rests on the ground."""
    world = World(block(), surface=SurfaceProperties(touch(friction=0.5)), contact="stepping", timing=LARGE)
    page = page_of(open_page, world, tmp_path_factory.mktemp("block"), start(world, position=(0.0, 0.0, 0.01)))
    page.run("step(60)")
    return page


def test_forces_of_contacts_carry_the_weight(resting):
    resting.page.check("#forces")
    forces, hull, inside = resting.page.evaluate(FORCES, CONTACTS)
    np.testing.assert_allclose(np.sum([one["force"] for one in forces], axis=0), [0.0, 0.0, WEIGHT], atol=1e-6 * WEIGHT)
    corners = np.abs([one["point"][:2] for one in forces])
    np.testing.assert_allclose(corners, 0.2, atol=1e-3)  # the block is 0.4 m wide
    assert (hull, inside) == ([[0, 0], [1, 0], [1, 1], [0, 1]], True)
    arrows = resting.page.evaluate("player.marks.arrows.map((arrow) => arrow.group.visible)")
    assert arrows == [True]  # one for the link and the ground
    resting.page.uncheck("#forces")
    resting.wait("player.marks.arrows.every((arrow) => !arrow.group.visible)")


def test_the_support_polygon_is_below_a_block_and_not_below_one_that_flies(resting):
    resting.page.check("#support")
    resting.run("step(0)")
    green = resting.page.evaluate(
        "[player.marks.support.visible, '#' + player.marks.ball.material.color.getHexString()]"
    )
    resting.run("push([0, 0, 400], 0.1)", "step(20)")
    red = resting.page.evaluate("[player.marks.support.visible, '#' + player.marks.ball.material.color.getHexString()]")
    assert green == [True, "#4f9d69"]
    assert red == [False, "#d0503a"]
    resting.page.uncheck("#support")
    resting.run("reset()", "step(60)")


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_forces_are_those_of_contacts_of_python(open_page, tmp_path, contact):
    """A creature that runs: points and forces of all contacts, also from the contact cache."""
    world = make_world("raibert-hopper-3d", contact=contact)
    page = page_of(open_page, world, tmp_path, start(world))
    page.page.check("#forces")
    seen = 0
    for steps in range(50, 400, 50):
        rows = page.run("reset()", f"step({steps})")
        forces, _, _ = page.page.evaluate(FORCES, CONTACTS)
        expected = contacts(world, State(world, rows[:, None].copy()))
        pushing = np.abs(expected.force).max(axis=1, initial=0.0) > 0.0
        force, point = (np.array([f[name] for f in forces]).reshape(-1, 3) for name in ("force", "point"))
        np.testing.assert_allclose(force, expected.force[pushing], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(point, expected.point[pushing], rtol=1e-9, atol=1e-9)
        seen += len(forces)
    assert seen
    page.page.close()


@pytest.fixture(scope="module")
def walking(open_page, tmp_path_factory):
    """A machine that trots."""
    world = make_world("raibert-quadruped")
    page = page_of(open_page, world, tmp_path_factory.mktemp("quadruped"), start(world))
    return page, world


def samples(page):
    return page.page.evaluate(
        """player.signals.samples.map((sample) => [sample.time, ...player.signals.valuesOf(sample)])"""
    )


def test_any_signal_is_plotted_in_step_with_the_body(walking):
    """The potential energy is m g z of the centre of mass; unaccounted energy is the balance of all others."""
    page, world = walking
    lines = {}
    for name in ("energies", "height of the centre of mass", "ledger", "unaccounted energy"):
        page.page.locator("#signal").select_option(label=name)
        assert page.page.locator("#plot").is_visible()
        if name == "energies":
            for _ in range(20):
                page.run("step(5)")
        lines[name] = np.array(samples(page))
        assert page.page.locator("#legend span").count() == lines[name].shape[1] - 1
    energies, height = lines["energies"], lines["height of the centre of mass"]
    assert len(energies) > 20
    mass = sum(link.mass_properties.mass for link in world.figure.links)
    drop = energies[:, 2] - energies[0, 2]
    np.testing.assert_allclose(drop, mass * 9.81 * (height[:, 1] - height[0, 1]), atol=1e-6 * mass)
    balance = energies[:, 1:].sum(axis=1) - lines["ledger"][:, 1:] @ np.array(list(LEDGER_SIGNS.values()))
    np.testing.assert_allclose(lines["unaccounted energy"][:, 1], balance - balance[0], atol=1e-9)
    page.page.evaluate("player.signals.draw(1)")
    inked = """(() => {
      const { width, height } = plot;
      return plot.getContext("2d").getImageData(0, 0, width, height).data.some((x) => x > 0);
    })()"""
    assert page.page.evaluate(inked)


def test_signals_drop_an_abandoned_future_and_preserve_a_scrubbed_one(walking):
    page, _ = walking
    page.run("reset()", "step(20)", "step(20)", "step(20)")
    dt = page.page.evaluate("gambol.dt")
    times = page.page.evaluate("player.signals.samples.map(({ time }) => time)")
    page.run(f"seek({30 * dt})")
    assert page.page.evaluate("player.signals.samples.map(({ time }) => time)") == times
    page.run("step(5)")
    after = page.page.evaluate("player.signals.samples.map(({ time }) => time)")
    assert after == pytest.approx([*(t for t in times if t < 30 * dt), 35 * dt])


def test_the_stepping_pattern_and_the_trail_follow_the_feet(walking):
    page, world = walking
    page.page.check("#pattern")
    page.page.check("#trail")
    page.run("reset()", *["step(10)"] * 10)
    assert page.page.locator("#feetplot").is_visible()
    assert page.page.evaluate("gambol.about.loads.map(({ label }) => label)") == list(world.surface.feet)
    page.page.evaluate("player.signals.draw(1)")
    counts = page.page.evaluate("player.marks.trails.map(({ mesh }) => mesh.count)")
    assert len(counts) == len(world.surface.feet)
    assert min(counts) > 1
    page.page.uncheck("#trail")
    page.wait("player.marks.trails.length === 0")


def test_the_front_mark_lies_ahead_of_the_figure(walking):
    page, _ = walking
    page.page.check("#front")
    page.run("reset()", "step(1)")
    ahead = page.page.evaluate("player.marks.front.position.toArray().map((x, k) => x - player.marks.centre[k])")
    heading = page.page.evaluate("player.film.heading")
    assert np.dot(ahead[:2], heading) > 0.5
    assert abs(np.cross([*ahead[:2], 0.0], [*heading, 0.0])[2]) < 0.05
    page.page.uncheck("#front")


def test_a_picture_a_video_and_the_changed_numbers_are_saved(walking):
    page, world = walking
    page.run("set('touch.friction', 0.25)", "set('gravity', 1.62)")
    saved = {}
    for button in ("picture", "numbers"):
        with page.page.expect_download() as download:
            page.page.click(f"#{button}")
        saved[button] = download.value
    assert saved["picture"].suggested_filename.endswith(".png")
    assert saved["picture"].path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    kept = json.loads(saved["numbers"].path().read_text())
    assert kept == {
        "format": "gambol numbers",
        "figure": world.figure.name,
        "source": None,
        "numbers": {"touch.friction": 0.25, "gravity": 1.62},
        "genes": {},
    }
    page.page.click("#video")
    page.page.evaluate("""(() => {
      window.drawn = 0;
      player.renderer.setAnimationLoop(() => { player.stale = true; player.draw(0); window.drawn++; });
    })()""")
    page.wait("window.drawn > 10")
    with page.page.expect_download() as download:
        page.page.click("#video")
    assert download.value.suggested_filename.endswith((".webm", ".mp4"))
    assert download.value.path().stat().st_size > 1000
    page.page.evaluate(DROP_PAGE)
    assert not page.errors
