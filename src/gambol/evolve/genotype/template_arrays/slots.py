"""Creatures of any topology as rows of slots, one for each link on a trunk.

Links follow each other limb by limb, so that whatever a link carries comes after it. A slot without a link holds
defaults and is marked as absent.
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
    *(
        "present",
        "first",
        "last",
        "trunk",
        "right",
        "slides",
        "reach",
        "x",
        "y",
        "z",
        "above",
        "below",
        "length_to_end",
    ),
    *(*SIZES, *MOVES, "swing"),
)
"""The numbers of one slot, see LinkSlot; "swing" is the field reach of its freedom."""


@dataclass(frozen=True)
class LinkSlot:
    """One slot, of arrays (W,).

    present: 1 where there is a link; first, last: 1 for the first and the last of its segment's freedoms; trunk: 1
    where its segment hangs on the trunk; right: 1 on a twin; slides: 1 where its joint slides; else 0. reach: the
    number of the last link of its limb, from 1 for the trunk. at: attachment point of its limb, as of Limb. above:
    length of the segment above it [m]; below: upper radius of the segment below it, or 0 [m]; length_to_end: length of
    the limb from here to its end [m]. segment, freedom: their numbers, without the kind.
    """

    present: Scalar
    first: Scalar
    last: Scalar
    trunk: Scalar
    right: Scalar
    slides: Scalar
    reach: Scalar
    at: tuple[Scalar, Scalar, Scalar]
    above: Scalar
    below: Scalar
    length_to_end: Scalar
    segment: Segment
    freedom: Freedom


def link_slots(bodies: Sequence[Body], links: int) -> list[LinkSlot]:
    """Return the slots of bodies; links: their number. Raises EvolveError for a body with more links."""
    for body in bodies:
        if body.links > links:
            raise EvolveError(
                f"a body with {body.links} links does not fit in {links} slots; give at least as many as it has links"
            )
    rows = np.array([list(_rows(body, links)) for body in bodies], dtype=float)
    return [_slot(dict(zip(FIELDS, rows[:, k].T, strict=True))) for k in range(links)]


def trunk_of(bodies: Sequence[Body]) -> Trunk:
    """Return the trunk of arrays (W,)."""
    trunks = [body.trunk for body in bodies]
    rows = np.array([[trunk.length, trunk.width, trunk.height, trunk.density] for trunk in trunks], dtype=float)
    columns: list[Scalar] = [column.copy() for column in rows.T]
    return Trunk(*columns)


def _slot(columns: Mapping[str, Array]) -> LinkSlot:
    values: dict[str, Scalar] = {name: column.copy() for name, column in columns.items()}
    segment = Segment(**{name: values.pop(name) for name in SIZES})
    freedom = Freedom("", reach=values.pop("swing"), **{name: values.pop(name) for name in MOVES})
    return LinkSlot(at=(values.pop("x"), values.pop("y"), values.pop("z")), segment=segment, freedom=freedom, **values)


def _rows(body: Body, links: int) -> Iterator[list[float]]:
    """Yield the rows of a body's slots, in the order of FIELDS."""
    count = 0
    for _, limb, side in body.chains():
        reach = 1.0 + count + len(limb.freedoms)
        for number, segment in enumerate(limb.segments):
            common = _segment_row(limb, number, side, reach)
            for k, freedom in enumerate(segment.freedoms):
                flags = [1.0, float(k == 0), float(k == len(segment.freedoms) - 1)]
                yield [*flags, *common[:2], float(freedom.kind == "prismatic"), *common[2:], *_moves(freedom)]
                count += 1
    segment, freedom = Segment(), Freedom()
    for k in range(count, links):
        size = [segment.length, segment.upper_radius, segment.lower_radius, segment.density, 0.0, 0.0]
        yield [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, k + 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, segment.length, *size, *_moves(freedom)]


def _segment_row(limb: Limb, number: int, side: str, reach: float) -> list[float]:
    """Return what the slots of a segment have in common: trunk and right, then all from the reach to the roll."""
    segments, segment = limb.segments, limb.segments[number]
    above = segments[number - 1].length if number else 0.0
    below = segments[number + 1].upper_radius if number + 1 < len(segments) else 0.0
    size = (segment.length, segment.upper_radius, segment.lower_radius, segment.density, segment.pitch, segment.roll)
    length_to_end = length_from(limb, number)
    return [float(number == 0), float(side == "right"), reach, *limb.at, above, below, length_to_end, *size]


def _moves(freedom: Freedom) -> list[float]:
    return [freedom.azimuth, freedom.elevation, freedom.middle, freedom.strength, freedom.reach]
