"""Nests of scalars as flat lists of leaves, and back: tuples, lists, dicts and dataclasses of numbers."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, cast

from gambol.lanes.ops import Scalar


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
