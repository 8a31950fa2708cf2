"""Two sides that share genes: an actuator does as the one that it mirrors, a part of a cycle apart.

s_right(t) = s_left(t + shift / f)            shift 0: a bound, a hop; 1/2: a trot, a walk
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from gambol.control.gene import Gene, checked
from gambol.control.patterns.oscillators import Oscillators
from gambol.control.patterns.pattern import Shape
from gambol.control.patterns.sinusoid import Sinusoid
from gambol.control.patterns.spectral import Spectral
from gambol.errors import WorldError
from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.control.controller import Senses

Rhythm = Spectral | Sinusoid | Oscillators
RHYTHMS: dict[str, type[Rhythm]] = {of.kind: of for of in (Spectral, Sinusoid, Oscillators)}
"""The kinds whose signals may be shifted in time."""

SHIFT = Gene("mirror shift", 0.0, 1.0, "cycle", cyclic=True)
"""How far the mirrored side is ahead of its twin."""


@dataclass(frozen=True)
class Mirrored:
    """A rhythm of more actuators than it has genes for.

    own: the rhythm of the actuators that mirror no other, in their order. mirrors: for every actuator the one that it
    does as; itself where it mirrors none. shift: how far those that mirror are ahead [cycles]. foot_of: the foot of
    every actuator, if own has feet.
    Raises WorldError for mirrors of actuators that are not there or mirror others themselves.
    """

    own: Rhythm
    mirrors: tuple[int, ...]
    shift: float
    foot_of: tuple[int, ...] = ()
    whole: Rhythm = field(init=False, repr=False, compare=False)
    kind: ClassVar[str] = "mirrored"

    def __post_init__(self) -> None:
        leaders = _leaders(self.mirrors)
        if len(leaders) != self.own.shape.actuators:
            raise WorldError(f"{len(leaders)} actuators mirror none, but there are {self.own.shape.actuators} signals")
        shape = replace(self.own.shape, actuators=len(self.mirrors), foot_of=self.foot_of)
        sources = [leaders.index(j) for j in self.mirrors]
        shifts = [0.0 if i == j else self.shift for i, j in enumerate(self.mirrors)]
        object.__setattr__(self, "whole", self.own.with_twins(sources, shifts, shape))

    @staticmethod
    def genes_of(kind: str, shape: Shape, mirrors: Sequence[int]) -> tuple[Gene, ...]:
        """The genes of the actuators that mirror none, and the shift.

        kind: of the rhythm; shape: of all actuators. Raises WorldError for a kind that has no phase to shift.
        """
        return *_rhythm(kind).genes_of(_own_shape(shape, mirrors)), SHIFT

    @staticmethod
    def of_genes(kind: str, shape: Shape, mirrors: Sequence[int], values: Sequence[float]) -> Mirrored:
        """The mirrored rhythm whose genes have these values; raises WorldError if they do not fit."""
        *inner, shift = checked(Mirrored.genes_of(kind, shape, mirrors), values)
        own = _rhythm(kind).of_genes(_own_shape(shape, mirrors), inner)
        return Mirrored(own, tuple(mirrors), shift, shape.foot_of)

    @property
    def shape(self) -> Shape:
        """The shape of the whole."""
        return self.whole.shape

    @property
    def wants(self) -> tuple[str, ...]:
        """What the whole rhythm feels."""
        return self.whole.wants

    def genes(self) -> tuple[Gene, ...]:
        """The genes of its own rhythm, and the shift."""
        return *self.own.genes(), SHIFT

    def values(self) -> tuple[float, ...]:
        """The values of those genes."""
        return *self.own.values(), self.shift

    def numbers(self) -> dict[str, Any]:
        """The numbers of the whole rhythm: a program does not see who mirrors whom."""
        return self.whole.numbers()

    def memory(self) -> Any:
        """The memory of the whole rhythm."""
        return self.whole.memory()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """The signals of the whole rhythm."""
        return self.whole.signals(numbers, memory, senses, time, dt)

    def structure(self) -> tuple[Any, ...]:
        """The structure of the whole rhythm."""
        return self.whole.structure()


def _rhythm(kind: str) -> type[Rhythm]:
    if kind not in RHYTHMS:
        raise WorldError(f'a pattern "{kind}" has no phase that a mirrored side could shift; take one of {[*RHYTHMS]}')
    return RHYTHMS[kind]


def _own_shape(shape: Shape, mirrors: Sequence[int]) -> Shape:
    """The shape of the actuators that mirror none."""
    leaders = _leaders(mirrors)
    if len(mirrors) != shape.actuators:
        raise WorldError(f"{shape.actuators} actuators need as many mirrors, not {len(mirrors)}")
    feet = tuple(shape.foot(i) for i in leaders) if shape.foot_of else ()
    return replace(shape, actuators=len(leaders), foot_of=feet)


def _leaders(mirrors: Sequence[int]) -> list[int]:
    """The actuators that mirror none; raises WorldError where one mirrors what is none of them."""
    leaders = [i for i, j in enumerate(mirrors) if i == j]
    for i, j in enumerate(mirrors):
        if j not in leaders:
            raise WorldError(f"actuator {i} cannot mirror {j}, which must be one of {leaders}: those that mirror none")
    return leaders
