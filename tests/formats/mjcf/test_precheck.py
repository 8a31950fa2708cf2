"""MJCF files are checked before MuJoCo compiles them, and a crash of MuJoCo ends its worker process only."""

import os
import signal
import time
from pathlib import Path

import pytest
from fuzzing.bombs import BODY, BOMBS, SELF, mjcf, world

from gambol.errors import GambolError
from gambol.formats import read_mjcf
from gambol.formats.foreign_parser import process
from gambol.formats.mjcf import compiler

ONE = world(BODY)


def read(folder: Path, data: bytes):
    path = folder / "bomb.xml"
    path.write_bytes(data)
    return read_mjcf(path)


@pytest.mark.parametrize(
    ("bomb", "message"),
    [
        ("mjcf attaches itself", "line 1: models attach each other in a circle: bomb.xml -> bomb.xml"),
        ("mjcf includes itself", "line 1: files include each other in a circle"),
        ("mjcf includes double", "line 1: .*included again, but MuJoCo takes each file once"),
        ("mjcf attaches double", "line 1: with all copies there are more than 10000 elements"),
        ("mjcf replicates", "line 1: with all copies there are more than 10000 elements"),
        ("mjcf replicates in itself", "line 1: with all copies there are more than 10000 elements"),
        ("mjcf 20000 bodies", "it has 20000 links or bodies; 2000 at most"),
        ("mjcf keys", r'line 1: <size nkey="2000000000"> exceeds 10000'),
        ("mjcf flexcomp", "line 1: <flexcomp .*exceeds 4000"),
        ("mjcf heights", "line 1: <hfield .*exceeds"),
        ("mjcf texture", "line 1: <texture .*exceeds"),
        ("mjcf include of a pipe", "line 1: .*pipe.* is a device, pipe or socket"),
        ("mjcf mesh of a device", "line 1: .*/dev/zero.* is a device, pipe or socket"),
        ("mjcf model of a folder", "line 1: .*is a folder"),
    ],
)
def test_the_error_of_a_file_that_needs_too_much_names_the_line(tmp_path: Path, bomb: str, message: str):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    began = time.monotonic()
    with pytest.raises(GambolError, match=message):
        read(tmp_path, BOMBS[bomb](tmp_path))
    assert time.monotonic() - began < 10.0


def test_a_file_that_ends_mujoco_is_an_error_and_the_next_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Past the guard, a model that attaches itself runs out of stack inside MuJoCo."""
    monkeypatch.setattr(compiler, "check_file", lambda path, root: compiler.CheckedFile(path, [root]))
    with pytest.raises(GambolError, match=r"bomb\.xml: MuJoCo ended \(signal SIGSEGV\) while it read the file"):
        read(tmp_path, SELF.format("bomb.xml").encode())
    assert read(tmp_path, ONE).figure.nv == 6


def test_a_file_that_takes_too_long_is_an_error_and_the_next_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    read(tmp_path, ONE)
    monkeypatch.setattr(compiler, "BASE_SECONDS", 0.5)
    with pytest.raises(GambolError, match=r"bomb\.xml: MuJoCo ended after 0\.5\d* s \(time limit\)"):
        read(tmp_path, BOMBS["mjcf length range"](tmp_path))
    monkeypatch.undo()
    assert read(tmp_path, ONE).figure.nv == 6


def test_memory_has_a_bound(tmp_path: Path):
    with pytest.raises(GambolError, match=r"bomb\.xml.*: MuJoCo"):
        read(tmp_path, mjcf('<asset><mesh name="m" builtin="supersphere" params="30000 1 1"/></asset>'))


def test_one_process_serves_many_files_and_is_replaced_when_it_was_killed(tmp_path: Path):
    read(tmp_path, ONE)
    first = process._running[compiler.MUJOCO.script].process
    read(tmp_path, ONE)
    assert process._running[compiler.MUJOCO.script].process is first
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    read(tmp_path, ONE)
    assert process._running[compiler.MUJOCO.script].process is not first


def test_our_process_never_loads_mujoco(tmp_path: Path):
    import subprocess
    import sys

    (tmp_path / "one.xml").write_bytes(ONE)
    code = "import sys; from gambol import read_mjcf; read_mjcf(sys.argv[1]); print('mujoco' in sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "one.xml"], capture_output=True, text=True, check=True
    )
    assert completed.stdout == "False\n"
