"""Comparison of figures: whether they have one topology, and which of their parameters differ."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.parameters.named import parameters, picked


def topology(figure: Figure) -> dict[str, Any]:
    """Return all of a figure but its parameters, as plain data by name: equal for figures that one program can hold."""
    return structure_of(figure, parameters(figure))


def structure_of(figure: Figure, varying: Collection[str]) -> dict[str, Any]:
    """Return all of a figure but the parameters of the given names, as plain data by name."""
    names = set(varying)
    bare = picked(figure, lambda name, value: None if name in names else value)
    structure: dict[str, Any] = {"links": tuple(link.name for link in bare.links)}
    for link in bare.links:
        structure[f'the parent of "{link.name}"'] = (
            figure.links[link.parent_index - 1].name if link.parent_index else None
        )
        structure[f'the kind of joint of "{link.name}"'] = link.joint.kind
        structure[f'the kinds of parts of "{link.name}"'] = tuple(part.shape.kind for part in link.parts)
        structure[f'the joint of "{link.name}"'] = link.joint
        structure[f'the mass of "{link.name}"'] = link.mass_properties
        structure |= {f'part {k} of "{link.name}"': part for k, part in enumerate(link.parts)}
    return structure | {name: getattr(figure, name) for name in ("prescribed", "constraints", "apart", "paired")}


def check_same_topology(figures: Sequence[Figure]) -> None:
    """Raise FigureError, naming what differs, unless all figures are of one topology."""
    if not figures:
        raise FigureError("there are no figures to compare; give one or more")
    first = topology(figures[0])
    for number, figure in enumerate(figures[1:], start=1):
        if differs := difference(first, topology(figure)):
            raise FigureError(
                f'figure {number} ("{figure.name}") is of another topology than the first ("{figures[0].name}"): '
                f"{differs}; figures of one program differ in numbers only"
            )


def difference(first: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return the first entry in which two mappings of plain data differ, in words; empty where they are equal."""
    for name in dict.fromkeys((*first, *other)):
        if first.get(name) != other.get(name):
            return f"{name}: {other.get(name)}, not {first.get(name)}"
    return ""


def varying(figures: Sequence[Figure]) -> tuple[str, ...]:
    """Return the names of parameters in which figures of one topology differ.

    Raises FigureError, as check_same_topology() does, for figures of several topologies.
    """
    check_same_topology(figures)
    first, *others = [parameters(figure) for figure in figures]
    return tuple(name for name, value in first.items() if any(other[name] != value for other in others))
