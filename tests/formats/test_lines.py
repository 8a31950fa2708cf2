"""Lines of keys: every key that tomllib reads is found, on its line."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from gambol.formats.lines import key_lines

TEXT = '''# a comment with = and [brackets]
name = "a # \\" [b]"  # and a comment

at = [1, 2,
  3, [4,   # four
  5], {x = 1, y.z = [
  6]}]
"odd key".'and.more' = 2020-01-01 10:00:00
text = """
one = 1
""\\""""
raw = \'\'\'
[not.a.table]\'\'\'
[leg]
mass = -1e3
[leg.foot]
[[links]]
name = 'x\\'
[links.joint]
kind = "free"
[[links]]
[[links.parts]]
size = 1
[[links.parts]]
size = 2
[links.joint]
kind = "fixed"
'''
LINES = key_lines(TEXT)


def paths(value: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Return every path in the result of tomllib for a text."""
    entries = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    for key, inner in entries:
        yield ".".join((*path, str(key)))
        yield from paths(inner, (*path, str(key)))


def test_every_key_has_a_line():
    assert set(LINES) == set(paths(tomllib.loads(TEXT)))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("name", 2),
        ("at", 4),
        ("at.2", 4),
        ("at.3", 5),
        ("at.4.1", 5),
        ("at.4.2", 6),
        ("at.5.x", 6),
        ("at.5.y.z", 6),
        ("at.5.y.z.1", 7),
        ("odd key.and.more", 8),
        ("text", 9),
        ("raw", 12),
        ("leg.mass", 15),
        ("leg.foot", 16),
        ("links", 17),
        ("links.1.joint", 19),
        ("links.1.joint.kind", 20),
        ("links.2", 21),
        ("links.2.parts.2", 24),
        ("links.2.parts.1.size", 23),
        ("links.2.parts.2.size", 25),
        ("links.2.joint.kind", 27),
    ],
)
def test_keys_stand_where_they_are_written(path: str, line: int):
    assert LINES[path] == line


def test_the_line_of_each_key_is_found():
    lines = TEXT.split("\n")
    assert all(path.rpartition(".")[2] in lines[line - 1] for path, line in LINES.items() if path[-1].isalpha())


@pytest.mark.parametrize("text", ["", "\n", "# nothing", "a = 1", "a=1\r\nb=2\r\n", "[a]", "[[a]]", "a = []", "a = {}"])
def test_short_texts_are_walked_to_their_end(text: str):
    assert set(key_lines(text)) == set(paths(tomllib.loads(text)))
