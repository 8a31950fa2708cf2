"""The command `gambol collision`."""

import numpy as np
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


TWO_BALLS = """format = "gambol figure 1"
name = "two-balls"

[[links]]
name = "left"
joint = { kind = "free" }
parts = [{ shape = "sphere", radius = 0.1, density = 1000 }]

[[links]]
name = "right"
parent = "left"
joint = { kind = "free", position = [0.2, 0, 0] }
parts = [{ shape = "sphere", radius = 0.1, density = 1000 }]
"""


def test_links_collide_with_the_matrix_of_two_free_balls(tmp_path):
    """Along the line of centres K is 2 / m; across it the balls turn, too, so it is 2 (1 / m + r2 / I) = 7 / m."""
    path = tmp_path / "balls.toml"
    path.write_text(TWO_BALLS)
    picture = tmp_path / "balls.png"
    words = ("--link", "right", "--other", "left", "--velocity", "0,0,-1", "--picture", picture)
    result = invoke("collision", path, *words)
    assert result.exit_code == 0, result.output
    assert picture.exists()
    (line,) = [line for line in result.output.splitlines() if line.startswith("K [1/kg]")]
    K = np.array([[float(x) for x in row.split()] for row in line.split(":")[1].split(";")])
    mass = 1000.0 * 4.0 / 3.0 * np.pi * 0.1**3
    np.testing.assert_allclose(K, np.diag([7.0, 7.0, 2.0]) / mass, rtol=1e-3, atol=1e-6)  # four digits are printed
    assert 'link "right" hits link "left" at 0.1 0 0 m, along 1 0 0' in result.output


@pytest.mark.parametrize(
    "words",
    [
        ["--link", "fot"],
        ["--other", "thigh"],
        ["--link", "thigh", "--other", "fot"],
        ["--velocity", "1,2,3"],
        ["--friction", "-1"],
        ["--restitution", "2"],
    ],
)
def test_wrong_options_are_refused(hopper, tmp_path, words):
    result = invoke("collision", hopper, *words, "--picture", tmp_path / "hopper.png")
    assert result.exit_code == 2
    assert words[-2] in result.stderr
    assert not (tmp_path / "hopper.png").exists()


@pytest.mark.parametrize("text", ["", "1,2", "1,2,0", "a,b,c", "nan,0,-1"])
def test_velocities_that_do_not_approach_are_refused(text):
    with pytest.raises(GambolError, match="--velocity"):
        read_velocity(text)
