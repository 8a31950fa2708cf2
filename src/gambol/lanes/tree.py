"""Nests of scalars as flat lists of leaves, and back: tuples, lists, dicts and dataclasses of numbers."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias, cast

from gambol.lanes.ops import Lifted, Scalar

Terms: TypeAlias = tuple[type[Lifted], tuple[Any, ...]] | None


def leaves(tree: Any) -> list[Scalar]:
    """The scalars of a nest, depth first, in the order of its fields.

    tree: a scalar, None (no leaf), or a list, tuple, dict or dataclass of nests. Returns a flat list.
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
    """The parts of a nest, or None for a leaf."""
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


def rebuilt(tree: Any, flat: Iterator[Scalar]) -> Any:
    """A nest of the same form as tree whose scalars are taken from flat, in order."""
    children = _children(tree)
    if children is None:
        return next(flat)
    if tree is None:
        return None
    made = [rebuilt(child, flat) for child in children]
    if isinstance(tree, dict):
        return dict(zip(cast("dict[str, Any]", tree), made, strict=True))
    if isinstance(tree, (list, tuple)):
        return _sequence(tree, made)
    return type(tree)(*made)


def _sequence(tree: Any, made: list[Any]) -> Any:
    kind = cast("Any", type(tree))
    return kind(*made) if hasattr(tree, "_fields") else kind(made)


def mapped(function: Callable[[Scalar], Scalar], tree: Any) -> Any:
    """The nest whose every scalar x has become function(x)."""
    return rebuilt(tree, iter([function(x) for x in leaves(tree)]))


@dataclass(frozen=True, slots=True)
class Packing:
    """How a nest lies in a flat list of scalars none of which is lifted.

    form: a nest of that form. terms: for each leaf None, or what a lifted one is made of.
    """

    form: Any
    terms: tuple[Terms, ...]

    @staticmethod
    def of(nest: Any) -> "Packing":
        """The packing that holds a nest and no more."""
        terms = [(type(x), tuple(x.terms())) if isinstance(x, Lifted) else None for x in leaves(nest)]
        return Packing(mapped(lambda _: 0.0, nest), tuple(terms))

    @property
    def size(self) -> int:
        """How many scalars there are in the flat list."""
        return sum(len(terms[1]) if terms else 1 for terms in self.terms)

    def joined(self, other: "Packing") -> "Packing":
        """This packing with room for what the leaves of another one of the same form are made of."""
        return Packing(self.form, tuple(map(_joined, self.terms, other.terms)))

    def flat(self, nest: Any) -> list[Scalar]:
        """The scalars of a nest in their order here: 0 for terms that it has not."""
        packed: list[Scalar] = []
        for x, terms in zip(leaves(nest), self.terms, strict=True):
            if terms is None:
                packed.append(x)
            else:
                there = x.terms() if isinstance(x, Lifted) else {(): x}
                packed += [there.get(key, 0.0) for key in terms[1]]
        return packed

    def nest(self, flat: Iterable[Scalar]) -> Any:
        """The nest of given scalars."""
        stream = iter(flat)
        made = [
            next(stream) if terms is None else terms[0].of_terms({key: next(stream) for key in terms[1]})
            for terms in self.terms
        ]
        return rebuilt(self.form, iter(made))


def _joined(a: Terms, b: Terms) -> Terms:
    if a is None or b is None:
        return a or b
    return a[0], tuple(dict.fromkeys((*a[1], *b[1])))
