"""Marks of a body: ellipsoids without mass and contacts, which are only drawn."""

from collections import defaultdict
from collections.abc import Mapping

from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype.body import Body, Mark, limb_name
from gambol.figure import Ellipsoid, Part, Triple
from gambol.figure.color import COLOR
from gambol.lanes import Scalar

TRUNK = "trunk"


def segment_name(chain: str, number: int) -> str:
    """Return the name of a segment's link; number: index of the segment, from 0."""
    return f"{chain} {number + 1}"


def marks_of(body: Body) -> Mapping[str, tuple[Part, ...]]:
    """Return the drawn parts of all marks of a body, by link."""
    parts: dict[str, list[Part]] = defaultdict(list)
    for mark in body.marks:
        for link, scale, side in _places(body, mark.on):
            x, y, z = mark.at
            for sign in (1.0, -1.0) if side == "middle" and y else (-1.0 if side == "right" else 1.0,):
                parts[link].append(_part(mark, (x * scale[0], sign * y * scale[1], z * scale[2])))
    return {link: tuple(found) for link, found in parts.items()}


def _part(mark: Mark, position: Triple) -> Part:
    return Part(Ellipsoid(mark.size), position, inertial=False, colliding=False, color=mark.color)


def _places(body: Body, on: str) -> list[tuple[str, tuple[Scalar, Scalar, Scalar], str]]:
    """Return the links that a mark is fixed to, the units of its position along x, y and z [m], and their sides."""
    if on == TRUNK:
        return [(TRUNK, (body.trunk.length / 2, body.trunk.width / 2, body.trunk.height / 2), "middle")]
    name, _, number = on.rpartition(" ")
    found: list[tuple[str, tuple[Scalar, Scalar, Scalar], str]] = []
    for chain, limb, side in body.chains():
        if chain == f"{name} {side}":
            segment = limb.segments[int(number) - 1]
            found.append(
                (
                    segment_name(chain, int(number) - 1),
                    (segment.upper_radius, segment.upper_radius, segment.length),
                    side,
                )
            )
    return found


def check_marks(body: Body) -> None:
    """Raise EvolveError for names of limbs that are not unique, wrong colours, and marks on nothing or without size."""
    names = [limb_name(limb, n) for n, limb in enumerate(body.limbs, start=1)]
    for name in names:
        if names.count(name) > 1:
            raise EvolveError(f'two limbs have the name "{name}"; give each its own')
        if not all(word.isalnum() for word in name.split(" ")) or "joint" in name or name == TRUNK:
            raise EvolveError(f'a limb cannot have the name "{name}"; give letters, such as "head"')
    if not any(limb.foot for limb in body.limbs):
        raise EvolveError("a body without a foot cannot stand; leave out foot = false of at least one limb")
    places = [
        TRUNK,
        *(f"{n} {k}" for n, limb in zip(names, body.limbs, strict=True) for k in range(1, len(limb.segments) + 1)),
    ]
    colors = [("trunk", body.trunk.color), *((name, limb.color) for name, limb in zip(names, body.limbs, strict=True))]
    for mark in body.marks:
        if mark.on not in places:
            raise EvolveError(f'a mark is on "{mark.on}"; {did_you_mean(mark.on, places)}')
        if not all(0.0 < x < MAX_MARK for x in mark.size):
            raise EvolveError(
                f'a mark on "{mark.on}" has the size {mark.size}; give three numbers between 0 and {MAX_MARK:g} m'
            )
        colors.append((f'a mark on "{mark.on}"', mark.color))
    for what, color in colors:
        if color is not None and not COLOR.fullmatch(color):
            raise EvolveError(f'{what} has the colour "{color[:40]}"; give one such as "#8a4a1c"')


MAX_MARK = 1.0
"""The largest half length of a mark [m]."""
