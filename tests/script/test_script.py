"""Running scripts: closed-form motions, motors, alarms, output, pieces of film, and durations."""

import math
import re
import warnings

import numpy as np
import pytest
from scripts import BALL, LEG, PENDULUM, SPRUNG, read

from gambol.script import ScriptError
from gambol.world import StoppedWarning, was_interrupted

G = 9.81
INERTIA = 1000 * 0.02 * 0.02 * 0.5 * ((0.5**2 + 0.02**2) / 12 + 0.25**2)  # of the arm about its joint [kg m2]


def silent(text: str) -> None:
    pass


def run_script(folder, text, **options):
    output = []
    film = read(folder, text).run(folder / "out", echo=output.append, **options)
    return film, output


def height(film):
    return film.position[:, 0, 0, 2]


def angle(film, link=1):
    q = film.quaternion[:, 0, link]
    return 2.0 * np.arctan2(q[:, 2], q[:, 0])


def test_a_ball_falls(tmp_path):
    film, _ = run_script(tmp_path, BALL + "ground off\ndt 0.001\nmove ball 0 0 1\nsetrootpos\ngo 100")
    np.testing.assert_allclose(film.time, np.arange(101) * 1e-3, atol=1e-12)
    np.testing.assert_allclose(height(film), 1.0 - 0.5 * G * film.time**2, atol=1e-12)


def test_gravity_changes_between_two_runs(tmp_path):
    text = BALL + "ground off\ndt 0.001\naddv ball 0 0 1 0 0 0\ngrav off\ngo 100\nsetgrav 1.62\ngrav on\ngo 100"
    film, _ = run_script(tmp_path, text)
    t = film.time
    assert len(t) == 201
    np.testing.assert_allclose(height(film)[:101], t[:101], atol=1e-12)
    late = t[101:] - 0.1
    np.testing.assert_allclose(height(film)[101:], 0.1 + late - 0.81 * late**2, atol=1e-12)


def test_frames_may_be_looped_over(tmp_path):
    every_frame, _ = run_script(tmp_path, BALL + "ground off\ndt 0.001\ngo 12")
    every_third, _ = run_script(tmp_path, BALL + "ground off\ndt 0.001\niter 3\nalarm 0.004 ! here\ngo 4")
    np.testing.assert_array_equal(every_third.position, every_frame.position[::3])
    np.testing.assert_allclose(every_third.time, every_frame.time[::3], atol=1e-12)


def test_a_spring_without_weight_swings_at_its_own_time(tmp_path):
    film, _ = run_script(tmp_path, SPRUNG + "joint arm b 0\njoint arm q 0.2\ngo 500")
    w = math.sqrt(1.0 / INERTIA)
    np.testing.assert_allclose(angle(film), 0.2 * np.cos(w * film.time), atol=2e-6)


def test_a_motor_moves_a_rest_angle_at_constant_speed(tmp_path):
    """After its end the damped arm comes to rest at the motor's target; until then the motor does work."""
    text = SPRUNG + "joint arm b 0.3\n! now\nmotor arm ktarget 0.5 0.1\ngo 3000\njointstatus arm"
    film, output = run_script(tmp_path, text)
    assert angle(film)[-1] == pytest.approx(0.5, abs=1e-3)
    assert output[0] == "now"
    assert " e_q 0.5 " in output[1]
    assert film.signals["motors"][-1, 0] == pytest.approx(film.signals["damping"][-1, 0], rel=1e-3)
    assert abs(film.signals["unaccounted"]).max() < 1e-3 * film.signals["motors"][-1, 0]


def test_a_motor_follows_the_clock_of_alarms(tmp_path):
    """The same motor, started by a timer, by an alarm, and between two go commands."""
    variants = ("timer 0.05 motor arm ktarget 0.5 0.1\ngo 100", "alarm 0.05 motor arm ktarget 0.5 0.1\ngo 100")
    films = [run_script(tmp_path, SPRUNG + variant)[0] for variant in variants]
    films.append(run_script(tmp_path, SPRUNG + "go 50\nmotor arm ktarget 0.5 0.1\ngo 50")[0])
    for film in films[1:]:
        np.testing.assert_array_equal(film.position, films[0].position)
        np.testing.assert_array_equal(film.quaternion, films[0].quaternion)
    assert angle(films[0])[50] == 0.0
    assert angle(films[0])[-1] > 0.005


def test_a_rest_angle_jumps(tmp_path):
    film, _ = run_script(
        tmp_path, SPRUNG + "alarm 0.1 joint arm k_q 0.3\nmotor arm ktarget 0 1\njoint arm b 0.3\ngo 3000"
    )
    assert angle(film)[100] == 0.0
    assert angle(film)[-1] == pytest.approx(0.3, abs=1e-3)


def test_limits_hold_an_arm_back(tmp_path):
    text = PENDULUM + "grav off\njoint arm Q_type 4\njoint arm l_max 0.2\njoint arm l_min -1\njoint arm l_k 1000\n"
    film, _ = run_script(tmp_path, text + "joint arm l_b 1\njoint arm dq 1\ngo 500")
    assert 0.2 < angle(film).max() < 0.22
    assert angle(film)[-1] < 0.2
    assert np.diff(film.signals["damping"][:, 0]).min() > -1e-3 * film.signals["kinetic"].max()  # the tolerance


def test_flags_choose_what_acts(tmp_path):
    springs = SPRUNG + "joint arm ea 2\njoint arm eB 3\njoint arm extra 0.5\njoint arm Q_type {}\n"
    worlds = {
        flags: read(tmp_path, springs.format(flags)).dry_run().build_world().springs["arm"] for flags in (1, 2, 8, 16)
    }
    assert (worlds[1].damping, worlds[1].stiffness, worlds[1].alpha) == (0.01, 0.0, 0.0)
    assert (worlds[2].damping, worlds[2].stiffness) == (0.0, 1.0)
    assert (worlds[8].bias, worlds[8].stiffness) == (0.5, 0.0)
    assert (worlds[16].alpha, worlds[16].beta, worlds[16].stiffness) == (2.0, 3.0, 0.0)


@pytest.mark.parametrize(("scale", "mass"), [("mass", 0.2), ("distalmass", 0.2), ("none", 1.0)])
def test_springs_are_scaled_by_masses(scale, mass, tmp_path):
    world = read(tmp_path, SPRUNG + f"joint arm springtype {scale}").dry_run().build_world()
    (spring,) = world.resolved_springs["arm"]
    assert spring.stiffness == pytest.approx(mass)


def test_an_attachment_breaks_for_good(tmp_path):
    text = BALL + "ground off\ndt 0.001\nattach ball world 0 0 0 0 0 0 {} 0 0 1 0.02\ngo 200"
    strong, _ = run_script(tmp_path, text.format(10))
    weak, _ = run_script(tmp_path, text.format(0.1))
    assert height(strong).min() > -0.02
    t = weak.time[-1]
    assert height(weak)[-1] == pytest.approx(-0.5 * G * t * t, rel=0.1)


def test_a_script_outputs_its_echoes(tmp_path):
    text = (
        BALL + "ground off\ndt 0.001\n! begin\nalarm 0.005 ! later\ntimer 0.002 timer 0.001 ! first\ntime\ngo 10\ntime"
    )
    _, output = run_script(tmp_path, text + "\ntotalmass\nalarm 0.001 ! late\ntimerflush")
    mass = 1000 * math.pi / 6 * 0.02**3
    assert output == ["begin", "time 0", "first", "later", "time 0.01", f"mass of ball: {mass:.10g} kg", "late"]


def test_motor_programs_print_their_echoes_when_legs_step(tmp_path):
    """One leg at speed 1 and metabolism 20 ms: its oscillator peaks a quarter of a cycle after the start."""
    leg = (
        LEG
        + """rootmotion fixed
ground off
dt 0.001
joint a0 k 0.001
joint a1 k 0.001
addroach bug
metabolism 0.02
procom 0
! up
motor a0 etarget 0.1 *1
timer *0.5 ! half
.
retcom 0
motor a0 etarget -0.1 *1
time
.
gaitgo
go 60
"""
    )
    _, output = run_script(tmp_path, leg)
    text = [line.split("s: ")[1] for line in output]
    times = [float(line.split(" s:")[0]) for line in output]
    assert text[:2] == ["up", "half"]
    assert times[1] - times[0] == pytest.approx(0.01)
    assert times[2] - times[0] == pytest.approx(0.02)
    assert text[2].startswith("time ")


def test_excess_speed_is_reported(tmp_path):
    _, output = run_script(tmp_path, BALL + "ground off\ndt 0.001\nmaxv ball 0.5 1\ngo 100")
    assert output == ['"ball" moves at 0.505 m/s at 0.051 s; maxv is 0.5']


@pytest.mark.parametrize(("seconds", "frames"), [(0.02, 21), (0.1, 101), (None, 51)])
def test_a_script_runs_for_the_requested_time(seconds, frames, tmp_path):
    film, _ = run_script(tmp_path, BALL + "ground off\ndt 0.001\ngo 50", seconds=seconds)
    assert len(film.time) == frames


def test_a_script_without_go_is_simulated_for_a_second(tmp_path):
    film, _ = run_script(tmp_path, BALL + "ground off\ndt 0.01")
    assert film.duration == pytest.approx(1.0)


def test_progress_counts_all_frames(tmp_path):
    calls = []
    run_script(tmp_path, BALL + "ground off\ndt 0.001\ngo 5\ngo 5", progress=lambda *args: calls.append(args))
    assert calls[-1] == (10, 10)
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)


def test_a_script_that_moves_nothing_has_no_film(tmp_path):
    with pytest.raises(ScriptError, match="simulates nothing"):
        read(tmp_path, "! nothing").run(tmp_path)
    with pytest.raises(ScriptError, match="cannot be simulated for -1 s"):
        read(tmp_path, BALL).run(tmp_path, seconds=-1.0)


def test_a_motion_that_breaks_ends_the_film(tmp_path):
    text = SPRUNG + "integration euler\nh 0.001\njoint arm k 1e11\njoint arm q 1\ngo 500\n! still here"
    with pytest.warns(StoppedWarning, match="its motion became infinite"):
        film, output = run_script(tmp_path, text)
    assert film.duration < 0.5
    assert output == []


def test_ctrl_c_saves_the_film_so_far(tmp_path):
    def interrupt(done, _):
        if done == 30:
            raise KeyboardInterrupt

    with pytest.warns(StoppedWarning, match="interrupted"):
        film, _ = run_script(tmp_path, BALL + "ground off\ndt 0.001\ngo 50\ngo 50", progress=interrupt)
    assert was_interrupted(film)
    assert 0.02 < film.duration < 0.04


def test_an_interruption_between_two_pieces_keeps_the_film(tmp_path):
    def echo(line):
        if "second" in line:
            raise KeyboardInterrupt

    text = BALL + "ground off\ndt 0.001\ngo 50\n! second\ngo 50"
    with pytest.warns(StoppedWarning, match=r"interrupted after 0.0500 s of 0.1 s"):
        film = read(tmp_path, text).run(tmp_path / "out", echo=echo)
    assert was_interrupted(film)
    assert film.duration == pytest.approx(0.05)


def test_a_root_is_held_and_released(tmp_path):
    text = BALL + "ground off\ndt 0.001\nmove ball 0 0 1\nsetrootpos\nrootmotion fixed\ngo 50\nrootmotion free\ngo 50"
    film, _ = run_script(tmp_path, text)
    assert (height(film)[:51] == 1.0).all()
    assert height(film)[-1] == pytest.approx(1.0 - 0.5 * G * 0.05**2)


def test_a_box_comes_to_rest_on_the_ground(tmp_path):
    """At rest the ground's eight springs, four of them below, carry the weight: 4 alpha (e^(beta d) - 1) = g."""
    box = BALL.replace("unit_sphere", "unit_cube").replace("ball", "box")
    film, _ = run_script(tmp_path, box + "groundb 50\nsetdown 0.0001\ngo 1200")
    depth = math.log1p(G / (4 * 17.5)) / 3000
    assert height(film)[-1] == pytest.approx(0.01 - depth, abs=1e-6)


def test_nothing_is_printed_twice_and_nothing_is_warned_of(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_script(tmp_path, SPRUNG + "go 1")


PROCOM = "procom 0\nmotor a1 ktarget 0 *1\n"
LEGGED = LEG.strip() + "\njoint a0 k 1\njoint a1 k 1\naddroach bug\n"


@pytest.mark.filterwarnings("ignore:.*was not placed")
@pytest.mark.parametrize(
    ("preamble", "wrong", "output"),
    [
        (PENDULUM, ["joint arm k -1"], "joint: k is -1; give 0 or more"),
        (PENDULUM, ["joint arm l_b -0.5"], "joint: l_b is -0.5; give 0 or more"),
        (PENDULUM, ["joint nosuch k 1"], 'joint: corpus "clock" has no body "nosuch"'),
        (PENDULUM + "joint arm l_min 3\n", ["joint arm l_max 1"], 'joint: the limits of "arm" are 3 (l_min) and 1'),
        (PENDULUM + "joint arm k_q 1\n", ["joint arm e_q 2"], 'joint: the two springs of "arm" have the rest angles 1'),
        (LEGGED + "procom 0\n", ["motor nosuch ktarget 0.5 *1", "."], 'motor: corpus "bug" has no body "nosuch"'),
        (
            LEGGED + "procom 0\nmotor a1 ktarget 0 *1\n",
            ["motor trunk ktarget 1 *1", "."],
            'motor: the joint of "trunk"',
        ),
        (
            LEGGED + "procom 0\nmotor a1 ktarget 0 *1\n.\n",
            ["legstepreflex 0 nosuch 1 +", "gaitgo"],
            'legstepreflex: corpus "bug" has no body "nosuch"',
        ),
    ],
)
def test_errors_name_the_line_that_caused_them(preamble, wrong, output, tmp_path):
    """Even if the error occurs only when time passes, some lines below."""
    line = len(preamble.splitlines()) + 1
    with pytest.raises(ScriptError, match=f"^it.corpus:{line}: " + re.escape(output)):
        read(tmp_path, preamble + "\n".join([*wrong, "totalmass", "totalmass", "go 2"]))


def test_a_film_without_an_end_is_refused_with_its_frames(tmp_path):
    with pytest.raises(ScriptError, match=r"a film of 1e\+18 frames is too long; at most 1000000 are possible"):
        read(tmp_path, PENDULUM).run(tmp_path, seconds=1e308)
