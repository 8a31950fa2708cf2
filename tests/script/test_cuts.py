"""The command cut: limbs that a script cuts off while it runs."""

import numpy as np
import pytest

from gambol import read_script
from gambol.gait.reflex import UNREACHABLE
from gambol.script.cuts import numbers_with_cuts
from gambol.script.language.lines import ScriptError
from gambol.world import Engine
from gambol.world.cuts import REMAINS

UPPER = """
addworld room
ground off
dt 0.001
eps 0.001
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
"""
LOWER = """
get lower unit_cube
scale lower 0.04 0.04 0.3
move lower 0 0 -0.15
addbody lower lower 0 1 0 rotary 1000
move lower 0 0 -0.3
linkbodies upper lower
"""
MADE = """
corpusinit
rootmotion fixed
joint upper ea 4
joint upper eB 3
joint upper b 0.2
joint upper e_q -1
"""
BENT = "joint lower ea 4\njoint lower eB 3\njoint lower q 1.5\n"


def film_of(tmp_path, text, name="arm"):
    path = tmp_path / f"{name}.corpus"
    path.write_text(text)
    return read_script(path).run_with_segments(tmp_path)


def angles(segment, name):
    """The angle and the speed of a joint at the end of a segment."""
    figure = segment.start.world.figure
    link = figure.link(name)
    return segment.end[[link.q.start, figure.nq + link.v.start], 0]


def test_the_rest_moves_as_a_figure_without_the_limb(tmp_path):
    """Its independent route is another script, whose figure never had the limb.

    REMAINS of the limb's torque act on the rest, at first 356 N m (4 N m (e^4.5 - 1)), during 0.2 s; the rest has an
    inertia of m L^2 / 3 = 0.0144 kg m2 about its joint.
    """
    _, (cut,) = film_of(tmp_path, UPPER + LOWER + MADE + BENT + "cut lower\ngo 200\n")
    _, (without,) = film_of(tmp_path, UPPER + MADE + "go 200\n")
    _, (whole,) = film_of(tmp_path, UPPER + LOWER + MADE + BENT + "go 200\n")
    speed = REMAINS * 356.0 * 0.2 / 0.0144
    assert np.all(np.abs(angles(cut, "upper") - angles(without, "upper")) < [0.2 * speed, speed])
    assert np.abs(angles(whole, "upper") - angles(without, "upper")).max() > 0.1


def test_a_limb_is_cut_off_and_put_back_during_the_run(tmp_path):
    text = UPPER + LOWER + MADE + "alarm 0.02 cut lower\nalarm 0.05 cut lower off\ngo 80\n"
    film, segments = film_of(tmp_path, text)
    assert [segment.begin for segment in segments] == pytest.approx([0.0, 0.02, 0.05])
    np.testing.assert_array_equal(segments[0].end, segments[1].start.rows)
    is_cut = film.signals["cut_off"][:, 0, film.link_names.index("lower")]
    middle = (film.time > 0.0201) & (film.time < 0.0501)
    np.testing.assert_array_equal(is_cut, middle.astype(float))
    assert film.signals["cut_off"][:, 0, film.link_names.index("upper")].max() == 0.0


def test_a_leg_of_a_gait_that_is_cut_off_never_steps():
    """Its step reflex has no angle, and its load reflex holds it for ever; no other input than these changes."""
    interpreter = read_script("examples/scripts/roach_tuned.corpus").dry_run()
    interpreter.cut_bodies = ("leg_ml0",)
    interpreter.current_corpus().cut.add("leg_ml0")
    built = interpreter.built_world()
    engine = Engine(built.world, lanes=1)
    rows, i = engine.number_rows, next(k for k, leg in enumerate(built.world.gait.legs) if "leg_ml0" in leg.links)
    expected = {
        rows["cuts"]["leg_ml0"]: 1.0,
        rows["control"]["bent_back"][i]: UNREACHABLE,
        rows["control"]["load"][i]: -1.0,
    }
    numbers, before = numbers_with_cuts(built.world, built.cut)[:, 0], engine.numbers()[:, 0]
    changed = np.flatnonzero(numbers != before)
    assert {row: numbers[row] for row in changed.tolist()} == expected


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("cut shoulder", "is the root"),
        ("cut uper", 'has no body "uper"; did you mean "upper"'),
        ("attach upper world 0 0 -0.3 0 0 -0.5 200 0 0 1\ncut upper", "an attachment or a spring-damper acts on"),
    ],
)
def test_what_cannot_be_cut_off_is_refused_with_the_line(tmp_path, command, message):
    path = tmp_path / "arm.corpus"
    path.write_text(UPPER + MADE + command + "\ngo 10\n")
    with pytest.raises(ScriptError, match=message):
        read_script(path)
