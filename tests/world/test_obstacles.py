"""Obstacles: links fixed to the world, which need no mass for contact."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from worlds import touch

from gambol.collide.broad import allowed_pairs
from gambol.contact import CONTACT_METHODS
from gambol.creatures.models import initial_state, world_of_model
from gambol.dynamics import METHODS, Dynamics
from gambol.errors import FigureError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere, make_forest
from gambol.formats import (
    Model,
    read_figure,
    read_mjcf,
    read_urdf,
    write_figure,
    write_mjcf,
    write_urdf,
)
from gambol.world import World, run

SLAB = Link("slab", None, Joint("fixed"), (Part(Box((1.0, 1.0, 0.2)), inertial=False),))
BALL = Link("ball", None, Joint("free", position=(0.0, 0.0, 0.25)), (Part(Sphere(0.1)),))
WALL = Figure("wall", (SLAB,))
FIGURES = {
    "forest": make_forest("both", [WALL, Figure("ball", (BALL,))]),
    "one tree": Figure("one", (SLAB, replace(BALL, parent="slab"))),
}
IO: dict[str, tuple[Any, Any]] = {
    ".toml": (write_figure, read_figure),
    ".xml": (write_mjcf, read_mjcf),
    ".urdf": (write_urdf, read_urdf),
}


def world(figure: Figure, contact: str) -> World:
    tested_world = world_of_model(Model(figure), contact=contact)
    if contact != "penalty":
        return tested_world
    soft = touch(stiffness=1e5, damping=200.0)
    return replace(
        tested_world, surface=replace(tested_world.surface, parameters=soft), pairs=allowed_pairs(figure), gravity=9.81
    )


@pytest.mark.parametrize("contact", CONTACT_METHODS)
@pytest.mark.parametrize("kind", FIGURES)
def test_a_ball_rests_on_an_obstacle_without_mass(kind: str, contact: str):
    figure = FIGURES[kind]
    assert [link.name for link in figure.roots] == ["ball"]
    tested_world = world(figure, contact)
    film = run(tested_world, initial_state(Model(figure), tested_world), 1.0, rate=240.0)
    sunk = 4.18879 * 9.81 / 1e5 if contact == "penalty" else 0.0
    np.testing.assert_allclose(film.position[-1, 0, -1], (0.0, 0.0, 0.2 - sunk), atol=2e-5)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_of_dynamics_takes_an_obstacle_without_mass(method: str):
    fall = Dynamics(FIGURES["one tree"], method=method).forward([1.0, *[0.0] * 6], [0.0] * 6)
    np.testing.assert_allclose(fall, (0.0, 0.0, 0.0, 0.0, 0.0, -9.81), atol=1e-12)


@pytest.mark.parametrize("contact", CONTACT_METHODS)
def test_an_obstacle_alone_is_a_figure(contact: str):
    tested_world = world_of_model(Model(WALL), contact=contact)
    film = run(tested_world, initial_state(Model(WALL), tested_world), 0.1, rate=240.0)
    assert WALL.mass == 0.0
    assert not film.signals["centre"].any()


@pytest.mark.parametrize("ending", IO)
@pytest.mark.parametrize("figure", [*FIGURES.values(), WALL])
def test_files_contain_an_obstacle_without_mass(tmp_path: Path, ending: str, figure: Figure):
    write, read = IO[ending]
    write(Model(figure), tmp_path / f"obstacle{ending}")
    back = read(tmp_path / f"obstacle{ending}").figure
    slab = next(link for link in back.links if link.parts)
    assert (slab.joint.kind, slab.mass_properties.mass) == ("fixed", 0.0)
    assert slab.parts[0].shape == Box((1.0, 1.0, 0.2))


def test_what_moves_needs_mass():
    with pytest.raises(FigureError, match="have no mass; give the link an inertial part"):
        Figure("loose", (replace(SLAB, joint=Joint("free")),))
