"""The prompt of `gambol run --interactive`, driven by a pipe and by a pseudo-terminal."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from scripts import PENDULUM

from gambol import Film
from gambol.script.interactive import InteractiveScript
from gambol.script.language.lines import ScriptError

CLOCK = PENDULUM + "joint arm q 0.5\njoint arm b 0.001\n"

COMMAND = [sys.executable, "-m", "gambol", "run", "--interactive", "clock.corpus", "--out", "out"]


def written(folder):
    (folder / "clock.corpus").write_text(CLOCK, encoding="utf-8")
    return folder / "clock.corpus"


def test_commands_come_from_a_pipe(tmp_path):
    written(tmp_path)
    lines = "go 20\ntime\nmvoe arm 1 0 0\njoint arm k 1\nmotor arm etarget 1 0.1\ngo 30\ntime\nhelp go\nquit\n"
    run = subprocess.run(COMMAND, input=lines, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=True)
    assert "time 0.02\n" in run.stdout
    assert "time 0.05\n" in run.stdout
    assert 'line 3: there is no command "mvoe"; did you mean "move"?' in run.stderr
    assert "go [pictures]: simulates" in run.stdout
    film = Film.load(tmp_path / "out" / "clock.npz")
    np.testing.assert_allclose(film.time, np.arange(51) * 1e-3, atol=1e-12)


def test_a_script_given_line_by_line_moves_as_one_that_is_run(tmp_path):
    from gambol.script import read_script

    more = "go 15\njoint arm k 2\nmotor arm ktarget 1 0.02\ngo 10\nalarm 0.03 joint arm dq 0\ngo 25"
    path = written(tmp_path)
    script = InteractiveScript(tmp_path, tmp_path / "out", lambda _: None)
    script.read(path)
    for line in more.splitlines():
        assert script.give(line)
    path.write_text(CLOCK + more, encoding="utf-8")
    whole, film = read_script(path).run(tmp_path / "out", echo=lambda _: None), script.film()
    assert film is not None
    np.testing.assert_allclose(film.quaternion, whole.quaternion, atol=1e-7)
    np.testing.assert_array_equal(film.time, whole.time)


def test_a_command_of_several_lines_is_complete_with_its_last_line(tmp_path):
    script = InteractiveScript(tmp_path, tmp_path / "out", lambda _: None)
    script.read(written(tmp_path))
    for line in ("joint arm k 1", "addroach clock"):
        assert script.give(line)
    assert [script.give(line) for line in ("procom 0", "motor arm etarget 0.1 *1", ".")] == [False, False, True]
    assert len(script.interpreter.gaits["clock"].legs[0].step) == 1


def test_a_command_that_fails_leaves_the_simulation_as_it_was(tmp_path):
    script = InteractiveScript(tmp_path, tmp_path / "out", lambda _: None)
    script.read(written(tmp_path))
    script.give("go 5")
    with pytest.raises(ScriptError, match='line 2: joint: corpus "clock" has no body "leg"'):
        script.give("joint leg q 1")
    script.give("go 5")
    assert len(script.film().time) == 11


def test_the_options_of_output_apply(tmp_path):
    written(tmp_path)
    options = ["--export", "clock.csv", "--plot", "kinetic", "--plot-file", "kinetic.csv"]
    run = subprocess.run(
        [*COMMAND, *options], input="go 20\n", capture_output=True, text=True, cwd=tmp_path, timeout=300, check=True
    )
    assert "wrote" in run.stdout
    for name in ("clock.csv", "kinetic.csv"):
        assert len((tmp_path / name).read_text(encoding="utf-8").splitlines()) >= 22


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seconds", "1"], "--seconds: the commands that you type determine the time"),
        (["--contact", "impulse"], '--contact: "clock.corpus" is a script, which sets this itself'),
        (["--live"], "--live: a page cannot simulate commands that were typed"),
    ],
)
def test_other_options_are_refused_before_work(options, message, tmp_path):
    written(tmp_path)
    run = subprocess.run(
        [*COMMAND, *options], input="go 20\n", capture_output=True, text=True, cwd=tmp_path, timeout=99
    )
    assert run.returncode == 2
    assert message in " ".join(run.stderr.split())
    assert not (tmp_path / "out").exists()


def read_until(terminal, text, seconds=240.0):
    """Return what a terminal shows until a text appears."""
    shown, end = "", time.monotonic() + seconds
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"{text!r} did not appear after: {shown[-2000:]}"
        shown += os.read(terminal, 4096).decode("utf-8", "replace")
    return shown


def test_ctrl_c_stops_a_simulation_and_saves_what_was_simulated(tmp_path):
    written(tmp_path)
    master, slave = pty.openpty()
    with subprocess.Popen(
        COMMAND, stdin=slave, stdout=slave, stderr=slave, cwd=tmp_path, start_new_session=True
    ) as run:
        os.close(slave)
        read_until(master, "gambol> ")
        os.write(master, b"go 3\n")
        read_until(master, "gambol> ")
        os.write(master, b"go 500000\n")
        read_until(master, "simulating")
        time.sleep(1.0)
        run.send_signal(signal.SIGINT)
        read_until(master, "gambol> ")
        os.write(master, b"time\n")
        reached = float(read_until(master, "gambol> ").split("time ")[1].split()[0])
        os.write(master, b"go 2\nquit\n")
        read_until(master, "wrote ")
        assert run.wait(60) == 0
    os.close(master)
    assert 0.003 < reached < 500.0
    film = Film.load(tmp_path / "out" / "clock.npz")
    assert film.time[-1] == pytest.approx(reached + 0.002, abs=1e-9)
