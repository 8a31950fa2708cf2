"""Figures written as USD with physics and read back: the same masses, places and accelerations."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from beast import FIGURE as BEAST
from link_accelerations import accelerations

from gambol.export import write_usd
from gambol.figure import Figure, random_figure, random_state
from gambol.formats import Model, read_usd
from gambol.plan.pose.film import pose_film

KINDS = ("revolute", "prismatic", "spherical", "cylindrical", "universal", "planar", "fixed")
ROUNDING = 2e-6  # the files hold float32, exact to 6e-8; sums over some ten links and joints


def file_of(figure: Figure, q: list[float], path: Path, scale: float) -> Path:
    film = pose_film(figure, [0.0, 0.1], np.array([q, q]))
    return write_usd(film, path, figure=figure, scale=scale)


@pytest.mark.parametrize("seed", range(16))
def test_a_figure_that_is_written_comes_back(tmp_path: Path, seed: int):
    """Also in a file in centimetres, and in a pose besides rest."""
    figure = random_figure(seed, links=1 + seed // 2, kinds=KINDS, root="free" if seed % 2 else "revolute")
    q, v = random_state(figure, seed)
    model = read_usd(file_of(figure, q, tmp_path / "figure.usdc", (1.0, 100.0)[seed % 2]))
    assert (model.figure.nq, model.figure.nv, model.notes) == (figure.nq, figure.nv, ())
    for link in figure.links:
        mass, back = link.mass_properties, model.figure.link(link.name).mass_properties
        assert back.mass == pytest.approx(mass.mass, rel=1e-6)
        np.testing.assert_allclose(back.com, mass.com, atol=1e-6)
        np.testing.assert_allclose(back.inertia, mass.inertia, atol=3e-6 * np.abs(mass.inertia).max())
    v_back = np.zeros(figure.nv)
    for link in figure.links:
        own = model.figure.link(link.name)
        if link.joint.kind in ("cylindrical", "universal"):
            first = model.figure.links[own.parent_index - 1]  # the massless link: a slide, or the first turn
            v_back[[first.v.start, own.v.start]] = np.array(v)[link.v][:: -1 if link.joint.kind == "cylindrical" else 1]
        elif link.joint.kind == "planar":
            v = [0.0 if link.v.start <= k < link.v.stop else x for k, x in enumerate(v)]  # stated in other axes
        else:
            v_back[own.v] = v[link.v]
    before = accelerations(Model(figure, q=tuple(q), v=tuple(v)))
    after = accelerations(replace(model, v=tuple(v_back)))
    largest = max(9.81, *(np.abs(a).max() for a in before.values()))
    for name, a in before.items():
        np.testing.assert_allclose(after[name], a, atol=ROUNDING * largest)


def test_colours_and_meshes_come_back(tmp_path: Path):
    """Each part is written as a mesh, and is read as the hull of its corners, which are float32."""
    colors = ("#8a4a1c", "#102030", "#ffffff", "#00ff7f")
    links = tuple(
        replace(link, parts=tuple(replace(part, color=color) for part in link.parts))
        for link, color in zip(BEAST.given_links, colors, strict=True)
    )
    figure = replace(BEAST, given_links=links)
    q = [1.0, 0.0, 0.0, 0.0, 0.3, 0.2, 0.5, 0.4, 0.01, 1.0, 0.0, 0.0, 0.0]
    model = read_usd(file_of(figure, q, tmp_path / "figure.usda", 10.0))
    assert model.q == pytest.approx(q, abs=1e-6)
    for link, color in zip(figure.links, colors, strict=True):
        (part,) = model.figure.link(link.name.replace(" ", "_")).parts
        assert part.color == color
        assert part.colliding
    (box,) = model.figure.root.parts
    corners = np.array([point.position for point in box.outline()])
    np.testing.assert_allclose(corners.max(axis=0), (0.2, 0.1, 0.05), atol=1e-7)  # the edges of the mesh are rounded
