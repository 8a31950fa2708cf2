"""Cloth, ropes and particles in the world of a script."""

import numpy as np
import pytest
from scripts import PENDULUM, read, written

from gambol.script.language.lines import ScriptError, ScriptWarning

ROPE = """format = "gambol figure 1"
name = "rope"

[[ropes]]
name = "rope"
from = [0, 0, -0.55]
to = [0.2, 0, -0.55]
segments = 4
density = 0.05
stretch = 100
damping = 0.01
held = [{ link = "arm", points = [0], at = [[0, 0, -0.5]], stiffness = 200, damping = 0.2 }]
touches = []

[[emitters]]
name = "dust"
source = { kind = "point", position = [0, 0, -1] }
rate = 500
lifetime = 1
"""
START = PENDULUM + "matter rope.toml\njoint arm q 0.4\n"


def film_of(folder, text, rope=ROPE):
    written(folder, rope, "rope.toml")
    return read(folder, text).run(folder, echo=str)


def test_a_pendulum_pulls_a_rope_that_slows_it(tmp_path):
    film = film_of(tmp_path, START + "iter 10\ngo 30")
    rope, dust = film.matter
    assert rope.name == "rope"
    assert rope.points.shape == (31, 5, 3)
    assert len(dust.points[dust.frame(30)]) == 150
    end = film.position[:, 0, film.link_names.index("arm")]
    w, x, y, z = film.quaternion[:, 0, film.link_names.index("arm")].T
    tip = end + 0.5 * -np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    assert np.abs(rope.points[15:, 0] - tip[15:]).max() < 0.01, "held at the tip, once its swing in the hold has died"
    alone = read(tmp_path, PENDULUM + "joint arm q 0.4\niter 10\ngo 30").run(tmp_path, echo=str)
    assert np.abs(film.quaternion - alone.quaternion).max() > 1e-2


def test_matter_continues_in_the_next_simulation_with_the_same_bits(tmp_path):
    once, twice = (film_of(tmp_path, START + f"iter 5\n{text}") for text in ("go 8", "go 3\ngo 5"))
    assert len(twice.time) == len(once.time) == 9
    assert np.array_equal(once.matter[0].points, twice.matter[0].points)
    assert np.array_equal(once.matter[1].points, twice.matter[1].points)
    assert np.array_equal(once.position, twice.position)


ANCHORED = ROPE.replace(", at = [[0, 0, -0.5]]", "")
"""A rope that is held where it is at the start, not at a given place of the arm."""


@pytest.mark.parametrize("rope", [ROPE, ANCHORED])
def test_a_dump_holds_the_matter_and_another_script_continues_with_the_same_bits(tmp_path, rope):
    once = film_of(tmp_path, START + "iter 1\ngo 8", rope)
    film_of(tmp_path, START + "go 3\ndumps state.dump\ndumpcontacts contacts.dump\n", rope)
    again = film_of(tmp_path, START + "iter 1\nloads state.dump\nloadcontacts contacts.dump\ngo 5", rope)
    assert len(again.time) == 6
    assert np.array_equal(once.matter[0].points[3:], again.matter[0].points)
    assert np.array_equal(once.position[3:], again.position)
    born = [len(film.matter[1].points[film.matter[1].frame(k)]) for film, k in ((once, 8), (again, 5))]
    assert born[0] == born[1] > 0


def test_points_are_held_in_the_same_place_after_the_next_go(tmp_path):
    once, twice = (film_of(tmp_path, START + f"iter 5\n{text}", ANCHORED) for text in ("go 20", "go 10\ngo 10"))
    assert np.array_equal(once.matter[0].points, twice.matter[0].points)


def test_a_dump_before_the_first_go_sets_matter_back_to_its_start(tmp_path):
    once = film_of(tmp_path, START + "iter 1\ngo 4")
    text = (
        "iter 1\ndumps state.dump\ndumpcontacts contacts.dump\ngo 4\nloads state.dump\nloadcontacts contacts.dump\ngo 4"
    )
    again = film_of(tmp_path, START + text)
    assert np.array_equal(once.matter[0].points[1:], again.matter[0].points[5:])


def test_dumps_of_other_matter_are_refused(tmp_path):
    film_of(tmp_path, START + "go 3\ndumps state.dump\n")
    with pytest.raises(ScriptError, match=r'"state.dump" cannot be loaded: .*5 points and 4 springs is not a state of'):
        film_of(tmp_path, START + "loads state.dump\ngo 1", ROPE.replace("segments = 4", "segments = 6"))
    with pytest.raises(ScriptError, match="no state of this matter"):
        film_of(tmp_path, START + "loads state.dump\ngo 1", ROPE.replace('name = "rope"\nfrom', 'name = "cord"\nfrom'))
    bare = PENDULUM + "loads state.dump\ngo 1"
    with pytest.warns(ScriptWarning, match="holds matter, and this script has none"):
        read(tmp_path, bare).run(tmp_path, echo=str)


@pytest.mark.parametrize(
    ("text", "rope", "message"),
    [
        ("matter rope.toml\ngo 1", ROPE.replace('"arm"', '"armm"'), '"armm"'),
        ("go 1\nmatter rope.toml", ROPE, "before the first go"),
        ("matter rope.toml\nmatter rope.toml", ROPE, "already"),
        (
            "matter rope.toml",
            ROPE[: ROPE.index("[[ropes")] + '[[links]]\nname = "a"\njoint = { kind = "fixed" }\n',
            "no cl",
        ),
        ("matter rope.toml\ngo 1", ROPE + '[[links]]\nname = "a"\njoint = { kind = "fixed" }\n', "has links"),
        ("matter other.toml\ngo 1", ROPE, "other.toml"),
    ],
)
def test_wrong_matter_is_an_error_before_the_simulation(tmp_path, text, rope, message):
    written(tmp_path, rope, "rope.toml")
    with pytest.raises(ScriptError, match=message):
        read(tmp_path, PENDULUM + text)
