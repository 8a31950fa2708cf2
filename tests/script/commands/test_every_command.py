"""Every command of the language once, in a valid context, with its output or effect."""

import dataclasses

import numpy as np
import pytest
from scripts import BALL, PENDULUM, SPRUNG, dry_run, read, written

from gambol.script import ScriptWarning, read_script
from gambol.script.commands import COMMANDS, GROUPS

HEXAPOD = """
addcorpus bug
get trunk from unit_cube
scale trunk 0.04 0.02 0.01
addbody trunk trunk 0 0 1 rotary 1000
setroot trunk
get a0 from unit_cube
scale a0 0.01 0.01 0.01
addbody a0 a0 0 0 1 rotary 1000
move a0 0 0.01 0
linkbodies trunk a0
get a1 from unit_cube
scale a1 0.002 0.002 0.03
move a1 0 0 -0.015
addbody a1 a1 1 0 0 rotary 1000
linkbodies a0 a1
corpusinit
joint a0 k 1e-4
joint a1 k 1e-4
addroach bug
"""
"""A trunk with one leg of two links: enough for every command of the gait."""

GROUND = sorted(
    name for name, definition in COMMANDS.items() if name.startswith("ground") and "number" in definition.arguments
)
COLLISIONS = ("collisone", "collisionfric", "collisonea", "collisoneB", "collisionemaxz")
TWO_BALLS = BALL + BALL.replace("ball", "twin")

# what is done before, and the command itself
EXAMPLES = {
    "postmult": ("", "postmult"),
    "premult": ("", "premult"),
    "xformcenter": ("", "xformcenter 0 0 1"),
    "localxforms": ("", "localxforms"),
    "get": ("", "get box from ../data/unit_cubeb"),
    "closeobj": ("get box unit_cube", "closeobj box"),
    "pushobj": ("get box unit_cube", "pushobj box"),
    "popobj": ("get box unit_cube\npushobj box", "popobj box"),
    "init": ("get box unit_cube", "init box"),
    "scale": ("get box unit_cube", "scale box 1 2 3"),
    "center": ("get box unit_cube", "center box"),
    "move": ("get box unit_cube", "move box 1 2 3"),
    "rotate": ("get box unit_cube", "rotate box x 45"),
    "rotateaxis": ("get box unit_cube", "rotateaxis box 1 1 1 120"),
    "color": ("get box unit_cube", "color box 1 0.5 0"),
    "addcorpus": ("", "addcorpus other"),
    "setcorpus": ("addcorpus one\naddcorpus two", "setcorpus one"),
    "addbody": ("addcorpus c\nget box unit_cube", "addbody b box 0 0 1 sliding 1000 1 1 1 1"),
    "addpart": ("addcorpus c\nget b unit_cube\nget p unit_sphere\naddbody b b 0 0 1 rotary 1", "addpart p p b 500 1 0"),
    "setroot": ("addcorpus c\nget b unit_cube\naddbody b b 0 0 1 rotary 1", "setroot b"),
    "linkbodies": (
        "addcorpus c\nget a unit_cube\nget b unit_cube\naddbody a a 0 0 1 rotary 1\naddbody b b 0 0 1 rotary 1",
        "linkbodies a b",
    ),
    "corpusinit": (BALL.replace("corpusinit\n", ""), "corpusinit"),
    "setjointp": (PENDULUM, "setjointp arm 1 0 0 rotary"),
    "rootmotion": (BALL, "rootmotion fixed"),
    "setrootpos": (BALL + "move ball 0 0 1", "setrootpos"),
    "setrootmatrix": (BALL, "setrootmatrix\n0 1 0 0\n-1 0 0 0\n0 0 1 0\n0 0 2 1"),
    "setdown": (BALL, "setdown 0.01"),
    "addv": (BALL, "addv ball 1 0 0 0 0 1"),
    "maxv": (BALL, "maxv ball 1 10"),
    "updatev": (BALL, "updatev"),
    "integrate": (BALL, "integrate ball on"),
    "bodygroundstick": (HEXAPOD + "procom 0\nmotor a0 etarget 0.1 *1\n.", "bodygroundstick a1 on"),
    "totalmass": (BALL, "totalmass"),
    "attach": (BALL, "attach ball world 0 0 0 0 0 1 10 0 0 1 0.5"),
    "breakforce": (BALL + "attach ball world 0 0 0 0 0 1 10 0 0 1", "breakforce 5"),
    "joint": (SPRUNG, "joint arm Q_type 3"),
    "cut": (SPRUNG, "cut arm"),
    "motor": (SPRUNG, "motor arm ktarget 0.5 0.1"),
    "motioncurve": (SPRUNG, "motioncurve arm curve.csv 0.1 -0.2 0.2"),
    "forcecurve": (SPRUNG, "forcecurve arm curve.csv"),
    "jointmatchexp": (SPRUNG, "jointmatchexp arm"),
    "jointstatus": (SPRUNG, "jointstatus arm"),
    "addroach": (BALL, "addroach ball"),
    "setroach": (HEXAPOD, "setroach bug"),
    "metabolism": (HEXAPOD, "metabolism 0.05"),
    "prottime": (HEXAPOD, "prottime 0.05"),
    "rettime": (HEXAPOD, "rettime 0.1"),
    "cycletime": (HEXAPOD, "cycletime 0.2"),
    "dlegtime": (HEXAPOD, "dlegtime 0.02"),
    "speed": (HEXAPOD, "speed 2"),
    "deltaspeed": (HEXAPOD, "deltaspeed 0.5"),
    "incrspeed": (HEXAPOD, "incrspeed"),
    "topspeed": (HEXAPOD, "topspeed 1.5"),
    "bottomspeed": (HEXAPOD, "bottomspeed 10"),
    "gaitinit": (HEXAPOD, "gaitinit"),
    "gaitgo": (HEXAPOD, "gaitgo"),
    "procom": (HEXAPOD, "procom 0\n! up\nmotor a0 etarget 0.1 *1\ntimer *0.5 motor a1 etarget 0 *0.5\ntime\n."),
    "retcom": (HEXAPOD, "retcom 0\nmotor a0 etarget -0.1 *1\n."),
    "stepreflex": (HEXAPOD, "stepreflex off"),
    "legstepreflex": (HEXAPOD, "legstepreflex 0 a0 0.5 +"),
    "loadreflex": (HEXAPOD, "loadreflex on"),
    "legloadreflex": (HEXAPOD, "legloadreflex 0 a1 1e-5"),
    "rightingreflex": (HEXAPOD, "rightingreflex a0 1.4 0.01 0.06 0.2"),
    "legstatus": (HEXAPOD + "procom 0\nmotor a0 etarget 0.1 *1\n.", "legstatus 0"),
    "followpath": (HEXAPOD + "procom 0\nmotor a0 etarget 0.1 *1\n.", "followpath curve.csv 0.1"),
    "pathfromhere": (HEXAPOD + "procom 0\nmotor a0 etarget 0.1 *1\n.", "pathfromhere curve.csv 0.1"),
    "steer": (HEXAPOD + "procom 0\nmotor a0 etarget 0.1 *1\n.", "steer turn 1"),
    "addworld": ("", "addworld w"),
    "setworld": ("addworld v\naddworld w", "setworld v"),
    "iter": ("", "iter 2"),
    "dt": ("", "dt 0.001\ndt"),
    "h": ("", "h 0.0001\nh"),
    "eps": ("", "eps 1\neps"),
    "time": ("", "time 0.5\ntime"),
    "integration": ("", "integration rkfixed\nintegration"),
    "setgrav": ("", "setgrav 1.62"),
    "grav": ("", "grav off"),
    "ground": ("", "ground off"),
    "groundtype": ("", "groundtype flat\ngroundtype"),
    "groundz": ("", "groundz -1\ngroundz"),
    "groundgrip": ("", "groundgrip all"),
    "groundscale": ("", "groundscale none"),
    "addtrigrid": ("get hills from hills.csv\nscale hills 0.01 0.01 1", "addtrigrid g hills\ngroundtype trigrid"),
    "addrigrd": ("get hills from hills.csv\nmove hills -1 0 0.5", "addrigrd g hills"),
    "collide": (TWO_BALLS, "collide ball twin"),
    "collision": (TWO_BALLS, "collision off"),
    "collisionanalysis": (TWO_BALLS, "collisionanalysis on"),
    "contactmethod": (TWO_BALLS, "contactmethod stepping\ncontactmethod"),
    "go": (BALL + "setdown", "go 3"),
    "alarm": ("", "alarm 0.5 ! ring"),
    "timer": ("", "timer 0.5 timer 0.1 ! ring"),
    "timerflush": ("alarm 0 ! ring", "timerflush"),
    "!": ("", "! It begins."),
    "read": ("", "read other.corpus"),
    "dumps": (BALL, "dumps ball.state"),
    "loads": (BALL + "dumps ball.state", "loads ball.state"),
    "dumpmotors": (SPRUNG, "dumpmotors arm.motors"),
    "loadmotors": (SPRUNG + "dumpmotors arm.motors", "loadmotors arm.motors"),
    "dumpcontacts": (BALL, "dumpcontacts ball.contacts"),
    "loadcontacts": (BALL + "dumpcontacts ball.contacts", "loadcontacts ball.contacts"),
    "dumpQs": (SPRUNG, "dumpQs arm.Q"),
    "dumpas": (SPRUNG, "dumpas arm.a"),
    "dumpcontactforces": (BALL, "dumpcontactforces ball.push"),
    "graph": (SPRUNG + "go 1", "graph arm.csv arm.q arm.dq arm.z energy centre.x"),
    "matter": (PENDULUM, "matter drops.toml\ngo 1"),
    "camera": ("", "camera 0.5 1 0 0.3 0 0 0"),
    "light": ("", "light 0 1 0 2"),
    "dumpmatcorpus": (PENDULUM, "dumpmatcorpus poses.corpus"),
}
EXAMPLES |= {name: ("", f"{name} 0.5\n{name}") for name in (*GROUND, *COLLISIONS)}


def surroundings(folder):
    """Files that the examples read."""
    written(folder, "0,0,0\n0,0.1,0\n0,0,0\n", "hills.csv")
    written(folder, "0,0\n0.1,1\n", "curve.csv")
    drops = '[[emitters]]\nname = "drops"\nrate = 9\nsource = { kind = "point" }\n'
    written(folder, f'format = "gambol figure 1"\nname = "drops"\n{drops}', "drops.toml")
    written(folder, "! from the other\n", "other.corpus")


def test_every_command_has_its_example():
    assert set(EXAMPLES) | {"loadas"} == set(COMMANDS)
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_command_can_be_given(name, tmp_path):
    surroundings(tmp_path)
    preamble, command = EXAMPLES[name]
    dry_run(tmp_path, preamble + "\n" + command)


@pytest.mark.parametrize("name", COLLISIONS)
def test_a_parameter_of_collisions_is_set_and_output(name, tmp_path):
    output = []
    read(tmp_path, f"{name} 0.375\n{name}\n{BALL}ground off\ngo 1").run(tmp_path, echo=output.append)
    assert output == [f"{name} 0.375"]
    with pytest.warns(ScriptWarning, match=f"{name} has no effect"):
        read(tmp_path, f"contactmethod stepping\n{name} 0.375")


def test_loaded_accelerations_change_nothing(tmp_path):
    with pytest.warns(ScriptWarning, match="loading them changes nothing"):
        read(tmp_path, BALL + "dumpas a\nloadas a")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("!", "read")])
def test_every_command_reports_its_usage(name, tmp_path):
    path = written(tmp_path, f"{name} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 ?\n")
    with pytest.raises(ValueError, match=r"^it.corpus:1: "):
        read_script(path)


@pytest.mark.parametrize("name", GROUND)
def test_a_parameter_of_the_ground_is_set_and_output(name, tmp_path):
    preamble = dataclasses.asdict(dry_run(tmp_path, "").spec.ground)
    after = dataclasses.asdict(dry_run(tmp_path, f"{name} 0.375").spec.ground)
    if name != "groundz":
        assert [value for key, value in after.items() if value != preamble[key]] == [0.375]
    output = []
    script = read(tmp_path, f"{name} 0.375\n{name}\n{BALL}ground off\ngo 1")
    script.run(tmp_path, echo=output.append)
    assert output == [f"{name} 0.375"]


def test_times_of_the_gait(tmp_path):
    gait = dry_run(tmp_path, HEXAPOD + "metabolism 0.04").current_gait()
    assert (gait.protraction, gait.retraction, gait.delay) == (0.04, 0.04, 0.04)
    gait = dry_run(tmp_path, HEXAPOD + "prottime 0.05\ncycletime 0.2\ndlegtime 0.03").current_gait()
    assert (gait.protraction, gait.delay) == (0.05, 0.03)
    assert gait.retraction == pytest.approx(0.15)
    assert dry_run(tmp_path, HEXAPOD + "rettime 0.07").current_gait().retraction == 0.07


@pytest.mark.parametrize(
    ("commands", "factor"),
    [
        ("speed 5\ndeltaspeed 2\nincrspeed", 3.0),
        ("speed 5\ndeltaspeed 2\nincrspeed\nincrspeed\nincrspeed", 1.0),
        ("speed 5\ndeltaspeed 4\ntopspeed 2\nincrspeed", 2.0),
        ("speed 5\ndeltaspeed -4\nbottomspeed 6\nincrspeed", 6.0),
    ],
)
def test_speed_changes_by_a_step_within_bounds(commands, factor, tmp_path):
    assert dry_run(tmp_path, HEXAPOD + commands).current_gait().speed == factor


def test_reflexes_of_a_leg(tmp_path):
    leg = HEXAPOD + "procom 0\nmotor a0 etarget 0.1 *1\n.\nlegstepreflex 0 a0 0.4 -\nlegloadreflex 0 a1 2e-5\n"
    (trigger,) = dry_run(tmp_path, leg).build_world().controller.reflexes
    assert (trigger.bent_back, trigger.direction, trigger.load) == (-0.4, -1.0, 2e-5)
    (trigger,) = dry_run(tmp_path, leg + "stepreflex off").build_world().controller.reflexes
    assert trigger.bent_back > 1e6
    assert trigger.load == 2e-5


def test_a_grid_lies_where_its_object_was_put(tmp_path):
    surroundings(tmp_path)
    commands = "get hills from hills.csv\nscale hills 0.5 0.5 2\nmove hills -0.5 0 1\n"
    ground = dry_run(tmp_path, commands + "addtrigrid g hills\ngroundtype trigrid").spec.build_ground()
    assert float(ground.surface(ground.numbers(), ground.table(), 0.0, 0.5).height) == 1.0 + 2 * 0.1
    assert float(ground.surface(ground.numbers(), ground.table(), -0.5, 0.0).height) == 1.0


def test_restitution_of_a_bristle_is_that_of_half_a_swing(tmp_path):
    ground = dry_run(tmp_path, "groundfric2k 100\ngroundfric2e 0.25").spec.ground
    parameters = ground.contact_parameters(2.0)
    m, k, b = 2.0, parameters.bristle_stiffness, parameters.bristle_damping
    decay, frequency = b / (2 * m), np.sqrt(k / m - (b / (2 * m)) ** 2)
    assert np.exp(-decay * np.pi / frequency) == pytest.approx(0.25)
