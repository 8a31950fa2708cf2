"""A page of ancestors: its contents, and its use in a browser."""

import base64
import gzip
import json
import math
import re
from dataclasses import replace

import pytest
from films import hexapod_film
from playwright.sync_api import sync_playwright

from gambol.errors import GambolError
from gambol.view.lineage import GeneInfo, Generation, Individual, Lineage, write_lineage

FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]  # fmt: skip

TRAITS = (GeneInfo("frequency", "Hz", 0.5, 4.0), GeneInfo("limb1 shift", "cycle", 0.0, 1.0))


def person(number, generation, parents, fitness=1.0, **more):
    values = (1.0 + 0.1 * number, 0.25)
    return Individual(
        number, generation, parents, "crossed", fitness, terms={"speed": fitness}, genes=TRAITS, values=values, **more
    )


def lineage(film=None):
    """Three generations: 1 and 2 have 5, 5 and 6 have 9; of 6 nothing else is known, 7 is marked."""
    individuals = (
        person(1, 0, (), 0.5, film=film),
        person(2, 0, (), 0.25),
        person(5, 1, (1, 2), 1.0),
        person(7, 1, (2, 99), 0.0, marked="gained energy"),
        person(9, 2, (5, 7), 2.0, film=film),
    )
    generations = (Generation(0.5, 0.3, 0.2, 0.4), Generation(1.0, 0.5, 0.4, 0.7), Generation(*[math.nan] * 4))
    about = {"search": "es", "odd": "<b>&</b>"}
    return Lineage(
        "walk </script><i>",
        about,
        generations,
        individuals,
        (1, 5, 9),
        ("Not here: 3 others.",),
        "replay 1 NUMBER",
        "terms: the worse of 2 trials",
    )


def read(page):
    text = re.search(r'<script id="lineage"[^>]*>([^<]*)<', page.read_text()).group(1)
    return json.loads(gzip.decompress(base64.b64decode(text)))


def test_the_page_contains_all_individuals_and_shared_genes_once(tmp_path):
    reported = read(write_lineage(lineage(), tmp_path / "lineage.html"))
    assert [one["number"] for one in reported["individuals"]] == [1, 2, 5, 7, 9]
    assert reported["geneLists"] == [[["frequency", "Hz", 0.5, 4.0], ["limb1 shift", "cycle", 0.0, 1.0]]]
    assert reported["individuals"][4]["values"] == [1.9, 0.25]
    assert reported["generations"] == [[0.5, 0.3, 0.2, 0.4], [1.0, 0.5, 0.4, 0.7], [None] * 4]
    assert (reported["line"], reported["leftOut"]) == ([1, 5, 9], ["Not here: 3 others."])


def test_titles_are_texts_and_no_markup(tmp_path):
    page = write_lineage(lineage(), tmp_path / "lineage.html").read_text()
    assert "walk </script><i>" not in page
    assert "walk &lt;/script&gt;&lt;i&gt;" in page


def test_a_line_of_missing_individuals_is_refused():
    with pytest.raises(GambolError, match="lacks the creature 77"):
        replace(lineage(), line=(1, 77))
    with pytest.raises(GambolError, match="creature 1 has 1 values of 2 genes"):
        replace(lineage(), individuals=(replace(person(1, 0, ()), values=(1.0,)),), line=(1,))


@pytest.fixture(scope="module")
def opened(browser_path, tmp_path_factory):
    """Return the page in a browser, with its requests and its errors."""
    film = hexapod_film(seconds=0.5)
    path = write_lineage(lineage(film), tmp_path_factory.mktemp("page") / "lineage.html")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page(bypass_csp=True, viewport={"width": 1000, "height": 700})
        requested, complaints = [], []
        page.on("request", lambda request: requested.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_function("window.player && player.time > 0", timeout=60_000)
        yield page, requested, complaints
        browser.close()


def click(page, number):
    page.locator(f'.node[data-number="{number}"]').click()
    page.wait_for_function(f"document.getElementById('who').textContent.startsWith('Creature {number}')")


def test_it_opens_with_the_best_moving_and_needs_no_network(opened):
    page, requested, complaints = opened
    assert page.text_content("#who") == "Creature 9, the best"
    assert page.text_content("#leftout") == "Not here: 3 others."
    assert page.text_content("#trials") == "terms: the worse of 2 trials"
    assert not complaints
    assert {url.partition(":")[0] for url in requested} <= {"file", "data", "blob"}


def test_the_band_reaches_from_quartile_to_quartile_where_there_are_some(opened):
    """The chart is 210 pixels high; its top is the best fitness of all, 1.0, and its bottom 0."""
    page, _, _ = opened
    (band,) = page.locator("#fitness .band").all()
    corners = [tuple(map(float, corner.split(","))) for corner in band.get_attribute("points").split()]
    xs, ys = zip(*corners, strict=True)
    assert xs[0] == xs[3] < xs[1] == xs[2]
    top = float(page.locator("#fitness .cursor").get_attribute("y1"))
    assert [1.0 - (y - top) / 210 for y in ys] == pytest.approx([0.4, 0.7, 0.4, 0.2])
    assert page.locator("#fitness .bestline").get_attribute("points").split()[1] == f"{xs[1]:g},{top:g}"


def test_all_individuals_are_in_the_tree_joined_to_their_shown_parents(opened):
    page, _, _ = opened
    assert page.locator(".node").count() == 5
    assert page.locator(".kin").count() == 5  # 5 has two parents, 7 one that is shown, 9 two
    assert page.locator(".kin.descent").count() == 2
    assert page.locator(".node.marked").count() == 1
    xs = [page.locator(f'.node[data-number="{n}"] circle').get_attribute("cx") for n in (1, 2, 5, 7, 9)]
    assert xs[0] == xs[1]
    assert xs[2] == xs[3]
    assert float(xs[0]) < float(xs[2]) < float(xs[4])


def test_a_click_on_an_individual_without_film_shows_genes_and_the_command(opened):
    page, _, complaints = opened
    click(page, 7)
    assert "scores nothing: gained energy" in page.text_content("#facts")
    assert "replay 1 7" in page.text_content("#nofilm")
    assert page.is_hidden("#row")
    rows = page.locator("#genes tr").all_text_contents()
    assert rows == ["frequency1.700Hz", "limb1 shift0.2500cycle"]
    place = page.locator("#genes tr .bar i").first.evaluate("bar => parseFloat(bar.style.left)")
    assert place == pytest.approx(100 * (1.7 - 0.5) / 3.5)
    assert page.locator("#terms tr").all_text_contents() == ["speed0.000"]
    assert not complaints


def test_parents_and_children_can_be_gone_to_and_those_left_out_cannot(opened):
    page, _, _ = opened
    click(page, 7)
    assert page.locator("button.parent").all_text_contents() == ["2", "99"]
    assert page.locator("button.parent").nth(1).is_disabled()
    page.locator("button.parent").first.click()
    assert page.text_content("#who") == "Creature 2"
    assert "no parents" in page.text_content("#family")
    click(page, 1)
    page.locator("button.child").click()
    assert page.text_content("#who") == "Creature 5"


def test_an_ancestor_with_a_film_moves_pauses_and_scrubs(opened):
    page, _, complaints = opened
    click(page, 1)
    page.wait_for_function("window.player && player.time > 0", timeout=60_000)
    page.click("#play")
    held = page.evaluate("player.time")
    page.wait_for_timeout(200)
    assert page.evaluate("player.time") == held
    page.locator("#scrub").fill("0.25")
    assert page.evaluate("player.time") == pytest.approx(0.25, abs=0.01)
    assert page.locator("#stage canvas").count() == 1
    assert not complaints


def test_a_click_into_the_chart_selects_the_ancestor_of_that_generation(opened):
    page, _, _ = opened
    x = float(page.locator('.node[data-number="5"] circle').get_attribute("cx"))
    page.locator("#fitness").click(position={"x": x + 5, "y": 60})
    assert page.text_content("#who") == "Creature 5"
