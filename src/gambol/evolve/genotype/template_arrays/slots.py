"""Creatures of any topology as rows of slots, one slot for each link besides the trunk.

The links of a limb have consecutive slots, parents before children. A slot without a link is marked as absent and holds
default values.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.errors import EvolveError
from gambol.evolve.genotype.body import (
    DRIVES,
    MOTORS,
    MUSCLES,
    TRUNK,
    Body,
    Freedom,
    Limb,
    MusclePair,
    Segment,
    Trunk,
    driven_by,
)
from gambol.evolve.genotype.servos import length_from
from gambol.lanes import Scalar

Array = NDArray[np.float64]

SEGMENT_FIELDS = ("length", "upper_radius", "lower_radius", "density", "pitch", "roll")
PAIR_FIELDS = ("fibre", "tone")
FREEDOM_FIELDS = ("azimuth", "elevation", "middle", "strength")
FIELDS = (
    *(
        "present",
        "first",
        "last",
        "trunk",
        "right",
        "slides",
        "last_link",
        "x",
        "y",
        "z",
        "above",
        "below",
        "length_to_end",
    ),
    *(*SEGMENT_FIELDS, *FREEDOM_FIELDS, "reach", *PAIR_FIELDS),
)
"""The numbers of one slot, in the order of _rows(); see LinkSlot, Segment and Freedom."""


@dataclass(frozen=True)
class LinkSlot:
    """One slot of W creatures; all numbers are arrays (W,).

    Flags, 1 or 0. present: the slot has a link. first, last: the link has the first or the last freedom of its segment.
    trunk: its segment is the first of its limb. right: its limb is a twin. slides: its joint is prismatic.

    last_link: number of the last link of the limb; the trunk has number 1. at: attachment point of the limb, see Limb.
    above: length of the segment above, or 0 [m]. below: upper radius of the segment below, or 0 [m]. length_to_end:
    length of the limb from the joint to its end [m]. segment, freedom: segment and freedom with arrays as numbers; the
    kind of the freedom is not set.
    """

    present: Scalar
    first: Scalar
    last: Scalar
    trunk: Scalar
    right: Scalar
    slides: Scalar
    last_link: Scalar
    at: tuple[Scalar, Scalar, Scalar]
    above: Scalar
    below: Scalar
    length_to_end: Scalar
    segment: Segment
    freedom: Freedom


def link_slots(bodies: Sequence[Body], links: int) -> list[LinkSlot]:
    """Return the slots of bodies; links: number of slots. Raises EvolveError for a body with more links than that."""
    for body in bodies:
        if any(limb.on != TRUNK for limb in body.limbs):
            raise EvolveError('a body with limbs on a spine does not fit in slots; set the option bodies to "topology"')
        if body.links > links:
            raise EvolveError(
                f"a body with {body.links} links does not fit in {links} slots; give at least {body.links}"
            )
    drives = {driven_by(body) for body in bodies}
    if len(drives) > 1 or "both" in drives:
        raise EvolveError(
            "all joints of the creatures of one template must have the same kind of actuator: servos, hill servos or "
            'muscles; or set the option bodies to "topology"'
        )
    rows = np.array([list(_rows(body, links)) for body in bodies], dtype=float)
    return [_slot(dict(zip(FIELDS, rows[:, k].T, strict=True)), *drives) for k in range(links)]


def trunk_of(bodies: Sequence[Body]) -> Trunk:
    """Return one trunk with arrays (W,) as numbers."""
    trunks = [body.trunk for body in bodies]
    rows = np.array([[trunk.length, trunk.width, trunk.height, trunk.density] for trunk in trunks], dtype=float)
    columns: list[Scalar] = [column.copy() for column in rows.T]
    return Trunk(*columns)


def _slot(columns: Mapping[str, Array], drive: str) -> LinkSlot:
    """Return a slot. drive: kind of actuation of the creatures, see driven_by()."""
    values: dict[str, Scalar] = {name: column.copy() for name, column in columns.items()}
    segment = Segment(**{name: values.pop(name) for name in SEGMENT_FIELDS})
    pair = MusclePair(**{name: values.pop(name) for name in PAIR_FIELDS})
    numbers = {name: values.pop(name) for name in (*FREEDOM_FIELDS, "reach")}
    freedom = Freedom("", **numbers)
    if drive in MUSCLES:
        freedom = replace(freedom, muscles=replace(pair, metabolism=MUSCLES[drive]))
    else:
        freedom = replace(freedom, motor=MOTORS[DRIVES.index(drive)])
    return LinkSlot(at=(values.pop("x"), values.pop("y"), values.pop("z")), segment=segment, freedom=freedom, **values)


def _rows(body: Body, links: int) -> Iterator[list[float]]:
    """Yield the rows of a body's slots, in the order of FIELDS."""
    count = 0
    for _, limb, side in body.chains():
        last_link = 1.0 + count + len(limb.freedoms)
        for number, segment in enumerate(limb.segments):
            shared = _segment_row(limb, number, side, last_link)
            for k, freedom in enumerate(segment.freedoms):
                flags = [1.0, float(k == 0), float(k == len(segment.freedoms) - 1)]
                yield [*flags, *shared[:2], float(freedom.kind == "prismatic"), *shared[2:], *_freedom_row(freedom)]
                count += 1
    segment, freedom = Segment(), Freedom()  # an absent slot is like a limb of one segment on the trunk
    for k in range(count, links):
        sizes = [segment.length, segment.upper_radius, segment.lower_radius, segment.density, 0.0, 0.0]
        yield [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, k + 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, segment.length, *sizes,
               *_freedom_row(freedom)]  # fmt: skip


def _segment_row(limb: Limb, number: int, side: str, last_link: float) -> list[float]:
    """Return the numbers that all slots of a segment share: trunk, right, and the fields from last_link to roll."""
    segments, segment = limb.segments, limb.segments[number]
    above = segments[number - 1].length if number else 0.0
    below = segments[number + 1].upper_radius if number + 1 < len(segments) else 0.0
    sizes = (segment.length, segment.upper_radius, segment.lower_radius, segment.density, segment.pitch, segment.roll)
    length_to_end = length_from(limb, number)
    return [float(number == 0), float(side == "right"), last_link, *limb.at, above, below, length_to_end, *sizes]


def _freedom_row(freedom: Freedom) -> list[float]:
    """Return the last numbers of a slot: FREEDOM_FIELDS, the reach, and the numbers of its muscles."""
    pair = freedom.muscles or MusclePair()
    numbers = [freedom.azimuth, freedom.elevation, freedom.middle, freedom.strength, freedom.reach]
    return [*numbers, pair.fibre, pair.tone]
