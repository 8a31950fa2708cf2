"""The command plan, as its user meets it."""

import json
import math
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from invoked import invoke

from gambol.cli.guard import WRONG_INPUT
from gambol.cli.plan import plan_command
from gambol.cli.plan.plan_command import UNSOLVED, plan_names
from gambol.cli.plan.progress import DELAY, SolverProgress
from gambol.plan import solver
from gambol.view import opengl
from gambol.world import Film
from gambol.world.film.quantities import quantities_of

EXAMPLES = Path(__file__).parents[2] / "examples" / "plans"
BLOCK = EXAMPLES / "block.toml"


@pytest.fixture
def no_pictures(monkeypatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    monkeypatch.setattr(plan_command.opengl, "can_render", lambda: False)


def test_the_block_is_moved_and_its_files_are_written(tmp_path):
    """The best force is 6 - 12 t: its cost is 12 exactly, and the collocation of order 4 has no error at all."""
    result = invoke("plan", BLOCK, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["block.html", "block.json", "block.npz", "block.png"]
    reported = json.loads((tmp_path / "block.json").read_text())
    assert reported["cost"] == pytest.approx(12.0, abs=1e-6)
    assert reported["solved"] is True
    assert reported["interrupted"] is False
    assert max(reported["violation"], reported["error"]) < 1e-8
    assert reported["iterations"] >= 1
    assert reported["seconds"] > 0.0
    assert 0.0 < reported["tracking_error"] < 1e-3
    assert reported["tracking_errors"] == {"lengths": reported["tracking_error"]}
    film = Film.load(tmp_path / "block.npz")
    assert film.worlds == 2  # the plan, and its simulation
    time = film.time
    np.testing.assert_allclose(film.position[:, 0, 0, 0], 3 * time**2 - 2 * time**3, atol=1e-9)
    np.testing.assert_allclose(film.signals["torques"][:, 0, 0], 6 - 12 * time, atol=1e-6)
    np.testing.assert_allclose(film.signals["v"][:, 0, 0], 6 * time - 6 * time**2, atol=1e-9)
    np.testing.assert_allclose(
        quantities_of(film, ["q.block"])[0].lines["q.block"], film.position[:, :, 0, 0], atol=1e-12
    )
    assert "cost" in result.output
    assert "tracking error" in result.output


@pytest.mark.parametrize("backend", ["casadi", "lanes"])
def test_both_backends_find_the_known_cost_of_the_cart_pole(backend, tmp_path, no_pictures):
    """58.8077 N^2 s from an independent solution of the conditions of optimality, see tests of the named problems."""
    words = ("plan", EXAMPLES / "cartpole.toml", "--out", tmp_path, "--no-page", "--no-track", "--backend", backend)
    assert invoke(*words).exit_code == 0
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["cartpole.json", "cartpole.npz"]
    reported = json.loads((tmp_path / "cartpole.json").read_text())
    assert reported["cost"] == pytest.approx(58.8077, abs=2e-4)
    assert reported["tracking_error"] is None


def test_without_a_file_the_examples_are_listed():
    result = invoke("plan")
    assert result.exit_code == 0
    for name in plan_names():
        assert name in result.output
    assert "gambol plan examples/plans/cartpole.toml --open" in result.output


def test_an_example_is_found_by_its_name(tmp_path, no_pictures, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert invoke("plan", "block", "--out", tmp_path / "out").exit_code == 0
    assert json.loads((tmp_path / "out" / "block.json").read_text())["cost"] == pytest.approx(12.0, rel=1e-6)


def test_mistakes_are_errors_before_any_work(tmp_path):
    missing = invoke("plan", tmp_path / "cartpol.toml", "--out", tmp_path / "out")
    assert missing.exit_code == WRONG_INPUT
    assert 'did you mean "cartpole"' in missing.output
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(BLOCK.read_text().replace("torques", "torgues"))
    reported = invoke("plan", wrong, "--out", tmp_path / "out")
    assert reported.exit_code == WRONG_INPUT
    assert 'wrong.toml, line 6: the key "torgues" is not known here; did you mean "torques"?' in reported.output
    assert not (tmp_path / "out").exists()
    assert invoke("plan", BLOCK, "--video", tmp_path / "block.gif").exit_code == WRONG_INPUT


def test_a_plan_draws_the_force_that_it_found(tmp_path, no_pictures):
    """The best force is 6 - 12 t; the film of a block has no contacts."""
    table, exported = tmp_path / "force.csv", tmp_path / "all.csv"
    words = ("--no-page", "--no-track", "--plot", "torques", "--plot-file", table, "--export", exported)
    result = invoke("plan", BLOCK, "--out", tmp_path, *words)
    assert result.exit_code == 0, result.output
    rows = np.genfromtxt(table, delimiter=",", names=True, deletechars="")
    np.testing.assert_allclose(rows["torques.block_[N]"], 6 - 12 * rows["time_[s]"], atol=1e-6)
    assert "contact" not in exported.read_text().splitlines()[0]


def test_a_window_of_another_plan_is_changed_and_the_rest_is_kept(tmp_path, no_pictures):
    """As its user does: both files, and then both films at the same times."""
    for name in ("reach", "reach-changed"):
        words = ("plan", EXAMPLES / f"{name}.toml", "--out", tmp_path, "--no-page", "--no-track")
        result = invoke(*words)
        assert result.exit_code == 0, result.output
    before, after = (Film.load(tmp_path / f"{name}.npz") for name in ("reach", "reach-changed"))
    q, other = before.signals["q"][:, 0], after.signals["q"][:, 0]
    np.testing.assert_allclose(other[:, 0], q[:, 0], atol=1e-6)  # the upper rod, at all times
    outside = (before.time <= 0.2) | (before.time >= 0.8)
    np.testing.assert_allclose(other[outside], q[outside], atol=1e-6)
    assert np.interp(0.5, after.time, other[:, 1]) == pytest.approx(1.2, abs=1e-3)


def test_a_plan_starts_from_a_film(tmp_path, no_pictures):
    """From its own film the cart-pole needs fewer iterations than from a straight line, for the same cost."""
    text = (EXAMPLES / "cartpole.toml").read_text().replace("refinements = 3", "refinements = 0")
    (tmp_path / "first.toml").write_text(text)
    words = ("--out", tmp_path, "--no-page", "--no-track")
    assert invoke("plan", tmp_path / "first.toml", *words).exit_code == 0
    (tmp_path / "again.toml").write_text(text.replace("phases =", 'start_from = "first.npz"\nphases ='))
    assert invoke("plan", tmp_path / "again.toml", *words).exit_code == 0
    first, again = (json.loads((tmp_path / f"{name}.json").read_text()) for name in ("first", "again"))
    assert again["cost"] == pytest.approx(first["cost"], rel=1e-7)
    assert again["iterations"] < first["iterations"]
    part = 'start_from = { film = "first.npz", start = 1.0, end = 2.5 }'
    (tmp_path / "part.toml").write_text(text.replace("phases =", f"{part}\nphases ="))
    reported = invoke("plan", tmp_path / "part.toml", *words)
    assert reported.exit_code == WRONG_INPUT
    assert "ends at 2.5 s, the film at 2 s" in reported.output
    chain = tmp_path / "chain.toml"
    chain.write_text(text.replace("phases =", 'start_from = "again.toml"\nphases ='))
    reported = invoke("plan", chain, *words)
    assert reported.exit_code == WRONG_INPUT
    assert "start from a plan without start_from" in reported.output


def test_an_infeasible_plan_is_an_error_and_is_drawn(tmp_path, no_pictures):
    """A metre in a second takes 6 N at least: with 1 N it moves 25 cm."""
    weak = tmp_path / "weak.toml"
    weak.write_text(BLOCK.read_text().replace("block = inf", "block = 1.0"))
    result = invoke("plan", weak, "--out", tmp_path / "out", "--no-page", "--no-track")
    reported = json.loads((tmp_path / "out" / "weak.json").read_text())
    assert (result.exit_code, reported["solved"]) == (UNSOLVED, False)
    assert reported["violation"] > 1e-3
    assert reported["message"]
    assert "no motion was found that satisfies the plan" in result.output


def test_without_casadi_the_extra_is_named(tmp_path, monkeypatch):
    def absent(name: str):
        raise ImportError(name)

    monkeypatch.setattr(solver.symbols.importlib, "import_module", absent)
    result = invoke("plan", BLOCK, "--out", tmp_path, "--backend", "casadi")
    assert result.exit_code == WRONG_INPUT
    assert "pip install 'gambol[plan]'" in result.output


def test_progress_is_one_line_after_two_seconds(monkeypatch):
    """No terminal here: nothing before DELAY, then a line every few seconds."""
    lines, now = [], [0.0]
    monkeypatch.setattr("gambol.cli.plan.progress.perf_counter", lambda: now[0])
    console = SimpleNamespace(is_terminal=False, print=lambda text, **_: lines.append(str(text)))
    progress = SolverProgress(console, "jump")
    for k in range(8):
        now[0] = k * 1.0
        assert progress(k, 10.0 / (k + 1), 1e-3, None) is True
    assert DELAY == 2.0
    assert lines == [
        "jump: iteration 2, cost 3.33333, violation 1.0e-03, 2 s",
        "jump: iteration 7, cost 1.25, violation 1.0e-03, 7 s",
    ]


SCRIPT = """
import os, pkgutil, signal, sys
from gambol.cli import handle_signals
handle_signals()
from gambol.cli.app import app
owner, _, name = sys.argv[3].rpartition(".")
owner, calls = pkgutil.resolve_name(owner), []
original = getattr(owner, name)
def interrupting(*arguments, **options):
    calls.append(1)
    if len(calls) == int(sys.argv[4]):
        os.kill(os.getpid(), signal.SIGINT)
    return original(*arguments, **options)
setattr(owner, name, interrupting)
app(["plan", sys.argv[1], "--out", sys.argv[2], "--no-page", "--backend", "lanes"])
"""


MOMENTS = {
    "an iteration": ("gambol.cli.plan.progress:SolverProgress.__call__", 4, False, 30, 1),
    "derivatives": ("gambol.plan.solver.lanes.compiled_program.CompiledElement", 1, False, 30, 0),
    "the error of a mesh": ("gambol.plan.motion.solution.collocation_errors", 1, True, 30, 1),
    "formulas of the second mesh": ("gambol.plan.motion.solution.transcribe", 2, True, 30, 1),
    "the simulation": ("gambol.plan.track.track.tracking_world", 1, True, 111, 4),
}


@pytest.mark.parametrize(("place", "call", "solved", "intervals", "meshes"), MOMENTS.values(), ids=MOMENTS.keys())
def test_ctrl_c_writes_the_best_so_far(tmp_path, place, call, solved, intervals, meshes):
    """In an iteration, while derivatives compile, between meshes, and while the plan is simulated."""
    words = [sys.executable, "-c", SCRIPT, str(EXAMPLES / "cartpole.toml"), str(tmp_path), place, str(call)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=250, check=False)
    assert ended.returncode == 128 + signal.SIGINT, ended.stderr
    assert "interrupted" in ended.stderr
    reported = json.loads((tmp_path / "cartpole.json").read_text())
    assert reported["interrupted"] is (place != MOMENTS["the simulation"][0])
    assert reported["solved"] is solved
    assert reported["tracking_error"] is None
    assert reported["meshes"][-1]["intervals"] == intervals
    assert sum(mesh["iterations"] > 0 for mesh in reported["meshes"]) == meshes
    film = Film.load(tmp_path / "cartpole.npz")
    assert len(film.time) > 100
    if solved:  # the pole stands up
        assert film.signals["q"][-1, 0, 1] == pytest.approx(math.pi, abs=1e-6)
