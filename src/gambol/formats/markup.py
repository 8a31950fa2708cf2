"""XML in and out: elements that know their lines, of documents that define no entities, which grow without bound."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Triple
from gambol.formats.opening import file_bytes

DEEPEST = 480  # elements inside each other: MuJoCo's parser gives up at 500
LARGEST = 16_000_000  # bytes; the largest robots' files have a million, and meshes lie in files of their own


@dataclass
class Element:
    """One element of an XML document: its tag, attributes, children and text; where it stood, if it was read."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: "list[Element]" = field(default_factory=list["Element"])
    text: str = ""
    file: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        """The file and line of the element, for errors."""
        return f"{self.file}, line {self.line}"

    def all(self, tag: str) -> "list[Element]":
        """The children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> "Element | None":
        """The child with this tag, or None; GambolError where there are several."""
        found = self.all(tag)
        if len(found) > 1:
            raise GambolError(f"{found[1].where}: <{self.tag}> has a second <{tag}>; keep one")
        return found[0] if found else None

    def walk(self) -> "Iterator[Element]":
        """The element and everything inside it, outermost first."""
        waiting: list[Element] = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))

    def name(self, attribute: str = "name") -> str:
        """The text of an attribute that must be there and not be empty."""
        if not self.attributes.get(attribute):
            cure = did_you_mean(attribute, self.attributes)
            raise GambolError(f'{self.where}: <{self.tag}> needs an attribute "{attribute}"; {cure}')
        return self.attributes[attribute]

    def numbers(self, attribute: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """As many finite numbers as the default has, or the default where the attribute is missing."""
        given = self.attributes.get(attribute)
        if given is None:
            return default
        try:
            numbers = tuple(float(word) for word in given.split())
        except ValueError:
            numbers = ()
        if len(numbers) != len(default) or not all(map(math.isfinite, numbers)):
            wanted = "a finite number" if len(default) == 1 else f"{len(default)} finite numbers"
            raise GambolError(f'{self.where}: <{self.tag} {attribute}="{given}"> should be {wanted}')
        return numbers

    def number(self, attribute: str, default: float | None = None) -> float:
        """A finite number; one must be given where there is no default."""
        if default is None:
            self.name(attribute)
        return self.numbers(attribute, (default or 0.0,))[0]

    def triple(self, attribute: str, default: Triple = (0.0, 0.0, 0.0)) -> Triple:
        """Three finite numbers of an attribute."""
        x, y, z = self.numbers(attribute, default)
        return (x, y, z)


def read_markup(path: str | Path) -> Element:
    """The root element of an XML file.

    Raises GambolError, with file and line, for what is no XML, and for a document type: entities can name other
    files, or grow without bound.
    """
    path = Path(path)
    return _Reader(path.name).read(file_bytes(path, "file", LARGEST))


class _Reader:
    """Builds elements while expat goes through a document."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open: list[Element] = []
        self.texts: list[list[str]] = []  # what stood between their tags so far
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True  # else every line break is a text of its own
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse

    def read(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            cause = expat.errors.messages[error.code]
            raise GambolError(f"{self.file}, line {error.lineno}: this is not well-formed XML: {cause}") from error
        except LookupError as error:
            raise GambolError(
                f"{self.file} is written in an encoding that is not known ({error}); use UTF-8"
            ) from error
        assert self.root is not None  # expat refuses a document without an element
        return self.root

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, file=self.file, line=self.parser.CurrentLineNumber)
        if len(self.open) >= DEEPEST:
            raise GambolError(f"{element.where}: <{tag}> lies {DEEPEST} elements deep; none needs to")
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:
        self.open.pop().text = "".join(self.texts.pop())

    def characters(self, text: str) -> None:
        if self.open:
            self.texts[-1].append(text)

    def refuse(self, *_: object) -> None:
        where = f"{self.file}, line {self.parser.CurrentLineNumber}"
        raise GambolError(
            f"{where}: a document type (<!DOCTYPE ...>) may define entities, which are not read; remove it"
        )


def numbers_text(values: Iterable[float]) -> str:
    """Numbers as an attribute, in the shortest form that gives the same bits again."""
    return " ".join(repr(float(x) + 0.0) for x in values)


def markup_text(element: Element, depth: int = 0) -> str:
    """An element and everything inside it as XML, indented by two blanks a level; empty attributes are left out."""
    indent = "  " * depth
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes.items() if value)
    if element.text.strip() and not element.children:
        return f"{indent}<{element.tag}{attributes}>{escape(element.text)}</{element.tag}>\n"
    if not element.children:
        return f"{indent}<{element.tag}{attributes}/>\n"
    inside = "".join(markup_text(child, depth + 1) for child in element.children)
    return f"{indent}<{element.tag}{attributes}>\n{inside}{indent}</{element.tag}>\n"
