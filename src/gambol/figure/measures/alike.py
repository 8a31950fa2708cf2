"""Figures of one topology: which of their measures differ, and what tells figures apart that are not of one."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.measures.named import measures, picked


def topology(figure: Figure) -> dict[str, Any]:
    """All of a figure that is no measure, as plain data by name: equal for figures that one program can hold."""
    return structure_of(figure, measures(figure))


def structure_of(figure: Figure, varied: Collection[str]) -> dict[str, Any]:
    """All of a figure but its measures of some names, as plain data by name."""
    there = set(varied)
    bare = picked(figure, lambda name, value: None if name in there else value)
    found: dict[str, Any] = {"links": tuple(link.name for link in bare.links)}
    for link in bare.links:
        found[f'what carries "{link.name}"'] = figure.links[link.parent_index - 1].name if link.parent_index else None
        found[f'the kind of joint of "{link.name}"'] = link.joint.kind
        found[f'the kinds of parts of "{link.name}"'] = tuple(part.shape.kind for part in link.parts)
        found[f'the joint of "{link.name}"'] = link.joint
        found[f'the mass of "{link.name}"'] = link.mass_properties
        found |= {f'part {k} of "{link.name}"': part for k, part in enumerate(link.parts)}
    return found | {name: getattr(figure, name) for name in ("prescribed", "constraints", "apart", "paired")}


def check_alike(figures: Sequence[Figure]) -> None:
    """Raise FigureError, naming what differs, unless all figures are of one topology."""
    if not figures:
        raise FigureError("there are no figures to compare; give one or more")
    first = topology(figures[0])
    for number, figure in enumerate(figures[1:], start=1):
        if differs := differing(first, topology(figure)):
            raise FigureError(
                f'figure {number} ("{figure.name}") is of another topology than the first ("{figures[0].name}"): '
                f"{differs}; figures of one program differ in numbers only"
            )


def differing(first: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The first entry in which two mappings of plain data differ, in words; empty where they are equal."""
    for name in dict.fromkeys((*first, *other)):
        if first.get(name) != other.get(name):
            return f"{name}: {other.get(name)}, not {first.get(name)}"
    return ""


def varying(figures: Sequence[Figure]) -> tuple[str, ...]:
    """The names of the measures in which some figures of one topology differ; FigureError: see check_alike()."""
    check_alike(figures)
    first, *others = [measures(figure) for figure in figures]
    return tuple(name for name, value in first.items() if any(other[name] != value for other in others))
