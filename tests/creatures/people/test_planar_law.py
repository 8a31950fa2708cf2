"""The law of SIMBICON in the plane: torques by its formulas, and legs that exchange their roles."""

import math

import numpy as np
import pytest

from gambol.control import PhaseMemory, Senses
from gambol.creatures.people.body import APPLET
from gambol.creatures.people.gaits import GAITS
from gambol.creatures.people.planar_figure import planar_person
from gambol.creatures.people.planar_law import PlanarSimbicon

FIGURE = planar_person("biped", APPLET)
HEEL = (-0.04, -0.04)
LAW = PlanarSimbicon(FIGURE, GAITS["walk"], HEEL)
RNG = np.random.default_rng(3)


def commands(q: list[float], v: list[float], memory: PhaseMemory) -> list[float]:
    """Return the commands: torques of the hips, targets of the knees and of the ankles, each right and left."""
    given, _ = LAW.commands(LAW.numbers(), memory, Senses(0.0, q=q, v=v, contacts=[0.0, 0.0]), 1e-3)
    return list(given)


def leg_x(q: list[float], first: int) -> float:
    """Return x of a heel, by plane trigonometry: angles add up along the leg, and positive ones turn forward."""
    thigh = q[0] + q[first]
    shank = thigh + q[first + 1]
    foot = shank + q[first + 2]
    x = q[1] + 0.45 * math.sin(thigh) + 0.45 * math.sin(shank)
    return x + HEEL[0] * math.cos(foot) - HEEL[1] * math.sin(foot)


@pytest.mark.parametrize("index", [0.0, 1.0])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_torques_are_those_of_the_paper(index: float, side: float):
    q = list(RNG.uniform(-0.3, 0.3, 9))
    v = list(RNG.uniform(-1.0, 1.0, 9))
    theta_0, cd, cv = ((0.4, 0.0, 0.2), (-0.7, 2.2, 0.0))[int(index)]
    swing, stance = (3, 6) if side > 0.0 else (6, 3)
    forward = math.cos(q[0]) * v[1] - math.sin(q[0]) * v[2]
    theta = min(max(theta_0 + cd * (q[1] - leg_x(q, stance)) + cv * forward, -0.4), 1.6)
    tau_swing = 300.0 * (theta - q[0] - q[swing]) - 30.0 * (v[0] + v[swing])
    tau_trunk = 300.0 * (0.0 - q[0]) - 30.0 * v[0]
    right, left = commands(q, v, PhaseMemory(index, 0.0, side))[:2]
    expected = (tau_swing, -tau_trunk - tau_swing) if side > 0.0 else (-tau_trunk - tau_swing, tau_swing)
    assert (right, left) == pytest.approx(expected, abs=1e-9)


def test_the_targets_of_knees_and_ankles_follow_the_roles_of_the_legs():
    q, v = [0.0] * 9, [0.0] * 9
    assert commands(q, v, PhaseMemory(0.0, 0.0, 1.0))[2:] == [-1.1, -0.05, 0.2, 0.2]
    assert commands(q, v, PhaseMemory(0.0, 0.0, -1.0))[2:] == [-0.05, -1.1, 0.2, 0.2]
    assert commands(q, v, PhaseMemory(1.0, 0.0, 1.0))[2:] == [-0.05, -0.10, 0.2, 0.2]


@pytest.mark.parametrize(("contacts", "side", "index"), [([1.0, 0.0], -1.0, 0.0), ([0.0, 1.0], 1.0, 1.0)])
def test_only_the_swing_foot_ends_the_contact_phase(contacts: list[float], side: float, index: float):
    senses = Senses(0.0, q=[0.0] * 9, v=[0.0] * 9, contacts=contacts)
    _, memory = LAW.commands(LAW.numbers(), PhaseMemory(1.0, 0.1, 1.0), senses, 1e-3)
    assert (memory.side, memory.index) == (side, index)
