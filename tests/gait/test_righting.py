"""The righting reflex, step by step on floats."""

import math

import numpy as np
import pytest

from gambol.control import Senses
from gambol.errors import WorldError
from gambol.gait import GaitController
from gambol.gait.righting import Righting

DT = 0.001  # s
REFLEX = Righting("trunk", 1.4, ramp=0.01, held=0.05, period=0.2, patience=0.1)


def angles(up, seconds, reflex=REFLEX):
    """Return the rest angle of the trunk's joint at the end of each control step. up: function of time."""
    gait = GaitController((), {"trunk": 0.0}, others=("trunk",), modifiers=(reflex,))
    memory, rest = gait.memory(), list[float]()
    for k in range(round(seconds / DT)):
        memory = gait.decide(gait.numbers(), memory, Senses(k * DT, up=(0.0, 0.0, up(k * DT))), DT)
        memory = gait.advanced(memory, DT)
        rest.append(float(memory.rest[0]))
    return np.array(rest)


def test_upright_nothing_moves():
    np.testing.assert_array_equal(angles(lambda t: 0.31, 1.0), 0.0)


def test_on_its_back_the_trunk_bends_and_straightens_again_and_again():
    rest = angles(lambda t: -1.0, 0.85)
    time = DT * np.arange(1, len(rest) + 1)
    since = (time - 0.1) % 0.2
    at_rest = (time < 0.098) | ((since > 0.062) & (since < 0.198))  # two steps from the edges, which may round
    bent = (time > 0.1) & (since > 0.012) & (since < 0.048)
    np.testing.assert_array_equal(rest[at_rest], 0.0)
    np.testing.assert_array_equal(rest[bent], 1.4)
    assert np.abs(np.diff(rest)).max() <= 1.4 * DT / 0.01 * (1.0 + 1e-12)  # never faster than the ramp
    assert (np.diff(at_rest.astype(int)) == -1).sum() == 4  # attempts


def test_on_its_feet_again_the_trunk_straightens():
    rest = angles(lambda t: -1.0 if t < 0.13 else 1.0, 0.5)
    assert rest[125] == 1.4
    np.testing.assert_array_equal(rest[142:], 0.0)


@pytest.mark.parametrize(
    "change",
    [
        {"bend": 0.0},
        {"bend": math.nan},
        {"ramp": 0.0},
        {"held": 0.005},
        {"period": 0.05},
        {"patience": -1.0},
        {"upright": 1.0},
    ],
)
def test_impossible_numbers_are_refused(change):
    values = {"bend": 1.0, "ramp": 0.01, "held": 0.05, "period": 0.2, "patience": 0.1} | change
    with pytest.raises(WorldError, match=r"righting reflex|upright trunk"):
        Righting("trunk", **values)


def test_a_renamed_reflex_moves_the_renamed_joint():
    assert REFLEX.renamed({"trunk": "roach/trunk"}).joint == "roach/trunk"
