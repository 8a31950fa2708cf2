"""The impulses of a step: by sweeps, where these stall by the augmented Lagrangian, and never such as add energy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from gambol.contact.rebound import allowed_share
from gambol.contact.stepping.augmented import augmented
from gambol.contact.stepping.blocks import Block, Grip, Impulses
from gambol.contact.stepping.sweep import Solved, solved
from gambol.lanes import Scalar, Subprogram, loop, maximum, when

BETTER = 0.1
"""Part of what a residual may be that is left by the augmented Lagrangian."""

MORE, AT_ONCE = 32, 4
"""Further rounds at most where sweeps stall, before the augmented Lagrangian, a step of which costs as much as ten of
them; and after how many it is asked whether what is left is enough: in most steps the first four will do."""

STALLS = 10.0
"""Sweeps stall where so many times what is enough is left to be changed, as the last two rounds tell."""

GIVEN, NOTICED = 0.01, 1e-10
"""Energy that impulses add counts from this part of their own on, where they change more than this part of motion."""


@dataclass(frozen=True, slots=True)
class _Longer:
    """A solution, and after how many further rounds it was found."""

    found: Solved
    rounds: Scalar


def solved_to(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    free: Sequence[Scalar],
    warm: Impulses,
    rounds: int,
    enough: Scalar,
) -> Solved:
    """Impulses by some rounds of sweeps; where these miss the laws by more than enough [m/s or rad/s], or add energy,
    by the augmented Lagrangian.

    targets, free, warm, rounds: as for solved(). Where sweeps converge the rest is skipped, lane by lane.
    """
    found = solved(blocks, targets, free, warm, rounds)
    if not blocks:
        return found

    def longer(start: Solved) -> Solved:
        def unfinished(now: _Longer) -> Scalar:
            return (now.rounds < MORE) & _stalls(blocks, targets, free, now.found, enough)

        def going_on(now: _Longer) -> _Longer:
            return _Longer(solved(blocks, targets, free, now.found.impulses, AT_ONCE), now.rounds + AT_ONCE)

        return loop(unfinished, going_on, _Longer(start, 0.0)).found

    def directly(start: Solved) -> Solved:
        return augmented(blocks, targets, free, start, BETTER * enough)

    for better in (Subprogram(longer), Subprogram(directly)):  # whose code is kept apart from that of usual steps
        stalls = _stalls(blocks, targets, free, found, STALLS * enough)
        found = when(stalls, partial(_by, better), found, otherwise=found)
    return found


def _by(better: Subprogram, found: Solved) -> Solved:
    """What a subprogram makes of a solution: a call, where when() would record the subprogram's own lines."""
    return better(found)


def _stalls(
    blocks: Sequence[Block], targets: Sequence[Scalar], free: Sequence[Scalar], found: Solved, most: Scalar
) -> Scalar:
    """Whether more than the most is left to be changed, or impulses give more than their rebounds ask for.

    What they give is p . (w_free + w) / 2, at most p . target - p . D p / 2 where the laws are met: more than that by a
    hundredth of p . D p, where p is more than rounding.
    """
    slope, curve = gain(free, found)
    rebounds = sum((_asked_for(*one) for one in zip(blocks, targets, found.impulses, strict=True)), 0.0)
    stalls = found.left > most
    gives = slope + curve > maximum(rebounds, 0.0) + GIVEN * curve
    return stalls | (gives & (curve > NOTICED * sum((x * x for x in free), 0.0)))


def _asked_for(block: Block, target: Scalar, p: Sequence[Scalar]) -> Scalar:
    """What a block's impulses give where its speeds are those wanted of it, if that is more than 0 [J]."""
    along = sum((x * w for x, w in zip(p[1:], block.still, strict=True)), 0.0) if isinstance(block, Grip) else 0.0
    return p[0] * maximum(target, 0.0) + maximum(along, 0.0)


def gain(free: Sequence[Scalar], found: Solved) -> tuple[Scalar, Scalar]:
    """Energy that a share s of all impulses adds to the motion without them: s times the first and s^2 the second [J].

    free: velocities u (nv) without impulses, in which the mass matrix is 1.
    """
    slope: Scalar = 0.0
    curve: Scalar = 0.0
    for x, y in zip(free, found.u, strict=True):
        slope, curve = slope + (y - x) * x, curve + 0.5 * (y - x) * (y - x)
    return slope, curve


def restrained(free: Sequence[Scalar], found: Solved) -> Solved:
    """As much of all impulses, the same share of each, as adds no energy to the motion without them.

    A smaller share of impulses that friction and contacts allow is one that they allow. What it leaves of the laws
    counts in the residual.
    """
    slope, curve = gain(free, found)
    return when(slope + curve > 0.0, partial(_share, free, slope, curve), found, otherwise=found)


def _share(free: Sequence[Scalar], slope: Scalar, curve: Scalar, found: Solved) -> Solved:
    """The share of a solution that adds no energy."""
    s, most = allowed_share(0.0, slope, curve), 0.0
    for x, y in zip(free, found.u, strict=True):
        most = maximum(abs(y - x), most)
    return Solved(
        [x + s * (y - x) for x, y in zip(free, found.u, strict=True)],
        [[s * p for p in own] for own in found.impulses],
        found.residual + (1.0 - s) * most,
    )
