"""Where a figure from a file begins to move: within its limits, its loops closed, and not inside the ground.

A file need not say where its figure starts, and where all joints are at zero some may be beyond their limits: the
energy of stops that are pressed so deep would throw a figure about that was meant to stand.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gambol.dynamics import kinematics, mass_matrix
from gambol.dynamics.loops import assembled
from gambol.errors import FigureError
from gambol.figure import Figure, compose, spring_places
from gambol.formats import Specimen
from gambol.world import World, depth_of

SLIGHT = 1e-6  # rad or m: changes up to here are not worth a word
WEIGHTLESS = 1e-13  # of what its joints carry: a motion that moves less mass moves none but for rounding


@dataclass(frozen=True, slots=True)
class Beginning:
    """The coordinates (nq) at which a figure begins to move, and sentences that tell what was changed for it."""

    q: tuple[float, ...]
    changes: tuple[str, ...] = ()


def beginning(specimen: Specimen, world: World) -> Beginning:
    """The start of a specimen's file, made possible: see the module's text.

    Raises FigureError for loops that cannot close, and where the mass matrix is singular.
    """
    figure, q, changes = specimen.figure, list(specimen.q), list[str]()
    if brought := list(dict.fromkeys(_bring_within_limits(specimen, q))):
        names = ", ".join(brought)
        changes.append(f"These joints start beyond their limits, and were brought to them: {names}.")
    if figure.constraints:
        before, q = q, closed(figure, q)
        moved = max(abs(a - b) for a, b in zip(before, q, strict=True))
        if moved > SLIGHT:
            changes.append(f"Its loops were closed, which moved its joints by up to {moved:.2g} rad or m.")
    check_solvable(figure, q)
    free = [root for root in figure.roots if root.joint.kind == "free"]
    lift = max(0.0, depth_of(world, q)) if free and world.solid else 0.0
    if lift > SLIGHT:
        changes.append(f"It was lifted by {lift:.3g} m, out of the ground.")
    for root in free if lift > SLIGHT else ():
        turn = root.joint.rotation if root is figure.root else compose(figure.root.joint.rotation, root.joint.rotation)
        for k, component in enumerate(turn[2]):  # the way up, as the joint's own frame sees it
            q[root.q.start + 4 + k] += lift * component
    return Beginning(tuple(q), tuple(changes))


def closed(figure: Figure, q: list[float]) -> list[float]:
    """Coordinates near q at which the loops are closed; a prescribed base stays where it is."""
    return assembled(figure, q, held=[figure.root.name] if figure.prescribed else [])


def check_solvable(figure: Figure, q: list[float]) -> None:
    """Raise FigureError where joints of a figure at q (nq) can move without moving any mass. A prescribed base is told.

    The least eigenvalue of the mass matrix is looked at, after its rows and columns are scaled to a diagonal of ones.
    """
    first = figure.root.v.stop if figure.prescribed else 0
    rows = mass_matrix(kinematics(figure, q, [0.0] * figure.nv))
    M = np.array(rows, float).reshape(figure.nv, figure.nv)[first:, first:]
    if not len(M):
        return
    carried = np.sqrt(np.maximum(np.diag(M), 0.0))
    scale = np.where(carried > 0.0, carried, 1.0)
    least, ways = np.linalg.eigh(M / np.outer(scale, scale))
    if least[0] > WEIGHTLESS:
        return
    moving = np.flatnonzero(np.abs(ways[:, 0]) > 0.1) + first
    names = [f'"{link.name}"' for link in figure.links if any(link.v.start <= k < link.v.stop for k in moving)]
    raise FigureError(
        f'figure "{figure.name}" has a singular mass matrix where it starts: the joints of {", ".join(names)} can move '
        "without moving any mass; give what they move a mass, or one of them a rotor, or fix one"
    )


def _bring_within_limits(specimen: Specimen, q: list[float]) -> Iterable[str]:
    """Bring all angles, slides and orientations in q to their limits where they are beyond; the joints, if by much."""
    for name, springs in specimen.springs.items():
        link = specimen.figure.link(name)
        each = springs if isinstance(springs, tuple) else (springs,)
        for spring, place in zip(each, spring_places(link.joint.kind), strict=True):
            at = slice(link.q.start + place.start, link.q.start + place.stop)
            before, q[at] = q[at], _within(q[at], spring.lower, spring.upper)
            if max(abs(a - b) for a, b in zip(before, q[at], strict=True)) > SLIGHT:
                yield name


def _within(q: list[float], lower: float, upper: float) -> list[float]:
    """An angle or a slide between two limits; an orientation turned from rest by no more than the upper one."""
    if len(q) == 1:
        return [min(max(q[0], lower), upper)]
    w, x, y, z = q if q[0] >= 0.0 else [-c for c in q]
    sine = math.hypot(x, y, z)
    if 2.0 * math.atan2(sine, w) <= upper:
        return q
    shorter = math.sin(upper / 2.0) / sine
    return [math.cos(upper / 2.0), shorter * x, shorter * y, shorter * z]
