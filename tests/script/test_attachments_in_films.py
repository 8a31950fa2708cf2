"""Films of scripts show attachments until they break, and bodies that are added between two go commands."""

import numpy as np
import pytest
from scripts import read

HANGING = """addcorpus ball
get ball unit_cube
scale ball 0.1 0.1 0.1
addbody ball ball 0 0 1 rotary 1000
setroot ball
corpusinit
move ball 0 0 0.8
setrootpos
rootmotion free
dt 0.001
"""
BOX = """addcorpus other
get box unit_cube
scale box 0.2 0.1 0.1
addbody box box 0 0 1 rotary 500
setroot box
corpusinit
move box 0.4 0 2
setrootpos
rootmotion free
"""
HOLD = "attach ball world  0 0 0.05  0 0 0.9  20 0 1 1 0.1\n"
G = 9.81


def film_of(tmp_path, text):
    output = []
    return read(tmp_path, text).run(tmp_path / "out", echo=output.append), output


def test_an_attachment_is_a_line_until_it_breaks(tmp_path):
    """1 kg on 20 N/m, from a stretch of 0.05 m at rest: x = 0.4905 - 0.4405 cos(w t) is 0.1 at 0.1037 s."""
    film, output = film_of(tmp_path, HANGING + HOLD + "go 200\n")
    (line,) = film.matter
    np.testing.assert_allclose(line.points[:, 1], np.tile([0.0, 0.0, 0.9], (201, 1)), atol=1e-7)
    np.testing.assert_allclose(line.points[:, 0, 2], film.position[:, 0, 0, 2] + 0.05, atol=1e-6)
    w, rest = np.sqrt(20.0), G / 20.0
    breaks = np.arccos((rest - 0.1) / (rest - 0.05)) / w
    first = int(np.argmin(line.visible[:, 0]))
    assert film.time[first] == pytest.approx(breaks, abs=1.1e-3)  # a frame
    assert not line.visible[first:].any()
    assert output == [f'{film.time[first]:.6g} s: the attachment of "ball" to the world breaks']


def test_bodies_that_are_added_stand_still_in_the_film_before(tmp_path):
    """The box falls freely from 2 m once it is there; its attachment to the ball is invisible before."""
    hold = "attach ball box  0 0 0  0 0 0  0 0 1 1\n"
    film, _ = film_of(tmp_path, HANGING + "go 50\n" + BOX + hold + "go 100\n")
    assert len(film.time) == 151
    box, ball = film.link_names.index("box"), film.link_names.index("ball")
    fallen = 0.5 * G * np.maximum(film.time - 0.05, 0.0) ** 2
    np.testing.assert_allclose(film.position[:, 0, box, 2], 2.0 - fallen, atol=1e-6)
    np.testing.assert_allclose(film.position[:, 0, ball, 2], 0.8 - 0.5 * G * film.time**2, atol=1e-6)
    (line,) = film.matter
    assert not line.visible[:51].any()
    assert line.visible[51:].all()


def test_bodies_that_are_left_out_stay_where_they_were(tmp_path):
    film, _ = film_of(tmp_path, HANGING + BOX + "go 50\nintegrate other off\nsetcorpus ball\ngo 50\n")
    box = film.link_names.index("box")
    np.testing.assert_array_equal(film.position[50:, 0, box], np.tile(film.position[50, 0, box], (51, 1)))
    assert film.position[-1, 0, film.link_names.index("ball"), 2] == pytest.approx(0.8 - 0.5 * G * 0.01, abs=1e-6)
    assert len(film.shapes) == 2
