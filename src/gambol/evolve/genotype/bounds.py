"""Bounds of the genes of bodies, and margins around a body plan that limit a search.

BOUNDS allow all creatures that can be simulated, from a centipede of 30 g to a horse: limbs shorter than 1 cm need
servos that are too quick for the steps of rollouts. A search near a body plan uses smaller margins: mutations are
fractions of a gene's range, so they become smaller, too.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.actuation.muscle.energetics import METABOLISMS
from gambol.control.gene import Gene
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype.body import (
    KINDS,
    MAX_FREEDOMS,
    MAX_STRENGTH,
    MOTORS,
    TRUNK,
    Body,
    Freedom,
    Limb,
    MusclePair,
    Segment,
    Trunk,
    limb_name,
)
from gambol.figure.color import COLOR
from gambol.figure.joint import OLD_KINDS

QUARTER = math.pi / 2

BOUNDS: Mapping[type, tuple[Gene, ...]] = {
    Trunk: (
        Gene("length", 0.02, 1.5, "m"),
        Gene("width", 0.01, 0.8, "m"),
        Gene("height", 0.008, 0.6, "m"),
        Gene("density", 200.0, 2000.0, "kg/m3"),
    ),
    Segment: (
        Gene("length", 0.01, 0.6, "m"),
        Gene("upper_radius", 0.001, 0.3, "m"),
        Gene("lower_radius", 0.001, 0.3, "m"),
        Gene("density", 200.0, 2000.0, "kg/m3"),
        Gene("pitch", -math.pi, math.pi, "rad", cyclic=True),
        Gene("roll", -math.pi, math.pi, "rad", cyclic=True),
    ),
    Freedom: (
        Gene("azimuth", -math.pi, math.pi, "rad", cyclic=True),
        Gene("elevation", -QUARTER, QUARTER, "rad"),
        Gene("middle", -2.0, 2.0, "rad"),
        Gene("reach", 0.05, 1.2, "rad"),
        Gene("strength", 0.02, MAX_STRENGTH),
    ),
    MusclePair: (Gene("fibre", 5.0, 16.0), Gene("tone", 0.05, 0.3)),
}
"""The genes of trunks, segments, freedoms and muscles; each has the name of a field."""

MAX_MARK = 1.0
"""The largest half length of a mark [m]."""

ATTACHMENT = (Gene("x", -1.0, 1.0), Gene("y", -1.0, 1.0), Gene("z", -1.0, 1.0))
"""The genes of a limb's attachment point."""

TWIN_ATTACHMENT = (ATTACHMENT[0], Gene("y", 0.3, 1.0), ATTACHMENT[2])
"""The genes of a mirrored limb's attachment point: on the left, away from the middle plane, where twins coincide."""


@dataclass(frozen=True, slots=True)
class Margin:
    """Bounds around the value x of a gene in a plan, from x / factor - offset to x * factor + offset (if x >= 0)."""

    offset: float = 0.0
    factor: float = 1.0

    def around(self, gene: Gene, centre: float) -> Gene:
        """Return the gene with its bounds narrowed to this margin around a value."""
        low, high = sorted((centre / self.factor, centre * self.factor))
        lower, upper = max(gene.lower, low - self.offset), min(gene.upper, high + self.offset)
        return replace(gene, lower=lower, upper=upper, cyclic=gene.cyclic and upper - lower >= gene.range)


Margins = Mapping[str, Margin]
"""Margins of fields by name. A field without a margin does not change."""

SIZES = ("length", "width", "height", "upper_radius", "lower_radius")

PLAN_MARGINS: Margins = {
    **{name: Margin(factor=1.5) for name in SIZES},
    **{name: Margin(offset=0.3) for name in "xyz"},
    "middle": Margin(offset=0.5),
    "reach": Margin(factor=2.0),
    "strength": Margin(factor=1.5),
    "fibre": Margin(factor=1.5),
    "tone": Margin(factor=2.0),
}
"""Margins of creatures near a body plan, for sizes, attachment points, ranges and strengths, but not for axes."""

FREE_MARGINS: Margins = {
    **{name: Margin(factor=2.0) for name in SIZES},
    **{name: Margin(offset=2.0) for name in "xyz"},
    **{name: Margin(offset=2.0 * math.pi) for name in ("pitch", "roll", "azimuth", "elevation")},
    "middle": Margin(offset=1.0),
    "reach": Margin(factor=2.0),
    "strength": Margin(factor=2.0),
    "fibre": Margin(factor=2.0),
    "tone": Margin(factor=2.0),
}
"""Margins of free creatures around the default trunk, segment and freedom."""


def attachment_genes(limb: Limb) -> tuple[Gene, ...]:
    """Return the genes of a limb's attachment point."""
    return TWIN_ATTACHMENT if limb.mirrored else ATTACHMENT


def check_body(body: Body) -> None:
    """Raise EvolveError for invalid numbers, kinds or counts in a body; the error contains the bounds."""
    check_numbers(body.trunk, "trunk")
    if not body.limbs:
        raise EvolveError("a body without limbs cannot move; give it at least one limb")
    check_names_and_marks(body)
    check_sensor_names(body)
    for n, limb in enumerate(body.limbs, start=1):
        check_limb(limb, f"limb{n}")
        for k, segment in enumerate(limb.segments, start=1):
            check_numbers(segment, f"limb{n} segment{k}")
            for i, freedom in enumerate(segment.freedoms, start=1):
                check_numbers(freedom, f"limb{n} segment{k} freedom{i}")
                if freedom.muscles is not None:
                    check_muscles(freedom.muscles, f"limb{n} segment{k} freedom{i} muscles")


def check_limb(limb: Limb, name: str) -> None:
    """Raise EvolveError for an invalid attachment point, count or kind of a limb; name: its name, for errors."""
    reason = " of a mirrored limb, which is the left one of its pair" if limb.mirrored else ""
    for gene, value in zip(attachment_genes(limb), limb.at, strict=True):
        check_number(gene, value, name, reason)
    if not limb.segments:
        raise EvolveError(f"{name} has no segments; give it at least one, or leave the limb out")
    for k, segment in enumerate(limb.segments, start=1):
        if not 1 <= len(segment.freedoms) <= MAX_FREEDOMS:
            count = len(segment.freedoms)
            raise EvolveError(f"{name} has a segment{k} with {count} freedoms; its joint takes 1 to {MAX_FREEDOMS}")
        for freedom in segment.freedoms:
            if freedom.kind not in KINDS:
                hint = did_you_mean(OLD_KINDS.get(freedom.kind, freedom.kind), KINDS)
                raise EvolveError(f'{name} has a segment{k} with a freedom of kind "{freedom.kind}"; {hint}')
            if freedom.motor not in MOTORS:
                hint = did_you_mean(freedom.motor, MOTORS)
                raise EvolveError(f'{name} has a segment{k} with a motor "{freedom.motor}"; {hint}')


def check_muscles(pair: MusclePair, name: str) -> None:
    """Raise EvolveError for a number out of its bounds or an unknown metabolism; name: name of the muscles."""
    check_numbers(pair, name)
    if pair.metabolism is not None and pair.metabolism not in METABOLISMS:
        hint = did_you_mean(pair.metabolism, METABOLISMS)
        raise EvolveError(f'{name} have the metabolism "{pair.metabolism}", which does not exist; {hint}')


def check_numbers(part: Trunk | Segment | Freedom | MusclePair, name: str) -> None:
    """Raise EvolveError for a number of a part that is out of its bounds; name: name of the part, for errors."""
    for gene in BOUNDS[type(part)]:
        check_number(gene, getattr(part, gene.name), name)


def check_number(gene: Gene, value: float, name: str, reason: str = "") -> None:
    """Raise EvolveError for a value out of its gene's bounds, with the nearest valid value.

    name: name of the part that has the gene, for errors. reason: reason of the bounds, which is added to the error.
    """
    if not gene.lower <= value <= gene.upper:
        unit = f" {gene.unit}" if gene.unit else ""
        nearest = min(max(value, gene.lower), gene.upper) if math.isfinite(value) else gene.lower
        raise EvolveError(
            f"{name} has {gene.name} = {value:g}{unit}, outside of the bounds {gene.lower:g} to {gene.upper:g}{unit}"
            f"{reason}; the nearest valid value is {nearest:g}"
        )


def check_spines(body: Body, names: list[str]) -> None:
    """Raise EvolveError for a limb on a part that cannot carry it; names: names of the limbs."""
    spines = [TRUNK]
    for name, limb in zip(names, body.limbs, strict=True):
        if limb.on not in spines:
            raise EvolveError(
                f'the limb "{name}" is on "{limb.on}"; {did_you_mean(limb.on, spines)} '
                "(it can be on a limb without a twin, a foot and a roll, which is on the trunk and stands before it "
                "in the file)"
            )
        if not limb.mirrored and not limb.foot and limb.on == TRUNK:
            flat = [k for k, segment in enumerate(limb.segments, start=1) if segment.roll]
            spines += [f"{name} {k}" for k in range(1, (flat[0] if flat else len(limb.segments) + 1))]


def check_names_and_marks(body: Body) -> None:
    """Raise EvolveError for invalid or repeated names of limbs, a body without feet, and invalid colours and marks."""
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
    check_spines(body, names)
    for mark in body.marks:
        if mark.on not in places:
            raise EvolveError(f'a mark is on "{mark.on}"; {did_you_mean(mark.on, places)}')
        if not all(0.0 < x < MAX_MARK for x in mark.size):
            raise EvolveError(
                f'a mark on "{mark.on}" has the size {mark.size}; give three numbers between 0 and {MAX_MARK:g} m'
            )
        colors.append((f'a mark on "{mark.on}"', mark.color))
    for part, color in colors:
        if color is not None and not COLOR.fullmatch(color):
            raise EvolveError(f'{part} has the colour "{color[:40]}"; give one such as "#8a4a1c"')


def check_sensor_names(body: Body) -> None:
    """Raise EvolveError for sensors without a name, with the same name, or with lists in place of tuples."""
    names = [name for name, _ in body.sensors]
    for name, sensor in body.sensors:
        if not name or names.count(name) > 1:
            raise EvolveError(f'the sensor "{name}" is defined twice, or has no name; give it a unique name')
        try:
            hash(sensor)
        except TypeError as error:
            raise EvolveError(f'the sensor "{name}" of a body has a list as an option; give a tuple') from error
