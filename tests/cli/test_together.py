"""`gambol together`: several creatures in one world, and what became of each."""

import json
from pathlib import Path

import pytest
from invoked import invoke

from gambol.cli.pages import SEVERAL_CREATURES
from gambol.world import Film


@pytest.mark.slow
def test_a_race_is_won_by_the_one_that_is_faster_alone(tmp_path: Path):
    """A cat walks at 0.52 m/s, a beetle at 0.37 m/s."""
    done = invoke("together", "cat", "beetle", "--seconds", 3, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "together.json").read_text())["creatures"]
    cat, beetle = found
    assert [one["name"] for one in found] == ["cat", "beetle"]
    assert cat["path_length_m"] > 1.2 * beetle["path_length_m"] > 0.5
    assert not cat["fell"]
    assert not beetle["fell"]
    film = Film.load(tmp_path / "together.npz")
    assert film.signals["q"].shape[-1] == 23 + 26
    assert "plays the film only" not in done.output  # the page simulates both, see SEVERAL_CREATURES
    assert 1.5e6 < (tmp_path / "together.html").stat().st_size < SEVERAL_CREATURES.size
    assert (tmp_path / "together.png").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hound", "hond"], 'there is no creature "hond"'),
        (["hound:chaise", "hound"], 'there is no behaviour "chaise"'),
        (["hound", "dog"], "they have a different timing"),
        (["hound", "worm"], "the worm cannot be directed, because"),
        (["hound", "--count", 13], "13 creatures are not possible"),
        (["hound", "--seconds", 0], "--seconds: 0 is not possible"),
        (["dog:chase", "dog"], '"dog1" cannot act on others: only creatures whose control evolved'),
        (["hound:chase"], "one creature alone cannot act on others"),
        (["hound", "cat", "--places", "none.csv"], 'no file of places "none.csv"'),
        (["hound", "cat", "--places", "three.csv"], "needs 2 rows"),
        (["hound", "hound", "--places", "same.csv"], "set into each other"),
    ],
)
def test_impossible_words_are_refused_before_work(words: list[object], message: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("three.csv").write_text("0,0\n0,3\n0,6\n")
    Path("same.csv").write_text("0,0,0\n0.3,0,10\n")
    done = invoke("together", *words)
    assert done.exit_code != 0
    assert message in " ".join(done.output.split())
    assert not Path("out").exists()
