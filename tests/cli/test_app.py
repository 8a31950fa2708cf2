"""The command as its user meets it."""

import json
import os
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

from gambol.cli import app as command
from gambol.cli import session
from gambol.view import opengl, picture
from gambol.world import Film, StoppedWarning

FILES = {"roach.html", "roach.png", "roach.npz", "roach.json"}
SHORT = ["--parameters", "thesis", "--seconds", "0.05"]


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch):
    for name in ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def walk(monkeypatch, tmp_path):
    """The command, run in this process in an empty folder, on a machine without OpenGL."""
    monkeypatch.setattr(picture, "can_render", lambda: False)
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(command.app, ["walk", *SHORT, *words])


def gambol(*words, **more):
    return [sys.executable, "-m", "gambol", *words], {"text": True, "env": os.environ | {"COLUMNS": "160"}, **more}


def test_without_arguments_it_lists_its_commands():
    result = CliRunner().invoke(command.app, [])
    assert result.exit_code == 0
    assert "gambol walk --open" in result.output


def test_help_teaches_by_example():
    result = CliRunner().invoke(command.app, ["walk", "--help"])
    assert result.exit_code == 0
    for words in ("gambol walk --gait wave --feet sticky", "FROM:TO", "--lanes", "default: (tripod)"):
        assert words in result.output


def test_a_walk_writes_its_four_files(walk, tmp_path):
    result = walk()
    assert result.exit_code == 0, result.output
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    measures = json.loads((tmp_path / "out" / "roach.json").read_text())
    for key in (
        "speed_cm_per_s", "stride_s", "duty_factor", "phase", "heading_drift_deg_per_s", "sway_mm",
        "belly_clearance_mm", "unaccounted_energy_fraction", "steps_taken", "steps_rejected", "realtime_factor",
    ):  # fmt: skip
        assert key in measures
    assert measures["asked"]["seconds"] == 0.05
    assert set(measures["phase"]) == {
        f"{rank} {side}" for rank in ("front", "middle", "back") for side in ("left", "right")
    }
    assert Film.load(tmp_path / "out" / "roach.npz").duration == pytest.approx(0.05)
    assert "steps taken" in result.output


@pytest.mark.parametrize(
    "contact",
    ["stepping", pytest.param("impulse", marks=pytest.mark.slow), pytest.param("constraint", marks=pytest.mark.slow)],
)
def test_the_roach_walks_as_fast_by_every_contact_method(walk, tmp_path, contact):
    speeds: list[float] = []
    for method in ("penalty", contact):
        result = walk("--parameters", "tuned", "--contact", method, "--seconds", "0.8", "--film")
        assert result.exit_code == 0, result.output
        measures = json.loads((tmp_path / "out" / "roach.json").read_text())
        assert measures["asked"]["contact"] == method
        assert measures["unaccounted_energy_fraction"] < 0.05
        speeds.append(measures["speed_cm_per_s"])
    assert speeds[1] == pytest.approx(speeds[0], rel=0.15)


def test_rendering_failures_are_warnings(walk):
    assert "Warning: roach.png: no OpenGL here" in walk().stderr


def test_a_walk_too_short_to_measure_has_a_note(walk):
    assert "Warning: the walk has no whole stride" in walk().stderr


def test_several_roaches_start_apart_and_a_seed_repeats_them(walk, tmp_path):
    for out, seed in (("a", "4"), ("b", "4"), ("c", "5")):
        result = walk("--lanes", "3", "--seed", seed, "--out", out)
        assert "mean of 3" in result.output
    a, b, c = (Film.load(tmp_path / out / "roach.npz") for out in "abc")
    assert a.worlds == 3
    assert not np.array_equal(a.position[:, 0], a.position[:, 1])
    assert np.array_equal(a.position, b.position)
    assert not np.array_equal(a.position, c.position)
    assert len(json.loads((tmp_path / "a" / "roach.json").read_text())["walks"]) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--gait", "trot"], "--gait"),
        (["--gait", "0.5"], "give 1"),
        (["--feet", "glued"], "'sliding', 'sticky'"),
        (["--contact", "spring"], 'there is no contact method "spring"'),
        (["--ground", "hils"], 'did you mean "hills"'),
        (["--ground", "none.npy"], "none.npy"),
        (["--seconds", "-1"], "--seconds"),
        (["--seconds", "0"], "--seconds"),
        (["--lanes", "0"], "--lanes"),
        (["--seed", "-1"], "--seed"),
        (["--precision", "float16"], "'float64', 'float32'"),
        (["--parameters", "thesys"], 'did you mean "thesis"'),
        (["--video", "walk.gif"], ".mp4"),
        (["--video", "walk.mp4", "--video-size", "0x100"], "cannot be 0 x 100 pixels large"),
        (["--video", "walk.mp4", "--video-size", "101x100"], "give even numbers, such as 102 x 100"),
        (["--video", "walk.mp4", "--video-size", "large"], "not a size; give pixels, such as 1280x720"),
        (["--video", "walk.mp4", "--video-fps", "0"], "cannot have 0.0 frames/s"),
        (["--video", "walk.mp4", "--video-speed", "nan"], "must be positive"),
        (["--video", "walk.mp4", "--video-quality", "best"], "'draft', 'standard', 'high'"),
        (["--video", "walk.mp4", "--video-worlds", "1"], 'no world "1"; the only world is 0'),
        (["--video", "walk.mp4", "--lanes", "20", "--video-worlds", "all"], "20 takes are too many"),
        (["--video-fps", "25"], "--video-fps needs --video FILE.mp4"),
        (["--camera", "orbti"], 'did you mean "orbit"?; the cameras are follow, fixed, orbit'),
        (["--camera", "empty.toml"], "--camera: empty.toml: a camera needs at least one key"),
        (["--lanse", "3"], "--lanes"),
        (["--out", "taken"], "cannot be written"),
        (["--lanes", "50", "--seconds", "20000"], "24000001 frames of 50 worlds take"),
        (["--seconds", "1e308"], "1e+300 frames of 1 worlds take"),
        (["--lanes", "1000000000"], "1000000000 worlds take"),
        (["--seconds", "nan"], "--seconds: nan is not possible"),
        (["--ground", "steep.csv"], "a height grid cannot have a height of 1e+308 m; give 1e+09 m at most"),
        (["--ground", "hills.npy" + 300 * "y"], "the name is too long"),
        (["--out", 300 * "a"], "--out: the name"),
        (["--video", 300 * "a" + ".mp4"], "--video: the name"),
    ],
)
def test_bad_input_is_refused_before_any_work(walk, tmp_path, words, message):
    (tmp_path / "taken").write_text("mine")
    (tmp_path / "steep.csv").write_text("0,1e308\n0,0\n")
    (tmp_path / "empty.toml").touch()
    result = walk(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not list(tmp_path.glob("out/*"))
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_video_without_opengl_is_refused_before_any_work(walk, tmp_path, monkeypatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    result = walk("--video", "walk.mp4")
    assert result.exit_code == 2
    assert "a video needs OpenGL" in result.stderr
    assert not list(tmp_path.glob("out/*"))


def test_a_bad_height_file_is_named(walk, tmp_path):
    np.save(tmp_path / "hole.npy", [[0.0, 0.0], [0.0, np.nan]])
    result = walk("--ground", "hole.npy")
    assert result.exit_code == 2
    assert '"hole.npy" has nan at row 1, column 1' in result.stderr


def test_a_lane_that_stopped_is_reported(walk, tmp_path, monkeypatch):
    original = session.simulate_walk

    def one_stops(plan, progress, **options):
        plan.state.v[1] = 1e200
        return original(plan, progress, **options)

    monkeypatch.setattr(session, "simulate_walk", one_stops)
    result = walk("--lanes", "2")
    assert result.exit_code == 0
    assert "Warning: lane 1 stopped at 0.0000 s" in result.stderr
    measures = json.loads((tmp_path / "out" / "roach.json").read_text())
    assert measures["stopped_lanes"] == [1]
    assert measures["walks"][0]["steps_taken"] > 100
    assert any("lane 1" in note for note in measures["notes"])


def test_the_exit_code_is_an_error_if_no_world_arrives(walk, monkeypatch):
    original = session.simulate_walk

    def all_stop(plan, progress, **options):
        plan.state.v[:] = 1e200
        return original(plan, progress, **options)

    monkeypatch.setattr(session, "simulate_walk", all_stop)
    assert walk().exit_code == 1


def test_warnings_are_collected_only_while_it_runs(walk):
    walk()
    with pytest.warns(StoppedWarning):
        warnings.warn("still a warning", StoppedWarning, stacklevel=1)


def test_a_real_process_walks_and_draws(tmp_path):
    words, more = gambol("walk", *SHORT, "--out", str(tmp_path), capture_output=True)
    result = subprocess.run(words, check=False, timeout=300, **more)
    assert result.returncode == 0, result.stderr
    assert {path.name for path in tmp_path.iterdir()} == FILES
    assert "wrote" in result.stdout


def test_ctrl_c_saves_the_walk_so_far(tmp_path):
    words, more = gambol(
        "walk", "--parameters", "thesis", "--seconds", "60", "--out", str(tmp_path), stderr=subprocess.PIPE
    )
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, **more) as process:
        for line in process.stderr:
            if "walking" in line:
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        assert process.wait(timeout=300) == 130, rest
    assert "interrupted after" in rest
    film = Film.load(tmp_path / "roach.npz")
    assert 0.0 < film.duration < 60.0
    assert json.loads((tmp_path / "roach.json").read_text())["interrupted"] is True
    assert {path.name for path in tmp_path.iterdir()} == FILES
