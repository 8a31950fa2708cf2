"""Lines of a script: comments, lines broken in print, included files, and the limits of the folder."""

import pytest
from scripts import written

from gambol.script import ScriptError, ScriptWarning
from gambol.script.language.lines import MAX_BYTES, MAX_DEPTH, path_inside, read_lines


def lines(path):
    return [(line.where, line.text) for line in read_lines(path)]


def test_comments_and_blanks_are_gone(tmp_path):
    path = written(tmp_path, "# all of it\n\n  go   3   # and the rest\n! say # this\r\n")
    assert lines(path) == [("it.corpus:3", "go 3"), ("it.corpus:4", "! say # this")]


def test_a_line_broken_in_print_is_joined(tmp_path):
    path = written(tmp_path, "motor a etarget 1\n*0.5\n")
    with pytest.warns(ScriptWarning, match='it.corpus:2: "\\*0.5" is not a command; it is read as the end of line 1'):
        assert lines(path) == [("it.corpus:1", "motor a etarget 1 *0.5")]


def test_a_line_that_no_other_can_end_with_is_a_line_of_its_own(tmp_path):
    assert lines(written(tmp_path, "go 1\n*0.5 grav off\n")) == [
        ("it.corpus:1", "go 1"),
        ("it.corpus:2", "*0.5 grav off"),
    ]


def test_another_script_is_read_in_its_place(tmp_path):
    (tmp_path / "parts").mkdir()
    written(tmp_path / "parts", "! inner\n", "a.corpus")
    path = written(tmp_path, "! before\nread parts/a.corpus\n! after\n")
    assert lines(path) == [("it.corpus:1", "! before"), ("a.corpus:1", "! inner"), ("it.corpus:3", "! after")]


def test_a_script_cannot_read_itself(tmp_path):
    written(tmp_path, "read it.corpus\n", "other.corpus")
    path = written(tmp_path, "read other.corpus\n")
    with pytest.raises(ScriptError, match=r'other.corpus:1: "it.corpus" includes itself'):
        read_lines(path)


def test_files_inside_files_have_an_end(tmp_path):
    for k in range(MAX_DEPTH + 1):
        written(tmp_path, f"read {k + 1}.corpus\n", f"{k}.corpus")
    with pytest.raises(ScriptError, match="is included at level"):
        read_lines(tmp_path / "0.corpus")


@pytest.mark.parametrize("name", ["../out.corpus", "/etc/passwd", "a/../../b", "..\\b", "c:\\b", "a\0b", "link/b"])
def test_nothing_leads_out_of_the_folder(name, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(tmp_path)
    with pytest.raises(ScriptError, match=r"^here:1: .* lies outside the folder"):
        path_inside(home, name, "here:1")


def test_what_is_inside_is_let_through(tmp_path):
    assert path_inside(tmp_path, "a/b.c", "here:1") == tmp_path / "a" / "b.c"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"go\n\xff\n", "it.corpus:2: byte 0xff is not text; save it as UTF-8"),
        (b"#" * (MAX_BYTES + 1), "more than allowed"),
    ],
)
def test_files_that_are_no_scripts(content, message, tmp_path):
    path = tmp_path / "it.corpus"
    path.write_bytes(content)
    with pytest.raises(ScriptError, match=message):
        read_lines(path)


def test_a_missing_script_has_a_nearest_name(tmp_path):
    written(tmp_path, "go\n", "roach.corpus")
    with pytest.raises(ScriptError, match=r'there is no script ".*roahc.corpus"; did you mean "roach.corpus"'):
        read_lines(tmp_path / "roahc.corpus")
    with pytest.raises(ScriptError, match=r'it.corpus:2: there is no script ".*roahc.corpus"; did you'):
        read_lines(written(tmp_path, "go\nread roahc.corpus\n"))
    with pytest.raises(ScriptError, match="no script"):
        read_lines(tmp_path)
