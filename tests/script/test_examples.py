"""The example scripts are read without a warning, and what they move ends where they say."""

from pathlib import Path

import pytest

from gambol.script import read_script

SCRIPTS = Path(__file__).parents[2] / "examples" / "scripts"


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.corpus")), ids=lambda path: path.stem)
def test_every_example_can_be_read(path):
    read_script(path)


def test_the_arm_lifts_its_hand_and_releases(tmp_path):
    output = []
    film = read_script(SCRIPTS / "arm.corpus").run(tmp_path, echo=output.append)
    z = film.position[:, 0, film.link_names.index("lower"), 2]
    assert output[:2] == ["It lifts its hand", "and lets go."]
    assert film.duration == pytest.approx(3.0)
    assert z[film.time < 1.5].max() > z[0] + 0.02
    assert z[-1] == pytest.approx(-0.3, abs=0.01)  # it swings out
    assert abs(film.signals["unaccounted"]).max() < 1e-3 * film.signals["motors"].max()
