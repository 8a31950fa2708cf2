"""`gambol walk --kinematic`: standing feet do not move, bodies bank, and options of forces are refused."""

import json
import math

import numpy as np
import pytest
from invoked import invoke

from gambol.world import Film


@pytest.mark.parametrize("name", ["dog", "roach"])
def test_a_circle_is_walked_without_forces(name: str, tmp_path):
    done = invoke("walk", name, "--kinematic", "--turn", 40, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    film, summary = Film.load(tmp_path / f"{name}.npz"), json.loads((tmp_path / f"{name}.json").read_text())
    assert summary["foothold_error_m"] < 1e-9
    top = np.linalg.norm(np.diff(film.position[:, 0, 0, :2], axis=0), axis=1).max() / np.diff(film.time).max()
    lean = math.degrees(math.atan(top * math.radians(40.0) / 9.81))  # tan(lean) = v^2 / (g r) = v w / g
    assert summary["largest_lean_deg"] == pytest.approx(lean, rel=0.1)
    w, x, y, z = film.quaternion[-1, 0, 0]
    turned = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    assert turned == pytest.approx(math.radians(40.0) * 0.9 * film.duration, rel=0.05)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("roach", "--crab", "2"), "--crab: a kinematic walk has no such option"),
        (("dog", "--contact", "impulse"), "--contact: a kinematic walk has no such option"),
        (("snake",), "the snake has no legs on a free trunk"),
        (("dog", "--speed", "-1"), "--speed: -1 is not possible"),
    ],
)
def test_other_options_and_creatures_are_refused(words, message, tmp_path):
    done = invoke("walk", *words, "--kinematic", "--out", tmp_path)
    assert done.exit_code == 2
    assert message in done.output
