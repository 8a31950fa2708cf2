"""Loop constraints of a figure, as data: closures and couplings, in addition to the joints of the tree.

A closure constrains a frame on one link relative to a frame on another, as a joint would; a coupling makes one joint's
coordinate a polynomial of another's.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from gambol.errors import FigureError, did_you_mean
from gambol.figure.joint import IDENTITY, JOINTS, Matrix3, Triple
from gambol.figure.link import PlacedLink
from gambol.figure.rotation import check_rotation, snapped, triple

CLOSURES: dict[str, tuple[str, str]] = {
    "weld": ("xyz", "xyz"),
    "slider": ("xyz", "xy"),
    "hinge": ("xy", "xyz"),
    "cylinder": ("xy", "xy"),
    "point": ("", "xyz"),
    "plane": ("", "z"),
    "distance": ("", ""),
}
"""Constrained axes of rotation and of translation, by kind, in the second frame. "distance" constrains a length."""


@dataclass(frozen=True, slots=True)
class Closure:
    """A constraint between a frame on one link and a frame on another, or in the world.

    kind: a name in CLOSURES: "weld" (no free direction), "hinge" (turns about z), "slider" (slides along z), "cylinder"
    (both), "point" (turns freely), "plane" (the origin stays in the plane z = 0), "distance" (between the two origins).
    link, other: names of the links; other may be None for the world. position, rotation: pose of the frame in `link`
    [m]. other_position, other_rotation: pose of the frame in `other`. length: length of "distance" [m].
    """

    kind: str
    link: str
    other: str | None = None
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Matrix3 = IDENTITY
    other_position: Triple = (0.0, 0.0, 0.0)
    other_rotation: Matrix3 = IDENTITY
    length: float = 0.0

    @property
    def title(self) -> str:
        """Name of the closure for error messages."""
        return f'the closure of "{self.link}" to "{self.other or "the world"}"'


@dataclass(frozen=True, slots=True)
class Coupling:
    """A gear: the coordinate of one joint is a polynomial of the coordinate of another joint.

    joint, other: names of the links with the coupled joints. other may be None; then q_joint = c0. coefficients:
    q_joint = c0 + c1 q_other + c2 q_other^2 + ... [rad or m].
    """

    joint: str
    other: str | None = None
    coefficients: tuple[float, ...] = (0.0, 1.0)

    @property
    def title(self) -> str:
        """Name of the coupling for error messages."""
        return (
            f'the coupling of "{self.joint}" to "{self.other}"'
            if self.other
            else f'the coupling of "{self.joint}" to a constant'
        )


Constraint: TypeAlias = Closure | Coupling
"""A closure or a coupling."""


def checked_constraints(constraints: Iterable[Constraint], links: tuple[PlacedLink, ...]) -> tuple[Constraint, ...]:
    """Return the constraints with exact rotations; raise FigureError for an invalid constraint."""
    links_by_name = {link.name: link for link in links}
    return tuple(
        _closure(c, links_by_name) if isinstance(c, Closure) else _coupling(c, links_by_name) for c in constraints
    )


def _closure(closure: Closure, links: dict[str, PlacedLink]) -> Closure:
    """Return a closure with exact rotations; raise FigureError if it is invalid."""
    label = closure.title
    if closure.kind not in CLOSURES:
        raise FigureError(
            f'{label} is of kind "{closure.kind}", which is not known; {did_you_mean(closure.kind, CLOSURES)}'
        )
    for name in (closure.link, closure.other):
        if name is not None and name not in links:
            raise FigureError(f'{label} needs a link "{name}", which does not exist; {did_you_mean(name, links)}')
    if closure.link == closure.other:
        raise FigureError(f"{label} connects a link to itself; name two links, or None for the world")
    for rotation in (closure.rotation, closure.other_rotation):
        check_rotation(rotation, label)
    if not all(map(math.isfinite, (*closure.position, *closure.other_position))):
        raise FigureError(f"{label} has a position that is not finite")
    if (closure.kind == "distance") != (closure.length > 0.0) or not closure.length < math.inf:
        raise FigureError(
            f"{label} has length = {closure.length:g}; it must be positive for a distance, and 0 for other kinds"
        )
    return replace(
        closure,
        position=triple(closure.position),
        rotation=snapped(closure.rotation),
        other_position=triple(closure.other_position),
        other_rotation=snapped(closure.other_rotation),
    )


def _coupling(coupling: Coupling, links: dict[str, PlacedLink]) -> Coupling:
    """Return a coupling; raise FigureError if it is invalid."""
    label = coupling.title
    for name in (coupling.joint, coupling.other):
        if name is None:
            continue
        if name not in links:
            raise FigureError(
                f'{label} needs a joint of link "{name}", which does not exist; {did_you_mean(name, links)}'
            )
        if JOINTS[links[name].joint.kind].nv != 1:
            raise FigureError(f'{label} needs joints with one degree of freedom; "{name}" is {links[name].joint.kind}')
    if coupling.joint == coupling.other:
        raise FigureError(f"{label} couples a joint to itself; name two joints")
    if not coupling.coefficients or not all(map(math.isfinite, coupling.coefficients)):
        raise FigureError(f"{label} has coefficients {coupling.coefficients}; give at least one, all finite")
    return coupling
