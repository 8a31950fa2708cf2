"""`gambol view`: pages of films, figures, creatures, scripts, plans and meshes, opened in a browser."""

import base64
import json
import webbrowser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from films import hexapod_film
from invoked import invoke
from playwright.sync_api import sync_playwright

from gambol import read_figure
from gambol.dynamics import kinematics
from gambol.figure import JOINTS

EXAMPLES = Path(__file__).parents[3] / "examples"
MONOPOD = EXAMPLES / "figures" / "monopod.toml"
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip
PLACES = "player.pose(), player.bodies[0].map((body) => body.position.toArray().map((x) => x * player.film.size))"


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """The addresses that commands open, in a folder of its own."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    monkeypatch.chdir(tmp_path)
    return addresses


@pytest.fixture(scope="module")
def browser(browser_path):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        yield browser
        browser.close()


def loaded(browser, address, condition):
    page = browser.new_page(viewport={"width": 300, "height": 200}, bypass_csp=True)
    page.goto(address)
    page.wait_for_function(condition, timeout=60_000)
    return page


def test_a_figure_stands_in_its_posture_and_a_film_plays(browser, opened):
    """Links are where the kinematics of the file's joints at rest put them, to half a step of stored lengths."""
    film = hexapod_film(seconds=0.3)
    film.save("walk.npz")
    result = invoke("view", MONOPOD, "walk.npz")
    assert result.exit_code == 0, result.output
    assert [Path(address).name for address in opened] == ["monopod.view.html", "walk.view.html"]

    page = loaded(browser, opened[0], "!!window.player")
    model = read_figure(MONOPOD)
    figure, q = model.figure, model.q or [x for link in model.figure.links for x in JOINTS[link.joint.kind].rest]
    poses = kinematics(figure, list(q), [0.0] * figure.nv).poses[1:]
    unit = page.evaluate("player.film.unit")
    np.testing.assert_allclose(page.evaluate(PLACES), [[*pose.position] for pose in poses], atol=0.51 * unit)
    assert page.evaluate("player.film.frames") == 1
    page.close()

    page = loaded(browser, opened[1], "!!window.player")
    assert page.evaluate("player.duration") == pytest.approx(film.duration, abs=1.0 / 240.0)
    assert page.evaluate("player.film.links") == len(film.link_names)
    page.close()


def test_a_figure_is_simulated_in_its_page(browser, opened):
    result = invoke("view", MONOPOD, "--live")
    assert result.exit_code == 0, result.output
    loaded(browser, opened[0], "!!window.gambol && gambol.time > 0").close()


def test_creatures_scripts_and_numbers_live_in_their_pages(browser, opened):
    """A creature, the segments of a script, and a figure with the changed gravity."""
    source = {"kind": "figure", "options": {"file": "monopod.toml"}}
    content = {
        "format": "gambol numbers",
        "figure": "monopod",
        "source": source,
        "genes": {},
        "numbers": {"gravity": 3},
    }
    Path("monopod.toml").write_bytes(MONOPOD.read_bytes())
    Path("mine.numbers.json").write_text(json.dumps(content))
    result = invoke(
        "view", "--live", str(files("gambol.evolve.zoo") / "walker.toml"), EXAMPLES / "scripts" / "twitch.corpus",
        "mine.numbers.json",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    names = ["walker.live.html", "twitch.live.html", "mine-changed.live.html"]
    assert [Path(address).name for address in opened] == names
    for address, is_changed in zip(opened, (False, False, True), strict=True):
        page = loaded(browser, address, "!!window.gambol && gambol.time > 0")
        assert (page.evaluate("gambol.numbers[gambol.about.numbers['gravity.z']]") == -3.0) == is_changed
        page.close()


def test_creatures_and_scripts_are_simulated_and_pages_are_opened_as_they_are(opened):
    Path("mine.html").write_text("mine")
    result = invoke(
        "view", "mine.html", str(files("gambol.evolve.zoo") / "walker.toml"), EXAMPLES / "scripts" / "twitch.corpus"
    )
    assert result.exit_code == 0, result.output
    assert [Path(address).name for address in opened] == ["mine.html", "walker.view.html", "twitch.view.html"]
    assert Path("mine.html").read_text() == "mine"
    assert all(Path(f"out/{name}.view.html").stat().st_size > 230_000 for name in ("walker", "twitch"))  # the player


TETRAHEDRON = """v 0 0 0
v 2 0 0
v 0 3 0
v 0 0 4
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


def test_meshes_are_drawn_where_their_points_are(browser, opened):
    """OBJ, and the same corners as glTF, whose upward axis y becomes z."""
    Path("corner.obj").write_text(TETRAHEDRON)
    write_tetrahedron(Path("corner2.gltf"))
    assert invoke("view", "corner.obj", "corner2.gltf").exit_code == 0
    for address in opened:
        page = loaded(browser, address, "!!window.player")
        low, high = page.evaluate("""(() => {
            const drawn = [];
            player.figures.group.traverse((each) => each.geometry && drawn.push(each.geometry));
            drawn[0].computeBoundingBox();
            const { min, max } = drawn[0].boundingBox;
            return [min, max].map((corner) => corner.toArray().map((x) => x * player.film.size)); })()""")
        unit = page.evaluate("player.film.visualUnits.points * player.film.size")
        np.testing.assert_allclose([low, high], [[0.0, 0.0, 0.0], [2.0, 3.0, 4.0]], atol=0.51 * unit)
        page.close()


def write_tetrahedron(path):
    """Write the corners of TETRAHEDRON as glTF, in which y is up: (x, z, -y)."""
    points = np.array([[0, 0, 0], [2, 0, 0], [0, 0, -3], [0, 4, 0]], "<f4")
    triangles = np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], "<u2")
    data = base64.b64encode(points.tobytes() + triangles.tobytes()).decode()
    views = [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
    ]
    primitive = {"attributes": {"POSITION": 0}, "indices": 1}
    buffers = [{"byteLength": 72, "uri": f"data:application/octet-stream;base64,{data}"}]
    nodes = {"meshes": [{"primitives": [primitive]}], "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}], "scene": 0}
    content = {"asset": {"version": "2.0"}, "buffers": buffers, "bufferViews": views, "accessors": accessors, **nodes}
    path.write_text(json.dumps(content))


def test_a_plan_is_solved_and_its_motion_is_shown(browser, opened):
    """The block slides by 1 m in 1 s, from rest to rest: x = 3 t^2 - 2 t^3 [Kelly 2017]."""
    assert invoke("view", EXAMPLES / "plans" / "block.toml").exit_code == 0
    page = loaded(browser, opened[0], "!!window.player")
    assert page.evaluate("player.duration") == pytest.approx(1.0)
    for t in (0.0, 0.25, 1.0):
        x = page.evaluate(f"(player.seek({t}), player.pose(), player.bodies[0][0].position.x * player.film.size)")
        assert x == pytest.approx(3.0 * t**2 - 2.0 * t**3, abs=2e-3)
    page.close()


def test_nothing_is_opened_on_demand(opened):
    assert invoke("view", MONOPOD, MONOPOD, "--no-open", "--out", "pages").exit_code == 0  # one page, not two
    assert [path.name for path in Path("pages").iterdir()] == ["monopod.view.html"]
    assert not opened


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["nothing.html"], 'there is no page "nothing.html"'),
        (["nothing.npz"], "nothing.npz"),
        (["nothing.toml"], 'there is no file "nothing.toml"'),
        ([EXAMPLES / "plans" / "block.toml", "--live"], "is a plan"),
        (["nothing.glb"], "nothing.glb"),
        (["bad.stl"], 'the mesh "bad.stl"'),
        (["mine.html", "--live"], "a page already; figures, evolved creatures, scripts and files of numbers have"),
        (["mine.html", "--base", "free"], "are for figure files"),
        ([EXAMPLES / "scripts" / "twitch.corpus", "--live", "--base", "free"], "is a script; --base"),
        ([EXAMPLES / "figures" / "flag.toml", "--live"], "has cloth, ropes, meshes or emitters"),
        ([MONOPOD, "monopod.toml"], "would both become"),
    ],
)
def test_files_that_cannot_be_shown_are_refused_before_anything_is_written(opened, words, match):
    Path("mine.html").write_text("mine")
    Path("monopod.toml").write_bytes(MONOPOD.read_bytes())
    Path("bad.stl").write_text("solid nothing")
    result = invoke("view", *words)
    assert result.exit_code == 2
    assert match in result.stderr
    assert not opened
    assert not Path("out").exists()
