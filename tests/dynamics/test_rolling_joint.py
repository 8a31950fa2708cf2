"""The rolling joint: no slip, closed forms, and the same motion by two coupled hinges, an independent route."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gambol.dynamics import METHODS, Dynamics, kinematics
from gambol.errors import FigureError, GambolError
from gambol.figure import Coupling, Figure, Joint, Link, MassProperties, mirrored_joint, random_figure, random_state
from gambol.figure.joint import transform
from gambol.formats import Model, read_figure, write_figure, write_mjcf, write_urdf
from gambol.spatial import Vector
from gambol.world import Timing, World, run, start

G, R, r = 9.81, 0.3, 0.1
Y, UP = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
HOOP = MassProperties(2.0, inertia=((0.02, 0.0, 0.0), (0.0, 0.015, 0.0), (0.0, 0.0, 0.02)))


def rolling(radius: float = r, parent: float = R, **given: Any) -> Joint:
    """A cylinder on top of one about the world's origin."""
    place = {"position": (0.0, 0.0, radius + parent), "axis": Y, "across": UP}
    return Joint("rolling", **{**place, **given}, radius=radius, parent_radius=parent)


def hoop(joint: Joint) -> Figure:
    return Figure("hoop", (Link("hoop", None, joint, (), HOOP),))


@pytest.mark.parametrize("radii", [(r, R), (r, 0.0), (r, -R), (-R, r), (0.07, 0.05)])
@pytest.mark.parametrize("angle", [0.0, 0.4, -2.0])
def test_the_surfaces_touch_and_do_not_slip(radii: tuple[float, float], angle: float):
    """The point of the link at the contact rests; arcs on both cylinders are as long; the centres stay apart by L."""
    own, parent = radii
    figure, h = hoop(rolling(own, parent)), 1e-6
    state = kinematics(figure, [angle], [1.3])
    centre = state.poses[1].position
    out = centre * (1.0 / (own + parent))
    np.testing.assert_allclose(out.length(), 1.0, rtol=1e-14)
    contact = state.poses[1].inverse @ (centre - out * own)
    np.testing.assert_allclose([*state.point_velocity(1, contact)], 0.0, atol=1e-14)
    phi = np.arctan2(out.x, out.z)
    turn = angle * own / (own + parent)
    np.testing.assert_allclose(np.cos(phi - turn), 1.0, rtol=1e-14)
    np.testing.assert_allclose(parent * turn, own * (angle - turn), atol=1e-14)
    ahead, behind = (kinematics(figure, [angle + s * h], [0.0]).poses[1].position for s in (1.0, -1.0))
    moved = np.array([*(ahead - behind)]) / (2.0 * h) * 1.3
    np.testing.assert_allclose(moved, [*state.point_velocity(1, Vector(0.0, 0.0, 0.0))], atol=1e-8)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("parent", [R, -0.5])
def test_a_cylinder_rolls_off_another_and_within_a_pipe(method: str, parent: float):
    """phi'' = (g / L) sin phi / (1 + I / m r^2), phi the angle of the line of centres; L is negative within a pipe."""
    figure, length = hoop(rolling(r, parent)), r + parent
    share = 1.0 + 0.015 / (2.0 * r * r)
    for q, v in ((0.3, 0.0), (-1.1, 2.0)):
        phi = q * r / length
        found = Dynamics(figure, method=method).forward([q], [v])[0] * r / length
        np.testing.assert_allclose(found, G / length * np.sin(phi) / share, rtol=1e-12)


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_a_cylinder_swings_in_a_pipe_with_its_period(contact: str):
    figure, length = hoop(rolling(r, -0.5)), 0.4
    large = contact == "stepping"
    timing = Timing(2e-3, 2e-4, "semi-implicit euler") if large else Timing(2e-3, 1e-3, "rkf45", 1e-9)
    world = World(figure, timing=timing, contact=contact)
    state = start(world)
    state.q[0, 0] = 0.05 * length / r
    film = run(world, state, 4.0, rate=500.0)
    x, time = film.position[:, 0, 0, 0], film.time
    k = np.flatnonzero(x[1:] * x[:-1] < 0.0)
    crossings = time[k] - x[k] * (time[k + 1] - time[k]) / (x[k + 1] - x[k])
    w = np.sqrt(G / length / (1.0 + 0.015 / (2.0 * r * r))) * (1.0 - 0.05**2 / 16.0)
    np.testing.assert_allclose(np.pi / np.diff(crossings).mean(), w, rtol=1e-4)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-2 * film.signals["kinetic"].max()


@pytest.mark.parametrize("integrator", ["rkf45", "dormand-prince", "implicit midpoint", "variational", "rosenbrock"])
def test_integrators_conserve_its_energy(integrator: str):
    world = World(hoop(rolling()), timing=Timing(1e-2, 1e-3, integrator, 1e-9))
    state = start(world)
    state.q[0, 0] = 0.4
    film = run(world, state, 1.0, rate=100.0)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-4 * film.signals["kinetic"].max()


def knee(by_hinges: bool) -> Figure:
    """A thigh and a shank with a condyle between: as a rolling joint, or as two hinges that a gear couples.

    The first hinge is at the thigh's condyle and turns the line of centres, the second at the shank's.
    """
    body = MassProperties(1.5, (0.02, 0.01, -0.2), ((0.025, 0.001, 0.0), (0.001, 0.02, 0.0), (0.0, 0.0, 0.01)))
    thigh = Link("thigh", None, Joint("spherical"), (), body)
    down = (0.0, 0.0, -1.0)
    if not by_hinges:
        joint = Joint("rolling", Y, position=(0.0, 0.0, -0.45), across=down, radius=0.02, parent_radius=0.03)
        return Figure("knee", (thigh, Link("shank", "thigh", joint, (), body)))
    bar = Link("bar", "thigh", Joint("revolute", Y, position=(0.0, 0.0, -0.4)))
    shank = Link("shank", "bar", Joint("revolute", Y, position=(0.0, 0.0, -0.05)), (), body)
    return Figure("knee", (thigh, bar, shank), constraints=(Coupling("bar", "shank", (0.0, 0.02 / 0.03)),))


def test_two_coupled_hinges_move_alike():
    """q of the joint is the sum of both hinges, of which the first has the share r / L."""
    random, share = np.random.default_rng(3), 0.02 / 0.05
    one, two = Dynamics(knee(False)), Dynamics(knee(True))
    for seed in range(5):
        q, v = random_state(knee(False), seed)
        tau = random.normal(size=4)
        a = one.forward(q, v, tau)
        split = [*v[:3], share * v[3], (1.0 - share) * v[3]]
        other = two.forward([*q[:4], share * q[4], (1.0 - share) * q[4]], split, [*tau[:3], tau[3], tau[3]])
        np.testing.assert_allclose([*other[:3], other[3] + other[4]], a, rtol=1e-9, atol=1e-9)


def test_all_methods_and_derivatives_agree_on_random_figures():
    for seed in range(2):
        figure = random_figure(seed, 4, kinds=("rolling", "revolute", "spherical"), rotors=0.5)
        q, v = random_state(figure, seed)
        tau = np.random.default_rng(seed).normal(size=figure.nv)
        dynamics = Dynamics(figure)
        a = dynamics.forward(q, v, tau)
        np.testing.assert_allclose(dynamics.inverse(q, v, a), tau, atol=1e-9 * max(1.0, np.abs(a).max()))
        for method in METHODS:
            found = Dynamics(figure, method=method).forward(q, v, tau)
            np.testing.assert_allclose(found, a, rtol=1e-7, atol=1e-8 * np.abs(a).max())
        _, by_v, by_tau = dynamics.forward_derivatives(q, v, tau)
        np.testing.assert_allclose(by_tau, dynamics.inverse_mass_matrix(q), atol=1e-9 * np.abs(by_tau).max())
        e = 1e-6 * np.eye(figure.nv)
        slopes = [(dynamics.forward(q, v + d, tau) - dynamics.forward(q, v - d, tau)) / 2e-6 for d in e]
        np.testing.assert_allclose(by_v.T, slopes, atol=1e-5 * max(1.0, np.abs(by_v).max()))


def test_derivatives_by_its_angle_match_differences():
    figure = knee(False)
    dynamics, h = Dynamics(figure), 1e-6
    q, v = random_state(figure, 2)
    tau = np.array([0.3, -0.2, 0.5, 0.1])
    by_q, _, _ = dynamics.forward_derivatives(q, v, tau)
    ahead, behind = (dynamics.forward(q + s * h * np.eye(5)[4], v, tau) for s in (1.0, -1.0))
    np.testing.assert_allclose(by_q[:, 3], (ahead - behind) / (2.0 * h), atol=1e-5 * np.abs(by_q).max())


def test_figure_files_contain_it_and_other_formats_refuse_it(tmp_path: Path):
    given = Model(knee(False))
    write_figure(given, tmp_path / "knee.toml")
    back = read_figure(tmp_path / "knee.toml").figure
    assert back.link("shank").joint == given.figure.link("shank").joint
    for write, ending in ((write_mjcf, ".xml"), (write_urdf, ".urdf")):
        with pytest.raises(GambolError, match=r'"hoop" has a rolling joint, which .* does not have'):
            write(Model(hoop(rolling())), tmp_path / f"hoop{ending}")


def test_a_mirrored_one_turned_backwards_is_its_mirror_image():
    joint = rolling(across=(0.6, 0.0, 0.8), position=(0.1, 0.2, 0.3))
    here, there = transform(joint, [0.7]).position, transform(mirrored_joint(joint), [-0.7]).position
    np.testing.assert_allclose([there.x, -there.y, there.z], [*here], atol=1e-14)


@pytest.mark.parametrize("radii", [(0.0, 0.1), (0.1, -0.1), (float("nan"), 0.1)])
def test_impossible_radii_are_refused(radii: tuple[float, float]):
    with pytest.raises(FigureError, match=r"rolls with a radius|must be finite"):
        hoop(replace(rolling(), radius=radii[0], parent_radius=radii[1]))
