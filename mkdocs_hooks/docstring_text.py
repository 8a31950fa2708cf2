"""Docstrings as Markdown: plain text whose letters are kept, with its `name: meaning.` lists as lists."""

import re
from typing import Any

import griffe

NAME = r"[a-z]\w*(?: \([^)]*\))?"  # a name, perhaps with its shape
OPENING = re.compile(rf"(?:^|(?<=[.;?!)\]]\s))({NAME}(?:, {NAME})*): ")
OUTCOME = re.compile(r"(?<=[.;])\s(?=(?:Returns?|Raises?|Yields?|Warns?)\s)")
SPECIAL = re.compile(r"([\\*_<\[\]#|])")


class PlainDocstrings(griffe.Extension):
    """Rewrites each docstring when its object is loaded, before a page shows it."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Replace the docstring by its Markdown; names of lists are those of parameters, attributes and fields."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value, names_of(obj))


def names_of(obj: griffe.Object) -> set[str]:
    """Return the names that a docstring may explain: parameters of a function, members of a class or module."""
    if isinstance(obj, griffe.Function):
        return {parameter.name for parameter in obj.parameters}
    names = set(obj.members)
    if isinstance(obj, griffe.Class):
        names |= {parameter.name for parameter in obj.parameters}
    return names


def as_markdown(text: str, names: set[str]) -> str:
    """Return the Markdown of a docstring; indented lines stay as they are and become blocks of code."""
    blocks = re.split(r"\n\s*\n", text)
    return "\n\n".join(_block(block, names) for block in blocks)


def _block(block: str, names: set[str]) -> str:
    lines = block.split("\n")
    if any(line.startswith((" ", "- ", "|", ">>>")) for line in lines):
        return "\n\n".join(_runs(lines, names))
    return _paragraph(" ".join(lines), names)


def _runs(lines: list[str], names: set[str]) -> list[str]:
    """Return the parts of a block that has indented lines, items or a table among its lines."""
    parts: list[tuple[bool, list[str]]] = []
    for line in lines:
        kept = line.startswith((" ", "- ", "|", ">>>"))
        if not parts or parts[-1][0] != kept:
            parts.append((kept, []))
        parts[-1][1].append(line)
    return ["\n".join(part) if kept else _paragraph(" ".join(part), names) for kept, part in parts]


def _paragraph(text: str, names: set[str]) -> str:
    starts = [match for match in OPENING.finditer(text) if set(re.findall(r"(?:^|, )(\w+)", match[1])) <= names]
    if not starts:
        return _escaped(text)
    pieces = [_escaped(text[: starts[0].start()].strip())]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=True):
        meaning, *outcome = OUTCOME.split(text[match.end() : end].strip(), maxsplit=1)
        pieces.append(f"- **{_escaped(match[1])}**: {_escaped(meaning)}")
        pieces += [_escaped(after) for after in outcome]
    return "\n\n".join(piece for piece in pieces if piece)


def _escaped(text: str) -> str:
    """Return text whose letters Markdown does not interpret, except between backticks."""
    parts = text.split("`")
    return "`".join(part if odd % 2 else SPECIAL.sub(r"\\\1", part) for odd, part in enumerate(parts))
