"""Damage to the text of a document: the same seed does the same."""

import re

import numpy as np

Random = np.random.Generator

VALUES = (
    "nan", "inf", "-inf", "1e308", "1e-308", "1e999", "-1", "0", "0 0 0", "1", "2.5", "1 2 3", "1 2", "", "x", "true",
    "auto", "1" + "0" * 400, "0x10", "world", "base", "l1", "b1", "j1", "free", "ball", "slide", "fixed", "planar",
    "floating", "revolute", "mesh", "no.stl", "../../etc/passwd", "é", "-0.0", "1000000", "99999999999",
)  # fmt: skip
NUMBERS = (
    "0",
    "-1",
    "1",
    "0.5",
    "1e308",
    "-1e200",
    "1e-308",
    "1e-20",
    "1e20",
    "100000",
    "3.14159",
    "-0.0",
    "2",
    "1e-9",
)
SIGNS = (
    "<",
    ">",
    "/>",
    "</",
    '"',
    "&",
    "&amp;",
    "<!--",
    "-->",
    "<!DOCTYPE a>",
    "<?",
    "]]>",
    "\x00",
    "\n",
    "<body>",
    "",
)
"""What XML is made of, and what does not belong into it."""


def damaged(seeds: tuple[str, ...], seed: int) -> str:
    """One of some documents with one to three places cut, doubled, moved or overwritten."""
    random = np.random.default_rng(seed)
    text = seeds[random.integers(len(seeds))]
    for _ in range(random.integers(1, 4)):
        text = MUTATIONS[random.integers(len(MUTATIONS))](text, random)
    return text


def _cut(text: str, random: Random) -> str:
    a = int(random.integers(len(text) + 1))
    return text[:a] + text[a + int(random.integers(200)) :]


def _doubled(text: str, random: Random) -> str:
    """One element more than there was, with the same names."""
    found = list(re.finditer(r"<[^<>]*/>", text))
    if not found:
        return text
    element = found[random.integers(len(found))]
    return text[: element.end()] + element[0] + text[element.end() :]


def _swapped(text: str, random: Random) -> str:
    """Two elements without content in each other's place."""
    found = list(re.finditer(r"<[^<>]*/>", text))
    if len(found) < 2:
        return text
    a, b = sorted(random.choice(len(found), size=2, replace=False))
    one, two = found[a], found[b]
    return text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]


def _odd_value(text: str, random: Random) -> str:
    return _replaced(r'(?<==")[^"]*(?=")', text, VALUES, random)


def _odd_number(text: str, random: Random) -> str:
    return _replaced(r"-?\b\d[\d.e+-]*\b", text, NUMBERS, random)


def _odd_sign(text: str, random: Random) -> str:
    return _replaced(r'[<>/"= ]', text, SIGNS, random)


def _odd_name(text: str, random: Random) -> str:
    """A tag or an attribute under the name of another."""
    words = re.findall(r"[a-z]{3,}", text)
    return _replaced(r"(?<=[< ])[a-z_]+(?=[ =>])", text, tuple(words), random)


def _bytes(text: str, random: Random) -> str:
    letters = list(text)
    for _ in range(random.integers(1, 6)):
        letters[random.integers(len(letters))] = chr(random.integers(1, 256))
    return "".join(letters)


def _replaced(pattern: str, text: str, by: tuple[str, ...], random: Random) -> str:
    found = list(re.finditer(pattern, text))
    if not found or not by:
        return text
    word = found[random.integers(len(found))]
    return text[: word.start()] + by[random.integers(len(by))] + text[word.end() :]


MUTATIONS = (_cut, _bytes, _odd_sign, _odd_name, _doubled, _swapped, *(_odd_value,) * 3, *(_odd_number,) * 9)
