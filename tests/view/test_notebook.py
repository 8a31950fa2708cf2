"""Displays in notebooks: a real notebook is executed and opened in a browser, in which the film plays."""

import re
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pytest
from films import hexapod_film
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import sync_playwright

import gambol
from gambol.view import notebook

FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-angle=swiftshader"]
CELLS = (
    "import gambol\nimport sys\nsys.path.insert(0, TESTS)\nfrom films import hexapod_film\nhexapod_film(seconds=1.0)",
    "world = gambol.make_world('roach')\nworld",
    "world.figure",
)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an executed notebook, whose cells show a film, a world and a figure."""
    folder = tmp_path_factory.mktemp("notebook")
    tests = str(Path(__file__).parents[1])
    cells = [nbformat.v4.new_code_cell(cell.replace("TESTS", repr(tests))) for cell in CELLS]
    book = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(book, timeout=300, kernel_name="python3").execute()
    assert all("text/html" in cell.outputs[-1].data for cell in book.cells)
    text, _ = HTMLExporter(template_name="basic").from_notebook_node(book)
    path = folder / "book.html"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_film_plays_in_a_notebook_beside_pictures(browser_path: str, executed: Path, tmp_path: Path, renderer: None):
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 900, "height": 1600})
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(executed.as_uri())
        frame = next(frame for frame in page.frames if frame != page.main_frame)
        for _ in range(600):  # the policy of the frame's page forbids wait_for_function
            if frame.evaluate("Boolean(window.player && player.time > 0.05)"):
                break
            page.wait_for_timeout(100)
        else:
            pytest.fail("the film does not play")
        widths = page.evaluate("[...document.images].map(image => image.naturalWidth)")
        page.screenshot(path=str(tmp_path / "book.png"), full_page=True)
        browser.close()
    assert not complaints
    assert widths == [1280, 1280]


def test_what_a_film_shows_has_a_bounded_size():
    short, long = hexapod_film(seconds=1.0, rate=60.0), hexapod_film(seconds=400.0, rate=60.0)
    shown = long._repr_html_()
    assert len(shown) < len(short._repr_html_()) + 3 * notebook.MAX_NUMBERS
    seconds = notebook.MAX_NUMBERS / (notebook.RATE * 7 * len(long.link_names))
    assert f"<p>the first {seconds:.3g} s" in shown
    assert "<p>the first" not in short._repr_html_()


def test_names_are_text():
    film = replace(hexapod_film(seconds=0.1, rate=60.0), name='<script>"roach\x1b')
    shown = film._repr_html_()
    assert "<script>" not in re.sub(r'srcdoc="[^"]*"', "", shown)
    assert "\x1b" not in shown


def test_a_film_with_nothing_to_draw_has_a_note_above_its_signals():
    film = hexapod_film(seconds=0.1, rate=60.0)
    for empty in (film.between(5.0, 6.0), replace(film, shapes=()), replace(film, position=film.position * np.nan)):
        shown = empty._repr_html_()
        assert "not drawn: " in shown
        assert "<td>stepping</td>" in shown
        assert "<iframe" not in shown


def test_without_opengl_tables_and_facts_are_left(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(notebook.opengl, "can_render", lambda: False)
    world = gambol.make_world("roach")
    assert "no OpenGL" in world._repr_html_()
    assert world.figure._repr_html_().count("<tr>") == 1 + len(world.figure.links)


def test_a_figure_shows_itself_in_a_line():
    figure = gambol.roach().figure
    assert repr(figure) == f'<Figure "roach": links: 33, freedoms: 38, mass: {figure.mass:.6g} kg, loop constraints: 0>'
    assert len(repr(hexapod_film()).splitlines()) <= 3
