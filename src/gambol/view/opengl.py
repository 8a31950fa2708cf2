"""Whether this machine can render at all: asked in a process of its own, since VTK may end one that asks in vain."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from gambol.errors import GambolError

PATIENCE = 60.0  # [s] software rendering on a busy machine takes 2 to 10 s to its first picture
PROBE = """
import pyvista
plotter = pyvista.Plotter(off_screen=True, window_size=[32, 32])
plotter.add_mesh(pyvista.Cube(), color="white")
plotter.set_background("black")
assert plotter.screenshot(return_img=True).max() > 50
"""


class RenderWarning(UserWarning):
    """Rendered frames were left out because this machine has no OpenGL, not even in software."""


@cache
def can_render() -> bool:
    """True if a process with this one's environment renders a cube off screen. Asked once, then remembered."""
    try:
        run = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0


def require_render(what: str) -> None:
    """Raise GambolError if nothing can be rendered; what: the thing that is wanted, such as "a video"."""
    if not can_render():
        raise GambolError(
            f"{what} needs OpenGL, and this machine has none; a software one will do (such as Mesa's libegl1)"
        )


@contextmanager
def hushed() -> Generator[None]:
    """Keep VTK off standard error, where it complains of each kind of window that it tries before the right one."""
    logger = import_module("vtkmodules.vtkCommonCore").vtkLogger
    before = logger.GetCurrentVerbosityCutoff()
    logger.SetStderrVerbosity(logger.VERBOSITY_OFF)
    try:
        yield
    finally:
        logger.SetStderrVerbosity(before)
