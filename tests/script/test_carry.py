"""States carried over to changed worlds: nothing that both worlds have changes by a bit."""

import numpy as np
import pytest
from scripts import BALL, SPRUNG, rehearsed

from gambol.script import carry
from gambol.script.things import Transform
from gambol.spatial import Vector


def moving(tmp_path, text=""):
    stage = rehearsed(tmp_path, SPRUNG + "motor arm ktarget 0.7 0.5\njoint arm q 0.3\njoint arm dq 2\n" + text)
    return stage, stage.live()


def test_a_world_with_other_numbers_keeps_the_very_rows(tmp_path):
    stage, state = moving(tmp_path)
    stage.setting.gravity = 1.0
    assert stage.live().rows is state.rows


def test_a_new_attachment_leaves_all_else_as_it_is(tmp_path):
    stage, state = moving(tmp_path)
    before = state.copied()
    stage.setting.attachments.append(carry_attachment())
    after = stage.live()
    assert after.rows.shape[0] == before.rows.shape[0] + 1
    np.testing.assert_array_equal(after.q, before.q)
    np.testing.assert_array_equal(after.v, before.v)
    assert after.living.memory.whole == [1.0]
    rest, was = after.living.memory.control.rest, before.living.memory.control.rest
    assert [float(x[0]) for x in rest] == [float(x[0]) for x in was]
    assert float(after.living.memory.control.target[0][0]) == 0.7


def carry_attachment():
    from gambol.contact import Attachment

    return Attachment("arm", None, (0.0, 0.0, -0.5), (0.0, 0.0, -0.5), 1.0)


def test_a_root_that_is_let_go_stays_where_it_was(tmp_path):
    stage, state = moving(tmp_path)
    corpus = stage.setting.simulated()
    corpus.place = Transform(shift=(1.0, 2.0, 3.0))
    corpus.base = "free"
    stage.edit(corpus, carry.put(corpus.place))
    freed = stage.live()
    assert freed.q[0].tolist() == [1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.3]
    assert freed.v[0].tolist() == [0.0] * 6 + [2.0]
    assert carry.pose(freed) == corpus.place
    assert state.q[0].tolist() == [0.3]


def test_velocities_of_the_root_are_told_in_world_axes(tmp_path):
    """A ball turned a quarter about z: what moves along world x moves along its own -y."""
    stage = rehearsed(tmp_path, BALL + "rotate ball z 90\nsetrootpos\naddv ball 1 0 0 0 0 2\nground off")
    np.testing.assert_allclose(stage.live().v[0], [0, 0, 2, 0, -1, 0], atol=1e-15)


def test_adding_velocities_adds_them(tmp_path):
    stage = rehearsed(tmp_path, BALL + "ground off")
    state = stage.live()
    for _ in range(2):
        carry.root_speed(Vector(1.0, 2.0, 3.0), Vector(0.0, 0.0, 1.0))(state)
    assert state.v[0].tolist() == [0.0, 0.0, 2.0, 2.0, 4.0, 6.0]


def test_a_figure_is_set_down_where_it_stands(tmp_path):
    text = BALL + "move ball 1 2 5\nsetrootpos\nsetdown 0.25\ngroundz -1"
    assert rehearsed(tmp_path, text).live().q[0, 4:].tolist() == [1.0, 2.0, pytest.approx(-1.0 + 0.01 + 0.25)]


def test_the_root_is_moved_on_from_where_it_is(tmp_path):
    text = BALL + "ground off\nmove ball 1 0 0\nsetrootpos\nrotate ball z 90\nmove ball 0 0 1\nsetrootpos"
    assert rehearsed(tmp_path, text).live().q[0, 4:].tolist() == pytest.approx([0.0, 1.0, 1.0])


def test_a_matrix_puts_the_root_with_its_axes_in_rows(tmp_path):
    text = BALL + "ground off\nsetrootmatrix\n0 1 0 0\n-1 0 0 0\n0 0 1 0\n1 2 3 1"
    w, x, y, z, *place = rehearsed(tmp_path, text).live().q[0]
    assert (w, x, y, z) == pytest.approx((np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))  # its x axis lies along world y
    assert place == [1.0, 2.0, 3.0]


def test_time_goes_on_when_the_frame_changes(tmp_path):
    stage = rehearsed(tmp_path, BALL + "ground off\ndt 0.001\ntime 0.5\ndt 0.002\nh 0.0001")
    state = stage.live()
    assert float(state.time[0]) == pytest.approx(0.5)
    assert float(state.living.clock.step[0]) == 0.0001
