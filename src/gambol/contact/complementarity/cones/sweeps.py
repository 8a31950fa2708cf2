"""Contacts solved one after the other in repeated sweeps: block Gauss-Seidel with true cones.

Each contact in turn is solved exactly by Coulomb's law while the forces of the others are held constant
(one_contact.py); other rows are treated as in projected Gauss-Seidel. The method converges to Coulomb's law for all
contacts, not to an approximation by pyramids, or to a law under which sliding contacts separate. [Hwangbo et al. 2018;
Preclik and Ruede 2015]
"""

from collections.abc import Sequence

from gambol.contact.complementarity.cones.one_contact import STEPS, DelassusBlock
from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution
from gambol.contact.complementarity.cones.tiled_problem import TiledProblem
from gambol.contact.complementarity.cones.tiles import TileIndex, set_tile, tile_of
from gambol.contact.complementarity.sweeping import SweepProblem, repeat_sweeps
from gambol.lanes import Array, Scalar, clamp, where
from gambol.spatial import Vector
from gambol.spatial.dense import Numbers


def cone_gauss_seidel(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 200,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by block Gauss-Seidel.

    problem: the problem; start: initial impulses, None for 0. max_iterations: limit of sweeps. tolerance: tolerance of
    the residual, as a fraction of the largest |b|; None: the default of the precision.
    """
    return _solve(problem, start, max_iterations, tolerance, conjugate=False)


def cone_conjugate_sweeps(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 200,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by block Gauss-Seidel in conjugate directions.

    Arguments: as for cone_gauss_seidel().
    """
    return _solve(problem, start, max_iterations, tolerance, conjugate=True)


def sweep(problem: TiledProblem, p: Array) -> Scalar:
    """Replace impulses p by those after a sweep. Return the largest change, as a velocity."""

    def update(i: TileIndex, is_contact: bool, size: Scalar) -> Scalar:
        before = tile_of(p, i)
        after = _contact(problem, i, p) if is_contact else _bounded(problem, i, p)
        set_tile(p, i, after)
        for x, d in zip(after - before, tile_of(problem.scales, i), strict=True):
            change = d * abs(x)
            size = where(change > size, change, size)
        return size

    return problem.each(update, 0.0)


def _contact(problem: TiledProblem, i: TileIndex, p: Array) -> Vector:
    """Return the impulse by which a contact obeys Coulomb's law alone."""
    block = DelassusBlock.of(problem.A[i, i])
    return block.solve(problem.speed(i, p), problem.mu[i], tile_of(p, i), STEPS)


def _bounded(problem: TiledProblem, i: TileIndex, p: Array) -> Vector:
    """Return the impulses of a tile of other rows after an update of each of them in turn."""
    rows, scales, w = problem.A[i, i].rows, tile_of(problem.scales, i), [*problem.speed(i, p)]
    result = [*tile_of(p, i)]
    for k in range(3):
        bound = 3 * (i - problem.contacts) + k
        new = clamp(result[k] - w[k] / scales[k], problem.low[bound], problem.high[bound])
        w = [speed + row[k] * (new - result[k]) for speed, row in zip(w, rows, strict=True)]
        result[k] = new
    return Vector.of(result)


def _solve(
    problem: ContactProblem,
    start: Sequence[Scalar] | None,
    max_iterations: int,
    tolerance: float | None,
    *,
    conjugate: bool,
) -> ContactSolution:
    tiled = TiledProblem.of(problem)
    p = tiled.vector()

    def sweep_rows(rows: Numbers) -> Numbers:
        p.write(0, rows)
        sweep(tiled, p)
        return tiled.numbers(p)

    initial = problem.project([0.0] * len(problem.b) if start is None else start)
    sweep_problem = SweepProblem(
        sweep_rows,
        problem.project,
        problem.scales,
        0.1 * tiled.tolerance(tolerance),
        float(max_iterations),
        conjugate,
    )
    rows, sweeps = repeat_sweeps(sweep_problem, initial)
    p.write(0, rows)
    return tiled.solution(p, sweeps, tolerance).as_lists(tiled)
