"""The numbers of a world by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast


def number_names(tree: Any, name: str = "") -> Iterator[str]:
    """Yield the name of each number of a pytree, in the order of leaves().

    Keys of dictionaries and fields of dataclasses follow a point, indices of lists are in brackets: "touch.friction",
    "push[0]".
    """
    if tree is None:
        return
    if isinstance(tree, Mapping):
        entries = [(f".{key}", value) for key, value in cast("Mapping[str, Any]", tree).items()]
    elif isinstance(tree, Sequence):
        entries = [(f"[{k}]", value) for k, value in enumerate(cast("Sequence[Any]", tree))]
    elif is_dataclass(tree):
        entries = [(f".{f.name}", getattr(tree, f.name)) for f in fields(tree)]
    else:
        yield name
        return
    for key, value in entries:
        yield from number_names(value, (name + key).removeprefix("."))
