"""The runner: rows by pattern, results in a file, and wrong results that do not count."""

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import __main__ as runner
from benchmarks.rows import ROWS, Goal, Result, Row

EXPECTED = {"benchmark", "model", "dof", "precision", "worlds", "threads", "ns_per_step", "peer", "peer_ns_per_step"}


def test_every_row_has_a_name_of_its_own_and_a_benchmark():
    assert not [name for name, count in Counter(row.name for row in ROWS).items() if count > 1]
    assert {row.benchmark for row in ROWS} == set(runner.RUN)


@pytest.mark.parametrize("pattern", ["forward quadruped float32", "airborne quadruped float64"])
def test_a_row_is_checked_timed_and_written(pattern: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert runner.main(pattern) == 0
    (entry,) = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert entry.keys() >= EXPECTED | {"ratio", "compile_s", "checked", "contacts", "step_s", "energy_drift"}
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


def test_a_goal_is_reached_at_its_bound():
    row = Row("walk", "roach", "float64", 8, Goal("wall_over_one", most=2.0))
    assert runner.entry(row, Result(38, "", more={"wall_over_one": 2.0}))["met"]
    assert not runner.entry(row, Result(38, "", more={"wall_over_one": 2.1}))["met"]


def test_a_failing_row_is_reported_and_the_others_run(tmp_path, monkeypatch, capsys):
    """A package is missing, as in a fresh clone: rows before and after are written, and keep their places."""

    def missing(row: Row) -> Result:
        raise ModuleNotFoundError("No module named 'imageio' [/see]")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(runner.RUN, "airborne", missing)
    monkeypatch.setitem(runner.RUN, "forward", lambda row: Result(18, "fine"))
    assert runner.main("^(forward|airborne) quadruped") == 1
    found = json.loads((tmp_path / "out" / "bench.json").read_text())
    rows = [row for row in ROWS if row.benchmark in ("forward", "airborne") and row.model == "quadruped"]
    assert [(e["benchmark"], e["precision"]) for e in found] == [(row.benchmark, row.precision) for row in rows]
    assert [e["checked"] for e in found] == [row.benchmark == "forward" for row in rows]
    assert all(e.keys() == found[0].keys() for e in found)
    assert {e["check"] for e in found} == {"fine", "ModuleNotFoundError: No module named 'imageio' [/see]"}
    assert "rows failed: airborne quadruped" in " ".join(capsys.readouterr().out.split())


def test_ctrl_c_saves_the_finished_rows(tmp_path, monkeypatch, capsys):
    seen: list[list[dict[str, object]]] = []

    def measured(row: Row) -> Result:
        if row.precision == "float64":
            seen.append(json.loads((tmp_path / "out" / "bench.json").read_text()))
            raise KeyboardInterrupt
        return Result(18, "fine")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(runner.RUN, "forward", measured)
    assert runner.main("^forward quadruped float") == 130
    found = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert seen == [found]  # it was there before the next row began
    assert [e["precision"] for e in found] == ["float32"]
    assert list((tmp_path / "out").iterdir()) == [tmp_path / "out" / "bench.json"]
    assert "interrupted after 1 of" in capsys.readouterr().out
