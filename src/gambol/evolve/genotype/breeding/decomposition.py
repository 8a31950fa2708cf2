"""Genotypes as lists of limbs with their control genes; the operators of structure.py recombine these limbs.

So control is inherited together with structure: a copied limb has the signals of the original, a limb from another
creature keeps its signals, and only new limbs get random signals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from numpy.random import Generator

from gambol.control.gene import Gene
from gambol.evolve.genotype.body import Body, Freedom, Limb, Segment, Trunk
from gambol.evolve.genotype.breeding.coding import ACTUATOR
from gambol.evolve.genotype.genotype import Control, Genotype, control_genes, twins_share_genes

Signal = Mapping[str, float]
"""Values of the genes of one freedom's signal, by name without "actuator" and number: "phase" of "actuator 3 phase"."""


@dataclass(frozen=True)
class DrivenFreedom:
    """A degree of freedom with two signals: its own and that of its twin. They are equal if twins share genes."""

    freedom: Freedom
    signals: tuple[Signal, Signal] = ({}, {})


@dataclass(frozen=True)
class DrivenSegment:
    """A segment, and its degrees of freedom with signals, to be read instead of `segment.freedoms`."""

    segment: Segment
    freedoms: tuple[DrivenFreedom, ...]


@dataclass(frozen=True)
class DrivenLimb:
    """A limb, and its segments with signals, to be read instead of `limb.segments`.

    shift: phase lead of its twin [cycles]; None for a limb without a twin, and if compose() is to draw it.
    """

    limb: Limb
    segments: tuple[DrivenSegment, ...]
    shift: float | None = None

    @property
    def links(self) -> int:
        """The number of links, of one freedom each, of the limb and its twin together."""
        return len(self.limb.sides) * sum(len(driven_segment.freedoms) for driven_segment in self.segments)

    def to_limb(self) -> Limb:
        """Return the limb with its segments and freedoms."""
        return replace(self.limb, segments=tuple(_segment(driven_segment) for driven_segment in self.segments))


@dataclass(frozen=True)
class GenotypeParts:
    """A decomposed genotype. shared: values of the genes of the control that belong to no freedom, by name."""

    trunk: Trunk
    limbs: tuple[DrivenLimb, ...]
    control: Control
    shared: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def links(self) -> int:
        """The number of links of all limbs and twins."""
        return sum(driven.links for driven in self.limbs)


def without_signals(limb: Limb) -> DrivenLimb:
    """Return a limb without signals; compose() draws random signals for it."""
    return _driven_limb(limb, [DrivenFreedom(freedom).signals for freedom in limb.freedoms], None)


def decompose(genotype: Genotype) -> GenotypeParts:
    """Return the parts of a genotype: its limbs with the genes of their signals, and all other parts."""
    body, control = genotype.body, genotype.control
    shared: dict[str, float] = {}
    signals: dict[int, dict[str, float]] = {}
    for gene, value in zip(control_genes(body, control), control.values, strict=True):
        number, rest = _parsed_name(gene.name)
        (shared if number is None else signals.setdefault(number, {}))[rest] = value
    first, driven_limbs, signal_sets = 0, list[DrivenLimb](), 1 if twins_share_genes(control.kind) else 2
    for n, limb in enumerate(body.limbs):
        count = len(limb.freedoms)
        limb_signals = [signals.get(first + k, {}) for k in range(count)]
        first += count
        twin_signals = limb_signals
        if limb.mirrored and signal_sets == 2:
            twin_signals = [signals.get(first + k, {}) for k in range(count)]
            first += count
        driven_limbs.append(
            _driven_limb(
                limb, list(zip(limb_signals, twin_signals, strict=True)), control.shifts[n] if control.shifts else None
            )
        )
    return GenotypeParts(body.trunk, tuple(driven_limbs), replace(control, values=(), shifts=()), shared)


def compose(parts: GenotypeParts, rng: Generator) -> Genotype:
    """Return the genotype that consists of these parts.

    A control gene without a value is drawn uniformly between its bounds.
    """
    body = Body(parts.trunk, tuple(driven.to_limb() for driven in parts.limbs))
    twins_differ = not twins_share_genes(parts.control.kind)
    signals: list[Signal] = []
    for driven in parts.limbs:
        freedoms = [driven_freedom for segment in driven.segments for driven_freedom in segment.freedoms]
        for side in range(2 if driven.limb.mirrored and twins_differ else 1):
            signals += [driven_freedom.signals[side] for driven_freedom in freedoms]
    values = tuple(
        _value(gene, signals[number] if number is not None else parts.shared, rest, rng)
        for gene in control_genes(body, parts.control)
        for number, rest in [_parsed_name(gene.name)]
    )
    shifts = () if twins_differ else tuple(_shift(driven, rng) for driven in parts.limbs)
    return Genotype(body, replace(parts.control, values=values, shifts=shifts))


def _driven_limb(limb: Limb, signals: Sequence[tuple[Signal, Signal]], shift: float | None) -> DrivenLimb:
    pending = iter(signals)
    segments = (
        DrivenSegment(segment, tuple(DrivenFreedom(freedom, next(pending)) for freedom in segment.freedoms))
        for segment in limb.segments
    )
    return DrivenLimb(limb, tuple(segments), shift if limb.mirrored else None)


def _segment(driven_segment: DrivenSegment) -> Segment:
    return replace(
        driven_segment.segment, freedoms=tuple(driven_freedom.freedom for driven_freedom in driven_segment.freedoms)
    )


def _parsed_name(name: str) -> tuple[int | None, str]:
    """Return the number of a freedom that a control gene belongs to, or None, and the rest of its name."""
    first, _, rest = name.partition(" ")
    number, _, rest = rest.partition(" ")
    return (int(number), rest) if first == ACTUATOR and number.isdigit() else (None, name)


def _value(gene: Gene, values: Mapping[str, float], name: str, rng: Generator) -> float:
    """Return the value of a gene by name, clipped to its bounds, or a random value for an unknown name."""
    if name in values:
        return min(max(values[name], gene.lower), gene.upper)
    return float(rng.uniform(gene.lower, gene.upper))


def _shift(driven: DrivenLimb, rng: Generator) -> float:
    """Return the phase lead of a limb's twin [cycles]; 0 if it has no twin."""
    if not driven.limb.mirrored:
        return 0.0
    return float(rng.random()) if driven.shift is None else driven.shift
