"""The numbers of a world by name, and the sliders that change some of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast

from gambol.world import World

SLIDERS = (("gravity", "gravity", "m/s2", 2.0), ("friction", "touch.friction", "", 2.0))
"""Label, name and unit of numbers with a slider, and the upper end in multiples of the first value; the lower is 0."""


def number_names(tree: Any, name: str = "") -> Iterator[str]:
    """Yield the name of each number of a pytree, in the order of leaves().

    Entries of dictionaries and fields of dataclasses follow a point, places in lists are in brackets: "touch.friction",
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


def sliders(world: World, values: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return the sliders of a world's page. values: of its numbers, by name."""
    return [
        {"label": label, "name": name, "unit": unit, "low": 0.0, "high": factor * values[name], "value": values[name]}
        for label, name, unit, factor in SLIDERS
        if values.get(name, 0.0) > 0.0 and (name == "gravity" or world.has_ground)
    ]
