"""Impulses of all contacts with cones at once, by Newton's method.

    u = A p + b                                         velocities under impulses p    (ContactProblem)
    x = p - u / d                                       unprojected impulse, d: scales [Alart and Curnier 1991]
    open      x_z <= 0       p = 0
    sticks    |x_t| <= R     u = 0                      R = mu x_z
    slides    otherwise      u_z = 0, p_t = R x_t / |x_t|

x decides whether a contact is open, sticks or slides. The equations of the present states are linearised at p. Steps
of several lengths are tried, and the one with the least violation of the law is taken. A few steps suffice for heavy
bodies on light ones, where sweeps need thousands. A is regularised a little towards the present p, so that redundant
contacts have a solution; this does not change the solution itself.

The derivative of the equations in tiles of three rows is G = M (A + softness d) / d + 1 - M, where M is the derivative
of the projection: a 3 x 3 matrix for each tile. G is eliminated tile by tile. All loops over tiles stay loops, so the
code does not grow with the number of contacts (docs/decisions/026).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem, ContactSolution
from gambol.contact.complementarity.cones.sweeps import sweep
from gambol.contact.complementarity.cones.tiled_problem import TiledProblem, TiledSolution
from gambol.contact.complementarity.cones.tiles import (
    TileIndex,
    Tiles,
    inverted,
    plus_product,
    product,
    set_tile,
    tile_of,
)
from gambol.lanes import (
    Array,
    Precision,
    Scalar,
    is_finite,
    loop,
    repeat,
    sqrt,
    when,
    where,
    working_precision,
)
from gambol.spatial import Matrix, Vector

SOFTNESS: dict[Precision, float] = {"float64": 1e-6, "float32": 1e-4}
"""Share of each row's diagonal by which A is regularised.

In float64, 1e-8 works equally well, 1e-4 worse (docs/decisions/012).
"""

SWEEPS = 10
"""Sweeps before the first step: with none, one random problem in 200 cycled."""

LINE_SEARCH_STEPS = 5
"""Number of step lengths of the line search: 1, 1/2, 1/4, 1/8, 1/16."""

UNKNOWN = 1e30
"""Larger than the violation of any impulses, even in float32 [J]."""


@dataclass(frozen=True, slots=True)
class NewtonState:
    """State of the iteration, besides the present and the best impulses, which are arrays.

    merit: the least total violation so far [J]; residual: the largest violation of the present impulses [m/s].
    iterations: number of Newton steps.
    """

    merit: Scalar
    residual: Scalar
    iterations: Scalar


@dataclass(frozen=True, slots=True)
class Trial:
    """State of the line search, besides the best impulses so far, which are an array.

    length: the next step length to try. merit, residual: total violation [J] and largest violation [m/s] of the best
    impulses.
    """

    length: Scalar
    merit: Scalar
    residual: Scalar


def cone_newton(
    problem: ContactProblem,
    *,
    start: Sequence[Scalar] | None = None,
    max_iterations: int = 40,
    tolerance: float | None = None,
) -> ContactSolution:
    """Solve contacts with cones by a damped Newton method on their piecewise smooth equations.

    problem: the problem; start: initial impulses, None for the result of a few sweeps. max_iterations: limit of steps,
    each of which factors an n x n matrix. tolerance: relative to max |b|; None: the default of the precision.
    """
    tiled = TiledProblem.of(problem)
    p = tiled.vector()
    if start is not None:
        p.write(0, problem.project(start))
    return tiled_newton(tiled, p, SWEEPS if start is None else 0, max_iterations, tolerance).as_lists(tiled)


def tiled_newton(
    problem: TiledProblem,
    p: Array,
    sweeps: int = SWEEPS,
    max_iterations: int = 40,
    tolerance: float | None = None,
) -> TiledSolution:
    """Solve a problem in tiles, see cone_newton().

    p: initial impulses, which become the last ones. sweeps: number of sweeps before the first step.
    """
    allowed_residual = 0.1 * problem.tolerance(tolerance)
    if sweeps:

        def unfinished(state: tuple[Scalar, Scalar]) -> Scalar:
            return (state[0] < float(sweeps)) & (state[1] > allowed_residual)

        def next_sweep(state: tuple[Scalar, Scalar]) -> tuple[Scalar, Scalar]:
            return state[0] + 1.0, sweep(problem, p)

        loop(unfinished, next_sweep, (0.0, UNKNOWN))
    merit, residual = _merit(problem, p)
    best = problem.copied(p)

    def not_converged(state: NewtonState) -> Scalar:
        return (state.iterations < float(max_iterations)) & (state.residual > allowed_residual)

    end = loop(not_converged, lambda state: _newton_step(problem, p, best, state), NewtonState(merit, residual, 0.0))
    return problem.solution(best, end.iterations, tolerance)


def _merit(problem: TiledProblem, p: Array) -> tuple[Scalar, Scalar]:
    """Return the total violation of the law [J], and the largest violation [m/s]."""

    def add(i: TileIndex, is_contact: bool, state: tuple[Scalar, Scalar]) -> tuple[Scalar, Scalar]:
        total, largest = state
        for x, d in zip(problem.violation(i, is_contact, p), tile_of(problem.scales, i), strict=True):
            total, largest = total + x * x / d, where(abs(x) > largest, abs(x), largest)
        return total, largest

    return problem.each(add, (0.0, 0.0))


def _newton_step(problem: TiledProblem, p: Array, best: Array, state: NewtonState) -> NewtonState:
    """Replace the impulses p by those after a step, and the best impulses if they are better; return the state."""
    direction = _newton_direction(problem, p)
    start, candidate = problem.copied(p), problem.vector()

    def try_length(trial: Trial) -> Trial:
        def project(i: TileIndex, is_contact: bool, _: None) -> None:
            x = tile_of(start, i) - tile_of(direction, i) * trial.length
            set_tile(candidate, i, problem.projected(i, is_contact, x))

        problem.each(project)
        merit, worst = _merit(problem, candidate)
        better = merit < trial.merit
        _replace(problem, p, candidate, where(better, 1.0, 0.0))
        return Trial(0.5 * trial.length, where(better, merit, trial.merit), where(better, worst, trial.residual))

    trial = repeat(LINE_SEARCH_STEPS, try_length, Trial(1.0, UNKNOWN, state.residual))
    improves = trial.merit < state.merit
    _replace(problem, best, p, where(improves, 1.0, 0.0))
    return NewtonState(where(improves, trial.merit, state.merit), trial.residual, state.iterations + 1.0)


def _replace(problem: TiledProblem, p: Array, new: Array, better: Scalar) -> None:
    """Replace impulses p by new ones where these are better. better: 1 or 0."""

    def replace(i: TileIndex, is_contact: bool, _: None) -> None:
        pairs = zip(tile_of(new, i), tile_of(p, i), strict=True)
        set_tile(p, i, Vector.of([where(better > 0.5, x, y) for x, y in pairs]))

    problem.each(replace)


def _newton_direction(problem: TiledProblem, p: Array) -> Array:
    """Return the Newton step from p, to be subtracted; 0 if it is not finite."""
    G, x = _linearised(problem, p)
    _eliminate(problem, G, x)
    total = problem.each(lambda i, _, total: sum(tile_of(x, i), total), 0.0)
    _replace(problem, x, problem.vector(), where(is_finite(total), 0.0, 1.0))
    return x


def _linearised(problem: TiledProblem, p: Array) -> tuple[Tiles, Array]:
    """Return the matrix and the right-hand side of the Newton step from p.

    Tiles of the matrix for rows that cannot move are undefined; their right-hand side is 0.
    """
    A, softness = problem.A, SOFTNESS[working_precision()]
    G, F = Tiles.empty(A.rows, A.columns, rolled=A.rolled), problem.vector()

    def linearise(i: TileIndex, is_contact: bool, _: None) -> None:
        d, u, p_i = tile_of(problem.scales, i), problem.speed(i, p), tile_of(p, i)
        x = Vector.of([y - w / s for y, w, s in zip(p_i, u, d, strict=True)])
        M, projected = _contact_law(x, problem.mu[i]) if is_contact else _bounded_law(problem, i, x)
        by_d = Matrix.of([[m / s for m, s in zip(row, d, strict=True)] for row in M.rows])
        A.loop(0, A.columns, lambda j, _: G.write(i, j, product(by_d, A[i, j])))
        rest = [
            [(softness - 1.0) * m + (1.0 if r == c else 0.0) for c, m in enumerate(row)] for r, row in enumerate(M.rows)
        ]
        G.write(i, i, G[i, i] + Matrix.of(rest))
        set_tile(F, i, p_i - projected)

    problem.each(linearise)
    return G, F


def _contact_law(x: Vector, mu: Scalar) -> tuple[Matrix, Vector]:
    """Return the derivative of a contact's impulse by x, and the impulse that the law requires in this state.

    (ex, ey) is the direction of sliding.
    """
    touches = x.z > 0.0
    radius, length = mu * x.z, sqrt(x.x * x.x + x.y * x.y)
    slides = touches & (length > radius)
    inverse = 1.0 / where(slides, length, 1.0)
    ex, ey = (where(slides, c * inverse, 0.0) for c in (x.x, x.y))
    scale = where(touches, where(slides, radius * inverse, 1.0), 0.0)
    M = Matrix(
        (
            (scale * (1.0 - ex * ex), -scale * ex * ey, mu * ex),
            (-scale * ex * ey, scale * (1.0 - ey * ey), mu * ey),
            (0.0, 0.0, where(touches, 1.0, 0.0)),
        )
    )
    px, py = (where(touches, where(slides, radius * e, c), 0.0) for c, e in ((x.x, ex), (x.y, ey)))
    return M, Vector(px, py, where(touches, x.z, 0.0))


def _bounded_law(problem: TiledProblem, i: TileIndex, x: Vector) -> tuple[Matrix, Vector]:
    """Return the derivative and the impulse as _contact_law() does, for a tile of rows with bounds."""
    clamped = problem.projected(i, False, x)
    a, b, c = (where(y == z, 1.0, 0.0) for y, z in zip(clamped, x, strict=True))
    return Matrix(((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))), clamped


def _eliminate(problem: TiledProblem, G: Tiles, x: Array) -> None:
    """Replace the right-hand side x by the solution of G x = F, by elimination of tiles without pivoting.

    The line search rejects a step spoilt by a small pivot. Tiles of rows that cannot move are left out.
    """
    n = G.rows

    def where_active(i: TileIndex, step: Callable[[TileIndex], None]) -> None:
        when(problem.active[i] > 0.5, lambda: step(i))

    def eliminate(k: TileIndex) -> None:
        inverse = inverted(G[k, k])
        set_tile(x, k, inverse.times(tile_of(x, k)))
        G.loop(k + 1, n, lambda j, _: G.write(k, j, product(inverse, G[k, j])))

        def subtract(i: TileIndex) -> None:
            factor = G[i, k]
            set_tile(x, i, tile_of(x, i) - factor.times(tile_of(x, k)))
            G.loop(k + 1, n, lambda j, _: G.write(i, j, plus_product(G[i, j], factor, G[k, j], -1.0)))

        G.loop(k + 1, n, lambda i, _: where_active(i, subtract))

    def substitute(k: TileIndex) -> None:
        set_tile(x, k, tile_of(x, k) - G.row_times(k, x, k + 1))

    G.loop(0, n, lambda k, _: where_active(k, eliminate))
    G.loop(0, n, lambda m, _: where_active(m * -1 + (n - 1), substitute))
