"""Plan files: what their keys mean, and what every mistake is told."""

import math
import re
from pathlib import Path

import pytest

from gambol.collide import HeightGrid, Plane
from gambol.errors import GambolError, PlanError
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.formats import Model, Motor, write_figure
from gambol.plan import Cost, Cycle, Mesh, Phase, PhaseTime, Plan, Point, PointPath, PointTarget, Pose, Window
from gambol.plan.file import StartOptions, TrackingOptions, parse_plan, read_plan
from gambol.plan.problems import acrobot, block_move, cart_pole, hopper_leap, lamp_jump, particle_flight, pendulum
from gambol.plan.track import Weights

EXAMPLES = Path(__file__).parents[3] / "examples" / "plans"

ROD = """
[figure]
name = "pendulum"

[[figure.links]]
name = "rod"
joint = { kind = "revolute", axis = [0, 1, 0] }
mass = { mass = 1.0, com = [0, 0, -0.5] }
"""
HEAD = 'format = "gambol plan 1"\n'
BASE = Figure(
    "box",
    (Link("box", None, Joint("free"), (), MassProperties(1.0, (0.0,) * 3, ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)))),),
)
MODEL = Model(BASE, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.7))
LOADERS = {"box": lambda: MODEL}


def read(text: str, figure: str = ROD) -> Plan:
    """Return the plan of some lines, which come before the figure's tables."""
    return parse_plan(HEAD + text + figure, "swing.toml").plan


def read_box(text: str) -> Plan:
    return parse_plan(HEAD + 'figure = "box"\n' + text, "fly.toml", LOADERS).plan


def test_a_plan_of_a_figure_alone_has_the_defaults_of_plan():
    plan = read("")
    assert plan == Plan(plan.figure, name="swing", gravity=(0.0, 0.0, -9.81))
    assert [link.name for link in plan.figure.links] == ["rod"]


def test_every_key_is_read():
    """The largest plan: each key of the format once."""
    plan = read_box(
        """
name = "flight"
gravity = 1.62
friction = 0.5
cone = "pyramid"
clearance = 0.05
duration = [0.5, 2.0]
torques = { box = [[-1, 1], [-2, 2], [-3, 3], [-4, 4], [-5, 5], [-inf, inf]] }
speeds = { box = 7 }
costs = [{ kind = "effort", weight = 2 }, { kind = "acceleration", joints = ["box"] }]

[[phases]]
name = "up"
duration = [0.1, 0.9]
contacts = ["corner"]
landing = "smooth"
intervals = 5

[[phases]]
name = "down"
duration = 0.3

[[points]]
name = "corner"
link = "box"
position = [0.1, 0, 0]
radius = 0.01

[start]
posture = true
at_rest = true

[goal]
positions = { box = [1, 0, 0, 0, 2, "free", 0.7] }
velocities = { box = [0, 0, 0, "free", "free", 0] }
tolerance = 1e-3

[[poses]]
time = 0.2
positions = { box = ["free", "free", "free", "free", "free", "free", 1] }

[[guess]]
time = { phase = "down", fraction = 0.25 }
posture = true

[[targets]]
point = "corner"
place = [1, "free", 0]
time = 0.1
until = { phase = "down" }
relation = "within"
radius = 0.2
velocity = ["free", "free", 0]

[[paths]]
point = "corner"
curve = [[0, 0, 1], [1, 0, 1]]
time = 0.2
until = 0.4
pace = "free"

[cycle]
travel = [0.1, 0.3]
mirrored = true
pairs = [["left", "right"]]

[mesh]
method = "trapezoid"
intervals = 9
tolerance = 1e-3
refinements = 4
dynamics = "forward"

[ground]
height = -0.1
"""
    )
    infinite = math.inf
    assert plan == Plan(
        BASE,
        (Phase("up", (0.1, 0.9), ("corner",), landing="smooth", intervals=5), Phase("down", 0.3)),
        "flight",
        torques={"box": ((-1.0, 1.0), (-2.0, 2.0), (-3.0, 3.0), (-4.0, 4.0), (-5.0, 5.0), (-infinite, infinite))},
        speeds={"box": 7.0},
        gravity=1.62,
        ground=Plane(-0.1),
        friction=0.5,
        cone="pyramid",
        clearance=0.05,
        points=(Point("corner", "box", (0.1, 0.0, 0.0), 0.01),),
        start=Pose(positions={"box": MODEL.q}, velocities={"box": (0.0,) * 6}),
        goal=Pose(0.0, {"box": (1.0, 0.0, 0.0, 0.0, 2.0, None, 0.7)}, {"box": (0.0, 0.0, 0.0, None, None, 0.0)}, 1e-3),
        poses=(Pose(0.2, {"box": (None,) * 6 + (1.0,)}),),
        targets=(PointTarget("corner", (1.0, None, 0.0), 0.1, PhaseTime("down"), "within", 0.2, (None, None, 0.0)),),
        paths=(PointPath("corner", ((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)), 0.2, 0.4, "free"),),
        cycle=Cycle((0.1, 0.3), True, (("left", "right"),)),
        duration=(0.5, 2.0),
        costs=(Cost("effort", 2.0), Cost("acceleration", 1.0, ("box",))),
        guess=(Pose(PhaseTime("down", 0.25), {"box": MODEL.q}),),
        mesh=Mesh("trapezoid", 9, 1e-3, 4, "forward"),
    )


def test_springs_of_the_plan_win_over_those_of_the_figure():
    figure = ROD + "springs = { stiffness = 1.0 }\n"
    assert read("", figure).springs == {"rod": JointSpring(stiffness=1.0)}
    assert read("springs = { rod = { stiffness = 2.0, damping = 0.1 } }", figure).springs == {
        "rod": JointSpring(stiffness=2.0, damping=0.1)
    }


def test_a_figure_from_a_file_beside_the_plan_and_its_motors(tmp_path):
    rod = read("").figure
    motor = Motor("pull", "rod", gain=3.0, gear=(2.0,), lower=-1.0, upper=0.5)
    write_figure(Model(rod, motors=(motor,), gravity=(0.0, 0.0, -1.0)), tmp_path / "rod.toml")
    (tmp_path / "swing.toml").write_text(HEAD + 'figure = "rod.toml"\ntorques = "motors"\n')
    plan = read_plan(tmp_path / "swing.toml").plan
    assert plan.figure == rod
    assert plan.gravity == (0.0, 0.0, -1.0)
    assert plan.torques == {"rod": (-6.0, 3.0)}  # gear times gain times the range of the command


def test_uneven_ground_from_a_file_beside_the_plan(tmp_path):
    (tmp_path / "hills.csv").write_text("0,0.1\n0.2,0.3\n0,0\n")
    text = HEAD + 'ground = { heights = "hills.csv", spacing = 0.5 }' + ROD
    ground = parse_plan(text, tmp_path / "swing.toml").plan.ground
    assert isinstance(ground, HeightGrid)
    assert ground.heights.shape == (3, 2)
    assert (ground.spacing, ground.x0, ground.y0) == (0.5, -0.5, -0.25)


def test_a_plan_starts_from_another_and_changes_a_window_of_it(tmp_path):
    (tmp_path / "before.toml").write_text(HEAD + ROD)
    text = HEAD + 'start_from = "before.toml"\nwindow = { start = 0.2, end = 0.5, links = ["rod"] }' + ROD
    start = parse_plan(text, tmp_path / "swing.toml").start
    assert start == StartOptions(tmp_path / "before.toml", window=Window(0.2, 0.5, ("rod",)))
    assert parse_plan(HEAD + ROD, "swing.toml").start == StartOptions()
    for wrong, words in (
        ("window = { start = 0.2, end = 0.5 }", "a window changes a part of the motion of another plan"),
        ('start_from = "after.toml"', 'there is no file ".*after.toml"'),
        ('start_from = "before.xml"', "another plan"),
        ('start_from = "before.toml"\nwindow = { start = 0.5, end = 0.2 }', "window.end is 0.2; .*later than start"),
        ('start_from = "before.toml"\nwindow = { start = 0, end = 1, links = ["rot"] }', 'did you mean "rod"'),
    ):
        with pytest.raises(GambolError, match=words):
            parse_plan(HEAD + wrong + ROD, tmp_path / "swing.toml")


def test_a_plan_starts_from_a_part_of_a_film(tmp_path):
    (tmp_path / "walk.npz").touch()
    text = HEAD + "start_from = { PART }\n" + ROD
    right = text.replace("PART", 'film = "walk.npz", start = 0.5, end = 0.75')
    start = parse_plan(right, tmp_path / "swing.toml").start
    assert start == StartOptions(tmp_path / "walk.npz", part=(0.5, 0.75))
    for wrong, words in (
        ('film = "run.npz", start = 0.5, end = 0.75', "there is no file"),
        ('film = "walk.npz", start = 0.5, end = 0.25', "later than start"),
        ('film = "walk.toml", start = 0.5, end = 0.75', "a film"),
        ('film = "walk.npz", start = 0.5, stop = 0.75', '"stop" is not known here'),
    ):
        with pytest.raises(GambolError, match=words):
            parse_plan(text.replace("PART", wrong), tmp_path / "swing.toml")


def test_how_a_plan_is_simulated():
    text = HEAD + "tracking = { follow = false, cycles = 3, rate = 480, position = 0.2 }" + ROD
    expected = TrackingOptions(False, 3, 480.0, Weights(position=0.2))
    assert parse_plan(text, "swing.toml").tracking == expected
    assert parse_plan(HEAD + ROD, "swing.toml").tracking == TrackingOptions()


MISTAKES = {
    "": (None, 'this is not a plan file; a plan file begins with format = "gambol plan 1"'),
    'format = "gambol plan 2"': (None, 'format: "gambol plan 2" is not allowed; did you mean "gambol plan 1"?'),
    "torqes = { rod = 1 }": (2, 'the key "torqes" is not known here; did you mean "torques"?'),
    "torques = { rot = 1 }": (2, 'torques.*the key "rot" is not known here; did you mean "rod"?'),
    'torques = { rod = "big" }': (2, "torques.rod is 'big'; it should be a finite number"),
    "torques = { rod = [1, 2, 3] }": (2, "torques.rod is .*; it should be a list of the lowest and the highest"),
    "torques = { rod = [2, 1] }": (2, "torques.rod is .*, in this order"),
    "torques = { rod = nan }": (2, "torques.rod is nan; it should be a finite number"),
    'torques = "motors"': (2, "torques is 'motors'; .*the figure has no motors of its own"),
    "start = { positions = { rod = [1, 2] } }": (2, "start.positions.rod .* list of 1 numbers.*revolute"),
    'start = { positions = { rod = "any" } }': (2, "start.positions.rod is 'any'; it should be a number, or \"free\""),
    "start = { at_rest = 1 }": (2, "start.at_rest is 1; it should be true or false"),
    "goal = { time = 1 }": (2, 'goal.*the key "time" is not known here'),
    "poses = [{ positions = { rod = 1 } }]": (2, 'poses.1: "time" is missing; it should be a number'),
    "poses = [{ time = { phas = 'x' } }]": (2, 'poses.1.time.*"phas" is not known here; did you mean "phase"?'),
    "phases = [{ landing = 'soft' }]": (2, 'phases.1.landing: "soft" is not allowed; did you mean "smooth"'),
    "phases = [{ duration = [2, 1] }]": (2, "phases.1.duration is .*lowest and the highest, in this order"),
    "phases = [{ intervals = 2.5 }]": (2, "phases.1.intervals is 2.5; it should be a whole number"),
    "phases = 3": (2, "phases is 3; it should be a list in brackets"),
    "points = [{ name = 'tip' }]": (2, 'points.1: "link" is missing; it should be a text'),
    "targets = [{ point = 'rod', place = [0, 1] }]": (2, 'targets.1.place .*x, y and z, each a number or "free"'),
    "targets = [{ point = 'rod', relation = 'near' }]": (2, 'relation: "near" is not allowed; there are: "at"'),
    "paths = [{ point = 'rod', curve = [[0, 0, 1]] }]": (2, "paths.1.curve .*two or more points"),
    "paths = [{ point = 'rod', curve = [[0, 0], [1, 1]] }]": (2, r"curve.1 is \[0, 0\]; .*three numbers"),
    "cycle = { travel = [1] }": (2, "cycle.travel .*a distance, or a list of the lowest and the highest"),
    "cycle = { pairs = [['left']] }": (2, "cycle.pairs.1 .*a list of left, right"),
    "mesh = { method = 'simpson' }": (2, 'mesh.method: "simpson" is not allowed; did you mean "hermite-simpson"?'),
    "costs = [{ kind = 3 }]": (2, "costs.1.kind is 3; it should be a text in quotes"),
    "gravity = [0, 1]": (2, "gravity is .*three numbers"),
    "ground = { heights = 'h.csv', spacing = 0 }": (2, "no height file"),
    "tracking = { cycles = 0 }": (2, "tracking.cycles is 0; it should be more than 0"),
    "tracking = { gain = 1 }": (2, 'tracking.*the key "gain" is not known here'),
    "cone = 'square'": (2, 'cone: "square" is not allowed'),
}


@pytest.mark.parametrize("line", MISTAKES)
def test_errors_name_file_line_and_key(line):
    number, words = MISTAKES[line]
    text = line if number is None else HEAD + line
    with pytest.raises(GambolError) as reported:
        parse_plan(text + ROD, "swing.toml")
    message = str(reported.value)
    place = "swing.toml" if number is None else f"swing.toml, line {number}: "
    assert message.startswith(place) or "height file" in message
    assert re.search(words, message), message


def test_the_error_of_a_missing_figure_names_near_ones():
    with pytest.raises(GambolError, match=r'line 2: figure: there is no figure "quadrupd"; did you mean "quadruped"\?'):
        parse_plan(HEAD + 'figure = "quadrupd"', "swing.toml")
    with pytest.raises(GambolError, match=r"there is no file .*paths are relative to the plan file"):
        parse_plan(HEAD + 'figure = "robot.urdf"', "swing.toml")
    with pytest.raises(GambolError, match='"figure" is missing'):
        parse_plan(HEAD, "swing.toml")
    with pytest.raises(GambolError, match=r'figure.links.1.*did you mean "joint"'):
        parse_plan(HEAD + ROD.replace("joint =", "joimt ="), "swing.toml")
    with pytest.raises(PlanError, match="not a plan file"):
        parse_plan("name = 'x'", "swing.toml")


NAMED = {
    "block": block_move,
    "cartpole": cart_pole,
    "pendulum": pendulum,
    "acrobot": acrobot,
    "particle": particle_flight,
    "hopper": hopper_leap,
    "lamp": lamp_jump,
}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_example_can_be_read(path):
    from gambol.cli.plan.figures import FIGURES

    plan = read_plan(path, FIGURES).plan
    assert plan.torques
    assert sum(1 for line in path.read_text().splitlines() if line.startswith("# ")) >= 1  # it says what it shows


@pytest.mark.parametrize("name", NAMED)
def test_examples_ask_for_what_the_named_problems_ask_for(name):
    """The same phases, bounds and ends, within the six digits of the files."""
    plan, named = read_plan(EXAMPLES / f"{name}.toml").plan, NAMED[name]()
    assert [phase.contacts for phase in plan.phases] == [phase.contacts for phase in named.phases]
    assert [phase.duration for phase in plan.phases] == [phase.duration for phase in named.phases]
    assert plan.torques.keys() == named.torques.keys()
    for end in ("start", "goal"):
        mine, theirs = getattr(plan, end).positions, getattr(named, end).positions
        assert mine.keys() == theirs.keys()
        for joint, values in mine.items():
            assert values == pytest.approx(theirs[joint], abs=2e-4)
