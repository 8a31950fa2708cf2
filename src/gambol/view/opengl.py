"""Check for OpenGL, in a separate process, since VTK may abort the process without it."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from gambol.errors import GambolError

TIMEOUT = 60.0  # [s] with software rendering on a busy machine the first picture takes 2 to 10 s
PROBE = """
import pyvista
plotter = pyvista.Plotter(off_screen=True, window_size=[32, 32])
plotter.add_mesh(pyvista.Cube(), color="white")
plotter.set_background("black")
assert plotter.screenshot(return_img=True).max() > 50
"""


class RenderWarning(UserWarning):
    """Rendered frames are left out because this machine has no OpenGL, not even in software."""


@cache
def can_render() -> bool:
    """Return True if a process with the same environment can render a cube off screen. The result is cached."""
    try:
        process = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, timeout=TIMEOUT, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return process.returncode == 0


def require_render(output: str) -> None:
    """Raise GambolError if this machine cannot render; output: the requested output, such as "a video"."""
    if not can_render():
        raise GambolError(
            f"{output} needs OpenGL, and this machine has none; software rendering is enough (such as Mesa's libegl1)"
        )


@contextmanager
def quiet_vtk() -> Generator[None]:
    """Suppress VTK's messages on standard error about kinds of windows that are not available."""
    logger = import_module("vtkmodules.vtkCommonCore").vtkLogger
    previous_level = logger.GetCurrentVerbosityCutoff()
    logger.SetStderrVerbosity(logger.VERBOSITY_OFF)
    try:
        yield
    finally:
        logger.SetStderrVerbosity(previous_level)
