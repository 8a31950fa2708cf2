"""Shadows as flat meshes draped on the ground: every triangle of a figure slid along the sun's rays until it lands.

VTK's own shadow maps hold exponentials in half floats, so they pale away wherever the lit ground is much deeper than
the figure. Draping is exact on flat ground, crisp at any scale, and needs no render pass.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.meshes import shape_mesh
from gambol.view.scene.pose import rotation
from gambol.world.film import Film, FilmGround, FilmShape

Array = NDArray[np.float64]
CUTS = 2  # times that a triangle is quartered on uneven ground, so that its shadow follows the hills
LANDINGS = 6  # fixed-point steps to where a ray meets the ground; each gains a factor of slope x tan(sun's tilt)


class Shadow:
    """The shadow of one world's figure: corners(frame, sun) of its triangles on the ground [m]."""

    def __init__(self, film: Film, world: int) -> None:
        self._film, self._world = film, world
        cuts = CUTS if level_of(film.ground) is None else 0
        self._shapes = [(s.link, _in_link(s, cuts)) for s in film.shapes]

    def corners(self, frame: int, sun: Array) -> Array:
        """Corners (N, 3) [m] in a frame; sun: direction towards the light, with a positive z."""
        p, q = self._film.position[frame, self._world], self._film.quaternion[frame, self._world]
        body = np.concatenate([x @ rotation(q[link]).T + p[link] for link, x in self._shapes])
        slide = -sun / sun[2]
        fall = np.zeros(len(body))
        for _ in range(LANDINGS):
            at = body[:, :2] + fall[:, None] * slide[:2]
            fall = np.maximum(body[:, 2] - heights_at(self._film.ground, at), 0.0)
        landed = body[:, :2] + fall[:, None] * slide[:2]
        return np.column_stack([landed, heights_at(self._film.ground, landed)])


def level_of(ground: FilmGround) -> float | None:
    """The height of a ground that is level [m]; None where it is not."""
    if ground.heights is None:
        return 0.0
    return float(ground.heights[0, 0]) if np.ptp(ground.heights) == 0.0 else None


def heights_at(ground: FilmGround, at: Array) -> Array:
    """Height of the ground [m] at points (N, 2), between the grid's points bilinearly and level beyond its edges."""
    H, level = ground.heights, level_of(ground)
    if H is None or level is not None:
        return np.full(len(at), level)
    u = np.clip((at[:, 0] - ground.x0) / ground.spacing, 0.0, H.shape[0] - 1.0)
    v = np.clip((at[:, 1] - ground.y0) / ground.spacing, 0.0, H.shape[1] - 1.0)
    i, j = np.minimum(u.astype(int), H.shape[0] - 2), np.minimum(v.astype(int), H.shape[1] - 2)
    a, b = u - i, v - j
    near = (1.0 - b) * H[i, j] + b * H[i, j + 1]
    far = (1.0 - b) * H[i + 1, j] + b * H[i + 1, j + 1]
    return (1.0 - a) * near + a * far


def _in_link(shape: FilmShape, cuts: int) -> Array:
    """Corners of a shape's triangles in its link's frame, each triangle quartered some times."""
    triangles = shape_mesh(shape).corners.reshape(-1, 3, 3)
    for _ in range(cuts):
        triangles = _quartered(triangles)
    return triangles.reshape(-1, 3) @ rotation(np.array(shape.quaternion)).T + np.array(shape.position)


def _quartered(triangles: Array) -> Array:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    ab, bc, ca = (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([np.stack(part, axis=1) for part in parts])
