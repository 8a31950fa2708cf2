"""A genotype taken apart into grafts: limbs, each with the genes of what drives it, that may be put together anew.

So control follows structure: what is duplicated keeps the signals of what it was copied from, what is moved to another
creature takes its own along, and only what is new is born with signals at random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from numpy.random import Generator

from gambol.control.gene import Gene
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.breeding.coding import ACTUATOR
from gambol.evolve.genotype.genotype import Control, Genotype, control_genes, doubles

Signal = Mapping[str, float]
"""Values of the genes of one muscle's signal, by what they are called after the muscle's number."""


@dataclass(frozen=True)
class Muscled:
    """A freedom with its signal, and with that of the twin's where it has one of its own."""

    freedom: Freedom
    signals: tuple[Signal, Signal] = ({}, {})


@dataclass(frozen=True)
class Jointed:
    """A segment whose freedoms have signals; its own freedoms do not count."""

    segment: Segment
    muscles: tuple[Muscled, ...]


@dataclass(frozen=True)
class Graft:
    """A limb whose segments have signals; its own segments do not count. shift: how far its twin is ahead [cycles]."""

    limb: Limb
    joints: tuple[Jointed, ...]
    shift: float | None = None

    @property
    def links(self) -> int:
        """How many links of one freedom it takes, with its twin's."""
        return len(self.limb.sides) * sum(len(joint.muscles) for joint in self.joints)

    def whole(self) -> Limb:
        """The limb with its segments and freedoms."""
        return replace(self.limb, segments=tuple(_segment(joint) for joint in self.joints))


@dataclass(frozen=True)
class Apart:
    """A genotype taken apart. shared: values of the genes of the control that belong to no muscle, by name."""

    trunk: Trunk
    grafts: tuple[Graft, ...]
    control: Control
    shared: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def links(self) -> int:
        """How many links hang on the trunk."""
        return sum(graft.links for graft in self.grafts)


def silent(limb: Limb) -> Graft:
    """A limb whose signals are yet to be born."""
    return _graft(limb, [Muscled(freedom).signals for freedom in limb.freedoms], None)


def taken_apart(genotype: Genotype) -> Apart:
    """A genotype as grafts."""
    body, control = genotype.body, genotype.control
    shared: dict[str, float] = {}
    signals: dict[int, dict[str, float]] = {}
    for gene, value in zip(control_genes(body, control), control.values, strict=True):
        number, rest = _addressed(gene.name)
        (shared if number is None else signals.setdefault(number, {}))[rest] = value
    first, grafts, sides = 0, list[Graft](), 1 if doubles(control.kind) else 2
    for n, limb in enumerate(body.limbs):
        count = len(limb.freedoms)
        own = [signals.get(first + k, {}) for k in range(count)]
        first += count
        twin = own
        if limb.mirrored and sides == 2:
            twin = [signals.get(first + k, {}) for k in range(count)]
            first += count
        grafts.append(_graft(limb, list(zip(own, twin, strict=True)), control.shifts[n] if control.shifts else None))
    return Apart(body.trunk, tuple(grafts), replace(control, values=(), shifts=()), shared)


def put_together(apart: Apart, rng: Generator) -> Genotype:
    """The genotype of grafts; genes of the control that have no value are born anywhere between their bounds."""
    body = Body(apart.trunk, tuple(graft.whole() for graft in apart.grafts))
    own_twins = not doubles(apart.control.kind)
    signals: list[Signal] = []
    for graft in apart.grafts:
        muscles = [muscle for joint in graft.joints for muscle in joint.muscles]
        for side in range(2 if graft.limb.mirrored and own_twins else 1):
            signals += [muscle.signals[side] for muscle in muscles]
    values = tuple(
        _value(gene, signals[number] if number is not None else apart.shared, rest, rng)
        for gene in control_genes(body, apart.control)
        for number, rest in [_addressed(gene.name)]
    )
    shifts = () if own_twins else tuple(_shift(graft, rng) for graft in apart.grafts)
    return Genotype(body, replace(apart.control, values=values, shifts=shifts))


def _graft(limb: Limb, signals: Sequence[tuple[Signal, Signal]], shift: float | None) -> Graft:
    left = iter(signals)
    joints = (
        Jointed(segment, tuple(Muscled(freedom, next(left)) for freedom in segment.freedoms))
        for segment in limb.segments
    )
    return Graft(limb, tuple(joints), shift if limb.mirrored else None)


def _segment(joint: Jointed) -> Segment:
    return replace(joint.segment, freedoms=tuple(muscle.freedom for muscle in joint.muscles))


def _addressed(name: str) -> tuple[int | None, str]:
    """The number of the muscle that a gene of the control belongs to, if any, and the rest of its name."""
    first, _, rest = name.partition(" ")
    number, _, rest = rest.partition(" ")
    return (int(number), rest) if first == ACTUATOR and number.isdigit() else (None, name)


def _value(gene: Gene, known: Mapping[str, float], name: str, rng: Generator) -> float:
    """The known value of a gene, held within its bounds, or one anywhere between them."""
    if name in known:
        return min(max(known[name], gene.lower), gene.upper)
    return float(rng.uniform(gene.lower, gene.upper))


def _shift(graft: Graft, rng: Generator) -> float:
    """How far a limb's twin is ahead [cycles]; 0 where there is none."""
    if not graft.limb.mirrored:
        return 0.0
    return float(rng.random()) if graft.shift is None else graft.shift
