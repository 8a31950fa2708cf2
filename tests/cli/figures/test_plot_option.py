"""`--plot` of `gambol run`: files, unknown names before and after the simulation."""

from pathlib import Path

import pytest
from invoked import invoke
from model_files import HOPPER

from gambol.cli.guard import WRONG_INPUT
from gambol.view import opengl


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(opengl, "can_render", lambda: False)
    monkeypatch.chdir(tmp_path)
    Path("hopper.toml").write_text(HOPPER)


def test_a_run_draws_the_requested_plots_and_names_missing_signals():
    result = invoke("run", "hopper.toml", "--seconds", "0.05", "--plot", "energy, centre.z,nobody.z")
    assert result.exit_code == 0, result.output
    assert 'has no signal "nobody.z"' in " ".join(result.stderr.split())
    assert "hopper.plot.png" in result.stdout
    assert Path("out/hopper.plot.png").stat().st_size > 10_000


def test_files_of_a_plot_are_chosen():
    files = ("--plot-file", "a/b.csv", "--plot-file", "b.svg")
    result = invoke("run", "hopper.toml", "--seconds", "0.05", "--plot", "speed", *files)
    assert result.exit_code == 0, result.output
    assert Path("a/b.csv").read_text(encoding="utf-8").startswith("time [s],speed [m/s]\n")
    assert Path("b.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert not Path("out/hopper.plot.png").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "hopper.toml", "--plot", "kinetik"), 'there is no signal "kinetik"; did you mean "kinetic"?'),
        (("run", "hopper.toml", "--plot", ""), 'there is no signal ""'),
        (("run", "hopper.toml", "--plot", "speed,"), 'there is no signal ""'),
        (("run", "hopper.toml", "--plot-file", "a.png"), "--plot-file needs --plot"),
        (("run", "hopper.toml", "--plot", "speed", "--plot-file", "a.gif"), "--plot-file: a plot needs a suffix"),
        (("walk", "--plot", "sped"), 'did you mean "speed"?'),
        (("walk", "--all", "--plot", "speed"), "plots and live pages are of one creature"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_work(words: tuple[str, ...], message: str):
    result = invoke(*words)
    assert result.exit_code == WRONG_INPUT
    assert message in " ".join(result.stderr.split())
    assert not Path("out").exists()
