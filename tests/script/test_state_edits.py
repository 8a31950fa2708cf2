"""States transferred to changed worlds: values that both worlds have are unchanged to the bit."""

import numpy as np
import pytest
from scripts import BALL, SPRUNG, dry_run

from gambol.contact import Attachment
from gambol.script import state_edits
from gambol.script.graphic_objects import Transform
from gambol.script.script_attachment import ScriptAttachment
from gambol.spatial import Vector


def moving(tmp_path, text=""):
    interp = dry_run(tmp_path, SPRUNG + "motor arm ktarget 0.7 0.5\njoint arm q 0.3\njoint arm dq 2\n" + text)
    return interp, interp.current_state()


def test_a_world_with_other_numbers_has_the_same_rows(tmp_path):
    interp, state = moving(tmp_path)
    interp.spec.gravity = 1.0
    assert interp.current_state().rows is state.rows


def test_a_new_attachment_leaves_all_else_as_it_is(tmp_path):
    interp, state = moving(tmp_path)
    before = state.copied()
    interp.spec.attachments.append(some_attachment())
    after = interp.current_state()
    assert after.rows.shape[0] == before.rows.shape[0] + 1
    np.testing.assert_array_equal(after.q, before.q)
    np.testing.assert_array_equal(after.v, before.v)
    assert after.step_state.memory.intact == [1.0]
    rest, rest_before = after.step_state.memory.control.rest, before.step_state.memory.control.rest
    assert [float(x[0]) for x in rest] == [float(x[0]) for x in rest_before]
    assert float(after.step_state.memory.control.target[0][0]) == 0.7


def some_attachment():
    attachment = Attachment("arm", None, (0.0, 0.0, -0.5), (0.0, 0.0, -0.5), 1.0)
    return ScriptAttachment("clock", None, attachment)


def test_a_released_root_stays_where_it_was(tmp_path):
    interp, state = moving(tmp_path)
    (corpus,) = interp.spec.active_corpora()
    corpus.root_pose = Transform(shift=(1.0, 2.0, 3.0))
    corpus.base = "free"
    interp.edit_state(corpus, state_edits.set_root_pose(corpus.root_pose))
    freed = interp.current_state()
    assert freed.q[0].tolist() == [1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.3]
    assert freed.v[0].tolist() == [0.0] * 6 + [2.0]
    assert state_edits.root_pose(interp.corpus_state(corpus)) == corpus.root_pose
    assert state.q[0].tolist() == [0.3]


def test_velocities_of_the_root_are_in_world_axes(tmp_path):
    """A ball turned a quarter about z: motion along world x is along its own -y."""
    interp = dry_run(tmp_path, BALL + "rotate ball z 90\nsetrootpos\naddv ball 1 0 0 0 0 2\nground off")
    np.testing.assert_allclose(interp.current_state().v[0], [0, 0, 2, 0, -1, 0], atol=1e-15)


def test_adding_velocities_adds_them(tmp_path):
    interp = dry_run(tmp_path, BALL + "ground off")
    state = interp.current_state()
    for _ in range(2):
        state_edits.add_root_velocity(Vector(1.0, 2.0, 3.0), Vector(0.0, 0.0, 1.0))(interp.corpus_state(interp.corpus))
    assert state.v[0].tolist() == [0.0, 0.0, 2.0, 2.0, 4.0, 6.0]


def test_a_figure_is_set_down_where_it_stands(tmp_path):
    text = BALL + "move ball 1 2 5\nsetrootpos\nsetdown 0.25\ngroundz -1"
    assert dry_run(tmp_path, text).current_state().q[0, 4:].tolist() == [1.0, 2.0, pytest.approx(-1.0 + 0.01 + 0.25)]


def test_the_root_is_moved_on_from_where_it_is(tmp_path):
    text = BALL + "ground off\nmove ball 1 0 0\nsetrootpos\nrotate ball z 90\nmove ball 0 0 1\nsetrootpos"
    assert dry_run(tmp_path, text).current_state().q[0, 4:].tolist() == pytest.approx([0.0, 1.0, 1.0])


def test_a_matrix_puts_the_root_with_its_axes_in_rows(tmp_path):
    text = BALL + "ground off\nsetrootmatrix\n0 1 0 0\n-1 0 0 0\n0 0 1 0\n1 2 3 1"
    w, x, y, z, *position = dry_run(tmp_path, text).current_state().q[0]
    assert (w, x, y, z) == pytest.approx((np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)))  # its x axis lies along world y
    assert position == [1.0, 2.0, 3.0]


def test_time_continues_when_the_frame_changes(tmp_path):
    interp = dry_run(tmp_path, BALL + "ground off\ndt 0.001\ntime 0.5\ndt 0.002\nh 0.0001")
    state = interp.current_state()
    assert float(state.time[0]) == pytest.approx(0.5)
    assert float(state.step_state.clock.step[0]) == 0.0001
