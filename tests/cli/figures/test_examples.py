"""The examples that come with gambol, and the commands of the manuals that name them."""

import re
import tomllib
from pathlib import Path

import pytest
from invoked import invoke

from gambol.cli.figures.examples import examples, examples_folder, write_examples

ROOT = Path(__file__).parents[3]
MANUALS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
NAMED = re.compile(r"gambol (run|inspect|convert) (\S+)(?: (\S+))?")
PLACE = re.compile(r"examples/[\w/]+\.(?:toml|corpus|py)")


def test_the_examples_are_written_as_they_are_and_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = invoke("examples")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("wrote ") == len(examples())
    for name in examples():
        assert (tmp_path / "examples" / name).read_bytes() == (examples_folder() / name).read_bytes()
    assert {"figures/trapeze.toml", "scripts/walk.corpus", "jump.py"} <= {name.as_posix() for name in examples()}
    assert invoke("examples").stdout == "examples already has all examples\n"


def test_a_file_of_the_users_own_is_not_replaced(tmp_path):
    mine = tmp_path / "scripts" / "walk.corpus"
    mine.parent.mkdir()
    mine.write_text("mine")
    result = invoke("examples", tmp_path)
    assert result.exit_code == 2
    assert "exists already and differs from the example" in result.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [mine]
    assert mine.read_text() == "mine"


def test_what_is_missing_is_written_again(tmp_path):
    write_examples(tmp_path)
    (tmp_path / "jump.py").unlink()
    assert write_examples(tmp_path) == [tmp_path / "jump.py"]


def test_the_wheel_and_the_source_archive_hold_the_examples():
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["force-include"] == {"examples": "gambol/examples"}
    assert "/examples" in targets["sdist"]["include"]


@pytest.mark.parametrize("manual", MANUALS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_example_that_a_manual_names_is_there(manual):
    for name in PLACE.findall(manual.read_text()):
        assert (ROOT / name).is_file(), name


@pytest.mark.parametrize("manual", [ROOT / "README.md", ROOT / "docs" / "index.md"], ids=lambda path: path.name)
def test_every_file_in_the_first_commands_that_a_user_sees_is_there(manual):
    """Each file is an example, or written by an earlier command."""
    made: set[str] = set()
    for block in BLOCK.findall(manual.read_text()):
        for command, file, other in NAMED.findall(block):
            assert file in made or (file.startswith("examples/") and (ROOT / file).is_file()), file
            if command == "convert":
                made.add(other)
