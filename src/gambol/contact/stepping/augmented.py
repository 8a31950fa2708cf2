"""Contacts that sweeps cannot solve, by the augmented Lagrangian and Newton's method: heavy on light, light limbs.

    f(u) = |u - u_free|^2 / 2 + sum |P(p - k (w - t))|^2 / (2 k)      w = z . u      P, t: projection.py
    p <- P(p - k (w - t))      s <- s / 10      wherever u has come near the minimum of f      k = 1 / (s D)

f is convex with a continuous gradient, so damped Newton steps find the minimum from anywhere. The unknowns are
velocities, as many as a figure has, however many and however redundant the contacts are. Each outer iteration brings
the impulses nearer to the contact law, by a factor of s and the conditioning of the contacts.
[Rockafellar 1976; Alart and Curnier 1991]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from gambol.contact.stepping.blocks import Block, ContactBlock, Impulses, row_speeds
from gambol.contact.stepping.projection import project, slip_term, total_inverse_mass
from gambol.contact.stepping.sweep import ImpulseSolution
from gambol.dynamics.forward import factorised
from gambol.lanes import Precision, Scalar, Subprogram, loop, maximum, repeat, when, where, working_precision

INITIAL_SOFTNESS = 1e-3
"""Initial s: so soft that the minimum of f is found from anywhere in few steps."""

SOFTNESS_FACTOR = 0.1
"""Factor of s in each outer iteration."""

MIN_SOFTNESS: dict[Precision, float] = {"float64": 1e-8, "float32": 1e-4}
"""The least s: rounding errors grow with 1 / s."""

MAX_STEPS = 30
"""Newton steps at most: most problems take ten."""

INNER_TOLERANCE = 0.1
"""u is near the minimum of f where the gradient is this share of the violation of the laws."""

LINE_SEARCH_TRIALS = 6
"""Step lengths that are tried in a line search, the full step first."""

Speeds: TypeAlias = list[list[Scalar]]
"""Of each block, by row [m/s or rad/s]."""


@dataclass(frozen=True, slots=True)
class _NewtonState:
    """State: velocities u (nv), impulses p and slip terms in f, s, the best solution so far, and the step count."""

    u: list[Scalar]
    p: Impulses
    slips: list[Scalar]
    softness: Scalar
    best: ImpulseSolution
    steps: Scalar


@dataclass(frozen=True, slots=True)
class _Problem:
    """The problem. u_free: velocities u (nv) without impulses; targets: of each block's first row [m/s or rad/s].

    speeds, velocities, violation, projected: the functions of these names below, each recorded once.
    """

    blocks: Sequence[Block]
    targets: Sequence[Scalar]
    u_free: Sequence[Scalar]
    speeds: Subprogram
    velocities: Subprogram
    violation: Subprogram
    projected: Subprogram

    @staticmethod
    def of(blocks: Sequence[Block], targets: Sequence[Scalar], u_free: Sequence[Scalar]) -> "_Problem":
        """Return the problem of some blocks."""
        return _Problem(
            blocks,
            targets,
            u_free,
            Subprogram(partial(_speeds, blocks)),
            Subprogram(partial(_velocities, blocks, u_free)),
            Subprogram(partial(_violation, blocks, targets)),
            Subprogram(partial(_projected, blocks, targets)),
        )


def augmented(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: Sequence[Scalar],
    initial: ImpulseSolution,
    tolerance: Scalar,
) -> ImpulseSolution:
    """Return impulses that violate the laws by no more than the tolerance [m/s or rad/s], or the best that were found.

    blocks, targets, u_free: as for block_gauss_seidel(). initial: solution of the sweeps, to start from.
    """
    problem = _Problem.of(blocks, targets, u_free)
    w = problem.speeds(initial.u)
    start_solution = replace(initial, residual=problem.violation(w, initial.impulses))
    start = _NewtonState(initial.u, initial.impulses, _slip_terms(blocks, w), INITIAL_SOFTNESS, start_solution, 0.0)

    def not_converged(state: _NewtonState) -> Scalar:
        return (state.best.residual > tolerance) & (state.steps < float(MAX_STEPS))

    return loop(not_converged, partial(_newton_step, problem), start).best


def _newton_step(problem: _Problem, state: _NewtonState) -> _NewtonState:
    """Return the state after one Newton step, and after an outer update where that is near enough to the minimum."""
    u = _least_along(problem, state, _direction(problem, state))
    w = problem.speeds(u)
    projected = problem.projected(w, state.p, state.slips, state.softness)
    after = problem.velocities(projected)
    slope = [x - y for x, y in zip(u, after, strict=True)]
    tried = ImpulseSolution(after, projected, problem.violation(problem.speeds(after), projected))
    error: Scalar = 0.0
    for one in problem.speeds(slope):
        for x in one:
            error = maximum(abs(x), error)
    ends, better = error <= INNER_TOLERANCE * tried.residual, tried.residual < state.best.residual
    return _NewtonState(
        u,
        _select(ends, projected, state.p),
        [where(ends, x, y) for x, y in zip(_slip_terms(problem.blocks, w), state.slips, strict=True)],
        where(ends, maximum(SOFTNESS_FACTOR * state.softness, MIN_SOFTNESS[working_precision()]), state.softness),
        ImpulseSolution(
            [where(better, x, y) for x, y in zip(after, state.best.u, strict=True)],
            _select(better, projected, state.best.impulses),
            where(better, tried.residual, state.best.residual),
        ),
        state.steps + 1.0,
    )


def _select(truth: Scalar, yes: Impulses, no: Impulses) -> Impulses:
    """Return the one impulses where the condition holds, else the other."""
    return [[where(truth, x, y) for x, y in zip(a, b, strict=True)] for a, b in zip(yes, no, strict=True)]


def _speeds(blocks: Sequence[Block], u: Sequence[Scalar]) -> Speeds:
    """Return the speeds w of all rows at velocities u (nv)."""
    return [when(b.active, partial(row_speeds, b), list(u), otherwise=[0.0] * len(b.rows)) for b in blocks]


def _slip_terms(blocks: Sequence[Block], w: Speeds) -> list[Scalar]:
    """Return the slip terms of all blocks, see projection.slip_term()."""
    return [when(b.active, partial(slip_term, b), speeds, otherwise=0.0) for b, speeds in zip(blocks, w, strict=True)]


def _velocities(blocks: Sequence[Block], u_free: Sequence[Scalar], p: Impulses) -> list[Scalar]:
    """Return velocities u (nv) under impulses p."""
    u = list(u_free)
    for block, impulses in zip(blocks, p, strict=True):
        u = when(block.active, partial(_after_block, block), u, impulses, otherwise=u)
    return u


def _after_block(block: Block, u: list[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
    """Return velocities u after a block's impulses."""
    for row, x in zip(block.rows, p, strict=True):
        u = row.after_impulse(u, x)
    return u


def _unprojected(
    block: Block, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar, softness: Scalar
) -> list[Scalar]:
    """Return p - k (w - target), with k = 1 / (softness D)."""
    k, bias = (
        1.0 / (softness * total_inverse_mass(block)),
        block.tangent_bias if isinstance(block, ContactBlock) else (),
    )
    return [x - k * (y - z) for x, y, z in zip(p, w, [target, *bias], strict=True)]


def _violation(blocks: Sequence[Block], targets: Sequence[Scalar], w: Speeds, p: Impulses) -> Scalar:
    """Return the largest violation of the laws by impulses at speeds w, as a speed [m/s or rad/s]."""

    def of(block: Block, target: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]) -> Scalar:
        unprojected, most = _unprojected(block, w, p, target - slip_term(block, w), 1.0), 0.0
        for x, y in zip(project(block, unprojected).impulses, p, strict=True):
            most = maximum(abs(x - y), most)
        return most * total_inverse_mass(block)

    worst: Scalar = 0.0
    for block, target, speeds, impulses in zip(blocks, targets, w, p, strict=True):
        worst = maximum(when(block.active, partial(of, block, target), speeds, impulses, otherwise=0.0), worst)
    return worst


def _projected(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    w: Speeds,
    p: Impulses,
    slips: Sequence[Scalar],
    softness: Scalar,
) -> Impulses:
    """Return P(p - k (w - t)) of all blocks at speeds w."""

    def of(block: Block, target: Scalar, w: Sequence[Scalar], p: Sequence[Scalar], slip: Scalar) -> list[Scalar]:
        return project(block, _unprojected(block, w, p, target - slip, softness)).impulses

    result: Impulses = []
    for block, target, speeds, impulses, slip in zip(blocks, targets, w, p, slips, strict=True):
        zeros = [0.0] * len(impulses)
        result.append(when(block.active, partial(of, block, target), speeds, impulses, slip, otherwise=zeros))
    return result


def _direction(problem: _Problem, state: _NewtonState) -> list[Scalar]:
    """Return the Newton step of u (nv), the solution of the equations linearised at u."""
    n, w = len(problem.u_free), problem.speeds(state.u)
    after = problem.velocities(problem.projected(w, state.p, state.slips, state.softness))
    rows: list[dict[int, Scalar]] = [{k: 1.0} for k in range(n)]
    for block, target, speeds, impulses, slip in zip(
        problem.blocks, problem.targets, w, state.p, state.slips, strict=True
    ):
        freedoms = sorted({i for row in block.rows for i in row.z})
        places = [(i, j) for i in freedoms for j in freedoms if j <= i]
        old, at = [rows[i].get(j, 0.0) for i, j in places], (speeds, impulses, slip)
        enter = partial(_add_block, block, target, state.softness, freedoms)
        for (i, j), x in zip(places, when(block.active, enter, old, at, otherwise=old), strict=True):
            rows[i][j] = x
    factors = factorised(rows)
    right = factors.inward([x - y for x, y in zip(after, state.u, strict=True)])
    return factors.outward([x * d for x, d in zip(right, factors.D_inverse, strict=True)])


def _add_block(
    block: Block,
    target: Scalar,
    softness: Scalar,
    freedoms: Sequence[int],
    old: Sequence[Scalar],
    at: tuple[Sequence[Scalar], Sequence[Scalar], Scalar],
) -> list[Scalar]:
    """Return lower entries of a matrix at the freedoms that a block touches, with k z (dP) z added.

    at: the block's speeds, impulses and slip term.
    """
    w, p, slip = at
    result, k = list(old), 1.0 / (softness * total_inverse_mass(block))
    for mixed, slope in project(block, _unprojected(block, w, p, target - slip, softness)).jacobian:
        z = [sum((c * row.z.get(i, 0.0) for c, row in zip(mixed, block.rows, strict=True)), 0.0) for i in freedoms]
        scaled = [k * slope * x for x in z]
        products = (scaled[m] * z[n] for m in range(len(z)) for n in range(m + 1))
        result = [x + y for x, y in zip(result, products, strict=True)]
    return result


@dataclass(frozen=True, slots=True)
class _Bracket:
    """Bracket of a line search: two lengths with the slopes of f there, and the length tried last."""

    low: Scalar
    falling: Scalar
    high: Scalar
    rising: Scalar
    length: Scalar


def _least_along(problem: _Problem, state: _NewtonState, direction: list[Scalar]) -> list[Scalar]:
    """Return the velocities u (nv) that minimise f along a direction, by false position on its slope."""
    at, along = problem.speeds(state.u), problem.speeds(direction)
    base = [
        sum((x * (y - z) for x, y, z in zip(direction, state.u, problem.u_free, strict=True)), 0.0),
        _dot(direction, direction),
    ]

    def slope(length: Scalar) -> Scalar:
        w = [[x + length * y for x, y in zip(a, b, strict=True)] for a, b in zip(at, along, strict=True)]
        impulses = problem.projected(w, state.p, state.slips, state.softness)
        return base[0] + length * base[1] - sum((_dot(a, b) for a, b in zip(impulses, along, strict=True)), 0.0)

    slope_at = Subprogram(slope)

    def nearer(state: _Bracket) -> _Bracket:
        falls = -state.falling / where(state.rising > state.falling, state.rising - state.falling, 1.0)
        length = state.low + falls * (state.high - state.low)
        s = slope_at(length)
        short = s < 0.0  # the end that stays counts half, else it might stay for ever
        return _Bracket(
            where(short, length, state.low),
            where(short, s, 0.5 * state.falling),
            where(short, state.high, length),
            where(short, 0.5 * state.rising, s),
            length,
        )

    whole = slope_at(1.0)
    start = _Bracket(0.0, slope_at(0.0), 1.0, whole, 1.0)
    far = where(whole > 0.0, float(LINE_SEARCH_TRIALS - 1), 0.0)
    length = repeat(far, nearer, start).length
    return [x + length * y for x, y in zip(state.u, direction, strict=True)]


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Return the sum of products."""
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)
