"""Contacts that sweeps do not solve, by the augmented Lagrangian and Newton's method: heavy on light, light limbs.

    f(u) = |u - free|^2 / 2 + sum |P(p - k (w - t))|^2 / (2 k)      w = z . u      P, t: laws.py      k = 1 / (s D)
    p <- P(p - k (w - t))      s <- s / 10      wherever u has come near to the least f

f is convex and its slope is continuous, so Newton's steps, each as long as f falls, find the least one from anywhere.
The unknowns are velocities, as many as a figure has, however many contacts there are and however redundant they are.
From turn to turn impulses are nearer to what the laws ask for, by a factor of s and the conditioning of the contacts.
[Rockafellar 1976; Alart and Curnier 1991]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from gambol.contact.stepping.blocks import Block, Grip, Impulses, speeds_of
from gambol.contact.stepping.laws import give, nearest, slip
from gambol.contact.stepping.sweep import Solved
from gambol.dynamics.forward import factorised
from gambol.lanes import Precision, Scalar, Subprogram, loop, maximum, repeat, when, where, working_precision

FIRST = 1e-3
"""s at first: so soft that the least f is found from anywhere in few steps."""

SHARPER = 0.1
"""By what s shrinks with every turn."""

SHARPEST: dict[Precision, float] = {"float64": 1e-8, "float32": 1e-4}
"""The least s: what is lost by rounding grows with 1 / s."""

STEPS = 30
"""Newton's steps at most: most problems take ten."""

NEAR = 0.1
"""u is near to the least f where the slope is this part of what the laws are missed by."""

LENGTHS = 6
"""Lengths of a step that are tried to find where f is least along it, the whole one first."""

Speeds: TypeAlias = list[list[Scalar]]
"""Of each block, by row [m/s or rad/s]."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """On the way: velocities u (nv), the impulses p and slips that f is made of, s, the best so far, and steps made."""

    u: list[Scalar]
    p: Impulses
    slips: list[Scalar]
    soft: Scalar
    best: Solved
    steps: Scalar


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is solved. free: velocities u (nv) without impulses; targets: of each block's first row [m/s or rad/s].

    speeds, under, missed, pushed: the functions of their names below, each recorded once.
    """

    blocks: Sequence[Block]
    targets: Sequence[Scalar]
    free: Sequence[Scalar]
    speeds: Subprogram
    under: Subprogram
    missed: Subprogram
    pushed: Subprogram

    @staticmethod
    def of(blocks: Sequence[Block], targets: Sequence[Scalar], free: Sequence[Scalar]) -> "_Problem":
        """The problem of some blocks."""
        return _Problem(
            blocks,
            targets,
            free,
            Subprogram(partial(_speeds, blocks)),
            Subprogram(partial(_under, blocks, free)),
            Subprogram(partial(_missed, blocks, targets)),
            Subprogram(partial(_pushed, blocks, targets)),
        )


def augmented(
    blocks: Sequence[Block], targets: Sequence[Scalar], free: Sequence[Scalar], found: Solved, enough: Scalar
) -> Solved:
    """Impulses that miss the laws by no more than enough [m/s or rad/s], or the best that were found.

    found: what sweeps made of it, to start from. targets, free: as for solved().
    """
    problem = _Problem.of(blocks, targets, free)
    w = problem.speeds(found.u)
    begun = replace(found, residual=problem.missed(w, found.impulses))
    start = _Turn(found.u, found.impulses, _slips(blocks, w), FIRST, begun, 0.0)

    def unfinished(now: _Turn) -> Scalar:
        return (now.best.residual > enough) & (now.steps < float(STEPS))

    return loop(unfinished, partial(_stepped, problem), start).best


def _stepped(problem: _Problem, now: _Turn) -> _Turn:
    """One step of Newton's method, and the next turn where that is near enough to the least f."""
    u = _least_along(problem, now, _direction(problem, now))
    w = problem.speeds(u)
    pushed = problem.pushed(w, now.p, now.slips, now.soft)
    after = problem.under(pushed)
    slope = [x - y for x, y in zip(u, after, strict=True)]
    tried = Solved(after, pushed, problem.missed(problem.speeds(after), pushed))
    error: Scalar = 0.0
    for one in problem.speeds(slope):
        for x in one:
            error = maximum(abs(x), error)
    ends, better = error <= NEAR * tried.residual, tried.residual < now.best.residual
    return _Turn(
        u,
        _chosen(ends, pushed, now.p),
        [where(ends, x, y) for x, y in zip(_slips(problem.blocks, w), now.slips, strict=True)],
        where(ends, maximum(SHARPER * now.soft, SHARPEST[working_precision()]), now.soft),
        Solved(
            [where(better, x, y) for x, y in zip(after, now.best.u, strict=True)],
            _chosen(better, pushed, now.best.impulses),
            where(better, tried.residual, now.best.residual),
        ),
        now.steps + 1.0,
    )


def _chosen(truth: Scalar, yes: Impulses, no: Impulses) -> Impulses:
    """One or the other impulses."""
    return [[where(truth, x, y) for x, y in zip(a, b, strict=True)] for a, b in zip(yes, no, strict=True)]


def _speeds(blocks: Sequence[Block], u: Sequence[Scalar]) -> Speeds:
    """Speeds w of all rows at velocities u (nv)."""
    return [when(b.there, partial(speeds_of, b), list(u), otherwise=[0.0] * len(b.rows)) for b in blocks]


def _slips(blocks: Sequence[Block], w: Speeds) -> list[Scalar]:
    """What friction lowers targets by."""
    return [when(b.there, partial(slip, b), own, otherwise=0.0) for b, own in zip(blocks, w, strict=True)]


def _under(blocks: Sequence[Block], free: Sequence[Scalar], p: Impulses) -> list[Scalar]:
    """Velocities u (nv) under impulses."""
    u = list(free)
    for block, own in zip(blocks, p, strict=True):
        u = when(block.there, partial(_with, block), u, own, otherwise=u)
    return u


def _with(block: Block, u: list[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
    """Velocities u after a block's impulses."""
    for row, x in zip(block.rows, p, strict=True):
        u = row.pushed(u, x)
    return u


def _asked(block: Block, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar, soft: Scalar) -> list[Scalar]:
    """p - k (w - target), with k = 1 / (soft D)."""
    k, wanted = 1.0 / (soft * give(block)), [target, *(block.still if isinstance(block, Grip) else ())]
    return [x - k * (y - z) for x, y, z in zip(p, w, wanted, strict=True)]


def _missed(blocks: Sequence[Block], targets: Sequence[Scalar], w: Speeds, p: Impulses) -> Scalar:
    """By how much impulses miss the laws at speeds w, as a speed [m/s or rad/s]."""

    def of(block: Block, target: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]) -> Scalar:
        asked, most = _asked(block, w, p, target - slip(block, w), 1.0), 0.0
        for x, y in zip(nearest(block, asked).impulses, p, strict=True):
            most = maximum(abs(x - y), most)
        return most * give(block)

    worst: Scalar = 0.0
    for block, target, speeds, own in zip(blocks, targets, w, p, strict=True):
        worst = maximum(when(block.there, partial(of, block, target), speeds, own, otherwise=0.0), worst)
    return worst


def _pushed(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    w: Speeds,
    p: Impulses,
    slips: Sequence[Scalar],
    soft: Scalar,
) -> Impulses:
    """P(p - k (w - t)) of all blocks at speeds w."""

    def of(block: Block, target: Scalar, w: Sequence[Scalar], p: Sequence[Scalar], slid: Scalar) -> list[Scalar]:
        return nearest(block, _asked(block, w, p, target - slid, soft)).impulses

    made: Impulses = []
    for block, target, speeds, own, slid in zip(blocks, targets, w, p, slips, strict=True):
        made.append(when(block.there, partial(of, block, target), speeds, own, slid, otherwise=[0.0] * len(own)))
    return made


def _direction(problem: _Problem, now: _Turn) -> list[Scalar]:
    """Newton's step of u (nv): what solves the equations as they are linearised at u."""
    n, w = len(problem.free), problem.speeds(now.u)
    after = problem.under(problem.pushed(w, now.p, now.slips, now.soft))
    rows: list[dict[int, Scalar]] = [{k: 1.0} for k in range(n)]
    for block, target, speeds, own, slid in zip(problem.blocks, problem.targets, w, now.p, now.slips, strict=True):
        touched = sorted({i for row in block.rows for i in row.z})
        places = [(i, j) for i in touched for j in touched if j <= i]
        old, at = [rows[i].get(j, 0.0) for i, j in places], (speeds, own, slid)
        enter = partial(_entered, block, target, now.soft, touched)
        for (i, j), x in zip(places, when(block.there, enter, old, at, otherwise=old), strict=True):
            rows[i][j] = x
    factors = factorised(rows)
    right = factors.inward([x - y for x, y in zip(after, now.u, strict=True)])
    return factors.outward([x * d for x, d in zip(right, factors.D_inverse, strict=True)])


def _entered(
    block: Block,
    target: Scalar,
    soft: Scalar,
    touched: Sequence[int],
    old: Sequence[Scalar],
    at: tuple[Sequence[Scalar], Sequence[Scalar], Scalar],
) -> list[Scalar]:
    """The lower entries of a matrix at the freedoms that a block touches, with k z (dP) z added.

    at: the block's speeds, impulses and slip.
    """
    w, p, slid = at
    made, k = list(old), 1.0 / (soft * give(block))
    for mixed, slope in nearest(block, _asked(block, w, p, target - slid, soft)).slopes:
        z = [sum((c * row.z.get(i, 0.0) for c, row in zip(mixed, block.rows, strict=True)), 0.0) for i in touched]
        scaled = [k * slope * x for x in z]
        products = (scaled[m] * z[n] for m in range(len(z)) for n in range(m + 1))
        made = [x + y for x, y in zip(made, products, strict=True)]
    return made


@dataclass(frozen=True, slots=True)
class _Bracket:
    """Where f is least along a step: between two lengths with the slopes of f there, and the length tried last."""

    low: Scalar
    falling: Scalar
    high: Scalar
    rising: Scalar
    length: Scalar


def _least_along(problem: _Problem, now: _Turn, way: list[Scalar]) -> list[Scalar]:
    """The velocities u (nv) along a step at which f is least, by false position on its slope."""
    at, along = problem.speeds(now.u), problem.speeds(way)
    own = [sum((x * (y - z) for x, y, z in zip(way, now.u, problem.free, strict=True)), 0.0), _dot(way, way)]

    def slope(length: Scalar) -> Scalar:
        w = [[x + length * y for x, y in zip(a, b, strict=True)] for a, b in zip(at, along, strict=True)]
        pushes = problem.pushed(w, now.p, now.slips, now.soft)
        return own[0] + length * own[1] - sum((_dot(a, b) for a, b in zip(pushes, along, strict=True)), 0.0)

    slope_at = Subprogram(slope)

    def nearer(now: _Bracket) -> _Bracket:
        falls = -now.falling / where(now.rising > now.falling, now.rising - now.falling, 1.0)
        length = now.low + falls * (now.high - now.low)
        s = slope_at(length)
        short = s < 0.0  # the end that stays counts half: else one end might stay for ever
        return _Bracket(
            where(short, length, now.low),
            where(short, s, 0.5 * now.falling),
            where(short, now.high, length),
            where(short, 0.5 * now.rising, s),
            length,
        )

    whole = slope_at(1.0)
    begun = _Bracket(0.0, slope_at(0.0), 1.0, whole, 1.0)
    far = where(whole > 0.0, float(LENGTHS - 1), 0.0)
    length = repeat(far, nearer, begun).length
    return [x + length * y for x, y in zip(now.u, way, strict=True)]


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Sum of products."""
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)
