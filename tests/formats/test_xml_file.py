"""XML: elements with their lines, refused content, and lossless writing."""

from pathlib import Path

import pytest

from gambol.errors import GambolError
from gambol.formats.xml_file import MAX_DEPTH, Element, numbers_text, read_xml, xml_text


def read(tmp_path: Path, text: str | bytes) -> Element:
    path = tmp_path / "some.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_xml(path)


def test_elements_have_their_lines(tmp_path: Path):
    root = read(tmp_path, '<a x="1 2 3">\n <b/>\n <c>text</c>\n</a>')
    assert [(e.tag, e.line) for e in root.walk()] == [("a", 1), ("b", 2), ("c", 3)]
    assert root.children[1].text == "text"
    assert root.triple("x") == (1.0, 2.0, 3.0)
    assert root.number("y", 4.0) == 4.0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1: this is not well-formed XML: no element found"),
        ("<a>\n<b></a>", "line 2: .*mismatched tag"),
        ("<a>&nothing;</a>", "line 1: .*undefined entity"),
        ('<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>\n<a>&c;</a>', "line 1: a document type"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "line 1: a document type"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "unknown encoding"),
        (b"<a>\xff\xfe</a>", "line 1: .*invalid token"),
        ("<a>" * (MAX_DEPTH + 1), f"is nested {MAX_DEPTH} levels deep"),
    ],
)
def test_documents_that_are_none_are_refused(tmp_path: Path, text: str | bytes, why: str):
    with pytest.raises(GambolError, match=f"^some.xml.*{why}"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("attribute", "why"),
    [
        ('x="1 2"', "should be 3 finite numbers"),
        ('x="1 2 z"', "should be 3"),
        ('x="1 2 nan"', "should be 3 finite"),
        ('x="1 2 inf"', "should be 3 finite"),
    ],
)
def test_numbers_that_are_none_are_named_with_their_line(tmp_path: Path, attribute: str, why: str):
    root = read(tmp_path, f"<a>\n<b {attribute}/></a>")
    with pytest.raises(GambolError, match=f"some.xml, line 2: <b {attribute}> {why}"):
        root.children[0].triple("x")


def test_missing_and_second_things_are_named(tmp_path: Path):
    root = read(tmp_path, '<a naem="x">\n<b/>\n<b/></a>')
    with pytest.raises(GambolError, match='line 1: <a> needs an attribute "name"; did you mean "naem"'):
        root.name()
    with pytest.raises(GambolError, match="line 3: <a> has a second <b>; keep one"):
        root.find("b")
    with pytest.raises(GambolError, match="cannot be read"):
        read_xml(tmp_path / "missing.xml")


def test_what_is_written_reads_as_it_was(tmp_path: Path):
    third = 1.0 / 3.0
    inside = Element("in", {"n": numbers_text([third, -0.0, 1e-300])}, text='5 < "6" & 7')
    root = Element("out", {"name": 'a "name" & <more>', "empty": ""}, [inside, Element("other")])
    back = read(tmp_path, xml_text(root))
    assert back.attributes == {"name": 'a "name" & <more>'}
    assert (back.children[0].text, back.children[0].numbers("n", (0.0,) * 3)) == (inside.text, (third, 0.0, 1e-300))
    assert [child.tag for child in back.children] == ["in", "other"]
