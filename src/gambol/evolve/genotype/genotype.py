"""A genotype: a body and its control as plain immutable data; and the pattern of signals that the control describes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Protocol, cast, runtime_checkable

from gambol.control.gene import Gene, checked_values
from gambol.control.patterns import Pattern, PatternShape, pattern_kind
from gambol.errors import EvolveError, WorldError
from gambol.evolve.genotype.body import Body, Limb
from gambol.evolve.genotype.bounds import check_body, check_number

VERSION = 1
"""The version of the format of genotypes: raised when a number changes its meaning."""

SHIFT = Gene("shift", 0.0, 1.0, "cycle", cyclic=True, sigma=0.1)
"""The phase lead of a twin over its limb, where twins repeat the signals of their limbs."""


@dataclass(frozen=True, slots=True)
class Control:
    """The control of a body.

    kind: of pattern, a name in the table of patterns. values: of the pattern's genes, in their order. shifts: phase
    lead of the twin of each limb, 0 for limbs without [cycles]; empty for kinds in which every twin has genes of its
    own. size, senses, slowest, fastest [Hz]: see control.patterns.Shape.
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
    """The genotype of a creature: body and control. version: of the format."""

    body: Body
    control: Control = field(default_factory=Control)
    version: int = VERSION


@runtime_checkable
class TwinPattern(Protocol):
    """A pattern in which some actuators can repeat the signals of others, with a phase lead."""

    def with_twins(self, sources: Sequence[int], shifts: Sequence[float], shape: PatternShape) -> Pattern:
        """Return the pattern of a larger shape whose actuator i repeats sources[i], shifts[i] cycles ahead."""
        ...


def twins_share_genes(kind: str) -> bool:
    """Return True where twins have no control genes: they repeat the signals of their limbs, with a phase lead."""
    return issubclass(pattern_kind(kind), TwinPattern)


def driven_limbs(body: Body, kind: str) -> tuple[tuple[Limb, int], ...]:
    """Return the limbs with control genes, each with its number from 0; twice where its twin has its own."""
    times = (1 if twins_share_genes(kind) else len(limb.sides) for limb in body.limbs)
    return tuple((limb, n) for n, (limb, time) in enumerate(zip(body.limbs, times, strict=True)) for _ in range(time))


def shape_of(body: Body, control: Control) -> PatternShape:
    """Return the shape of the pattern whose genes the control holds."""
    return _shape([limb for limb, _ in driven_limbs(body, control.kind)], control)


def control_genes(body: Body, control: Control) -> tuple[Gene, ...]:
    """Return the genes of the pattern for this body: those whose values the control holds."""
    return _genes(control.kind, shape_of(body, control))


@lru_cache(maxsize=64)  # the structures of a population, each asked for by all of its creatures
def _genes(kind: str, shape: PatternShape) -> tuple[Gene, ...]:
    return pattern_kind(kind).genes_of(shape)


def muscle_names(body: Body, kind: str) -> tuple[str, ...]:
    """Return the names of the muscles whose signals have genes of their own, such as "limb1 segment2 freedom1".

    A name comes twice where the limb's twin has genes of its own.
    """
    return tuple(
        f"limb{n + 1} segment{k} freedom{i}"
        for limb, n in driven_limbs(body, kind)
        for k, segment in enumerate(limb.segments, start=1)
        for i, _ in enumerate(segment.freedoms, start=1)
    )


def check_genotype(genotype: Genotype) -> None:
    """Raise EvolveError for an invalid genotype, naming field, value, bounds and what would be right."""
    if genotype.version != VERSION:
        raise EvolveError(f"a genotype of version {genotype.version} cannot grow here; this gambol knows {VERSION}")
    check_body(genotype.body)
    check_control(genotype)


def check_control(genotype: Genotype) -> None:
    """Raise EvolveError for a control that cannot drive the body of its genotype."""
    body, control = genotype.body, genotype.control
    try:
        checked_values(control_genes(body, control), control.values)
    except WorldError as error:
        raise EvolveError(f"control: {error}") from error
    wanted = len(body.limbs) if twins_share_genes(control.kind) else 0
    if len(control.shifts) != wanted:
        raise EvolveError(
            f'control "{control.kind}" of {len(body.limbs)} limbs has {len(control.shifts)} shifts; give {wanted}'
        )
    for n, shift in enumerate(control.shifts, start=1):
        check_number(SHIFT, shift, f"limb{n}")


def with_neutral_control(genotype: Genotype) -> Genotype:
    """Return the genotype with every gene of its control in the middle of its range."""
    body, control = genotype.body, genotype.control
    values = tuple(gene.lower + gene.range / 2 for gene in control_genes(body, control))
    shifts = tuple(0.5 if limb.mirrored else 0.0 for limb in body.limbs) if twins_share_genes(control.kind) else ()
    return replace(genotype, control=replace(control, values=values, shifts=shifts))


def pattern_of(genotype: Genotype) -> Pattern:
    """Return the pattern with one signal per muscle, in the order of links; of arrays where the control's values are.

    Raises WorldError for an unknown kind, and for too few values and too many.
    """
    body, control = genotype.body, genotype.control
    if len(control.values) != (count := len(control_genes(body, control))):
        raise WorldError(f'control "{control.kind}" of this body has {count} values, not {len(control.values)}')
    inner = pattern_kind(control.kind).read(shape_of(body, control), iter(control.values))
    if not isinstance(inner, TwinPattern):
        return cast(Pattern, inner)
    sources, shifts, first = list[int](), list[float](), 0
    for limb, shift in zip(body.limbs, control.shifts, strict=True):
        indices = range(first, first + len(limb.freedoms))
        for lead in (0.0, shift)[: len(limb.sides)]:
            sources += indices
            shifts += [lead] * len(indices)
        first = indices.stop
    return inner.with_twins(sources, shifts, _shape([limb for _, limb, _ in body.chains()], control))


def _shape(chains: Sequence[Limb], control: Control) -> PatternShape:
    """Return the shape of a pattern for limbs, each of which ends in a foot."""
    foot_of = tuple(foot for foot, limb in enumerate(chains) for _ in limb.freedoms)
    size, senses, slowest, fastest = control.size, control.senses, control.slowest, control.fastest
    return PatternShape(len(foot_of), len(chains), foot_of, size, senses, slowest, fastest)
