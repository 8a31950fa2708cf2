"""Errors are complete and concise, for any names and numbers in a file."""

import time

import pytest

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Joint, Link, MassProperties
from gambol.figure.figure import Figure

BODY = MassProperties(1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def test_the_middle_of_a_long_message_is_left_out():
    message = str(GambolError(f"one.toml: {'x' * 1_000_000} is no name; give another"))
    assert message.startswith("one.toml: xxx")
    assert message.endswith("xxx is no name; give another")
    assert len(message) < 2100


def test_names_are_compared_in_a_time_that_does_not_grow_with_them():
    began = time.monotonic()
    did_you_mean("a" * 1_000_000, ["ab" * 500_000] * 100)
    assert "and 99970 more" in did_you_mean("zzz", [f"l{k}" for k in range(100_000)])
    assert time.monotonic() - began < 5.0
    assert did_you_mean("femur_l", ["tibia_left", "femur_left"]) == 'did you mean "femur_left"?'


def chained(parents: dict[str, str | None]) -> Figure:
    links = [
        Link(name, parent, Joint("revolute" if parent else "free"), given_mass=BODY) for name, parent in parents.items()
    ]
    return Figure("chain", tuple(links))


def test_links_have_their_order_where_parents_allow_it():
    figure = chained({"d": "c", "b": "a", "a": None, "c": "a", "e": "a", "f": "d"})
    assert [link.name for link in figure.links] == ["a", "b", "c", "d", "e", "f"]


@pytest.mark.parametrize("count", [2, 3, 5000])
def test_loops_are_spelled_out(count: int):
    parents: dict[str, str | None] = {"tail": "l0", **{f"l{k}": f"l{(k + 1) % count}" for k in range(count)}}
    with pytest.raises(GambolError, match=r'no root.*form a loop of parents \("l0", "l1"'):
        chained(parents)
    with pytest.raises(GambolError, match=r'is not connected: its links form a loop of parents \("l0", "l1"'):
        chained({"root": None, **parents})
