"""The roach against a second transcription of the thesis' script, column by column. [McKenna 1990, appendix C]

All 33 links and 32 joints, both sides, in the script's own units and words: cm for boxes, m for places, degrees for
turns, radians for angles. The two places where the script is read otherwise than printed are marked.
"""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gambol.creatures import roach

# link    box [cm]                 joint in the parent [m]     turns [degrees]       axis      in
TRUNK = """
abdomen   1.63   1.25   0.706      -        -        -         -                     -         -
thorax    1.06   0.875  0.529      0.00815  0        0.001     -                     0 1 0     link
head      0.265  0.25   0.635      0.01058  0        0         y 10                  1 0 0     link
"""
LEFT = """
leg_fl0   0.21   0.49   0.21       0.009    0.0044  -0.0015    x -45                 0 0 1     parent
leg_fl1   0.11   0.6    0.11       0        0.0049   0         x 90 y 90             1 0 0     link
leg_fl2   0.053  0.60   0.053      0        0.0060   0         x -90                 1 0 0     link
leg_fl3   0.035  0.035  0.035      0        0.0060   0         -                     0 0 1     link
leg_fl4   0.035  0.18   0.035      0        0.00035  0         -                     1 0 1     link
leg_ml0   0.18   0.60   0.18       0.0055   0.0044  -0.0015    x -45                 0 0 1     parent
leg_ml1   0.071  0.42   0.071      0        0.0060   0         x 90 y -45            1 0 0     link
leg_ml2   0.053  0.95   0.053      0        0.0042   0         x -90                 1 0 0     link
leg_ml3   0.035  0.035  0.035      0        0.0095   0         -                     0 0 1     link
leg_ml4   0.035  0.20   0.035      0        0.00035  0         -                     1 0 1     link
leg_bl0   0.25   0.56   0.25       0.0015   0.0044  -0.0015    x -45                 0 0 1     parent
leg_bl1   0.11   0.35   0.11       0        0.0056   0         x 90 y -90            1 0 0     link
leg_bl2   0.071  1.41   0.071      0        0.0035   0         x -90                 1 0 0     link
leg_bl3   0.035  0.035  0.035      0        0.0141   0         -                     0 0 1     link
leg_bl4   0.035  0.35   0.035      0        0.00035  0         -                     1 0 1     link
"""
RIGHT = """
leg_fr0   0.21   0.49   0.21       0.009   -0.0044  -0.0015    x 45                  0 0 1     parent
leg_fr1   0.11   0.6    0.11       0       -0.0049   0         x -90 y 90            1 0 0     link
leg_fr2   0.053  0.60   0.053      0       -0.0060   0         x 90                  1 0 0     link
leg_fr3   0.035  0.035  0.035      0       -0.0060   0         -                     0 0 1     link
leg_fr4   0.035  0.18   0.035      0       -0.00035  0         -                     1 0 1     link
leg_mr0   0.18   0.60   0.18       0.0055  -0.0044  -0.0015    x 45                  0 0 1     parent
leg_mr1   0.071  0.42   0.071      0       -0.0060   0         x -90 y -45           1 0 0     link
leg_mr2   0.053  0.95   0.053      0       -0.0042   0         x 90                  1 0 0     link
leg_mr3   0.035  0.035  0.035      0       -0.0095   0         -                     0 0 1     link
leg_mr4   0.035  0.20   0.035      0       -0.00035  0         -                     1 0 1     link
leg_br0   0.25   0.56   0.25       0.0015  -0.0044  -0.0015    x 45                  0 0 1     parent
leg_br1   0.11   0.35   0.11       0       -0.0056   0         x -90 y -90           1 0 0     link
leg_br2   0.071  1.41   0.071      0       -0.0035   0         x 90                  1 0 0     link
leg_br3   0.035  0.035  0.035      0       -0.0141   0         -                     0 0 1     link
leg_br4   0.035  0.35   0.035      0       -0.00035  0         -                     1 0 1     link
"""
CENTRES = {"abdomen": (0.0, 0.0, 0.0), "thorax": (0.00529, 0.0, 0.0), "head": (0.0013525, 0.0, -0.00141)}

# joint   q (and e_q)   ea     eB   b      springtype
JOINTS = """
thorax    0             0.024  10   0.01   mass
leg_bl0   0.3           1      16   0.03   distalmass
leg_bl1  -0.2           1      16   0.03   distalmass
leg_bl2   0.4           1      16   0.03   distalmass
leg_bl3   0             0.2    8    0.03   distalmass
leg_bl4   0             0.2    8    0.03   distalmass
leg_br0  -0.3           1      16   0.03   distalmass
leg_br1   0.2           1      16   0.03   distalmass
leg_br2  -0.4           1      16   0.03   distalmass
leg_br3   0             0.2    8    0.03   distalmass
leg_br4   0             0.2    8    0.03   distalmass
leg_ml0   0.15          1      16   0.03   distalmass
leg_ml1  -0.05          1      16   0.03   distalmass
leg_ml2   0             1      16   0.03   distalmass
leg_ml3   0             0.2    8    0.03   distalmass
leg_ml4   0             0.2    8    0.03   distalmass
leg_mr0  -0.15          1      16   0.03   distalmass
leg_mr1   0.05          1      16   0.03   distalmass
leg_mr2   0             1      16   0.03   distalmass
leg_mr3   0             0.2    8    0.03   distalmass
leg_mr4   0             0.2    8    0.03   distalmass
leg_fl0  -0.45          1      6    0.03   distalmass
leg_fl1   0             1      6    0.03   distalmass
leg_fl2   0             1      6    0.03   distalmass
leg_fl3   0             0.2    8    0.03   distalmass
leg_fl4   0             0.2    8    0.03   distalmass
leg_fr0   0.45          1      6    0.03   distalmass
leg_fr1   0             1      6    0.03   distalmass
leg_fr2   0             1      6    0.03   distalmass
leg_fr3   0             0.2    8    0.03   distalmass
leg_fr4   0             0.2    8    0.03   distalmass
"""  # leg_mr1: 0.5 in print

# leg (script's number): program: joint target begins lasts, ...
PROGRAMS = """
0 step:   0 -.7 0 1, 1 .35 0 .2, 1 -.3 .5 .5, 2 -.2 0 1
0 stance: 0 -.05 0 1, 1 -.3 0 1, 2 .1 0 1
1 step:   0 .7 0 1, 1 -.35 0 .2, 1 .3 .5 .5, 2 .2 0 1
1 stance: 0 .05 0 1, 1 .3 0 1, 2 -.1 0 1
2 step:   0 -.25 0 1, 1 0 0 .4, 1 -.5 .5 .5, 2 .2 0 1
2 stance: 0 .25 0 1, 1 -.9 0 1, 2 .8 0 1
3 step:   0 .25 0 1, 1 0 0 .4, 1 .5 .5 .5, 2 -.2 0 1
3 stance: 0 -.25 0 1, 1 .9 0 1, 2 -.8 0 1
4 step:   0 -.1 0 1, 1 1 0 .3333333333, 1 .4 .5 .5, 2 -.35 0 1
4 stance: 0 .3 0 1, 1 -.2 0 1, 2 .4 0 1
5 step:   0 .1 0 1, 1 -1 0 .3333333333, 1 -.4 .5 .5, 2 .35 0 1
5 stance: 0 -.3 0 1, 1 .2 0 1, 2 -.4 0 1
"""  # 5 step, third: "time" in print where "timer" is meant

ROACH = roach("thesis")


def rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.splitlines() if line]


def turned(words: list[str]) -> Rotation:
    """Return the product of turns about fixed axes, in their order."""
    R = Rotation.identity()
    for axis, degrees in zip(words[::2], words[1::2], strict=True):
        R = Rotation.from_euler(axis, float(degrees), degrees=True) * R
    return R


@pytest.mark.parametrize("row", rows(TRUNK + LEFT + RIGHT), ids=lambda row: row[0])
def test_boxes_are_those_of_the_script(row):
    part = ROACH.figure.link(row[0]).parts[0]
    edges = [float(edge) / 100 for edge in row[1:4]]
    side = -1.0 if row in rows(RIGHT) else 1.0
    assert part.shape.size == pytest.approx(edges)
    assert part.position == pytest.approx(CENTRES.get(row[0], (0.0, side * edges[1] / 2, 0.0)))
    assert part.density == 1000.0


@pytest.mark.parametrize("row", [row for row in rows(TRUNK + LEFT + RIGHT) if row[4] != "-"], ids=lambda row: row[0])
def test_joints_lie_and_point_as_in_the_script(row):
    joint = ROACH.figure.link(row[0]).joint
    turns = [word for word in row[7:-4] if word != "-"]
    axis = np.array(row[-4:-1], dtype=float) / math.hypot(*map(float, row[-4:-1]))
    R = turned(turns).as_matrix()
    assert joint.position == pytest.approx([float(word) for word in row[4:7]])
    np.testing.assert_allclose(joint.rotation, R, atol=1e-15)
    np.testing.assert_allclose(joint.axis, R.T @ axis if row[-1] == "parent" else axis, atol=1e-15)


@pytest.mark.parametrize("row", rows(JOINTS), ids=lambda row: row[0])
def test_springs_are_those_of_the_script(row):
    name, q, ea, eB, b, scale = row
    spring = ROACH.springs[name]
    assert (ROACH.angles[name], spring.rest) == (float(q), float(q))
    assert (spring.alpha, spring.beta, spring.damping) == (float(ea), float(eB), float(b))
    assert spring.scale.replace(" ", "") == scale
    assert spring.stiffness == spring.bias == spring.limit_stiffness == 0.0


def test_head_hangs_on_a_linear_spring():
    spring = ROACH.springs["head"]
    assert (spring.stiffness, spring.damping, spring.rest, spring.scale) == (0.1, 0.01, 0.0, "mass")
    assert (spring.alpha, ROACH.angles["head"]) == (0.0, 0.0)


def test_every_joint_has_its_row():
    assert {row[0] for row in rows(TRUNK + LEFT + RIGHT)} == {link.name for link in ROACH.figure.links}
    assert {"head", *(row[0] for row in rows(JOINTS))} == set(ROACH.springs) == set(ROACH.angles)
    assert len(ROACH.springs) == 32


@pytest.mark.parametrize("line", PROGRAMS.strip().splitlines())
def test_motor_programs_are_those_of_the_script(line):
    title, commands = line.split(":")
    number, program = title.split()
    leg = ROACH.legs[int(number)]
    expected = []
    for command in commands.split(","):
        joint, target, begins, lasts = command.split()
        expected.append((leg.links[int(joint)], float(target), float(begins), float(lasts)))
    assert [(c.joint, c.target, c.begins, c.lasts) for c in getattr(leg, program)] == expected


def test_constants_are_those_of_the_script():
    ground, timing, gait = ROACH.ground, ROACH.timing, ROACH.gait
    assert (ground.stiffness, ground.damping, ground.alpha, ground.beta) == (0.0, 0.0, 17.5, 3000.0)
    assert (ground.restitution, ground.friction, ground.deepest) == (0.5, 0.7, 0.01)
    assert timing.control_step == pytest.approx(1 / 2400)
    assert (timing.step, timing.tolerance, timing.method) == (0.000033333, 10.0, "rkf")
    assert (gait.protraction, gait.speed) == (0.05, 1000.0)
