"""Sliders of genes give a page the numbers of the creature with another gene."""

import numpy as np
import pytest

from gambol import write_live_page
from gambol.cli.evolve.genes import gene_settings
from gambol.evolve.evaluate import start_of_rollout
from gambol.evolve.evaluate.genes import coding_for
from gambol.evolve.genotype import to_json
from gambol.evolve.zoo import zoo_creature
from gambol.view.live.gene_settings import SAMPLES

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


def test_a_gene_at_a_sample_gives_the_numbers_of_that_creature(page, walker):
    first = numbers_with(walker)
    np.testing.assert_array_equal(page_numbers(page), first)
    k = (SAMPLES - 1) // 4
    for name, value in (("frequency", 1.0), ("actuator 0 phase 1", k / (SAMPLES - 1)), ("actuator 1 amplitude 1", 0.5)):
        expected = numbers_with(walker, **{name.replace(" ", "_"): value})
        seen = page_numbers(page, f"set('gene {name}', {value})")
        assert np.any(expected != first)
        # the change is the difference of two interpolated numbers: the sample is exact, the first value may be between
        between = interpolation_error(walker, name)
        np.testing.assert_allclose(seen, expected, atol=between + 8.0 * EPS * np.abs(expected).max())
        own = coding_for(walker.settings, walker.genotype)
        start = dict(zip((g.name for g in own.genes), own.values(walker.genotype), strict=True))[name]
        np.testing.assert_array_equal(page_numbers(page, f"set('gene {name}', {start!r})"), first)


def interpolation_error(walker, name):
    """Largest distance of a gene's functions from the chords of their samples, by samples half-way between."""
    coding = coding_for(walker.settings, walker.genotype)
    gene = next(one for one in coding.genes if one.name == name)
    x = np.linspace(gene.lower, gene.upper, 2 * SAMPLES - 1)
    key = name.replace(" ", "_")
    start = dict(zip((g.name for g in coding.genes), coding.values(walker.genotype), strict=True))[name]
    near = np.argsort(np.abs(x - start))[:3]
    low = max(0, (near.min() // 2) * 2)
    a, m, b = (numbers_with(walker, **{key: float(x[min(i, len(x) - 1)])}) for i in (low, low + 1, low + 2))
    return 2.0 * float(np.abs(m - 0.5 * (a + b)).max())


def test_changes_of_two_genes_add_up(page):
    one = page_numbers(page, "set('gene frequency', 1.25)")
    both = page_numbers(page, "set('gene actuator 3 offset', 0.2)")
    other = page_numbers(page, f"set('gene frequency', {first_of(page, 'frequency')!r})")
    first = page_numbers(page, f"set('gene actuator 3 offset', {first_of(page, 'actuator 3 offset')!r})")
    np.testing.assert_allclose(both - first, (one - first) + (other - first), atol=1e-12)


def first_of(page, name):
    return page.page.evaluate(f"gambol.settings.byName.get('gene {name}').value")
