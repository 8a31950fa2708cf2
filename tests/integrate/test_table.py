"""Every integrator: its order on four systems, its digits on an oscillator, and the same bits in every lane."""

import platform

import numpy as np
import pytest
from motions import MOMENTS, SPUN, Array, body, double_pendulum, integrated, orders, pendulum, program, run, spring
from scipy.integrate import solve_ivp
from tracing import AVX2, bits

from gambol.errors import GambolError
from gambol.figure.joint import JOINTS
from gambol.integrate import ALIASES, INTEGRATORS, MotionState, System, integrator
from gambol.lanes.cpu import CpuTarget

# x'' = -x from x = 1, v = 0: x and v at t = 20 for steps of 0.1, 0.05 and 0.025, and the largest error of the energy.
OSCILLATOR = {
    "explicit euler": [
        (1.2648858131216059, -2.3908328531274687, 6.316017851829939),
        (0.6973329857279915, -1.4928558039532747, 1.7148917443812932),
        (0.5288244044034437, -1.1699609116143317, 0.648463785398095),
    ],
    "semi-implicit euler": [
        (0.35457822480884005, -0.9174655053303492, 0.05262405964739436),
        (0.3833266883874634, -0.9140793723921253, 0.025641023124339135),
        (0.3961911178061097, -0.9132290333662119, 0.012658227506554542),
    ],
    "velocity verlet": [
        (0.4004515000753573, -0.9151718415670238, 0.0024997968655606773),
        (0.4061786726972658, -0.9135080727843818, 0.0006249937444130493),
        (0.4076064807231885, -0.9130863413297489, 0.00015624828843152638),
    ],
    "midpoint": [
        (0.3784674036960309, -0.9283183087641622, 0.005012458047168877),
        (0.4005910004398562, -0.9165980827119405, 0.0006251948646101013),
        (0.40619543205103564, -0.9138289769037182, 7.812804802398432e-05),
    ],
    "rk4": [
        (0.4080966571118259, -0.9129372071245794, 2.7743017256831592e-06),
        (0.4080829942424515, -0.9129447864091741, 8.677842289195326e-08),
        (0.40808212068321065, -0.9129452229275483, 2.7124625878727215e-09),
    ],
    "implicit euler": [
        (0.17289266356905095, -0.3267942891267623, 0.863313619478133),
        (0.25685480357409757, -0.5498767334067324, 0.6316611878388532),
        (0.3207983148235902, -0.7097280037193798, 0.3933746019428487),
    ],
}
OSCILLATOR["corpus euler"] = OSCILLATOR["semi-implicit euler"]
OSCILLATOR["heun"] = OSCILLATOR["midpoint"]  # one method, where forces are linear
OSCILLATOR["variational"] = OSCILLATOR["velocity verlet"]  # one method, where the mass is constant

FALLING = body(gravity=9.81, drag=0.7)
"""Turns as without torques, falls, and is braked: every term of the chart of a free joint counts."""

SYSTEMS: dict[str, tuple[System, MotionState]] = {
    "pendulum": (pendulum(), MotionState([1.5], [0.3])),
    "double pendulum": (double_pendulum(), MotionState([1.0, 0.4], [0.2, -0.5])),
    "damped spring": (spring(k=4.0, c=0.8), MotionState([1.0], [0.2], [0.0])),
    "falling body": (FALLING, SPUN),
}


def exact(system: System, now: MotionState, end: float) -> Array:
    """q, v and w at a time, by scipy in coordinates of its own: quaternions with four rates."""
    nq, nv = len(now.q), len(now.v)
    kind = JOINTS["free" if nq > nv else "revolute"]

    def rates(t: float, y: Array) -> list[float]:
        q, v = y[:nq].tolist(), y[nq : nq + nv].tolist()
        a, w = system.derivatives(t, q, v)
        return [*kind.q_dot(q, v), *a, *w]

    return solve_ivp(rates, (0.0, end), [*now.q, *now.v, *now.w], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]


EXACT = {name: exact(*inputs, 1.0) for name, inputs in SYSTEMS.items()}


@pytest.mark.parametrize("name", INTEGRATORS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_halving_the_step_divides_the_error_by_two_to_the_order(name: str, system: str):
    compiled = program(name, *SYSTEMS[system])
    order = INTEGRATORS[name].order
    steps = np.array([160.0, 320.0, 640.0] if order < 3 else [40.0, 80.0, 160.0])
    result = run(compiled, name, SYSTEMS[system][1], 1.0 / steps, steps)[: len(EXACT[system])]
    errors = np.linalg.norm(result - EXACT[system][:, None], axis=0)
    # The error is C h^p (1 + c h), so that the order seen is off by c h / 2: here less than 0.35 of either sign. More
    # than the order is no fault: the terms that a tuned pair leaves may be tiny.
    assert orders(errors.tolist())[-1] > order - 0.35
    assert errors[-1] > 1e-13


@pytest.mark.parametrize("name", OSCILLATOR)
def test_the_digits_of_an_oscillator(name: str):
    system, steps = spring(), np.array([200.0, 400.0, 800.0])
    compiled = program(name, system, MotionState([1.0], [0.0], [0.0]))
    result = run(compiled, name, MotionState([1.0], [0.0], [0.0]), 20.0 / steps, steps)
    np.testing.assert_allclose(result[:2].T, np.array(OSCILLATOR[name])[:, :2], atol=1e-11)


@pytest.mark.parametrize("name", OSCILLATOR)
def test_the_energy_of_an_oscillator(name: str):
    now, worst = MotionState([1.0], [0.0], [0.0]), 0.0
    for k in range(200):
        now = INTEGRATORS[name].step(spring(), 0.1 * k, now, 0.1).state
        worst = max(worst, abs(now.q[0] ** 2 + now.v[0] ** 2 - 1.0))
    assert worst == pytest.approx(OSCILLATOR[name][0][2], rel=1e-9)


@pytest.mark.parametrize("name", INTEGRATORS)
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_same_bits_in_every_lane_and_thread_and_by_registers_of_any_width(name: str, precision: str):
    system, now, steps = FALLING, SPUN, np.arange(1.0, 20.0)
    alone = run(program(name, system, now, precision, 1), name, now, 0.4 / steps, steps)
    assert np.isfinite(alone).all()
    for lanes, threads in ((2, 3), (4, 2), (8, 2), (16, 1)):
        result = run(program(name, system, now, precision, lanes), name, now, 0.4 / steps, steps, threads)
        np.testing.assert_array_equal(bits(result), bits(alone))
    if platform.machine() == "x86_64":
        result = run(program(name, system, now, precision, None, CpuTarget(AVX2)), name, now, 0.4 / steps, steps)
        np.testing.assert_array_equal(bits(result), bits(alone))


@pytest.mark.parametrize("name", INTEGRATORS)
def test_floats_and_lanes_agree(name: str):
    now = SYSTEMS["double pendulum"][1]
    by_hand = integrated(name, double_pendulum(), now, 0.01, 10)
    compiled = run(program(name, double_pendulum(), now), name, now, 0.01, 10.0)[:, 0]
    np.testing.assert_allclose(compiled[:4], [*by_hand.q, *by_hand.v], atol=1e-12)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_the_quaternion_of_a_body_stays_unit(name: str):
    result = run(program(name, FALLING, SPUN), name, SPUN, 0.01, 2000.0)[:4, 0]
    assert np.linalg.norm(result) == pytest.approx(1.0, abs=2000 * 4 * np.finfo(float).eps)


@pytest.mark.parametrize("name", [name for name, row in INTEGRATORS.items() if row.order > 1])
def test_torque_free_turning_by_jacobis_elliptic_functions(name: str):
    spun, order = MotionState(SPUN.q, [1.0, 0.0, 1.5, 0.0, 0.0, 0.0]), INTEGRATORS[name].order
    w = run(program(name, body(), spun), name, spun, 0.005, 2000.0)[7:10, 0]
    exact_w = (-0.2654793412889162, 0.9641165486333684, 1.3928961771133856)  # at 10 s
    np.testing.assert_allclose(w, exact_w, atol={2: 5e-4, 3: 3e-6, 4: 1e-8, 5: 1e-10}[order])
    assert (w @ (np.array(MOMENTS) * w)) == pytest.approx(1.0 + 3.0 * 1.5**2, rel=2e-3 if order == 2 else 1e-6)


def test_a_missing_name():
    with pytest.raises(GambolError, match='"rosenbrok" is unknown; did you mean "rosenbrock"'):
        integrator("rosenbrok")
    assert all(integrator(short) is INTEGRATORS[name] for short, name in ALIASES.items())
