"""Creatures of any structure laid out in rows of places, one for each link on a trunk.

Links follow each other chain by chain, so that whatever a link carries comes after it. A place that a creature has no
link for holds what is usual, and says that nothing is there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.servos import length_from
from gambol.lanes import Scalar

Array = NDArray[np.float64]

SIZES = ("length", "upper_radius", "lower_radius", "density", "pitch", "roll")
MOVES = ("azimuth", "elevation", "middle", "strength")
FIELDS = (
    *("there", "first", "last", "trunk", "right", "slides", "reach", "x", "y", "z", "above", "below", "onward"),
    *(*SIZES, *MOVES, "swing"),
)
"""The numbers of one place: see Place; swing is the reach of its freedom."""


@dataclass(frozen=True)
class Place:
    """One place, of arrays (W,).

    there: whether there is a link; first, last: whether it is the first and the last of its segment's freedoms; trunk:
    whether its segment hangs on the trunk; right: whether on a twin; slides: whether its joint slides; all 1 or 0.
    reach: the number of the last link of its chain, from 1 for the trunk. at: of its limb on the trunk, as a Limb has
    it. above: length of the segment above it [m]; below: upper radius of the segment below it, or 0 [m]; onward: length
    of the limb from here to its end [m]. segment, freedom: their numbers; whether it slides they do not say.
    """

    there: Scalar
    first: Scalar
    last: Scalar
    trunk: Scalar
    right: Scalar
    slides: Scalar
    reach: Scalar
    at: tuple[Scalar, Scalar, Scalar]
    above: Scalar
    below: Scalar
    onward: Scalar
    segment: Segment
    freedom: Freedom


def places_of(bodies: Sequence[Body], links: int) -> list[Place]:
    """The places of bodies with no more than so many links. Raises EvolveError for a body with more."""
    for body in bodies:
        if body.links > links:
            raise EvolveError(f"a body with {body.links} links does not fit in {links} places; give as many as it has")
    rows = np.array([list(_rows(body, links)) for body in bodies], dtype=float)
    return [_place(dict(zip(FIELDS, rows[:, k].T, strict=True))) for k in range(links)]


def trunk_of(bodies: Sequence[Body]) -> Trunk:
    """The trunk of arrays (W,)."""
    trunks = [body.trunk for body in bodies]
    rows = np.array([[one.length, one.width, one.height, one.density] for one in trunks], dtype=float)
    columns: list[Scalar] = [column.copy() for column in rows.T]
    return Trunk(*columns)


def _place(columns: Mapping[str, Array]) -> Place:
    own: dict[str, Scalar] = {name: column.copy() for name, column in columns.items()}
    segment = Segment(**{name: own.pop(name) for name in SIZES})
    freedom = Freedom("", reach=own.pop("swing"), **{name: own.pop(name) for name in MOVES})
    return Place(at=(own.pop("x"), own.pop("y"), own.pop("z")), segment=segment, freedom=freedom, **own)


def _rows(body: Body, links: int) -> Iterator[list[float]]:
    """The rows of a body's places, in the order of FIELDS."""
    count = 0
    for _, limb, side in body.chains():
        reach = 1.0 + count + len(limb.freedoms)
        for number, segment in enumerate(limb.segments):
            start = _segment_row(limb, number, side, reach)
            for k, freedom in enumerate(segment.freedoms):
                flags = [1.0, float(k == 0), float(k == len(segment.freedoms) - 1)]
                yield [*flags, *start[:2], float(freedom.kind == "sliding"), *start[2:], *_moves(freedom)]
                count += 1
    segment, freedom = Segment(), Freedom()
    for k in range(count, links):
        size = [segment.length, segment.upper_radius, segment.lower_radius, segment.density, 0.0, 0.0]
        yield [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, k + 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, segment.length, *size, *_moves(freedom)]


def _segment_row(limb: Limb, number: int, side: str, reach: float) -> list[float]:
    """What the places of a segment have in common: trunk and right, then all from the reach to the roll."""
    segments, own = limb.segments, limb.segments[number]
    above = segments[number - 1].length if number else 0.0
    below = segments[number + 1].upper_radius if number + 1 < len(segments) else 0.0
    size = (own.length, own.upper_radius, own.lower_radius, own.density, own.pitch, own.roll)
    onward = length_from(limb, number)
    return [float(number == 0), float(side == "right"), reach, *limb.at, above, below, onward, *size]


def _moves(freedom: Freedom) -> list[float]:
    return [freedom.azimuth, freedom.elevation, freedom.middle, freedom.strength, freedom.reach]
