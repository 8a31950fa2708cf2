"""Sliders of genes give a page the creature with other genes: its numbers, first posture, shapes and motion."""

import json

import numpy as np
import pytest

from gambol import Engine, State, write_live_page
from gambol.cli.evolve.genes import gene_settings
from gambol.evolve.evaluate import film_rollout, start_of_rollout
from gambol.evolve.evaluate.gene_inputs import gene_program
from gambol.evolve.evaluate.genes import coding_with_body, with_genes
from gambol.evolve.genotype import grow, of_json, to_json
from gambol.evolve.zoo import zoo_creature
from gambol.figure.parameters import parameters
from gambol.view.live.disturbance import disturbable
from gambol.view.live.gene_settings import SAMPLED_GROUP, sampled_gene_setting
from gambol.view.live.numbers import number_names
from gambol.view.scene.meshes import shape_mesh

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
EPS = float(np.finfo(np.float32).eps)


@pytest.fixture(scope="module")
def walker():
    return zoo_creature("walker")


def changed_genotype(walker, genes):
    return with_genes(walker.settings, to_json(walker.genotype), genes)


def start_with(walker, genes):
    """First state and inputs of the walker with other values of some genes, by name."""
    return start_of_rollout(walker.settings, changed_genotype(walker, genes))


def numbers_with(walker, genes):
    return start_with(walker, genes)[1][:, 0].astype(float)


@pytest.fixture(scope="module")
def page(open_page, walker, tmp_path_factory):
    genotype = to_json(walker.genotype)
    state, numbers = start_of_rollout(walker.settings, genotype)
    genes, film = gene_settings(walker.settings, genotype, state), film_rollout(walker.settings, genotype, seconds=0.2)
    path = tmp_path_factory.mktemp("genes") / "walker.html"
    write_live_page(state.world, path, state=state, numbers=numbers, film=film, genes=genes)
    page = open_page(path, width=900)
    page.page.evaluate(DROP_PAGE)
    page.unfold()
    page.run("pause()", "reset()")
    return page


def page_numbers(page, *calls):
    """The page's numbers by name, after some calls."""
    page.run(*calls)
    rows = page.page.evaluate("[Object.keys(gambol.about.numbers), Array.from(gambol.numbers)]")
    return dict(zip(*rows, strict=True))


def as_array(world, numbers):
    """The inputs of a world from numbers by name."""
    names = number_names(Engine(world, "float32").numbers_template)
    values = numbers | {"gravity": -numbers["gravity.z"]}
    return np.array([values[name] for name in names])


def test_every_gene_is_a_slider_with_its_bounds(page, walker):
    coding = coding_with_body(walker.settings, walker.genotype)
    settings = page.page.evaluate("gambol.about.settings.filter((one) => one.name.startsWith('gene '))")
    shown = {one["label"]: (one["low"], one["high"], one["value"], one["unit"]) for one in settings}
    genes = list(zip(coding.genes, coding.values(walker.genotype), strict=True))
    assert {"trunk length", "limb1 segment2 length", "limb2 segment1 freedom1 middle", "frequency"} <= set(shown)
    assert shown == {g.name: (g.lower, g.upper, pytest.approx(x), g.unit) for g, x in genes}
    assert page.page.locator("[id='number gene trunk length']").count() == 1


CHANGES = {"frequency": 1.1, "actuator 0 phase 1": 0.37, "actuator 0 amplitude 1": 0.9, "actuator 0 offset": 0.3,
           "limb1 shift": 0.21, "actuator 1 amplitude 2": 0.45}  # fmt: skip
"""Values of genes that act together: amplitudes and an offset are scaled by their sum, phases turn what was scaled."""


def test_changes_of_several_genes_are_those_of_one_creature(page, walker):
    """One after the other, each together with those before it; and the first values give the first bits again."""
    world, first, changed = start_with(walker, {})[0].world, numbers_with(walker, {}), {}
    np.testing.assert_array_equal(as_array(world, page_numbers(page)), first)
    for name, value in CHANGES.items():
        changed[name] = value
        expected = numbers_with(walker, changed)
        assert np.any(expected != numbers_with(walker, {k: x for k, x in changed.items() if x != value}))
        numbers = as_array(world, page_numbers(page, f"set('gene {name}', {value})"))
        np.testing.assert_allclose(numbers, expected, rtol=EPS, atol=EPS)
    for name in CHANGES:
        numbers = page_numbers(page, f"set('gene {name}', {first_of(page, name)!r})")
    np.testing.assert_array_equal(as_array(world, numbers), first)


BODY = {"trunk width": 0.28, "trunk height": 0.15, "limb1 segment1 length": 0.27, "limb2 x": -0.6,
        "limb2 segment2 lower_radius": 0.022, "limb1 segment2 freedom1 middle": -0.8,
        "limb2 segment1 freedom1 strength": 0.6}  # fmt: skip
"""Genes of the body: sizes, a place of legs, a radius of feet, an angle at rest, and a strength."""
STEPS = 24


@pytest.fixture(scope="module")
def with_body(page, walker):
    """The page with another body: numbers, first state, and state after some control steps."""
    page.run("step(5)")
    for name, value in BODY.items():
        slide(page, f"gene {name}", value)
    page.wait(f"gambol.settings.values.size === {len(BODY)} && gambol.time === 0")
    numbers = page_numbers(page, "pause()")
    first = page.run("step(0)")
    shown = page.page.evaluate(SHOWN)
    moved = page.run(f"step({STEPS})")
    return numbers, first, moved, shown


def slide(page, name, value):
    """Move a slider as a finger does."""
    page.page.locator(f'[id="number {name}"]').evaluate("(e, x) => { e.value = x; e.oninput(); }", value)


SHOWN = """(() => {
  const { figures, film } = player, numbers = (geometry, name) => Array.from(geometry.attributes[name].array);
  return figures.film.shapes.map(({ link, position, mesh }) => {
    const { geometry } = figures.batches[mesh].mesh;
    const corners = numbers(geometry, "position").map((x) => x * film.size), normals = numbers(geometry, "normal");
    return { link, position, corners, normals };
  });
})()"""


def test_genes_of_the_body_give_the_page_the_grown_creature(with_body, walker):
    """The world starts again as this creature does, with its masses, places and servos."""
    numbers, first, _, _ = with_body
    state, inputs = start_with(walker, BODY)
    creature = grow(of_json(changed_genotype(walker, BODY)))
    grown = {f"parameters.{name}": x for name, x in parameters(creature.figure).items()}
    names = [name for name in numbers if name.startswith("parameters.")]
    assert {f"parameters.{n}" for n in ("trunk.mass", "limb1 left 1.com.z", "limb2 right 1.position.x")} <= set(names)
    atol = EPS * max(abs(grown[name]) for name in names)
    np.testing.assert_allclose([numbers[n] for n in names], [grown[n] for n in names], rtol=4 * EPS, atol=atol)
    np.testing.assert_allclose(as_array(state.world, numbers), inputs[:, 0], rtol=4 * EPS, atol=EPS)
    names = list(number_names(Engine(state.world, "float32").state_rows))
    used = [k for k, name in enumerate(names) if not name.startswith("memory.control.targets")]  # set by the first step
    np.testing.assert_allclose(first[used], state.rows[used, 0], rtol=4 * EPS, atol=EPS)


def test_the_other_body_moves_with_the_bits_of_the_processor(with_body, page, walker):
    numbers, first, moved, _ = with_body
    names = tuple(n.removeprefix("parameters.") for n in numbers if n.startswith("parameters."))
    original = start_of_rollout(walker.settings, to_json(walker.genotype))[0].world
    world = disturbable(original).parametrised_by(names)
    engine, state = Engine(world, "float32", lanes=1), State(world, first.astype(np.float32)[:, None])
    engine.advance(state, STEPS, as_array(world, numbers).astype(np.float32)[:, None])
    np.testing.assert_array_equal(moved, state.rows[:, 0])


def test_it_moves_as_a_world_compiled_for_this_body(with_body, walker):
    """Rounding makes both programs differ: by EPS of the size in each of some 200 steps, and motion multiplies it."""
    _, _, moved, _ = with_body
    state, inputs = start_with(walker, BODY)
    nq, first = state.world.figure.nq, state.rows[:, 0].copy()
    Engine(state.world, "float32").advance(state, STEPS, inputs)
    gap = np.abs(moved[:nq] - state.rows[:nq, 0]).max()
    assert gap < 1e-3 < 0.1 * np.abs(state.rows[:nq, 0] - first[:nq]).max()


def test_the_page_draws_the_other_body(with_body, walker):
    """Its stretched meshes are those that a film of this creature has; only the chamfers of a box are others."""
    shapes = film_rollout(walker.settings, changed_genotype(walker, BODY), seconds=0.1).shapes
    for shown, shape in zip(with_body[3], shapes, strict=True):
        assert shown["link"] == shape.link
        np.testing.assert_allclose(shown["position"], shape.position, atol=1e-7)
        corners, normals = (np.reshape(shown[name], (-1, 3)) for name in ("corners", "normals"))
        mesh = shape_mesh(shape)
        if shape.kind == "box":
            np.testing.assert_allclose(np.ptp(corners, axis=0), shape.size, rtol=1e-5)
        else:
            np.testing.assert_allclose(corners, mesh.corners, atol=1e-6)
            np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-6)
            assert np.min(np.sum(normals * mesh.normals, axis=1)) > 0.99


def test_the_own_genes_give_the_first_bits_again(with_body, page, walker):
    for name in BODY:
        page.run(f"set('gene {name}', {first_of(page, name)!r})")
    state, inputs = start_with(walker, {})
    moved = page.run(f"step({STEPS})")
    Engine(state.world, "float32", lanes=1).advance(state, STEPS, inputs)
    np.testing.assert_array_equal(moved, state.rows[:, 0])


def test_a_saved_file_names_the_genes_and_no_numbers_that_follow(page, tmp_path):
    own = [f"set('gene {name}', {first_of(page, name)!r})" for name in BODY]
    page.run(*own)
    slide(page, "gene trunk width", 0.25)
    slide(page, "touch.friction", 0.4)
    page.wait("location.hash === '#gene%20trunk%20width=0.25&touch.friction=0.4'")
    with page.page.expect_download() as download:
        page.page.click("#numbers")
    download.value.save_as(tmp_path / "walker.numbers.json")
    saved = json.loads((tmp_path / "walker.numbers.json").read_text())
    assert (saved["genes"], saved["numbers"]) == ({"trunk width": 0.25}, {"touch.friction": 0.4})


def test_patterns_that_numpy_grows_have_samples_whose_changes_add_up():
    hound = zoo_creature("hound")
    state, _ = start_of_rollout(hound.settings, to_json(hound.genotype))
    assert gene_program(hound.settings, to_json(hound.genotype), state.q[0]) is None
    tables = {"control.pattern.offset[0]": [0.0, 1.0]}
    slider = sampled_gene_setting("duty", "", (0.0, 1.0), 0.5, tables)
    assert (slider["group"], slider["grows"]) == (SAMPLED_GROUP, False)


def first_of(page, name):
    return page.page.evaluate(f"gambol.settings.byName.get('gene {name}').value")
