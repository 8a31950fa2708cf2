"""`gambol direct`: animals by name and evolved creatures of files follow commands; others are refused."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from invoked import invoke

import gambol
from gambol.cli.pages import DIRECTED, MAX_BYTES
from gambol.evolve.genotype import write_genotype
from gambol.evolve.zoo import zoo_creature
from gambol.world import Film

ZOO = Path(gambol.__file__).parent / "evolve" / "zoo"


def heading(film: Film) -> float:
    w, _, _, z = film.quaternion[-1, 0, 0]
    return 2.0 * math.atan2(float(z), float(w))


def test_a_creature_of_a_file_turns_to_both_sides(tmp_path: Path):
    """The cat of the zoo under another name; its motors are those of the file."""
    write_genotype(zoo_creature("cat").genotype, tmp_path / "tom.toml")
    headings = dict[float, float]()
    for turn in (12.0, -12.0):
        done = invoke("direct", tmp_path / "tom.toml", "--turn", turn, "--seconds", 2, "--film", "--out", tmp_path)
        assert done.exit_code == 0, done.output
        headings[turn] = heading(Film.load(tmp_path / "tom.npz"))
        assert json.loads((tmp_path / "tom.json").read_text())["fell"] is False
    assert headings[12.0] - headings[-12.0] > math.radians(12.0)  # a quarter of the commanded difference


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("hond", 'there is no creature "hond"; did you mean "hound"'),
        (
            "worm",
            "the worm cannot be directed, because its joints only stretch; creatures that can are simbicon-3d",
        ),
        ("none.toml", "cannot be read"),
        (ZOO / "walker.toml", 'its control is "spectral", and only those of kind stride and trot follow commands'),
    ],
)
def test_others_are_refused(word: str, message: str, tmp_path: Path):
    done = invoke("direct", word, "--out", tmp_path)
    assert done.exit_code == 2
    assert message in done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["walk", "direct"])
def test_the_dog_turns_by_the_same_option_of_both_commands(command: str, tmp_path: Path):
    done = invoke(command, "dog", "--turn", 20, "--seconds", 3, "--out", tmp_path, "--film")
    assert done.exit_code == 0, done.output
    assert heading(Film.load(tmp_path / "dog.npz")) == pytest.approx(math.radians(20.0) * 2.0, rel=0.1)  # 1 s of ease


@pytest.mark.parametrize(
    ("words", "speed"),
    [
        (("walk", "raibert-hopper-3d", "--backward"), (-1.0, 0.0)),
        (("walk", "raibert-hopper-3d", "--crab", 60, "--speed", 0.5), (0.5, 0.6)),
        (("direct", "raibert-hopper-3d", "--crab", -60), (0.0, -0.6)),
    ],
)
def test_machines_walk_backward_and_sideways_by_options(
    words: tuple[object, ...], speed: tuple[float, float], tmp_path
):
    done = invoke(*words, "--seconds", 12, "--out", tmp_path, "--film")
    assert done.exit_code == 0, done.output
    film = Film.load(tmp_path / "raibert-hopper-3d.npz")
    late = film.time > 6.0
    seconds, centre = np.ptp(film.time[late]), film.signals["centre"][late, 0, :2]
    assert tuple((centre[-1] - centre[0]) / seconds) == pytest.approx(speed, abs=0.06)


def test_a_creature_that_does_not_walk_backward_says_so(tmp_path: Path):
    done = invoke("walk", "snake", "--backward", "--out", tmp_path)
    assert done.exit_code == 2
    assert "--backward: the snake does not walk backward; leave it out" in done.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("dog", "--style", "tired"), '"dog" has no style'),
        (("dog", "--speed", "1,6"), "the dog cannot move at 6 m/s with its gait by speed; give 0.6 to 4.5"),
        (("raibert-hopper-3d", "--speed", "1,2"), "--speed: the raibert-hopper-3d has one speed"),
        (("hound", "--speed", "0.3,9"), "a speed of 9 m/s is not possible; give 0 to"),
        (("dog", "--turn", "50"), "a turn of 0.873 rad/s is not possible; give -0.6 to 0.6"),
    ],
)
def test_impossible_directions_are_refused(options: tuple[str, ...], message: str, tmp_path: Path):
    done = invoke("direct", *options, "--out", tmp_path)
    assert done.exit_code == 2
    assert message in done.output


@pytest.mark.slow
def test_a_page_of_a_long_take_with_changes_of_gait_simulates_the_animal(tmp_path: Path):
    """Its page is larger than those of other commands may be, but within the limit of directed creatures."""
    done = invoke("direct", "hound", "--gait", "walk:trot:walk", "--seconds", "10", "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert "plays the film only" not in done.output
    assert MAX_BYTES < (tmp_path / "hound.html").stat().st_size < DIRECTED.size
