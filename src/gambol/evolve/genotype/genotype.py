"""A genotype: body and control as immutable data, its topology, its numbers as a row, and its pattern of signals."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from typing import Protocol, TypeVar, cast, runtime_checkable

from gambol.control.gene import Gene, checked_values
from gambol.control.patterns import PATTERNS, GeneticPattern, Pattern, PatternShape
from gambol.errors import EvolveError, WorldError
from gambol.evolve.genotype.body import DRIVES, Body, Freedom, Limb, MusclePair, Segment, Trunk, drive_of
from gambol.evolve.genotype.bounds import BOUNDS, check_body, check_number
from gambol.evolve.references import Kind
from gambol.lanes import Scalar

VERSION = 1
"""The version of the format of genotypes; increased when a number changes its meaning."""

SHIFT = Gene("shift", 0.0, 1.0, "cycle", cyclic=True, sigma=0.1)
"""The gene of a twin's phase lead, for patterns in which twins repeat the signals of their limbs."""


@dataclass(frozen=True, slots=True)
class Control:
    """The control of a body.

    kind: name of a pattern. values: values of the pattern's genes, in their order. shifts: phase lead of each limb's
    twin, 0 for a limb without a twin [cycles]; empty for patterns in which twins have their own genes. size, senses,
    slowest, fastest [Hz]: see control.patterns.PatternShape; senses may name sensors of the body.
    """

    kind: str = "spectral"
    values: tuple[float, ...] = ()
    shifts: tuple[float, ...] = ()
    size: int = 0
    senses: tuple[str, ...] = ("angles", "contacts", "up")
    slowest: float = 0.5
    fastest: float = 4.0


@dataclass(frozen=True, slots=True)
class Genotype:
    """The genotype of a creature; version: version of the format."""

    body: Body
    control: Control = field(default_factory=Control)
    version: int = VERSION


@runtime_checkable
class TwinPattern(Protocol):
    """A pattern in which some actuators can repeat the signals of others, with a phase lead."""

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: PatternShape) -> Pattern:
        """Return a pattern of a shape: its signal i is signal sources[i] with a phase lead of shifts[i] cycles."""
        ...


BODY_CONTROLS = dict.fromkeys(("stride", "trot"), "gambol.evolve.genotype.walking.control")
"""The module of each kind of control whose genes and pattern depend on the body.

It has stride_genes(body, control) and stride_pattern(body, control), for a kind "stride". Twins follow half a cycle
behind their limbs."""

CONTROLS = {**PATTERNS, **BODY_CONTROLS}
"""The kinds of control by name."""

CONTROL = Kind("control", CONTROLS)
"""The kinds of control, of gambol and of users."""


def control_kind(name: str) -> type[GeneticPattern]:
    """Return the class of a kind of control: in PATTERNS, a reference "module:name", or an entry point.

    Raises EvolveError for an unknown name, with the nearest known name, and for an object that is not a class derived
    from GeneticPattern.
    """
    if name in PATTERNS:
        return PATTERNS[name]
    found = CONTROL.load(name)
    if not (isinstance(found, type) and issubclass(found, GeneticPattern)):
        raise EvolveError(f'the control "{name}" is {found!r}; give a class derived from GeneticPattern')
    return found


def twins_share_genes(kind: str) -> bool:
    """Return True if twins repeat the signals of their limbs with a phase lead, instead of having their own genes."""
    return kind not in BODY_CONTROLS and issubclass(control_kind(kind), TwinPattern)


def driven_limbs(body: Body, kind: str) -> tuple[tuple[Limb, int], ...]:
    """Return the limbs that have control genes, each with its index; twice if the limb's twin has its own genes."""
    copies = (1 if twins_share_genes(kind) else len(limb.sides) for limb in body.limbs)
    return tuple(
        (limb, n) for n, (limb, count) in enumerate(zip(body.limbs, copies, strict=True)) for _ in range(count)
    )


def shape_of(body: Body, control: Control) -> PatternShape:
    """Return the shape of the pattern whose genes the control holds.

    It has no signals for twins if twins share the genes of their limbs, see twins_share_genes().
    """
    return _shape([limb for limb, _ in driven_limbs(body, control.kind)], body, control)


def control_genes(body: Body, control: Control) -> tuple[Gene, ...]:
    """Return the genes of a control for this body; control.values are their values."""
    if control.kind in BODY_CONTROLS:
        return getattr(import_module(BODY_CONTROLS[control.kind]), f"{control.kind}_genes")(body, control)
    return _genes(control.kind, shape_of(body, control))


@lru_cache(maxsize=64)  # the few structures of a population
def _genes(kind: str, shape: PatternShape) -> tuple[Gene, ...]:
    return control_kind(kind).genes_of(shape)


def freedom_names(body: Body, kind: str) -> tuple[str, ...]:
    """Return the name of the freedom that each signal with genes drives, such as "limb1 segment2 freedom1".

    kind: kind of the control. A name occurs twice if the limb's twin has its own genes.
    """
    return tuple(
        f"limb{n + 1} segment{k} freedom{i}"
        for limb, n in driven_limbs(body, kind)
        for k, segment in enumerate(limb.segments, start=1)
        for i, _ in enumerate(segment.freedoms, start=1)
    )


def check_genotype(genotype: Genotype) -> None:
    """Raise EvolveError for an invalid genotype; the error names field, value and bounds."""
    if genotype.version != VERSION:
        raise EvolveError(f"a genotype of version {genotype.version} cannot grow here; this gambol reads {VERSION}")
    check_body(genotype.body)
    check_control(genotype)


def check_control(genotype: Genotype) -> None:
    """Raise EvolveError for a control that cannot drive the body of its genotype."""
    body, control = genotype.body, genotype.control
    try:
        checked_values(control_genes(body, control), control.values)
    except WorldError as error:
        raise EvolveError(f"control: {error}") from error
    expected = len(body.limbs) if twins_share_genes(control.kind) else 0
    if len(control.shifts) != expected:
        raise EvolveError(
            f'control "{control.kind}" of {len(body.limbs)} limbs has {len(control.shifts)} shifts; give {expected}'
        )
    for n, shift in enumerate(control.shifts, start=1):
        check_number(SHIFT, shift, f"limb{n}")


def with_neutral_control(genotype: Genotype) -> Genotype:
    """Return the genotype with every gene of its control at the middle of its range."""
    body, control = genotype.body, genotype.control
    values = tuple(gene.lower + gene.range / 2 for gene in control_genes(body, control))
    shifts = tuple(0.5 if limb.mirrored else 0.0 for limb in body.limbs) if twins_share_genes(control.kind) else ()
    return replace(genotype, control=replace(control, values=values, shifts=shifts))


def pattern_of(genotype: Genotype) -> Pattern:
    """Return the pattern with one signal for each freedom, in the order of links.

    If the values of the control are arrays, the numbers of the pattern are arrays, too. Raises EvolveError for an
    unknown kind, and WorldError for a wrong number of values.
    """
    body, control = genotype.body, genotype.control
    if len(control.values) != (count := len(control_genes(body, control))):
        raise WorldError(f'control "{control.kind}" of this body has {count} values, not {len(control.values)}')
    if control.kind in BODY_CONTROLS:
        return getattr(import_module(BODY_CONTROLS[control.kind]), f"{control.kind}_pattern")(body, control)
    limb_pattern = control_kind(control.kind).read(shape_of(body, control), iter(control.values))
    if not isinstance(limb_pattern, TwinPattern):
        return cast(Pattern, limb_pattern)
    sources, shifts, first = list[int](), list[float](), 0
    for limb, shift in zip(body.limbs, control.shifts, strict=True):
        indices = range(first, first + len(limb.freedoms))
        for lead in (0.0, shift)[: len(limb.sides)]:
            sources += indices
            shifts += [lead] * len(indices)
        first = indices.stop
    return limb_pattern.with_twins(sources, shifts, _shape([limb for _, limb, _ in body.chains()], body, control))


def _shape(chains: Sequence[Limb], body: Body, control: Control) -> PatternShape:
    """Return the shape of a pattern with a signal for each freedom of some limbs, each of which ends in a foot.

    body: its sensors may be among the senses of the control.
    """
    foot_of = tuple(foot for foot, limb in enumerate(chains) for _ in limb.freedoms)
    size, senses, slowest, fastest = control.size, control.senses, control.slowest, control.fastest
    sensors = tuple((name, sensor.scales) for name, sensor in body.sensors)
    return PatternShape(len(foot_of), len(chains), foot_of, size, senses, slowest, fastest, sensors)


Part = Trunk | Segment | Freedom | MusclePair
P = TypeVar("P", Trunk, Segment, Freedom, MusclePair)


def topology(genotype: Genotype) -> Hashable:
    """Return the topology of a genotype: limbs, joints and their actuation, sensors, kind and shape of the control.

    Genotypes of equal topology differ in numbers only and can share a program; see figure.parameters.
    """
    control = genotype.control
    return _body_topology(genotype.body), control.kind, control.size, control.senses, control.slowest, control.fastest


def body_numbers(body: Body) -> tuple[float, ...]:
    """Return all numbers of a body in a fixed order: trunk, then limb by limb and segment by segment."""
    numbers = [*_gene_values(body.trunk)]
    for limb in body.limbs:
        numbers += limb.at
        for segment in limb.segments:
            numbers += _gene_values(segment)
            for freedom in segment.freedoms:
                numbers += _gene_values(freedom)
                numbers += _gene_values(freedom.muscles) if freedom.muscles is not None else []
    return tuple(numbers)


def with_numbers(body: Body, numbers: Iterator[Scalar]) -> Body:
    """Return a body of the same topology with these numbers, in the order of body_numbers()."""
    trunk = _with_gene_values(body.trunk, numbers)
    return replace(body, trunk=trunk, limbs=tuple(_with_limb_numbers(limb, numbers) for limb in body.limbs))


def _body_topology(body: Body) -> Hashable:
    """Return the topology of a body: its sensors; of each limb twin, name, foot, place, and freedoms by segment."""
    limbs = tuple(
        (
            limb.mirrored,
            limb.name,
            limb.foot,
            limb.on,
            tuple(tuple(map(_kind_of, segment.freedoms)) for segment in limb.segments),
        )
        for limb in body.limbs
    )
    return limbs, body.sensors


def _kind_of(freedom: Freedom) -> str:
    drive = drive_of(freedom)
    return freedom.kind if drive == DRIVES[0] else f"{freedom.kind}, {drive}"


def _gene_values(part: Part) -> list[float]:
    return [getattr(part, gene.name) for gene in BOUNDS[type(part)]]


def _with_gene_values(part: P, numbers: Iterator[Scalar]) -> P:
    return replace(part, **{gene.name: next(numbers) for gene in BOUNDS[type(part)]})


def _with_limb_numbers(limb: Limb, numbers: Iterator[Scalar]) -> Limb:
    attachment = (next(numbers), next(numbers), next(numbers))
    return replace(
        limb, at=attachment, segments=tuple(_with_segment_numbers(segment, numbers) for segment in limb.segments)
    )


def _with_segment_numbers(segment: Segment, numbers: Iterator[Scalar]) -> Segment:
    result = _with_gene_values(segment, numbers)
    return replace(result, freedoms=tuple(_with_freedom_numbers(freedom, numbers) for freedom in segment.freedoms))


def _with_freedom_numbers(freedom: Freedom, numbers: Iterator[Scalar]) -> Freedom:
    result = _with_gene_values(freedom, numbers)
    if result.muscles is None:
        return result
    return replace(result, muscles=_with_gene_values(result.muscles, numbers))
