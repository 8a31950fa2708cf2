"""Patterns: families of signals, one for each actuator, by name of their kind."""

from gambol.control.patterns.pattern import NO_FOOT, Bred, Pattern, Shape
from gambol.control.patterns.spectral import Spectral, Wave
from gambol.errors import WorldError, did_you_mean

PATTERNS: dict[str, type[Bred]] = {of.kind: of for of in (Spectral,)}
"""The kinds of patterns that are made of genes."""


def pattern_kind(name: str) -> type[Bred]:
    """The kind of pattern of a name; raises WorldError that tells the nearest one if there is none."""
    if name not in PATTERNS:
        raise WorldError(f'there is no pattern "{name}"; {did_you_mean(name, PATTERNS)}')
    return PATTERNS[name]


__all__ = ["NO_FOOT", "PATTERNS", "Bred", "Pattern", "Shape", "Spectral", "Wave", "pattern_kind"]
