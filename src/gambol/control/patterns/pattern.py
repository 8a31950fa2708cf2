"""The interface of patterns: families of signals, one for each actuator and each in [-1, 1], made of genes.

A pattern does not depend on a figure. Its signals follow from its genes, the senses, the time and its memory.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from gambol.control.gene import Gene, checked_values
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp, floor, is_traced, leaves, maximum, total, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses

TWO_PI = 2.0 * math.pi
"""A cycle [rad]."""

MAX_SIZE = 256
"""Maximum number of harmonics, pairs or nodes: a network of this size compiles in minutes."""

NO_FOOT = -1
"""The foot index of an actuator that does not move a foot."""

SENSES = ("angles", "speeds", "contacts", "loads", "up", "velocity", "height")
"""Names of the senses that a pattern may read."""


@dataclass(frozen=True)
class PatternShape:
    """The size of a pattern, and its relation to actuators, feet and senses.

    actuators: number of signals. feet: number of feet whose contacts and loads it may read. foot_of: index of the foot
    that each actuator moves, or NO_FOOT; () if all are NO_FOOT. size: number of harmonics, pairs or nodes; 0 is the
    default of the kind. senses: names of senses that a network reads. slowest, fastest: bounds of its frequency [Hz].
    sensors: sensors of the world, which senses may name, each with the scales of its readings. Raises WorldError for
    invalid numbers and unknown senses.
    """

    actuators: int
    feet: int = 0
    foot_of: tuple[int, ...] = ()
    size: int = 0
    senses: tuple[str, ...] = ("angles", "contacts", "up")
    slowest: float = 0.5
    fastest: float = 4.0
    sensors: tuple[tuple[str, tuple[float, ...]], ...] = ()

    def __post_init__(self) -> None:
        if self.actuators < 1 or self.feet < 0 or self.size < 0:
            raise WorldError(
                f"a pattern cannot have {self.actuators} actuators, {self.feet} feet and size {self.size}; "
                "give at least 1 actuator, and 0 or more of the others"
            )
        if self.size > MAX_SIZE:
            raise WorldError(f"a pattern of size {self.size} is too large; give at most {MAX_SIZE}, 0 for the default")
        if self.foot_of and len(self.foot_of) != self.actuators:
            raise WorldError(f"{self.actuators} actuators need as many feet in foot_of, not {len(self.foot_of)}")
        for foot in self.foot_of:
            if not NO_FOOT <= foot < self.feet:
                raise WorldError(f"an actuator cannot move foot {foot} of {self.feet}; {NO_FOOT} is for none")
        for name in self.senses:
            if name not in (known := (*SENSES, *dict(self.sensors))):
                raise WorldError(f'a pattern cannot sense "{name}"; {did_you_mean(name, known)}')
        if not 0.0 < self.slowest < self.fastest < math.inf:
            raise WorldError(
                f"a pattern's frequency cannot be from {self.slowest} to {self.fastest} Hz; give two bounds above 0, "
                "the lower first"
            )

    def foot(self, actuator: int) -> int:
        """Return the foot that an actuator moves, or NO_FOOT."""
        return self.foot_of[actuator] if self.foot_of else NO_FOOT


@runtime_checkable
class Pattern(Protocol):
    """A family of signals, which a Drive evaluates at every control step.

    kind: its name in the table of patterns. Its initial memory does not depend on its numbers.
    """

    kind: ClassVar[str]

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that it reads."""
        ...

    def numbers(self) -> Any:
        """Return a pytree of floats that may differ between worlds, as inputs of a program."""
        ...

    def memory(self) -> Any:
        """Return the memory before the first control step: a pytree of scalars."""
        ...

    def signals(self, numbers: Any, memory: Any, senses: Senses, time: Scalar, dt: Scalar) -> tuple[list[Scalar], Any]:
        """Return the signals, each in [-1, 1], and the memory at the end of a control step.

        numbers: in the structure of numbers(). memory, senses: memory and observations at the start of the control
        step. time: time of the signals [s]. dt: length of the control step [s].
        """
        ...

    def structure(self) -> tuple[Any, ...]:
        """Return plain data; patterns of equal structure share a compiled program."""
        ...


@dataclass(frozen=True)
class GeneticPattern(ABC):
    """The base class of patterns that are made of genes.

    Its fields after the shape hold the values of its genes, in the order of the genes, nested as the kind defines. If
    the values are arrays (W,), it represents W patterns; its numbers equal those of the single patterns to the last
    bit.
    """

    kind: ClassVar[str]
    shape: PatternShape

    @classmethod
    @abstractmethod
    def genes_of(cls, shape: PatternShape) -> tuple[Gene, ...]:
        """Return the genes of patterns of a shape."""

    @classmethod
    @abstractmethod
    def read(cls, shape: PatternShape, values: Iterator[float]) -> Self:
        """Return the pattern of a shape with the next gene values of an iterator."""

    @classmethod
    def of_genes(cls, shape: PatternShape, values: Sequence[float]) -> Self:
        """Return the pattern of a shape with these gene values. Raises WorldError if they do not fit."""
        return cls.read(shape, iter(checked_values(cls.genes_of(shape), values)))

    @property
    def required_senses(self) -> tuple[str, ...]:
        """Names of the senses that it reads: empty, unless its kind overrides this."""
        return ()

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """Return the numbers of its signals, each an input of a program."""

    def memory(self) -> Any:
        """Return the initial memory: empty, unless its kind overrides this."""
        return ()

    @abstractmethod
    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the signals, each in [-1, 1], and the memory at the end of a control step: see Pattern.signals()."""

    def genes(self) -> tuple[Gene, ...]:
        """Return the genes that it is made of."""
        return self.genes_of(self.shape)

    def values(self) -> tuple[float, ...]:
        """Return the values of its genes, in their order."""
        return tuple(leaves([getattr(self, f.name) for f in fields(self) if f.name != "shape"]))

    def structure(self) -> tuple[Any, ...]:
        """Return its kind and the fields of its shape that are compiled into a program."""
        shape = self.shape
        sensors = (shape.sensors,) if shape.sensors else ()  # left out if empty, so that old cache keys stay valid
        return self.kind, shape.actuators, shape.feet, shape.foot_of, shape.size, shape.senses, *sensors

    def check(self, fits: bool = True) -> None:
        """Raise WorldError if its values are not finite, or not as many as its genes, or if fits is False.

        fits: False if the values are nested in a wrong way.
        """
        genes, values = self.genes(), self.values()
        if len(genes) != len(values) or not fits:
            raise WorldError(
                f'a pattern "{self.kind}" of {self.shape.actuators} actuators is made of {len(genes)} numbers, nested '
                f"as `of_genes` nests them; these are {len(values)}"
            )
        for gene, value in zip(genes, values, strict=True):
            if not is_traced(value) and not np.all(np.isfinite(value)):
                raise WorldError(f'"{gene.name}" of a pattern must be finite, not {value}')


def positive(value: Scalar) -> bool:
    """Return True if a number, or every number of an array, is above 0."""
    return bool(np.all(value > 0.0))


def take(values: Iterator[float], count: int) -> tuple[float, ...]:
    """Return the next `count` values, as a tuple."""
    return tuple(islice(values, count))


def wrapped(cycles: Scalar) -> Scalar:
    """Return the part of a number of cycles that is not whole, in [0, 1]."""
    return cycles - floor(cycles)


def clipped(signal: Scalar) -> Scalar:
    """Return a signal clipped to [-1, 1]."""
    return clamp(signal, -1.0, 1.0)


def soft_start(cycles: Scalar, cosine: Scalar) -> Scalar:
    """Return a factor that rises smoothly from 0 to 1 over the first half cycle.

    cycles: number of cycles since the start. cosine: cosine of 2 pi cycles.
    """
    return where(cycles < 0.5, 0.5 - 0.5 * cosine, 1.0)


def amplitude_scale(offset: Scalar, amplitudes: Sequence[Scalar]) -> Scalar:
    """Return the largest factor, at most 1, by which an offset plus a sum of sinusoids stays in [-1, 1]."""
    return 1.0 / maximum(1.0, abs(offset) + total(abs(a) for a in amplitudes))
