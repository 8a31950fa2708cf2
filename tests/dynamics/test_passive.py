"""Passive forces in the dynamics on arrays: a known oscillator, identities, MuJoCo, and derivatives by differences."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from gambol.dynamics import METHODS, Dynamics
from gambol.errors import FigureError
from gambol.figure import (
    JOINTS,
    Figure,
    Joint,
    JointSpring,
    Link,
    MassProperties,
    random_figure,
    random_state,
    spring_slices,
)
from gambol.formats import Model, write_mjcf

FIGURE = random_figure(4, 4, kinds=("revolute", "spherical", "prismatic", "universal"))
EVERYTHING = JointSpring(2.0, 0.3, 4.0, 0.7, 0.2, -0.1, 0.1, 50.0, 0.4, 0.6, 0.2)


def every_spring(figure: Figure) -> dict[str, JointSpring | tuple[JointSpring, ...]]:
    """Every force that a joint may have at every place; an orientation has neither a rest nor a bias."""
    turns = JointSpring(3.0, 0.2, 2.0, 0.5, friction=0.3, upper=0.4, limit_stiffness=20.0, limit_damping=0.1)
    places = {link.name: spring_slices(link.joint.kind) for link in figure.links}
    return {
        name: tuple(turns if place.stop - place.start > 1 else EVERYTHING for place in at)
        for name, at in places.items()
        if at
    }


def states(figure: Figure, count: int = 5):
    each = [random_state(figure, seed) for seed in range(count)]
    return np.array([q for q, _ in each]), np.array([v for _, v in each])


@pytest.mark.parametrize("method", METHODS)
def test_a_mass_on_a_spring_accelerates_as_its_equation_predicts(method: str):
    """m a = -k (x - r) - b v - m g along z."""
    mass = MassProperties(2.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    figure = Figure("mass", (Link("mass", None, Joint("prismatic", axis=(0.0, 0.0, 1.0)), (), mass),))
    spring = JointSpring(30.0, damping=4.0, rest=0.5)
    dynamics = Dynamics(figure, springs={"mass": spring}, method=method)
    a = dynamics.forward([0.7], [1.5], [3.0])
    np.testing.assert_allclose(a, (3.0 - 30.0 * 0.2 - 4.0 * 1.5) / 2.0 - 9.81, rtol=1e-14)
    np.testing.assert_allclose(dynamics.inverse([0.7], [1.5], a), 3.0, rtol=1e-13)
    np.testing.assert_allclose(dynamics.gravity_forces([0.7]), 2.0 * 9.81 + 30.0 * 0.2, rtol=1e-14)
    np.testing.assert_allclose(dynamics.energy([0.7], [1.5]), [2.25, 2.0 * 9.81 * 0.7 + 15.0 * 0.04], rtol=1e-14)
    np.testing.assert_allclose(Dynamics(figure, method=method).forward([0.7], [1.5], [3.0]), 1.5 - 9.81, rtol=1e-14)


def test_springs_satisfy_the_equation_of_motion():
    q, v = states(FIGURE)
    tau = np.random.default_rng(1).normal(size=v.shape)
    dynamics, bare = Dynamics(FIGURE, springs=every_spring(FIGURE)), Dynamics(FIGURE)
    a = dynamics.forward(q, v, tau)
    np.testing.assert_allclose(dynamics.inverse(q, v, a), tau, atol=1e-9)
    left = np.einsum("wij,wj->wi", dynamics.mass_matrix(q), a) + dynamics.bias(q, v)
    np.testing.assert_allclose(left, tau, atol=1e-9)
    np.testing.assert_allclose(dynamics.gravity_forces(q), dynamics.bias(q, 0.0 * v), atol=1e-12)
    assert np.abs(a - bare.forward(q, v, tau)).max() > 1.0


def test_stored_energy_has_the_slope_of_the_springs():
    """dV / dt = -tau_p . v without what takes or gives energy, V from energy() and tau_p from gravity_forces()."""
    keep = JointSpring(2.0, 0.3, 4.0, 0.0, 0.2, -0.1, 0.1, 50.0)
    figure = random_figure(7, 4, kinds=("revolute", "prismatic", "helical"))
    dynamics = Dynamics(figure, springs={link.name: keep for link in figure.links})
    q, v = states(figure, 1)
    h = 1e-6
    ahead, behind = (dynamics.energy(q[0] + s * h * v[0], v[0])[1] for s in (1.0, -1.0))
    power = dynamics.gravity_forces(q[0]) @ v[0]
    np.testing.assert_allclose((ahead - behind) / (2.0 * h), power, rtol=1e-7)


def test_accelerations_are_those_of_mujoco(tmp_path: Path):
    figure = random_figure(3, 5, kinds=("revolute", "prismatic"))
    springs = {link.name: JointSpring(3.0 + k, damping=0.5 * k, rest=0.1) for k, link in enumerate(figure.links)}
    write_mjcf(Model(figure, springs), tmp_path / "sprung.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "sprung.xml"))
    data, dynamics = mujoco.MjData(model), Dynamics(figure, springs=springs)
    for seed in range(4):
        data.qpos[:], data.qvel[:] = random_state(figure, seed)
        mujoco.mj_forward(model, data)
        expected = dynamics.forward(data.qpos, data.qvel)
        np.testing.assert_allclose(data.qacc, expected, atol=1e-9 * np.abs(expected).max())


def test_derivatives_match_differences():
    springs = every_spring(FIGURE)
    dynamics = Dynamics(FIGURE, springs=springs)
    q, v = (rows[0] for rows in states(FIGURE, 1))
    tau = np.random.default_rng(2).normal(size=FIGURE.nv)
    step = 1e-6
    for answer, found in (
        (lambda q, v, x: dynamics.forward(q, v, x), dynamics.forward_derivatives(q, v, tau)),
        (lambda q, v, x: dynamics.inverse(q, v, x), dynamics.inverse_derivatives(q, v, tau)),
    ):
        for k in range(FIGURE.nv):
            e = np.eye(FIGURE.nv)[k] * step
            there, back = (np.array(moved(FIGURE, q, s * e)) for s in (1.0, -1.0))
            by_q = (answer(there, v, tau) - answer(back, v, tau)) / (2.0 * step)
            by_v = (answer(q, v + e, tau) - answer(q, v - e, tau)) / (2.0 * step)
            scale = max(1.0, *(float(np.abs(d).max()) for d in found))
            np.testing.assert_allclose(found[0][:, k], by_q, atol=1e-6 * scale)
            np.testing.assert_allclose(found[1][:, k], by_v, atol=1e-6 * scale)


def moved(figure: Figure, q, x) -> list[float]:
    """q after a small move along unit joint velocities x."""
    made = list(q)
    for link in figure.links:
        kind, at = JOINTS[link.joint.kind], q[link.q].tolist()
        made[link.q] = kind.integrate(at, kind.tangent_rate(at, [0.0] * kind.nv, x[link.v].tolist()))
    return [float(c) for c in made]


def test_springs_that_do_not_fit_are_refused():
    with pytest.raises(FigureError, match="has no link"):
        Dynamics(FIGURE, springs={"nothing": EVERYTHING})
