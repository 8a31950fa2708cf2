"""Colours of creatures: which parts get which, and that they change nothing else."""

import pytest

from gambol.creatures.colors import colored
from gambol.creatures.table import CREATURES
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere

RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def figure() -> Figure:
    ball = Part(Sphere(0.1), density=1000.0)
    thigh = (ball, Part(Box((0.1, 0.1, 0.1))), Part(Sphere(0.2), color=GREEN), ball)
    links = (Link("trunk", None, Joint("free"), (ball,)), Link("left thigh", "trunk", Joint("revolute"), thigh))
    return Figure("creature", links)


def test_the_last_fitting_words_give_the_colours_of_parts_in_order():
    shown = colored(figure(), {"thigh": [BLUE], "left": [RED, BLUE], "foot": [GREEN]})
    assert [part.color for part in shown.link("left thigh").parts] == [RED, BLUE, GREEN, BLUE]
    assert [part.color for part in shown.link("trunk").parts] == [None]


def test_colours_change_nothing_else():
    assert colored(figure(), {"": [RED]}) == figure()


@pytest.mark.parametrize("name", sorted(CREATURES))
def test_every_creature_by_name_is_coloured(name: str):
    links = [link for link in CREATURES[name].world().figure.links if link.parts]
    assert all(any(part.color is not None for part in link.parts) for link in links)
