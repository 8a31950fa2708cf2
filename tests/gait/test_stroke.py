"""Changes of motor targets: feet move as the trunk's motion needs, by the kinematics of the whole figure."""

import numpy as np
import pytest

from gambol.creatures import roach
from gambol.dynamics import centre_of_mass, kinematics
from gambol.gait.stroke import command_changes, foot_jacobian, moved_feet

CREATURE = roach()
REST = {name: spring.rest for name, spring in CREATURE.springs.items()}
CHANGES = command_changes(CREATURE.figure, CREATURE.legs, REST)
SMALL = 1e-4
"""A turn, a lean [rad] or a distance over the length of a leg: second-order terms are 1e-4 of the first ones."""


def ends(leg, program):
    return {command.joint: k for k, command in enumerate(program)}


def middle():
    """Return the coordinates in the middle of all strokes, with the root at rest."""
    angles = dict(REST)
    for leg in CREATURE.legs:
        last = [{command.joint: command.target for command in program} for program in (leg.step, leg.stance)]
        angles |= {joint: 0.5 * (last[0][joint] + last[1][joint]) for joint in last[0]}
    links = CREATURE.figure.links
    return [1.0, *[0.0] * 6, *(angles.get(link.name, 0.0) for link in links[1:])]


def moved(leg, key, size):
    """Return the displacement (3,) of a foot by the changes at the end of its step, less those at the stance's end."""
    figure, i = CREATURE.figure, CREATURE.legs.index(leg)
    point = []
    for program, commands in (("step", leg.step), ("stance", leg.stance)):
        q = middle()
        for joint, k in ends(leg, commands).items():
            q[figure.link(joint).q.start] += size * getattr(CHANGES[program][i][k], key)
        point.append(foot_jacobian(figure, leg, q, [])[0])
    return point[0] - point[1]


def arm(leg):
    """Return the foot's place from the centre of mass (3,) [m]."""
    q = middle()
    centre = centre_of_mass(kinematics(CREATURE.figure, q, [0.0] * CREATURE.figure.nv))
    return foot_jacobian(CREATURE.figure, leg, q, [])[0] - np.array(list(centre))


@pytest.mark.parametrize("leg", CREATURE.legs, ids=lambda leg: leg.name)
def test_feet_turn_round_the_centre_of_mass(leg):
    x, y, _ = arm(leg)
    np.testing.assert_allclose(moved(leg, "turn", SMALL), [-y * SMALL, x * SMALL, 0.0], atol=1e-3 * SMALL * 0.03)


@pytest.mark.parametrize("leg", CREATURE.legs, ids=lambda leg: leg.name)
def test_feet_move_sideways_on_the_level(leg):
    size = SMALL * 0.01
    np.testing.assert_allclose(moved(leg, "sideways", size), [0.0, size, 0.0], atol=2e-3 * size)


@pytest.mark.parametrize("leg", CREATURE.legs, ids=lambda leg: leg.name)
def test_a_lean_moves_both_ends_of_a_stroke_as_the_trunk_turns(leg):
    figure, i, (_, y, z) = CREATURE.figure, CREATURE.legs.index(leg), arm(leg)
    for program, commands in (("step", leg.step), ("stance", leg.stance)):
        q = middle()
        start = foot_jacobian(figure, leg, q, [])[0]
        for joint, k in ends(leg, commands).items():
            q[figure.link(joint).q.start] += SMALL * CHANGES[program][i][k].lean
        shift = foot_jacobian(figure, leg, q, [])[0] - start
        np.testing.assert_allclose(shift, [0.0, -z * SMALL, y * SMALL], atol=2e-3 * SMALL * 0.03)


def test_legs_on_the_inner_side_have_shorter_strokes():
    figure, turn = CREATURE.figure, 0.15
    lengths = {}
    for i, leg in enumerate(CREATURE.legs):
        points = []
        for program, commands in (("step", leg.step), ("stance", leg.stance)):
            q = middle()
            for joint, k in ends(leg, commands).items():
                q[figure.link(joint).q.start] = commands[k].target + turn * CHANGES[program][i][k].turn
            points.append(foot_jacobian(figure, leg, q, [])[0])
        lengths[leg.name] = (points[0] - points[1])[0]
    for pair in ("front", "middle", "back"):
        assert lengths[f"{pair} left"] < lengths[f"{pair} right"] - 1.5 * turn * 0.012  # feet are 12 mm or more away


def test_strokes_are_distances_from_their_middles():
    for i, leg in enumerate(CREATURE.legs):
        for joint, k in ends(leg, leg.step).items():
            stance = ends(leg, leg.stance)[joint]
            change, other = CHANGES["step"][i][k].stroke, CHANGES["stance"][i][stance].stroke
            assert change == pytest.approx(-other, abs=1e-15)
            assert change - other == pytest.approx(leg.step[k].target - leg.stance[stance].target, abs=1e-15)


def feet_in_the_middle(legs):
    """Return the place of each foot (legs, 3) in the middle of its stroke, with the trunk at rest [m]."""
    ends_of = [[{c.joint: c.target for c in program} for program in (leg.step, leg.stance)] for leg in legs]
    middles = {joint: 0.5 * (a[joint] + b[joint]) for a, b in ends_of for joint in a}
    q = [1.0, *[0.0] * 6, *((REST | middles).get(link.name, 0.0) for link in CREATURE.figure.links[1:])]
    return np.array([foot_jacobian(CREATURE.figure, leg, q, [])[0] for leg in legs])


def test_feet_are_placed_elsewhere():
    """A foot moves as far as asked, up to second order and to directions in which its leg cannot move it."""
    move = np.array([-SMALL * 0.01, 0.5 * SMALL * 0.01, 0.0])
    moves = {"middle left": tuple(move)}
    legs = moved_feet(CREATURE.figure, CREATURE.legs, REST, moves)
    displaced = feet_in_the_middle(legs) - feet_in_the_middle(CREATURE.legs)
    which = [leg.name for leg in legs].index("middle left")
    np.testing.assert_allclose(displaced[which], move, atol=1e-2 * np.linalg.norm(move))
    np.testing.assert_array_equal(np.delete(displaced, which, axis=0), 0.0)
