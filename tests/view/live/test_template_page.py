"""A page of a free body: a template simulates it, whose topology is data, and the page shows the creature's shapes."""

from dataclasses import replace

import numpy as np
import pytest

from gambol import Engine, State, write_live_page
from gambol.cli.evolve.genes import gene_settings
from gambol.evolve.evaluate import film_rollout, start_of_rollout
from gambol.evolve.genotype import grow, of_json, to_json
from gambol.evolve.zoo import zoo_creature
from gambol.view.live.disturbance import live_world
from gambol.view.live.hills import on_hills
from gambol.view.live.numbers import number_names
from gambol.view.live.template_film import film_of_world
from gambol.world.world import extent

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
STEPS = 60


@pytest.fixture(scope="module")
def free_walker():
    """The walker of the zoo in a template for free bodies, which has more links than it."""
    walker = zoo_creature("walker")
    return replace(walker, settings=replace(walker.settings, options={**walker.settings.options, "bodies": "template"}))


@pytest.fixture(scope="module")
def film(free_walker):
    return film_rollout(free_walker.settings, to_json(free_walker.genotype), seconds=STEPS * 2 / 120)


@pytest.fixture(scope="module")
def page(open_page, free_walker, film, tmp_path_factory):
    state, numbers = start_of_rollout(free_walker.settings, to_json(free_walker.genotype))
    genes = gene_settings(free_walker.settings, to_json(free_walker.genotype), state)
    path = tmp_path_factory.mktemp("template") / "walker.html"
    page = open_page(write_live_page(state.world, path, state=state, numbers=numbers, film=film, genes=genes))
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()")
    return page


def test_the_film_with_the_links_of_the_template_shows_the_same_shapes(free_walker, film):
    """The pose of each shape in the world is that of the creature's film, in each frame."""
    turned = film_of_world(film, *start_of_rollout(free_walker.settings, to_json(free_walker.genotype)))
    assert len(turned.link_names) > len(film.link_names)
    for shape, other in zip(film.shapes, turned.shapes, strict=True):
        assert (shape.link, shape.kind, shape.size, shape.color) == (other.link, other.kind, other.size, other.color)
        np.testing.assert_allclose(*(poses(f, s) for f, s in ((film, shape), (turned, other))), atol=1e-6)


def poses(film, shape):
    """Position and axes of a shape in the world in each frame (F, 4, 3)."""
    link = film.position[:, 0, shape.link], film.quaternion[:, 0, shape.link]
    points = np.vstack([np.zeros(3), np.eye(3)])
    in_link = np.array([rotated(np.array(shape.quaternion), p) + shape.position for p in points])
    return np.array([[rotated(q, p) + x for p in in_link] for x, q in zip(*link, strict=True)])


def rotated(q, p):
    """By the matrix of a quaternion, w first."""
    w, x, y, z = q
    R = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(R) @ p


def test_the_page_has_the_bits_of_the_processor_and_coincides_with_the_film(page, free_walker):
    moved = page.run(f"step({STEPS})")
    state, numbers = start_of_rollout(free_walker.settings, to_json(free_walker.genotype))
    Engine(state.world, "float32", lanes=1).advance(state, STEPS, numbers)
    np.testing.assert_array_equal(moved, state.rows[:, 0])
    assert page.gap() < 1e-4


def test_a_body_of_the_creature_is_pulled_by_a_spring_of_its_mass(page, free_walker):
    """Absent links cannot be grabbed. Held at its trunk above the ground, the spring carries its weight."""
    creature = grow(of_json(to_json(free_walker.genotype)))
    links = page.page.evaluate("gambol.about.hand.links.map((link) => link.name)")
    massive = [link for link in creature.figure.links if float(link.mass_properties.mass) > 0.0]
    assert links == [f"link {link.index}" for link in massive]
    assert page.page.evaluate("gambol.about.weight") == pytest.approx(9.81 * creature.figure.mass, rel=1e-5)
    page.run("reset()", "grab('link 1', [0, 0, 0], [0, 0, 1.5])", "step(600)")
    wrench = page.page.evaluate("gambol.hand.wrench")
    assert wrench[5] == pytest.approx(9.81 * creature.figure.mass, rel=0.3)  # it swings its limbs
    size = page.page.evaluate("gambol.about.size")
    assert page.page.evaluate("player.motion[2] * player.film.size") == pytest.approx(1.5, abs=0.1 * size)


def test_hills_have_the_size_of_the_creature_and_the_bits_of_the_processor(page, free_walker):
    """The lengths of a template are inputs; hills follow from those of the creature."""
    creature, height, steps = grow(of_json(to_json(free_walker.genotype))), 0.1, 240
    state, numbers = start_of_rollout(free_walker.settings, to_json(free_walker.genotype))
    live = live_world(state, numbers, grab=True)
    assert live.size == pytest.approx(extent(creature.figure), rel=1e-5)
    hilly = on_hills(live.engine.world, state, height, 2, live.size)
    engine = Engine(hilly, "float32", lanes=1)
    names = list(number_names(live.engine.numbers_template))
    values = dict(zip(names, live.numbers[:, 0], strict=True)) | {
        f"ground.{name}": x for name, x in hilly.ground.numbers().items()
    }
    inputs = np.array([[values[name]] for name in number_names(engine.numbers_template)], np.float32)
    expected = State(hilly, state.rows.copy())
    engine.advance(expected, steps, inputs)
    rows = page.run("reset()", f"set('hills', {height})", "set('hills shape', 2)", f"step({steps})")
    np.testing.assert_array_equal(rows, expected.rows[:, 0])
    page.run("set('hills', 0)", "set('hills shape', 0)", "reset()")
