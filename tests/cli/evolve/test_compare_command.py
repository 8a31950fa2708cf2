"""The command `gambol compare`: files, a second call that evaluates nothing, and refusals."""

import pytest
from invoked import TINY, invoke

from gambol.evolve.archive import Archive


@pytest.mark.filterwarnings("ignore:.*VersionWarning")
def test_files_are_written_and_a_second_call_evaluates_nothing(tmp_path):
    words = ["compare", "es", "random", "--seeds", "2", *TINY, "--out", tmp_path]
    result = invoke(*words)
    assert result.exit_code == 0, result.output
    assert "4 of 4: random, seed 1, run 4: best" in result.output
    assert "es, random" in result.output
    for ending in ("svg", "pdf", "png", "csv", "tex", "json"):
        assert (tmp_path / f"compare-walk.{ending}").stat().st_size > 100
    again = invoke(*words)
    assert again.exit_code == 0
    assert "of 4:" not in again.output
    with Archive(tmp_path / "evolve.db") as archive:
        assert len(archive.runs()) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["es"], "needs two searches or more"),
        (["es", "sa"], '"sa" is unknown'),
        (["es", "choice"], '"choice" needs a person who chooses'),
        (["es", "es"], '"es" is named twice'),
        (["es", "ga", "--seeds", "0"], "1 to 10000 seeds"),
        (["es", "ga", "--task", "wlk"], "walk"),
    ],
)
def test_refusals_come_before_any_file(tmp_path, words, message):
    result = invoke("compare", *words, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "out").exists()
