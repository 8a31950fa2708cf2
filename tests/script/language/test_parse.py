"""Errors about commands, numbers and names, with file, line and remedy; misprints of the printed script."""

import pytest
from scripts import BALL, PENDULUM, SPRUNG, dry_run, read

from gambol.script import ScriptError, ScriptWarning
from gambol.script.commands import COMMANDS
from gambol.script.language.command import Argument
from gambol.script.language.lines import Line
from gambol.script.language.parse import parse_commands

LEG = PENDULUM + "joint arm k 1\naddroach clock\nprocom 0\n"

WRONG = {
    "mvoe box 1 2 3": 'it.corpus:1: there is no command "mvoe"; did you mean "move"',
    "xyzzy": 'there is no command "xyzzy"; the manual',
    "move box 1 2": "it.corpus:1: move needs a z too; its form is: move obj x y z",
    "move box 1 2 3 4": 'move does not take "4"; its form is: move obj x y z',
    "move box 1 2 three": 'move: z is "three"; it should be a number',
    "move box 1 2 nan": 'z is "nan"; it should be a number',
    "move box 1 2 1e13": "z is 1e13; numbers lie between",
    "move box 1 2 1e9999": "z is 1e9999; numbers lie between",
    "move box 1 2 1e-300": "z is 1e-300; numbers lie between",
    "rotate box w 30": 'axis cannot be "w"; it may be x, y, z',
    "ground onn": 'ground does not take "onn"; its form is: ground \\[on|off\\]',
    "rootmotion frei": 'base cannot be "frei"; did you mean "free"',
    "go 1.5": 'pictures is "1.5"; give a whole number',
    "go -1": 'pictures is "-1"; give a whole number',
    "alarm 1": "alarm needs a command too; its form is: alarm time command",
    "alarm 1 go 10": '"go" must be a separate line; no alarm or timer can contain it',
    "alarm 1 procom 0": '"procom" must be a separate line',
    "timer -1 ! no": 'the time is "-1"; it cannot be negative',
    "timer *0.5 ! no": 'the time is "\\*0.5"; give seconds, such as 0.05',
    "timer 0 " * 12 + "! no": "commands are nested",
    "procom 0": "it.corpus:1: the script ends where the dot that ends this motor program should follow",
    "procom 0 motor a etarget 1 *1": "procom: the commands begin on the next line",
    "setrootmatrix\n1 0 0 0\n0 1 0 0": "it.corpus:1: the script ends where a matrix of 16 numbers should follow",
    "setrootmatrix\n1 0 0 0 0\n1 1 1 1\n1 1 1 1\n1 1 1 1": "needs four lines of four numbers, not 17",
    "setrootmatrix\n1 0 0 x\n1 1 1 1\n1 1 1 1\n1 1 1 1": 'an entry is "x"; it should be a number',
    "get box unit_cub": 'it.corpus:1: get: "unit_cub" is not an object of gambol; did you mean "unit_cube"',
    "get box unit_cube\nget box unit_cube": 'it.corpus:2: get: there is an object "box" already',
    "get box unit_cube\nmove bxo 1 0 0": 'it.corpus:2: move: there is no object "bxo"; did you mean "box"',
    "get box unit_cube\npopobj box": "no saved transform of",
    "addbody a b 0 0 1 rotary 1": "there is no corpus yet; make one by addcorpus",
    "addcorpus a\naddcorpus a": 'there is a corpus "a" already',
    "addcorpus a\nsetcorpus b": 'world "world" has no corpus "b"; there are: "a"',
    "metabolism 1": "there is no gait yet; make one by addroach",
    "addroach broach": 'has no corpus "broach"; there are none',
    "addworld a\naddworld a": 'there is a world "a" already',
    "setworld a": 'there is no world "a"',
    "go": 'it.corpus:1: go: world "world" has no corpus to simulate; make one by addcorpus',
    "integration runge": 'there is no integrator "runge"',
    "dt 0": "the time of a frame is 0; give more than 0",
    "iter 0": "the number of frames is 0",
    "groundsticke 2": "2 is not possible; give a number from 0 to 1",
    "time -1": "the time cannot be -1 s",
    "groundtype trigrid\n" + BALL + "setdown\ngo": "there is no grid; make one by addtrigrid",
    "get b unit_cube\naddtrigrid g b": "not of heights; get it from a .csv or .npy file",
    "get b ../b.csv\naddtrigrid g b": "it.corpus:2: .* lies outside the folder",
    "get b b.csv\naddtrigrid g b": "there is no height file",
    BALL + "addcorpus c": None,
    BALL + "setdown\ngo 2000000": "a film of 2000000 frames is too long",
    BALL + "corpusinit": "was made by corpusinit",
    BALL + "get b unit_cube\naddbody b b 0 0 1 rotary 1": "was made by corpusinit; give addbody before that",
    BALL.replace("setroot ball", ""): 'corpusinit: corpus "ball" has no root; name it by setroot',
    BALL + "scale ball 2 2 2\n": "is a body, which cannot be scaled",
    BALL + "joint ball q 1": "is the root, whose joint has no spring and no angle",
    BALL + "setrootmatrix\n2 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1": "the root has an invalid rotation",
    BALL + "setrootmatrix\n1 0 0 1\n0 1 0 0\n0 0 1 0\n0 0 0 1": "the last column of the matrix is not 0 0 0 1",
    BALL + "attach ball wrold 0 0 0 0 0 0 1 0 0 1": 'has a body "wrold"',
    BALL + "attach ball world 0 0 0 0 0 0 1 0 0 2 -1": "must be more than 0",
    BALL + "read": "it must be a separate line",
    BALL + "setdown\nbodygroundstick ball on\ngo": "so they need a controller",
    BALL + "loads ../x": "lies outside the folder",
    BALL + "dumps it.corpus": "is the name of a script",
    PENDULUM + "move arm 0 0 1": 'the figure is made; move "arm" by its joint',
    PENDULUM + "motor arm etarget 1 1": 'the joint of "arm" has no spring whose rest angle a motor could move',
    PENDULUM + "addv foot 1 0 0 0 0 0": 'the root "foot" is fixed; free it by rootmotion',
    PENDULUM + "addv arm 1 0 0 0 0 0": "only the root moves freely",
    PENDULUM + "setjointp arm 0 0 0": 'the axis of "arm" has no direction',
    PENDULUM + "joint arm springtyp mass": 'parameter cannot be "springtyp"; did you mean "springtype"',
    PENDULUM + "joint arm springtype weight": 'springtype cannot be "weight"',
    PENDULUM + "joint arm Q_type 32": "Q_type 32 is not a sum of 1",
    PENDULUM + "joint arm k much": 'k is "much"; it should be a number',
    PENDULUM + "joint arm k -1\ngo": "k is -1; give 0 or more",
    PENDULUM + "joint arm k 1\njoint arm k_q 1\njoint arm e_q 2\ngo": "a joint has one rest angle for both",
    PENDULUM + "joint arm l_min 1\njoint arm l_max 0\ngo": "the lower must be below the upper",
    PENDULUM + "jointstatus amr": 'corpus "clock" has no body "amr"; did you mean "arm"',
    PENDULUM + "setdown\nrootmotion free\nlegstatus 0": "there is no gait yet",
    LEG + "go 1\n.": '"go" cannot be in a motor program',
    LEG + "motor arm etarget 1 0.5\n.": 'the time is "0.5"; give a part of the program\'s time, such as \\*0.5',
    LEG + "motor arm etarget 1 *2\n.": 'the time is "\\*2"; it cannot be more than 1',
    LEG + "timer *0.7 timer *0.7 motor arm etarget 1 *0.1\n.": "of the program.s time; give 1 at most",
    LEG + "motor foot etarget 1 *1\n.": 'the joint of "foot" has no spring',
    LEG + "! nothing\n.\ngo": "leg 0 has no motor command",
    LEG + ".\nlegstatus 4": "there is no leg 4; there are none",
    LEG.replace("procom 0", "procom 100") + ".": "there is no leg 100",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text.strip().splitlines()[-1][:40])
def test_errors_name_their_line(text, tmp_path):
    if WRONG[text] is None:
        read(tmp_path, text)
        return
    with pytest.raises(ScriptError, match=WRONG[text]) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith("it.corpus:")


def test_the_line_is_that_of_the_command(tmp_path):
    text = "# a comment\n\n! hello\n" + SPRUNG.strip() + "\nmotor arm etarget 1 x\n"
    with pytest.raises(ScriptError, match=f"^it.corpus:{len(text.splitlines())}: motor: a time"):
        read(tmp_path, text)


def test_an_error_in_an_alarm_is_raised_beforehand(tmp_path):
    with pytest.raises(ScriptError, match=r"^it.corpus:7: joint: "):
        read(tmp_path, BALL.strip() + "\nalarm 0.001 joint bal k 1\nground off\ngo 100\n")


def test_a_timer_that_lost_its_last_letter():
    lines = ["procom 0", "time *0.5 ! later", "."]
    with pytest.warns(ScriptWarning, match='it:1: "time" takes no command; .* is read as "timer"'):
        (command,) = parse_commands([Line(f"it:{k}", line) for k, line in enumerate(lines)])
    (timed,) = command.values[1]
    assert (timed.command.definition.name, timed.begins) == ("!", 0.5)


@pytest.mark.parametrize(
    ("line", "stray"),
    [("time 0.5 grav off", "grav"), ("time 1 ! later", "!"), ("go 2 grav off", "grav"), ("grav off go", "go"),
     ("totalmass go 2", "go"), ("alarm 0.1 grav off ground off", "ground"), ("closeobj a go", "go")],
)  # fmt: skip
def test_stray_words_at_the_end_of_a_line_are_no_commands(line, stray, tmp_path):
    with pytest.raises(ScriptError, match=f'^it.corpus:2: \\w+ does not take "{stray}"'):
        read(tmp_path, f"# a comment\n{line}\ntotalmass\n")


def test_every_command_refuses_a_stray_word():
    """Except those that take the rest of a line: text to print, and the command of an alarm, which then refuses it."""
    samples = {"count": "1", "number": "1", "time": "1", "command": "grav", "matrix": 15 * "1 " + "1"}
    for name, definition in COMMANDS.items():
        words = [arg.choices[0] if arg.choices else samples.get(arg.kind, "x") for arg in definition.parse_arguments()]
        kinds = {arg.kind for arg in definition.parse_arguments()}
        if not kinds & {"text", "program"} and name != "read":
            with pytest.raises(ScriptError, match=r"^it:1: "):
                parse_commands([Line("it:1", " ".join([name, *words, "stray"]))])


def test_an_echo_that_looks_like_a_command(tmp_path):
    lines = ["procom 0", "timer *0.5 !motor arm etarget 1 *1", "motor arm etarget 0.5 *1", "."]
    with pytest.warns(ScriptWarning, match="looks like a command, but ! only echoes it"):
        (command,) = parse_commands([Line(f"it:{k}", line) for k, line in enumerate(lines)])
    assert [(timed.command.definition.name, timed.begins) for timed in command.values[1]] == [
        ("!", 0.5),
        ("motor", 0.0),
    ]


def test_a_roach_that_is_addressed(tmp_path):
    with pytest.warns(ScriptWarning, match='no command "address"; it is read as "addroach"'):
        assert dry_run(tmp_path, BALL + "address ball").current_gait().corpus.name == "ball"


def test_a_slipped_decimal_point_is_seen_and_kept(tmp_path):
    other = "get x unit_cube\naddbody leg_mr1 x 0 1 0 rotary 1000\nlinkbodies foot leg_mr1\n"
    text = PENDULUM.replace("arm", "leg_ml1").replace("setroot", other + "setroot")
    with pytest.warns(ScriptWarning, match='"leg_mr1" is set to 0.5, its mirror image "leg_ml1" to -0.05'):
        interp = dry_run(tmp_path, text + "joint leg_ml1 q -.05\njoint leg_mr1 q 0.5")
    assert interp.current_state().q[0].tolist() == [-0.05, 0.5]


def test_a_figure_that_was_never_placed_is_set_down(tmp_path):
    with pytest.warns(ScriptWarning, match='it.corpus:8: "ball" was not placed; it is set down'):
        interp = dry_run(tmp_path, BALL + "go 1")
    assert interp.current_state().q[0, 6] == pytest.approx(0.011)


def test_usage_is_as_in_the_appendix():
    assert COMMANDS["rotate"].usage == "rotate obj x|y|z angle"
    assert COMMANDS["attach"].usage == "attach body1 body2 x y z x2 y2 z2 k ea eB e [break_length]"
    assert str(Argument.read("file:file?")) == "[file]"
