"""Pytrees: nested tuples, lists, dicts and dataclasses of scalars; flattened to lists of leaves, and back."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias, cast

from gambol.lanes.arrays import Array, TracedArray
from gambol.lanes.ops import CompositeScalar, Scalar

Terms: TypeAlias = tuple[type[CompositeScalar], tuple[Any, ...]] | int | None
"""The layout of a leaf: the type and term keys of a composite scalar, the length of a TracedArray or of an empty Array,
or None for a plain scalar."""


def leaves(tree: Any) -> list[Scalar]:
    """Return the scalars of a pytree as a flat list, depth first, in the order of items or fields.

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
    """Return the children of a pytree node, or None for a leaf."""
    if type(tree) is float:  # the most frequent case
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
    """Return a pytree with the structure of `tree` and the scalars of `flat`, in order."""
    children = _children(tree)
    if children is None:
        return next(flat)
    if tree is None:
        return None
    new_children = [unflatten(child, flat) for child in children]
    if isinstance(tree, dict):
        return dict(zip(cast("dict[str, Any]", tree), new_children, strict=True))
    if isinstance(tree, (list, tuple)):
        return _sequence_like(tree, new_children)
    return type(tree)(*new_children)


def leaves_like(template: Any, tree: Any) -> list[Scalar] | None:
    """Return the leaves of a pytree in the order of those of a template, or None if their structures differ.

    Dicts may have their items in another order than those of the template.
    """
    flat: list[Scalar] = []
    return flat if _collect_like(template, tree, flat) else None


def _collect_like(template: Any, tree: Any, flat: list[Scalar]) -> bool:
    """Collect the leaves of a pytree; return True if it has the structure of a template."""
    if isinstance(template, dict) and isinstance(tree, dict):
        ordered, items = cast("dict[str, Any]", template), cast("dict[str, Any]", tree)
        return ordered.keys() == items.keys() and all(
            _collect_like(child, items[key], flat) for key, child in ordered.items()
        )
    expected, children = _children(template), _children(tree)
    if expected is None or children is None:
        flat.append(tree)
        return expected is None and children is None
    return len(expected) == len(children) and all(
        _collect_like(like, child, flat) for like, child in zip(expected, children, strict=True)
    )


def leaf_indices(tree: Any) -> Any:
    """Return the pytree with each leaf replaced by its index, an int."""
    return unflatten(tree, iter(range(len(leaves(tree)))))


def _sequence_like(tree: Any, items: list[Any]) -> Any:
    """Return the items as a sequence of the type of tree: a list, a tuple or a named tuple."""
    kind = cast("Any", type(tree))
    return kind(*items) if hasattr(tree, "_fields") else kind(items)


def tree_map(function: Callable[[Scalar], Scalar], tree: Any) -> Any:
    """Return the pytree with every scalar x replaced by function(x)."""
    return unflatten(tree, iter([function(x) for x in leaves(tree)]))


@dataclass(frozen=True, slots=True)
class Packing:
    """The layout of a pytree as a flat list of plain scalars: composite scalars as their terms, arrays as their
    numbers.

    structure: a pytree of the same structure. terms: the Terms of each leaf.
    """

    structure: Any
    terms: tuple[Terms, ...]

    @staticmethod
    def of(tree: Any) -> "Packing":
        """Return the layout of a pytree."""
        return Packing(tree_map(lambda _: 0.0, tree), tuple(map(_terms, leaves(tree))))

    @property
    def size(self) -> int:
        """The length of the flat list."""
        return sum(terms if isinstance(terms, int) else len(terms[1]) if terms else 1 for terms in self.terms)

    def merged(self, other: "Packing") -> "Packing":
        """Return the layout with the terms of this layout and of another layout of the same structure."""
        return Packing(self.structure, tuple(map(_merged, self.terms, other.terms)))

    def flatten(self, tree: Any) -> list[Scalar]:
        """Return the scalars of a pytree as a flat list in this layout; missing terms are 0."""
        packed: list[Scalar] = []
        for x, terms in zip(leaves(tree), self.terms, strict=True):
            if terms is None:
                packed.append(x)
            elif isinstance(terms, int):
                packed += x.flat if terms else []
            else:
                present = x.terms() if isinstance(x, CompositeScalar) else {(): x}
                packed += [present.get(key, 0.0) for key in terms[1]]
        return packed

    def unflatten(self, flat: Iterable[Scalar]) -> Any:
        """Return the pytree from a flat list of scalars in this layout."""
        stream = iter(flat)
        return unflatten(self.structure, iter([_leaf(terms, stream) for terms in self.terms]))


def _terms(x: Scalar) -> Terms:
    """Return the terms of a leaf."""
    if isinstance(x, TracedArray) or (isinstance(x, Array) and not len(x)):
        return len(x)
    return (type(x), tuple(x.terms())) if isinstance(x, CompositeScalar) else None


def _leaf(terms: Terms, stream: Iterator[Scalar]) -> Scalar:
    """Return the next leaf of a flat list."""
    if terms is None:
        return next(stream)
    if isinstance(terms, int):
        return TracedArray.of_flat([next(stream) for _ in range(terms)]) if terms else Array(())
    return terms[0].of_terms({key: next(stream) for key in terms[1]})


def _merged(a: Terms, b: Terms) -> Terms:
    if a is None or b is None or isinstance(a, int) or isinstance(b, int):
        return a or b
    return a[0], tuple(dict.fromkeys((*a[1], *b[1])))
