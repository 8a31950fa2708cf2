"""The runner: rows by pattern, results in a file, and a wrong result that does not count."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import __main__ as runner
from benchmarks.rows import ROWS, Goal, Result, Row

WANTED = {"benchmark", "model", "dof", "precision", "worlds", "threads", "ns_per_step", "peer", "peer_ns_per_step"}


def test_every_row_has_a_name_of_its_own_and_a_benchmark():
    assert not [name for name, count in Counter(row.name for row in ROWS).items() if count > 1]
    assert {row.benchmark for row in ROWS} == set(runner.RUN)


@pytest.mark.parametrize("pattern", ["forward quadruped float32", "airborne quadruped float64"])
def test_a_row_is_checked_timed_and_written(pattern: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert runner.main(pattern) == 0
    (entry,) = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert entry.keys() >= WANTED | {"ratio", "compile_s", "checked", "contacts", "step_s", "energy_drift"}
    assert entry["checked"]
    assert entry["peer_ns_per_step"] > entry["ns_per_step"] > 0.0


def test_an_unknown_pattern_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert runner.main("centipede") == 2
    assert not (tmp_path / "out").exists()


def test_a_wrong_result_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def wrong(row: Row) -> Result:
        raise AssertionError("accelerations differ")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(runner.RUN, "forward", wrong)
    assert runner.main("forward quadruped float32") == 1
    (entry,) = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert not entry["checked"]
    assert "accelerations differ" in entry["check"]


def test_a_goal_is_met_at_its_bound():
    row = Row("walk", "roach", "float64", 8, Goal("wall_over_one", most=2.0))
    assert runner.entry(row, Result(38, "", more={"wall_over_one": 2.0}))["met"]
    assert not runner.entry(row, Result(38, "", more={"wall_over_one": 2.1}))["met"]
