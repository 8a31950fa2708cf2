"""Every command on a full disk: one line, exit code 2, and no file half written."""

import os
from pathlib import Path

import pytest
from full_disk import files_of_at_most
from invoked import TINY, invoke
from model_files import HOPPER

from gambol.cli.evolve import artifacts
from gambol.cli.guard import WRONG_INPUT
from gambol.view import picture

WORDS = {
    "walk": ["--parameters", "thesis", "--seconds", "0.02"],
    "run": ["hopper.toml", "--seconds", "0.02"],
    "convert": ["hopper.toml", "out/hopper.xml"],
    "evolve": TINY,
    "replay": ["walker"],
    "lineage": ["--db", "evolve.db", "--films", "1", "--out", "out/lineage.html"],
}
SIZE = 300  # bytes of the largest file


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    """A folder with a figure; every program compiled and every archive made before the disk is full."""
    monkeypatch.setattr(picture, "can_render", lambda: False)
    monkeypatch.setattr(artifacts.opengl, "can_render", lambda: False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    Path("hopper.toml").write_text(HOPPER)


@pytest.mark.parametrize("name", WORDS)
def test_a_full_disk_is_an_error_of_one_line(name):
    if name == "lineage":
        assert invoke("evolve", *TINY, "--db", "evolve.db", "--out", "before").exit_code == 0
    with files_of_at_most(SIZE):
        result = invoke(name, *WORDS[name])
    assert result.exit_code == WRONG_INPUT, (result.output, result.exception)
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert "largest file size allowed here" in line or "see that the disk has room" in line
    assert not [path for path in Path("out").rglob("*") if path.suffix in (".html", ".json", ".npz", ".png", ".xml")]
    assert not [path for path in Path().rglob(".*") if path.is_file()], os.listdir()
