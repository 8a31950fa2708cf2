"""Bounds of the genes of bodies, and the distances from a body plan within which a search stays.

The bounds are those of creatures that can be simulated, from a rat's size to a pony's. A search of one body plan stays
closer to the plan: as mutations are fractions of a gene's range, they are then of a reasonable size.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.control.gene import Gene
from gambol.errors import EvolveError, did_you_mean
from gambol.evolve.genotype.body import KINDS, MOST_FREEDOMS, Body, Freedom, Limb, Segment, Trunk
from gambol.figure.joint import OLD_KINDS

QUARTER = math.pi / 2

BOUNDS: Mapping[type, tuple[Gene, ...]] = {
    Trunk: (
        Gene("length", 0.1, 1.5, "m"),
        Gene("width", 0.05, 0.8, "m"),
        Gene("height", 0.04, 0.5, "m"),
        Gene("density", 200.0, 2000.0, "kg/m3"),
    ),
    Segment: (
        Gene("length", 0.04, 0.6, "m"),
        Gene("upper_radius", 0.008, 0.1, "m"),
        Gene("lower_radius", 0.008, 0.1, "m"),
        Gene("density", 200.0, 2000.0, "kg/m3"),
        Gene("pitch", -math.pi, math.pi, "rad", cyclic=True),
        Gene("roll", -math.pi, math.pi, "rad", cyclic=True),
    ),
    Freedom: (
        Gene("azimuth", -math.pi, math.pi, "rad", cyclic=True),
        Gene("elevation", -QUARTER, QUARTER, "rad"),
        Gene("middle", -2.0, 2.0, "rad"),
        Gene("reach", 0.05, 1.2, "rad"),
        Gene("strength", 0.02, 1.5),
    ),
}
"""The genes of trunks, segments and freedoms, named as their fields."""

PLACE = (Gene("x", -1.0, 1.0), Gene("y", -1.0, 1.0), Gene("z", -1.0, 1.0))
"""The genes of a limb's attachment point."""

TWIN_PLACE = (PLACE[0], Gene("y", 0.3, 1.0), PLACE[2])
"""The genes of the attachment point of a mirrored limb: on the left, off the middle plane, where both twins would
coincide.
"""


@dataclass(frozen=True, slots=True)
class Margin:
    """The distance of a gene from its value in a plan: at most `by` up or down, or a factor of `times`."""

    by: float = 0.0
    times: float = 1.0

    def around(self, gene: Gene, middle: float) -> Gene:
        """Return the gene with bounds no farther than this from a value."""
        low, high = sorted((middle / self.times, middle * self.times))
        lower, upper = max(gene.lower, low - self.by), min(gene.upper, high + self.by)
        return replace(gene, lower=lower, upper=upper, cyclic=gene.cyclic and upper - lower >= gene.range)


Margins = Mapping[str, Margin]
"""Margins of fields by name; genes of other fields stay as they are in the plan."""

SIZES = ("length", "width", "height", "upper_radius", "lower_radius")

NEAR: Margins = {
    **{name: Margin(times=1.5) for name in SIZES},
    **{name: Margin(by=0.3) for name in "xyz"},
    "middle": Margin(by=0.5),
    "reach": Margin(times=2.0),
    "strength": Margin(times=1.5),
}
"""Margins of the creatures of one body plan: in sizes, places, ranges and strengths, but not in how joints move."""

FAR: Margins = {
    **{name: Margin(times=2.0) for name in SIZES},
    **{name: Margin(by=2.0) for name in "xyz"},
    **{name: Margin(by=2.0 * math.pi) for name in ("pitch", "roll", "azimuth", "elevation")},
    "middle": Margin(by=1.0),
    "reach": Margin(times=2.0),
    "strength": Margin(times=2.0),
}
"""Margins of free creatures around a default trunk, segment and freedom."""


def places(limb: Limb) -> tuple[Gene, ...]:
    """Return the genes of a limb's attachment point."""
    return TWIN_PLACE if limb.mirrored else PLACE


def check_body(body: Body) -> None:
    """Raise EvolveError for an invalid body: its numbers, kinds and counts, each with what would be right."""
    check_numbers(body.trunk, "trunk")
    if not body.limbs:
        raise EvolveError("a body without limbs moves nothing; give it at least one limb")
    for n, limb in enumerate(body.limbs, start=1):
        check_limb(limb, f"limb{n}")
        for k, segment in enumerate(limb.segments, start=1):
            check_numbers(segment, f"limb{n} segment{k}")
            for i, freedom in enumerate(segment.freedoms, start=1):
                check_numbers(freedom, f"limb{n} segment{k} freedom{i}")


def check_limb(limb: Limb, of: str) -> None:
    """Raise EvolveError for a limb with an invalid attachment point or count; of: its name in errors."""
    why = " of a limb with a twin, which hangs on the left" if limb.mirrored else ""
    for gene, value in zip(places(limb), limb.at, strict=True):
        check_number(gene, value, of, why)
    if not limb.segments:
        raise EvolveError(f"{of} has no segments; give it at least one, or leave the limb out")
    for k, segment in enumerate(limb.segments, start=1):
        if not 1 <= len(segment.freedoms) <= MOST_FREEDOMS:
            count = len(segment.freedoms)
            raise EvolveError(f"{of} has a segment{k} with {count} freedoms; its joint takes 1 to {MOST_FREEDOMS}")
        for freedom in segment.freedoms:
            if freedom.kind not in KINDS:
                cure = did_you_mean(OLD_KINDS.get(freedom.kind, freedom.kind), KINDS)
                raise EvolveError(f'{of} has a segment{k} with a freedom of kind "{freedom.kind}"; {cure}')


def check_numbers(part: Trunk | Segment | Freedom, of: str) -> None:
    """Raise EvolveError for a number of a part that is out of its bounds; of: the part's name in errors."""
    for gene in BOUNDS[type(part)]:
        check_number(gene, getattr(part, gene.name), of)


def check_number(gene: Gene, value: float, of: str, why: str = "") -> None:
    """Raise EvolveError for a value out of its gene's bounds, with the nearest valid one.

    gene: with the bounds. value: to be checked. of: what it belongs to; why: an addition to the error.
    """
    if not gene.lower <= value <= gene.upper:
        unit = f" {gene.unit}" if gene.unit else ""
        nearest = min(max(value, gene.lower), gene.upper) if math.isfinite(value) else gene.lower
        raise EvolveError(
            f"{of} has {gene.name} = {value:g}{unit}, outside of the bounds {gene.lower:g} to {gene.upper:g}{unit}"
            f"{why}; the nearest that will do is {nearest:g}"
        )
