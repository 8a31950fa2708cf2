"""Searches on functions with known optima: `python -m validation.search` writes the documentation page."""

import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np

from gambol.control.gene import Gene
from gambol.evolve.outcome import Outcome
from gambol.evolve.search import BoxSpace, Search, search_named
from gambol.formats import atomic_write
from validation.problem import Array, Problem, Row
from validation.reference_data import reference_data
from validation.summary import Entry, entry_of_row, write_entries

PAGE = Path(__file__).parents[1] / "docs" / "validation" / "search.md"
HEAD = """# Searches against theory

Made by `make validation`. The searches of `gambol.evolve.search` run by ask and tell, as in a run of evolution. Here
they maximise functions for which theory gives the rate of progress or the position of the optimum. Numbers are means
over fixed seeds.
"""

GENES = 1000
"""Number of genes of the sphere: theory is for infinitely many, with an error of the order of their inverse."""
TRIALS = 1500
"""Number of generations over which a rate of progress is averaged."""
SPREAD = 0.2
"""Standard deviation of a gene at a step size of 1: a sigma of 0.1 in a range of 2."""


@cache
def order_statistic(rank: int, of: int) -> float:
    """Return the mean of the rank-th largest of some normal deviates, by the trapezoidal rule, exact here."""
    x = np.linspace(-12.0, 12.0, 4801)
    below = np.array([0.5 * math.erfc(-t / math.sqrt(2.0)) for t in x])
    ways = of * math.comb(of - 1, rank - 1)
    density = np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    weight = ways * below ** (of - rank) * below[::-1] ** (rank - 1) * density
    return float(np.sum(x * weight) * (x[1] - x[0]))


def progress_coefficient(mu: int, children: int) -> float:
    """Return c of (mu/mu, lambda): mean of the mu largest of lambda normal deviates. [Beyer 2001, eq. 6.102]"""
    return sum(order_statistic(rank, children) for rank in range(1, mu + 1)) / mu


def coefficients() -> list[Row]:
    """Return rows on progress coefficients, by integration, against published digits."""
    known = reference_data("es_progress_coefficients")
    rows = [
        Row(f"c of (1, {children})", progress_coefficient(1, int(children)), c, 1e-9)
        for children, c in known["c_1_lambda"].items()
    ]
    c = known["c_mu_mu_lambda"]["3/3,10"]
    return [*rows, Row("c of (3/3, 10)", progress_coefficient(3, 10), c, 1e-9)]


def sphere(x: Sequence[float]) -> Outcome:
    """Return the outcome of the sphere function, with the optimum at 0."""
    return Outcome(-float(np.dot(x, x)))


def gain(settings: dict[str, object], children: int, step: float, seed: int) -> float:
    """Return the normalised progress of a generation on the sphere: n (R - R') / R, R' of the mean of the selected."""
    space, R = sphere_of(GENES), 0.5
    begin = (R, *[0.0] * (GENES - 1))
    size = step * R / GENES / SPREAD
    fixed = {"adaptation": "none", "step": size, "shortest": size, "start": (begin,)}
    search = search_named("es", space, seed, children, **fixed, **settings)
    search.tell([Outcome(0.0, marked="" if k == 0 else "only the first is a parent") for k in range(children)])
    search.tell([sphere(proposal.genotype) for proposal in search.ask()])
    middle = np.mean([one.genotype for one in search.population], axis=0)
    return GENES * (R - float(np.linalg.norm(middle))) / R


@cache
def sphere_of(size: int) -> BoxSpace:
    """Return a search space centred at the optimum."""
    return BoxSpace(tuple(Gene(f"x{k}", -1.0, 1.0) for k in range(size)))


def progress(mu: int, children: int, trials: int = TRIALS) -> list[Row]:
    """Return rows on the progress of (mu/mu, lambda) at 0.5, 1 and 1.25 times the best step size."""
    c = progress_coefficient(mu, children)
    settings: dict[str, object] = {"parents": mu, "mixing": "blended" if mu > 1 else "none"}
    rows: list[Row] = []
    for part in (0.5, 1.0, 1.25):
        step = part * mu * c
        ours = float(np.mean([gain(settings, children, step, seed) for seed in range(trials)]))
        theory = c * step - step**2 / (2.0 * mu)
        name = f"({mu}/{mu}, {children})" if mu > 1 else f"(1, {children})"
        rows.append(Row(f"progress of {name} at a step of {step:.3g}", ours, theory, 0.1 * theory))
    return rows


def run_generations(
    search: Search[tuple[float, ...]], objective: Callable[[Sequence[float]], Outcome], generations: int
) -> None:
    """Run a search for some generations."""
    for _ in range(generations):
        search.tell([objective(proposal.genotype) for proposal in search.ask()])


def ellipsoid(x: Sequence[float]) -> Outcome:
    """Return the outcome of an ellipsoid whose axes are 1 to 10 times as steep as the sphere."""
    steep = np.logspace(0.0, 2.0, len(x))
    return Outcome(-float(np.sum(steep * np.square(x))))


STRATEGIES: dict[str, dict[str, object]] = {
    "(1, 10), one step size": {"parents": 1, "mixing": "none"},
    "(15/15, 100) crossed, one step size": {"parents": 15, "mates": 15},
    "(15/15, 60) blended, one step size for each gene": {"parents": 15, "mixing": "blended", "adaptation": "each"},
    "(3/3, 10) blended, along the path": {"parents": 3, "mixing": "blended", "adaptation": "path"},
}
"""Self-adaptive strategies, with their numbers of children in the name."""


def linear(objective: Callable[[Sequence[float]], Outcome]) -> list[Row]:
    """Return rows on linear convergence: generations from R = 1e-7 to 1e-10, over those from 1e-4 to 1e-7."""
    rows: list[Row] = []
    for name, settings in STRATEGIES.items():
        children = int(name.partition(")")[0].rpartition(" ")[2])
        taken: list[Array] = []
        for seed in range(5):
            search = search_named("es", sphere_of(10), seed, children, shortest=1e-15, **settings)
            taken.append(np.diff([reached(search, objective, goal) for goal in (1e-4, 1e-7, 1e-10)]))
        first, second = np.mean(taken, axis=0)
        rows.append(Row(f"{name}: generations for three decades, later over earlier", second / first, 1.0, 0.25))
    return rows


def reached(search: Search[tuple[float, ...]], objective: Callable[[Sequence[float]], Outcome], goal: float) -> int:
    """Return the generation in which a search reaches a distance from the optimum."""
    while search.best is None or search.best.score < -(goal**2):
        run_generations(search, objective, 1)
    return search.generation


def rosenbrock(x: Sequence[float]) -> Outcome:
    """Return the outcome of Rosenbrock's function, 0 at (1, ..., 1)."""
    a, b = np.array(x[:-1]), np.array(x[1:])
    return Outcome(-float(np.sum(100.0 * (b - a * a) ** 2 + (1.0 - a) ** 2)))


def valley() -> list[Row]:
    """Return rows on CMA-ES on Rosenbrock's function of three genes; with four or more there is a second optimum."""
    space = BoxSpace(tuple(Gene(f"x{k}", -2.0, 2.0) for k in range(3)))
    start = ((-1.2, 1.0, -1.2),)
    rows: list[Row] = []
    for seed in range(3):
        search = search_named("cma", space, seed, 16, start=start, step=1.0)
        run_generations(search, rosenbrock, 200)
        assert search.best is not None
        far = float(np.max(np.abs(np.array(search.best.genotype) - 1.0)))
        rows.append(Row(f"CMA-ES, seed {seed}: farthest gene from 1 after 3200 outcomes", far, 0.0, 1e-6))
    return rows


def kinds(x: Sequence[float]) -> Outcome:
    """Return the outcome of a sphere about (1/2, ..., 1/2); the behaviour is two means of two genes each."""
    return Outcome(-float(np.sum((np.array(x) - 0.5) ** 2)), {}, ((x[0] + x[1]) / 2.0, (x[2] + x[3]) / 2.0))


def best_of_cells(cells: int) -> float:
    """Return the mean of the best fitness in each cell: -2 (d0^2 + d1^2), d the cell's smallest distances from 1/2."""
    edges = np.linspace(0.0, 1.0, cells + 1)
    least = np.maximum(0.0, np.maximum(edges[:-1] - 0.5, 0.5 - edges[1:]))
    return float(-4.0 * np.mean(least**2))


def illuminated() -> list[Row]:
    """Return rows on MAP-Elites: the share of filled cells, and the mean fitness of the elites."""
    space, cells = BoxSpace(tuple(Gene(f"x{k}", 0.0, 1.0) for k in range(6))), 10
    rows: list[Row] = []
    ways: dict[str, dict[str, object]] = {
        "bred": {"step": 0.3},
        "line": {"step": 0.1},
        "cma": {"step": 1.0},
    }
    for way, settings in ways.items():
        search = search_named("elites", space, 1, 72, cells=(cells, cells), variation=way, **settings)
        run_generations(search, kinds, 400)
        elites = [one.score for one in search.population]
        rows.append(Row(f"{way}: share of cells filled", len(elites) / cells**2, 1.0, 0.0))
        rows.append(Row(f"{way}: mean fitness of the elites", float(np.mean(elites)), best_of_cells(cells), 0.03))
    return rows


RATES = "phi* = c s - s^2 / (2 mu) for many genes [Beyer 2001, chapters 3 and 6; Rechenberg 1973]"
PROBLEMS = (
    Problem(
        "Progress coefficients",
        "c is the mean of the mu largest of lambda normal deviates, integrated from order statistics.",
        "published digits",
        coefficients,
        method="integration",
    ),
    *(
        Problem(
            f"Progress on the sphere: {mu} of {children}",
            f"{GENES} genes, {TRIALS} generations from the same parent, R = 0.5, fixed step sizes. Progress and step "
            "sizes are normalised: n (R - R') / R and n sigma / R.",
            RATES,
            partial(progress, mu, children),
            method="es",
        )
        for mu, children in ((1, 5), (1, 10), (1, 20), (3, 10))
    ),
    Problem(
        "Self-adaptation on the sphere",
        "10 genes, means of five seeds. The logarithm of R should decrease linearly.",
        "linear convergence: the same number of generations for each decade",
        partial(linear, sphere),
        method="es",
    ),
    Problem(
        "Self-adaptation on an ellipsoid",
        "The same on an ellipsoid, whose axes are 1 to 10 times as steep.",
        "linear convergence: the same number of generations for each decade",
        partial(linear, ellipsoid),
        method="es",
    ),
    Problem(
        "CMA-ES in Rosenbrock's valley",
        "3 genes in [-2, 2], started at (-1.2, 1, -1.2).",
        "the optimum is at (1, ..., 1)",
        valley,
        method="cma",
    ),
    Problem(
        "MAP-Elites on known kinds",
        "6 genes. The behaviour is two means of two genes each. 10 by 10 cells, 28,800 outcomes.",
        "the point nearest to the optimum in each cell",
        illuminated,
        method="elites",
    ),
)


def section(problem: Problem, rows: list[Row]) -> str:
    """Return the Markdown section of a problem."""
    lines = [f"## {problem.title}", "", f"{problem.setup} Reference: {problem.reference}.", ""]
    lines += ["| | gambol | reference | error | tolerance |", "| --- | --- | --- | --- | --- |"]
    for r in rows:
        mark = "" if r.holds else " (**missed**)"
        lines.append(f"| {r.name} | {r.ours:.4g} | {r.reference:.4g} | {r.error:.1e}{mark} | {r.tolerance:.1e} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page and print missed tolerances; return 1 if there are any."""
    sections, entries, missed = [HEAD], list[Entry](), 0
    for problem in PROBLEMS:
        begun = time.perf_counter()
        rows = problem.solve()
        missed += sum(not row.holds for row in rows)
        sections.append(section(problem, rows))
        entries += [entry_of_row(problem, row) for row in rows]
        sys.stdout.write(f"{problem.title}: {time.perf_counter() - begun:.1f} s\n")
    with atomic_write(PAGE) as path:
        path.write_text("\n".join(sections))
    write_entries("search", entries)
    sys.stdout.write(f"{PAGE}: {len(PROBLEMS)} problems, {missed} numbers missed\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
