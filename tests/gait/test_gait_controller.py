"""The gait controller alone, step by step on floats: Wilson's rules, inhibition, reflexes and motor programs."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.control import Senses
from gambol.errors import WorldError
from gambol.gait import STEP, GaitController, GaitMemory, Leg, MotorCommand, ReflexTriggers, Side
from gambol.gait.leg import neighbours

DT = 1.0 / 2400.0  # s
TP = 0.05  # s, one step
SIDES: tuple[Side, Side] = ("left", "right")


def walker(pairs: int = 3, lost: str = "", **options: Any) -> GaitController:
    """Return legs of two joints: the upper swings forward in a step and back in stance, the lower lifts and lands."""
    legs: list[Leg] = []
    for rank in range(pairs):
        for side in SIDES:
            name = f"{side} {rank}"
            upper, lower = f"upper {name}", f"lower {name}"
            step = (
                MotorCommand(upper, -0.5, 0.0, 1.0),
                MotorCommand(lower, 0.6, 0.0, 0.4),
                MotorCommand(lower, -0.2, 0.5, 0.5),
            )
            stance = (MotorCommand(upper, 0.5, 0.0, 1.0), MotorCommand(lower, -0.4, 0.5, 0.25))
            legs += [Leg(name, side, rank, (upper, lower), step, stance)] if name != lost else []
    rest = {joint: 0.0 for leg in legs for joint in leg.joints}
    return GaitController(tuple(legs), rest, metabolism=TP, **options)


def sensed(gait: GaitController, time: float, upper: float = 0.0, load: float = 0.0) -> Senses:
    """Return senses with the same angle at the first joint and the same torque at the second joint of every leg."""
    values = {"joint_angles": upper, "spring_torques": load}
    return Senses(time, **{s.sense: dict.fromkeys(s.joints, values[s.sense]) for s in gait.signals.values()})


def walked(
    gait: GaitController, seconds: float, upper: float = 0.0, load: float = 0.0, numbers: Any = None
) -> tuple[NDArray[np.bool_], list[GaitMemory]]:
    """Return True for each leg that steps in each frame (frames, legs), and the memory during each frame."""
    memory, numbers, passed = gait.memory(), numbers or gait.numbers(), []
    for k in range(round(seconds / DT)):
        memory = gait.decide(numbers, memory, sensed(gait, k * DT, upper, load), DT)
        passed.append(memory)
        memory = gait.advanced(memory, DT)
    return np.array([m.state for m in passed]) == STEP, passed


def onsets(stepping: NDArray[np.bool_], leg: int) -> NDArray[np.float64]:
    return np.flatnonzero(np.diff(stepping[:, leg].astype(int)) == 1) * DT


def index(gait: GaitController, name: str) -> int:
    return [leg.name for leg in gait.legs].index(name)


@pytest.mark.parametrize("pairs", [2, 3, 4])
@pytest.mark.parametrize("periods", [2.0, 2.5, 3.0, 4.0, 6.0])  # of the cycle, in steps
def test_wilsons_table(periods: float, pairs: int):
    gait = walker(pairs, speed=periods / 2.0)
    cycle = periods * TP
    stepping, _ = walked(gait, 8 * cycle)
    walking = stepping[round(2 * cycle / DT) :]
    assert walking.mean(axis=0) == pytest.approx([1.0 / periods] * len(gait.legs), abs=0.03)  # duty factor 1 - tp / T
    reference = onsets(walking, index(gait, f"left {pairs - 1}"))[0]
    for k, leg in enumerate(gait.legs):
        begins = onsets(walking, k)
        assert np.diff(begins) == pytest.approx(cycle, abs=1.01 * DT)
        wave = (pairs - 1 - leg.rank) / periods + (0.5 if leg.side == "right" else 0.0)
        miss = (begins[0] - reference) / cycle - wave
        assert abs(miss - round(miss)) < 0.03


@pytest.mark.parametrize(("speed", "feet"), [(1.0, 3.0), (1.25, 3.6), (1.5, 4.0), (2.0, 4.5), (3.0, 5.0)])
def test_mean_number_of_feet_on_the_ground(speed: float, feet: float):
    gait = walker(speed=speed)
    cycle = round(2 * speed * TP / DT)
    stepping, _ = walked(gait, 6 * cycle * DT)
    assert 6 - stepping[2 * cycle : 6 * cycle].sum(axis=1).mean() == pytest.approx(feet, abs=0.05)


def test_the_fastest_gait_steps_in_two_tripods():
    gait = walker(speed=1.0)
    stepping, _ = walked(gait, 0.6)
    first = [index(gait, n) for n in ("left 0", "right 1", "left 2")]
    second = [index(gait, n) for n in ("right 0", "left 1", "right 2")]
    late = stepping[round(0.3 / DT) :]
    for tripod in (first, second):
        assert (late[:, tripod] == late[:, tripod[:1]]).all()
    assert (late[:, first[0]] != late[:, second[0]]).mean() > 0.98


@pytest.mark.parametrize(("slow", "fast"), [(4.0, 1.0), (1.0, 4.0)])
def test_smooth_passage_between_wave_and_tripod(slow: float, fast: float):
    gait = walker(speed=slow, speed_after=fast, ramp_start=0.5, ramp_end=2.0)
    stepping, passed = walked(gait, 3.0)
    for k, leg in enumerate(gait.legs):
        gaps = np.diff(onsets(stepping, k))
        assert len(gaps) > 8
        assert gaps.max() < 2 * TP * 4.0 + 3 * TP  # no leg is left out: at most the slowest cycle, and waiting
        assert gaps.min() > 2 * TP - 2 * DT  # and none steps again before it stood as long as it steps
        for other in neighbours(gait.legs, leg):
            assert not (stepping[:, k] & stepping[:, other]).any()
    rates = np.abs([m.rate for m in passed])
    assert rates.max() <= 1.6 / (0.4 * TP) + 1e-9  # no rest angle jumps: the fastest command is the lift


def test_each_step_lasts_its_time():
    gait = walker(speed=1.7)
    stepping, _ = walked(gait, 1.0)
    for k in range(6):
        ends = np.flatnonzero(np.diff(stepping[:, k].astype(int)) == -1) * DT
        begins = onsets(stepping, k)[: len(ends)]
        assert ends - begins == pytest.approx(TP, abs=1.01 * DT)


def test_a_missing_leg_leaves_the_others_in_step():
    whole, torn = walker(speed=2.0), walker(lost="left 1", speed=2.0)
    there, here = walked(whole, 1.0)[0], walked(torn, 1.0)[0]
    kept = [index(whole, leg.name) for leg in torn.legs]
    np.testing.assert_array_equal(here, there[:, kept])


def test_nothing_moves_before_it_begins():
    gait = walker(begins=0.3)
    stepping, passed = walked(gait, 0.6)
    early = round(0.3 / DT)
    assert not stepping[:early].any()
    assert all(r == 0.0 for m in passed[:early] for r in m.rate)
    assert stepping[early:].any(axis=0).all()


def stances(stepping: NDArray[np.bool_], leg: int) -> NDArray[np.float64]:
    """Return the durations of the whole stances of a leg [s]."""
    changes = np.diff(stepping[:, leg].astype(int))
    begins, ends = np.flatnonzero(changes == -1), np.flatnonzero(changes == 1)
    return np.array([ends[ends > begin][0] - begin for begin in begins if (ends > begin).any()]) * DT


@pytest.mark.parametrize("speed", [1.0, 1.5, 3.0])
def test_bearing_weight_holds_every_leg_but_none_for_ever(speed: float):
    """A leg that carries too much stands for at least a cycle, and at most until its neighbours have stepped."""
    gait, cycle = walker(speed=speed, reflexes=tuple(ReflexTriggers(load=2.0) for _ in range(6))), 2.0 * TP * speed
    free, held = (walked(gait, 9.0 * cycle, load=load)[0] for load in (-1.5, -2.5))
    for leg in range(6):
        np.testing.assert_allclose(stances(free, leg), cycle - TP, atol=1.5 * DT)
        assert len(stances(held, leg)) >= 2
        assert stances(held, leg).min() > cycle - 1.5 * DT
        assert stances(held, leg).max() < 2.0 * cycle + 3.0 * TP  # it waits for three neighbours, and for a request


def test_a_held_leg_steps_when_it_is_released():
    gait = walker(speed=3.0, reflexes=tuple(ReflexTriggers(load=2.0) for _ in range(6)))
    numbers, memory, waiting = gait.numbers(), walked(gait, 0.5)[1][-1], list[int]()
    for k in range(round(0.5 / DT), round(0.6 / DT)):
        memory = gait.advanced(gait.decide(numbers, memory, sensed(gait, k * DT, 0.0, 2.5), DT), DT)
        if waiting := [i for i, s in enumerate(memory.state) if s == 1.0]:
            break
    assert waiting
    assert not any(s == STEP for s in memory.state)
    memory = gait.decide(numbers, memory, sensed(gait, 0.6), DT)
    assert memory.state[waiting[0]] == STEP


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_leg_bent_back_steps_by_reflex(direction: float):
    triggers = [ReflexTriggers()] * 6
    triggers[3] = ReflexTriggers(bent_back=0.4, direction=direction)
    gait = walker(reflexes=tuple(triggers), speed=50.0)
    assert not walked(gait, 0.02)[0].any()
    stepping, _ = walked(gait, 0.02, upper=0.5 * direction)
    assert stepping[1:, 3].all()
    assert not np.delete(stepping, 3, axis=1).any()
    assert not walked(gait, 0.02, upper=-0.5 * direction)[0].any()


def test_reflexes_never_make_neighbours_step_together():
    gait = walker(reflexes=tuple(ReflexTriggers(bent_back=0.4) for _ in range(6)))
    stepping, _ = walked(gait, 1.0, upper=1.0)
    assert stepping.any(axis=0).all()
    for k, leg in enumerate(gait.legs):
        for other in neighbours(gait.legs, leg):
            assert not (stepping[:, k] & stepping[:, other]).any()


def test_rest_angles_move_at_constant_speed_and_stop_at_their_targets():
    gait = walker(speed=2.0)
    stepping, passed = walked(gait, 1.0)
    leg = index(gait, "left 2")
    k, low = gait.joints.index("upper left 2"), gait.joints.index("lower left 2")
    begin = np.flatnonzero(np.diff(stepping[:, leg].astype(int)) == 1)[2] + 1
    frames = round(TP / DT)
    upper = np.array([m.rest[k] for m in passed[begin : begin + frames + 1]])
    np.testing.assert_allclose(upper, np.linspace(upper[0], -0.5, frames + 1), atol=1e-12)
    lower = np.array([m.rest[low] for m in passed[begin : begin + frames + 1]])
    lift, turn = round(0.4 * frames), round(0.5 * frames)
    np.testing.assert_allclose(lower[: lift + 1], np.linspace(lower[0], 0.6, lift + 1), atol=1e-12)
    assert (lower[lift + 1 : turn + 1] == 0.6).all()  # exactly at the target, and resting there
    np.testing.assert_allclose(lower[turn:], np.linspace(0.6, -0.2, frames - turn + 1), atol=1e-12)


def test_timers_fire_even_while_the_speed_changes():
    """Half-way through each stance the lower joint is commanded to press down, at any speed."""
    gait = walker(speed=5.0, speed_after=1.0, ramp_start=0.2, ramp_end=0.7)
    stepping, passed = walked(gait, 1.2)
    for i, leg in enumerate(gait.legs):
        low = gait.joints.index(leg.links[1])
        pressed = np.array([m.target[low] for m in passed]) == -0.4
        begins = np.flatnonzero(np.diff(stepping[:, i].astype(int)) == 1)
        ends = np.flatnonzero(np.diff(stepping[:, i].astype(int)) == -1)
        for end in ends:
            after = begins[begins > end]
            length = passed[end + 1].duration[i]
            if len(after) and (after[0] - end) * DT > 0.5 * length + DT:
                assert pressed[end + 1 : after[0]].any()


def test_rest_angles_between_frames_lie_on_the_way():
    gait = walker()
    _, passed = walked(gait, 0.2)
    memory = passed[-1]
    for joint in gait.joints:
        (start, rate), (middle, _), (end, _) = (gait.rest_angle(memory, joint, t) for t in (0.0, 0.5 * DT, DT))
        assert middle == pytest.approx(start + 0.5 * DT * rate, abs=1e-12) or middle == end
        assert end == gait.advanced(memory, DT).rest[gait.joints.index(joint)]


def test_numbers_of_programs_may_differ_between_worlds():
    gait = walker()
    numbers = gait.numbers()
    speed = np.array([1.0, 2.0])
    together = numbers | {"metabolism": np.array([0.05, 0.04]), "speed": speed, "speed_after": speed}
    memory = gait.memory()
    alone = [walker(), replace(walker(speed=2.0), metabolism=0.04)]
    expected = [walked(gait, 0.5)[0] for gait in alone]
    for k in range(round(0.5 / DT)):
        memory = gait.decide(together, memory, sensed(gait, k * DT), DT)
        for w in range(2):
            assert [np.broadcast_to(s, 2)[w] == STEP for s in memory.state] == expected[w][k].tolist()
        memory = gait.advanced(memory, DT)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"speed": 0.5}, "tripod"),
        ({"speed": math.nan}, "tripod"),
        ({"speed_after": 0.9}, "tripod"),
        ({"ramp_start": 1.0, "ramp_end": 1.0}, "change of speed"),
        ({"begins": math.inf}, "begin"),
        ({"reflexes": (ReflexTriggers(),)}, "6 legs"),
    ],
)
def test_impossible_gaits_are_refused(options: dict[str, Any], message: str):
    with pytest.raises(WorldError, match=message):
        walker(**options)


def test_time_of_a_step_must_be_positive():
    with pytest.raises(WorldError, match="time of a step"):
        replace(walker(), metabolism=0.0)


def test_impossible_legs_are_refused():
    gait = walker()
    with pytest.raises(WorldError, match='did you mean "uper left 0"'):
        replace(gait, rest={name: 0.0 for name in gait.joints if name != "upper left 0"} | {"uper left 0": 0.0})
    with pytest.raises(WorldError, match="at least one"):
        replace(gait, legs=())
    with pytest.raises(WorldError, match="has no links"):
        replace(gait, legs=(replace(gait.legs[0], links=()), *gait.legs[1:]))
    with pytest.raises(WorldError, match="both number 0"):
        replace(gait, legs=(*gait.legs, replace(gait.legs[0], name="twin")))


def test_cycle_and_delay_are_in_steps():
    slow = walker(cycle=4.0, delay=0.5)
    assert slow.numbers()["cycle"] * slow.numbers()["metabolism"] == 4.0 * TP
    with pytest.raises(WorldError, match="a step must end before its cycle"):
        walker(cycle=1.0)


def test_a_motor_moves_a_joint_that_no_leg_has():
    motors = GaitController((), {"neck": 0.1}, others=("neck",))
    memory = motors.memory()
    assert memory.rest == [0.1]
    memory.rate[0], memory.target[0] = 2.0, 0.1 + 2.0 * 0.003
    for _ in range(5):
        memory = motors.decide(motors.numbers(), memory, Senses(0.0), 0.001)
        memory = motors.advanced(memory, 0.001)
    assert memory.rest == [0.1 + 2.0 * 0.003]
    assert memory.rate == [0.0]
