"""Errors that end a command: one line and an exit code."""

import errno
import os

import pytest
from invoked import invoke
from typer import Exit

from gambol.cli.guard import OS_ERROR_HINTS, WRONG_INPUT, run_command
from gambol.errors import GambolError


def ended(capsys, error):
    """Return the exit code and the printed lines for an error that a command raises."""

    def failing():
        raise error

    with pytest.raises(Exit) as ending:
        run_command(failing)
    return ending.value.exit_code, capsys.readouterr().err.splitlines()


@pytest.mark.parametrize("code", OS_ERROR_HINTS, ids=errno.errorcode.get)
def test_errors_of_the_system_are_one_line_with_the_file(code, capsys):
    exit_code, lines = ended(capsys, OSError(code, os.strerror(code), "long/way"))
    assert exit_code == WRONG_INPUT
    assert lines == [f'Error: "long/way": {OS_ERROR_HINTS[code]}']


def test_a_full_disk_is_an_error_without_a_file_too(capsys):
    assert ended(capsys, OSError(errno.ENOSPC, "No space left"))[1][0].startswith("Error: the disk is full")


def test_a_long_name_is_shortened(capsys):
    (line,) = ended(capsys, OSError(errno.ENAMETOOLONG, "File name too long", 5000 * "a"))[1]
    assert len(line) < 200


def test_too_little_memory_is_an_error_of_one_line(capsys):
    exit_code, lines = ended(capsys, MemoryError())
    assert exit_code == WRONG_INPUT
    assert len(lines) == 1
    assert "memory" in lines[0]


def test_ctrl_c_prints_one_line(capsys):
    assert ended(capsys, KeyboardInterrupt()) == (
        130,
        ["Error: interrupted; files not yet written are unchanged"],
    )
    assert ended(capsys, KeyboardInterrupt("a.mp4 has the first 3 of 9 frames"))[1] == [
        "Error: interrupted; files not yet written are unchanged; a.mp4 has the first 3 of 9 frames"
    ]


def test_other_faults_of_the_system_and_of_gambol_are_not_hidden():
    for error in (OSError(errno.EBADF, "Bad file descriptor"), ZeroDivisionError()):
        with pytest.raises(type(error)):
            ended(None, error)


def test_the_remedy_of_a_reader_is_given_as_an_option(capsys):
    _, lines = ended(capsys, GambolError("leave_out=['spam'] reads it, and mend=True mends it"))
    assert lines == ["Error: --leave-out spam reads it, and --mend mends it"]


@pytest.mark.parametrize(
    "words", [["wlak"], ["walk", "--lanse"], ["walk", "--lanes", "many"], ["run"], ["walk", "--out", "a\0b"]]
)
def test_wrong_arguments_are_errors_of_one_line(words):
    result = invoke(*words)
    assert result.exit_code == WRONG_INPUT
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("Error: ")
