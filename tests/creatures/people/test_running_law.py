"""The law of the runner: where it places the foot, and how its machine goes round."""

import math

import pytest

from gambol.control import PhaseMemory, Senses
from gambol.creatures.people.person import person
from gambol.creatures.people.running_law import MAX_LEG_SINE, MIN_PHASE_TIME, RunnerMemory, RunningLaw
from gambol.dynamics import kinematics
from gambol.errors import WorldError

FIGURE = person(planar=True)
LAW = RunningLaw(FIGURE)
DT = 1e-3
LONG = 1.01 * MIN_PHASE_TIME  # a control step in which loading and unloading may end


@pytest.mark.parametrize(("x", "knee"), [(0.3, -0.3), (-0.2, -0.1), (0.0, -1.2)])
def test_the_landing_thigh_brings_the_ankle_to_its_place(x: float, knee: float):
    q = [0.0] * FIGURE.nq
    q[FIGURE.link("right thigh").q.start] = float(LAW.landing_thigh(x, knee))
    q[FIGURE.link("right shank").q.start] = knee
    ankle = kinematics(FIGURE, q, [0.0] * FIGURE.nv).poses[FIGURE.link("right foot").index].position
    assert float(ankle.x) == pytest.approx(x, abs=1e-12)


def test_a_place_out_of_reach_is_as_far_as_the_leg_may_lean():
    q = [0.0] * FIGURE.nq
    q[FIGURE.link("right thigh").q.start] = float(LAW.landing_thigh(5.0, 0.0))
    ankle = kinematics(FIGURE, q, [0.0] * FIGURE.nv).poses[FIGURE.link("right foot").index].position
    assert math.hypot(float(ankle.x), float(ankle.z)) * MAX_LEG_SINE == pytest.approx(float(ankle.x), abs=1e-12)


def test_a_step_is_flight_loading_unloading_and_then_exchanges_the_legs():
    memory = LAW.memory()

    def after(memory: RunnerMemory, contact: float, rise: float, dt: float = LONG) -> RunnerMemory:
        v = [0.0] * FIGURE.nv
        v[2] = rise
        right = memory.phase.side > 0.0
        contacts = [contact, 0.0] if right else [0.0, contact]
        return LAW.commands(LAW.numbers(), memory, Senses(0.0, q=[0.0] * FIGURE.nq, v=v, contacts=contacts), dt)[1]

    assert after(memory, 0.0, -1.0).phase.index == 0.0
    loading = after(memory, 1.0, -1.0)
    assert (loading.phase.index, loading.bearing) == (1.0, LONG)
    assert after(loading, 1.0, -1.0).phase.index == 1.0
    assert after(loading, 1.0, 0.1, DT).phase.index == 1.0  # a bounce right after landing does not count
    unloading = after(loading, 1.0, 0.1)
    assert unloading.phase.index == 2.0
    assert after(unloading, 1.0, 0.5).phase.index == 2.0
    assert after(unloading, 0.0, 0.5, DT).phase.index == 2.0
    flight = after(unloading, 0.0, 0.5)
    assert (flight.phase.index, flight.phase.side, flight.bearing) == (0.0, -1.0, 0.0)
    assert flight.stance == unloading.bearing


def test_in_stance_the_hips_and_the_lumbar_joint_hold_the_pelvis():
    q, v = [0.0] * FIGURE.nq, [0.0] * FIGURE.nv
    q[0], v[0] = 0.1, 0.4
    memory = RunnerMemory(PhaseMemory(1.0, 0.0, 1.0), 0.2, 0.0)
    commands, _ = LAW.commands(LAW.numbers(), memory, Senses(0.0, q=q, v=v, contacts=[1.0, 0.0]), DT)
    stiffness, damping = LAW.running.pelvis
    assert -sum(commands[:3]) == pytest.approx(-stiffness * 0.1 - damping * 0.4)


def test_an_impossible_stance_is_refused():
    with pytest.raises(WorldError, match=r"a stance of 0\.0 s is impossible"):
        type(LAW.running)(stance=0.0)
