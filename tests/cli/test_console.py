"""Names from files as they are printed on the terminal."""

import ast
import os
import pty
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from rich.console import Console
from rich.panel import Panel
from rich.progress import Progress, TextColumn
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gambol.cli.console import PlainConsole, error_console
from gambol.errors import printable

SOURCE = Path(__file__).parents[2] / "src" / "gambol"
C0_AND_C1 = [chr(code) for code in range(0xA0) if unicodedata.category(chr(code)) == "Cc" and chr(code) != "\n"]
OVERRIDES = [chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))]
NAME = "rod" + "".join(C0_AND_C1 + OVERRIDES) + "[2J]0;owned[/x]:smile:"
ARM = (Path(__file__).parents[2] / "examples" / "scripts" / "arm.corpus").read_text()
EVIL = r"\u001b[2J\u009b31m\u202e\u001b]0;owned\u0007[/x]{{film}}$\\frac$"
FIGURE = """format = "gambol figure 1"
name = "pen{0}"

[[links]]
name = "rod{0}"
joint = {{ kind = "revolute", axis = [0, 1, 0] }}
mass = {{ mass = 2.0, com = [0, 0, -0.5] }}

[start.q]
"{1}" = 0.2
"""
COMMAND = """
from gambol.cli import main
from gambol.view import opengl
opengl.can_render = lambda: False
main()
"""
"""The command, on a machine without OpenGL: a picture takes longest."""

OURS = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\x1b\[1A|\x1b\[2K|[\r\n]")
"""The terminal codes that rich sends: colours, hiding and showing the cursor, a line up, an empty line."""


def table():
    result = Table(title=NAME)
    result.add_column(NAME)
    result.add_row(NAME)
    result.add_row(Text(NAME))
    return result


def tree():
    result = Tree(NAME)
    result.add(Text(NAME))
    return result


def assert_obeyed_by_no_terminal(data: bytes):
    text = OURS.sub(b"", data).decode()
    assert text
    assert not [char for char in text if char in C0_AND_C1 or char in OVERRIDES]


def test_control_characters_are_taken_out_and_nothing_else():
    assert printable(NAME) == "rod[2J]0;owned[/x]:smile:"
    assert printable("été\n脚 🦿") == "été\n脚 🦿"


@pytest.mark.parametrize("shown", [NAME, Text(NAME), table(), tree(), Panel(NAME, title=Text(NAME))], ids=type)
@pytest.mark.parametrize("terminal", [True, False])
def test_no_renderable_hands_control_characters_on(shown, terminal, tmp_path):
    with (tmp_path / "screen").open("w", encoding="utf-8") as stream:
        console = PlainConsole()
        console.file, console._force_terminal = stream, terminal
        console.print(shown, soft_wrap=True)
        console.print(shown)
    data = (tmp_path / "screen").read_bytes()
    assert b"rod" in data
    assert_obeyed_by_no_terminal(data)


def test_neither_do_progress_bars_and_what_is_being_done(tmp_path):
    with (tmp_path / "screen").open("w", encoding="utf-8") as stream:
        console = PlainConsole()
        console.file, console._force_terminal = stream, True
        with (
            console.status(Text(NAME)),
            Progress(TextColumn("{task.description}", markup=False), console=console) as bar,
        ):
            bar.add_task(NAME)
    data = (tmp_path / "screen").read_bytes()
    assert b"rod" in data
    assert_obeyed_by_no_terminal(data)


def test_all_output_is_printed_by_these_consoles():
    """No other module makes a console, and none writes to standard output or error itself."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Console":
                pytest.fail(f"{path} makes a console of its own")
    assert isinstance(error_console(), Console)


def run(words, folder, out, err):
    command = [sys.executable, "-c", COMMAND, *words]
    env = os.environ | {"COLUMNS": "100", "TERM": "xterm"}
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, env=env)


def piped(words, folder):
    with run(words, folder, subprocess.PIPE, subprocess.STDOUT) as process:
        return process.stdout.read()


def on_a_terminal(words, folder):
    master, slave = pty.openpty()
    data = b""
    with run(words, folder, slave, slave):
        os.close(slave)
        while True:
            try:
                read = os.read(master, 65536)
            except OSError:  # the terminal is closed
                break
            if not read:
                break
            data += read
    os.close(master)
    return data


@pytest.mark.parametrize("seen", [piped, on_a_terminal])
@pytest.mark.parametrize(
    "words",
    [
        ["inspect", "evil.toml"],
        ["run", "evil.toml", "--seconds", "0.01"],
        ["convert", "wrong.toml", "other.xml"],
        ["run", "echo.corpus", "--seconds", "0.01"],
        ["run", "wrong.corpus", "--seconds", "0.01"],
        ["run", os.fsdecode(b"\xff\x1b[2J[/x].toml")],
    ],
    ids=" ".join,
)
def test_a_hostile_name_cannot_steer_the_terminal(words, seen, tmp_path):
    (tmp_path / "evil.toml").write_text(FIGURE.format(EVIL, "rod" + EVIL))
    (tmp_path / "wrong.toml").write_text(FIGURE.format(EVIL, "rid" + EVIL))
    (tmp_path / "echo.corpus").write_text("! \x1b[2Jhello\x9b31m\u202e\n" + ARM)
    (tmp_path / "wrong.corpus").write_text("totalmass\x1b[2J\u202e\n")
    data = seen(words, tmp_path)
    assert b"Traceback" not in data
    assert_obeyed_by_no_terminal(data)
