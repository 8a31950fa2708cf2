"""The command `gambol collision`."""

import pytest
from invoked import invoke
from model_files import HOPPER

from gambol.cli.figures.collision import read_velocity
from gambol.errors import GambolError


@pytest.fixture
def hopper(tmp_path):
    path = tmp_path / "hopper.toml"
    path.write_text(HOPPER)
    return path


def test_a_picture_of_a_figure_is_written(hopper, tmp_path):
    picture = tmp_path / "hopper.png"
    result = invoke("collision", hopper, "--friction", "0.2", "--friction", "0.9", "--picture", picture)
    assert result.exit_code == 0, result.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "K [1/kg]" in result.output
    assert "0.9" in result.output


@pytest.mark.parametrize(
    "words", [["--link", "fot"], ["--velocity", "1,2,3"], ["--friction", "-1"], ["--restitution", "2"]]
)
def test_wrong_options_are_refused(hopper, tmp_path, words):
    result = invoke("collision", hopper, *words, "--picture", tmp_path / "hopper.png")
    assert result.exit_code == 2
    assert words[0] in result.stderr
    assert not (tmp_path / "hopper.png").exists()


@pytest.mark.parametrize("text", ["", "1,2", "1,2,0", "a,b,c", "nan,0,-1"])
def test_velocities_that_do_not_approach_are_refused(text):
    with pytest.raises(GambolError, match="--velocity"):
        read_velocity(text)
