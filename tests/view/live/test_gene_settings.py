"""Sliders of genes give a page the numbers of the creature with another gene."""

import numpy as np
import pytest

from gambol import write_live_page
from gambol.cli.evolve.genes import gene_settings
from gambol.evolve.evaluate import start_of_rollout
from gambol.evolve.evaluate.gene_inputs import gene_program
from gambol.evolve.evaluate.genes import coding_for
from gambol.evolve.genotype import to_json
from gambol.evolve.zoo import zoo_creature
from gambol.view.live.gene_settings import SAMPLED_GROUP, gene_setting

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
EPS = float(np.finfo(np.float32).eps)


@pytest.fixture(scope="module")
def walker():
    return zoo_creature("walker")


def numbers_with(walker, **genes):
    """Inputs of the walker's world with other values of some genes, by their names with underscores."""
    coding = coding_for(walker.settings, walker.genotype)
    values = dict(zip((gene.name for gene in coding.genes), coding.values(walker.genotype), strict=True))
    values |= {name.replace("_", " "): x for name, x in genes.items()}
    genotype = coding.with_values(walker.genotype, tuple(values.values()))
    return start_of_rollout(walker.settings, to_json(genotype))[1][:, 0].astype(float)


@pytest.fixture(scope="module")
def page(open_page, walker, tmp_path_factory):
    genotype = to_json(walker.genotype)
    state, numbers = start_of_rollout(walker.settings, genotype)
    genes = gene_settings(walker.settings, genotype, state)
    path = tmp_path_factory.mktemp("genes") / "walker.html"
    page = open_page(write_live_page(state.world, path, state=state, numbers=numbers, grab=False, genes=genes))
    page.page.evaluate(DROP_PAGE)
    page.run("pause()")
    return page


def page_numbers(page, *calls):
    page.run(*calls)
    return np.array(page.page.evaluate("Array.from(gambol.numbers)"))


def test_every_gene_of_the_control_is_a_slider_with_its_bounds(page, walker):
    coding = coding_for(walker.settings, walker.genotype)
    settings = page.page.evaluate("gambol.about.settings.filter((one) => one.name.startsWith('gene '))")
    shown = {one["label"]: (one["low"], one["high"], one["value"], one["unit"]) for one in settings}
    values = coding.values(walker.genotype)
    genes = list(zip(coding.genes, values, strict=True))[len(coding.body_indices) :]
    assert shown == {g.name: (g.lower, g.upper, pytest.approx(x), g.unit) for g, x in genes}
    assert page.page.locator("[id='number gene frequency']").count() == 1


CHANGES = {"frequency": 1.1, "actuator 0 phase 1": 0.37, "actuator 0 amplitude 1": 0.9, "actuator 0 offset": 0.3,
           "limb1 shift": 0.21, "actuator 1 amplitude 2": 0.45}  # fmt: skip
"""Values of genes that act together: amplitudes and an offset are scaled by their sum, phases turn what was scaled."""


def test_changes_of_several_genes_are_those_of_one_creature(page, walker):
    """One after the other, each together with those before it; and the first values give the first bits again."""
    first, changed = numbers_with(walker), {}
    np.testing.assert_array_equal(page_numbers(page), first)
    for name, value in CHANGES.items():
        changed[name.replace(" ", "_")] = value
        expected = numbers_with(walker, **changed)
        assert np.any(expected != numbers_with(walker, **{k: x for k, x in changed.items() if x != value}))
        np.testing.assert_allclose(page_numbers(page, f"set('gene {name}', {value})"), expected, rtol=EPS, atol=EPS)
    for name in CHANGES:
        numbers = page_numbers(page, f"set('gene {name}', {first_of(page, name)!r})")
    np.testing.assert_array_equal(numbers, first)


def test_patterns_that_numpy_grows_have_samples_whose_changes_add_up():
    hound = zoo_creature("hound")
    assert gene_program(hound.settings, to_json(hound.genotype)) is None
    tables = {"control.pattern.offset[0]": [0.0, 1.0]}
    slider = gene_setting("duty", "", (0.0, 1.0), 0.5, tables)
    assert (slider["group"], slider["grows"]) == (SAMPLED_GROUP, False)


def first_of(page, name):
    return page.page.evaluate(f"gambol.settings.byName.get('gene {name}').value")
