"""The named problems: figures of their sources, and motions that keep physical laws."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gambol.dynamics import centre_of_mass, kinematics, kinetic_energy, momentum, potential_energy
from gambol.plan import Mesh, solve
from gambol.plan.motion.checks.plan_checks import check_plan
from gambol.plan.problems import (
    PROBLEMS,
    acrobot,
    lamp,
    lamp_jump,
    quadruped,
    quadruped_trot,
    single_rigid_body_trot,
)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_named_problem_can_be(name):
    check_plan(PROBLEMS[name]())


def test_the_lamp_has_the_masses_of_its_source():
    """5 kg: base and head a quarter each, eight bars of 1/32, the brackets the rest. [OpenSim ExampleLuxoMuscle]"""
    masses = {link.name: link.mass_properties.mass for link in lamp().links}
    assert sum(masses.values()) == pytest.approx(5.0)
    assert masses["base"] == masses["head"] == 1.25


def test_the_quadruped_weighs_eleven_kilograms():
    assert quadruped().mass == pytest.approx(5.0 + 4 * 1.5)
    assert (quadruped().nq, quadruped().nv) == (19, 18)


def test_an_acrobot_gains_the_energy_that_its_motor_spends():
    """Work of the motor, by Simpson's rule, is the change of energy, up to an error of the order 4 of rule and scheme.

    The cost is no more than the least of other first guesses: a guess that swings, or none, leads to more than 50.
    """
    result, errors = None, dict[int, float]()
    for intervals in (60, 120, 240, 480):  # each starts from the one before; on 60 intervals the minimum is another
        result = solve(replace(acrobot(), mesh=Mesh(intervals=intervals)), start_from=result)
        assert result.solved
        motion = result.trajectory
        power, t = motion.torques[:, 1] * motion.v[:, 1], motion.times
        h = t[2::2] - t[:-2:2]
        work = float(np.sum(h / 6 * (power[:-2:2] + 4 * power[1::2] + power[2::2])))
        states = [kinematics(result.plan.figure, list(motion.q[k]), list(motion.v[k])) for k in (0, -1)]
        start, end = (float(kinetic_energy(s)) + float(potential_energy(s)) for s in states)
        assert end - start == pytest.approx(4 * 9.81, rel=1e-9)  # two rods of 1 kg, raised by 1 m and 3 m
        errors[intervals] = abs(work - (end - start))
    assert np.log2(errors[240] / errors[480]) == pytest.approx(4.0, abs=0.25)
    assert result is not None
    assert result.cost < 21.52


def test_a_lamp_jumps():
    plan = lamp_jump(0.3)
    result = solve(replace(plan, phases=tuple(replace(phase, intervals=5) for phase in plan.phases)))
    assert result.solved
    heel, toe = (result.trajectory.contact_points[:, k] for k in range(2))
    flight = (result.trajectory.contact_forces == 0.0).all(axis=(1, 2))
    assert min(heel[flight, 2].max(), toe[flight, 2].max()) >= 0.04 - 1e-6  # the plan's clearance
    np.testing.assert_allclose(heel[-1] - heel[0], [0.3, 0.0, 0.0], atol=5e-3)  # drift of the coarse mesh
    for limited, (low, high) in plan.limits.items():
        angle = result.trajectory.q[:, plan.figure.link(limited).q]
        assert low - 1e-6 <= angle.min() <= angle.max() <= high + 1e-6


def test_a_trot_bears_its_weight_and_has_its_speed():
    """Over half a stride the momentum is that of its mirror image: forces bear the weight, and drive no further."""
    plan = quadruped_trot()
    result = solve(replace(plan, phases=(replace(plan.phases[0], intervals=4),)))
    assert result.solved
    motion = result.trajectory
    force, h = motion.contact_forces.sum(axis=1), motion.times[2] - motion.times[0]
    total = (h / 6 * (force[:-2:2] + 4 * force[1::2] + force[2::2])).sum(axis=0)
    first, last = (momentum(kinematics(plan.figure, list(motion.q[k]), list(motion.v[k]))).f for k in (0, -1))
    change = np.array([float(x) for x in last - first])
    np.testing.assert_allclose(change[[0, 2]], 0.0, atol=1e-6)
    weight = plan.figure.mass * 9.81 * 0.25
    np.testing.assert_allclose(total - np.array([0.0, 0.0, weight]) - change, 0.0, atol=0.01 * weight)
    assert motion.q[-1, 4] - motion.q[0, 4] == pytest.approx(0.2, abs=1e-7)


def test_a_single_rigid_body_obeys_newton_and_euler():
    """The momenta m r' and I w of the body change by the integrals of sum f + m g, and of sum (p - r) x f.

    So for massless feet [Winkler et al. 2018]. Feet swing by 0.4 m in 0.25 s, with a_max = 2 pi 0.4 / 0.25^2 = 40 m/s2
    of a smooth swing, so two feet of 50 g push the body with 4 N at most: 4 % of its weight, at levers of 0.4 m.
    """
    plan = single_rigid_body_trot(intervals=8)
    result = solve(plan)
    assert result.solved
    motion, body, weight = result.trajectory, plan.figure.links[0].mass_properties, plan.figure.mass * 9.81
    R = Rotation.from_quat(motion.q[:, [1, 2, 3, 0]])
    linear = body.mass * R.apply(motion.v[:, 3:6])
    spin = R.apply(motion.v[:, :3] @ np.array(body.inertia))
    arms = motion.contact_points - [0.0, 0.0, 0.02] - motion.q[:, None, 4:7]  # feet touch 2 cm below their centres
    force = motion.contact_forces.sum(axis=1) - [0.0, 0.0, weight]
    torque = np.cross(arms, motion.contact_forces).sum(axis=1)
    h = motion.times[2::2] - motion.times[:-2:2]
    for momenta, rates, share in ((linear, force, 0.04 * weight), (spin, torque, 0.04 * weight * 0.4)):
        gained = h[:, None] / 6 * (rates[:-2:2] + 4 * rates[1::2] + rates[2::2])
        np.testing.assert_allclose((momenta[2::2] - momenta[:-2:2]) / h[:, None], gained / h[:, None], atol=share)


def test_a_single_rigid_body_has_the_inertia_of_the_quadruped_in_its_posture():
    """Both about their centres of mass, which are 3 cm apart along the trunk: within 5 %."""
    moments = []
    for plan, turns in ((quadruped_trot(), 12), (single_rigid_body_trot(), 12)):
        figure = plan.figure
        given = plan.guess[0].positions
        q = [x for link in figure.links for x in np.atleast_1d(np.array(given[link.name], float))]
        assert figure.nv == 6 + turns
        columns = []
        for unit in np.eye(3):
            state = kinematics(figure, q, [*unit, *np.zeros(figure.nv - 3)])
            whole = momentum(state)
            arm = np.cross([float(x) for x in centre_of_mass(state)], [float(x) for x in whole.f])
            columns.append(np.array([float(x) for x in whole.n]) - arm)
        moments.append(np.diag(np.array(columns)))
    np.testing.assert_allclose(moments[1], moments[0], rtol=0.05)
