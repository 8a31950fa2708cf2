"""Comparison of figures: tests for equal topology, and the parameters that differ."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.parameters.named import map_parameters, parameters


def topology(figure: Figure) -> dict[str, Any]:
    """Return all data of a figure except its parameters, by name; equal for figures that can share a program."""
    return structure_of(figure, parameters(figure))


def structure_of(figure: Figure, varying: Collection[str]) -> dict[str, Any]:
    """Return all data of a figure by name, except the parameters with the names `varying`.

    Kinds come before the joints and parts that contain them, so that difference() names a kind that differs.
    """
    names = set(varying)
    without_values = map_parameters(figure, lambda name, value: None if name in names else value)
    structure: dict[str, Any] = {"links": tuple(link.name for link in without_values.links)}
    for link in without_values.links:
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
    """Raise FigureError that names the first difference unless all figures have the same topology."""
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
    """Return a description of the first difference of two mappings of plain data; empty if they are equal.

    first, other: values by the names of their entries.
    """
    for name in dict.fromkeys((*first, *other)):
        if first.get(name) != other.get(name):
            return f"{name}: {other.get(name)}, not {first.get(name)}"
    return ""


def varying(figures: Sequence[Figure]) -> tuple[str, ...]:
    """Return the names of the parameters that differ between figures of the same topology.

    Raises FigureError, as check_same_topology() does, for figures of different topologies.
    """
    check_same_topology(figures)
    first, *others = [parameters(figure) for figure in figures]
    return tuple(name for name, value in first.items() if any(other[name] != value for other in others))
