"""Damage to documents: to bytes, numbers, words, elements and lines; reproducible from the random generator."""

import re
from collections.abc import Callable
from random import Random

NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "0.5",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e200",
    "1e-308",
    "1e-320",
    "1e-20",
    "1e20",
    "1e999",
    "100000",
    "2147483648",
    "-2147483649",
    "9223372036854775808",
    "18446744073709551616",
    "-0.0",
    "0x10",
    "1_0",
    "3.14159",
    "1" + "0" * 400,
    "9" * 5000,
)
WORDS = (
    "",
    "x",
    "true",
    "auto",
    "world",
    "base",
    "l1",
    "b1",
    "free",
    "ball",
    "slide",
    "fixed",
    "planar",
    "floating",
    "revolute",
    "mesh",
    "revolute",
    "spherical",
    "link0",
    "mass",
    "hull",
    "1 2 3",
    "0 0 0",
    "1 2",
    "*",
    "*0.5",
    "!",
    "#",
    ".",
    "..",
    "é",
    "\x00",
    "\u2028",
    "\x1b[31m",
    "{{film}}",
    "%s%n",
    "a" * 5000,
    '"',
    "'",
    "[]",
    "{}",
    "[[]]",
    "2020-01-01",
)
PATHS = (
    "missing.stl",
    "missing.xml",
    "damaged",
    "folder",
    "pipe",
    "/dev/zero",
    "/dev/stdin",
    "/proc/self/mem",
    "..",
    ".",
    "/",
    "../../../../etc/passwd",
    "tiny.stl",
    "tiny.obj",
    "heights.csv",
    "part.xml",
    "model.xml",
    "other.corpus",
    "a" * 300,
    "a/" * 3000,
    "\x00",
    "package://x/tiny.stl",
    "file://tiny.stl",
    "http://[::1",
    "~",
    "link",
    "tiny.stl/x",
)
SIGNS = (
    *"<>/\"'=[]{},&#\n\\\x00",
    "<!--",
    "-->",
    "<!DOCTYPE a>",
    "<?",
    "]]>",
    "&amp;",
    '"""',
    "'''",
    "[[",
    "a.b.c",
)

NUMBER = re.compile(rb"-?\b\d[\w.+-]*")
WORD = re.compile(rb"[A-Za-z_][\w.]*")
VALUE = re.compile(rb"\"[^\"\n]*\"|(?<== )[^\n]+")
ELEMENT = re.compile(rb"<[^<>/!?][^<>]*/>|\{[^{}\n]*\}|^[^\n]+$", re.MULTILINE)
TAG = re.compile(rb"<[a-zA-Z][^<>]*(?<!/)>")

Mutation = Callable[[bytes, Random], bytes]


def changed(text: bytes, pattern: re.Pattern[bytes], dice: Random, by: Callable[[bytes], bytes]) -> bytes:
    """Return the text with one match of a pattern replaced."""
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = dice.choice(found)
    return text[: match.start()] + by(match[0]) + text[match.end() :]


def odd_number(text: bytes, dice: Random) -> bytes:
    return changed(text, NUMBER, dice, lambda _: dice.choice(NUMBERS).encode())


def odd_word(text: bytes, dice: Random) -> bytes:
    """Replace a name by another one, or by nothing."""
    others = WORD.findall(text) or [b"x"]
    new = dice.choice(others) if dice.random() < 0.6 else dice.choice(WORDS).encode()
    return changed(text, WORD, dice, lambda _: new)


def odd_value(text: bytes, dice: Random) -> bytes:
    """Replace a value by one of another kind, with or without its quotation marks."""
    new = dice.choice((*NUMBERS, *WORDS, *PATHS)).encode()
    quoted = dice.random() < 0.7
    return changed(text, VALUE, dice, lambda old: b'"' + new + b'"' if quoted and old[:1] == b'"' else new)


def odd_path(text: bytes, dice: Random) -> bytes:
    """Replace a file name by another one, or by an impossible one."""
    pattern = re.compile(rb"(?<=file=\")[^\"]*|(?<=filename=\")[^\"]*|[^\s\"]{1,99}\.(?:corpus|csv|stl|obj|xml)\b")
    return changed(text, pattern, dice, lambda _: dice.choice(PATHS).encode())


def odd_sign(text: bytes, dice: Random) -> bytes:
    return changed(text, re.compile(rb"[<>/\"'=\[\]{},.\n ]"), dice, lambda _: dice.choice(SIGNS).encode())


def dropped(text: bytes, dice: Random) -> bytes:
    return changed(text, ELEMENT, dice, lambda _: b"")


def doubled(text: bytes, dice: Random) -> bytes:
    count = dice.choice((2, 2, 2, 3, 50))
    return changed(text, ELEMENT, dice, lambda old: b"\n".join([old] * count))


def moved(text: bytes, dice: Random) -> bytes:
    """Move one element or line to where another one begins."""
    found = list(ELEMENT.finditer(text))
    if len(found) < 2:
        return text
    one, other = dice.sample(found, 2)
    without = text[: one.start()] + text[one.end() :]
    at = other.start() - (len(one[0]) if other.start() > one.start() else 0)
    return without[:at] + one[0] + b"\n" + without[at:]


def nested(text: bytes, dice: Random) -> bytes:
    """Nest something in itself, a few or very many times."""
    depth = dice.choice((2, 10, 100, 600, 3000))
    pattern = TAG if TAG.search(text) else re.compile(rb"\[[^\[\]\n]+\]")

    def deep(old: bytes) -> bytes:
        return old * depth if old[:1] == b"<" else b"[" * depth + old + b"]" * depth

    return changed(text, pattern, dice, deep)


def replaced_bytes(text: bytes, dice: Random) -> bytes:
    """Replace some bytes."""
    data = bytearray(text)
    for _ in range(dice.choice((1, 1, 2, 5)) if data else 0):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


def cut(text: bytes, dice: Random) -> bytes:
    """Remove the end, or a piece in between."""
    a = dice.randrange(len(text) + 1)
    return text[:a] + (text[a + dice.randrange(200) :] if dice.random() < 0.6 else b"")


def inserted(text: bytes, dice: Random) -> bytes:
    """Insert a copy of a piece of the text, or many blanks."""
    a, at = dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)
    piece = dice.choice((text[a : a + dice.randrange(1, 400)], b"\n" * 3000, b" " * 3000, bytes(50), b"a" * 3000))
    return text[:at] + piece + text[at:]


def odd_integer(data: bytes, dice: Random) -> bytes:
    """Replace two, four or eight bytes by an unusual integer, as lengths and counts of binary files are."""
    width = dice.choice((2, 4, 8))
    number = dice.choice((0, 1, 2, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1)) % 2 ** (8 * width)
    at = dice.randrange(min(len(data), 400) + 1) if dice.random() < 0.7 else dice.randrange(len(data) + 1)
    return data[:at] + number.to_bytes(width, "little") + data[at + width :]


TEXT: tuple[Mutation, ...] = (
    *(odd_number,) * 7,
    *(odd_value,) * 3,
    *(odd_word,) * 3,
    odd_path,
    odd_path,
    odd_sign,
    dropped,
    doubled,
    moved,
    nested,
    replaced_bytes,
    cut,
    inserted,
)
BINARY: tuple[Mutation, ...] = (replaced_bytes, replaced_bytes, cut, inserted, odd_integer, odd_integer, odd_number)


def damaged(data: bytes, dice: Random, mutations: tuple[Mutation, ...]) -> bytes:
    """Return a document with one to three mutations."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        data = dice.choice(mutations)(data, dice)
    return data
