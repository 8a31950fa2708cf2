"""Springs, dampers, limits and bias of a joint: forces against the energies they come from."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tracing import body_of

from gambol.dynamics.joint_forces import (
    JointForces,
    exponential_spring,
    joint_force,
    joint_forces,
    orientation_force,
    spring_numbers,
)
from gambol.figure import JOINTS, Box, Figure, Joint, JointSpring, Link, Part, random_state, spring_slices
from gambol.lanes import jacobian, sqrt
from gambol.lanes.trace import Body

STEP = 1e-6  # central differences: error about STEP^2 f''' + 1e-16 / STEP, 1e-9 of forces of order 1
ANGLES = st.floats(-2.0, 2.0)

SPRINGS = {
    "linear": JointSpring(stiffness=2.0),
    "exponential": JointSpring(alpha=0.3, beta=6.0),
    "both": JointSpring(stiffness=0.5, alpha=0.1, beta=3.0),
    "limits": JointSpring(limit_stiffness=4.0, lower=-0.5, upper=0.7),
    "all": JointSpring(stiffness=0.5, alpha=0.1, beta=3.0, limit_stiffness=4.0, lower=-0.5, upper=0.7),
}


@pytest.mark.parametrize("name", SPRINGS)
@given(q=ANGLES, rest=st.floats(-0.5, 0.5))
def test_springs_push_down_their_energy(name: str, q: float, rest: float):
    numbers = spring_numbers(SPRINGS[name])
    force = joint_force(numbers, q, 0.0, rest)
    uphill = [joint_force(numbers, q + dq, 0.0, rest).energy for dq in (-STEP, STEP)]
    slope = (uphill[1] - uphill[0]) / (2 * STEP)
    # a kink within STEP of q (the rest angle, a limit) smooths the difference by stiffness times STEP
    assert force.total == pytest.approx(-slope, rel=1e-6, abs=1e-5)
    assert force.energy >= -1e-15  # rounding of 1, which e^0 is


@pytest.mark.parametrize(("x", "alpha", "beta"), [(0.1, 2.0, 6.0), (-0.3, 1.0, 16.0), (0.0, 1.0, 5.0)])
def test_exponential_spring_is_equation_8(x: float, alpha: float, beta: float):
    force, energy = exponential_spring(x, alpha, beta)
    assert abs(force) == pytest.approx(alpha * (math.exp(beta * abs(x)) - 1.0), rel=1e-13)
    assert force * x <= 0.0
    area = np.trapezoid(alpha * np.expm1(beta * np.linspace(0.0, abs(x), 20001)), dx=abs(x) / 20000)
    assert energy == pytest.approx(area, rel=1e-6)


def test_exponential_spring_is_held_where_it_would_overflow():
    force, energy = exponential_spring(1e3, 1.0, 16.0)
    nearer, less = exponential_spring(9e2, 1.0, 16.0)
    assert force == nearer
    assert energy - less == pytest.approx(-force * 1e2)  # still the work that it takes


def test_small_displacements_have_less_force_than_a_line_through_the_same_end():
    end, _ = exponential_spring(0.5, 1.0, 6.0)
    middle, _ = exponential_spring(0.25, 1.0, 6.0)
    assert abs(middle) < 0.5 * abs(end)


@given(q=ANGLES, v=st.floats(-5.0, 5.0))
def test_dampers_take_power_and_never_give_it(q: float, v: float):
    spring = JointSpring(damping=0.7, limit_damping=0.4, limit_stiffness=1.0, lower=-0.5, upper=0.5)
    force = joint_force(spring_numbers(spring), q, v, 0.0)
    beyond = abs(q) > 0.5
    assert -force.dissipative * v == pytest.approx((0.7 + (0.4 if beyond else 0.0)) * v * v)


def test_limits_act_beyond_them_only():
    numbers = spring_numbers(JointSpring(lower=-0.5, upper=0.7, limit_stiffness=4.0, limit_damping=1.0))
    assert joint_force(numbers, 0.6, 3.0, 0.0).total == 0.0
    assert joint_force(numbers, 0.9, 0.0, 0.0).limit == pytest.approx(-0.8)
    assert joint_force(numbers, -1.0, 0.0, 0.0).limit == pytest.approx(2.0)


def test_limits_are_no_springs_that_a_moving_rest_angle_works_against():
    numbers = spring_numbers(JointSpring(upper=0.2, limit_stiffness=4.0, stiffness=1.0))
    force = joint_force(numbers, 0.5, 0.0, 0.1)
    assert force.spring == pytest.approx(-0.4)
    assert force.total == pytest.approx(-0.4 - 1.2)


def test_bias_is_a_constant_motor():
    force = joint_force(spring_numbers(JointSpring(bias=0.3)), 0.4, 1.0, 0.0)
    assert (force.total, force.bias, force.energy) == (0.3, 0.3, 0.0)


def test_terms_that_are_absent_leave_no_numbers():
    assert spring_numbers(JointSpring()) == {}
    assert set(spring_numbers(JointSpring(alpha=1.0, beta=2.0, damping=0.1))) == {"alpha", "beta", "damping"}


def test_arrays_of_joints_give_what_each_gives():
    numbers = spring_numbers(SPRINGS["all"])
    q, v = np.linspace(-1.5, 1.5, 31), np.linspace(2.0, -2.0, 31)
    together = joint_force(numbers, q, v, 0.1)
    alone = [joint_force(numbers, float(a), float(b), 0.1).total for a, b in zip(q, v, strict=True)]
    np.testing.assert_allclose(together.total, alone, rtol=1e-14)


def springs_for(kind: str) -> tuple[JointSpring, ...]:
    """Return a different conservative spring for each freedom of a joint; orientations have no rest angle."""
    made: list[JointSpring] = []
    for n, place in enumerate(spring_slices(kind)):
        turns = place.stop - place.start > 1
        made.append(
            JointSpring(
                stiffness=2.0 + n,
                alpha=0.3,
                beta=2.0,
                rest=0.0 if turns else 0.1 * n,
                lower=-math.inf if turns else -0.4,
                upper=0.5,
                limit_stiffness=3.0,
            )
        )
    return tuple(made)


def acting(kind: str, springs: tuple[JointSpring, ...], q, v) -> JointForces:
    return joint_forces(kind, [spring_numbers(s) for s in springs], list(q), list(v), [s.rest for s in springs])


def joint_state(kind: str, seed: int):
    joint = Joint(kind, radius=0.2, parent_radius=0.1) if kind == "rolling" else Joint(kind)
    figure = Figure("joint", (Link("link", None, joint, (Part(Box((0.1, 0.2, 0.3))),)),))
    return random_state(figure, seed)


MOVING = [kind for kind, row in JOINTS.items() if row.nv]


@pytest.mark.parametrize("kind", MOVING)
@pytest.mark.parametrize("seed", range(5))
def test_springs_of_any_joint_push_down_their_energy(kind: str, seed: int):
    row, springs, (q, v) = JOINTS[kind], springs_for(kind), joint_state(kind, seed)
    tau = acting(kind, springs, q, 0.0 * v).tau
    for k in range(row.nv):
        # along a velocity, not along a coordinate: q + dt N e_k, to the second order
        direction = np.array(row.q_dot(q, np.eye(row.nv)[k]))
        near = [row.normalised([*(q + s * STEP * direction)]) for s in (-1.0, 1.0)]
        down, up = (acting(kind, springs, at, 0.0 * v).energy for at in near)
        assert tau[k] == pytest.approx(-(up - down) / (2 * STEP), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("kind", MOVING)
def test_dampers_and_friction_of_any_joint_take_the_power_that_is_booked(kind: str):
    q, v = joint_state(kind, 3)
    springs = tuple(
        JointSpring(damping=0.2, friction=0.7, stiction_speed=0.1, upper=0.1, limit_damping=0.5)
        for _ in springs_for(kind)
    )
    act = acting(kind, springs, q, v)
    assert act.dissipated_power == pytest.approx(-np.dot(act.tau, v), rel=1e-13)
    assert act.dissipated_power > 0.0


@given(v=st.floats(-20.0, 20.0))
def test_friction_is_coulombs_where_a_joint_moves(v: float):
    force = joint_force(spring_numbers(JointSpring(friction=0.6, stiction_speed=0.01)), 0.3, v, 0.0)
    assert force.total == pytest.approx(-0.6 * v / math.hypot(v, 0.01), rel=1e-13)
    if abs(v) > 0.1:
        assert abs(force.total) == pytest.approx(0.6, rel=0.5 * (0.01 / 0.1) ** 2)  # 1 / sqrt(1 + e^2) > 1 - e^2 / 2


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.7, 3.0, math.pi - 1e-3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_orientation_is_pulled_back_along_its_rotation_vector(angle: float, sign: float):
    n = np.array([0.48, -0.6, 0.64])
    q = sign * np.array([math.cos(angle / 2), *(n * math.sin(angle / 2))])
    couple, energy, loss = orientation_force({"stiffness": 2.0}, list(q), [0.3, 0.2, -0.1])
    np.testing.assert_allclose(couple, -2.0 * angle * n, rtol=1e-12, atol=1e-14)
    assert energy == pytest.approx(angle**2, rel=1e-12, abs=1e-28)
    assert loss == 0.0


def test_an_orientation_may_turn_up_to_its_limit():
    numbers = spring_numbers(JointSpring(upper=0.5, limit_stiffness=4.0, limit_damping=1.0))
    inside, outside = ([math.cos(a / 2), 0.0, math.sin(a / 2), 0.0] for a in (0.45, 0.8))
    assert orientation_force(numbers, inside, [1.0, 1.0, 1.0]) == ([0.0, 0.0, 0.0], 0.0, 0.0)
    couple, energy, loss = orientation_force(numbers, outside, [1.0, 2.0, 1.0])
    np.testing.assert_allclose(couple, [0.0, -4.0 * 0.3 - 1.0 * 2.0, 0.0], atol=1e-14)
    assert (energy, loss) == (pytest.approx(0.5 * 4.0 * 0.3**2), pytest.approx(4.0))


def test_springs_of_an_orientation_have_a_slope_where_it_rests():
    def couple(x: list) -> list:
        w = sqrt(1.0 - 0.25 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]))
        return orientation_force({"stiffness": 2.0}, [w, *(0.5 * c for c in x)], [0.0, 0.0, 0.0])[0]

    np.testing.assert_allclose(jacobian(couple, [0.0, 0.0, 0.0])[1], -2.0 * np.eye(3), atol=1e-12)


def test_springs_and_dampers_are_those_of_mujoco():
    text = """<mujoco><worldbody>
      <body><joint type="{}" stiffness="1.7" damping="0.3"/>
        <geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""
    for kind, peer in (("spherical", "ball"), ("revolute", "hinge"), ("prismatic", "slide")):
        model = mujoco.MjModel.from_xml_string(text.format(peer))
        data, (q, v) = mujoco.MjData(model), joint_state(kind, 8)
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        act = acting(kind, (JointSpring(stiffness=1.7, damping=0.3),), q, v)
        np.testing.assert_allclose(act.tau, data.qfrc_passive, rtol=1e-9)


@pytest.mark.parametrize("name", SPRINGS)
def test_a_joint_of_one_coordinate_is_traced_as_if_there_were_no_others(name: str):
    numbers = spring_numbers(SPRINGS[name])

    def alone(q, v, rest):
        force = joint_force(numbers, q, v, rest)
        return [force.total, force.spring, force.energy, 3.0 + force.bias * v, 3.0 - force.dissipative * v]

    def among_all(q, v, rest):
        act = joint_forces("revolute", [numbers], [q], [v], [rest])
        return [*act.tau, *act.springs, act.energy, 3.0 + act.bias_power, 3.0 + act.dissipated_power]

    assert written(body_of(among_all, 3)) == written(body_of(alone, 3))


def written(body: Body) -> list[tuple]:
    """Return the operations of a body, and those that are its results."""
    return [*((op.name, op.args, op.extra) for op in body.ops), body.outputs]
