"""Ctrl-C and SIGTERM at any moment: one line, exit code 130 or 143, and finished work is kept."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from invoked import TINY

from gambol.cli import interrupts
from gambol.cli.interrupts import Terminated, interruptible
from gambol.world import Film

EXAMPLES = Path(__file__).parents[2] / "examples"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
SIGNALS = pytest.mark.parametrize("number", CODES, ids=lambda number: number.name)

PENDULUM = """format = "gambol figure 1"
name = "pendulum"
[[links]]
name = "rod"
joint = { kind = "revolute", axis = [0, 1, 0] }
mass = { mass = 2.0, com = [0, 0, -0.5] }
[start.q]
rod = 0.2
"""
ARM = (EXAMPLES / "scripts" / "arm.corpus").read_text()
WITHOUT_ALARMS = "\n".join(line for line in ARM.splitlines() if not line.startswith(("alarm", "timer")))
"""A script whose film has one piece, so that the signal arrives while it is simulated."""
SOON = """
import os, sys, threading
from gambol import cli
delay, number, *sys.argv[1:] = sys.argv[1:]
handle_signals = cli.handle_signals

def watched():
    handle_signals()
    threading.Timer(float(delay), os.kill, (os.getpid(), int(number))).start()

cli.handle_signals = watched
cli.main()
"""
AT_THE_END = """
import atexit, os, sys
from gambol.cli import main
number, *sys.argv[1:] = sys.argv[1:]
atexit.register(os.kill, os.getpid(), int(number))
main()
"""
IN_A_DESTRUCTOR = """
import signal, sys, time, typer
from gambol.cli import guard, interrupts

class Last:
    def __del__(self):
        signal.raise_signal(int(sys.argv[1]))

def work():
    one = Last()
    del one
    time.sleep(30)
    return 0

interrupts.handle_signals()
try:
    guard.run_command(work)
except typer.Exit as ending:
    sys.exit(ending.exit_code)
"""


def python(code, *words, folder=None):
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=folder)


def assert_reported(done, number):
    assert done.returncode == CODES[number], done.stderr
    assert "Traceback" not in done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("Error: interrupted")]


@SIGNALS
@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.06, 0.1, 0.2, 0.4])
def test_while_a_command_starts_there_is_no_traceback(delay, number, tmp_path):
    assert_reported(python(SOON, delay, int(number), "walk", "--seconds", "100", folder=tmp_path), number)


@SIGNALS
def test_nor_while_it_ends(number, tmp_path):
    assert_reported(python(AT_THE_END, int(number), "--version", folder=tmp_path), number)


@SIGNALS
def test_a_signal_that_comes_in_a_destructor_is_not_lost(number):
    done = python(IN_A_DESTRUCTOR, int(number))
    assert_reported(done, number)
    assert "ignored" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["walk", "--parameters", "thesis", "--seconds", "60"],
        ["run", "pendulum.toml", "--seconds", "10000"],
        ["run", "arm.corpus", "--seconds", "250"],
    ],
    ids=["walk", "run", "script"],
)
def test_sigterm_saves_the_film_so_far(words, tmp_path):
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    (tmp_path / "arm.corpus").write_text(WITHOUT_ALARMS)
    command = [sys.executable, "-m", "gambol", *words, "--out", "out"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=tmp_path, **pipes) as process:
        before = next(line for line in process.stderr if "walking" in line or "simulating" in line)
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
        assert process.wait(timeout=300) == 143, before + rest
    assert "interrupted after" in rest
    assert "Traceback" not in rest
    (film,) = (tmp_path / "out").glob("*.npz")
    assert Film.load(film).duration > 0.0
    (measures,) = (tmp_path / "out").glob("*.json")
    assert json.loads(measures.read_text())["interrupted"] is True


@SIGNALS
def test_an_interrupted_run_prints_how_to_resume_it(number, tmp_path):
    words = [*TINY, "--generations", "1000000", "--executor", "threads"]
    command = [sys.executable, "-m", "gambol", "evolve", *words, "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        next(line for line in process.stderr if "generation 1 of" in line)
        process.send_signal(number)
        rest = process.stderr.read()
        assert process.wait(timeout=300) == CODES[number], rest
    assert "which are stored; continue with" in rest
    assert "Traceback" not in rest


def test_a_signal_that_was_ignored_stays_ignored(tmp_path):
    """As under nohup and in a shell's background."""
    code = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n" + SOON
    done = python(code, 0.0, int(signal.SIGINT), "--version", folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_only_work_is_interrupted_by_an_error(monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(os, "write", lambda *_: 0)
    monkeypatch.setattr(interruptible, "last_signal", interruptible.last_signal)
    with pytest.raises(KeyboardInterrupt), interruptible:
        interruptible.receive(signal.SIGINT, None)
    with pytest.raises(Terminated), interruptible:
        interruptible.receive(signal.SIGTERM, None)
    assert not ended
    interruptible.receive(signal.SIGTERM, None)
    assert ended == [143]
    assert interrupts.terminated()
