"""Colours of creatures, for display: a person's skin and clothes, coats, metal."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gambol.figure import Figure, Link

SKIN, SHIRT, TROUSERS, SHOES = "#d8a581", "#4f7d9d", "#454b5a", "#2a2a2e"
NEAR_TROUSERS = "#565d70"

PERSON: Mapping[str, Sequence[str]] = {
    "pelvis": [TROUSERS],
    "trunk": [SHIRT, SKIN, SHIRT],
    "head": [SKIN],
    "thigh": [TROUSERS],
    "shank": [TROUSERS],
    "right thigh": [NEAR_TROUSERS],  # lighter, so that the legs can be told apart
    "right shank": [NEAR_TROUSERS],
    "foot": [SHOES],
    "upper arm": [SHIRT],
    "forearm": [SKIN],
}
"""A person in clothes; the trunk has the neck as its second part."""

ONE_TRUNK_PERSON: Mapping[str, Sequence[str]] = PERSON | {"trunk": [SHIRT, SKIN, SKIN, TROUSERS, SHIRT, SKIN]}
"""A person whose trunk, neck and head are one link: see planar_person()."""

MUSCLED_PERSON: Mapping[str, Sequence[str]] = {
    "trunk": [TROUSERS, SHIRT, SKIN, SKIN, SKIN, TROUSERS, SHIRT, SKIN, *[SHIRT, SHIRT, SKIN, SKIN] * 2],
    "thigh": [SKIN],
    "shank": [SKIN],
    "foot": [SHOES],
}
"""A person whose trunk, head and arms are one link, and whose muscles can be seen on bare legs: see walker_figure()."""

MACHINE: Mapping[str, Sequence[str]] = {
    "body": ["#5d6b7a", "#c8763a", "#39424d"],
    "hip": ["#c8763a", "#39424d"],
    "foot": ["#26282c", "#b9c0c8"],
}
"""A machine of painted metal, with bright rods and black feet."""

WALKING_TOY: Mapping[str, Sequence[str]] = {
    "hip": ["#8b949e", "#c8763a"],
    "left": ["#5b8db8"],
    "right": ["#c8763a"],
    "shank": ["#8b949e", "#8b949e", "#26282c"],
}
"""A machine of two legs in different colours."""

DOG: Mapping[str, Sequence[str]] = {
    "": ["#b9854f"],
    "trunk": ["#b9854f", "#b9854f", "#b9854f", "#d9b98c"],
    "head": ["#b9854f", "#8a5a33", "#1d1a18", "#6e4526"],
    "tail tip": ["#f0e2c8"],
    "metatarsus": ["#b9854f", "#f0e2c8"],
    "forearm": ["#b9854f", "#f0e2c8"],
}
"""A brown dog with a light chest, light paws, dark ears and a black nose."""

INSECT: Mapping[str, Sequence[str]] = {
    "": ["#7a5a2a"],
    "trunk": ["#5f7a35", "#46602a", "#7f9a45", "#1d1a18", "#1d1a18", "#7a5a2a"],
}
"""A green insect with brown legs and black eyes."""

SNAKE_COLORS = ("#5d8a3f", "#5d8a3f", "#3c5a2a")
WORM_COLORS = ("#c98a86", "#b87672")
INCHWORM_COLORS = ("#8fbf4f", "#7aab3d")


def colored(figure: Figure, colors: Mapping[str, Sequence[str]]) -> Figure:
    """Return a figure with colours of its parts.

    colors: colours of the parts of a link, by words of its name, of which the last that fits counts; further parts have
    the last colour. Links without a fitting word, and parts with a colour, do not change.
    """
    return replace(figure, given_links=tuple(_colored(link, colors) for link in figure.given_links))


def _colored(link: Link, colors: Mapping[str, Sequence[str]]) -> Link:
    row = next((colors[words] for words in reversed(tuple(colors)) if words in link.name), None)
    if row is None:
        return link
    parts = (replace(part, color=part.color or row[min(k, len(row) - 1)]) for k, part in enumerate(link.parts))
    return replace(link, parts=tuple(parts))
