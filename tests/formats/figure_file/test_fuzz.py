"""Damaged figure files: each is read, or refused by a GambolError; nothing else may come of it."""

import re
import warnings

import numpy as np
import pytest
from specimens import HOPPER, TOY, random_specimen

from gambol.errors import GambolError
from gambol.formats import Specimen
from gambol.formats.figure_file import figure_text, parse_figure

SEEDS = (HOPPER, TOY, figure_text(random_specimen(4)), figure_text(random_specimen(11)))
VALUES = (
    "nan", "-inf", "1e308", "1e-308", "1e200", "-1", "0", "0.0", "1", "2.5", "true", '""', '"x"', "[]", "{}", "[[]]",
    "1" + "0" * 400, "1e999", "2020-01-01", "0x10", "1_0", '"gambol figure 1"', '"distance"', '"free"', '"fixed"',
    '"link0"', '"link1"', '"mass"', "[1, 2, 3]", "[0, 0, 0]", '"\\u0000"', '"rotary"', '"planar"', '"spherical"',
)  # fmt: skip
SIGNS = ("\x00", "\u2028", "[links]", "[[links]]", "[start.q]", "=", "\n", "]", "}", '"', "'''", "#", "\\", "a.b.c", "")


def damaged(seed: int) -> str:
    """A figure file with one to three places cut, doubled, moved or overwritten; the same seed gives the same one."""
    random = np.random.default_rng(seed)
    text = SEEDS[random.integers(len(SEEDS))]
    for _ in range(random.integers(1, 4)):
        text = MUTATIONS[random.integers(len(MUTATIONS))](text, random)
    return text


def _cut(text: str, random: np.random.Generator) -> str:
    a, b = sorted(random.integers(len(text) + 1, size=2))
    return text[:a] + text[min(b, a + random.integers(200)) :]


def _doubled(text: str, random: np.random.Generator) -> str:
    lines = text.split("\n")
    a = random.integers(len(lines))
    b = a + random.integers(1, 12)
    return "\n".join(lines[:b] + lines[a:b] + lines[b:])


def _swapped(text: str, random: np.random.Generator) -> str:
    lines = text.split("\n")
    a, b = random.integers(len(lines), size=2)
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


def _odd_value(text: str, random: np.random.Generator) -> str:
    """What stands behind one key is another value."""
    return _replaced(r"(?<= = )(.+)$", text, VALUES, random)


def _odd_entry(text: str, random: np.random.Generator) -> str:
    """One number, name or truth of the text is another value."""
    return _replaced(r"-?\b\d[\w.+-]*|\"[^\"\n]*\"|\btrue\b", text, VALUES, random)


def _odd_sign(text: str, random: np.random.Generator) -> str:
    return _replaced(r"[=,\[\]{}\n]", text, SIGNS, random)


def _replaced(pattern: str, text: str, by: tuple[str, ...], random: np.random.Generator) -> str:
    """One match of a pattern replaced by one of several texts."""
    found = list(re.finditer(pattern, text, re.MULTILINE))
    if not found:
        return text
    word = found[random.integers(len(found))]
    return text[: word.start()] + by[random.integers(len(by))] + text[word.end() :]


def _bytes(text: str, random: np.random.Generator) -> str:
    letters = list(text)
    for _ in range(random.integers(1, 6)):
        letters[random.integers(len(letters))] = chr(random.integers(1, 256))
    return "".join(letters)


MUTATIONS = (_cut, _doubled, _swapped, _bytes, _odd_sign, *(_odd_value,) * 3, *(_odd_entry,) * 6)


def outcome(seed: int) -> str:
    """What came of a damaged file; whatever is read must be a whole figure, which can be written and read again."""
    try:
        specimen = parse_figure(damaged(seed), "damaged.toml")
    except GambolError as error:
        return "refused" if str(error).startswith("damaged.toml") else f"seed {seed} names no file: {error}"
    assert isinstance(specimen, Specimen)
    assert parse_figure(figure_text(specimen), "again.toml") == specimen, f"seed {seed}"
    return "read"


def test_damaged_files_are_read_or_refused():
    assert {outcome(seed) for seed in range(300)} == {"read", "refused"}


@pytest.mark.slow
def test_thousands_of_damaged_files_are_read_or_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert {outcome(seed) for seed in range(1000, 9000)} == {"read", "refused"}
