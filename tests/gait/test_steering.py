"""Steering of a gait, step by step on floats."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.control import Senses
from gambol.errors import WorldError
from gambol.gait import STEP, GaitController, GroundPath, Leg, MotorCommand, PathFollowing, Steering
from gambol.gait.steering import value_at
from gambol.gait.stroke import CommandChange

DT, TP, PAIRS = 1.0 / 2400.0, 0.05, 3


def walker(steering=(), pairs=PAIRS, **options):
    legs = []
    for rank in range(pairs):
        for side in ("left", "right"):
            upper, lower = f"upper {side} {rank}", f"lower {side} {rank}"
            step = (MotorCommand(upper, -0.5, 0.0, 1.0), MotorCommand(lower, 0.6, 0.0, 0.4),
                    MotorCommand(lower, -0.2, 0.5, 0.5))  # fmt: skip
            stance = (MotorCommand(upper, 0.3, 0.0, 1.0), MotorCommand(lower, -0.4, 0.0, 1.0))
            legs.append(Leg(f"{side} {rank}", side, rank, (upper, lower), step, stance))
    rest = {joint: 0.0 for leg in legs for joint in leg.joints}
    return GaitController(tuple(legs), rest, metabolism=TP, modifiers=steering, **options)


def changes(pairs=PAIRS):
    """Return changes as command_changes() would: strokes about the middles, and others that are easily told apart."""
    step = (CommandChange(-0.4, 2.0, 0.5, 0.1), CommandChange(0.0, 0.0, 0.0, 0.2), CommandChange(0.1, 3.0, 0.7, 0.2))
    stance = (CommandChange(0.4, -2.0, -0.5, 0.1), CommandChange(-0.1, -3.0, -0.7, 0.2))
    return {"step": (step,) * 2 * pairs, "stance": (stance,) * 2 * pairs}


def walked(gait, seconds, q=(), numbers=None):
    memory, numbers, passed = gait.memory(), numbers or gait.numbers(), []
    for k in range(round(seconds / DT)):
        still = {s.sense: dict.fromkeys(s.joints, 0.0) for s in gait.signals.values()}
        memory = gait.decide(numbers, memory, Senses(k * DT, q=q, **still), DT)
        passed.append(memory)
        memory = gait.advanced(memory, DT)
    return passed


def onsets(passed, leg) -> NDArray[np.float64]:
    stepping = np.array([m.state[leg] == STEP for m in passed])
    return np.flatnonzero(np.diff(stepping.astype(int)) == 1) * DT


def targets(passed, gait, joint):
    k = gait.joints.index(joint)
    return {round(m.target[k], 12) for m in passed[round(0.3 / DT) :]}


def test_a_gait_that_is_not_steered_stays_the_same_to_the_last_bit():
    plain, steered = walker(speed=1.7), walker((Steering(changes()),), speed=1.7)
    for one, other in zip(walked(plain, 0.5), walked(steered, 0.5), strict=True):
        assert replace(other, modifiers=[]) == one


def test_backward_exchanges_the_ends_of_the_strokes():
    gait = walker((Steering(changes(), stroke=-1.0),))
    passed = walked(gait, 0.8)
    assert targets(passed, gait, "upper left 1") == {0.3, -0.5}
    stepping = [m for m in passed if m.state[2] == STEP and m.clock[2] > 0.6 * TP]
    assert {round(m.target[gait.joints.index("upper left 1")], 12) for m in stepping} == {0.3}
    assert targets(passed, gait, "lower left 1") == {0.6, -0.4, -0.2}  # the lift stays


@pytest.mark.parametrize(("pairs", "periods"), [(2, 3.0), (3, 2.5), (4, 4.0)])
def test_backward_the_wave_of_steps_runs_from_front_to_hind(periods, pairs):
    gait = walker((Steering(changes(pairs), stroke=-1.0),), pairs, speed=periods / 2.0)
    cycle = periods * TP
    passed = walked(gait, 7 * cycle)[round(2 * cycle / DT) :]
    front = onsets(passed, 0)[0]
    for k, leg in enumerate(gait.legs):
        miss = (onsets(passed, k)[0] - front) / cycle - leg.rank / periods - (0.5 if leg.side == "right" else 0.0)
        assert abs(miss - round(miss)) < 0.03


def test_targets_are_the_sum_of_all_changes():
    stance = TP  # of the tripod gait
    steering = Steering(changes(), 0.5, 0.02, 1.5, 0.04, turn_yield=0.5, sideways_yield=0.8)
    gait = walker((steering,))
    side, turn = 0.02 / 0.8 * stance, 1.5 / 0.5 * stance
    lift = -0.5 - 0.4 * -0.5 + 2.0 * side + 0.5 * turn + 0.1 * 0.04
    stand = 0.3 + 0.4 * -0.5 - 2.0 * side - 0.5 * turn + 0.1 * 0.04
    found = sorted(targets(walked(gait, 0.8), gait, "upper right 0"))
    assert found == pytest.approx(sorted([lift, stand]), abs=1e-12)


@pytest.mark.parametrize(("stroke", "achieved"), [(1.0, 0.4), (0.5, 0.35), (0.0, 0.3), (-0.5, 0.25), (-1.0, 0.2)])
def test_the_yield_of_turns_is_linear_in_the_stroke(stroke: float, achieved: float):
    yields = {"turn_yield": 0.4, "spot_turn_yield": 0.3, "backward_turn_yield": 0.2}
    own, same = (
        walker((Steering(changes(), stroke, 0.0, 1.5, 0.0, **given),)) for given in (yields, {"turn_yield": achieved})
    )
    found, expected = (sorted(targets(walked(gait, 0.8), gait, "upper right 0")) for gait in (own, same))
    assert found == pytest.approx(expected, abs=1e-12)


def test_changes_in_a_stance_have_limits():
    gait = walker((Steering(changes(), turn=1e6, sideways=-1e6, turn_limit=0.1, sideways_limit=0.01),))
    found = sorted(targets(walked(gait, 0.8), gait, "upper right 0"))
    assert found == pytest.approx(sorted([-0.5 - 0.02 + 0.05, 0.3 + 0.02 - 0.05]), abs=1e-12)


def test_slowness_makes_cycles_longer():
    gait = walker((Steering(changes(), slowness=1.5),))
    assert np.diff(onsets(walked(gait, 1.5), 3)) == pytest.approx(1.5 * 2.0 * TP, abs=1.01 * DT)


def test_timed_values_are_those_of_interpolation():
    knots = {"times": [0.2, 0.5, 0.6], "values": [1.0, -1.0, 3.0]}
    for time in np.linspace(0.0, 1.0, 41):
        assert value_at(knots, time) == pytest.approx(np.interp(time, knots["times"], knots["values"]), abs=1e-12)


def test_commands_may_differ_between_worlds():
    gait = walker((Steering(changes(), stroke=1.0, turn=0.0),))
    numbers = gait.numbers()
    numbers["modifiers"][0]["commands"]["turn"]["values"] = [np.array([0.0, 1.0])]
    numbers["modifiers"][0]["commands"]["stroke"]["values"] = [np.array([1.0, -1.0])]
    together = walked(gait, 0.4, numbers=numbers)
    for w, (stroke, turn) in enumerate(((1.0, 0.0), (-1.0, 1.0))):
        alone = walked(walker((Steering(changes(), stroke=stroke, turn=turn),)), 0.4)
        for one, other in zip(alone[::50], together[::50], strict=True):
            assert [np.broadcast_to(x, 2)[w] for x in other.target] == pytest.approx(one.target, abs=1e-12)


@pytest.mark.parametrize(("stroke", "heading"), [(1.0, 0.0), (-1.0, math.pi)])
def test_a_walker_beside_its_path_turns_towards_it_and_leans(stroke, heading):
    following = PathFollowing(GroundPath.through([[0.0, 0.0], [1.0, 0.0]]), bank=0.02, bank_limit=0.03)
    gait = walker((Steering(changes(), stroke=stroke, following=following),))
    q = (math.cos(heading / 2), 0.0, 0.0, math.sin(heading / 2), 0.3, 0.01, 0.0)
    numbers, memory = gait.numbers(), gait.memory()
    for _ in range(2):
        still = {s.sense: dict.fromkeys(s.joints, 0.0) for s in gait.signals.values()}
        memory = gait.decide(numbers, memory, Senses(0.0, q=q, **still), DT)
    (own,) = memory.modifiers
    assert (own["along"], own["left"], own["astray"]) == pytest.approx((0.3, 0.01, 0.0), abs=1e-9)
    assert own["turn"] == pytest.approx(-math.atan2(0.01, 0.03) / 0.2)
    assert own["lean"] == pytest.approx(0.03)  # the right side is the inner one: it goes down


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"turn": math.nan}, "the turn of steering is nan"),
        ({"stroke": ()}, "no values"),
        ({"sideways": ((0.5, 0.0), (0.5, 1.0))}, "later than the one before"),
        ({"slowness": 0.9}, "tripod"),
        ({"turn_yield": 0.0}, "turn_yield"),
        ({"turn_limit": math.nan}, "turn_limit"),
    ],
)
def test_impossible_commands_are_refused(options, message):
    with pytest.raises(WorldError, match=message):
        Steering(changes(), **options)
