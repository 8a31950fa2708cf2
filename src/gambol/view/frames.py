"""Pictures of a figure one at a time, while something else moves it."""

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType

import numpy as np

from gambol.collide import Ground
from gambol.figure import Figure
from gambol.view.camera.track import CameraTrack
from gambol.view.opengl import require_render
from gambol.view.stage import FLOOR_HALF_WIDTH, Image, Stage
from gambol.view.still import posture_film
from gambol.world.record import film_ground

SIZE = (640, 480)
"""Width and height of a picture [pixels]."""


class FrameRenderer:
    """Renders a figure in one posture after the other; the camera moves along with the first link.

    figure: the figure. ground: ground on which the figure is drawn. size: width and height of a picture [pixels]. Close
    it, or use it in a with statement, to release OpenGL.
    """

    def __init__(self, figure: Figure, ground: Ground, size: tuple[int, int] = SIZE) -> None:
        self.figure, self.ground, self.size = figure, ground, size
        self._stage: Stage | None = None

    def __enter__(self) -> "FrameRenderer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def picture(self, q: Sequence[float]) -> Image:
        """Return a picture (height, width, 3) of the figure; q (nq): finite coordinates.

        Raises GambolError without OpenGL, and for coordinates that are not finite.
        """
        posture = posture_film(self.figure, q)
        if self._stage is None or self._is_past_ground(posture.position[0, 0, 0]):
            require_render("render_mode")
            self.close()
            self._stage = Stage(replace(posture, ground=film_ground(self.ground)), *self.size)
            self._start, self._track = posture.position[0, 0, 0].copy(), self._stage.track
        stage, film = self._stage, self._stage.film
        film.position[:], film.quaternion[:] = posture.position, posture.quaternion
        moved = (posture.position[0, 0, 0] - self._start) * (1.0, 1.0, 0.0)
        track = self._track
        stage.track = CameraTrack(track.position + moved, track.target + moved, track.field_of_view)
        stage.pose(0)
        stage.aim(0)
        return stage.screenshot()

    def close(self) -> None:
        """Release OpenGL; the next picture opens it again."""
        if self._stage is not None:
            self._stage.__exit__(None, None, None)
            self._stage = None

    def _is_past_ground(self, position: np.ndarray) -> bool:
        """True if the first link has left the middle of the uneven ground that was drawn around its first position."""
        assert self._stage is not None
        edge = 0.5 * FLOOR_HALF_WIDTH * self._stage.framing.size
        return self._stage.film.ground.heights is not None and bool(np.hypot(*(position - self._start)[:2]) > edge)
