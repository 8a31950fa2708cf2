"""Pytrees: nested tuples, lists, dicts and dataclasses of scalars; flattened to lists of leaves, and back."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias, cast

from gambol.lanes.ops import CompositeScalar, Scalar

Terms: TypeAlias = tuple[type[CompositeScalar], tuple[Any, ...]] | None


def leaves(tree: Any) -> list[Scalar]:
    """Return the scalars of a pytree as a flat list, depth first, in the order of its fields.

    tree: a scalar, None (no leaf), or a list, tuple, dict or dataclass of pytrees.
    """
    flat: list[Scalar] = []
    _collect(tree, flat)
    return flat


def _collect(tree: Any, flat: list[Scalar]) -> None:
    children = _children(tree)
    if children is None:
        flat.append(tree)
        return
    for child in children:
        _collect(child, flat)


def _children(tree: Any) -> list[Any] | None:
    """The children of a pytree node, or None for a leaf."""
    if type(tree) is float:  # most are
        return None
    if tree is None:
        return []
    if isinstance(tree, dict):
        return list(cast("dict[str, Any]", tree).values())
    if isinstance(tree, (list, tuple)):
        return list(cast("list[Any]", tree))
    if is_dataclass(tree) and not isinstance(tree, type):
        return [getattr(tree, f.name) for f in fields(tree)]
    return None


def unflatten(tree: Any, flat: Iterator[Scalar]) -> Any:
    """Return a pytree of the structure of tree with the scalars of flat, in order."""
    children = _children(tree)
    if children is None:
        return next(flat)
    if tree is None:
        return None
    parts = [unflatten(child, flat) for child in children]
    if isinstance(tree, dict):
        return dict(zip(cast("dict[str, Any]", tree), parts, strict=True))
    if isinstance(tree, (list, tuple)):
        return _sequence(tree, parts)
    return type(tree)(*parts)


def _sequence(tree: Any, parts: list[Any]) -> Any:
    kind = cast("Any", type(tree))
    return kind(*parts) if hasattr(tree, "_fields") else kind(parts)


def tree_map(function: Callable[[Scalar], Scalar], tree: Any) -> Any:
    """Return the pytree with function(x) in place of every scalar x."""
    return unflatten(tree, iter([function(x) for x in leaves(tree)]))


@dataclass(frozen=True, slots=True)
class Packing:
    """The layout of a pytree as a flat list of plain scalars, with composite scalars taken apart.

    structure: a pytree of the same structure. terms: for each leaf None, or the type and term keys of a composite one.
    """

    structure: Any
    terms: tuple[Terms, ...]

    @staticmethod
    def of(tree: Any) -> "Packing":
        """Return the layout of exactly this pytree."""
        terms = [(type(x), tuple(x.terms())) if isinstance(x, CompositeScalar) else None for x in leaves(tree)]
        return Packing(tree_map(lambda _: 0.0, tree), tuple(terms))

    @property
    def size(self) -> int:
        """The length of the flat list."""
        return sum(len(terms[1]) if terms else 1 for terms in self.terms)

    def merged(self, other: "Packing") -> "Packing":
        """Return this layout with the terms of another layout of the same structure added."""
        return Packing(self.structure, tuple(map(_merged, self.terms, other.terms)))

    def flatten(self, tree: Any) -> list[Scalar]:
        """Return the scalars of a pytree as a flat list in this layout; terms that it lacks are 0."""
        packed: list[Scalar] = []
        for x, terms in zip(leaves(tree), self.terms, strict=True):
            if terms is None:
                packed.append(x)
            else:
                present = x.terms() if isinstance(x, CompositeScalar) else {(): x}
                packed += [present.get(key, 0.0) for key in terms[1]]
        return packed

    def unflatten(self, flat: Iterable[Scalar]) -> Any:
        """Return the pytree of a flat list of scalars in this layout."""
        stream = iter(flat)
        tree_leaves = [
            next(stream) if terms is None else terms[0].of_terms({key: next(stream) for key in terms[1]})
            for terms in self.terms
        ]
        return unflatten(self.structure, iter(tree_leaves))


def _merged(a: Terms, b: Terms) -> Terms:
    if a is None or b is None:
        return a or b
    return a[0], tuple(dict.fromkeys((*a[1], *b[1])))
