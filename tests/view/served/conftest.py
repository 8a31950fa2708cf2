"""A world to show: a quadruped that is dropped onto the ground."""

import pytest
from quadrupeds import quadruped
from worlds import touch

from gambol import SurfaceProperties, World, start

HEIGHT = 0.3  # [m] of the root at the start: it touches the ground after 0.15 s


@pytest.fixture(scope="package")
def world():
    figure = quadruped()
    feet = tuple(link.name for link in figure.links if link.name.endswith("shank"))
    return World(figure, surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0), feet))


@pytest.fixture
def first(world):
    return start(world, position=(0.0, 0.0, HEIGHT))
