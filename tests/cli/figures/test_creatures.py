"""Genotype files as input of `run`, `inspect` and `convert`."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from invoked import invoke

from gambol.evolve.evaluate import film_rollout
from gambol.evolve.genotype import grow, to_json, write_genotype
from gambol.evolve.runs import Settings
from gambol.evolve.zoo import zoo_creature
from gambol.formats import read_figure
from gambol.world import Film


@pytest.fixture
def walker(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    write_genotype(zoo_creature("walker").genotype, tmp_path / "walk.toml")
    return tmp_path / "walk.toml"


def test_inspect_shows_the_body_that_grows(walker):
    result = invoke("inspect", walker)
    assert result.exit_code == 0, result.output
    creature = grow(zoo_creature("walker").genotype)
    assert all(link.name in result.output for link in creature.figure.links)
    assert "position" in result.output
    assert "a figure file stores neither its control" in result.output


def test_run_simulates_the_creature_with_its_control(walker, tmp_path):
    result = invoke("run", walker, "--seconds", "0.5", "--film")
    assert result.exit_code == 0, result.output
    film = Film.load(tmp_path / "out" / "walk.npz")
    same = film_rollout(Settings(), to_json(zoo_creature("walker").genotype), seconds=0.5)
    np.testing.assert_array_equal(film.position, same.position)
    assert film.signals["motors"][-1, 0] > 0.1  # its muscles worked
    assert json.loads((tmp_path / "out" / "walk.json").read_text())["duration_s"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--lanes", "3"], "--lanes: .*is a genotype, which sets this itself; convert it to a figure file first"),
        (["--contact", "penalty"], "--contact: .*is a genotype"),
        (["--seconds", "1e9"], "--seconds: 1e.09 s is not possible for a creature; give at most 600"),
        (["--seconds", "-1"], "--seconds: -1 is not possible"),
    ],
)
def test_unused_options_of_a_genotype_are_errors(walker, words, message):
    result = invoke("run", walker, *words)
    assert result.exit_code == 2
    assert re.search(message, result.output)


def test_convert_writes_the_figure(walker, tmp_path):
    result = invoke("convert", walker, tmp_path / "figure.toml")
    assert result.exit_code == 0, result.output
    model, creature = read_figure(tmp_path / "figure.toml"), grow(zoo_creature("walker").genotype, "walk")
    assert model.figure == creature.figure
    assert model.q == creature.q
    assert [motor.joint for motor in model.motors] == list(creature.actuators)
    assert invoke("convert", walker, tmp_path / "figure.xml").exit_code == 0


def test_the_error_of_a_genotype_names_its_place(walker):
    walker.write_text(walker.read_text().replace("length = ", "length = -", 1))
    for words in (["run"], ["inspect"], ["convert"]):
        result = invoke(*words, walker, *(["other.toml"] if words == ["convert"] else []))
        assert result.exit_code == 2
        assert "walk.toml, line 3: trunk" in result.output


def test_an_unknown_format_of_a_figure_file_is_an_error(tmp_path):
    path = tmp_path / "thing.toml"
    path.write_text('format = "gambol figure 9"\nname = "gambol genotype 1"\n')
    result = invoke("inspect", path)
    assert result.exit_code == 2
    assert '"gambol figure 9" is not allowed; did you mean "gambol figure 1"?' in result.output
