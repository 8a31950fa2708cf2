"""Trots of creatures whose walk evolved: the numbers of the walk, except those that make a trot."""

from dataclasses import astuple, dataclass, replace

from gambol.errors import EvolveError
from gambol.evolve.genotype.genotype import Genotype, check_control
from gambol.evolve.genotype.walking.stride import Stride


@dataclass(frozen=True, slots=True)
class TrotChange:
    """The changes of a walk that make a trot.

    frequency, travel: factors of these numbers of the stride. duty, lag, catch_ahead, right_ahead: their new values,
    see Stride.
    """

    frequency: float
    travel: float
    duty: float
    lag: float
    catch_ahead: float
    right_ahead: float


def trotting(genotype: Genotype, change: TrotChange) -> Genotype:
    """Return a genotype whose control is the trot that a change makes of its walk.

    genotype: with a control of kind "stride", and two pairs of legs. Raises EvolveError for another control, and for
    numbers out of the bounds of trots.
    """
    control = genotype.control
    if control.kind != "stride":
        raise EvolveError(f'only the control "stride" becomes a trot, not "{control.kind}"')
    walk = Stride(*control.values)
    new = {name: getattr(change, name) for name in ("duty", "lag", "catch_ahead", "right_ahead")}
    new |= {name: getattr(change, name) * getattr(walk, name) for name in ("frequency", "travel")}
    trot = replace(walk, **new)
    values = astuple(trot)[: len(control.values)]
    fastest = max(control.fastest, trot.frequency)
    changed = replace(genotype, control=replace(control, kind="trot", fastest=fastest, values=values))
    check_control(changed)
    return changed
