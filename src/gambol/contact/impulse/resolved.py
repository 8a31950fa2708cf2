"""Impulses of a large step by collisions: what arrives collides, what rests is held.

    arrives     contacts and limits in sequence, the fastest first, each integrated with its restitution   (sequence.py)
    rests       block Gauss-Seidel, from the impulses of the step before           (contact/stepping/sweep.py)

A contact arrives that closes within the step and was much faster before it than forces make one in a step. All others
take part in the sequence too. Those that forces press together anyhow do not rebound, and are held after it from what
the sequence gave them. Resting contacts by collisions alone, added up in every step [Mirtich 1996, micro-collisions],
overshoot: bodies rock on their feet. Taken back and integrated anew until all fit each other they creep, 0.8 mm/s on a
slope, as the slip that a contact would have without its own impulse turns while it stops.

Collisions by themselves never raise the energy under Stronge's hypothesis. All impulses are made smaller alike where
together they would. Under Newton's and Poisson's one collision with friction can: how much was left out is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.impulse.hypothesis import hypothesis_named, may_add_energy
from gambol.contact.impulse.sequence import in_sequence
from gambol.contact.impulse.several import Blows, Impacts
from gambol.contact.rebound import allowed_share
from gambol.contact.stepping.blocks import Block, Grip
from gambol.contact.stepping.rows import Row
from gambol.contact.stepping.solve import solved_to
from gambol.contact.stepping.step import Asked, Resolve
from gambol.contact.stepping.sweep import Impulses, Solved
from gambol.lanes import Scalar, Subprogram, maximum, minimum, when, where
from gambol.spatial.dense import Numbers, largest

FASTER = 4.0
"""A contact arrives where it was this many times faster than forces make any in a step: slower ones rock and rest."""

APART = 10.0
"""Speeds count for up to this many times the fastest: what is far from touching hides no approach by rounding."""


def by_collisions(hypothesis: str = "stronge") -> Resolve:
    """What finds the impulses of a step by collisions under a hypothesis: newton, poisson or stronge.

    Raises WorldError for an unknown one.
    """
    hypothesis_named(hypothesis)

    def resolve(asked: Asked) -> Solved:
        thrown = _thrown(asked, hypothesis)
        targets = [one.resting for one in asked.arrivals] + [0.0] * (len(asked.blocks) - len(asked.arrivals))
        held = solved_to(asked.blocks, targets, thrown.u, thrown.pressed, asked.rounds, asked.enough)
        both = zip(thrown.impulses, held.impulses, strict=True)
        total = [[x + y for x, y in zip(a, b, strict=True)] for a, b in both]
        found = Solved(held.u, total, maximum(thrown.left, held.residual))
        return _restrained(asked, found, told=may_add_energy(hypothesis))

    return resolve


@dataclass(frozen=True, slots=True)
class _Thrown:
    """Impulses of what arrived, the velocities u (nv) after them, and the approach that is left [m/s].

    pressed: impulses of all else, from which what rests is found.
    """

    impulses: Impulses
    u: list[Scalar]
    pressed: Impulses
    left: Scalar = 0.0


def _thrown(asked: Asked, hypothesis: str) -> _Thrown:
    """What arrives in a step, and what that presses."""
    still = _Thrown([[0.0] * len(block.rows) for block in asked.blocks], asked.free, asked.warm)
    if not asked.arrivals:
        return still
    normals = [block.rows[0] for block in asked.blocks[: len(asked.arrivals)]]
    before, after = ([row.speed(u) for row in normals] for u in (asked.before, asked.free))
    usual = FASTER * largest([x - y for x, y in zip(after, before, strict=True)])
    arrive, any_of = list[Scalar](), 0.0
    for one, w, end in zip(asked.arrivals, before, after, strict=True):
        arrive.append(where((w < -usual) & (end < one.resting), 1.0, one.bounces))
        any_of = maximum(arrive[-1], any_of)
    return when(any_of > 0.5, Subprogram(lambda: _in_sequence(asked, arrive, hypothesis)), otherwise=still)


def _in_sequence(asked: Asked, arrive: Sequence[Scalar], hypothesis: str) -> _Thrown:
    """All contacts and limits of a step, colliding one after the other. arrive: 1 for those that do, else 0."""
    touching = asked.blocks[: len(asked.arrivals)]
    rows = [row for block in touching for row in _normal_last(block)]
    half = [[row.coupling(other) for other in rows[: i + 1]] for i, row in enumerate(rows)]
    A = [[half[max(i, j)][min(i, j)] for j in range(len(rows))] for i in range(len(rows))]
    mu = [block.friction for block in touching if isinstance(block, Grip)]
    u, place, e = _seen(asked, rows), -1, list[Scalar]()
    for one, x, block in zip(asked.arrivals, asked.restitution, touching, strict=True):
        place += len(block.rows)
        e.append(where((one.bounces > 0.5) | (u[place] >= 0.0), x, 0.0))
    impacts = in_sequence(Blows(A, u, mu, e), hypothesis)
    thrown = [where((x > 0.0) | (y > 0.5), 1.0, 0.0) for x, y in zip(e, arrive, strict=True)]
    return _parted(asked, impacts, thrown)


def _parted(asked: Asked, impacts: Impacts, thrown: Sequence[Scalar]) -> _Thrown:
    """Impacts of what arrived, of which thrown are 1, and of what was only pressed, of which they are 0."""
    impulses, pressed, after, place = list[list[Scalar]](), list[list[Scalar]](), asked.free, 0
    for k, (block, warm) in enumerate(zip(asked.blocks, asked.warm, strict=True)):
        if k >= len(thrown):
            impulses.append([0.0] * len(block.rows))
            pressed.append(list(warm))
            continue
        own = impacts.p[place : place + len(block.rows)]
        place += len(block.rows)
        impulses.append([thrown[k] * x for x in (own[-1], *own[:-1])])
        pressed.append([(1.0 - thrown[k]) * x for x in (own[-1], *own[:-1])])
        for row, impulse in zip(block.rows, impulses[-1], strict=True):
            after = row.pushed(after, impulse)
    return _Thrown(impulses, after, pressed, impacts.residual)


def _normal_last(block: Block) -> list[Row]:
    """The rows of a contact in the order of contact axes, or the row of a limit."""
    return [*block.rows[1:], block.rows[0]]


def _seen(asked: Asked, rows: list[Row]) -> Numbers:
    """Speeds along rows, normals last, as collisions see them: 0 along normals is rest."""
    u = [row.speed(asked.free) for row in rows]
    most, place = APART * largest(u), -1
    for block, offset in zip(asked.blocks, _offsets(asked), strict=False):
        place += len(block.rows)
        u[place] = minimum(u[place] - offset, most)
    return u


def _offsets(asked: Asked) -> list[Scalar]:
    """The speeds along normals that are rest to the collisions of a step [m/s].

    For a contact that bounces it is what forces do to it after the bounce, else the least speed that it may have.
    """
    found: list[Scalar] = []
    for one, e, block in zip(asked.arrivals, asked.restitution, asked.blocks, strict=False):
        after = (one.rebound + e * block.rows[0].speed(asked.free)) / (1.0 + e)
        found.append(where(one.bounces > 0.5, after, one.resting))
    return found


def _restrained(asked: Asked, found: Solved, told: bool) -> Solved:
    """As much of all impulses as adds no energy to the motion without them, told at the moment of the bounces.

    told: whether the part that is left out is told as `limited` too.
    """
    slope: Scalar = 0.0
    curve: Scalar = 0.0
    change = [y - x for x, y in zip(asked.free, found.u, strict=True)]
    for block, own in zip(asked.blocks, found.impulses, strict=True):
        for row, p in zip(block.rows, own, strict=True):
            slope = slope + p * row.speed(asked.free)
            curve = curve + 0.5 * p * row.speed(change)
    for one, offset, own in zip(asked.arrivals, _offsets(asked), found.impulses, strict=False):
        slope = slope - own[0] * where(one.bounces > 0.5, offset, 0.0)
    s = allowed_share(0.0, slope, curve)
    u = [x + s * y for x, y in zip(asked.free, change, strict=True)]
    left = found.residual + (1.0 - s) * largest(change)
    return Solved(u, [[s * p for p in own] for own in found.impulses], left, limited=1.0 - s if told else None)
