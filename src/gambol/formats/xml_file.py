"""Reading and writing XML. Elements have line numbers; documents that define entities are rejected."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Triple
from gambol.formats.safe_files import file_bytes

MAX_DEPTH = 480  # levels of nesting: MuJoCo's parser gives up at 500
MAX_BYTES = 16_000_000  # bytes; the largest robots' files have a million, and meshes are separate files


@dataclass
class Element:
    """One element of an XML document: tag, attributes, children and text; file and line if it was read from a file."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: "list[Element]" = field(default_factory=list["Element"])
    text: str = ""
    file: str = ""
    line: int = 0

    @property
    def where(self) -> str:
        """The file and line of the element, for error messages."""
        return f"{self.file}, line {self.line}"

    def find_all(self, tag: str) -> "list[Element]":
        """Return all children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def find(self, tag: str) -> "Element | None":
        """Return the child with a tag, or None. Raises GambolError if there are several."""
        matches = self.find_all(tag)
        if len(matches) > 1:
            raise GambolError(f"{matches[1].where}: <{self.tag}> has a second <{tag}>; keep one")
        return matches[0] if matches else None

    def walk(self) -> "Iterator[Element]":
        """Iterate over the element and all its descendants, in document order."""
        stack: list[Element] = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def name(self, attribute: str = "name") -> str:
        """Return the value of a required attribute, by default the name.

        Raises GambolError if it is missing or empty.
        """
        if not self.attributes.get(attribute):
            hint = did_you_mean(attribute, self.attributes)
            raise GambolError(f'{self.where}: <{self.tag}> needs an attribute "{attribute}"; {hint}')
        return self.attributes[attribute]

    def numbers(self, attribute: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return the finite numbers of an attribute.

        default: value for a missing attribute, with the same number of entries.
        """
        text = self.attributes.get(attribute)
        if text is None:
            return default
        try:
            numbers = tuple(float(word) for word in text.split())
        except ValueError:
            numbers = ()
        if len(numbers) != len(default) or not all(map(math.isfinite, numbers)):
            expected = "a finite number" if len(default) == 1 else f"{len(default)} finite numbers"
            raise GambolError(f'{self.where}: <{self.tag} {attribute}="{text}"> should be {expected}')
        return numbers

    def number(self, attribute: str, default: float | None = None) -> float:
        """Return the finite number of an attribute, or the default. Raises GambolError if both are missing."""
        if default is None:
            self.name(attribute)
        return self.numbers(attribute, (default or 0.0,))[0]

    def triple(self, attribute: str, default: Triple = (0.0, 0.0, 0.0)) -> Triple:
        """Return the three finite numbers of an attribute. default: value for a missing attribute."""
        x, y, z = self.numbers(attribute, default)
        return (x, y, z)


def read_xml(path: str | Path) -> Element:
    """Return the root element of an XML file.

    Raises GambolError, with file and line, for malformed XML, an unknown encoding, and too many levels. A document type
    is an error too: its entities could name other files, or expand without limit.
    """
    path = Path(path)
    return _Reader(path.name).read(file_bytes(path, "file", MAX_BYTES))


class _Reader:
    """Builds elements from the events of the expat parser."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.open_elements: list[Element] = []
        self.texts: list[list[str]] = []  # pieces of the text of each open element
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True  # else every line break is a separate piece
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.reject_doctype

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
        assert self.root is not None  # expat rejects a document without an element
        return self.root

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, file=self.file, line=self.parser.CurrentLineNumber)
        if len(self.open_elements) >= MAX_DEPTH:
            raise GambolError(f"{element.where}: <{tag}> is nested {MAX_DEPTH} levels deep; use fewer levels")
        if self.open_elements:
            self.open_elements[-1].children.append(element)
        else:
            self.root = element
        self.open_elements.append(element)
        self.texts.append([])

    def end(self, tag: str) -> None:
        self.open_elements.pop().text = "".join(self.texts.pop())

    def characters(self, text: str) -> None:
        if self.open_elements:
            self.texts[-1].append(text)

    def reject_doctype(self, *_: object) -> None:
        where = f"{self.file}, line {self.parser.CurrentLineNumber}"
        raise GambolError(
            f"{where}: a document type (<!DOCTYPE ...>) may define entities, which are not read; remove it"
        )


def numbers_text(values: Iterable[float]) -> str:
    """Return numbers as the text of an attribute, in the shortest form that reads back to the same bits; 0 for -0."""
    return " ".join(repr(float(x) + 0.0) for x in values)


def xml_text(element: Element, depth: int = 0) -> str:
    """Return an element as XML text. depth: level of indentation; each level is two blanks.

    Empty attributes and the text of elements with children are left out.
    """
    indent = "  " * depth
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in element.attributes.items() if value)
    if element.text.strip() and not element.children:
        return f"{indent}<{element.tag}{attributes}>{escape(element.text)}</{element.tag}>\n"
    if not element.children:
        return f"{indent}<{element.tag}{attributes}/>\n"
    children = "".join(xml_text(child, depth + 1) for child in element.children)
    return f"{indent}<{element.tag}{attributes}>\n{children}{indent}</{element.tag}>\n"
