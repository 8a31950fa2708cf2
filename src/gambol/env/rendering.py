"""Pictures of the creatures of an environment, for gymnasium's render()."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.env.batch import TaskBatch
from gambol.errors import EvolveError
from gambol.view.frames import FrameRenderer

RENDER_MODES = ("rgb_array",)
"""The render modes of all environments."""

Image = NDArray[np.uint8]


def check_render_mode(mode: str | None) -> None:
    """Raise EvolveError for a render mode that is not supported."""
    if mode is not None and mode not in RENDER_MODES:
        raise EvolveError(
            f'render_mode "{mode}" is not supported: give "rgb_array", whose pictures RecordVideo of gymnasium writes '
            "as a video, or None"
        )


def class_metadata() -> dict[str, Any]:
    """Return the metadata of a class of environments, which gymnasium.make reads."""
    return {"render_modes": list(RENDER_MODES), "render_fps": 30}


def metadata_of(batch: TaskBatch) -> dict[str, Any]:
    """Return the metadata of an environment: render modes and pictures per second."""
    return class_metadata() | {"render_fps": round(1.0 / batch.control_step)}


class BatchRenderer:
    """Renders the creatures of a batch, each with a camera of its own that moves along with it."""

    def __init__(self, batch: TaskBatch) -> None:
        self._batch = batch
        world = batch.engine.world
        self._renderers = [FrameRenderer(world.figure, world.ground) for _ in range(batch.worlds)]

    def pictures(self) -> tuple[Image, ...]:
        """Return a picture (height, width, 3) of each creature. Raises GambolError without OpenGL."""
        states = self._batch.state.q.astype(float).tolist()
        return tuple(renderer.picture(q) for renderer, q in zip(self._renderers, states, strict=True))

    def close(self) -> None:
        """Release OpenGL."""
        for renderer in self._renderers:
            renderer.close()
