"""The bodies and names of legs, and the controller of a script's gait."""

import pytest
from scripts import LEG, dry_run, read

from gambol.script import ScriptError
from gambol.script.corpus import Body, Corpus
from gambol.script.gait_spec import GaitSpec, LegPrograms, limb_bodies

TREE = {"trunk": None, "hip": "trunk", "knee": "hip", "toe": "knee", "claw": "toe", "spur": "toe", "wing": "trunk"}


def corpus():
    bug = Corpus("bug")
    for name, parent in TREE.items():
        bug.bodies[name] = Body(name, [], (0.0, 0.0, 1.0), "revolute", parent=parent)
    return bug


@pytest.mark.parametrize(
    ("driven", "links"),
    [
        (["hip", "knee"], ("hip", "knee", "toe")),  # to where the limb branches
        (["knee", "hip"], ("hip", "knee", "toe")),
        (["hip", "claw"], ("hip", "knee", "toe", "claw")),
        (["knee"], ("knee", "toe")),
        (["wing"], ("wing",)),
    ],
)
def test_a_leg_is_the_limb_of_its_driven_joints(driven, links):
    assert limb_bodies(corpus(), dict.fromkeys(driven, "it:1"), 0) == links


def test_joints_of_two_limbs_make_no_leg():
    with pytest.raises(
        ValueError, match=r'^it:2: motor: leg 3 moves "wing" and "knee", which are not on the same limb'
    ):
        limb_bodies(corpus(), {"hip": "it:1", "wing": "it:2", "knee": "it:3"}, 3)


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (2, ["left", "right"]),
        (4, ["front left", "front right", "back left", "back right"]),
        (6, ["front left", "front right", "middle left", "middle right", "back left", "back right"]),
        (8, [f"{pair} {side}" for pair in (1, 2, 3, 4) for side in ("left", "right")]),
    ],
)
def test_legs_are_named_from_the_front(count, names):
    gait = GaitSpec(corpus(), legs={k: LegPrograms() for k in range(count)})
    assert [gait.name(k) for k in range(count)] == names


STEPPING = (
    LEG
    + """joint a0 k 0.001
joint a1 k 0.001
addroach bug
procom 0
motor a0 etarget 0.1 *1
.
"""
)


def test_times_of_the_controller_are_those_of_the_script(tmp_path):
    text = STEPPING + "metabolism 0.04\nprottime 0.02\ncycletime 0.1\ndlegtime 0.03\nspeed 2\n"
    controller = dry_run(tmp_path, text).build_world().controller
    assert controller.metabolism == 0.02
    assert controller.metabolism * controller.cycle == pytest.approx(0.1)
    assert controller.metabolism * controller.delay == pytest.approx(0.03)
    assert controller.speed == 2.0


def test_a_gait_begins_at_its_start_time(tmp_path):
    assert dry_run(tmp_path, STEPPING).build_world().controller.begins > 1e6
    controller = dry_run(tmp_path, STEPPING + "dt 0.001\nsetdown\nalarm 0.02 gaitgo\ngo 30").build_world().controller
    assert controller.begins == pytest.approx(0.02)


def test_motors_outside_of_the_gait_have_their_joint(tmp_path):
    controller = (
        dry_run(tmp_path, STEPPING + "timer 0.1 motor a1 ktarget 1 1\nmotor a0 ktarget 1 1").build_world().controller
    )
    assert controller.joints == ("a0", "a1")
    assert controller.others == ("a1",)


def test_feet_without_legs_are_the_ends_of_limbs(tmp_path):
    built = STEPPING[: STEPPING.index("addroach")]
    assert dry_run(tmp_path, built).build_world().surface.feet == ("a1",)
    assert dry_run(tmp_path, STEPPING).build_world().surface.feet == ("a1",)
    sticky = dry_run(tmp_path, STEPPING + "bodygroundstick a0 on\ngroundstickemaxz 0.002").build_world()
    assert sticky.surface.feet == ("a0",)
    assert sticky.surface.sticky.reach == 0.002


TAILED = LEG.replace(
    "setroot trunk",
    """get tail from unit_cube
scale tail 0.01 0.01 0.01
addbody tail tail 0 0 1 rotary 1000
move tail -0.03 0 0
linkbodies trunk tail
setroot trunk""",
)
"""The trunk and the leg of two links, and a tail."""

TAIL_STEPS = (
    TAILED
    + """joint a0 k 0.001
joint a1 k 0.001
joint tail k 0.001
addroach bug
speed 1000
procom 0
motor a0 etarget 0.1 *1
.
ground off
grav off
dt 0.001
gaitgo
"""
)


@pytest.mark.parametrize(
    ("reflex", "steps"), [("legstepreflex 0 tail 0.2 +", True), ("legstepreflex 0 tail 0.2 -", False)]
)
def test_a_step_reflex_watches_any_joint(reflex, steps, tmp_path):
    """The joint is bent by 0.4 rad: beyond 0.2 rad in the positive direction, and not in the negative one."""
    script = read(tmp_path, TAIL_STEPS + reflex + "\njoint tail k_q 0.4\njoint tail q 0.4\ngo 3")
    film = script.run(tmp_path / "out", echo=lambda _: None)
    assert film.signals["stepping"][-1, 0, 0] == steps
    assert film.signals["upper"][-1, 0, 0] == pytest.approx(0.4, abs=0.01)


@pytest.mark.parametrize(("load", "steps"), [(3e-4, False), (5e-4, True)])
def test_a_load_reflex_watches_any_joint(load, steps, tmp_path):
    """The spring of the tail, bent by 0.4 rad, has a torque of 4e-4 N m."""
    text = TAIL_STEPS + f"legstepreflex 0 a0 -1 +\nlegloadreflex 0 tail {load}\njoint tail q 0.4\ngo 3"
    film = read(tmp_path, text).run(tmp_path / "out", echo=lambda _: None)
    assert film.signals["stepping"][-1, 0, 0] == steps


def test_a_leg_may_have_one_joint(tmp_path):
    text = TAIL_STEPS.replace("motor a0", "motor tail") + "speed 1\nmetabolism 0.05\ngo 150"
    film = read(tmp_path, text).run(tmp_path / "out", echo=lambda _: None)
    assert film.signals["stepping"].max() == 1.0
    assert dry_run(tmp_path, text).build_world().controller.legs[0].links == ("tail",)


@pytest.mark.parametrize(
    ("reflex", "message"),
    [
        ("legloadreflex 0 trunk 1", r'it.corpus:\d+: legloadreflex: "trunk" is the root'),
        ("legstepreflex 0 trunk 1 +", r'it.corpus:\d+: legstepreflex: "trunk" is the root'),
        ("legloadreflex 0 tial 1", 'did you mean "tail"'),
    ],
)
def test_reflexes_name_joints(reflex, message, tmp_path):
    with pytest.raises(ScriptError, match=message):
        read(tmp_path, TAIL_STEPS + reflex + "\ngo 1")
