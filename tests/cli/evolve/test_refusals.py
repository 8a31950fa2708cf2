"""Error messages of the commands about evolution for impossible requests, before any file is made."""

import pytest
from invoked import TINY, invoke


@pytest.mark.parametrize(("search", "least"), [("es", 2), ("ga", 3), ("cma", 4), ("islands", 8)])
def test_a_population_without_parents_names_what_to_change(search, least, tmp_path):
    """The number in the message is enough, and one fewer is not."""
    words = ["evolve", *TINY, "--search", search, "--out", tmp_path / "out"]
    message = (
        f"--population: a population of {least - 1} is too small for --search {search}, which needs {least} or more"
    )
    result = invoke(*words, "--population", least - 1)
    assert result.exit_code == 2
    assert message in result.output
    assert not (tmp_path / "out").exists()


def test_an_error_that_no_population_can_mend_is_unchanged(tmp_path):
    result = invoke("evolve", *TINY, "--body", "free", "--search", "cma", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "--population" not in result.output
    assert "CMA-ES needs genotypes that all have the same" in result.output


def test_no_run_is_begun_for_a_cluster_that_does_not_answer(tmp_path):
    result = invoke("evolve", *TINY, "--executor", "dask:tcp://nowhere.invalid:8786", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "dask: no scheduler answers at tcp://nowhere.invalid:8786" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [["replay", 1, 0], ["lineage"], ["evolve", "--resume"], ["breed", 1]])
def test_an_empty_file_is_left_empty(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.db").touch()
    result = invoke(*words, "--db", "empty.db")
    assert result.exit_code == 2
    assert "empty.db: it is empty; begin a run there, as with `gambol evolve --db`" in result.output
    assert (tmp_path / "empty.db").read_bytes() == b""
    assert [path.name for path in tmp_path.iterdir()] == ["empty.db"]


def test_a_run_is_headed_once(bred):
    _, output = bred
    assert output.count("run 1: walk, quadruped") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["replay", 1, 2**70], "ID: "),
        (["replay", 2**70, 1], "RUN: "),
        (["lineage", "--of", 5000 * "9"], "ID: "),
        (["evolve", "--resume", 2**70], "RUN: "),
        (["breed", 2**70], "RUN: "),
    ],
)
def test_a_number_that_no_archive_holds_is_refused(words, said, archive, tmp_path):
    result = invoke(*words, "--db", archive, "--out", tmp_path / ("out.html" if words[0] == "lineage" else "out"))
    assert result.exit_code == 2
    assert f"Error: {said}" in result.stderr
    assert "is larger than any number of a run or a creature" in result.stderr


@pytest.mark.parametrize("command", ["evolve", "breed"])
def test_the_error_names_the_bounds_of_a_seed(command, tmp_path):
    for seed in (-1, 2**63, 2**70):
        result = invoke(command, "--seed", seed, "--out", tmp_path / "out")
        assert result.exit_code == 2
        assert f"seed is {seed}; give a whole number from 0 to {2**63 - 1}" in result.stderr
