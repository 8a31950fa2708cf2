"""What the tests of view share: a short film, and whether anything can be rendered here."""

import pytest
from films import hexapod_film

from gambol.view.opengl import can_render


@pytest.fixture(scope="session")
def film():
    return hexapod_film(seconds=0.3)


@pytest.fixture
def renderer():
    if not can_render():
        pytest.skip("no OpenGL on this machine, not even in software")
