"""Searches progress at the rates of theory, on functions for which it gives them."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from gambol.control.gene import Gene
from gambol.evolve.search import BoxSpace, search_named
from gambol.evolve.search.adaptation import EvolutionPath, inherited_steps, learning_rates
from validation.search import (
    PROBLEMS,
    best_of_cells,
    coefficients,
    gain,
    kinds,
    order_statistic,
    progress_coefficient,
    reached,
    run_generations,
    sphere,
    sphere_of,
)

SHORT = ("Progress coefficients", "CMA-ES in Rosenbrock's valley")


@pytest.mark.parametrize("title", SHORT)
def test_short_problems_of_search_have_known_answers(title: str):
    (problem,) = (problem for problem in PROBLEMS if problem.title == title)
    assert [row for row in problem.solve() if not row.holds] == []


@pytest.mark.slow
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.title)
def test_searches_find_known_answers(problem):
    assert [row for row in problem.solve() if not row.holds] == []


def test_order_statistics_are_those_of_normal_deviates():
    # The largest of two has the mean 1 / sqrt(pi); the second largest of five by adaptive quadrature.
    assert order_statistic(1, 2) == pytest.approx(1.0 / sqrt(np.pi), abs=1e-13)
    expected, _ = quad(lambda x: 20.0 * x * norm.cdf(x) ** 3 * norm.sf(x) * norm.pdf(x), -12.0, 12.0, epsabs=1e-13)
    assert order_statistic(2, 5) == pytest.approx(expected, abs=1e-10)
    assert sum(order_statistic(rank, 5) for rank in range(1, 6)) == pytest.approx(0.0, abs=1e-12)
    assert [row.name for row in coefficients() if not row.holds] == []


@pytest.mark.parametrize(("mu", "children"), [(1, 10), (3, 10)])
def test_progress_on_the_sphere_is_that_of_theory(mu: int, children: int):
    # At the best step size; 4 % are what 1000 genes leave out. The selected deviate less than a normal deviate does.
    c, trials = progress_coefficient(mu, children), 120
    settings: dict[str, object] = {"parents": mu, "mixing": "blended" if mu > 1 else "none"}
    rates = [gain(settings, children, mu * c, seed) for seed in range(trials)]
    theory = mu * c * c / 2.0
    limit = 4.0 * float(np.std(rates)) / sqrt(trials)
    assert np.std(rates) < mu * c
    assert abs(float(np.mean(rates)) - theory) < limit + 0.04 * theory


@pytest.mark.parametrize("adaptation", ["one", "path"])
def test_adapted_steps_have_a_constant_rate_of_progress(adaptation: str):
    settings = {"parents": 3, "mixing": "blended", "adaptation": adaptation, "shortest": 1e-15}
    taken: list[Sequence[int]] = []
    for seed in range(3):
        search = search_named("es", sphere_of(10), seed, 10, **settings)
        taken.append(np.diff([reached(search, sphere, goal) for goal in (1e-2, 1e-5, 1e-8)]).tolist())
    first, second = np.mean(taken, axis=0)
    # The best rate for many genes is mu c^2 / 2 a generation in n ln R; ten genes allow no more.
    fastest = 10 * np.log(1e3) / (3 * progress_coefficient(3, 10) ** 2 / 2.0)
    assert fastest < first < 8.0 * fastest
    assert second == pytest.approx(first, rel=0.3)


def test_elites_fill_every_cell_with_nearly_its_best():
    search = search_named("elites", BoxSpace(tuple(Gene(f"x{k}", 0.0, 1.0) for k in range(6))), 1, 60, cells=(5, 5))
    run_generations(search, kinds, 150)
    elites = [one.score for one in search.population]
    assert len(elites) == 25
    assert max(elites) <= 0.0
    assert float(np.mean(elites)) == pytest.approx(best_of_cells(5), abs=0.03)
    assert float(np.mean(elites)) < best_of_cells(5)


def test_children_inherit_the_geometric_mean_of_step_sizes():
    np.testing.assert_allclose(inherited_steps([(1.0, 4.0), (4.0, 1.0)]), [2.0, 2.0])
    assert learning_rates(50, each=False).common == pytest.approx(0.1)
    assert learning_rates(50, each=True).per_gene == pytest.approx(1.0 / sqrt(2.0 * sqrt(50.0)))
    assert learning_rates(0, each=False).common > 0.0


def test_an_evolution_path_lengthens_steps_of_one_direction_and_shortens_others():
    straight, turning = EvolutionPath(8, 1.0), EvolutionPath(8, 1.0)
    one_way = np.full(8, 1.0)
    for k in range(10):
        straight.update(one_way * straight.step, 4)
        turning.update(one_way * turning.step * (-1.0) ** k, 4)
    assert straight.step > 10.0
    assert turning.step < 1.0
