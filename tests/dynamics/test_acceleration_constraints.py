"""Forces found by test forces, impulses by test impulses: their targets, and targets out of reach."""

from typing import Any

import numpy as np
import pytest

from gambol.dynamics import aba, kinematics, kinetic_energy, momentum
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops import (
    Target,
    closed_dynamics,
    joint_row,
    point_row,
    projected_velocity,
    reach_accelerations,
    reach_speeds,
    rows,
    turn_row,
)
from gambol.dynamics.quantities import bias_acceleration, point_jacobian
from gambol.dynamics.tangent import displaced
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector
from validation.linkages import windows, windows_state

BALL = MassProperties(2.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)))
ROD = MassProperties(2.0, (0.5, 0.0, 0.0), ((0.01, 0.0, 0.0), (0.0, 1 / 6, 0.0), (0.0, 0.0, 1 / 6)))
PENDULUM = Figure("pendulum", (Link("rod", None, Joint("revolute", (0.0, -1.0, 0.0)), (), ROD),))
"""2 kg and 1 m, level at q = 0 and rising with q: 2/3 kg m2 about its pivot."""

HAND = Vector(0.1, -0.2, 0.15)


def creature(seed: int) -> Kinematics:
    figure = random_figure(seed, 6, kinds=("revolute", "spherical", "universal"), root="free", rotors=0.3)
    q, v = random_state(figure, seed)
    return kinematics(figure, q.tolist(), v.tolist())


def hand_acceleration(state: Kinematics, link: int, rates: list[float]) -> np.ndarray:
    J = np.array([list(column) for column in point_jacobian(state, link, HAND)])
    return rates @ J + np.array(list(bias_acceleration(state, link, HAND).v))


def test_one_torque_for_one_joint():
    """tau = I a + m g r cos q, which one test torque gives. [Patil 2007, acceleration constraints]"""
    state = kinematics(PENDULUM, [0.3], [2.0])
    found = reach_accelerations(state, [Target(joint_row(state, 0), 5.0)], [0.0])
    assert found.forces[0] == pytest.approx(2 / 3 * 5.0 + 2.0 * 9.81 * 0.5 * np.cos(0.3))
    assert found.motion == [pytest.approx(5.0)]


def test_a_force_holds_a_body_up():
    body = Figure("body", (Link("body", None, Joint("free"), (), BALL),))
    state = kinematics(body, [1.0, *[0.0] * 6], [0.0] * 6)
    up = point_row(state, 1, Vector(0.0, 0.0, 0.3), Vector(0.0, 0.0, 1.0))
    assert reach_accelerations(state, [Target(up, 0.0)], [0.0] * 6).forces[0] == pytest.approx(2.0 * 9.81)


@pytest.mark.parametrize("seed", range(6))
def test_several_accelerations_at_once(seed: int):
    """A hand along three directions, a joint, and two links relative to each other, by forces on just these."""
    state = creature(seed)
    last, figure = len(state.figure.links), state.figure
    wanted = [1.0, -2.0, 0.5, 3.0, -1.0]
    quantities = [
        *(point_row(state, last, HAND, Vector.axis(k)) for k in range(3)),
        joint_row(state, figure.links[2].v.start),
        turn_row(state, figure.links[1].index, Vector(0.6, 0.0, 0.8), 1),
    ]
    tau = np.random.default_rng(seed).normal(size=figure.nv).tolist()
    found = reach_accelerations(state, [Target(*pair) for pair in zip(quantities, wanted, strict=True)], tau)
    np.testing.assert_allclose(found.residuals, 0.0, atol=1e-9)
    np.testing.assert_allclose(hand_acceleration(state, last, found.motion), wanted[:3], atol=1e-8)
    assert found.motion[figure.links[2].v.start] == pytest.approx(3.0, abs=1e-8)
    f_ext, effort = {}, list(tau)
    for strength, row in zip(found.forces, quantities, strict=True):
        for link, force in row.forces.items():
            f_ext[link] = f_ext[link] + force * strength if link in f_ext else force * strength
        for k, c in row.joints.items():
            effort[k] += c * strength
    again, _ = aba(state, effort, f_ext={link: force for link, force in f_ext.items() if link})
    np.testing.assert_allclose(again, found.motion, rtol=1e-8, atol=1e-8)


def test_relative_motion_is_seen_from_the_other_link():
    """Central differences of a point in the other link's frame, of order h^2 = 1e-10 with rounding of 1e-16 / h."""
    state, h = creature(3), 1e-5
    row = point_row(state, 4, HAND, Vector(0.0, 0.6, 0.8), 2)

    def seen(t: float) -> float:
        q, v = np.array(state.q), np.array(state.v)
        moved = kinematics(state.figure, displaced(state.figure, q.tolist(), (t * v).tolist()), v.tolist())
        return float(point_row(moved, 4, HAND, Vector(0.0, 0.6, 0.8), 2).gap)

    assert (seen(h) - seen(-h)) / (2 * h) == pytest.approx(row.speed, abs=1e-8)


def test_unreachable_targets_are_errors():
    """One torque for two points of a rod, which accelerate as 1 to 2: the least squares of (2, 1) is 4/5, 8/5."""
    state = kinematics(PENDULUM, [0.0], [0.0])
    points = [point_row(state, 1, Vector(x, 0.0, 0.0), Vector(0.0, 0.0, 1.0)) for x in (0.5, 1.0)]
    targets = [Target(point, a) for point, a in zip(points, (2.0, 1.0), strict=True)]
    found = reach_accelerations(state, targets, [0.0], [joint_row(state, 0)], gravity=0.0)
    np.testing.assert_allclose(found.motion, [1.6])
    np.testing.assert_allclose(found.residuals, [2.0 - 0.8, 1.0 - 1.6])


def test_forces_beyond_need_stay_zero_in_the_order_given():
    """Three forces for one acceleration: the first suffices; of two with the same effect, the second stays 0."""
    state = creature(2)
    hand = [point_row(state, 6, HAND, Vector.axis(k)) for k in range(3)]
    found = reach_accelerations(state, [Target(hand[0], 1.0)], [0.0] * state.figure.nv, hand)
    assert found.forces[0] != 0.0
    assert found.forces[1:] == [0.0, 0.0]
    again = reach_accelerations(
        state, [Target(hand[0], 1.0), Target(hand[1], 0.0)], [0.0] * state.figure.nv, [hand[0], hand[0], hand[1]]
    )
    assert again.forces[1] == 0.0
    np.testing.assert_allclose(again.residuals, 0.0, atol=1e-9)


def test_forces_that_do_nothing_leave_all_missed():
    state = kinematics(PENDULUM, [0.0], [0.0])
    along = point_row(state, 1, Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0))  # along the axis of the joint
    found = reach_accelerations(state, [Target(joint_row(state, 0), 1.0)], [0.0], [along], gravity=0.0)
    assert (found.forces, found.motion, found.residuals) == ([0.0], [0.0], [1.0])


def test_a_motor_drives_a_linkage_as_desired():
    figure = windows(2)
    q, v = windows_state(figure, 0.5, 1.0)
    state = kinematics(figure, q.tolist(), v.tolist())
    found = reach_accelerations(state, [Target(joint_row(state, 0), -3.0)], [0.0] * figure.nv)
    tau = [found.forces[0], *[0.0] * (figure.nv - 1)]
    np.testing.assert_allclose(closed_dynamics(state, tau).a, found.motion, atol=1e-9)
    signs = [1.0 if link.name.startswith("upright") else -1.0 for link in figure.links[1:]]
    np.testing.assert_allclose(found.motion, -3.0 * np.array(signs), atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_an_impact_stops_a_point(seed: int):
    """The momentum changes by the impulse, and the energy by p.(v- + v+)/2."""
    state = creature(seed)
    last = len(state.figure.links)
    hand = [point_row(state, last, HAND, Vector.axis(k)) for k in range(3)]
    found = reach_speeds(state, [Target(row, 0.0) for row in hand])
    after = kinematics(state.figure, state.q, found.motion)
    np.testing.assert_allclose([*after.point_velocity(last, HAND)], 0.0, atol=1e-9)
    if not state.figure.root.joint.armature:
        before, now = momentum(state), momentum(after)
        np.testing.assert_allclose([*(now.f - before.f)], found.forces, atol=1e-9)
        place = np.array([*state.point_position(last, HAND)])
        np.testing.assert_allclose([*(now.n - before.n)], np.cross(place, found.forces), atol=1e-9)
    work = sum(p * row.speed / 2 for p, row in zip(found.forces, hand, strict=True))
    assert kinetic_energy(after) - kinetic_energy(state) == pytest.approx(work, rel=1e-9)


def test_an_impact_leaves_loops_closed():
    figure = windows(1)
    q, _ = windows_state(figure, 0.5, 0.0)
    state = kinematics(figure, q.tolist(), [0.0] * 3)
    middle = point_row(state, figure.link("coupler0").index, Vector(0.5, 0.0, 0.0), Vector(1.0, 0.0, 0.0))
    found = reach_speeds(state, [Target(middle, 1.0)])
    after = kinematics(figure, state.q, found.motion)
    assert max(abs(row.speed) for row in rows(after)) < 1e-12
    assert found.motion[0] == pytest.approx(1.0 / np.cos(0.5))
    assert found.forces[0] == pytest.approx((2 / 3 + 1.0) / np.cos(0.5) ** 2)  # kg: reduced mass along x


def test_to_stop_all_rows_of_a_linkage_is_to_project_its_velocity():
    figure = windows(1)
    open_chain = Figure("chain", figure.given_links)
    q, _ = windows_state(figure, 0.5, 0.0)
    v = [1.0, 0.5, -0.3]
    tied = [row for row in rows(kinematics(figure, q.tolist(), v)) if row.speed != 0.0]
    found = reach_speeds(kinematics(open_chain, q.tolist(), v), [Target(row, 0.0) for row in tied])
    np.testing.assert_allclose(found.motion, projected_velocity(kinematics(figure, q.tolist(), v)), atol=1e-12)


def test_test_forces_compile():
    figure = random_figure(4, 4, kinds=("revolute",), root="free")

    def reached(q: list[Any], v: list[Any], wanted: list[Any]) -> tuple[Any, ...]:
        state = kinematics(figure, q, v)
        hand = [point_row(state, 4, HAND, Vector.axis(k)) for k in range(3)]
        targets = [Target(row, a) for row, a in zip(hand, wanted, strict=True)]
        found = reach_accelerations(state, targets, [0.0] * figure.nv)
        return found.forces, found.motion

    program = Program(ProgramSpec("reached", reached, ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * 3)))
    q, v = random_state(figure, 1)
    strengths, motion = program(q, v, np.array([1.0, 2.0, 3.0]))
    expected = reached(q.tolist(), v.tolist(), [1.0, 2.0, 3.0])
    np.testing.assert_allclose(strengths[:, 0], expected[0], rtol=1e-9)
    np.testing.assert_allclose(motion[:, 0], expected[1], rtol=1e-8, atol=1e-8)
