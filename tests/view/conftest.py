"""Shared by the tests of view: a short film, and a check that rendering is possible here."""

import os

import pytest
from films import hexapod_film

from gambol.view.opengl import can_render


@pytest.fixture(scope="session")
def film():
    return hexapod_film(seconds=0.3)


@pytest.fixture
def renderer():
    if os.environ.get("GAMBOL_TEST_OPENGL") == "none":
        pytest.skip("GAMBOL_TEST_OPENGL=none: nothing was rendered")
    assert can_render(), "no OpenGL here, not even in software; install libegl1, or say GAMBOL_TEST_OPENGL=none"
