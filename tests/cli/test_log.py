"""Log messages while a command works: lines without a terminal, the progress bar on a terminal, warnings always."""

import io
import logging

import pytest
from rich.console import Console

from gambol.cli.log import log_to

LOG = logging.getLogger("gambol.lanes")


@pytest.fixture(autouse=True)
def _as_before():
    log = logging.getLogger("gambol")
    before = log.handlers, log.level, log.propagate
    yield
    log.handlers, log.propagate = before[0], before[2]
    log.setLevel(before[1])


def logged(terminal):
    """Return the lines on a console, and the messages in its progress bar, after one message of each level."""
    console, reported = Console(file=io.StringIO(), force_terminal=terminal, width=200, color_system=None), []
    log_to(console).show_in_bar = lambda what, seconds: reported.append((what, seconds))
    LOG.info('compiling "advance"')
    LOG.debug("quick", extra={"seconds": 2.0})
    LOG.warning("slow", extra={"seconds": 20.0})
    return console.file.getvalue().splitlines(), reported  # pyright: ignore[reportAttributeAccessIssue]


def test_output_to_a_file_or_program_is_lines():
    lines, _ = logged(terminal=False)
    assert lines == ['compiling "advance"', "slow"]


def test_a_terminal_shows_a_bar_and_warnings():
    lines, reported = logged(terminal=True)
    assert lines == ["slow"]
    assert reported == [('compiling "advance"', None), (None, 2.0), (None, 20.0)]


def test_one_handler_is_there_however_many_sessions_there_were():
    for _ in range(3):
        log_to(Console(file=io.StringIO()))
    assert len(logging.getLogger("gambol").handlers) == 1
