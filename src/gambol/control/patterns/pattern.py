"""What a pattern is: a family of signals, one for each actuator and each in [-1, 1], made of genes.

A pattern knows no figure. It is told what is felt and what time it is, and remembers what it needs to.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

import numpy as np

from gambol.control.gene import Gene, checked
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, clamp, leaves, maximum, total, where

if TYPE_CHECKING:
    from gambol.control.controller import Senses

TURN = 2.0 * math.pi
"""A cycle [rad]."""

LARGEST = 256
"""Harmonics, pairs or nodes: a network of so many compiles in minutes."""

NO_FOOT = -1
"""The foot of an actuator that moves none."""

FELT = ("angles", "speeds", "contacts", "loads", "up", "velocity", "height")
"""What a pattern may feel, by name."""


@dataclass(frozen=True)
class Shape:
    """How large a pattern is, and what it is tied to.

    actuators: signals that it gives. feet: feet that it feels. foot_of: the foot that each actuator moves, NO_FOOT for
    none; () for none at all. size: harmonics, pairs or nodes; 0 is what is usual for the kind. senses: names that a
    network reads. slowest, fastest: bounds of its rhythm [Hz].
    Raises WorldError for numbers that cannot be and senses that are unknown.
    """

    actuators: int
    feet: int = 0
    foot_of: tuple[int, ...] = ()
    size: int = 0
    senses: tuple[str, ...] = ("angles", "contacts", "up")
    slowest: float = 0.5
    fastest: float = 4.0

    def __post_init__(self) -> None:
        if self.actuators < 1 or self.feet < 0 or self.size < 0:
            raise WorldError(
                f"a pattern of {self.actuators} actuators, {self.feet} feet and size {self.size} cannot be; "
                "give at least one actuator, and no fewer than 0 of the others"
            )
        if self.size > LARGEST:
            raise WorldError(f"a pattern of size {self.size} is too large; give at most {LARGEST}, 0 for what is usual")
        if self.foot_of and len(self.foot_of) != self.actuators:
            raise WorldError(f"{self.actuators} actuators need as many feet in foot_of, not {len(self.foot_of)}")
        for foot in self.foot_of:
            if not NO_FOOT <= foot < self.feet:
                raise WorldError(f"an actuator cannot move foot {foot} of {self.feet}; {NO_FOOT} is for none")
        for name in self.senses:
            if name not in FELT:
                raise WorldError(f'a pattern cannot feel "{name}"; {did_you_mean(name, FELT)}')
        if not 0.0 < self.slowest < self.fastest < math.inf:
            raise WorldError(f"a rhythm cannot lie between {self.slowest} and {self.fastest} Hz")

    def foot(self, actuator: int) -> int:
        """The foot that an actuator moves, or NO_FOOT."""
        return self.foot_of[actuator] if self.foot_of else NO_FOOT


@runtime_checkable
class Pattern(Protocol):
    """A family of signals: what a Drive asks at every frame.

    kind: its name in the table of patterns. wants: names of the senses that it reads. numbers: a nest of floats that
    may differ between worlds. memory: a nest of scalars, the same at time 0 whatever the numbers are. structure:
    plain data that says what is compiled in.
    """

    kind: ClassVar[str]

    @property
    def wants(self) -> tuple[str, ...]:
        """Names of the senses that it reads."""
        ...

    def numbers(self) -> Any:
        """What may differ between worlds, as inputs of a program that only it reads."""
        ...

    def memory(self) -> Any:
        """What a pattern remembers before its first frame."""
        ...

    def signals(self, numbers: Any, memory: Any, senses: Senses, time: Scalar, dt: Scalar) -> tuple[list[Scalar], Any]:
        """The signals at a time [s], each in [-1, 1], and what it remembers a frame of dt [s] later."""
        ...

    def structure(self) -> tuple[Any, ...]:
        """Plain data: patterns of one structure share a program."""
        ...


@dataclass(frozen=True)
class Bred(ABC):
    """What all patterns that are made of genes have in common.

    Its fields after the shape hold the values of its genes, nested as the kind likes, in the order of the genes. Where
    they are arrays (W,) it stands for W patterns, and its numbers are theirs to the last bit.
    """

    kind: ClassVar[str]
    shape: Shape

    @classmethod
    @abstractmethod
    def genes_of(cls, shape: Shape) -> tuple[Gene, ...]:
        """The genes of patterns of a shape."""

    @classmethod
    @abstractmethod
    def read(cls, shape: Shape, values: Iterator[float]) -> Self:
        """The pattern whose genes' values follow each other."""

    @classmethod
    def of_genes(cls, shape: Shape, values: Sequence[float]) -> Self:
        """The pattern of a shape whose genes have these values, which WorldError is raised for if they do not fit."""
        return cls.read(shape, iter(checked(cls.genes_of(shape), values)))

    @property
    def wants(self) -> tuple[str, ...]:
        """Names of what it feels: nothing, if its kind does not say."""
        return ()

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """What its signals are computed from, each an input of a program."""

    def memory(self) -> Any:
        """What it remembers at the start: nothing, if its kind does not say."""
        return ()

    @abstractmethod
    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Its signals at a time [s], each in [-1, 1], and its memory a frame of dt [s] later."""

    def genes(self) -> tuple[Gene, ...]:
        """The genes that it is made of."""
        return self.genes_of(self.shape)

    def values(self) -> tuple[float, ...]:
        """The values of its genes, in their order."""
        return tuple(leaves([getattr(self, f.name) for f in fields(self) if f.name != "shape"]))

    def structure(self) -> tuple[Any, ...]:
        """Its kind and what its shape compiles in: patterns that share them share a program."""
        shape = self.shape
        return self.kind, shape.actuators, shape.feet, shape.foot_of, shape.size, shape.senses

    def check(self, fits: bool = True) -> None:
        """Raise WorldError if its numbers are not finite, or not as many as its genes; fits: or not so nested."""
        genes, values = self.genes(), self.values()
        if len(genes) != len(values) or not fits:
            raise WorldError(
                f'a pattern "{self.kind}" of {self.shape.actuators} actuators is made of {len(genes)} numbers, nested '
                f"as `of_genes` nests them, not of {len(values)} as these"
            )
        for gene, value in zip(genes, values, strict=True):
            if not np.all(np.isfinite(value)):
                raise WorldError(f'"{gene.name}" of a pattern must be finite, not {value}')


def positive(value: Scalar) -> bool:
    """Whether a number, or every number of an array, is above 0."""
    return bool(np.all(value > 0.0))


def taken(values: Iterator[float], count: int) -> tuple[float, ...]:
    """The next few values, as a tuple."""
    return tuple(islice(values, count))


def limited(signal: Scalar) -> Scalar:
    """A signal held within [-1, 1]."""
    return clamp(signal, -1.0, 1.0)


def started(cycles: Scalar, cosine: Scalar) -> Scalar:
    """A factor that rises smoothly from 0 to 1 over the first half of a rhythm's first cycle.

    cosine: of the phase after so many cycles, which whoever asks has at hand.
    """
    return where(cycles < 0.5, 0.5 - 0.5 * cosine, 1.0)


def within_one(offset: Scalar, amplitudes: Sequence[Scalar]) -> Scalar:
    """The factor that keeps a sum of sinusoids about an offset in [-1, 1]: 1 where it lies there anyway."""
    return 1.0 / maximum(1.0, abs(offset) + total(abs(a) for a in amplitudes))
