"""Reflexes on uneven ground, step by step on floats: elevator reflex, search for a foothold, stable patterns."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.control import Senses
from gambol.creatures import roach
from gambol.errors import WorldError
from gambol.figure import JOINTS
from gambol.gait import STANCE, STEP, GaitController, GaitMemory, Leg, MotorCommand, ReflexTriggers, Side
from gambol.gait.elevator import Elevator
from gambol.gait.foothold import Foothold
from gambol.gait.high_steps import HighSteps
from gambol.gait.leg import lift_direction, lifting_commands
from gambol.gait.modifier import GaitModifier
from gambol.gait.stable_patterns import StablePatterns
from gambol.gait.stroke import foot_jacobian

DT = 1.0 / 1000.0  # s
TP = 0.05  # s, one step
LIFT, LANDING, STANCE_GOAL = 0.6, -0.2, -0.4  # rad, of the lower joint
TRIPODS = ((0, 3, 4), (1, 2, 5))
SIDES: tuple[Side, Side] = ("left", "right")
Touch = Callable[[GaitMemory, float], Mapping[str, float]]


def six_legs() -> tuple[Leg, ...]:
    """Return legs of three links: the first joint swings forward in a step, the second lifts and lowers."""
    legs: list[Leg] = []
    for rank in range(3):
        for side in SIDES:
            upper, lower, foot = (f"{part} {side} {rank}" for part in ("upper", "lower", "foot"))
            step = (
                MotorCommand(upper, -0.5, 0.0, 1.0),
                MotorCommand(lower, LIFT, 0.0, 0.4),
                MotorCommand(lower, LANDING, 0.5, 0.5),
            )
            stance = (MotorCommand(upper, 0.5, 0.0, 1.0), MotorCommand(lower, STANCE_GOAL, 0.0, 1.0))
            legs.append(Leg(f"{side} {rank}", side, rank, (upper, lower, foot), step, stance))
    return tuple(legs)


LEGS = six_legs()


def gait_of(*modifiers: GaitModifier, **options: Any) -> GaitController:
    rest = {joint: 0.0 for leg in LEGS for joint in leg.joints}
    return GaitController(LEGS, rest, metabolism=TP, modifiers=modifiers, **options)


def on_ground(memory: GaitMemory, time: float) -> Mapping[str, float]:
    """Return the contacts of level ground: feet that stand touch it, others do not."""
    stands = (s < 1.5 or c >= 0.98 * TP for s, c in zip(memory.state, memory.clock, strict=True))
    return {leg.foot: float(on) for leg, on in zip(LEGS, stands, strict=True)}


def walked(
    gait: GaitController, seconds: float, touch: Touch = on_ground, torque: Callable[[float], float] = lambda t: 0.0,
    bent: Mapping[int, float] | None = None,
) -> list[GaitMemory]:  # fmt: skip
    """Return the memory during each control step. torque: of all supporting joints. bent: upper angles of legs."""
    memory, passed = gait.memory(), list[GaitMemory]()
    angles = {leg.links[0]: (bent or {}).get(i, 0.0) for i, leg in enumerate(LEGS)}
    for k in range(round(seconds / DT)):
        touched = touch(memory, k * DT)
        contacts = [touched.get(foot, 0.0) for foot in gait.feet]
        torques = {leg.links[1]: torque(k * DT) for leg in LEGS}
        senses = Senses(k * DT, contacts=contacts, joint_angles=angles, spring_torques=torques)
        memory = gait.decide(gait.numbers(), memory, senses, DT)
        passed.append(memory)
        memory = gait.advanced(memory, DT)
    return passed


def states(passed: list[GaitMemory]) -> np.ndarray:
    return np.array([m.state for m in passed])


def first_step(passed: list[GaitMemory], leg: int) -> list[GaitMemory]:
    """Return the control steps of the first step of a leg."""
    steps = states(passed)[:, leg] == STEP
    begin = int(np.argmax(steps))
    return passed[begin : begin + int(np.argmin(steps[begin:]))]


def rest_of(gait: GaitController, memory: GaitMemory, joint: str) -> float:
    return float(memory.rest[gait.joints.index(joint)])


def test_on_level_ground_no_reflex_acts():
    patterns = StablePatterns(LEGS, TRIPODS, (1.0,) * 6)
    for reflex in (Elevator(LEGS), Foothold(LEGS), patterns):
        for plain, other in zip(walked(gait_of(), 0.3), walked(gait_of(reflex), 0.3), strict=True):
            assert (plain.state, plain.rest, plain.rate) == (other.state, other.rest, other.rate)


def test_high_steps_lift_higher_and_land_as_before():
    plain, high = (first_step(walked(gait, 0.3), 1) for gait in (gait_of(), gait_of(HighSteps(LEGS, lift=0.3))))
    gait, joint = gait_of(), LEGS[1].links[1]
    lifted = [max(rest_of(gait, memory, joint) for memory in step) for step in (plain, high)]
    assert lifted == pytest.approx([LIFT, LIFT + 0.3])
    assert rest_of(gait, gait.advanced(high[-1], DT), joint) == pytest.approx(LANDING)


def striking(leg: int, strikes: int) -> Touch:
    """Return contacts of a leg that strikes something a fifth into each of its first attempts."""
    struck = [0]

    def touch(memory: GaitMemory, time: float) -> Mapping[str, float]:
        contacts = dict(on_ground(memory, time))
        now = memory.state[leg] == STEP and abs(memory.clock[leg] - 0.2 * TP) < 0.5 * DT
        if now and struck[0] < strikes:
            struck[0] += 1
            contacts[LEGS[leg].foot] = 1.0
        return contacts

    return touch


@pytest.mark.parametrize("strikes", [1, 2, 3, 5])
def test_a_leg_that_strikes_is_drawn_back_lifted_higher_and_tried_again(strikes: int):
    elevator = Elevator(LEGS, lift=0.3, back=0.1, retreat=0.4, most=3)
    gait = gait_of(elevator)
    leg, failed = 1, min(strikes, 3)
    step = first_step(walked(gait, 0.3, striking(leg, strikes)), leg)
    higher = max(rest_of(gait, m, LEGS[leg].links[1]) for m in step)
    assert higher == pytest.approx(LIFT + 0.3 * failed)
    assert len(step) * DT == pytest.approx(TP + failed * (0.2 + 0.4) * TP, abs=2 * (failed + 1) * DT)
    upper = np.array([rest_of(gait, m, LEGS[leg].links[0]) for m in step])
    assert np.maximum(np.diff(upper), 0.0).sum() == pytest.approx(0.1 * failed, rel=0.1)  # back; the rest is forward
    assert step[-1].rest[gait.joints.index(LEGS[leg].links[0])] == pytest.approx(-0.5, abs=0.03)


def test_what_touches_a_leg_that_is_being_lowered_is_ground():
    gait = gait_of(Elevator(LEGS))

    def lands(memory: GaitMemory, time: float) -> Mapping[str, float]:
        return {leg.foot: float(c > 0.6 * TP) for leg, c in zip(LEGS, memory.clock, strict=True)}

    assert len(first_step(walked(gait, 0.2, lands), 0)) == round(TP / DT)


def test_a_foot_without_ground_reaches_down_and_around():
    foothold = Foothold(LEGS, grace=0.01, search=0.02, reach=0.3, sway=0.1)
    gait, leg = gait_of(foothold, speed=2.0), 0
    passed = walked(gait, 0.4, lambda m, t: {x.foot: 0.0 if i == leg else 1.0 for i, x in enumerate(LEGS)})
    step = first_step(passed, leg)
    begin = passed.index(step[-1]) + 1
    search = passed[begin + round(0.01 / DT) : begin + round(0.03 / DT)]
    lower, upper = ([rest_of(gait, m, LEGS[leg].links[k]) for m in search] for k in (1, 0))
    assert lower[0] - lower[-1] == pytest.approx(0.3, rel=0.05)
    assert np.ptp(upper) == pytest.approx(0.2, rel=0.05)
    turns = np.count_nonzero(np.diff(np.sign(np.array(upper) - upper[0])) != 0)
    assert turns >= 3
    last = next(k for k in range(begin, len(passed)) if passed[k].state[leg] != STANCE) - 1
    assert rest_of(gait, passed[last], LEGS[leg].links[1]) == pytest.approx(STANCE_GOAL - 0.3, abs=0.02)
    assert rest_of(gait, passed[last], LEGS[leg].links[0]) == pytest.approx(0.5, abs=0.02)


def test_a_foot_stops_where_it_finds_ground_in_a_hole():
    foothold = Foothold(LEGS, grace=0.01, search=0.02, reach=0.4)
    gait, leg = gait_of(foothold, speed=2.0), 0

    def hole(memory: GaitMemory, time: float) -> Mapping[str, float]:
        found = memory.state[leg] < 0.5 and 0.02 - 0.5 * DT <= memory.clock[leg] < 1.0
        return {x.foot: float(found) if i == leg else 1.0 for i, x in enumerate(LEGS)}

    passed = walked(gait, 0.4, hole)
    begin = passed.index(first_step(passed, leg)[-1]) + 1
    last = next(k for k in range(begin, len(passed)) if passed[k].state[leg] != STANCE) - 1
    assert rest_of(gait, passed[last], LEGS[leg].links[1]) == pytest.approx(STANCE_GOAL - 0.2, abs=0.03)


def test_a_foot_stays_flexed_on_high_ground():
    foothold = Foothold(LEGS, yielding=1.0, early=0.8)
    gait, leg = gait_of(foothold, speed=2.0), 0

    def high(memory: GaitMemory, time: float) -> Mapping[str, float]:
        lands = memory.state[leg] < 1.5 or memory.clock[leg] >= 0.75 * TP - 0.5 * DT
        return {**on_ground(memory, time), LEGS[leg].foot: float(lands)}

    passed = walked(gait, 0.4, high)
    step = first_step(passed, leg)
    assert len(step) * DT == pytest.approx(0.75 * TP, abs=1.5 * DT)
    flexion = rest_of(gait, step[-1], LEGS[leg].links[1]) - LANDING
    lowering = (LIFT - LANDING) / (0.5 * TP)  # rad/s
    assert flexion == pytest.approx(0.5 * (LIFT - LANDING), abs=2.0 * DT * lowering)  # half is left
    begin = passed.index(step[-1]) + 1
    last = next(k for k in range(begin, len(passed)) if passed[k].state[leg] != STANCE) - 1
    assert rest_of(gait, passed[last], LEGS[leg].links[1]) == pytest.approx(STANCE_GOAL + flexion, abs=0.04)


def test_neither_loads_nor_stable_patterns_hold_a_leg_for_ever():
    held = gait_of(reflexes=tuple(ReflexTriggers(load=1.0) for _ in LEGS))
    for gait in (held, gait_of(StablePatterns(LEGS, TRIPODS, (1.0,) * 6))):
        steps = states(walked(gait, 0.9, torque=lambda t: 5.0)) == STEP
        assert (np.diff(steps.astype(int), axis=0) == 1).sum(axis=0).min() >= 3


def stands_stably(stands: np.ndarray) -> bool:
    return any(all(stands[list(tripod)]) for tripod in TRIPODS) or stands.sum() >= 5


def test_loaded_legs_leave_stable_patterns():
    patterns = StablePatterns(LEGS, TRIPODS, (1.0,) * 6)
    stands = states(walked(gait_of(patterns, speed=1.3), 0.7, torque=lambda t: 5.0)) != STEP
    assert all(stands_stably(row) for row in stands)


@settings(max_examples=6)
@given(st.lists(st.booleans(), min_size=20, max_size=20), st.sampled_from([1.0, 1.5, 3.0]))
def test_no_leg_waits_for_ever(loaded: list[bool], speed: float):
    """Each older request takes at most a step to end and another to be granted after it."""
    patience = 0.02
    gait = gait_of(StablePatterns(LEGS, (), (1.0,) * 6, patience=patience), speed=speed)
    passed = walked(gait, 0.4, torque=lambda t: 5.0 if loaded[int(t / 0.04) % 20] else 0.0)
    waits = max(max(m.modifiers[0]) for m in passed)
    assert waits <= patience + len(LEGS) * (TP + 3 * DT)


@pytest.mark.parametrize(("pair", "together"), [((2, 3), True), ((0, 1), False), ((4, 5), False)])
def test_middle_legs_are_lifted_together(pair: tuple[int, int], together: bool):
    patterns = StablePatterns(LEGS, (*TRIPODS, (0, 1, 4, 5), (2, 3, 4, 5), (0, 1, 2, 3)), (1.0,) * 6)
    triggers = tuple(ReflexTriggers(bent_back=0.4) for _ in LEGS)
    gait = gait_of(patterns, reflexes=triggers, speed=50.0)
    both = (states(walked(gait, 0.2, bent=dict.fromkeys(pair, 1.0)))[:, list(pair)] == STEP).all(axis=1)
    assert both.any() == together
    alone = gait_of(reflexes=triggers, speed=50.0)
    assert not (states(walked(alone, 0.2, bent=dict.fromkeys(pair, 1.0)))[:, list(pair)] == STEP).all(axis=1).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: HighSteps(LEGS, lift=0.0), "high steps lift a leg by 0"),
        (lambda: Elevator(LEGS, lift=0.0), "lift of an elevator reflex is 0"),
        (lambda: Elevator(LEGS, back=math.nan), "back of an elevator reflex is nan"),
        (lambda: Foothold(LEGS, search=-1.0), "search of a search for a foothold is -1"),
        (lambda: StablePatterns(LEGS, TRIPODS, (1.0,)), "6 legs need as many loads, not 1"),
        (lambda: StablePatterns(LEGS, ((0, 6),), (1.0,) * 6), "does not exist; there are legs 0 to 5"),
        (lambda: StablePatterns(LEGS, TRIPODS, (1.0,) * 6, patience=-1.0), "cannot wait for -1"),
    ],
)
def test_invalid_reflexes(make: Callable[[], object], message: str):
    with pytest.raises(WorldError, match=message):
        make()


def test_a_leg_that_does_not_lift_cannot_be_lifted_higher():
    flat = replace(LEGS[0], step=LEGS[0].step[:2])
    with pytest.raises(WorldError, match="needs a command that lifts and one that lowers it"):
        lifting_commands(flat)
    assert [lift_direction(leg) for leg in LEGS] == [1.0] * 6


@pytest.mark.parametrize("name", ["thesis", "tuned", "cockroach", "agile"])
def test_the_direction_of_lift_raises_the_foot(name: str):
    """By the leg's Jacobian in the middle of its stance. Hind legs of some sets land higher than they were lifted."""
    creature = roach(name)
    q: list[float] = []
    for link in creature.figure.links:
        angle = creature.angles.get(link.name)
        q += JOINTS[link.joint.kind].rest if angle is None else [angle]
    for leg in creature.legs:
        _, columns = foot_jacobian(creature.figure, leg, q, [leg.links[1]])
        assert lift_direction(leg) * columns[2, 0] > 1e-3  # of a leg of some 10 mm
