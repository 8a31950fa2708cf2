"""The page holds the film within its stated precision, opens without a network, plays, pauses, scrubs and follows."""

import base64
import gzip
import json
import re
import socket
from dataclasses import replace

import numpy as np
import pytest
from films import hexapod_film
from playwright.sync_api import sync_playwright

from gambol.errors import GambolError
from gambol.view import page as pages
from gambol.view import write_page
from gambol.view.page import LENGTH_STEP, MAX_NUMBERS, encode_differences
from gambol.world.film import FilmGround

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip


def unpacked(page):
    """The description and the arrays of a page, read here a second time."""
    text = re.search(r'<script id="film"[^>]*>([^<]*)<', page.read_text()).group(1)
    data = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(data[:4], "little")
    about = json.loads(data[4 : 4 + length])
    return about, {name: data[4 + length + at :][:size] for name, (at, size) in about["arrays"].items()}


def summed(data, channels):
    """Numbers (frames, channels) from planes of differences."""
    steps = np.frombuffer(data, np.uint8).reshape(4, -1).T.copy().view("<i4").reshape(channels, -1)
    return np.cumsum(steps, axis=1).T


def test_the_page_holds_the_film_within_its_grain(film, tmp_path):
    about, arrays = unpacked(write_page(film, tmp_path / "walk.html", rate=240.0))
    seen = film.at_rate(240.0)
    F, W, L = seen.position.shape[:3]
    poses = summed(arrays["motion"], W * L * 7).reshape(F, W, L, 7)
    assert about["unit"] == pytest.approx(LENGTH_STEP * about["size"])
    np.testing.assert_allclose(poses[..., :3] * about["unit"], seen.position, atol=0.5001 * about["unit"])
    turns = np.abs(np.sum(poses[..., 3:] / 32767.0 * seen.quaternion, axis=-1))
    np.testing.assert_allclose(turns, 1.0, atol=4 * 0.5 / 32767)
    steps = np.frombuffer(arrays["stepping"], np.uint8).reshape(W, 6, F)
    np.testing.assert_array_equal(steps[0].T, seen.signals["stepping"][:, 0])
    assert (about["playback"], about["rate"]) == (0.1, pytest.approx(240.0))


def test_differences_survive_any_numbers():
    values = np.random.default_rng(5).integers(-(2**30), 2**30, (7, 3)).astype(float)
    np.testing.assert_array_equal(summed(encode_differences(values), 3), values)


def test_a_page_as_full_as_it_gets_stays_below_ten_megabytes(tmp_path):
    film = hexapod_film(seconds=1.0, rate=300.0, worlds=16)
    rough = np.random.default_rng(1)  # shaken by three grains in place and in turn
    film.position[...] += rough.normal(0.0, 3e-6, film.position.shape)
    film.quaternion[...] += rough.normal(0.0, 1e-4, film.quaternion.shape)
    size, player = (write_page(film, tmp_path / "many.html", rate=rate).stat().st_size for rate in (240.0, 1e-3))
    bytes_each = (size - player) / (7 * 16 * 27 * 240)
    assert player + bytes_each * MAX_NUMBERS < 10e6


def test_a_large_film_is_thinned(film, tmp_path, monkeypatch):
    monkeypatch.setattr(pages, "MAX_NUMBERS", 7 * 27 * 0.3 * 100.0)
    about, _ = unpacked(write_page(film, tmp_path / "many.html"))
    assert about["rate"] == pytest.approx(100.0, rel=0.05)


def test_a_film_of_one_frame_and_no_legs_makes_a_page(film, tmp_path):
    still = replace(film.between(0.0, 0.0), limb_names=(), signals={})
    about, _ = unpacked(write_page(still, tmp_path / "still.html"))
    assert (about["frames"], about["legs"]) == (1, [])


def test_forces_are_arrows_of_the_page(film, tmp_path):
    """Lengths are forces over the largest, times the stated length; a film without contacts has none."""
    F, W = film.position.shape[:2]
    points, forces = np.random.default_rng(2).normal(size=(2, F, W, 3, 3))
    shown = replace(film, signals={"contact_points": points, "contact_forces": forces})
    about, arrays = unpacked(write_page(shown, tmp_path / "pushed.html", rate=1e9))
    unit, largest = about["unit"], np.linalg.norm(forces, axis=-1).max()
    assert about["arrows"] == 3
    assert about["arrowCaption"] == f"force of the ground; the longest is {largest:.3g} N"
    feet = summed(arrays["arrowStarts"], W * 9).reshape(points.shape)
    arrows = summed(arrays["arrows"], W * 9).reshape(points.shape)
    np.testing.assert_allclose(feet * unit, points, atol=0.5001 * unit)
    length = pages.ARROW_LENGTH * about["size"]
    np.testing.assert_allclose(arrows * unit, forces * length / largest, atol=0.5001 * unit)
    assert unpacked(write_page(film, tmp_path / "walk.html"))[0]["arrows"] == 0


def test_arrows_are_drawn_along_the_forces(browser_path, film, tmp_path):
    """In the first world at the start: the foot, the direction, and that a force of 0 is hidden."""
    F, W = film.position.shape[:2]
    points, forces = np.zeros((2, F, W, 2, 3))
    points[..., 0, :], forces[..., 0, :] = (0.01, 0.02, 0.0), (0.0, 3.0, 4.0)
    shown = replace(film, signals={"contact_points": points, "contact_forces": forces})
    path = write_page(shown, tmp_path / "pushed.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 360})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        groups = "player.arrows.arrows.map((arrow) => arrow.group)"
        assert page.evaluate(f"{groups}.map(g => g.visible)") == [True, False] * W
        foot = page.evaluate(f"{groups}[0].position.toArray().map(x => x * player.film.size)")
        up = f"{groups}[0].localToWorld({groups}[0].position.clone().set(0, 0, 1)).sub({groups}[0].position).toArray()"
        along = page.evaluate(f"{groups}[0].updateMatrixWorld() || {up}")
        assert "the longest is 5 N" in page.inner_text("#key")
        browser.close()
    assert not complaints
    np.testing.assert_allclose(foot, (0.01, 0.02, 0.0), atol=2e-6)
    np.testing.assert_allclose(along, (0.0, 0.6, 0.8), atol=1e-4)  # of a length stored in steps of 2^-15 sizes


def test_links_with_active_joints_have_the_colour_of_a_step(browser_path, film, tmp_path):
    """In each world, those of the signal; the legend tells it. A film with all joints active has no such colours."""
    F, W, L = film.position.shape[:3]
    active = np.random.default_rng(3).integers(0, 2, (F, W, L)).astype(float)
    path = write_page(replace(film, signals={"active": active}), tmp_path / "adaptive.html", rate=1e9)
    assert not unpacked(write_page(replace(film, signals={"active": active * 0 + 1}), tmp_path / "full.html"))[0][
        "actives"
    ]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 360})
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        page.evaluate("player.paused = true, player.seek(3 / player.film.rate), player.draw(0)")
        drawn = page.evaluate("""player.figures.batches.flatMap(({ mesh, instances }) => instances.map((each, k) => {
          const [r, g, b] = mesh.instanceColor.array.slice(3 * k), { stepping } = player.figures;
          const same = Math.abs(r - stepping.r) + Math.abs(g - stepping.g) + Math.abs(b - stepping.b) < 1e-5;
          return [each.world, each.link, same];
        }))""")
        assert "active joint" in page.inner_text("#key")
        browser.close()
    assert len(drawn) == W * len(film.shapes)
    assert all(same == (active[3, world, link] == 1.0) for world, link, same in drawn)


def test_the_floor_is_below_a_figure_that_hangs_below_the_height_0(film, tmp_path):
    hanging = replace(film, position=film.position - (0.0, 0.0, 5.0), signals={})
    about, _ = unpacked(write_page(hanging, tmp_path / "hanging.html"))
    assert about["floor"] == pytest.approx(hanging.position[..., 2].min() - 0.1 * about["size"])
    assert unpacked(write_page(film, tmp_path / "walk.html"))[0]["floor"] == 0.0


REFUSED = """([kind, src]) => new Promise((resolve) => {
  const refuse = (event) => resolve(event.effectiveDirective);
  document.addEventListener("securitypolicyviolation", refuse, { once: true });
  if (kind === "fetch") fetch(src).catch(() => {});
  else document.body.append(Object.assign(document.createElement(kind), { src }));
})"""  # the rule by which the page's own policy refuses a request
REFUSED_MARKUP = """(markup) => new Promise((resolve) => {
  document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
  document.body.insertAdjacentHTML("beforeend", markup);
  document.body.lastElementChild.click();
})"""
REFUSED_INLINE = """([kind, textContent]) => new Promise((resolve) => {
  document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
  document.head.append(Object.assign(document.createElement(kind), { textContent }));
})"""  # scripts and styles that are not the page's own


def test_a_page_may_ask_for_nothing_from_elsewhere_and_plays(browser_path, film, tmp_path):
    """Unlike the other tests, which bypass the policy since their waiting evaluates texts."""
    path = write_page(film, tmp_path / "walk.html")
    with socket.create_server(("127.0.0.1", 0)) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(viewport={"width": 300, "height": 200})
        complaints = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())
        for _ in range(300):
            if page.evaluate("Boolean(window.player && player.time > 0)"):
                break
            page.wait_for_timeout(200)
        assert page.evaluate("player.time") > 0
        assert not complaints  # nothing of the page's own is refused
        rules = {"fetch": "connect-src", "img": "img-src", "script": "script-src-elem"}
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        assert {kind: page.evaluate(REFUSED, [kind, address]) for kind in rules} == rules
        assert page.evaluate(REFUSED, ["script", "data:text/javascript,window.ran=1"]) == "script-src-elem"
        for markup in ("<b onclick='window.ran=1'>x</b>", "<b style='color:red'>x</b>"):
            assert page.evaluate(REFUSED_MARKUP, markup) in ("script-src-attr", "style-src-attr")
        for kind, rule in (("script", "script-src-elem"), ("style", "style-src-elem")):
            assert page.evaluate(REFUSED_INLINE, [kind, "window.ran = 1"]) == rule
        assert page.evaluate("window.ran") is None
        browser.close()
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()


def test_bad_arguments_are_refused_before_anything_is_written(film, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for options, match in (({"speed": 0.0}, "speed"), ({"worlds": [3]}, "no world 3"), ({"rate": -1.0}, "positive")):
        with pytest.raises(GambolError, match=match):
            write_page(film, tmp_path / "walk.html", **options)
    with pytest.raises(GambolError, match="cannot write"):
        write_page(film, tmp_path / "file" / "walk.html")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.fixture(scope="module")
def opened(browser_path, tmp_path_factory):
    """Return a page open in a browser, with its requests and its errors."""
    path = write_page(hexapod_film(seconds=0.5, worlds=2), tmp_path_factory.mktemp("page") / "walk.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 500, "height": 360})
        requested, complaints = [], []
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        yield page, requested, complaints
        browser.close()


def test_the_page_plays_without_a_network(opened):
    page, requested, complaints = opened
    first = page.evaluate("player.time")
    page.wait_for_function(f"player.time > {first}")
    assert not complaints
    assert {url.partition(":")[0] for url in requested} <= {"file", "data", "blob"}


def test_pause_stops_the_time_and_play_continues(opened):
    page, _, _ = opened
    page.evaluate("player.paused = false")
    page.click("#play")
    held = page.evaluate("player.time")
    page.wait_for_timeout(300)
    assert page.evaluate("player.time") == held
    page.keyboard.press("Space")
    page.wait_for_function(f"player.time !== {held}")


def test_scrubbing_sets_the_time_and_poses_the_figure(opened):
    page, _, _ = opened
    page.locator("#scrub").fill("0.5")
    page.wait_for_function("!player.stale")
    film = hexapod_film(seconds=0.5, worlds=2).at_times([0.25])
    x = page.evaluate("player.bodies.map(bodies => bodies[5].position.toArray().map(x => x * player.film.size))")
    assert page.evaluate("[player.paused, player.time]") == [True, 0.25]
    np.testing.assert_allclose(x, film.position[0, :, 5], atol=2e-6)  # the page's grain is 1 micrometre


def test_shapes_are_drawn_where_links_are_and_alike_ones_at_once(opened):
    """As many draws of figures as sizes of shapes, for any number of worlds; at 0.25 s, shape by shape of the film."""
    page, _, _ = opened
    page.evaluate("player.paused = true, player.seek(0.25), player.draw(0)")
    film = hexapod_film(seconds=0.5, worlds=2).at_times([0.25])
    expected = []
    for world in range(2):
        for shape in film.shapes:
            w, *v = film.quaternion[0, world, shape.link]
            turned = shape.position + 2.0 * np.cross(v, np.cross(v, shape.position) + w * np.array(shape.position))
            expected.append(film.position[0, world, shape.link] + turned)
    drawn = page.evaluate("""player.figures.batches.flatMap(({ mesh, instances, matrix }) => instances.map((_, k) => {
      mesh.getMatrixAt(k, matrix);
      return matrix.elements.slice(12, 15).map((x) => x * player.film.size);
    }))""")
    order = [np.lexsort(np.round(x, 5).T) for x in (np.array(drawn), np.array(expected))]
    np.testing.assert_allclose(np.array(drawn)[order[0]], np.array(expected)[order[1]], atol=3e-6)
    assert page.evaluate("player.figures.batches.length") == len({(s.kind, *s.size) for s in film.shapes})


def test_following_centres_the_figure_and_can_be_left(opened):
    page, _, _ = opened
    away = "player.focus.distanceTo(player.controls.target)"
    at = "player.seek({}), player.draw(0), player.camera.position.x"
    page.evaluate("player.paused = true")
    near, far = (page.evaluate(at.format(t)) for t in (0.1, 0.4))
    size = page.evaluate("player.film.size")
    assert (far - near) * size == pytest.approx(0.3 * 0.08, rel=0.1)  # as far as the hexapod walks
    assert page.evaluate(away) < 1e-3
    page.uncheck("#follow")
    page.evaluate(at.format(0.1))
    assert page.evaluate(away) * size > 0.02
    page.check("#follow")


def test_speed_and_world_can_be_chosen(opened):
    page, _, _ = opened
    page.select_option("#rate", label="1/40 real time")
    page.select_option("#world", label="0")
    assert page.evaluate("[player.rate, player.world]") == [1 / 40, 0]


def test_a_page_shows_the_height_of_hills_and_the_step_of_contour_lines(film, tmp_path):
    rows = np.linspace(0.0, 0.006, 40)[:, None] * np.ones((1, 40))
    about, _ = unpacked(write_page(replace(film, ground=FilmGround(rows, -0.1, -0.1, 0.005)), tmp_path / "hills.html"))
    ground = about["ground"]
    assert (ground["low"], ground["high"]) == (pytest.approx(0.0), pytest.approx(0.006))
    assert ground["contour"] == pytest.approx(0.001)
    assert "contour lines are 1 mm apart" in about["facts"]
    assert "contour" not in unpacked(write_page(film, tmp_path / "flat.html"))[0]["facts"]


@pytest.mark.parametrize("height", [-0.011, 0.0])
def test_level_ground_at_any_height_is_a_floor_without_end(film, height, tmp_path):
    ground = FilmGround(np.full((2, 2), height), -4.0, -4.0, 8.0) if height else FilmGround()
    about, _ = unpacked(write_page(replace(film, ground=ground), tmp_path / "floor.html"))
    assert (about["floor"], about["ground"]) == (height, None)
