"""The told error of a motion with a stiff part, against its simulation interval by interval."""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from gambol.dynamics import aba, kinematics
from gambol.figure import Figure, Joint, JointSpring, Link
from gambol.plan import Cost, Mesh, Phase, Plan, PlanResult, Pose, solve
from gambol.plan.motion.mesh_refinement.interpolant import Samples
from gambol.plan.motion.mesh_refinement.sampled_dynamics import sampled_dynamics
from gambol.plan.motion.mesh_refinement.stiff_defects import state_defects
from gambol.plan.motion.transcription.forces import NodeModel, node_model
from gambol.plan.motion.transcription.scales import scales_of
from gambol.plan.problems import hopper_leap, quadruped
from gambol.plan.problems.rods import point_mass

CART, TIP = 1.0, 1e-3  # kg
STIFFNESS, DAMPING = 1e3, 2.0  # N/m and N s/m: the tip returns within half a millisecond of some twenty


def stiff_plan() -> Plan:
    """Return the plan of a cart with a light tip on a stiff, overdamped spring: 1 m in 0.5 s, from rest to rest."""
    along = Joint("prismatic", (1.0, 0.0, 0.0))
    cart = Link("cart", None, along, (), point_mass(CART))
    figure = Figure("whip", (cart, Link("tip", "cart", along, (), point_mass(TIP))))
    return Plan(
        figure,
        (Phase(duration=0.5),),
        torques={"cart": 1e3},
        springs={"tip": JointSpring(stiffness=STIFFNESS, damping=DAMPING)},
        start=Pose(positions={"cart": 0.0}, velocities={"cart": 0.0}),
        goal=Pose(positions={"cart": 1.0}, velocities={"cart": 0.0}),
        costs=(Cost(), Cost("acceleration")),  # no fast motion of the tip, which this mesh could not show
        mesh=Mesh(intervals=20),
    )


def rates(x: np.ndarray, u: float) -> np.ndarray:
    """Newton's law for both masses by hand: the tip at x0 + x1."""
    pull = -STIFFNESS * x[1] - DAMPING * x[3]
    cart = (u - pull) / CART
    return np.array([x[2], x[3], cart, pull / TIP - cart])


def local_errors(result: PlanResult) -> np.ndarray:
    """Simulate each interval from the plan's state with the plan's torque; return what it misses in natural units."""
    motion, scales = result.trajectory, scales_of(result.plan.figure)
    states, unit = np.hstack([motion.q, motion.v]), np.concatenate([scales.q, scales.v])
    missed = list[np.ndarray]()
    for k in range(0, len(motion.times) - 2, 2):
        nodes = slice(k, k + 3)
        torque = np.polynomial.Polynomial.fit(motion.times[nodes], motion.torques[nodes, 0], 2)
        span, options = (motion.times[k], motion.times[k + 2]), {"rtol": 1e-9, "atol": 1e-12}
        end: Any = solve_ivp(lambda t, x, u=torque: rates(x, float(u(t))), span, states[k], "Radau", **options)
        missed.append((end.y[:, -1] - states[k + 2]) / unit)
    return np.abs(missed)


def test_the_estimated_error_of_a_stiff_motion_is_that_of_its_simulation():
    """Within the interval a spring returns the tip, so that a defect of its acceleration grows to no error of state.

    eps (w + 1) bounds what a simulation misses by in any interval, with w the largest rate of the motion in natural
    units. It integrates sizes where a simulation integrates signs: it is larger, but not by the stiffness k h^2 / m,
    which is the ratio of a defect to the error of state that it makes.
    """
    result = solve(stiff_plan())
    missed = local_errors(result).max()
    h, scales = 0.5 / 20, scales_of(result.plan.figure)
    v = result.trajectory.v
    slopes = np.diff(v, axis=0) / np.diff(result.trajectory.times)[:, None]
    w = max(np.abs(slopes / scales.a).max(), np.abs(v / scales.v).max())
    assert missed <= result.error * (w + 1.0)
    assert result.error < 0.1 * STIFFNESS * h * h / TIP * missed


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", ["hopper", "quadruped"])
def test_accelerations_and_their_derivatives_are_those_of_forward_dynamics(name: str, compiled: bool):
    """Central differences of second order, of the hopper on its spring and of a free quadruped."""
    plan = hopper_leap() if name == "hopper" else Plan(quadruped(), torques={"shank hind left": 10.0})
    model, at = _somewhere(plan)
    found = sampled_dynamics(model, at, compiled=compiled)
    K, C, N = found.by_e, found.by_v, found.N
    q, v, u = (array[0] for array in (at.q, at.v, at.u))

    def a(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Forward dynamics by articulated bodies, which the residual does not contain."""
        tau, state = model.joint_forces(list(q), list(v), list(u)), kinematics(plan.figure, list(q), list(v))
        return np.array(aba(state, tau, gravity=model.gravity)[0], float)

    np.testing.assert_allclose(found.a[0], a(q, v), rtol=1e-9, atol=1e-9 * np.abs(found.a).max())

    step, nv = 1e-5, len(v)
    for k, unit in enumerate(np.eye(nv)):
        by_e = (a(q + step * N[0] @ unit, v) - a(q - step * N[0] @ unit, v)) / (2 * step)
        by_v = (a(q, v + step * unit) - a(q, v - step * unit)) / (2 * step)
        np.testing.assert_allclose(K[0, :, k], by_e, atol=1e-6 * max(1.0, np.abs(K).max()))
        np.testing.assert_allclose(C[0, :, k], by_v, atol=1e-6 * max(1.0, np.abs(C).max()))


@pytest.mark.parametrize("h", [1e-6, 0.05, 10.0])
def test_errors_of_the_state_are_a_step_of_radau(h: float):
    """(1 - 2 h A / 3 + h^2 A^2 / 6) y = (1 - h A / 6) d, for coordinates and velocities at once.

    In a short interval y is the integral of exp(A s) d over it, per time, up to (h A)^3 / 24.
    """
    model, at = _somewhere(hopper_leap())
    n = at.v.shape[1]
    defects = np.random.default_rng(2).normal(size=(1, 2 * n))
    dynamics = sampled_dynamics(model, at, compiled=False)
    K, C, N = dynamics.by_e, dynamics.by_v, dynamics.N
    A = h * np.block([[np.zeros((n, n)), np.eye(n)], [K[0], C[0]]])
    d = np.concatenate([np.linalg.solve(N[0], defects[0, :n]), defects[0, n:]])  # in tangent coordinates
    found = state_defects(dynamics, defects, np.array([h]))[0]
    y = np.concatenate([np.linalg.solve(N[0], found[:n]), found[n:]])
    one = np.eye(2 * n)
    step = np.linalg.solve(one - 2.0 / 3.0 * A + A @ A / 6.0, (one - A / 6.0) @ d)
    np.testing.assert_allclose(y, step, rtol=1e-7, atol=1e-9 * np.abs(d).max())
    if h < 1e-5:
        integral = expm(np.block([[A, d[:, None]], [np.zeros((1, 2 * n + 1))]]))[:-1, -1]
        np.testing.assert_allclose(y, integral, atol=1e-12 + np.linalg.norm(A, 2) ** 3 * np.linalg.norm(d))


def _somewhere(plan: Plan) -> tuple[NodeModel, Samples]:
    """Return the mechanics of a plan without contacts, and one random state."""
    figure, random = plan.figure, np.random.default_rng(1)
    q, v = random.normal(size=(1, figure.nq)), random.normal(size=(1, figure.nv))
    if figure.root.joint.kind == "free":
        q[:, :4] /= np.linalg.norm(q[:, :4])
    u = random.normal(size=(1, len(plan.torques)))
    actuated = tuple(figure.link(name).v.start for name in plan.torques)
    model = node_model(plan, tuple(sorted(actuated)), (), False)
    return model, Samples(q, v, v, v, u, np.zeros((1, 0)))
