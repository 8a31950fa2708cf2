"""Trots of creatures whose walk evolved: the numbers of the walk, except those that make a trot."""

import math
from dataclasses import astuple, dataclass, fields, replace

from gambol.control.patterns import Balanced
from gambol.errors import EvolveError
from gambol.evolve.genotype.genotype import Genotype, check_control
from gambol.evolve.genotype.walking.control import stride_pattern
from gambol.evolve.genotype.walking.stride import Stride


@dataclass(frozen=True, slots=True)
class TrotChange:
    """The changes of a walk that make a trot.

    frequency, travel: factors of these numbers of the stride. duty, lag, catch_ahead, right_ahead: their new values,
    see Stride; and catch_aside, right_aside: None for those of the walk.
    """

    frequency: float
    travel: float
    duty: float
    lag: float
    catch_ahead: float
    right_ahead: float
    catch_aside: float | None = None
    right_aside: float | None = None


def trotting(genotype: Genotype, change: TrotChange) -> Genotype:
    """Return a genotype whose control is the trot that a change makes of its walk.

    genotype: with a control of kind "stride", and two pairs of legs. Raises EvolveError for another control, and for
    numbers out of the bounds of trots.
    """
    control = genotype.control
    if control.kind != "stride":
        raise EvolveError(f'only the control "stride" becomes a trot, not "{control.kind}"')
    walk = Stride(*control.values)
    new = {item.name: x for item in fields(change) if (x := getattr(change, item.name)) is not None}
    new |= {name: getattr(change, name) * getattr(walk, name) for name in ("frequency", "travel")}
    trot = replace(walk, **new)
    values = astuple(trot)[: len(control.values)]
    fastest = max(control.fastest, trot.frequency)
    changed = replace(genotype, control=replace(control, kind="trot", fastest=fastest, values=values))
    check_control(changed)
    return changed


def half_way_pattern(walk: Genotype, trot: Genotype) -> Balanced:
    """Return the pattern of the stride half-way between a walk and a trot of one body."""
    pairs = zip(astuple(Stride(*walk.control.values)), astuple(Stride(*trot.control.values)), strict=True)
    names = [each.name for each in fields(Stride)]
    values = [_half_way(name, a, b) for name, (a, b) in zip(names, pairs, strict=True)]
    control = replace(trot.control, values=tuple(values[: len(trot.control.values)]))
    pattern = stride_pattern(trot.body, control)
    assert isinstance(pattern, Balanced)
    return pattern


def _half_way(name: str, first: float, after: float) -> float:
    """Return the mean of a number of two strides; of phases [cycles], the middle of the shorter arc between them."""
    way = after - first
    return first + 0.5 * (way - math.floor(way + 0.5) if name.endswith("phase") else way)
