"""Canonical link frames for forward dynamics: the same motion, fewer links, fewer operations."""

import numpy as np
import pytest

from benchmarks.models import figure_of
from gambol.dynamics import aba, kinematics, kinetic_energy, rnea
from gambol.dynamics.canonical_frames import canonical_figure, operation_count
from gambol.dynamics.forward.crba import crba
from gambol.figure import Figure, Joint, Link, random_figure, random_state
from gambol.figure.generator import random_mass, random_rotation
from gambol.figure.rotation import matrix, triple
from gambol.lanes import Program, ProgramSpec
from gambol.spatial.motion import Force
from gambol.spatial.vector import Vector

KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical", "fixed", "fixed")


def mixed(seed, links=9):
    """A tree of all kinds of joints, a third of them fixed."""
    return random_figure(seed, links, kinds=KINDS, root=("free", "revolute", "fixed")[seed % 3], rotors=0.3)


def general_chain(links, seed=0):
    """Return a chain of revolute joints on axes that are parallel to nothing."""
    random = np.random.default_rng(seed)
    made = []
    for n in range(links):
        axis = random.normal(size=3)
        joint = Joint(
            "revolute", triple(axis / np.linalg.norm(axis)), random_rotation(random), triple(random.normal(size=3))
        )
        made.append(Link(f"link{n}", made[-1].name if made else None, joint, (), random_mass(random)))
    return Figure("general", tuple(made))


def state_of(figure, seed=1):
    q, v = random_state(figure, seed)
    return kinematics(figure, q.tolist(), v.tolist())


@pytest.mark.parametrize("seed", range(12))
def test_what_moves_is_the_same_body(seed):
    figure = mixed(seed)
    state = state_of(figure)
    canonical = kinematics(canonical_figure(figure).figure, state.q, state.v)
    assert kinetic_energy(canonical) == pytest.approx(kinetic_energy(state), rel=1e-12)
    a = np.random.default_rng(seed).normal(size=figure.nv).tolist()
    np.testing.assert_allclose(rnea(canonical, a)[0], rnea(state, a)[0], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_links_are_where_they_were(seed):
    figure = mixed(seed)
    state, found = state_of(figure), canonical_figure(figure)
    canonical = kinematics(found.figure, state.q, state.v)
    for link in figure.links:
        pose = canonical.poses[found.carriers[link.index]] @ found.frames[link.index]
        np.testing.assert_allclose(list(pose.position), list(state.poses[link.index].position), atol=1e-12)
        np.testing.assert_allclose(pose.rotation.rows, state.poses[link.index].rotation.rows, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_forces_on_any_link_do_the_same(seed):
    """Against the composite-rigid-body algorithm, which keeps the given frames."""
    figure = mixed(seed)
    state, random = state_of(figure), np.random.default_rng(seed)
    f_ext = {k: Force(Vector(*random.normal(size=3)), Vector(*random.normal(size=3))) for k in range(1, 10)}
    tau = random.normal(size=figure.nv).tolist()
    expected = np.array(crba(state, tau, f_ext=f_ext))
    found = np.array(aba(state, tau, f_ext=f_ext)[0])
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


def test_fixed_links_cost_nothing():
    """A robot's sensors, feet and shells: constants of the links they are fixed to."""
    bare = figure_of("quadruped")
    random = np.random.default_rng(0)
    dressed = list(bare.given_links)
    for link in bare.given_links[1:]:
        at = Joint("fixed", rotation=random_rotation(random), position=triple(random.normal(size=3)))
        shell = Link(f"shell of {link.name}", link.name, at, (), random_mass(random))
        again = Link(f"bolt of {link.name}", shell.name, Joint("fixed", position=(0.0, 0.1, 0.0)))
        dressed += [shell, again]
    figure = Figure("dressed", tuple(dressed))
    solid = canonical_figure(figure).figure
    assert len(solid.links) == len(bare.links)
    assert solid.mass == pytest.approx(figure.mass, rel=1e-12)
    assert operations(figure) == operations(solid)


def operations(figure):
    def forward(q, v, tau):
        return (aba(kinematics(figure, q, v), tau)[0],)

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(ProgramSpec("forward", forward, forms)).operations


def test_a_chain_on_general_axes_takes_few_operations():
    """Each link needs 224 products and 205 sums [McMillan and Orin 1995]; most sums join a product."""
    ten, twenty = operations(general_chain(10)), operations(general_chain(20))
    assert twenty - ten < 10 * 330  # with sine and cosine, of 40 operations


def test_between_two_general_axes_lies_one_turn_and_a_shift_along_two_axes():
    canonical = canonical_figure(general_chain(6)).figure
    for link in canonical.links[1:]:
        assert sum(x != 0.0 for x in link.joint.position) == 2
        assert sorted(map(abs, link.joint.axis)) == [0.0, 0.0, 1.0]
    assert operation_count(canonical) < 0.7 * operation_count(general_chain(6))


def test_simple_figures_stay_as_they_are():
    for name in ("quadruped", "hexapod", "roach"):
        assert not canonical_figure(figure_of(name)).changed


def test_a_held_joint_uses_the_given_numbers():
    figure = mixed(4)
    fixed = next(link.index for link in figure.links[1:] if link.joint.kind == "fixed")
    moving = next(link for link in figure.links[1:] if link.joint.kind != "fixed")
    state = state_of(figure)
    given = [0.5] * (moving.v.stop - moving.v.start)
    rates, forces_beyond = aba(state, [0.0] * figure.nv, prescribed={moving.index: given, fixed: []})
    assert rates[moving.v] == given
    assert forces_beyond[fixed] == []
    forces = np.zeros(figure.nv)
    forces[moving.v] = forces_beyond[moving.index]
    np.testing.assert_allclose(rnea(state, rates)[0], forces, atol=1e-9)


def test_rotation_of_constants_stays_exact():
    assert matrix(canonical_figure(figure_of("hexapod")).figure.links[3].joint.rotation) == matrix(np.eye(3))
