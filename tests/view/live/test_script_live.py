"""The page of a script simulates its segments, between which commands change its world or its state."""

import numpy as np
import pytest
from invoked import invoke

from gambol import read_script
from gambol.cli.figures.scripts import script_simulation

SCRIPT = """
addworld room
ground off
dt 0.001
iter 5
addcorpus arm
get shoulder unit_cube
scale shoulder 0.1 0.1 0.1
addbody shoulder shoulder 0 0 1 rotary 1000
setroot shoulder
get upper unit_cube
scale upper 0.04 0.04 0.3
move upper 0 0 -0.15
addbody upper upper 0 1 0 rotary 1000
linkbodies shoulder upper
corpusinit
rootmotion fixed
joint upper ea 4
joint upper eB 3
joint upper b 0.2
joint upper e_q -1
"""
TIMED = "alarm 0.1 joint upper e_q -0.5\ngo 10\ngo 50\n"
CHANGES = """
alarm 0.1 joint upper e_q -0.5
go 30
grav off
go 10
attach upper world 0 0 -0.3 0 0 -0.5 200 0 0 1
go 10
joint upper q 0.3
grav on
go 10
rootmotion free
go 10
dt 0.002
go 10
"""
ENDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.45)
"""Times at which the segments of the script with CHANGES end [s]: its pictures have five frames of dt."""

DROP_PAGE = "player.renderer.setAnimationLoop(null)"
RESOLUTION = 2.0**-15  # of films in pages, in figure sizes


def page_of(tmp_path, commands, open_page, text=SCRIPT):
    """Run a script with further commands; return its page, paused and without drawing, and its segments."""
    path = tmp_path / "arm.corpus"
    path.write_text(text + commands)
    result = invoke("run", path, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "plays the film only" not in result.output
    page = open_page(tmp_path / "arm.html", width=900, height=500)
    return page, read_script(path).run_with_segments(tmp_path / "again")[1]


@pytest.fixture(scope="module")
def timed(tmp_path_factory, open_page):
    return page_of(tmp_path_factory.mktemp("timed"), TIMED, open_page)


@pytest.fixture(scope="module")
def changed(tmp_path_factory, open_page):
    page, segments = page_of(tmp_path_factory.mktemp("changed"), CHANGES, open_page)
    page.page.evaluate(DROP_PAGE)
    return page, segments


def steps_of(segment):
    return segment.last_step - int(segment.start.step_state.clock.control_steps[0])


def test_segments_end_where_a_command_changes_the_world_or_the_state(timed, changed):
    """The second "go" of the first script changes nothing, so it begins no segment."""
    assert [segment.begin for segment in timed[1]] == pytest.approx([0.0, 0.1])
    assert [segment.commands[:2] for segment in timed[1]][1:] == [("joint",)]
    assert [segment.begin for segment in changed[1]] == pytest.approx([0.0, *ENDS[:-1]])


def test_the_page_lives_from_the_beginning_and_coincides_with_the_film(timed):
    page, (first, last) = timed
    page.page.evaluate(DROP_PAGE)
    np.testing.assert_array_equal(page.run("pause()", "reset()"), first.start.rows[:, 0])
    np.testing.assert_array_equal(page.run("step(100)"), first.end[:, 0])
    assert page.gap() < 2.0 * RESOLUTION
    np.testing.assert_array_equal(page.run("step(200)"), last.end[:, 0])
    assert page.gap() < 2.0 * RESOLUTION
    page.run("step(50)")  # after the end of the script the motion goes on
    assert page.page.evaluate("gambol.time") == pytest.approx(0.35)
    assert not page.errors


def test_every_segment_ends_with_the_bits_of_the_run_whatever_the_script_changes(changed):
    """Other numbers, another ground of gravity, an attachment, a set joint, a free root, another step."""
    page, segments = changed
    page.run("pause()", "reset()")
    for k, (segment, end) in enumerate(zip(segments, ENDS, strict=True)):
        state = page.run(f"step({steps_of(segment)})")
        np.testing.assert_array_equal(state, segment.end[:, 0])
        assert page.page.evaluate("[gambol.time, gambol.segment]") == [pytest.approx(end), k]
    assert not page.errors


def test_one_can_go_to_the_beginning_of_each_segment_and_back_from_there(changed):
    page, segments = changed
    for k, segment in enumerate(segments):
        np.testing.assert_array_equal(page.run(f"enter({k})"), segment.start.rows[:, 0])
        np.testing.assert_array_equal(page.run(f"step({steps_of(segment)})"), segment.end[:, 0])
    page.run("enter(5)", "step(10)", "seek(0.31)")
    assert page.page.evaluate("[gambol.time, gambol.segment]") == [pytest.approx(0.31), 5]
    np.testing.assert_array_equal(page.run("seek(0.22)"), segments[3].start.rows[:, 0])
    state = page.run(f"step({steps_of(segments[3]) + steps_of(segments[4])})")
    np.testing.assert_array_equal(state, segments[4].end[:, 0])


def test_worlds_that_differ_in_numbers_only_share_their_programs(timed, changed):
    """Gravity that is off has another program while the world is disturbed; so the changed script has five worlds."""
    assert timed[0].page.evaluate("gambol.worlds.length") == 1
    page = changed[0].page
    assert page.evaluate("gambol.segments.map(({ world }) => world)") == [0, 0, 1, 2, 3, 4, 5]


def test_what_the_visitor_changes_goes_on_through_the_changes_of_the_script(timed):
    """A push moves the arm; the next segment begins where it is, with the visitor's gravity and the script's spring."""
    page, (first, last) = timed
    page.run("pause()", "reset()", "set('gravity', 3)", "push([0.2, 0, 0], 0.05)", "step(100)")
    before = page.run()
    assert np.abs(before - first.end[:, 0]).max() > 1e-3
    page.run("step(1)")
    rest = "gambol.numbers[Object.entries(gambol.about.numbers).find(([name]) => name.startsWith('rest'))[1]]"
    assert page.page.evaluate("gambol.segment") == 1
    assert page.page.evaluate("gambol.numbers[gambol.about.numbers['gravity.z']]") == -3.0
    assert page.page.evaluate(rest) == -0.5
    (angle, speed), (next_angle, next_speed) = before[:2], page.run()[:2]
    assert next_angle - angle == pytest.approx(0.001 * (speed + next_speed) / 2, rel=0.01)
    page.run("seek(0.05)")
    assert page.page.evaluate("[gambol.segment, gambol.numbers[gambol.about.numbers['gravity.z']]]") == [0, -3.0]
    page.run("set('gravity', 9.81)")
    np.testing.assert_array_equal(page.run("reset()", "step(300)"), last.end[:, 0])


def test_a_list_goes_to_the_beginning_of_a_segment(timed):
    page = timed[0]
    page.page.reload()
    page.wait("!!window.gambol && document.getElementById('segment').length === 2")
    assert page.page.inner_text("#segment").split("\n") == ["0 s", "0.1 s: joint"]
    page.page.select_option("#segment", "1")
    page.wait("gambol.segment === 1 && gambol.time > 0.1")
    assert page.page.evaluate("gambol.playing")
    page.page.select_option("#segment", "0")
    page.wait("gambol.segment === 0 && gambol.time < 0.1")
    assert not page.errors


def test_figures_that_are_added_later_live_from_then_on(tmp_path, open_page):
    """The page simulates the segments in which all figures are; the film shows what was before."""
    other = (
        SCRIPT[SCRIPT.index("addcorpus") :].replace("upper", "lower").replace("arm", "leg").replace("shoulder", "hip")
    )
    page, segments = page_of(tmp_path, "go 10\n" + other + "go 10\njoint lower e_q 0\ngo 10\n", open_page)
    page.wait("+document.getElementById('scrub').max > 0.05")
    assert "the page simulates from 0.05 s on" in page.page.inner_text("#facts")
    np.testing.assert_array_equal(page.run("pause()", "reset()"), segments[1].start.rows[:, 0])
    page.page.evaluate("""{
      const scrub = document.getElementById("scrub");
      scrub.value = 0.02;
      scrub.dispatchEvent(new Event("input"));
    }""")
    page.wait("player.showsFilm === true && player.recorded.time === 0.02 && !gambol.playing")
    page.page.click("#play")
    page.wait("!player.showsFilm && gambol.playing && gambol.time > 0.05")
    page.page.evaluate(DROP_PAGE)
    np.testing.assert_array_equal(page.run("pause()", "reset()", "step(100)"), segments[2].end[:, 0])
    assert not page.errors


def test_a_limb_that_the_script_cuts_off_vanishes_and_the_rest_goes_on_living(tmp_path, open_page):
    """With the bits of the run, by one program; the film of the run does not draw the limb either."""
    lower = SCRIPT[SCRIPT.index("get upper") : SCRIPT.index("corpusinit")].replace("upper", "lower")
    lower = lower.replace("linkbodies shoulder", "linkbodies upper")
    commands = "alarm 0.1 cut lower\nalarm 0.2 cut lower off\ngo 60\n"
    page, segments = page_of(tmp_path, commands, open_page, SCRIPT.replace("corpusinit", f"{lower}corpusinit"))
    page.page.evaluate(DROP_PAGE)
    page.run("pause()", "reset()")
    visible = "[...gambol.cutLinks, player.bodies[0][2].visible, player.recorded.bodies[0][2].visible]"
    for segment, shown in zip(segments, ([True, True], [2, False, False], [True, True]), strict=True):
        np.testing.assert_array_equal(page.run(f"step({steps_of(segment)})"), segment.end[:, 0])
        page.page.evaluate("player.recorded.show(gambol.time - 0.01, true)")
        assert page.page.evaluate(visible) == shown
    assert page.page.evaluate("gambol.worlds.length") == 1
    assert not page.errors


def test_segments_that_do_not_fit_in_a_page_are_left_out(tmp_path):
    path = tmp_path / "arm.corpus"
    path.write_text(SCRIPT + CHANGES)
    simulation = script_simulation(read_script(path).run_with_segments(tmp_path)[1])
    begins = [simulation.segments[0].begin]
    while (simulation := simulation.shorter()) is not None:
        begins.append(simulation.segments[0].begin)
        assert f"from {begins[-1]:.4g} s on" in simulation.note
        assert simulation.state is simulation.segments[0].state
    assert begins == pytest.approx([0.0, 0.2, 0.3, 0.35])
    assert len(begins) > 3


def test_a_script_without_timed_commands_has_one_segment(tmp_path):
    path = tmp_path / "arm.corpus"
    path.write_text(SCRIPT + "go 5\ngo 5\n")
    film, segments = read_script(path).run_with_segments(tmp_path)
    assert [each.start.time[0] for each in segments] == [0.0]
    assert film.duration == pytest.approx(0.05)


def test_rows_that_a_command_sets_have_no_origin(tmp_path):
    path = tmp_path / "arm.corpus"
    path.write_text(SCRIPT + "go 5\njoint upper q 0.3\ngo 5\n")
    _, last = read_script(path).run_with_segments(tmp_path)[1]
    assert last.start.time[0] == pytest.approx(0.025)
    assert last.start.q[0].tolist() == [0.3]
    assert last.origin.tolist() == [-1, *range(1, len(last.origin))]
