"""Forward dynamics by articulated bodies against inverse dynamics, closed forms and conservation laws."""

import numpy as np
import pytest
from figures import Sample, random_sample, random_tree, state_of

from gambol.dynamics import aba, kinematics, rnea
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.spatial import Force, Vector

SEEDS = range(12)


def external(sample: Sample, figure: Figure) -> dict[int, Force]:
    return {k: Force(Vector(*sample.f_ext[k][:3]), Vector(*sample.f_ext[k][3:])) for k in range(1, len(figure.links))}


def ball(mass: float, inertia: float, com: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> MassProperties:
    return MassProperties(mass, com, ((inertia, 0.0, 0.0), (0.0, inertia, 0.0), (0.0, 0.0, inertia)))


@pytest.mark.parametrize("seed", SEEDS)
def test_forward_undoes_inverse(seed: int):
    figure = random_tree(seed, links=1 + seed)
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    tau, _ = rnea(state, sample.rates, f_ext=external(sample, figure))
    found, beyond = aba(state, tau, f_ext=external(sample, figure))
    np.testing.assert_allclose(found, sample.rates, rtol=1e-10, atol=1e-10)
    assert beyond == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_arrays_of_worlds_give_what_each_world_gives(seed: int):
    figure = random_tree(seed, links=5)
    samples = [random_sample(figure, 10 * seed + k) for k in range(3)]
    q, v, tau = (np.array([getattr(s, name) for s in samples]).T for name in ("q", "v", "tau"))
    together, _ = aba(kinematics(figure, q, v), tau)
    for k, sample in enumerate(samples):
        alone, _ = aba(state_of(figure, sample), sample.tau)
        np.testing.assert_allclose([np.broadcast_to(x, 3)[k] for x in together], alone, rtol=1e-10, atol=1e-10)


def test_free_body_turns_by_eulers_equations():
    inertia = np.diag([1.0, 2.0, 2.5])
    body = MassProperties(2.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.5)))
    figure = Figure("top", (Link("top", None, Joint("free"), (), body),))
    sample = random_sample(figure, 3)
    w, v = np.array(sample.v[:3]), np.array(sample.v[3:])
    n, f = np.array(sample.tau[:3]), np.array(sample.tau[3:])
    state = state_of(figure, sample)
    R = np.array(state.poses[1].rotation.rows)
    found, _ = aba(state, sample.tau)
    np.testing.assert_allclose(found[:3], np.linalg.solve(inertia, n - np.cross(w, inertia @ w)), rtol=1e-12)
    fall = R.T @ np.array([0.0, 0.0, -9.81])
    np.testing.assert_allclose(found[3:], f / 2.0 + fall - np.cross(w, v), rtol=1e-12)


def test_origin_far_from_the_body_changes_nothing_but_where_it_is_measured():
    far = np.array([30.0, -20.0, 10.0])  # lost digits: inertia about the origin is 3e5 times that of the body
    near_body = ball(1.5, 0.004)
    figures = [
        Figure("near", (Link("body", None, Joint("free"), (), near_body),)),
        Figure("far", (Link("body", None, Joint("free"), (), ball(1.5, 0.004, tuple(-far))),)),
    ]
    q, w, v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], np.array([1.0, -2.0, 0.5]), np.array([0.3, 0.1, -0.2])
    v_far = v + np.cross(w, far)
    near, _ = aba(kinematics(figures[0], q, [*w, *v]), [0.0] * 6)
    away, _ = aba(kinematics(figures[1], q, [*w, *v_far]), [0.0] * 6)
    np.testing.assert_allclose(away[:3], near[:3], atol=1e-7)
    # rates of velocity of the two origins, in the turning axes
    expected = np.array(near[3:]) + np.cross(near[:3], far)
    np.testing.assert_allclose(away[3:], expected, atol=1e-6)


def test_linkage_aligned_on_one_line_accelerates_along_that_line():
    """The example by hand of [McKenna 1990, section 5.1]: three aligned bodies, an end one turning, no gravity."""
    bar = MassProperties(1.0, (0.5, 0.0, 0.0), ((0.01, 0.0, 0.0), (0.0, 1 / 12, 0.0), (0.0, 0.0, 1 / 12)))
    at_end = Joint("revolute", axis=(0.0, 0.0, 1.0), position=(1.0, 0.0, 0.0))
    figure = Figure(
        "linkage",
        (
            Link("a", None, Joint("free"), (), bar),
            Link("b", "a", at_end, (), bar),
            Link("c", "b", at_end, (), bar),
        ),
    )
    omega = 3.0
    q = [1.0] + [0.0] * 8
    found, _ = aba(kinematics(figure, q, [0.0] * 7 + [omega]), [0.0] * 8, gravity=0.0)
    # the turning bar pulls with m omega^2 times its half length, shared by all three masses
    np.testing.assert_allclose(found[3], 0.5 * omega**2 / 3.0, rtol=1e-12)
    np.testing.assert_allclose(np.delete(found, 3), 0.0, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_prescribed_joints_move_as_given_and_return_their_force(seed: int):
    figure = random_tree(seed, links=6, root="free")
    sample = random_sample(figure, seed)
    state = state_of(figure, sample)
    prescribed = {link.index: sample.rates[link.v] for link in (figure.links[0], figure.links[3])}
    found, beyond = aba(state, sample.tau, prescribed=prescribed)
    tau = list(sample.tau)
    for link in figure.outward():
        if link.index in prescribed:
            assert found[link.v] == prescribed[link.index]
            tau[link.v] = [t + extra for t, extra in zip(tau[link.v], beyond[link.index], strict=True)]
    again, _ = aba(state, tau)
    np.testing.assert_allclose(again, found, rtol=1e-10, atol=1e-10)


def test_gravity_may_point_anywhere():
    figure = Figure("stone", (Link("stone", None, Joint("free"), (), ball(2.0, 0.1)),))
    state = kinematics(figure, [1.0] + [0.0] * 6, [0.0] * 6)
    found, _ = aba(state, [0.0] * 6, gravity=Vector(1.0, -2.0, 3.0))
    np.testing.assert_allclose(found, [0.0, 0.0, 0.0, 1.0, -2.0, 3.0], atol=1e-15)
