"""Patterns of random genes, random senses for them, and programs that run them."""

from typing import Any

import numpy as np

from gambol.control.controller import Senses
from gambol.control.patterns import GeneticPattern, PatternShape, pattern_kind
from gambol.lanes import Program, ProgramSpec, leaves

SHAPE = PatternShape(actuators=3, feet=2, foot_of=(0, 1, -1), senses=("angles", "speeds", "contacts", "up", "height"))
DT = 1.0 / 120.0


def random_pattern(kind: str, seed: int, shape: PatternShape = SHAPE) -> GeneticPattern:
    """Return a pattern whose genes lie anywhere within their bounds."""
    rng = np.random.default_rng(seed)
    genes = pattern_kind(kind).genes_of(shape)
    return pattern_kind(kind).of_genes(shape, [float(rng.uniform(g.lower, g.upper)) for g in genes])


def random_senses(rng: np.random.Generator, time: Any, shape: PatternShape = SHAPE, size: float = 1.0) -> Senses:
    """Return random readings of all senses, floats or rows of them as the time is."""
    like = np.shape(time)

    def row(count: int) -> list[Any]:
        return [x if like else float(x) for x in size * rng.normal(size=(count, *like))]

    touches = [np.abs(np.round(x)) % 2.0 for x in row(shape.feet)]
    loads = [abs(x) for x in row(shape.feet)]
    return Senses(time, row(shape.actuators), row(shape.actuators), touches, loads, row(3), row(3), row(1)[0])


def program_of(
    pattern: GeneticPattern, shape: PatternShape = SHAPE, precision: str = "float64", lanes: int | None = None
):
    """A program that takes numbers, memory, senses, and time and dt, and gives signals and memory."""
    example = random_senses(np.random.default_rng(0), 0.0, shape)

    def frame(numbers: Any, memory: Any, senses: Senses, now: list[Any]) -> tuple[Any, Any]:
        return pattern.signals(numbers, memory, senses, now[0], now[1])

    return Program(
        ProgramSpec("pattern", frame, (pattern.numbers(), pattern.memory(), example, [0.0, 0.0])), precision, lanes
    )


def rows(trees: list[Any], dtype: Any = float) -> np.ndarray:
    """Return trees of floats as an array of (rows, worlds)."""
    return np.array([leaves(tree) for tree in trees], dtype).T.reshape(-1, len(trees))
