"""The figures of the benchmarks are the same in other engines: they fall and accelerate as in gambol."""

import numpy as np
import pytest
from figures import random_tree

from benchmarks.peers import MujocoFigure, PinocchioFigure
from benchmarks.programs import exact_accelerations, half_gravity_forces, random_states
from gambol.figure import Figure, Link, MassProperties


def light(figure: Figure) -> Figure:
    """The figure with masses too small for MuJoCo."""
    links: list[Link] = []
    for link in figure.links:
        m, parent = link.mass_properties, None if link.parent_index == 0 else figure.links[link.parent_index - 1].name
        a, b, c = ((x * 1e-15, y * 1e-15, z * 1e-15) for x, y, z in m.inertia)
        links.append(Link(link.name, parent, link.joint, (), MassProperties(m.mass * 1e-15, m.com, (a, b, c))))
    return Figure(figure.name, tuple(links))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weight", ["heavy", "light"])
def test_peers_accelerate_as_the_figure_does(seed: int, weight: str):
    figure = random_tree(seed, links=8, kinds=("revolute", "prismatic", "fixed"), root="free")
    figure = light(figure) if weight == "light" else figure
    q, v = random_states(figure, 3, seed)
    tau = half_gravity_forces(figure, q, v)
    exact = exact_accelerations(figure, q, v, tau)
    np.testing.assert_allclose(
        PinocchioFigure(figure).forward(q, v, tau), exact, rtol=1e-9, atol=1e-9 * np.abs(exact).max()
    )
    peer = MujocoFigure(figure, 1e-3)
    for w in range(3):
        there, here = peer.forward(q[:, w], v[:, w], tau[:, w]), peer.acceleration(q[:, w], v[:, w], exact[:, w])
        np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-9 * np.abs(here).max())
